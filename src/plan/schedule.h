/* How long and how often: the numbers behind --quick, the default and --rigorous. */
#ifndef CB_PLAN_SCHEDULE_H
#define CB_PLAN_SCHEDULE_H

#include "plan/plan.h"

void cb_schedule_make(cb_schedule *schedule, const cb_config *config);

/* Sets the group's budget_s, block_s and max_replicates from its present seats; all 0 when it has none. */
void cb_schedule_group(cb_group *group, const cb_config *config);

#endif
