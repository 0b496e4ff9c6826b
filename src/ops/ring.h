/* The inputs of a group: a ring of slots with distinct nonces and messages in one fixed, aligned layout, so
 * that every contestant finds its bytes at the same page offsets. Layout is the largest error inside one
 * process. */
#ifndef CB_OPS_RING_H
#define CB_OPS_RING_H

#include "ops/operation.h"

#include <crypto_bench/backend.h>

typedef struct cb_ring {
    const cb_operation *op;
    cb_shape shape;
    size_t slots, keys;
    cb_input *inputs; /* [slots] */
    uint64_t
        *expected; /* [slots] digest the output must have where the operation inverts its maker; else NULL */
    cb_buf out;    /* where every call writes; cap is the shape's exactly */
    uint8_t *memory;     /* one mapping that holds all of the above */
    size_t memory_bytes; /*   */
} cb_ring;

/* What a ring is made from. Equal specs give equal bytes at equal page offsets in every process. */
typedef struct cb_ring_spec {
    const cb_operation *op;
    size_t msg_bytes, aad_bytes;
    cb_params params;
    uint64_t seed;
    size_t page_offset; /* where in a page each area starts: a multiple of 64 below 4096 */
} cb_ring_spec;

/* Called between calls of long preparations; a non-OK answer ends them with that status. May be NULL. */
typedef struct cb_ring_pulse {
    cb_status (*beat)(void *user, cb_err *err);
    void *user;
} cb_ring_pulse;

/* Maps, touches and fills a ring. An operation that is made by another runs that other one's kernel on
 * `backend` (CB_UNSUPPORTED when the backend lacks it). The caller frees the ring with cb_ring_free() after
 * CB_OK; after any other status there is nothing to free. */
cb_status cb_ring_make(cb_ring *ring, const cb_ring_spec *spec, const cb_backend *backend, void *ctx,
                       const cb_ring_pulse *pulse, cb_err *err);
void cb_ring_free(cb_ring *ring);

/* The digest of all inputs, for comparing rings between processes. */
uint64_t cb_ring_digest(const cb_ring *ring);

/* The backend's row for an operation, or NULL. */
const cb_kernel *cb_backend_kernel(const cb_backend *backend, const char *op_id);

#endif
