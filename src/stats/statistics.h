/* samples -> statistics: pure functions, no I/O, no clock, no globals. The method and its sources are named
 * per function. */
#ifndef CB_STATS_STATISTICS_H
#define CB_STATS_STATISTICS_H

#include "stats/samples.h"

#include <stdbool.h>

/* A point estimate with a two-sided interval; low <= value <= high. Where there is too little data for an
 * interval (fewer than 3 replicates), low and high are NaN inside the program and null in files. */
typedef struct cb_estimate {
    double value, low, high;
} cb_estimate;

/* Time per call of one contestant in one group; nanoseconds, the loop's own cost already subtracted and
 * nothing below 0. */
typedef struct cb_summary {
    cb_estimate median_ns;     /* the printed one; interval over replicate medians, 95 % */
    cb_estimate all_rounds_ns; /* the same from every round, contended or not */
    bool uncontended; /* true: median_ns comes from uncontended rounds only; false: it equals all_rounds_ns */
    double p10_ns, p90_ns; /* over all rounds of all replicates */
    double batch_p99_ns;   /* p99 of batch means, per call */
    double call_p99_ns;    /* p99 of single calls; NaN unless every batch is one call */
    double min_ns, mean_ns;
    double first_call_ns; /* median over replicates; the loop's cost is not subtracted */
    size_t replicates, rounds;
    size_t flagged_rounds;   /* rounds with any flag set */
    size_t contended_rounds; /* rounds whose control ran more than 5 % above its fast level */
} cb_summary;

typedef enum cb_verdict { CB_FASTER, CB_SLOWER, CB_EQUIVALENT, CB_INCONCLUSIVE } cb_verdict;

/* "faster", "slower", "equivalent", "inconclusive". Never NULL. */
const char *cb_verdict_word(cb_verdict verdict);

/* Time of a contestant divided by the time of its group's reference, from paired rounds. */
typedef struct cb_ratio {
    cb_estimate ratio;      /* the printed interval: statistical 95 % widened in quadrature by the floor */
    cb_estimate all_rounds; /* the same from every round, contended or not */
    bool uncontended; /* true: `ratio` comes from uncontended rounds only; false: it equals all_rounds */
    size_t pairs, used_pairs; /* paired rounds measured, and those behind `ratio` */
    size_t replicates;        /* those behind `ratio` */
    cb_verdict verdict;       /* of `ratio` */
    cb_verdict all_rounds_verdict;
} cb_ratio;

/* The fixed choices of the method, in one place (see tests/study for what they achieve). */

/* A round is contended when its control ran this far above the fast level. */
#define CB_CONTROL_TOLERANCE 0.05
/* The fast level: this quantile of all controls. Above the minimum, so that a few clock glitches do not set
 * it; low, so that a run with few quiet rounds still finds them. */
#define CB_CONTROL_FAST_QUANTILE 0.05
/* Uncontended rounds a replicate needs to count as one (all of them where it has fewer), and their share. */
#define CB_UNCONTENDED_ROUNDS 5
#define CB_UNCONTENDED_SHARE  0.2
/* Replicates that an interval needs. */
#define CB_INTERVAL_REPLICATES 3
/* Constant part of a ratio's half-width on the log scale: layout effects that no replicate count removes. */
#define CB_RATIO_FLOOR 0.001
/* Smaller differences are not called faster or slower; (1 / (1 + margin), 1 + margin), as symmetric as a
 * ratio is. */
#define CB_VERDICT_MARGIN 0.005
/* Shortest time per call that enters a logarithm: a call that costs no more than the empty loop counts as
 * this. */
#define CB_LOG_FLOOR_NS 0.001

/* Summarises a row. Every field is finite unless documented as NaN.
 *
 * Per call: round_ns / batch - loop_ns, at least 0. Quantiles are Hyndman and Fan's type 7 (quantile.h) of
 * all rounds pooled; the mean is theirs, each round counting once. The interval of the median is Tukey and
 * McLaughlin's (trimmed.h) over the logarithms of the replicates' medians, because times vary by factors,
 * widened where needed to hold the pooled median. Contended rounds: rounds.h.
 *
 * The row's own status and message when it is not CB_OK; CB_UNSUPPORTED when it has no rounds;
 * CB_OUT_OF_MEMORY. On failure *summary is unchanged. */
cb_status cb_summary_make(cb_summary *summary, const cb_row_samples *row, cb_err *err);

/* Compares a row with the reference row; only replicates present in both (blocks of equal seed), round by
 * round up to the shorter block. Every field is finite but for the intervals of fewer than 3 replicates.
 *
 * A replicate's figure is the median of log(row's time per call / reference's): pairing takes out what slows
 * both, the logarithm makes the ratio symmetric (Fleming and Wallace, How not to lie with statistics, CACM
 * 29(3), 1986), the median sheds interrupted rounds. The replicate, not the round, is the unit of inference
 * (Kalibera and Jones, Rigorous benchmarking in reasonable time, ISMM 2013): trimmed mean and
 * Tukey-McLaughlin interval over replicates (trimmed.h).
 *
 * A pair is uncontended when both its controls are (rounds.h, fast level over both rows). `ratio` rests on
 * uncontended pairs when at least CB_INTERVAL_REPLICATES replicates have enough of them
 * (CB_UNCONTENDED_ROUNDS, CB_UNCONTENDED_SHARE), and leaves the other replicates out; else on all pairs.
 *
 * Verdicts: faster or slower when the 95 % interval lies wholly beyond the margin; equivalent when the 90 %
 * interval, floor included, lies within it (two one-sided tests: Schuirmann, J. Pharmacokinet. Biopharm.
 * 15(6), 1987); else, and without an interval, inconclusive.
 *
 * Either row's status and message when it is not CB_OK; CB_UNSUPPORTED when they share no replicate;
 * CB_OUT_OF_MEMORY. On failure *ratio is unchanged. */
cb_status cb_ratio_make(cb_ratio *ratio, const cb_row_samples *row, const cb_row_samples *reference,
                        cb_err *err);

/* Relative half-width, (high - low) / 2 / value, which decides whether a group is done: of the ratio, or, for
 * a group of one, of the median. Infinity where no interval exists yet or the value is 0. */
double cb_ratio_half_width(const cb_ratio *ratio);
double cb_summary_half_width(const cb_summary *summary);

#endif
