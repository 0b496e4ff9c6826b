/* Workers that are processes: each call of the vtable is one exchange of frames. */
#include "measure/child.h"
#include "measure/worker.h"

typedef struct process_worker {
    cb_worker base;
    cb_child child;
    cb_wire_writer request;
} process_worker;

static process_worker *of(cb_worker *worker)
{
    return (process_worker *)(void *)worker;
}

/* Sends the request that was encoded last and waits for its answer. */
static cb_status exchange(process_worker *w, cb_frame_kind request, cb_frame_kind answer, const char *step,
                          cb_span *payload, cb_err *err)
{
    if (w->request.failed)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a request");
    cb_status status = cb_child_send(&w->child, request, (cb_span){w->request.p, w->request.n}, err);
    w->request.n = 0;
    return status == CB_OK ? cb_child_receive(&w->child, answer, step, payload, err) : status;
}

static cb_status process_prepare(cb_worker *worker, const cb_task *task, cb_prepared *prepared, cb_err *err)
{
    process_worker *w = of(worker);
    cb_span payload = {0};
    cb_task_encode(&w->request, task);
    cb_status status = exchange(w, CB_FRAME_PREPARE, CB_FRAME_PREPARED, "preparation", &payload, err);
    return status == CB_OK ? cb_prepared_decode(payload, prepared, err) : status;
}

static cb_status process_begin(cb_worker *worker, size_t rounds, cb_err *err)
{
    process_worker *w = of(worker);
    cb_span payload = {0};
    cb_wire_put_u64(&w->request, rounds);
    return exchange(w, CB_FRAME_BEGIN, CB_FRAME_READY, "preparation", &payload, err);
}

static cb_status process_turn(cb_worker *worker, cb_err *err)
{
    cb_span payload = {0};
    return exchange(of(worker), CB_FRAME_TURN, CB_FRAME_TURNED, "timing", &payload, err);
}

static cb_status process_finish(cb_worker *worker, size_t rounds, cb_block *block, cb_err *err)
{
    cb_span payload = {0};
    cb_status status =
        exchange(of(worker), CB_FRAME_FINISH, CB_FRAME_BLOCK, "the check after timing", &payload, err);
    return status == CB_OK ? cb_block_decode(payload, rounds, block, err) : status;
}

static void process_stop(cb_worker *worker)
{
    process_worker *w = of(worker);
    cb_child_stop(&w->child);
    free(w->request.p);
    free(w);
}

static const cb_worker_vtable process_vtable = {
    .prepare = process_prepare,
    .begin = process_begin,
    .turn = process_turn,
    .finish = process_finish,
    .stop = process_stop,
};

/* Starts the program as a worker for the module and waits for its HELLO. */
static cb_status start_child(const cb_process_settings *settings, const char *module, double timeout_s,
                             cb_child *child, cb_span *hello, cb_err *err)
{
    char command[] = CB_WORKER_COMMAND;
    char cpu[16];
    (void)snprintf(cpu, sizeof cpu, "%d", settings->cpu);
    /* posix_spawn does not write to its arguments; its prototype is older than const. */
    char *argv[] = {(char *)(uintptr_t)settings->executable, command, (char *)(uintptr_t)module, cpu, NULL};
    cb_status status = cb_child_start(child, argv, timeout_s, settings->interrupt, err);
    if (status != CB_OK)
        return status;
    status = cb_child_receive(child, CB_FRAME_HELLO, "loading", hello, err);
    if (status != CB_OK)
        cb_child_stop(child);
    return status;
}

static cb_status process_start(void *user, const cb_catalogue_entry *entry, double timeout_s,
                               cb_worker **worker, cb_err *err)
{
    process_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a worker");
    cb_span hello = {0};
    w->base.vtable = &process_vtable;
    cb_status status = start_child(user, entry->module, timeout_s, &w->child, &hello, err);
    if (status != CB_OK) {
        free(w);
        return status;
    }
    *worker = &w->base;
    return CB_OK;
}

cb_worker_source cb_process_source(const cb_process_settings *settings)
{
    /* The source hands the settings back to process_start, which only reads them. */
    return (cb_worker_source){process_start, (void *)(uintptr_t)settings};
}

void cb_process_identify(const cb_process_settings *settings, double timeout_s, cb_catalogue_entry *entry)
{
    cb_child child;
    cb_span hello = {0};
    if (start_child(settings, entry->module, timeout_s, &child, &hello, &entry->absent) != CB_OK)
        return;
    (void)cb_hello_decode(hello, entry, &entry->absent);
    cb_child_stop(&child);
}
