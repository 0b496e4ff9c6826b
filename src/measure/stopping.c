#include "measure/stopping.h"

#include "stats/statistics.h"

/* An interval needs three replicates, however slow they are. */
#define MIN_REPLICATES 3
/* The budget was divided into whole replicates, and batches are only about as long as planned. */
#define TOLERANCE 1.1
/* On a busy machine batches take longer than planned; the first look is still worth waiting for, up to this
 * many budgets. */
#define PATIENCE 2.0

/* The first row without a failure: what the others are compared with. */
static const cb_row_samples *find_reference(const cb_group_samples *samples, const cb_group *group)
{
    for (size_t i = 0; i < samples->n_rows; i++)
        if (!group->seats[i].absent && samples->rows[i].status.code == CB_OK)
            return &samples->rows[i];
    return NULL;
}

static bool row_is_narrow(const cb_row_samples *row, const cb_row_samples *reference, double target)
{
    cb_ratio ratio;
    return cb_ratio_make(&ratio, row, reference, NULL) == CB_OK && cb_ratio_half_width(&ratio) <= target;
}

/* Every ratio narrow enough; for a contestant that stands alone, its median. */
static bool all_narrow(const cb_group *group, const cb_group_samples *samples, double target)
{
    const cb_row_samples *reference = find_reference(samples, group);
    size_t compared = 0;
    for (size_t i = 0; i < samples->n_rows; i++) {
        const cb_row_samples *row = &samples->rows[i];
        if (group->seats[i].absent || row->status.code != CB_OK || row == reference)
            continue;
        if (!row_is_narrow(row, reference, target))
            return false;
        compared++;
    }
    if (compared > 0)
        return true;
    cb_summary summary;
    return cb_summary_make(&summary, reference, NULL) == CB_OK && cb_summary_half_width(&summary) <= target;
}

static bool budget_is_spent(const cb_schedule *schedule, const cb_group *group,
                            const cb_group_samples *samples)
{
    double limit = samples->replicates >= schedule->looks[0] ? TOLERANCE : PATIENCE;
    return samples->replicates >= MIN_REPLICATES && samples->measured_s > limit * group->budget_s;
}

bool cb_stopping_reached(const cb_schedule *schedule, const cb_group *group, const cb_group_samples *samples)
{
    if (find_reference(samples, group) == NULL || samples->replicates >= group->max_replicates)
        return true;
    if (schedule->fixed)
        return false;
    if (budget_is_spent(schedule, group, samples))
        return true;
    return cb_plan_is_look(schedule, group, samples->replicates) &&
           all_narrow(group, samples, schedule->target_ci);
}
