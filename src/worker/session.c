#include "worker/session.h"

#include "ops/digest.h"
#include "ops/known_answer.h"
#include "worker/batch.h"
#include "worker/control.h"

#include <string.h>

/* A batch that lost more than a twentieth of its wall time, and more than the CPU clock's own error, to
 * something else. */
#define GAP_SHARE  20
#define GAP_MIN_NS 5000
#define POISON     0xa5

struct cb_session {
    cb_module module;
    const cb_backend *backend;
    void *ctx;
    cb_clock clock;
    cb_control control;
    uint64_t control_sum; /* keeps the control's work observable */

    const cb_kernel *kernel; /* NULL: nothing prepared */
    cb_ring ring;
    void **states;     /* [keys] */
    void **slot_state; /* [slots] points into states */
    size_t bound;      /* states that need unbind() */
    uint64_t *digests; /* [slots] outputs before timing */
    cb_batch batch;
    uint64_t count; /* calls per turn; 0: no turns may follow */

    cb_block block;
    size_t capacity; /* rounds the block has room for */
};

void cb_prepared_free(cb_prepared *prepared)
{
    free(prepared->digests);
    *prepared = (cb_prepared){0};
}

static void block_free(cb_block *block)
{
    free(block->round_ns);
    free(block->control_ns);
    free(block->flags);
    *block = (cb_block){0};
}

/* Back to the state after opening. */
static void session_clear(cb_session *s)
{
    for (size_t i = 0; i < s->bound; i++)
        s->kernel->unbind(s->states[i]);
    free(s->states);
    free(s->slot_state);
    free(s->digests);
    block_free(&s->block);
    cb_ring_free(&s->ring);
    s->states = NULL;
    s->slot_state = NULL;
    s->digests = NULL;
    s->kernel = NULL;
    s->bound = 0;
    s->capacity = 0;
    s->count = 0;
}

/* NULL when out of memory. */
static cb_session *session_new(const cb_clock *clock)
{
    cb_session *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    if (s == NULL)
        return NULL;
    memset(s, 0, sizeof *s);
    s->clock = *clock;
    cb_control_init(&s->control);
    return s;
}

/* A backend's own failure counts by what it returned, whatever it wrote into the error. */
static cb_status keep_code(cb_status status, cb_err *err)
{
    if (err != NULL)
        err->code = status;
    return status;
}

cb_status cb_session_open_backend(cb_session **session, const cb_backend *backend, const cb_clock *clock,
                                  cb_err *err)
{
    cb_session *s = session_new(clock);
    if (s == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a session");
    s->backend = backend;
    cb_status status = backend->open(&s->ctx, err);
    if (status != CB_OK) {
        free(s);
        return keep_code(status, err);
    }
    *session = s;
    return CB_OK;
}

cb_status cb_session_open(cb_session **session, const char *module_path, const cb_clock *clock, cb_err *err)
{
    cb_module module;
    cb_status status = cb_module_load(&module, module_path, err);
    if (status != CB_OK)
        return status;
    status = cb_session_open_backend(session, module.backend, clock, err);
    if (status != CB_OK)
        cb_module_unload(&module);
    else
        (*session)->module = module;
    return status;
}

void cb_session_close(cb_session *session)
{
    if (session == NULL)
        return;
    session_clear(session);
    session->backend->close(session->ctx);
    cb_module_unload(&session->module);
    free(session);
}

const cb_backend *cb_session_backend(const cb_session *session)
{
    return session->backend;
}

const char *cb_session_library(const cb_session *session)
{
    return session->module.library;
}

/* Turns a call's status into the sentence for its row. */
static cb_status call_fail(const cb_session *s, cb_status status, const char *when, cb_err *err)
{
    unsigned long long call = (unsigned long long)s->batch.calls + 1;
    const char *maker = s->ring.op->made_by;
    if (status == CB_REJECTED && maker != NULL)
        return cb_fail(err, CB_LIBRARY_ERROR, "call %llu %s refused what its own %.60s made", call, when,
                       maker);
    if (status == CB_REJECTED)
        return cb_fail(err, CB_LIBRARY_ERROR, "call %llu %s refused valid input", call, when);
    if (status == CB_WRONG_OUTPUT)
        return cb_fail(err, CB_WRONG_OUTPUT, "call %llu %s wrote an output of the wrong length", call, when);
    cb_err words = {.code = status};
    s->backend->explain(s->ctx, &words);
    return cb_fail(err, status, "call %llu %s failed: %.100s", call, when, words.msg);
}

static cb_status bind_keys(cb_session *s, cb_err *err)
{
    s->states = calloc(s->ring.keys, sizeof *s->states);
    s->slot_state = calloc(s->ring.slots, sizeof *s->slot_state);
    s->digests = calloc(s->ring.slots, sizeof *s->digests);
    if (s->states == NULL || s->slot_state == NULL || s->digests == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu states", s->ring.keys);
    for (; s->bound < s->ring.keys; s->bound++) {
        cb_status status =
            s->kernel->bind(s->ctx, s->kernel, &s->ring.inputs[s->bound], &s->states[s->bound], err);
        if (status != CB_OK)
            return status;
    }
    for (size_t i = 0; i < s->ring.slots; i++)
        s->slot_state[i] = s->states[i % s->ring.keys];
    s->batch = (cb_batch){
        .run = s->kernel->run,
        .states = s->slot_state,
        .inputs = s->ring.inputs,
        .slots = s->ring.slots,
        .out = &s->ring.out,
        .out_n = s->ring.shape.out,
    };
    return CB_OK;
}

/* Random outputs have nothing to be compared with: only their length counts. */
static uint64_t output_digest(const cb_session *s)
{
    const cb_buf *out = &s->ring.out;
    return s->ring.op->randomised ? out->n : cb_digest((cb_span){out->p, out->n});
}

/* Runs one slot outside timing and gives its output's digest. The poison shows outputs that were never
 * written. */
static cb_status run_slot(cb_session *s, size_t slot, const char *when, uint64_t *digest, cb_err *err)
{
    cb_buf *out = &s->ring.out;
    memset(out->p, POISON, out->cap);
    out->n = 0;
    cb_status status = s->kernel->run(s->slot_state[slot], &s->ring.inputs[slot], out);
    if (status == CB_OK && out->n != s->ring.shape.out)
        status = CB_WRONG_OUTPUT;
    if (status != CB_OK)
        return call_fail(s, status, when, err);
    s->batch.calls++;
    *digest = output_digest(s);
    return CB_OK;
}

static cb_status beat(const cb_ring_pulse *pulse, cb_err *err)
{
    return pulse != NULL && pulse->beat != NULL ? pulse->beat(pulse->user, err) : CB_OK;
}

static cb_status outputs_before(cb_session *s, const cb_ring_pulse *pulse, cb_err *err)
{
    for (size_t i = 0; i < s->ring.slots; i++) {
        cb_status status = run_slot(s, i, "before timing", &s->digests[i], err);
        if (status == CB_OK && s->ring.expected != NULL && s->digests[i] != s->ring.expected[i])
            status =
                cb_fail(err, CB_WRONG_OUTPUT, "the output of slot %zu is not the message that was put in", i);
        if (status == CB_OK)
            status = beat(pulse, err);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

static cb_status outputs_after(cb_session *s, const cb_ring_pulse *pulse, cb_err *err)
{
    for (size_t i = 0; i < s->ring.slots; i++) {
        uint64_t digest = 0;
        cb_status status = run_slot(s, i, "after timing", &digest, err);
        if (status == CB_OK && digest != s->digests[i])
            status = cb_fail(err, CB_WRONG_OUTPUT, "slot %zu has another output after timing than before", i);
        if (status == CB_OK)
            status = beat(pulse, err);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

static cb_status calibrate(cb_session *s, const cb_task *task, cb_prepared *prepared, cb_err *err)
{
    cb_status status = cb_batch_calibrate(&s->batch, task->batch_target_ns, &s->clock, &prepared->batch,
                                          &prepared->batch_ns);
    if (status != CB_OK)
        return call_fail(s, status, "while the batch was calibrated", err);
    prepared->loop_ns = cb_batch_loop_cost(&s->batch, &s->clock);
    s->count = prepared->batch;
    return CB_OK;
}

static cb_status first_call(cb_session *s, cb_prepared *prepared, cb_err *err)
{
    cb_batch_outcome outcome = cb_batch_run(&s->batch, 1, &s->clock);
    if (outcome.status != CB_OK)
        return call_fail(s, outcome.status, "(the first)", err);
    prepared->first_call_ns = outcome.end_ns - outcome.start_ns;
    return CB_OK;
}

static cb_status prepare_steps(cb_session *s, const cb_task *task, const cb_ring_pulse *pulse,
                               cb_prepared *prepared, cb_err *err)
{
    cb_status status = cb_ring_make(&s->ring, &task->ring, s->backend, s->ctx, pulse, err);
    if (status == CB_OK)
        status = beat(pulse, err);
    if (status == CB_OK)
        status = bind_keys(s, err);
    if (status == CB_OK)
        status = first_call(s, prepared, err);
    if (status == CB_OK)
        status = cb_known_answers_check(task->ring.op, s->backend, s->ctx, s->kernel, err);
    if (status == CB_OK)
        status = outputs_before(s, pulse, err);
    if (status == CB_OK)
        status = beat(pulse, err);
    if (status == CB_OK && !task->witness)
        status = calibrate(s, task, prepared, err);
    if (status == CB_OK)
        status = beat(pulse, err);
    if (status != CB_OK)
        return status;
    prepared->slots = s->ring.slots;
    prepared->inputs_digest = cb_ring_digest(&s->ring);
    prepared->digests = malloc(s->ring.slots * sizeof *prepared->digests);
    if (prepared->digests == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu digests", s->ring.slots);
    memcpy(prepared->digests, s->digests, s->ring.slots * sizeof *prepared->digests);
    return CB_OK;
}

cb_status cb_session_prepare(cb_session *session, const cb_task *task, const cb_ring_pulse *pulse,
                             cb_prepared *prepared, cb_err *err)
{
    session_clear(session);
    *prepared = (cb_prepared){0};
    session->kernel = cb_backend_kernel(session->backend, task->ring.op->id);
    if (session->kernel == NULL)
        return cb_fail(err, CB_UNSUPPORTED, "%s has no %s", session->backend->name, task->ring.op->id);
    cb_status status = prepare_steps(session, task, pulse, prepared, err);
    if (status != CB_OK) {
        cb_prepared_free(prepared);
        session_clear(session);
        return keep_code(status, err);
    }
    session->block.seed = task->ring.seed;
    session->block.batch = prepared->batch;
    session->block.loop_ns = prepared->loop_ns;
    session->block.first_call_ns = prepared->first_call_ns;
    return CB_OK;
}

cb_status cb_session_begin(cb_session *session, size_t rounds, cb_err *err)
{
    if (session->kernel == NULL || session->count == 0 || session->capacity != 0 || rounds == 0)
        return cb_fail(err, CB_BAD_ARGUMENT, "a block of %zu rounds was asked for out of order", rounds);
    cb_block *b = &session->block;
    b->round_ns = malloc(rounds * sizeof *b->round_ns);
    b->control_ns = malloc(rounds * sizeof *b->control_ns);
    b->flags = malloc(rounds);
    if (b->round_ns == NULL || b->control_ns == NULL || b->flags == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu rounds", rounds);
    /* Touched now, so that no page fault falls between two batches. */
    memset(b->round_ns, POISON, rounds * sizeof *b->round_ns);
    memset(b->control_ns, POISON, rounds * sizeof *b->control_ns);
    memset(b->flags, 0, rounds);
    session->capacity = rounds;
    return CB_OK;
}

/* What the kernel knows about this thread, read outside the timed span. */
typedef struct thread_state {
    uint64_t cpu_ns, switches;
    int cpu;
} thread_state;

static thread_state thread_state_read(const cb_clock *clock)
{
    return (thread_state){clock->cpu_ns(clock->user), clock->switches(clock->user), clock->cpu(clock->user)};
}

static uint8_t round_flags(const thread_state *before, const thread_state *after, uint64_t wall_ns)
{
    uint64_t cpu_ns = after->cpu_ns - before->cpu_ns;
    uint8_t flags = 0;
    if (after->switches != before->switches)
        flags |= CB_ROUND_SWITCHED;
    if (wall_ns > cpu_ns && wall_ns - cpu_ns > GAP_MIN_NS && wall_ns - cpu_ns > wall_ns / GAP_SHARE)
        flags |= CB_ROUND_CPU_GAP;
    if (after->cpu != before->cpu)
        flags |= CB_ROUND_MIGRATED;
    return flags;
}

/* The last output of the batch is still in the buffer: it must be what it was before timing. */
static cb_status check_last_output(const cb_session *s, cb_err *err)
{
    size_t slot = (s->batch.next + s->ring.slots - 1) % s->ring.slots;
    if (output_digest(s) != s->digests[slot])
        return cb_fail(err, CB_WRONG_OUTPUT,
                       "slot %zu had another output during timing than before (call %llu)", slot,
                       (unsigned long long)s->batch.calls);
    return CB_OK;
}

cb_status cb_session_turn(cb_session *session, cb_err *err)
{
    cb_session *s = session;
    if (s->block.rounds >= s->capacity)
        return cb_fail(err, CB_BAD_ARGUMENT, "more turns than the %zu that were announced", s->capacity);
    s->control_sum += cb_control_warm(&s->control);
    thread_state before = thread_state_read(&s->clock);
    uint64_t start_ns = s->clock.wall_ns(s->clock.user);
    s->control_sum += cb_control_run(&s->control);
    uint64_t control_ns = s->clock.wall_ns(s->clock.user) - start_ns;
    cb_batch_outcome outcome = cb_batch_run(&s->batch, s->count, &s->clock);
    thread_state after = thread_state_read(&s->clock);
    if (outcome.status != CB_OK)
        return call_fail(s, outcome.status, "during timing", err);

    size_t i = s->block.rounds++;
    s->block.round_ns[i] = outcome.end_ns - outcome.start_ns;
    s->block.control_ns[i] = control_ns;
    s->block.flags[i] = round_flags(&before, &after, outcome.end_ns - start_ns);
    return check_last_output(s, err);
}

cb_status cb_session_finish(cb_session *session, const cb_ring_pulse *pulse, cb_block *block, cb_err *err)
{
    if (session->capacity == 0)
        return cb_fail(err, CB_BAD_ARGUMENT, "a block was finished that was never begun");
    cb_status status = outputs_after(session, pulse, err);
    if (status != CB_OK)
        return status;
    *block = session->block;
    session->block = (cb_block){0};
    session->capacity = 0;
    session->count = 0;
    return CB_OK;
}
