/* What single rounds say: time per call, and whether the host's neighbours took part of the core. */
#ifndef CB_STATS_ROUNDS_H
#define CB_STATS_ROUNDS_H

#include "stats/samples.h"

#include <stdbool.h>

/* Rounds that hold a time: none in a block whose batches hold no call. */
size_t cb_block_rounds(const cb_block *block);
size_t cb_round_count(const cb_row_samples *row);

/* Time per call in ns with the loop's own cost subtracted; 0 where the loop cost as much or more. Finite
 * whatever loop_ns holds: below 0 or NaN, nothing is subtracted. */
double cb_round_per_call_ns(const cb_block *block, size_t round);

/* Its logarithm, finite: times below CB_LOG_FLOOR_NS count as that. */
double cb_call_log(double call_ns);

/* The fast level of the control kernel: its CB_CONTROL_FAST_QUANTILE over all rounds of all replicates of the
 * rows together, because the control is the same fixed work everywhere and a whole replicate may be
 * contended. Where the rows know the level of their whole run, it is that. Slow when every round of the run
 * was contended: nothing in the run shows that. CB_UNSUPPORTED when there are no rounds, CB_OUT_OF_MEMORY;
 * then *level_ns is unchanged. */
cb_status cb_control_level(double *level_ns, const cb_row_samples *const *rows, size_t n_rows, cb_err *err);

/* True when the round's control ran more than CB_CONTROL_TOLERANCE above the fast level. */
bool cb_round_contended(const cb_block *block, size_t round, double level_ns);

/* True when `kept` of a replicate's rounds are enough to speak for it: CB_UNCONTENDED_ROUNDS, or all where it
 * has fewer, and CB_UNCONTENDED_SHARE of them. */
bool cb_rounds_suffice(size_t kept, size_t rounds);

#endif
