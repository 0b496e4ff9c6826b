/* One contestant's side of the measurement: it prepares a group, runs turns and hands over the samples. Used
 * by the worker process behind its pipes, and directly with --in-process. */
#ifndef CB_WORKER_SESSION_H
#define CB_WORKER_SESSION_H

#include "ops/ring.h"
#include "stats/samples.h"
#include "system/clock.h"
#include "worker/module.h"

/* What to prepare for: equal tasks give equal inputs in every worker. */
typedef struct cb_task {
    cb_ring_spec ring;
    uint64_t batch_target_ns;
    bool witness; /* outputs only: no calibration, no turns will follow */
} cb_task;

/* The outputs before timing, and the batch the contestant will run. */
typedef struct cb_prepared {
    uint64_t inputs_digest; /* of the whole ring */
    uint64_t *digests;      /* [slots] of each slot's output; owned, freed with cb_prepared_free() */
    size_t slots;
    uint64_t batch, batch_ns, first_call_ns;
    double loop_ns;
} cb_prepared;

void cb_prepared_free(cb_prepared *prepared);

typedef struct cb_session cb_session;

/* Loads a module and opens its backend. The clock is copied. The caller closes the session. */
cb_status cb_session_open(cb_session **session, const char *module_path, const cb_clock *clock, cb_err *err);
/* The same for a backend that is already in memory (tests). */
cb_status cb_session_open_backend(cb_session **session, const cb_backend *backend, const cb_clock *clock,
                                  cb_err *err);
void cb_session_close(cb_session *session);

const cb_backend *cb_session_backend(const cb_session *session);
/* Path of the library behind the module; "" when opened from memory. */
const char *cb_session_library(const cb_session *session);

/* Makes the ring, binds its keys, times the first call, checks the published answers, computes every slot's
 * output and calibrates the batch. Replaces whatever was prepared before. On CB_OK the caller frees
 * *prepared. */
cb_status cb_session_prepare(cb_session *session, const cb_task *task, const cb_ring_pulse *pulse,
                             cb_prepared *prepared, cb_err *err);

/* Reserves and touches room for the samples of `rounds` turns. */
cb_status cb_session_begin(cb_session *session, size_t rounds, cb_err *err);

/* One turn: the control kernel, then a batch; the last output of the batch is compared with its value from
 * before timing. */
cb_status cb_session_turn(cb_session *session, cb_err *err);

/* Computes every slot's output again, compares, and hands the samples over. On CB_OK the block's arrays
 * belong to the caller. block->seed is the ring's. */
cb_status cb_session_finish(cb_session *session, const cb_ring_pulse *pulse, cb_block *block, cb_err *err);

#endif
