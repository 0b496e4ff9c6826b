/* The rows aead/.../encrypt and aead/.../decrypt. Sources: NIST SP 800-38D (GCM), RFC 8439
 * (ChaCha20-Poly1305). */
#ifndef CB_OPS_AEAD_H
#define CB_OPS_AEAD_H

#include "ops/operation.h"

/* encrypt: key 32, nonce 12, out = ciphertext with its 16-byte tag behind it.
 * decrypt: msg = ciphertext, aux = the tag, out = plaintext; a wrong tag is CB_REJECTED. */
extern const cb_operation_table cb_ops_aead;

#endif
