/* What each operation means: the rows of the benchmark, apart from any library.
 *
 * An operation says how long its inputs and outputs are, how to make them, which published answer it must
 * meet and how often a ring of inputs changes its key. The harness and crypto_interop both work from these
 * rows. */
#ifndef CB_OPS_OPERATION_H
#define CB_OPS_OPERATION_H

#include "ops/rng.h"

#include <crypto_bench/input.h>
#include <crypto_bench/status.h>

#include <stdbool.h>

/* Lengths in bytes of one slot of input and of its output. */
typedef struct cb_shape {
    size_t key, nonce, aad, msg, aux, out;
} cb_shape;

/* Writable views of one slot, with the lengths of its shape. */
typedef struct cb_slot {
    uint8_t *key, *nonce, *aad, *msg, *aux;
} cb_slot;

/* A published answer, all fields in hex ("" = empty). */
typedef struct cb_known_answer {
    const char *source; /* document, section or test number */
    const char *key, *nonce, *aad, *msg, *aux, *out;
} cb_known_answer;

/* Where the output of the making operation goes in the input of the made one. */
typedef enum cb_maker_target {
    CB_MAKER_NONE = 0,
    CB_MAKER_MSG_AND_AUX, /* a ciphertext with its tag behind it */
    CB_MAKER_AUX          /* a signature or a public key */
} cb_maker_target;

typedef struct cb_operation {
    const char *id;       /* family/algorithm/operation */
    const char *work;     /* what one timed call does, for people */
    const size_t *sizes;  /* default message sizes, bytes */
    size_t n_sizes;       /*   */
    cb_params params;     /* default parameters */
    size_t keys;          /* distinct keys in a ring; 1 = the key stays, as in a session */
    bool randomised;      /* correct outputs differ from call to call: only status and length are checked */
    bool refuses_forgery; /* must answer CB_REJECTED when one bit of aux is flipped */
    const char *made_by;  /* the operation whose output completes this one's input, or NULL */
    cb_maker_target made_to; /* where that output goes */
    bool inverts_maker;      /* the right output is the message the maker was given */

    /* Lengths for a message of msg_bytes with aad_bytes of associated data; CB_BAD_ARGUMENT when impossible.
     */
    cb_status (*shape)(const struct cb_operation *self, size_t msg_bytes, size_t aad_bytes, cb_shape *shape,
                       cb_err *err);
    /* Fills nonce, AAD and message of slot number `index` (key and made parts are filled by the ring). */
    void (*fill)(const struct cb_operation *self, cb_rng *rng, size_t index, const cb_shape *shape,
                 const cb_slot *slot);

    const cb_known_answer *known;
    size_t n_known;
} cb_operation;

/* A family's rows, one const table per file of src/ops/. */
typedef struct cb_operation_table {
    const cb_operation *rows;
    size_t n;
} cb_operation_table;

/* All operations, in the order in which they are measured and shown. */
size_t cb_operation_count(void);
const cb_operation *cb_operation_at(size_t index);     /* NULL past the end */
const cb_operation *cb_operation_find(const char *id); /* NULL when there is none */

/* The three parts of an id ("aead", "aes-256-gcm", "encrypt"), borrowed from it. part: 0, 1 or 2. */
typedef struct cb_id_part {
    const char *p;
    size_t n;
} cb_id_part;
cb_id_part cb_operation_part(const cb_operation *op, unsigned part);

/* A ring needs this many slots for this operation at this shape: at least 64 with distinct nonces and
 * messages and one per key, fewer only where messages and associated data alone would pass 64 MiB (a 100 MiB
 * message gets one). */
size_t cb_operation_slots(const cb_operation *op, const cb_shape *shape);

#endif
