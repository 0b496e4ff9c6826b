/* What the measurement hands to the statistics: raw rounds, nothing interpreted. */
#ifndef CB_STATS_SAMPLES_H
#define CB_STATS_SAMPLES_H

#include <crypto_bench/status.h>

#include <stdint.h>

/* Why a round may be disturbed; bits of cb_block.flags. */
enum {
    CB_ROUND_SWITCHED = 1, /* the kernel switched the process out involuntarily during the batch */
    CB_ROUND_CPU_GAP =
        2, /* wall time exceeded CPU time by more than 5 % and 5 us: something else ran on this core */
    CB_ROUND_MIGRATED = 4 /* the batch ended on another CPU than it started on */
};

/* One contestant in one group during one replicate. Owns its arrays. Round i of every contestant of the
 * group's replicate was measured in the same turn of the schedule, so equal indices pair. */
typedef struct cb_block {
    uint64_t seed;          /* of the replicate's inputs and order */
    uint64_t batch;         /* calls per round */
    double loop_ns;         /* the loop's own cost per call, to subtract */
    uint64_t first_call_ns; /* the first call after binding */
    size_t rounds;
    uint64_t *round_ns;   /* [rounds] duration of the batch */
    uint64_t *control_ns; /* [rounds] duration of the control kernel just before it */
    uint8_t *flags;       /* [rounds] */
} cb_block;

/* All blocks of one contestant in one group. status other than CB_OK: the row has no number, whatever blocks
 * exist. An all-zero struct is an empty row. */
typedef struct cb_row_samples {
    cb_err status;
    cb_block *blocks;
    size_t n_blocks;
    uint64_t iterations;     /* timed calls in all blocks */
    double control_level_ns; /* fast level of the control over the whole run; 0: not known, the row's own then
                                counts */
} cb_row_samples;

/* Frees the blocks' arrays and the list, not the struct itself, which is an empty row afterwards and keeps
 * its status. row may be NULL. */
void cb_row_samples_free(cb_row_samples *row);

/* Takes ownership of the block's arrays (from malloc) and counts its calls into row->iterations.
 * CB_OUT_OF_MEMORY leaves the block with the caller and the row as it was. */
cb_status cb_row_samples_add(cb_row_samples *row, const cb_block *block);

#endif
