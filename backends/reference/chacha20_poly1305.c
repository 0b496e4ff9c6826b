#include "chacha20_poly1305.h"

#define CHACHA_BLOCK 64
#define POLY_BLOCK   16

/* Numbers modulo 2^130 - 5 as five limbs of 26 bits, least significant first. */
#define LIMBS     5
#define LIMB_BITS 26
#define LIMB_MASK ((UINT64_C(1) << LIMB_BITS) - 1)

static uint32_t load_le32(const uint8_t p[4])
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store_le(uint8_t *p, size_t bytes, uint64_t v)
{
    for (size_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static uint32_t rotate_left(uint32_t v, unsigned n)
{
    return v << n | v >> (32 - n);
}

/* RFC 8439, 2.1. */
static void quarter_round(uint32_t s[16], size_t a, size_t b, size_t c, size_t d)
{
    s[a] += s[b];
    s[d] = rotate_left(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = rotate_left(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = rotate_left(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = rotate_left(s[b] ^ s[c], 7);
}

/* RFC 8439, 2.3. */
static void chacha20_block(const uint8_t *key, const uint8_t *nonce, uint32_t counter,
                           uint8_t out[CHACHA_BLOCK])
{
    /* "expand 32-byte k" as four little-endian words */
    uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint32_t s[16];
    for (size_t i = 0; i < 8; i++)
        start[4 + i] = load_le32(key + 4 * i);
    start[12] = counter;
    for (size_t i = 0; i < 3; i++)
        start[13 + i] = load_le32(nonce + 4 * i);
    memcpy(s, start, sizeof s);
    for (int twice = 0; twice < 10; twice++) {
        for (size_t i = 0; i < 4; i++)
            quarter_round(s, i, 4 + i, 8 + i, 12 + i);
        for (size_t i = 0; i < 4; i++)
            quarter_round(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    for (size_t i = 0; i < 16; i++)
        store_le(out + 4 * i, 4, s[i] + start[i]);
}

typedef struct poly1305 {
    uint64_t r[LIMBS], h[LIMBS];
} poly1305;

/* Adds a little-endian number of at most 17 bytes to the limbs. */
static void add_bytes(uint64_t limbs[LIMBS], const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t limb = 8 * i / LIMB_BITS;
        const uint64_t shifted = (uint64_t)bytes[i] << (8 * i % LIMB_BITS);
        limbs[limb] += shifted & LIMB_MASK;
        if (limb + 1 < LIMBS) /* nothing of 17 bytes with a top byte below 4 reaches past the last limb */
            limbs[limb + 1] += shifted >> LIMB_BITS;
    }
}

/* Brings each limb below 2^26, except that limb 1 may pass it by a little; 2^130 = 5 wraps around. */
static void carry_limbs(uint64_t h[LIMBS])
{
    uint64_t carry = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        h[i] += carry;
        carry = h[i] >> LIMB_BITS;
        h[i] &= LIMB_MASK;
    }
    h[0] += 5 * carry;
    h[1] += h[0] >> LIMB_BITS;
    h[0] &= LIMB_MASK;
}

/* Adds a whole block with its 1 bit on top and multiplies by r (RFC 8439, 2.5). */
static void poly1305_block(poly1305 *p, const uint8_t block[POLY_BLOCK])
{
    uint64_t product[LIMBS] = {0};
    uint8_t with_top[POLY_BLOCK + 1];
    memcpy(with_top, block, POLY_BLOCK);
    with_top[POLY_BLOCK] = 1;
    add_bytes(p->h, with_top, sizeof with_top);
    for (size_t i = 0; i < LIMBS; i++)
        for (size_t j = 0; j < LIMBS; j++)
            if (i + j < LIMBS)
                product[i + j] += p->h[i] * p->r[j];
            else
                product[i + j - LIMBS] += 5 * p->h[i] * p->r[j];
    carry_limbs(product);
    memcpy(p->h, product, sizeof p->h);
}

/* Bytes filled up with zeros to whole blocks: the AEAD pads everything, so there are no short blocks. */
static void poly1305_padded(poly1305 *p, cb_span bytes)
{
    size_t done = 0;
    for (; bytes.n - done >= POLY_BLOCK; done += POLY_BLOCK)
        poly1305_block(p, bytes.p + done);
    if (done < bytes.n) {
        uint8_t last[POLY_BLOCK] = {0};
        memcpy(last, bytes.p + done, bytes.n - done);
        poly1305_block(p, last);
    }
}

/* r is the first half of the one-time key with 22 bits cleared (RFC 8439, 2.5). */
static void poly1305_start(poly1305 *p, const uint8_t r[POLY_BLOCK])
{
    uint8_t clamped[POLY_BLOCK];
    memcpy(clamped, r, POLY_BLOCK);
    for (size_t i = 3; i < POLY_BLOCK; i += 4)
        clamped[i] &= 0x0f;
    for (size_t i = 4; i < POLY_BLOCK; i += 4)
        clamped[i] &= 0xfc;
    memset(p, 0, sizeof *p);
    add_bytes(p->r, clamped, POLY_BLOCK);
}

/* Subtracts 2^130 - 5 once if h is not below it: h + 5 then has bit 130. */
static void reduce_fully(uint64_t h[LIMBS])
{
    uint64_t t[LIMBS];
    uint64_t carry = 5;
    carry_limbs(h);
    carry_limbs(h);
    for (size_t i = 0; i < LIMBS; i++) {
        t[i] = h[i] + carry;
        carry = t[i] >> LIMB_BITS;
        t[i] &= LIMB_MASK;
    }
    if (carry != 0)
        memcpy(h, t, sizeof t);
}

/* tag := (h + s) mod 2^128, s being the second half of the one-time key. */
static void poly1305_finish(poly1305 *p, const uint8_t s[POLY_BLOCK], uint8_t tag[POLY_BLOCK])
{
    uint64_t held = 0;
    unsigned held_bits = 0;
    unsigned carry = 0;
    size_t limb = 0;
    reduce_fully(p->h);
    for (size_t i = 0; i < POLY_BLOCK; i++) {
        if (held_bits < 8) {
            held |= p->h[limb++] << held_bits;
            held_bits += LIMB_BITS;
        }
        carry += (unsigned)(held & 0xff) + s[i];
        tag[i] = (uint8_t)carry;
        carry >>= 8;
        held >>= 8;
        held_bits -= 8;
    }
}

void reference_chacha20_poly1305_crypt(const uint8_t key[REFERENCE_CHACHA20_POLY1305_KEY_BYTES],
                                       const uint8_t nonce[REFERENCE_CHACHA20_POLY1305_NONCE_BYTES],
                                       cb_span in, uint8_t *out)
{
    uint32_t counter = 1;
    for (size_t done = 0; done < in.n; done += CHACHA_BLOCK) {
        uint8_t stream[CHACHA_BLOCK];
        chacha20_block(key, nonce, counter++, stream);
        const size_t n = in.n - done < CHACHA_BLOCK ? in.n - done : CHACHA_BLOCK;
        for (size_t i = 0; i < n; i++)
            out[done + i] = in.p[done + i] ^ stream[i];
    }
}

void reference_chacha20_poly1305_tag(const uint8_t key[REFERENCE_CHACHA20_POLY1305_KEY_BYTES],
                                     const uint8_t nonce[REFERENCE_CHACHA20_POLY1305_NONCE_BYTES],
                                     cb_span aad, cb_span ciphertext,
                                     uint8_t tag[REFERENCE_CHACHA20_POLY1305_TAG_BYTES])
{
    poly1305 p;
    uint8_t one_time_key[CHACHA_BLOCK]; /* only the first 32 bytes are used: r, s */
    uint8_t lengths[POLY_BLOCK];
    chacha20_block(key, nonce, 0, one_time_key);
    poly1305_start(&p, one_time_key);
    poly1305_padded(&p, aad);
    poly1305_padded(&p, ciphertext);
    store_le(lengths, 8, aad.n);
    store_le(lengths + 8, 8, ciphertext.n);
    poly1305_block(&p, lengths);
    poly1305_finish(&p, one_time_key + POLY_BLOCK, tag);
}
