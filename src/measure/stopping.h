/* When a group has been measured enough. */
#ifndef CB_MEASURE_STOPPING_H
#define CB_MEASURE_STOPPING_H

#include "measure/runner.h"

/* True when, after the replicates in samples, the group needs no more: all replicates done, the budget spent,
 * nobody left, or at a look every interval narrow enough. Never asks which contestant is ahead. */
bool cb_stopping_reached(const cb_schedule *schedule, const cb_group *group, const cb_group_samples *samples);

#endif
