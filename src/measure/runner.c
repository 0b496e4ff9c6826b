#include "measure/runner.h"

#include "measure/replicate.h"
#include "measure/stopping.h"

#include <stdlib.h>

/* Page offsets that --rigorous draws from: whole cache lines. */
#define LINE_BYTES     64
#define LINES_PER_PAGE 64

void cb_measurement_free(cb_measurement *measurement)
{
    for (size_t i = 0; i < measurement->n_groups; i++) {
        for (size_t k = 0; k < measurement->groups[i].n_rows; k++)
            cb_row_samples_free(&measurement->groups[i].rows[k]);
        free(measurement->groups[i].rows);
    }
    free(measurement->groups);
    *measurement = (cb_measurement){0};
}

/* What keeps a library from a group: usually that it has no such operation; but one that crashed or hung when
 * it was loaded has failed. */
static cb_status absence_code(const cb_plan *plan, const cb_seat *seat)
{
    cb_status code = plan->contestants[seat->contestant].entry->absent.code;
    return code != CB_OK ? code : CB_UNSUPPORTED;
}

static cb_status measurement_make(cb_measurement *m, const cb_plan *plan, cb_err *err)
{
    *m = (cb_measurement){.groups = calloc(plan->n_groups + 1, sizeof *m->groups)};
    for (; m->groups != NULL && m->n_groups < plan->n_groups; m->n_groups++) {
        const cb_group *group = &plan->groups[m->n_groups];
        cb_group_samples *samples = &m->groups[m->n_groups];
        samples->rows = calloc(group->n_seats + 1, sizeof *samples->rows);
        if (samples->rows == NULL)
            break;
        samples->n_rows = group->n_seats;
        for (size_t i = 0; i < group->n_seats; i++) {
            const cb_seat *seat = &group->seats[i];
            if (seat->absent)
                (void)cb_fail(&samples->rows[i].status, absence_code(plan, seat), "%s", seat->reason);
        }
    }
    if (m->groups != NULL && m->n_groups == plan->n_groups)
        return CB_OK;
    cb_measurement_free(m);
    return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu groups", plan->n_groups);
}

static size_t present_seats(const cb_group *group)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n_seats; i++)
        n += !group->seats[i].absent;
    return n;
}

/* Share of the planned work that is behind us; a group that stopped early counts as all done. */
static double share_done(const cb_plan *plan, const cb_measurement *m)
{
    double total = cb_plan_seconds(plan);
    double left = 0;
    for (size_t i = 0; i < m->n_groups; i++) {
        const cb_group *group = &plan->groups[i];
        if (!m->groups[i].done && m->groups[i].replicates < group->max_replicates)
            left += group->block_s * (group->max_replicates - m->groups[i].replicates) *
                    (double)present_seats(group);
    }
    return total > 0 ? 1 - left / total : 1;
}

static unsigned last_replicate(const cb_plan *plan)
{
    unsigned last = 0;
    for (size_t i = 0; i < plan->n_groups; i++)
        if (plan->groups[i].max_replicates > last)
            last = plan->groups[i].max_replicates;
    return last;
}

static void report_progress(const cb_runner_settings *settings, const cb_measurement *m, unsigned replicate,
                            size_t group)
{
    const cb_group *g = &settings->plan->groups[group];
    if (settings->progress != NULL)
        settings->progress(settings->user, share_done(settings->plan, m), replicate + 1, g->max_replicates,
                           g->id);
}

static void stop_workers(cb_crew *crew, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (crew->workers[i] != NULL)
            crew->workers[i]->vtable->stop(crew->workers[i]);
        crew->workers[i] = NULL;
    }
}

/* Every group that is not done yet, once, by one crew of fresh workers. */
static cb_status run_replicate(const cb_replicate *replicate, cb_measurement *m, cb_err *err)
{
    const cb_runner_settings *settings = replicate->settings;
    const cb_plan *plan = settings->plan;
    cb_status status = CB_OK;
    for (size_t i = 0; i < plan->n_groups && status == CB_OK; i++) {
        cb_group_samples *samples = &m->groups[i];
        if (samples->done)
            continue;
        report_progress(settings, m, replicate->index, i);
        status = cb_replicate_group(replicate, &plan->groups[i], samples, err);
        if (status == CB_OK) {
            samples->replicates++;
            samples->done = cb_stopping_reached(&plan->schedule, &plan->groups[i], samples);
        }
    }
    stop_workers(replicate->crew, plan->n_contestants);
    return status;
}

static bool all_done(const cb_measurement *m)
{
    for (size_t i = 0; i < m->n_groups; i++)
        if (!m->groups[i].done)
            return false;
    return true;
}

static cb_replicate replicate_make(const cb_runner_settings *settings, cb_crew *crew, unsigned index)
{
    cb_rng rng;
    cb_rng_init(&rng, settings->plan->schedule.seed, index);
    cb_replicate replicate = {.settings = settings, .crew = crew, .index = index, .seed = cb_rng_next(&rng)};
    if (settings->plan->schedule.vary_layout)
        replicate.page_offset = (size_t)cb_rng_below(&rng, LINES_PER_PAGE) * LINE_BYTES;
    return replicate;
}

static cb_status run_replicates(const cb_runner_settings *settings, cb_crew *crew, cb_measurement *m,
                                cb_err *err)
{
    unsigned last = last_replicate(settings->plan);
    for (unsigned i = 0; i < last && !all_done(m); i++) {
        cb_replicate replicate = replicate_make(settings, crew, i);
        cb_status status = run_replicate(&replicate, m, err);
        if (settings->interrupt != NULL && cb_interrupt_came(settings->interrupt)) {
            m->signal = settings->interrupt->signal;
            return CB_OK;
        }
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

cb_status cb_runner_run(const cb_runner_settings *settings, cb_measurement *measurement, cb_err *err)
{
    size_t n = settings->plan->n_contestants;
    cb_status status = measurement_make(measurement, settings->plan, err);
    if (status != CB_OK)
        return status;
    cb_crew crew = {calloc(n + 1, sizeof *crew.workers), calloc(n + 1, sizeof *crew.hung_bytes)};
    for (size_t i = 0; crew.hung_bytes != NULL && i < n; i++)
        crew.hung_bytes[i] = SIZE_MAX;
    if (crew.workers == NULL || crew.hung_bytes == NULL)
        status = cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu workers", n);
    else
        status = run_replicates(settings, &crew, measurement, err);
    free(crew.workers);
    free(crew.hung_bytes);
    if (status != CB_OK)
        cb_measurement_free(measurement);
    return status;
}
