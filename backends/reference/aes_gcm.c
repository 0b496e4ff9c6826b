#include "aes_gcm.h"

#define BLOCK 16

/* Multiplication by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, 4.2). */
static uint8_t gf256_double(uint8_t a)
{
    return (uint8_t)((a << 1) ^ ((a >> 7) * 0x1b));
}

static uint8_t gf256_multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b != 0; b >>= 1) {
        if (b & 1)
            product ^= a;
        a = gf256_double(a);
    }
    return product;
}

/* a^254 = a^2 a^4 ... a^128, which is the inverse, and 0 for 0. */
static uint8_t gf256_invert(uint8_t a)
{
    uint8_t power = a;
    uint8_t inverse = 1;
    for (int i = 1; i < 8; i++) {
        power = gf256_multiply(power, power);
        inverse = gf256_multiply(inverse, power);
    }
    return inverse;
}

/* FIPS 197, 5.1.1. Computed, so that no table has to be trusted. */
static void make_sbox(uint8_t sbox[256])
{
    for (unsigned i = 0; i < 256; i++) {
        unsigned b = gf256_invert((uint8_t)i);
        unsigned twice = b << 8 | b; /* a shift of this is a rotation of b */
        sbox[i] = (uint8_t)(b ^ (twice >> 7) ^ (twice >> 6) ^ (twice >> 5) ^ (twice >> 4) ^ 0x63);
    }
}

/* FIPS 197, 5.2, on the schedule as one run of 4-byte words. */
static void expand_key(reference_aes_gcm *k, cb_span key)
{
    const size_t nk = key.n / 4;
    const size_t words = 4 * ((size_t)k->rounds + 1);
    uint8_t(*w)[4] = (uint8_t(*)[4])k->round_keys;
    uint8_t rcon = 1;
    memcpy(w, key.p, key.n);
    for (size_t i = nk; i < words; i++) {
        uint8_t t[4] = {w[i - 1][0], w[i - 1][1], w[i - 1][2], w[i - 1][3]};
        if (i % nk == 0) {
            const uint8_t first = t[0];
            t[0] = k->sbox[t[1]] ^ rcon;
            t[1] = k->sbox[t[2]];
            t[2] = k->sbox[t[3]];
            t[3] = k->sbox[first];
            rcon = gf256_double(rcon);
        } else if (nk > 6 && i % nk == 4) {
            for (int j = 0; j < 4; j++)
                t[j] = k->sbox[t[j]];
        }
        for (int j = 0; j < 4; j++)
            w[i][j] = w[i - nk][j] ^ t[j];
    }
}

/* SubBytes and ShiftRows in one: byte r of column c comes from column c + r. */
static void substitute_and_shift(const uint8_t sbox[256], uint8_t s[BLOCK])
{
    uint8_t t[BLOCK];
    for (size_t c = 0; c < 4; c++)
        for (size_t r = 0; r < 4; r++)
            t[4 * c + r] = sbox[s[4 * ((c + r) % 4) + r]];
    memcpy(s, t, BLOCK);
}

/* FIPS 197, 5.1.3: 2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3) = a_r + sum + 2 (a_r + a_(r+1)). */
static void mix_columns(uint8_t s[BLOCK])
{
    for (size_t c = 0; c < 4; c++) {
        uint8_t *a = s + 4 * c;
        const uint8_t first = a[0];
        const uint8_t sum = a[0] ^ a[1] ^ a[2] ^ a[3];
        for (size_t r = 0; r < 4; r++) {
            const uint8_t next = r < 3 ? a[r + 1] : first;
            a[r] = a[r] ^ sum ^ gf256_double(a[r] ^ next);
        }
    }
}

static void add_round_key(const uint8_t round_key[BLOCK], uint8_t s[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++)
        s[i] ^= round_key[i];
}

/* FIPS 197, 5.1. */
static void aes_encrypt_block(const reference_aes_gcm *k, const uint8_t in[BLOCK], uint8_t out[BLOCK])
{
    uint8_t s[BLOCK];
    memcpy(s, in, BLOCK);
    add_round_key(k->round_keys[0], s);
    for (unsigned round = 1; round < k->rounds; round++) {
        substitute_and_shift(k->sbox, s);
        mix_columns(s);
        add_round_key(k->round_keys[round], s);
    }
    substitute_and_shift(k->sbox, s);
    add_round_key(k->round_keys[k->rounds], s);
    memcpy(out, s, BLOCK);
}

static uint64_t load_be64(const uint8_t p[8])
{
    uint64_t v = 0;
    for (size_t i = 0; i < 8; i++)
        v = v << 8 | p[i];
    return v;
}

static void store_be64(uint8_t p[8], uint64_t v)
{
    for (size_t i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> (56 - 8 * i));
}

/* products[0x80] is H, halving the index multiplies by x, and the rest are sums of these. */
static void make_products(reference_aes_gcm *k)
{
    uint8_t h[BLOCK] = {0};
    aes_encrypt_block(k, h, h);
    reference_gf128 v = {load_be64(h), load_be64(h + 8)};
    k->products[0] = (reference_gf128){0, 0};
    for (size_t top = 0x80; top > 0; top >>= 1) {
        k->products[top] = v;
        const uint64_t fell_off = v.lo & 1; /* x^128 = x^7 + x^2 + x + 1 */
        v.lo = v.lo >> 1 | v.hi << 63;
        v.hi = v.hi >> 1 ^ fell_off * 0xe100000000000000u;
    }
    for (size_t top = 2; top < 256; top <<= 1)
        for (size_t rest = 1; rest < top; rest++) {
            k->products[top + rest].hi = k->products[top].hi ^ k->products[rest].hi;
            k->products[top + rest].lo = k->products[top].lo ^ k->products[rest].lo;
        }
}

/* y := (y + block) H, by Horner's rule from the last byte, in steps of x^8. */
static void ghash_block(const reference_aes_gcm *k, uint8_t y[BLOCK], const uint8_t block[BLOCK])
{
    reference_gf128 z = {0, 0};
    for (size_t i = BLOCK; i-- > 0;) {
        const uint64_t over = z.lo & 0xff; /* coefficients of x^128 to x^135 after the shift */
        const uint64_t reduced = over << 8 ^ over << 7 ^ over << 6 ^ over << 1;
        z.lo = z.lo >> 8 | z.hi << 56;
        z.hi = z.hi >> 8 ^ reduced << 48;
        const reference_gf128 *product = &k->products[y[i] ^ block[i]];
        z.hi ^= product->hi;
        z.lo ^= product->lo;
    }
    store_be64(y, z.hi);
    store_be64(y + 8, z.lo);
}

/* Hashes the bytes, filled up with zeros to whole blocks. */
static void ghash_padded(const reference_aes_gcm *k, uint8_t y[BLOCK], cb_span bytes)
{
    size_t done = 0;
    for (; bytes.n - done >= BLOCK; done += BLOCK)
        ghash_block(k, y, bytes.p + done);
    if (done < bytes.n) {
        uint8_t last[BLOCK] = {0};
        memcpy(last, bytes.p + done, bytes.n - done);
        ghash_block(k, y, last);
    }
}

static void ghash_lengths(const reference_aes_gcm *k, uint8_t y[BLOCK], size_t first_bytes,
                          size_t second_bytes)
{
    uint8_t lengths[BLOCK];
    store_be64(lengths, (uint64_t)first_bytes * 8);
    store_be64(lengths + 8, (uint64_t)second_bytes * 8);
    ghash_block(k, y, lengths);
}

/* The pre-counter block J0 (SP 800-38D, 7.1 step 2). */
static void first_counter(const reference_aes_gcm *k, cb_span nonce, uint8_t j0[BLOCK])
{
    memset(j0, 0, BLOCK);
    if (nonce.n == 12) {
        memcpy(j0, nonce.p, 12);
        j0[15] = 1;
    } else {
        ghash_padded(k, j0, nonce);
        ghash_lengths(k, j0, 0, nonce.n);
    }
}

/* inc32 of SP 800-38D, 6.2: the last four bytes, big-endian, wrapping among themselves. */
static void increment_counter(uint8_t counter[BLOCK])
{
    for (size_t i = BLOCK; i-- > 12;)
        if (++counter[i] != 0)
            break;
}

bool reference_aes_gcm_set_key(reference_aes_gcm *k, cb_span key)
{
    if (key.n != 16 && key.n != 24 && key.n != 32)
        return false;
    k->rounds = (unsigned)(key.n / 4 + 6);
    make_sbox(k->sbox);
    expand_key(k, key);
    make_products(k);
    return true;
}

void reference_aes_gcm_crypt(const reference_aes_gcm *k, cb_span nonce, cb_span in, uint8_t *out)
{
    uint8_t counter[BLOCK];
    first_counter(k, nonce, counter);
    for (size_t done = 0; done < in.n; done += BLOCK) {
        uint8_t stream[BLOCK];
        increment_counter(counter);
        aes_encrypt_block(k, counter, stream);
        const size_t n = in.n - done < BLOCK ? in.n - done : BLOCK;
        for (size_t i = 0; i < n; i++)
            out[done + i] = in.p[done + i] ^ stream[i];
    }
}

void reference_aes_gcm_tag(const reference_aes_gcm *k, cb_span nonce, cb_span aad, cb_span ciphertext,
                           uint8_t tag[REFERENCE_AES_GCM_TAG_BYTES])
{
    uint8_t y[BLOCK] = {0};
    ghash_padded(k, y, aad);
    ghash_padded(k, y, ciphertext);
    ghash_lengths(k, y, aad.n, ciphertext.n);
    first_counter(k, nonce, tag);
    aes_encrypt_block(k, tag, tag);
    for (size_t i = 0; i < BLOCK; i++)
        tag[i] ^= y[i];
}
