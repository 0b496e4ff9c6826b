#include "ops/digest.h"

#include <endian.h>
#include <string.h>

enum { LANES = 4 };
#define STRIPE_BYTES ((size_t)LANES * 8)

static const uint64_t multipliers[LANES] = {
    UINT64_C(0x9e3779b97f4a7c15),
    UINT64_C(0xd6e8feb86659fd93),
    UINT64_C(0xa0761d6478bd642f),
    UINT64_C(0xe7037ed1a0b428db),
};

static uint64_t step(uint64_t state, uint64_t word, uint64_t multiplier)
{
    /* xor with the word, odd multiplication and xor-shift are each invertible. */
    state = (state ^ word) * multiplier;
    return state ^ (state >> 29);
}

static uint64_t load_le64(const uint8_t *p, size_t n)
{
    uint64_t word = 0;
    memcpy(&word, p, n);
    return le64toh(word);
}

uint64_t cb_digest_fold(uint64_t state, uint64_t value)
{
    return step(state + multipliers[1], value, multipliers[0]);
}

uint64_t cb_digest(cb_span bytes)
{
    uint64_t lane[LANES] = {multipliers[3], multipliers[2], multipliers[1], multipliers[0]};
    const uint8_t *p = bytes.p;
    size_t left = bytes.n;
    for (; left >= STRIPE_BYTES; p += STRIPE_BYTES, left -= STRIPE_BYTES)
        for (size_t i = 0; i < LANES; i++)
            lane[i] = step(lane[i], load_le64(p + 8 * i, 8), multipliers[i]);
    for (size_t i = 0; left > 0; i++) {
        size_t take = left < 8 ? left : 8;
        lane[i] = step(lane[i], load_le64(p, take), multipliers[i]);
        p += take;
        left -= take;
    }
    uint64_t state = bytes.n;
    for (size_t i = 0; i < LANES; i++)
        state = cb_digest_fold(state, lane[i]);
    return state;
}
