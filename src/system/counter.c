#include "system/counter.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define SPAN_NS 10000000u
#define ROWS    16
#define READS   64

#if defined(__x86_64__) || defined(__i386__)

#include <x86intrin.h>
#define HAS_COUNTER true
static uint64_t read_counter(void)
{
    return __rdtsc();
}

#elif defined(__aarch64__)

#define HAS_COUNTER true
static uint64_t read_counter(void)
{
    uint64_t value = 0;
    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value) : : "memory");
    return value;
}

#else

#define HAS_COUNTER false
static uint64_t read_counter(void)
{
    return 0;
}

#endif

typedef struct moment {
    uint64_t ns, ticks;
} moment;

/* Undisturbed by the clock corrections that CLOCK_MONOTONIC follows. */
static uint64_t raw_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A counter reading between two clock readings; of several the one with the narrowest gap, so that an
 * interrupt in between does not count. */
static moment moment_now(void)
{
    moment best = {0};
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < ROWS; i++) {
        const uint64_t before = raw_ns();
        const uint64_t ticks = read_counter();
        const uint64_t gap = raw_ns() - before;
        if (gap < narrowest) {
            narrowest = gap;
            best = (moment){.ns = before + gap / 2, .ticks = ticks};
        }
    }
    return best;
}

double cb_counter_ghz(void)
{
    if (!HAS_COUNTER) {
        return NAN;
    }
    const moment first = moment_now();
    while (raw_ns() - first.ns < SPAN_NS) {
    }
    const moment last = moment_now();
    const double ghz = (double)(last.ticks - first.ticks) / (double)(last.ns - first.ns);
    return last.ticks > first.ticks && isfinite(ghz) ? ghz : NAN;
}

double cb_counter_read_cost_ns(const cb_clock *clock)
{
    double least = INFINITY;
    for (int row = 0; row < ROWS; row++) {
        const uint64_t start = clock->wall_ns(clock->user);
        uint64_t end = start;
        for (int i = 0; i < READS; i++) {
            end = clock->wall_ns(clock->user);
        }
        least = fmin(least, (double)(end - start) / READS);
    }
    return least;
}
