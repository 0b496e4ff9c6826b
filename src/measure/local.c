/* Workers that are sessions of this process, for debuggers and profilers. A crash in the library is then a
 * crash of the program. */
#include "measure/worker.h"

typedef struct local_worker {
    cb_worker base;
    cb_session *session;
} local_worker;

static cb_session *session_of(cb_worker *worker)
{
    return ((local_worker *)(void *)worker)->session;
}

static cb_status local_prepare(cb_worker *worker, const cb_task *task, cb_prepared *prepared, cb_err *err)
{
    return cb_session_prepare(session_of(worker), task, NULL, prepared, err);
}

static cb_status local_begin(cb_worker *worker, size_t rounds, cb_err *err)
{
    return cb_session_begin(session_of(worker), rounds, err);
}

static cb_status local_turn(cb_worker *worker, cb_err *err)
{
    return cb_session_turn(session_of(worker), err);
}

static cb_status local_finish(cb_worker *worker, size_t rounds, cb_block *block, cb_err *err)
{
    (void)rounds;
    return cb_session_finish(session_of(worker), NULL, block, err);
}

static void local_stop(cb_worker *worker)
{
    cb_session_close(session_of(worker));
    free(worker);
}

static const cb_worker_vtable local_vtable = {
    .prepare = local_prepare,
    .begin = local_begin,
    .turn = local_turn,
    .finish = local_finish,
    .stop = local_stop,
};

static cb_status local_start(void *user, const cb_catalogue_entry *entry, double timeout_s,
                             cb_worker **worker, cb_err *err)
{
    (void)timeout_s; /* nobody can interrupt a call into a library from inside its process */
    local_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a worker");
    w->base.vtable = &local_vtable;
    cb_status status = cb_session_open(&w->session, entry->module, user, err);
    if (status != CB_OK) {
        free(w);
        return status;
    }
    *worker = &w->base;
    return CB_OK;
}

cb_worker_source cb_local_source(const cb_clock *clock)
{
    return (cb_worker_source){local_start, (void *)(uintptr_t)clock};
}
