/* ChaCha20-Poly1305 from its specification, RFC 8439. Plain and slow on purpose; not constant-time. */
#ifndef REFERENCE_CHACHA20_POLY1305_H
#define REFERENCE_CHACHA20_POLY1305_H

#include <crypto_bench/bytes.h>

#define REFERENCE_CHACHA20_POLY1305_KEY_BYTES   32
#define REFERENCE_CHACHA20_POLY1305_NONCE_BYTES 12
#define REFERENCE_CHACHA20_POLY1305_TAG_BYTES   16
#define REFERENCE_CHACHA20_POLY1305_MESSAGE_MAX UINT64_C(274877906880) /* bytes; RFC 8439, 2.8 */

/* Encrypts or decrypts (the same operation): in.n bytes to out, which may be in.p itself. */
void reference_chacha20_poly1305_crypt(const uint8_t key[REFERENCE_CHACHA20_POLY1305_KEY_BYTES],
                                       const uint8_t nonce[REFERENCE_CHACHA20_POLY1305_NONCE_BYTES],
                                       cb_span in, uint8_t *out);

void reference_chacha20_poly1305_tag(const uint8_t key[REFERENCE_CHACHA20_POLY1305_KEY_BYTES],
                                     const uint8_t nonce[REFERENCE_CHACHA20_POLY1305_NONCE_BYTES],
                                     cb_span aad, cb_span ciphertext,
                                     uint8_t tag[REFERENCE_CHACHA20_POLY1305_TAG_BYTES]);

#endif
