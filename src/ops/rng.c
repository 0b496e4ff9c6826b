#include "ops/rng.h"

#include <endian.h>
#include <string.h>

static uint64_t rotate_left(uint64_t x, unsigned n)
{
    return (x << n) | (x >> (64 - n));
}

static uint64_t splitmix_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void cb_rng_init(cb_rng *rng, uint64_t seed, uint64_t stream)
{
    /* The stream goes through the mixer once by itself, so that (seed, stream) pairs do not meet on a line.
     */
    uint64_t mixed_stream = stream;
    uint64_t state = seed ^ splitmix_next(&mixed_stream);
    for (size_t i = 0; i < 4; i++)
        rng->s[i] = splitmix_next(&state);
}

uint64_t cb_rng_next(cb_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t cb_rng_below(cb_rng *rng, uint64_t bound)
{
    /* Values under 2^64 mod bound would make the low results more likely: draw again. */
    uint64_t threshold = (0 - bound) % bound;
    uint64_t value = cb_rng_next(rng);
    while (value < threshold)
        value = cb_rng_next(rng);
    return value % bound;
}

void cb_rng_fill(cb_rng *rng, uint8_t *p, size_t n)
{
    while (n > 0) {
        uint64_t word = htole64(cb_rng_next(rng));
        size_t take = n < sizeof word ? n : sizeof word;
        memcpy(p, &word, take);
        p += take;
        n -= take;
    }
}
