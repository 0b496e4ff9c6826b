/* The reader of Wycheproof's AEAD files (aead_test_schema_v1.json). */
#ifndef CB_VECTORS_WYCHEPROOF_H
#define CB_VECTORS_WYCHEPROOF_H

#include "vector.h"

/* Which of Wycheproof's files holds vectors of which of our rows. The rows fix all three sizes (bits). */
typedef struct cb_wycheproof_file {
    const char *name;      /* "aes_gcm_test.json" */
    const char *algorithm; /* as the file itself must say */
    const char *op;        /* the decrypting row */
    int key_bits, nonce_bits, tag_bits;
} cb_wycheproof_file;

extern const cb_wycheproof_file cb_wycheproof_files[];
extern const size_t cb_wycheproof_file_count;

/* Tests of a file by what became of them. */
typedef struct cb_wycheproof_counts {
    size_t taken;
    size_t other_key_size, other_nonce_size, other_tag_size; /* skipped; the first that applies counts */
} cb_wycheproof_counts;

/* Appends the tests of the groups with the row's sizes as vectors of the decrypting row. CB_IO when the file
 * cannot be read or is not JSON; CB_BAD_ARGUMENT for an unknown schema, algorithm, group type or result word,
 * a missing field, or a number of tests that differs from numberOfTests. */
cb_status cb_wycheproof_read(const char *path, const cb_wycheproof_file *file, cb_vector_list *list,
                             cb_wycheproof_counts *counts, cb_err *err);

#endif
