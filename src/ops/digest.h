/* A fast 64-bit digest for comparing outputs. Not cryptographic: it guards against faults, not against
 * forgers. */
#ifndef CB_OPS_DIGEST_H
#define CB_OPS_DIGEST_H

#include <crypto_bench/bytes.h>

/* Two byte strings of equal length that differ only inside one aligned 8-byte word always get different
 * digests (every step is a bijection of the state); others collide with probability about 2^-64. */
uint64_t cb_digest(cb_span bytes);

/* Folds the next value into a running digest; order matters. Start from 0. */
uint64_t cb_digest_fold(uint64_t state, uint64_t value);

#endif
