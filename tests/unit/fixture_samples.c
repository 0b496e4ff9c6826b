#include "fixture_samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static bool armed, failed;
static unsigned left;

void *__real_calloc(size_t n, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

static bool allocation_fails(void)
{
    if (!armed || left-- > 0)
        return false;
    armed = false;
    failed = true;
    return true;
}

void *__wrap_calloc(size_t n, size_t size)
{
    return allocation_fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
    return allocation_fails() ? NULL : __real_reallocarray(p, n, size);
}

void fixture_assert_near(double value, double expected, double tolerance)
{
    double limit = tolerance * (expected != 0 ? fabs(expected) : 1);
    if (!(fabs(value - expected) <= limit))
        fail_msg("%.15g is not %.15g", value, expected);
}

void fixture_allocation_fail_after(unsigned successes)
{
    armed = true;
    failed = false;
    left = successes;
}

bool fixture_allocation_failed(void)
{
    armed = false;
    return failed;
}

cb_block fixture_block(uint64_t seed, uint64_t batch, size_t rounds, double call_ns)
{
    cb_block block = {.seed = seed,
                      .batch = batch,
                      .rounds = rounds,
                      .round_ns = calloc(rounds, sizeof(uint64_t)),
                      .control_ns = calloc(rounds, sizeof(uint64_t)),
                      .flags = calloc(rounds, 1)};
    if (block.round_ns == NULL || block.control_ns == NULL || block.flags == NULL)
        abort();
    for (size_t i = 0; i < rounds; i++) {
        block.round_ns[i] = (uint64_t)llround((double)batch * call_ns);
        block.control_ns[i] = FIXTURE_CONTROL_NS;
    }
    return block;
}

void fixture_block_free(cb_block *block)
{
    free(block->round_ns);
    free(block->control_ns);
    free(block->flags);
    *block = (cb_block){.rounds = 0};
}

cb_block *fixture_row_add(cb_row_samples *row, uint64_t seed, uint64_t batch, size_t rounds, double call_ns)
{
    cb_block block = fixture_block(seed, batch, rounds, call_ns);
    if (cb_row_samples_add(row, &block) != CB_OK)
        abort();
    return &row->blocks[row->n_blocks - 1];
}

cb_row_samples fixture_row(size_t replicates, uint64_t batch, size_t rounds, double call_ns)
{
    cb_row_samples row = {.n_blocks = 0};
    for (size_t i = 0; i < replicates; i++)
        (void)fixture_row_add(&row, i + 1, batch, rounds, call_ns);
    return row;
}

/* SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014. */
double fixture_uniform(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

/* Box and Muller, Ann. Math. Stat. 29(2), 1958. */
double fixture_normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(fixture_uniform(state)));
    return radius * cos(2 * acos(-1.0) * fixture_uniform(state));
}
