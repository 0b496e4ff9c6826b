#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripted_worker.h"

#include <ctype.h>
#include <string.h>

enum { SLOTS = 4 };

typedef struct scripted_worker {
    cb_worker base;
    scripted_cast *cast;
    char name;
    unsigned number;
    uint64_t seed; /* of the last task */
} scripted_worker;

static scripted_worker *of(cb_worker *worker)
{
    return (scripted_worker *)(void *)worker;
}

scripted_actor *scripted_actor_of(scripted_cast *cast, char name)
{
    assert_in_range(name, 'a', 'z');
    return &cast->actors[name - 'a'];
}

static scripted_event *record(scripted_cast *cast, char name, scripted_step step, unsigned worker)
{
    assert_true(cast->n_events < SCRIPTED_EVENTS_MAX);
    scripted_event *event = &cast->events[cast->n_events++];
    *event = (scripted_event){.name = name, .step = step, .worker = worker};
    scripted_actor_of(cast, name)->counts[step]++;
    return event;
}

/* What the script has for the step that was recorded last. */
static cb_status act(scripted_cast *cast, cb_err *err)
{
    const scripted_event *event = &cast->events[cast->n_events - 1];
    const unsigned nth = scripted_actor_of(cast, event->name)->counts[event->step];
    for (size_t i = 0; i < cast->n_deeds; i++) {
        const scripted_deed *deed = &cast->deeds[i];
        if (deed->name != event->name || deed->step != event->step || deed->nth != nth)
            continue;
        if (deed->signal != 0)
            (void)raise(deed->signal);
        return deed->status == CB_OK ? CB_OK : cb_fail(err, deed->status, "%s", deed->msg);
    }
    return CB_OK;
}

static cb_status scripted_prepare(cb_worker *worker, const cb_task *task, cb_prepared *prepared, cb_err *err)
{
    scripted_worker *w = of(worker);
    record(w->cast, w->name, SCRIPTED_PREPARE, w->number)->task = *task;
    cb_status status = act(w->cast, err);
    if (status != CB_OK)
        return status;
    w->seed = task->ring.seed;
    *prepared = (cb_prepared){.inputs_digest = task->ring.seed,
                              .digests = calloc(SLOTS, sizeof(uint64_t)),
                              .slots = SLOTS,
                              .batch = task->witness ? 0 : SCRIPTED_CALLS,
                              .batch_ns = task->witness ? 0 : SCRIPTED_BATCH_NS};
    assert_non_null(prepared->digests);
    for (size_t i = 0; i < SLOTS; i++)
        prepared->digests[i] = task->ring.seed + i;
    prepared->digests[SLOTS - 1] += scripted_actor_of(w->cast, w->name)->says;
    return CB_OK;
}

static cb_status scripted_begin(cb_worker *worker, size_t rounds, cb_err *err)
{
    scripted_worker *w = of(worker);
    record(w->cast, w->name, SCRIPTED_BEGIN, w->number)->rounds = rounds;
    return act(w->cast, err);
}

static cb_status scripted_turn(cb_worker *worker, cb_err *err)
{
    scripted_worker *w = of(worker);
    (void)record(w->cast, w->name, SCRIPTED_TURN, w->number);
    return act(w->cast, err);
}

static cb_status scripted_finish(cb_worker *worker, size_t rounds, cb_block *block, cb_err *err)
{
    scripted_worker *w = of(worker);
    record(w->cast, w->name, SCRIPTED_FINISH, w->number)->rounds = rounds;
    cb_status status = act(w->cast, err);
    if (status != CB_OK)
        return status;
    const scripted_actor *actor = scripted_actor_of(w->cast, w->name);
    const uint64_t wobble_ns = actor->counts[SCRIPTED_FINISH] % 2 == 0 ? actor->wobble_ns : 0;
    *block = (cb_block){.seed = w->seed,
                        .batch = SCRIPTED_CALLS,
                        .rounds = rounds,
                        .round_ns = calloc(rounds, sizeof(uint64_t)),
                        .control_ns = calloc(rounds, sizeof(uint64_t)),
                        .flags = calloc(rounds, 1)};
    assert_true(block->round_ns != NULL && block->control_ns != NULL && block->flags != NULL);
    for (size_t i = 0; i < rounds; i++) {
        block->round_ns[i] = (actor->round_ns > 0 ? actor->round_ns : SCRIPTED_BATCH_NS) + wobble_ns;
        block->control_ns[i] = 10000;
    }
    return CB_OK;
}

static void scripted_stop(cb_worker *worker)
{
    scripted_worker *w = of(worker);
    (void)record(w->cast, w->name, SCRIPTED_STOP, w->number);
    w->cast->live--;
    free(w);
}

static const cb_worker_vtable scripted_vtable = {
    .prepare = scripted_prepare,
    .begin = scripted_begin,
    .turn = scripted_turn,
    .finish = scripted_finish,
    .stop = scripted_stop,
};

static cb_status scripted_start(void *user, const cb_catalogue_entry *entry, double timeout_s,
                                cb_worker **worker, cb_err *err)
{
    scripted_cast *cast = user;
    const char name = entry->name[0];
    record(cast, name, SCRIPTED_START, cast->started + 1)->timeout_s = timeout_s;
    cb_status status = act(cast, err);
    if (status != CB_OK)
        return status;
    scripted_worker *w = malloc(sizeof *w);
    assert_non_null(w);
    *w = (scripted_worker){.base = {&scripted_vtable}, .cast = cast, .name = name, .number = ++cast->started};
    cast->live++;
    *worker = &w->base;
    return CB_OK;
}

cb_worker_source scripted_source(scripted_cast *cast)
{
    return (cb_worker_source){scripted_start, cast};
}

const scripted_event *scripted_event_at(const scripted_cast *cast, scripted_step step, char name, size_t nth)
{
    for (size_t i = 0; i < cast->n_events; i++) {
        const scripted_event *event = &cast->events[i];
        if (event->step == step && (name == 0 || event->name == name) && nth-- == 0)
            return event;
    }
    fail_msg("fewer events than the test asks for");
    return NULL;
}

static void add_entry(scripted_stage *stage, char letter)
{
    static cb_catalogue_kernel kernel = {.op = "aead/aes-256-gcm/encrypt"};
    const size_t i = stage->catalogue.n++;
    assert_true(i < SCRIPTED_ENTRIES_MAX);
    stage->names[i][0] = (char)tolower(letter);
    stage->entries[i] = (cb_catalogue_entry){.name = stage->names[i],
                                             .backend = stage->names[i],
                                             .witness = isupper((unsigned char)letter) != 0,
                                             .kernels = &kernel,
                                             .n_kernels = 1};
}

static void add_group(scripted_stage *stage)
{
    const size_t i = stage->plan.n_groups++;
    static char ids[SCRIPTED_GROUPS_MAX][40];
    assert_true(i < SCRIPTED_GROUPS_MAX);
    (void)snprintf(ids[i], sizeof ids[i], "aead/aes-256-gcm/encrypt/%zu", 64 * (i + 1));
    stage->groups[i] = (cb_group){.op = cb_operation_find("aead/aes-256-gcm/encrypt"),
                                  .msg_bytes = 64 * (i + 1),
                                  .id = ids[i],
                                  .seats = stage->seats[i],
                                  .n_seats = stage->plan.n_contestants,
                                  .budget_s = 1,
                                  .block_s = SCRIPTED_ROUNDS * SCRIPTED_BATCH_NS * 1e-9,
                                  .max_replicates = SCRIPTED_REPLICATES};
    for (size_t k = 0; k < stage->plan.n_contestants; k++)
        stage->seats[i][k].contestant = k;
}

void scripted_stage_make(scripted_stage *stage, const char *contestants, const char *further, size_t n_groups)
{
    *stage = (scripted_stage){.interrupt = {.fd = -1}};
    for (const char *p = contestants; *p != '\0'; p++)
        add_entry(stage, *p);
    stage->plan = (cb_plan){.contestants = stage->contestants,
                            .n_contestants = stage->catalogue.n,
                            .groups = stage->groups,
                            .schedule = {.looks = {SCRIPTED_REPLICATES},
                                         .n_looks = 1,
                                         .target_ci = 0.005,
                                         .fixed = true,
                                         .batch_target_ns = SCRIPTED_BATCH_NS,
                                         .timeout_s = 10,
                                         .seed = 42}};
    for (size_t i = 0; i < stage->plan.n_contestants; i++)
        stage->contestants[i] = (cb_contestant){.name = stage->names[i], .entry = &stage->entries[i]};
    for (const char *p = further; *p != '\0'; p++)
        add_entry(stage, *p);
    for (size_t i = 0; i < n_groups; i++)
        add_group(stage);
    stage->catalogue.entries = stage->entries;
    stage->settings = (cb_runner_settings){.plan = &stage->plan,
                                           .catalogue = &stage->catalogue,
                                           .contestants = scripted_source(&stage->cast),
                                           .witnesses = scripted_source(&stage->cast),
                                           .interrupt = &stage->interrupt};
}

void scripted_stage_script(scripted_stage *stage, const scripted_deed *deeds, size_t n)
{
    stage->cast.deeds = deeds;
    stage->cast.n_deeds = n;
}

void scripted_stage_run(scripted_stage *stage)
{
    if (cb_runner_run(&stage->settings, &stage->measurement, &stage->err) != CB_OK)
        fail_msg("%s", stage->err.msg);
    assert_int_equal(stage->cast.live, 0);
}

void scripted_stage_free(scripted_stage *stage)
{
    cb_measurement_free(&stage->measurement);
}

const cb_row_samples *scripted_row_of(const scripted_stage *stage, size_t group, char name)
{
    assert_true(group < stage->measurement.n_groups);
    for (size_t i = 0; i < stage->plan.n_contestants; i++)
        if (stage->names[i][0] == name)
            return &stage->measurement.groups[group].rows[i];
    fail_msg("no such contestant");
    return NULL;
}

void scripted_assert_row(const scripted_stage *stage, size_t group, char name, cb_status status,
                         const char *msg, size_t blocks)
{
    const cb_row_samples *row = scripted_row_of(stage, group, name);
    assert_int_equal(row->status.code, status);
    if (status != CB_OK)
        assert_string_equal(row->status.msg, msg);
    assert_int_equal(row->n_blocks, blocks);
}

unsigned scripted_count(scripted_stage *stage, char name, scripted_step step)
{
    return scripted_actor_of(&stage->cast, name)->counts[step];
}
