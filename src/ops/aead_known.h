/* Published answers of the AEAD rows, checked on every library before any number is printed.
 *
 * Sources: D. McGrew and J. Viega, "The Galois/Counter Mode of Operation (GCM)", 2005, appendix B; RFC 8439,
 * section 2.8.2 and appendix A.5; Project Wycheproof, testvectors_v1. The rows cover empty messages, both
 * sides of the 16-byte block and the 64-byte block, several blocks, and associated data.
 *
 * encrypt: msg = plaintext, aux empty, out = ciphertext with its tag behind it.
 * decrypt: msg = ciphertext, aux = tag, out = plaintext. Row i of both tables is the same vector. */
#ifndef CB_OPS_AEAD_KNOWN_H
#define CB_OPS_AEAD_KNOWN_H

#include "ops/operation.h"

#define CB_KNOWN_AES_256_GCM_N       9
#define CB_KNOWN_CHACHA20_POLY1305_N 8

extern const cb_known_answer cb_known_aes_256_gcm_encrypt[CB_KNOWN_AES_256_GCM_N];
extern const cb_known_answer cb_known_aes_256_gcm_decrypt[CB_KNOWN_AES_256_GCM_N];
extern const cb_known_answer cb_known_chacha20_poly1305_encrypt[CB_KNOWN_CHACHA20_POLY1305_N];
extern const cb_known_answer cb_known_chacha20_poly1305_decrypt[CB_KNOWN_CHACHA20_POLY1305_N];

#endif
