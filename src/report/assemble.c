#include "report/assemble.h"

#include "stats/rounds.h"

#include <stdlib.h>

static size_t count_seats(const cb_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_groups; i++)
        n += plan->groups[i].n_seats;
    return n;
}

/* A group was reached when a block or a failure came of it; rows that are absent by plan tell nothing. */
static bool was_reached(const cb_group *group, const cb_group_samples *samples, bool complete)
{
    for (size_t i = 0; i < group->n_seats; i++)
        if (!group->seats[i].absent &&
            (samples->rows[i].n_blocks > 0 || samples->rows[i].status.code != CB_OK))
            return true;
    return complete;
}

static cb_status add_row(cb_result *result, size_t group, size_t seat, const cb_row_samples *samples,
                         cb_err *err)
{
    cb_result_row *row = &result->rows[result->n_rows];
    *row = (cb_result_row){.group = group, .seat = seat, .samples = samples};
    if (samples->status.code == CB_OK) {
        if (samples->n_blocks == 0)
            return CB_OK; /* interrupted before its first block */
        cb_status status = cb_summary_make(&row->summary, samples, err);
        if (status != CB_OK)
            return status;
        row->measured = true;
    }
    result->n_rows++;
    return CB_OK;
}

/* Compares the rows from `first` on with the first measured one among them. */
static cb_status compare_rows(cb_result *result, size_t first, cb_err *err)
{
    const cb_result_row *reference = NULL;
    for (size_t i = first; i < result->n_rows; i++) {
        const cb_result_row *row = &result->rows[i];
        if (!row->measured)
            continue;
        if (reference == NULL) {
            reference = row;
            continue;
        }
        cb_result_comparison *c = &result->comparisons[result->n_comparisons];
        *c =
            (cb_result_comparison){.group = row->group, .seat = row->seat, .reference_seat = reference->seat};
        cb_status status = cb_ratio_make(&c->ratio, row->samples, reference->samples, err);
        if (status == CB_OK)
            result->n_comparisons++;
        else if (status != CB_UNSUPPORTED)
            return status;
    }
    return CB_OK;
}

static cb_status add_group(cb_result *result, size_t group, const cb_group_samples *samples, cb_err *err)
{
    size_t first = result->n_rows;
    if (!was_reached(&result->plan->groups[group], samples, result->complete))
        return CB_OK;
    for (size_t i = 0; i < samples->n_rows; i++) {
        cb_status status = add_row(result, group, i, &samples->rows[i], err);
        if (status != CB_OK)
            return status;
    }
    return compare_rows(result, first, err);
}

/* The control is the same work everywhere: a row that was slow from beginning to end shows only against the
 * others. */
static cb_status set_control_level(cb_measurement *m, size_t seats, cb_err *err)
{
    const cb_row_samples **rows = calloc(seats + 1, sizeof *rows);
    size_t n = 0;
    double level_ns = 0;
    if (rows == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu rows", seats);
    for (size_t i = 0; i < m->n_groups; i++)
        for (size_t k = 0; k < m->groups[i].n_rows; k++)
            rows[n++] = &m->groups[i].rows[k];
    cb_status status = cb_control_level(&level_ns, rows, n, NULL);
    free(rows);
    if (status == CB_OUT_OF_MEMORY)
        return cb_fail(err, status, "no memory for %zu rows", seats);
    if (status != CB_OK)
        return CB_OK; /* nothing was measured at all */
    for (size_t i = 0; i < m->n_groups; i++)
        for (size_t k = 0; k < m->groups[i].n_rows; k++)
            m->groups[i].rows[k].control_level_ns = level_ns;
    return CB_OK;
}

cb_status cb_result_assemble(cb_result *result, cb_measurement *measurement, cb_err *err)
{
    size_t seats = count_seats(result->plan);
    result->rows = calloc(seats + 1, sizeof *result->rows);
    result->comparisons = calloc(seats + 1, sizeof *result->comparisons);
    if (result->rows == NULL || result->comparisons == NULL) {
        cb_result_free(result);
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu rows", seats);
    }
    cb_status status = set_control_level(measurement, seats, err);
    for (size_t i = 0; i < measurement->n_groups && status == CB_OK; i++)
        status = add_group(result, i, &measurement->groups[i], err);
    if (status != CB_OK)
        cb_result_free(result);
    return status;
}

void cb_result_free(cb_result *result)
{
    free(result->rows);
    free(result->comparisons);
    free(result->command);
    result->rows = NULL;
    result->comparisons = NULL;
    result->command = NULL;
    result->n_rows = 0;
    result->n_comparisons = 0;
}

bool cb_result_has_failures(const cb_result *result)
{
    bool measured = false;
    for (size_t i = 0; i < result->n_rows; i++) {
        const cb_result_row *row = &result->rows[i];
        const cb_seat *seat = &result->plan->groups[row->group].seats[row->seat];
        bool named = result->plan->contestants[seat->contestant].named;
        measured = measured || row->measured;
        if (!row->measured && (named || row->samples->status.code != CB_UNSUPPORTED))
            return true;
    }
    return !measured;
}
