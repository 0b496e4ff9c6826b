#include "stats/quantile.h"
#include "stats/rounds.h"
#include "stats/statistics.h"
#include "stats/trimmed.h"

#include <math.h>
#include <stdlib.h>

/* Two rows, and room for the work on them. */
typedef struct pairing {
    const cb_row_samples *row, *reference;
    double level_ns; /* fast level of the control */
    double *logs;    /* [rounds of the row] log ratios of one replicate's pairs */
    double *medians; /* [blocks of the row] one per replicate */
} pairing;

/* Log ratio over replicates, and what stands behind it. */
typedef struct log_ratio {
    cb_trimmed trimmed;
    size_t pairs, replicates;
} log_ratio;

const char *cb_verdict_word(cb_verdict verdict)
{
    static const char *const words[] = {[CB_FASTER] = "faster",
                                        [CB_SLOWER] = "slower",
                                        [CB_EQUIVALENT] = "equivalent",
                                        [CB_INCONCLUSIVE] = "inconclusive"};
    return (unsigned)verdict < sizeof words / sizeof words[0] ? words[verdict] : "inconclusive";
}

/* False without memory; pairing_free() in any case. Never asks for 0 bytes, which may give NULL. */
static bool pairing_make(pairing *p, const cb_row_samples *row, const cb_row_samples *reference,
                         double level_ns)
{
    *p = (pairing){.row = row,
                   .reference = reference,
                   .level_ns = level_ns,
                   .logs = calloc(cb_round_count(row) + 1, sizeof(double)),
                   .medians = calloc(row->n_blocks + 1, sizeof(double))};
    return p->logs != NULL && p->medians != NULL;
}

static void pairing_free(pairing *p)
{
    free(p->logs);
    free(p->medians);
}

/* The reference's block of the same replicate, or NULL. Should a seed occur more than once, the first meets
 * the first, the second the second. */
static const cb_block *partner_find(const pairing *p, size_t index)
{
    uint64_t seed = p->row->blocks[index].seed;
    size_t earlier = 0;
    for (size_t i = 0; i < index; i++)
        earlier += p->row->blocks[i].seed == seed;
    for (size_t i = 0; i < p->reference->n_blocks; i++)
        if (p->reference->blocks[i].seed == seed && earlier-- == 0)
            return &p->reference->blocks[i];
    return NULL;
}

static size_t pairs_count(const cb_block *block, const cb_block *partner)
{
    size_t a = cb_block_rounds(block), b = cb_block_rounds(partner);
    return a < b ? a : b;
}

/* Collects the log ratios of one replicate's pairs, all or the uncontended ones, and returns their number. */
static size_t logs_collect(pairing *p, const cb_block *block, const cb_block *partner, bool uncontended)
{
    size_t n = 0;
    for (size_t i = 0; i < pairs_count(block, partner); i++) {
        if (uncontended &&
            (cb_round_contended(block, i, p->level_ns) || cb_round_contended(partner, i, p->level_ns)))
            continue;
        p->logs[n++] =
            cb_call_log(cb_round_per_call_ns(block, i)) - cb_call_log(cb_round_per_call_ns(partner, i));
    }
    return n;
}

static log_ratio log_ratio_make(pairing *p, bool uncontended)
{
    log_ratio result = {.pairs = 0, .replicates = 0};
    for (size_t i = 0; i < p->row->n_blocks; i++) {
        const cb_block *block = &p->row->blocks[i], *partner = partner_find(p, i);
        if (partner == NULL)
            continue;
        size_t kept = logs_collect(p, block, partner, uncontended);
        if (!cb_rounds_suffice(kept, pairs_count(block, partner)))
            continue;
        p->medians[result.replicates++] = cb_median(p->logs, kept);
        result.pairs += kept;
    }
    result.trimmed = cb_trimmed_make(p->medians, result.replicates, cb_trim_count(result.replicates));
    return result;
}

/* NaN without an interval. */
static double widened_half_width(const log_ratio *log, double confidence)
{
    return hypot(cb_trimmed_half_width(&log->trimmed, confidence), CB_RATIO_FLOOR);
}

static cb_estimate log_ratio_estimate(const log_ratio *log)
{
    double mean = log->trimmed.mean, half = widened_half_width(log, 0.95);
    return (cb_estimate){.value = exp(mean), .low = exp(mean - half), .high = exp(mean + half)};
}

static cb_verdict log_ratio_verdict(const log_ratio *log)
{
    double mean = log->trimmed.mean, margin = log1p(CB_VERDICT_MARGIN);
    double wide = widened_half_width(log, 0.95), narrow = widened_half_width(log, 0.90);
    if (mean + wide < -margin)
        return CB_FASTER;
    if (mean - wide > margin)
        return CB_SLOWER;
    return fabs(mean) + narrow <= margin ? CB_EQUIVALENT : CB_INCONCLUSIVE;
}

static cb_status pairing_compare(pairing *p, cb_ratio *ratio, cb_err *err)
{
    log_ratio all = log_ratio_make(p, false), kept = log_ratio_make(p, true);
    if (all.replicates == 0)
        return cb_fail(err, CB_UNSUPPORTED, "no replicate was measured for both contestants");
    bool uncontended = kept.replicates >= CB_INTERVAL_REPLICATES;
    const log_ratio *used = uncontended ? &kept : &all;
    *ratio = (cb_ratio){.ratio = log_ratio_estimate(used),
                        .all_rounds = log_ratio_estimate(&all),
                        .uncontended = uncontended,
                        .pairs = all.pairs,
                        .used_pairs = used->pairs,
                        .replicates = used->replicates,
                        .verdict = log_ratio_verdict(used),
                        .all_rounds_verdict = log_ratio_verdict(&all)};
    return CB_OK;
}

cb_status cb_ratio_make(cb_ratio *ratio, const cb_row_samples *row, const cb_row_samples *reference,
                        cb_err *err)
{
    const cb_err *failure = row->status.code != CB_OK ? &row->status : &reference->status;
    if (failure->code != CB_OK)
        return cb_fail(err, failure->code, "%s", failure->msg);
    double level_ns = 0;
    cb_status status = cb_control_level(&level_ns, (const cb_row_samples *[]){row, reference}, 2, err);
    if (status != CB_OK)
        return status;
    pairing p;
    if (pairing_make(&p, row, reference, level_ns))
        status = pairing_compare(&p, ratio, err);
    else
        status = cb_fail(err, CB_OUT_OF_MEMORY, "no memory to compare %zu replicates", row->n_blocks);
    pairing_free(&p);
    return status;
}

double cb_ratio_half_width(const cb_ratio *ratio)
{
    const cb_estimate *estimate = &ratio->ratio;
    if (isnan(estimate->low) || isnan(estimate->high) || !(estimate->value > 0))
        return INFINITY;
    return (estimate->high - estimate->low) / 2 / estimate->value;
}
