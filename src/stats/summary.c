#include "stats/quantile.h"
#include "stats/rounds.h"
#include "stats/statistics.h"
#include "stats/trimmed.h"

#include <math.h>
#include <stdlib.h>

/* Room for one row: every round's time per call, and two figures per replicate. */
typedef struct pool {
    double *call_ns;       /* [rounds] */
    double *median_logs;   /* [replicates] */
    double *first_call_ns; /* [replicates] */
    size_t rounds, replicates;
} pool;

static void pool_free(pool *p)
{
    free(p->call_ns);
    free(p->median_logs);
    free(p->first_call_ns);
}

/* False without memory; pool_free() in any case. */
static bool pool_make(pool *p, size_t rounds, size_t replicates)
{
    *p = (pool){.call_ns = calloc(rounds, sizeof(double)),
                .median_logs = calloc(replicates, sizeof(double)),
                .first_call_ns = calloc(replicates, sizeof(double))};
    return p->call_ns != NULL && p->median_logs != NULL && p->first_call_ns != NULL;
}

/* Copies the times of a block's rounds, all or the uncontended ones, and returns their number. */
static size_t times_collect(double *call_ns, const cb_block *block, bool uncontended, double level_ns)
{
    size_t n = 0;
    for (size_t i = 0; i < cb_block_rounds(block); i++)
        if (!uncontended || !cb_round_contended(block, i, level_ns))
            call_ns[n++] = cb_round_per_call_ns(block, i);
    return n;
}

/* Fills the pool anew; replicates of which too few rounds remain are left out. */
static void pool_fill(pool *p, const cb_row_samples *row, bool uncontended, double level_ns)
{
    p->rounds = p->replicates = 0;
    for (size_t i = 0; i < row->n_blocks; i++) {
        const cb_block *block = &row->blocks[i];
        double *call_ns = p->call_ns + p->rounds;
        size_t kept = times_collect(call_ns, block, uncontended, level_ns);
        if (!cb_rounds_suffice(kept, cb_block_rounds(block)))
            continue;
        p->median_logs[p->replicates] = cb_call_log(cb_median(call_ns, kept));
        p->first_call_ns[p->replicates] = (double)block->first_call_ns;
        p->replicates++;
        p->rounds += kept;
    }
    cb_sort_doubles(p->call_ns, p->rounds);
}

static cb_estimate median_estimate(const pool *p)
{
    double median = cb_quantile_sorted(p->call_ns, p->rounds, 0.5);
    cb_trimmed trimmed = cb_trimmed_make(p->median_logs, p->replicates, cb_trim_count(p->replicates));
    double half = cb_trimmed_half_width(&trimmed, 0.95);
    if (isnan(half))
        return (cb_estimate){.value = median, .low = NAN, .high = NAN};
    return (cb_estimate){.value = median,
                         .low = fmin(exp(trimmed.mean - half), median),
                         .high = fmax(exp(trimmed.mean + half), median)};
}

static double values_mean(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static bool batches_single(const cb_row_samples *row)
{
    for (size_t i = 0; i < row->n_blocks; i++)
        if (cb_block_rounds(&row->blocks[i]) > 0 && row->blocks[i].batch != 1)
            return false;
    return true;
}

static void disturbed_count(cb_summary *summary, const cb_row_samples *row, double level_ns)
{
    for (size_t i = 0; i < row->n_blocks; i++) {
        const cb_block *block = &row->blocks[i];
        for (size_t j = 0; j < cb_block_rounds(block); j++) {
            summary->flagged_rounds += block->flags[j] != 0;
            summary->contended_rounds += cb_round_contended(block, j, level_ns);
        }
    }
}

/* The headline is that of the uncontended rounds where enough replicates have them, as in comparisons: a
 * table whose times contradict its ratios helps nobody. */
static void choose_median(cb_summary *summary, pool *p, const cb_row_samples *row, double level_ns)
{
    summary->median_ns = summary->all_rounds_ns;
    pool_fill(p, row, true, level_ns);
    if (p->replicates < CB_INTERVAL_REPLICATES)
        return;
    summary->median_ns = median_estimate(p);
    summary->uncontended = true;
}

static cb_summary describe(pool *p, const cb_row_samples *row, double level_ns)
{
    pool_fill(p, row, false, level_ns);
    double p99_ns = cb_quantile_sorted(p->call_ns, p->rounds, 0.99);
    cb_summary summary = {.all_rounds_ns = median_estimate(p),
                          .p10_ns = cb_quantile_sorted(p->call_ns, p->rounds, 0.1),
                          .p90_ns = cb_quantile_sorted(p->call_ns, p->rounds, 0.9),
                          .batch_p99_ns = p99_ns,
                          .call_p99_ns = batches_single(row) ? p99_ns : NAN,
                          .min_ns = p->call_ns[0],
                          .mean_ns = values_mean(p->call_ns, p->rounds),
                          .first_call_ns = cb_median(p->first_call_ns, p->replicates),
                          .replicates = p->replicates,
                          .rounds = p->rounds};
    disturbed_count(&summary, row, level_ns);
    choose_median(&summary, p, row, level_ns);
    return summary;
}

cb_status cb_summary_make(cb_summary *summary, const cb_row_samples *row, cb_err *err)
{
    if (row->status.code != CB_OK)
        return cb_fail(err, row->status.code, "%s", row->status.msg);
    double level_ns = 0;
    cb_status status = cb_control_level(&level_ns, &row, 1, err);
    if (status != CB_OK)
        return status;
    pool p;
    size_t rounds = cb_round_count(row);
    if (pool_make(&p, rounds, row->n_blocks))
        *summary = describe(&p, row, level_ns);
    else
        status = cb_fail(err, CB_OUT_OF_MEMORY, "no memory to summarise %zu rounds", rounds);
    pool_free(&p);
    return status;
}

double cb_summary_half_width(const cb_summary *summary)
{
    const cb_estimate *median = &summary->median_ns;
    if (isnan(median->low) || isnan(median->high) || !(median->value > 0))
        return INFINITY;
    return (median->high - median->low) / 2 / median->value;
}
