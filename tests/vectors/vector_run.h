/* Runs vectors on a backend's kernels, by the contract alone. */
#ifndef CB_VECTORS_VECTOR_RUN_H
#define CB_VECTORS_VECTOR_RUN_H

#include "vector.h"

#include <crypto_bench/backend.h>

typedef struct cb_vector_tally {
    size_t computed;    /* outputs that were as published */
    size_t refused;     /* invalid records that were refused */
    size_t forgeries;   /* valid records with one bit flipped that were refused */
    size_t no_kernel;   /* skipped: the backend has no such row */
    size_t unsupported; /* skipped: bind() said that this CPU or build lacks it */
    size_t failed;
} cb_vector_tally;

/* Runs one vector. A valid record of aead/.../decrypt is run as aead/.../encrypt too, and must be refused
 * with one bit flipped in nonce, AAD, ciphertext or tag. Counts in *tally; each failure is a line on `log`.
 */
void cb_vector_run(const cb_backend *backend, void *ctx, const cb_vector *vector, cb_vector_tally *tally,
                   FILE *log);

#endif
