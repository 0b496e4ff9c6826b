#include "worker/batch.h"

/* Trial batches that take longer than this many targets are not repeated: the call itself is long enough to
 * be stable. */
#define LONG_TARGETS      4
#define CALIBRATION_TRIES 5
#define LOOP_CALLS        4096
#define COUNT_MAX         ((uint64_t)1 << 40)

/* Fixed alignment: the loop's own place in the instruction cache must not change with unrelated edits. */
__attribute__((noinline, aligned(64))) cb_batch_outcome cb_batch_run(cb_batch *batch, uint64_t count,
                                                                     const cb_clock *clock)
{
    cb_status (*const run)(void *, const cb_input *, cb_buf *) = batch->run;
    void *const *const states = batch->states;
    const cb_input *const inputs = batch->inputs;
    const size_t slots = batch->slots;
    const size_t out_n = batch->out_n;
    cb_buf *const out = batch->out;
    size_t slot = batch->next;
    cb_status status = CB_OK;
    uint64_t done = 0;

    uint64_t start_ns = clock->wall_ns(clock->user);
    for (; done < count; done++) {
        status = run(states[slot], &inputs[slot], out);
        if (__builtin_expect(status != CB_OK || out->n != out_n, 0))
            break;
        slot = slot + 1 == slots ? 0 : slot + 1;
    }
    uint64_t end_ns = clock->wall_ns(clock->user);

    batch->next = slot;
    batch->calls += done;
    if (done < count && status == CB_OK)
        status = CB_WRONG_OUTPUT;
    return (cb_batch_outcome){start_ns, end_ns, done, status};
}

uint64_t cb_batch_fastest(cb_batch *batch, uint64_t count, unsigned tries, const cb_clock *clock,
                          cb_status *status)
{
    uint64_t fastest = UINT64_MAX;
    *status = CB_OK;
    for (unsigned i = 0; i < tries; i++) {
        cb_batch_outcome outcome = cb_batch_run(batch, count, clock);
        if (outcome.status != CB_OK) {
            *status = outcome.status;
            return 0;
        }
        uint64_t took = outcome.end_ns - outcome.start_ns;
        fastest = took < fastest ? took : fastest;
    }
    return fastest > 0 ? fastest : 1; /* a clock may stand still over a very short batch */
}

cb_status cb_batch_calibrate(cb_batch *batch, uint64_t target_ns, const cb_clock *clock, uint64_t *count,
                             uint64_t *batch_ns)
{
    cb_status status = CB_OK;
    uint64_t calls = 1;
    uint64_t took = cb_batch_fastest(batch, calls, 1, clock, &status);
    /* Double until the trial is long enough to be told from the clock's own cost. */
    while (status == CB_OK && took < target_ns / 8 && calls < COUNT_MAX) {
        calls *= 2;
        took = cb_batch_fastest(batch, calls, 1, clock, &status);
    }
    if (status == CB_OK && took < LONG_TARGETS * target_ns)
        took = cb_batch_fastest(batch, calls, CALIBRATION_TRIES, clock, &status);
    if (status != CB_OK)
        return status;
    double per_call = (double)took / (double)calls;
    double fitting = (double)target_ns / per_call + 0.5;
    *count = fitting < 1 ? 1 : fitting > (double)COUNT_MAX ? COUNT_MAX : (uint64_t)fitting;
    *batch_ns = (uint64_t)(per_call * (double)*count + 0.5);
    return CB_OK;
}

static cb_status do_nothing(void *state, const cb_input *input, cb_buf *out)
{
    (void)state;
    (void)input;
    out->n = out->cap;
    return CB_OK;
}

double cb_batch_loop_cost(const cb_batch *batch, const cb_clock *clock)
{
    cb_batch empty = *batch;
    cb_buf out = *batch->out;
    out.cap = batch->out_n;
    empty.run = do_nothing;
    empty.out = &out;
    cb_status status = CB_OK;
    uint64_t took = cb_batch_fastest(&empty, LOOP_CALLS, CALIBRATION_TRIES, clock, &status);
    return (double)took / LOOP_CALLS;
}
