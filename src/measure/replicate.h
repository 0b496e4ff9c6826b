/* One group in one replicate: prepare, agree on the outputs, take turns, collect. */
#ifndef CB_MEASURE_REPLICATE_H
#define CB_MEASURE_REPLICATE_H

#include "measure/runner.h"

/* The workers of a replicate, and what is known of their contestants beyond it. */
typedef struct cb_crew {
    cb_worker **workers; /* [n_contestants] NULL: none running */
    size_t *hung_bytes;  /* [n_contestants] the smallest message at which it has timed out; SIZE_MAX: never */
} cb_crew;

typedef struct cb_replicate {
    const cb_runner_settings *settings;
    cb_crew *crew;
    unsigned index;
    uint64_t seed;
    size_t page_offset;
} cb_replicate;

/* Measures one block per contestant and adds it to the samples. A contestant that fails gets the failure as
 * its row's status, its worker is stopped, and the others go on. CB_OUT_OF_MEMORY when the coordinator itself
 * cannot go on; CB_IO when interrupted, with no block added. */
cb_status cb_replicate_group(const cb_replicate *replicate, const cb_group *group, cb_group_samples *samples,
                             cb_err *err);

#endif
