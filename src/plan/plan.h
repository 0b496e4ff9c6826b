/* Config + catalogue -> plan: which groups are measured, by which contestants, for how long. Pure: no clock,
 * no files. */
#ifndef CB_PLAN_PLAN_H
#define CB_PLAN_PLAN_H

#include "cli/config.h"
#include "ops/operation.h"
#include "plan/catalogue.h"

/* One library in one build; later also one call style, chunking or thread count. The runner knows contestants
 * only. */
typedef struct cb_contestant {
    char *name;                      /* "openssl": what follows @ in a case id */
    const cb_catalogue_entry *entry; /* borrowed from the catalogue */
    bool named;                      /* asked for by name with -b: its absence is then a failure */
} cb_contestant;

/* One contestant's place in a group. */
typedef struct cb_seat {
    size_t contestant; /* index into the plan's contestants */
    bool absent;       /* no such kernel, or no such library: a row that says why */
    char reason[160];  /* why, when absent */
} cb_seat;

/* One operation with its parameters and size, over the contestants that have it. */
typedef struct cb_group {
    const cb_operation *op;
    size_t msg_bytes, aad_bytes;
    cb_params params;
    char *id; /* case id: "aead/aes-256-gcm/encrypt/4096" */
    cb_seat *seats;
    size_t n_seats;
    double budget_s;         /* measured seconds for all contestants together */
    double block_s;          /* measured seconds per contestant in one replicate */
    unsigned max_replicates; /* the last look: what the budget allows */
} cb_group;

/* The sampling plan with every default resolved. */
typedef struct cb_schedule {
    unsigned looks[8];        /* replicate counts after which stopping is considered, increasing */
    size_t n_looks;           /* the last look is the last replicate */
    double target_ci;         /* half-width as a fraction: 0.005 */
    bool fixed;               /* true: all replicates run, width does not stop them */
    uint64_t batch_target_ns; /* 100 us */
    bool vary_layout;         /* --rigorous: page offsets change between replicates */
    double timeout_s;
    uint64_t seed;
    int cpu;
} cb_schedule;

typedef struct cb_plan {
    cb_contestant *contestants;
    size_t n_contestants;
    cb_group *groups;
    size_t n_groups;
    cb_schedule schedule;
} cb_plan;

/* Builds the plan. CB_BAD_ARGUMENT when a backend, primitive, operation or filter names nothing, with the
 * nearest names or the way to list them in err->msg. The plan borrows the catalogue. seed must already be
 * chosen in config->sampling.seed. */
cb_status cb_plan_make(cb_plan *plan, const cb_config *config, const cb_catalogue *catalogue, cb_err *err);
void cb_plan_free(cb_plan *plan);

/* A block's samples stay in memory until it ends, and come through a pipe in one piece: about 100 s of
 * batches. */
#define CB_ROUNDS_MAX 1000000

/* Rounds in one block of a group whose slowest contestant needs slowest_batch_ns per batch: what fits
 * block_s, at least 2. */
size_t cb_plan_rounds(const cb_group *group, uint64_t slowest_batch_ns);

/* True when stopping is considered after this many replicates: at the schedule's looks and at the group's
 * last. */
bool cb_plan_is_look(const cb_schedule *schedule, const cb_group *group, unsigned replicates);

/* Measured seconds that the groups will take at most: the basis of the progress bar. */
double cb_plan_seconds(const cb_plan *plan);

#endif
