#include "worker/control.h"

#include <stddef.h>

/* 16-byte vectors exist on every target we build for, and the compiler has them as a type. */
typedef uint32_t lanes4 __attribute__((vector_size(16)));

#define WARM_ROUNDS  2
#define TIMED_ROUNDS 6
#define MULTIPLIER   UINT64_C(0x9e3779b97f4a7c15)

void cb_control_init(cb_control *control)
{
    uint64_t x = 1;
    for (size_t i = 0; i < CB_CONTROL_WORDS; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        control->words[i] = x;
    }
}

static lanes4 rotate(lanes4 v, unsigned n)
{
    return (v << n) | (v >> (32 - n));
}

/* Four independent chains of each kind, so that the core's width matters and not one latency. */
__attribute__((noinline, aligned(64))) static uint64_t work(const cb_control *control, unsigned rounds)
{
    uint64_t scalar[4] = {1, 2, 3, 4};
    lanes4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, c = {9, 10, 11, 12}, d = {13, 14, 15, 16};
    const uint64_t *words = control->words;
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < CB_CONTROL_WORDS; i += 4) {
            for (size_t k = 0; k < 4; k++)
                scalar[k] = (scalar[k] ^ words[i + k]) * MULTIPLIER;
            lanes4 loaded = {(uint32_t)words[i], (uint32_t)words[i + 1], (uint32_t)words[i + 2],
                             (uint32_t)words[i + 3]};
            a += b;
            d = rotate(d ^ a, 16);
            c += d;
            b = rotate(b ^ c ^ loaded, 12);
            a += loaded;
            c ^= rotate(a, 7);
        }
    }
    return scalar[0] ^ scalar[1] ^ scalar[2] ^ scalar[3] ^ a[0] ^ b[1] ^ c[2] ^ d[3];
}

/* A library that ends in AVX code without clearing the upper halves of the vector registers makes every SSE
 * instruction after it slower, in the operation that happens to be measured next too: 155 ns instead of 40
 * were seen. */
#if defined(__x86_64__)
__attribute__((target("avx"))) static void clear_upper_halves(void)
{
    __builtin_ia32_vzeroupper();
}

static void forget_vector_state(void)
{
    if (__builtin_cpu_supports("avx"))
        clear_upper_halves();
}
#else
static void forget_vector_state(void)
{
}
#endif

uint64_t cb_control_warm(cb_control *control)
{
    forget_vector_state();
    return work(control, WARM_ROUNDS);
}

uint64_t cb_control_run(cb_control *control)
{
    return work(control, TIMED_ROUNDS);
}
