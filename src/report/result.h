/* Everything a run found out, as the reporters see it. Reporters are pure functions of this. */
#ifndef CB_REPORT_RESULT_H
#define CB_REPORT_RESULT_H

#include "plan/plan.h"
#include "stats/statistics.h"
#include "system/environment.h"

/* One row: one contestant in one group. */
typedef struct cb_result_row {
    size_t group, seat;            /* indices into the plan */
    const cb_row_samples *samples; /* borrowed; samples->status is the row's status and message */
    bool measured;                 /* true: status is ok and summary is filled */
    cb_summary summary;
} cb_result_row;

/* One comparison of a measured row with the measured reference of its group. */
typedef struct cb_result_comparison {
    size_t group, seat, reference_seat;
    cb_ratio ratio;
} cb_result_comparison;

typedef struct cb_tool {
    const char *version, *commit, *compiler, *flags;
} cb_tool;

typedef struct cb_result {
    bool complete; /* false when the run was ended by a signal */
    cb_tool tool;
    char *command; /* the command line, private paths replaced */
    const cb_plan *plan;
    const cb_environment *environment;
    cb_result_row *rows; /* group by group, seats in plan order; groups never reached are missing */
    size_t n_rows;
    cb_result_comparison *comparisons;
    size_t n_comparisons;
    double measured_s; /* wall time of the measurement */
} cb_result;

#endif
