/* AES-GCM from its specifications: FIPS 197 (AES, encryption direction only) and NIST SP 800-38D (GCM).
 * Plain and slow on purpose; not constant-time. */
#ifndef REFERENCE_AES_GCM_H
#define REFERENCE_AES_GCM_H

#include <crypto_bench/bytes.h>

#include <stdbool.h>

#define REFERENCE_AES_GCM_TAG_BYTES   16
#define REFERENCE_AES_GCM_MESSAGE_MAX ((UINT64_C(1) << 36) - 32) /* bytes; SP 800-38D, 5.2.1.1 */
#define REFERENCE_AES_GCM_AAD_MAX     ((UINT64_C(1) << 61) - 1)  /* bytes; SP 800-38D, 5.2.1.1 */

/* An element of GF(2^128): the coefficient of x^0 is the top bit of hi, that of x^127 the low bit of lo. */
typedef struct reference_gf128 {
    uint64_t hi, lo;
} reference_gf128;

/* All that depends on the key alone. */
typedef struct reference_aes_gcm {
    uint8_t sbox[256];
    uint8_t round_keys[15][16];
    unsigned rounds;
    reference_gf128 products[256]; /* [b]: H times the polynomial whose first eight coefficients are b */
} reference_aes_gcm;

/* False unless the key has 16, 24 or 32 bytes. */
bool reference_aes_gcm_set_key(reference_aes_gcm *k, cb_span key);

/* Encrypts or decrypts (the same operation): in.n bytes to out, which may be in.p itself. nonce.n >= 1. */
void reference_aes_gcm_crypt(const reference_aes_gcm *k, cb_span nonce, cb_span in, uint8_t *out);

void reference_aes_gcm_tag(const reference_aes_gcm *k, cb_span nonce, cb_span aad, cb_span ciphertext,
                           uint8_t tag[REFERENCE_AES_GCM_TAG_BYTES]);

#endif
