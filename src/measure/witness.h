/* Asking further libraries when the contestants alone cannot say who is right. */
#ifndef CB_MEASURE_WITNESS_H
#define CB_MEASURE_WITNESS_H

#include "measure/agreement.h"
#include "measure/runner.h"

/* All voices on one task: the contestants' first, then those of witnesses, whose answers the bench owns. */
typedef struct cb_bench {
    cb_voice *voices;
    size_t n, n_contestants;
    cb_prepared *testimony; /* [capacity] answers of witnesses */
    size_t n_testimony, capacity;
} cb_bench;

cb_status cb_bench_open(cb_bench *bench, size_t capacity, cb_err *err);
void cb_bench_close(cb_bench *bench);

/* Decides who is wrong among the voices the caller has put in. A library that stands alone is compared with
 * one further one when check_lone is true; voices that disagree, with all further ones. A witness that itself
 * fails says nothing. */
void cb_bench_decide(cb_bench *bench, const cb_runner_settings *settings, const cb_task *task,
                     bool check_lone);

#endif
