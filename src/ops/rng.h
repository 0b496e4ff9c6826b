/* A small deterministic generator for inputs and schedules. Not for secrets.
 * xoshiro256** 1.0 by Blackman and Vigna, seeded through SplitMix64 (https://prng.di.unimi.it/). */
#ifndef CB_OPS_RNG_H
#define CB_OPS_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct cb_rng {
    uint64_t s[4];
} cb_rng;

/* The same seed and stream give the same sequence on every machine; different streams are independent. */
void cb_rng_init(cb_rng *rng, uint64_t seed, uint64_t stream);
uint64_t cb_rng_next(cb_rng *rng);
/* Uniform in 0 .. bound-1, without modulo bias. bound >= 1. */
uint64_t cb_rng_below(cb_rng *rng, uint64_t bound);
/* Little-endian bytes of the sequence, the same on every machine. */
void cb_rng_fill(cb_rng *rng, uint8_t *p, size_t n);

#endif
