/* Plan -> samples: the coordinator. It is the only scheduler; workers do one thing at a time and only when
 * told. */
#ifndef CB_MEASURE_RUNNER_H
#define CB_MEASURE_RUNNER_H

#include "measure/worker.h"
#include "plan/plan.h"

/* What one group came to. */
typedef struct cb_group_samples {
    cb_row_samples *rows; /* [n_seats of the group] */
    size_t n_rows;
    unsigned replicates; /* finished */
    double measured_s;   /* inside batches, all contestants together */
    bool done;           /* stopped by width, budget or because nobody is left */
} cb_group_samples;

typedef struct cb_measurement {
    cb_group_samples *groups; /* [n_groups of the plan] */
    size_t n_groups;
    int signal; /* that ended the run early, or 0 */
} cb_measurement;

void cb_measurement_free(cb_measurement *measurement);

typedef struct cb_runner_settings {
    const cb_plan *plan;
    const cb_catalogue *catalogue; /* where witnesses are found */
    cb_worker_source contestants, witnesses;
    cb_interrupt *interrupt;
    /* Called before every group of every replicate; may be NULL. done: share of the planned work, 0 to 1. */
    void (*progress)(void *user, double done, unsigned replicate, unsigned replicates, const char *case_id);
    void *user;
} cb_runner_settings;

/* Runs the plan replicate by replicate. CB_OK also when rows failed (their status says so) and when a signal
 * ended the run (finished replicates are kept, the one at hand is dropped). The caller frees *measurement
 * after CB_OK. */
cb_status cb_runner_run(const cb_runner_settings *settings, cb_measurement *measurement, cb_err *err);

#endif
