#include "measure/replicate.h"

#include "measure/agreement.h"
#include "measure/order.h"
#include "measure/witness.h"

#include <stdlib.h>

/* Stream of the seed's generator for the order of turns; the ring has streams of its own. */
#define STREAM_ORDER 100
/* A contestant that has hung once is given this long from then on: a library that always hangs must not stop
 * a run for minutes. */
#define HUNG_TIMEOUT_S 1.0

/* A contestant in a block. */
typedef struct entrant {
    size_t seat;
    cb_worker *worker;
    cb_prepared prepared;
    cb_block block;
    bool out; /* failed: takes no further part */
} entrant;

typedef struct heat {
    const cb_replicate *replicate;
    const cb_group *group;
    cb_group_samples *samples;
    entrant *entrants;
    size_t n;
} heat;

/* True while the entrant takes part; after an interrupt some were never given a worker. */
static bool is_in(const entrant *e)
{
    return !e->out && e->worker != NULL;
}

static size_t contestant_of(const heat *h, const entrant *e)
{
    return h->group->seats[e->seat].contestant;
}

static bool interrupted(const heat *h)
{
    cb_interrupt *interrupt = h->replicate->settings->interrupt;
    return interrupt != NULL && cb_interrupt_came(interrupt);
}

/* A library that has hung at this message size or a smaller one is not waited for that long again. */
static double timeout_for(const heat *h, size_t contestant)
{
    double timeout_s = h->replicate->settings->plan->schedule.timeout_s;
    bool has_hung = h->group->msg_bytes >= h->replicate->crew->hung_bytes[contestant];
    return has_hung && timeout_s > HUNG_TIMEOUT_S ? HUNG_TIMEOUT_S : timeout_s;
}

/* The failure becomes the row's; the library's state is unknown from here on, so a fresh worker takes the
 * next group. */
static void drop(heat *h, entrant *e, const cb_err *failure)
{
    size_t contestant = contestant_of(h, e);
    cb_crew *crew = h->replicate->crew;
    cb_err *status = &h->samples->rows[e->seat].status;
    *status = *failure;
    e->out = true;
    if (failure->code == CB_TIMEOUT) {
        if (timeout_for(h, contestant) < h->replicate->settings->plan->schedule.timeout_s)
            (void)cb_fail(status, CB_TIMEOUT, "%.120s; it had hung before", failure->msg);
        if (h->group->msg_bytes < crew->hung_bytes[contestant])
            crew->hung_bytes[contestant] = h->group->msg_bytes;
    }
    if (e->worker != NULL)
        e->worker->vtable->stop(e->worker);
    e->worker = NULL;
    crew->workers[contestant] = NULL;
}

static cb_status find_worker(const heat *h, entrant *e, cb_err *err)
{
    const cb_runner_settings *settings = h->replicate->settings;
    cb_crew *crew = h->replicate->crew;
    size_t i = contestant_of(h, e);
    if (crew->workers[i] == NULL) {
        cb_status status =
            settings->contestants.start(settings->contestants.user, settings->plan->contestants[i].entry,
                                        timeout_for(h, i), &crew->workers[i], err);
        if (status != CB_OK)
            return status;
    }
    e->worker = crew->workers[i];
    return CB_OK;
}

static cb_task task_for(const heat *h)
{
    return (cb_task){
        .ring =
            {
                .op = h->group->op,
                .msg_bytes = h->group->msg_bytes,
                .aad_bytes = h->group->aad_bytes,
                .params = h->group->params,
                .seed = h->replicate->seed,
                .page_offset = h->replicate->page_offset,
            },
        .batch_target_ns = h->replicate->settings->plan->schedule.batch_target_ns,
    };
}

static void prepare_all(heat *h)
{
    cb_task task = task_for(h);
    for (size_t i = 0; i < h->n && !interrupted(h); i++) {
        entrant *e = &h->entrants[i];
        cb_err failure = {0};
        cb_status status = find_worker(h, e, &failure);
        if (status == CB_OK)
            status = e->worker->vtable->prepare(e->worker, &task, &e->prepared, &failure);
        if (status != CB_OK && !interrupted(h))
            drop(h, e, &failure);
    }
}

/* Compares what the entrants computed, with witnesses where they alone cannot say who is right; drops the
 * wrong ones. */
static cb_status agree(heat *h, cb_err *err)
{
    const cb_runner_settings *settings = h->replicate->settings;
    cb_bench bench = {0};
    cb_status status = cb_bench_open(&bench, h->n + settings->catalogue->n, err);
    if (status != CB_OK)
        return status;
    for (size_t i = 0; i < h->n; i++) {
        const cb_contestant *c = &settings->plan->contestants[contestant_of(h, &h->entrants[i])];
        if (is_in(&h->entrants[i]))
            bench.voices[bench.n++] = (cb_voice){.name = c->name,
                                                 .library = c->entry->backend,
                                                 .answer = &h->entrants[i].prepared,
                                                 .owner = i};
    }
    cb_task task = task_for(h);
    cb_bench_decide(&bench, settings, &task, h->replicate->index == 0);
    /* Witnesses that an interrupt has silenced leave nobody in the wrong. */
    for (size_t i = 0; i < bench.n_contestants && !interrupted(h); i++)
        if (bench.voices[i].wrong) {
            cb_err failure;
            (void)cb_fail(&failure, CB_WRONG_OUTPUT, "%s", bench.voices[i].reason);
            drop(h, &h->entrants[bench.voices[i].owner], &failure);
        }
    cb_bench_close(&bench);
    return CB_OK;
}

static size_t rounds_for(const heat *h)
{
    uint64_t slowest_ns = 0;
    for (size_t i = 0; i < h->n; i++)
        if (is_in(&h->entrants[i]) && h->entrants[i].prepared.batch_ns > slowest_ns)
            slowest_ns = h->entrants[i].prepared.batch_ns;
    return cb_plan_rounds(h->group, slowest_ns);
}

static void begin_all(heat *h, size_t rounds)
{
    for (size_t i = 0; i < h->n; i++) {
        entrant *e = &h->entrants[i];
        cb_err failure = {0};
        if (is_in(e) && e->worker->vtable->begin(e->worker, rounds, &failure) != CB_OK && !interrupted(h))
            drop(h, e, &failure);
    }
}

/* The turns themselves. An entrant that fails leaves its turns empty; the order of the others does not
 * change. */
static cb_status take_turns(heat *h, size_t rounds, cb_err *err)
{
    size_t *order = calloc(rounds * h->n, sizeof *order);
    if (order == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu rounds", rounds);
    cb_rng rng;
    cb_rng_init(&rng, h->replicate->seed, STREAM_ORDER);
    cb_order_draw(&rng, h->n, rounds, order);
    for (size_t i = 0; i < rounds * h->n && !interrupted(h); i++) {
        entrant *e = &h->entrants[order[i]];
        cb_err failure = {0};
        if (is_in(e) && e->worker->vtable->turn(e->worker, &failure) != CB_OK && !interrupted(h))
            drop(h, e, &failure);
    }
    free(order);
    return CB_OK;
}

static void finish_all(heat *h, size_t rounds)
{
    for (size_t i = 0; i < h->n && !interrupted(h); i++) {
        entrant *e = &h->entrants[i];
        cb_err failure = {0};
        if (is_in(e) && e->worker->vtable->finish(e->worker, rounds, &e->block, &failure) != CB_OK &&
            !interrupted(h))
            drop(h, e, &failure);
    }
}

/* Moves the blocks into the samples: all of the group's or, after an interrupt, none. */
static cb_status keep_blocks(heat *h, cb_err *err)
{
    for (size_t i = 0; i < h->n; i++) {
        entrant *e = &h->entrants[i];
        if (!is_in(e))
            continue;
        for (size_t k = 0; k < e->block.rounds; k++)
            h->samples->measured_s += (double)e->block.round_ns[k] * 1e-9;
        if (cb_row_samples_add(&h->samples->rows[e->seat], &e->block) != CB_OK)
            return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for another block of samples");
        e->block = (cb_block){0};
    }
    return CB_OK;
}

static cb_status heat_run(heat *h, cb_err *err)
{
    prepare_all(h);
    cb_status status = interrupted(h) ? CB_OK : agree(h, err);
    if (status == CB_OK && !interrupted(h)) {
        size_t rounds = rounds_for(h);
        begin_all(h, rounds);
        status = take_turns(h, rounds, err);
        if (status == CB_OK)
            finish_all(h, rounds);
    }
    if (status == CB_OK && interrupted(h))
        status = cb_fail(err, CB_IO, "interrupted");
    return status == CB_OK ? keep_blocks(h, err) : status;
}

static void heat_free(heat *h)
{
    for (size_t i = 0; i < h->n; i++) {
        cb_prepared_free(&h->entrants[i].prepared);
        free(h->entrants[i].block.round_ns);
        free(h->entrants[i].block.control_ns);
        free(h->entrants[i].block.flags);
    }
    free(h->entrants);
}

cb_status cb_replicate_group(const cb_replicate *replicate, const cb_group *group, cb_group_samples *samples,
                             cb_err *err)
{
    heat h = {.replicate = replicate, .group = group, .samples = samples};
    h.entrants = calloc(group->n_seats + 1, sizeof *h.entrants);
    if (h.entrants == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a group of %zu", group->n_seats);
    for (size_t i = 0; i < group->n_seats; i++)
        if (!group->seats[i].absent && samples->rows[i].status.code == CB_OK)
            h.entrants[h.n++].seat = i;
    cb_status status = h.n > 0 ? heat_run(&h, err) : CB_OK;
    heat_free(&h);
    return status;
}
