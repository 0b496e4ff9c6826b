#include "plan/schedule.h"

#define BATCH_TARGET_NS ((uint64_t)100 * 1000)
#define MIN_ROUNDS      2

typedef struct effort_level {
    double contestant_s; /* measured seconds per contestant and group */
    double block_min_s;  /* measured seconds per contestant and replicate that start-up time is worth */
    double target_ci;
    unsigned looks[4];
    size_t n_looks;
    bool vary_layout;
} effort_level;

static const effort_level levels[] = {
    [CB_EFFORT_DEFAULT] = {.contestant_s = 0.5,
                           .block_min_s = 0.050,
                           .target_ci = 0.005,
                           .looks = {8, 12, 18, 27},
                           .n_looks = 4},
    [CB_EFFORT_QUICK] =
        {.contestant_s = 0.04, .block_min_s = 0.010, .target_ci = 0.02, .looks = {4}, .n_looks = 1},
    [CB_EFFORT_RIGOROUS] = {.contestant_s = 3,
                            .block_min_s = 0.100,
                            .target_ci = 0.002,
                            .looks = {20, 30, 45},
                            .n_looks = 3,
                            .vary_layout = true},
};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

void cb_schedule_make(cb_schedule *schedule, const cb_config *config)
{
    const effort_level *level = &levels[config->effort];
    const cb_sampling *sampling = &config->sampling;
    *schedule = (cb_schedule){
        .n_looks = level->n_looks,
        .target_ci = sampling->target_ci_pct > 0 ? sampling->target_ci_pct / 100 : level->target_ci,
        .batch_target_ns = BATCH_TARGET_NS,
        .vary_layout = level->vary_layout,
        .timeout_s = sampling->timeout_s > 0 ? sampling->timeout_s : CB_TIMEOUT_DEFAULT_S,
        .seed = sampling->seed,
        .cpu = sampling->cpu,
    };
    memcpy(schedule->looks, level->looks, level->n_looks * sizeof level->looks[0]);
    if (sampling->replicates > 0) {
        schedule->fixed = true;
        schedule->n_looks = 1;
        schedule->looks[0] = sampling->replicates;
    }
}

static size_t present_seats(const cb_group *group)
{
    size_t present = 0;
    for (size_t i = 0; i < group->n_seats; i++)
        present += !group->seats[i].absent;
    return present;
}

static double contestant_budget_s(const cb_config *config, size_t present)
{
    const effort_level *level = &levels[config->effort];
    if (config->sampling.time_s > 0)
        return config->sampling.time_s / (double)present;
    if (config->sampling.replicates > 0)
        return config->sampling.replicates * level->block_min_s;
    return level->contestant_s;
}

/* Whole blocks in the budget; the tolerance keeps 0.4 / 0.05 from being 7. */
static unsigned blocks_in(double budget_s, double block_s, unsigned last)
{
    double fitting = budget_s / block_s * (1 + 1e-9);
    return fitting >= last ? last : (unsigned)fitting;
}

/* A block is as short as start-up time allows, so that a budget buys many replicates; yet it is longer where
 * even the last look leaves budget, and shorter where the first look would pass it. */
void cb_schedule_group(cb_group *group, const cb_config *config)
{
    size_t present = present_seats(group);
    group->budget_s = group->block_s = 0;
    group->max_replicates = 0;
    if (present == 0)
        return;
    cb_schedule schedule;
    cb_schedule_make(&schedule, config);
    unsigned first = schedule.looks[0];
    unsigned last = schedule.looks[schedule.n_looks - 1];
    double budget_s = contestant_budget_s(config, present);
    group->budget_s = budget_s * (double)present;
    group->block_s = smaller(larger(levels[config->effort].block_min_s, budget_s / last), budget_s / first);
    group->max_replicates = blocks_in(budget_s, group->block_s, last);
}

size_t cb_plan_rounds(const cb_group *group, uint64_t slowest_batch_ns)
{
    double batch_ns = slowest_batch_ns > 0 ? (double)slowest_batch_ns : 1;
    double rounds = group->block_s * 1e9 / batch_ns * (1 + 1e-9);
    return rounds < MIN_ROUNDS ? MIN_ROUNDS : rounds > CB_ROUNDS_MAX ? CB_ROUNDS_MAX : (size_t)rounds;
}

bool cb_plan_is_look(const cb_schedule *schedule, const cb_group *group, unsigned replicates)
{
    if (replicates == group->max_replicates)
        return true;
    for (size_t i = 0; i < schedule->n_looks; i++)
        if (schedule->looks[i] == replicates)
            return true;
    return false;
}

double cb_plan_seconds(const cb_plan *plan)
{
    double seconds = 0;
    for (size_t i = 0; i < plan->n_groups; i++) {
        const cb_group *group = &plan->groups[i];
        seconds += group->block_s * group->max_replicates * (double)present_seats(group);
    }
    return seconds;
}
