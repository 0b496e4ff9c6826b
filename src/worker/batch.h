/* The timed loop. Everything inside the clock readings is here and nothing else is. */
#ifndef CB_WORKER_BATCH_H
#define CB_WORKER_BATCH_H

#include "system/clock.h"

#include <crypto_bench/backend.h>

/* A kernel with its states and ring, ready to be called over and over. All pointers are borrowed. */
typedef struct cb_batch {
    cb_status (*run)(void *state, const cb_input *input, cb_buf *out);
    void *const *states;    /* [slots] the state of each slot's key */
    const cb_input *inputs; /* [slots] */
    size_t slots;
    size_t next;    /* slot of the next call: batches go round the ring */
    cb_buf *out;    /* where every call writes */
    size_t out_n;   /* bytes that a correct call writes */
    uint64_t calls; /* that succeeded so far; counted for messages */
} cb_batch;

/* What a batch came to. */
typedef struct cb_batch_outcome {
    uint64_t start_ns, end_ns;
    uint64_t done;    /* calls that returned CB_OK with the right length */
    cb_status status; /* CB_OK, or what the call after those returned (CB_WRONG_OUTPUT for a wrong length) */
} cb_batch_outcome;

/* Calls the kernel `count` times over the ring, stopping at the first call that fails. Each call's status and
 * output length are checked inside the loop, so that a failing call cannot be counted as a fast one. */
cb_batch_outcome cb_batch_run(cb_batch *batch, uint64_t count, const cb_clock *clock);

/* The smallest duration of `tries` batches of `count` calls, or 0 with *status set when a call failed. */
uint64_t cb_batch_fastest(cb_batch *batch, uint64_t count, unsigned tries, const cb_clock *clock,
                          cb_status *status);

/* Calls per batch that take about target_ns: at least 1; from the fastest of five trial batches, because a
 * single one is off by a factor of three either way. *batch_ns: what such a batch is expected to take. */
cb_status cb_batch_calibrate(cb_batch *batch, uint64_t target_ns, const cb_clock *clock, uint64_t *count,
                             uint64_t *batch_ns);

/* Cost per call of the loop itself, in nanoseconds: the same loop over the same ring with a kernel that does
 * nothing. */
double cb_batch_loop_cost(const cb_batch *batch, const cb_clock *clock);

#endif
