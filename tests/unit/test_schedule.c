#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/schedule.h"

static bool is_near(double value, double expected)
{
    double difference = value > expected ? value - expected : expected - value;
    return difference <= 1e-9 * expected;
}

static void assert_near(double value, double expected)
{
    if (!is_near(value, expected))
        fail_msg("%.12g is not %.12g", value, expected);
}

static void assert_looks(const cb_schedule *schedule, const unsigned *looks, size_t n)
{
    assert_int_equal(schedule->n_looks, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(schedule->looks[i], looks[i]);
}

static void efforts_choose_looks_and_targets(void **state)
{
    (void)state;
    cb_schedule schedule;
    cb_config config = {.sampling = {.seed = 5, .cpu = 3}};
    cb_schedule_make(&schedule, &config);
    assert_looks(&schedule, (const unsigned[]){8, 12, 18, 27}, 4);
    assert_near(schedule.target_ci, 0.005);
    assert_near(schedule.timeout_s, 10);
    assert_true(schedule.batch_target_ns == 100000 && schedule.seed == 5 && schedule.cpu == 3);
    assert_false(schedule.fixed || schedule.vary_layout);

    config.effort = CB_EFFORT_QUICK;
    cb_schedule_make(&schedule, &config);
    assert_looks(&schedule, (const unsigned[]){4}, 1);
    assert_near(schedule.target_ci, 0.02);
    assert_false(schedule.fixed || schedule.vary_layout);

    config.effort = CB_EFFORT_RIGOROUS;
    cb_schedule_make(&schedule, &config);
    assert_looks(&schedule, (const unsigned[]){20, 30, 45}, 3);
    assert_near(schedule.target_ci, 0.002);
    assert_true(schedule.vary_layout && !schedule.fixed);
}

static void options_override_the_effort(void **state)
{
    (void)state;
    cb_schedule schedule;
    cb_config config = {.effort = CB_EFFORT_RIGOROUS,
                        .sampling = {.replicates = 7, .target_ci_pct = 1.5, .timeout_s = 2}};
    cb_schedule_make(&schedule, &config);
    assert_looks(&schedule, (const unsigned[]){7}, 1);
    assert_true(schedule.fixed && schedule.vary_layout);
    assert_near(schedule.target_ci, 0.015);
    assert_near(schedule.timeout_s, 2);
}

typedef struct example {
    const char *name;
    cb_effort effort;
    double time_s;
    unsigned replicates;
    size_t present;
    double budget_s, block_s;
    unsigned max_replicates;
} example;

/* Worked by hand from budget B per contestant, shortest block m, looks f..l: block = min(max(m, B/l), B/f);
 * replicates = floor(B/block) within f..l. */
static const example examples[] = {
    {"default: 0.5 s in blocks of 50 ms", CB_EFFORT_DEFAULT, 0, 0, 2, 1.0, 0.050, 10},
    {"quick: 40 ms in 4 blocks", CB_EFFORT_QUICK, 0, 0, 3, 0.12, 0.010, 4},
    {"rigorous: 3 s in blocks of 100 ms", CB_EFFORT_RIGOROUS, 0, 0, 1, 3, 0.100, 30},
    {"the time is shared", CB_EFFORT_DEFAULT, 2, 0, 4, 2, 0.050, 10},
    {"0.4 s are 8 blocks, not 7.99", CB_EFFORT_DEFAULT, 0.4, 0, 1, 0.4, 0.050, 8},
    {"0.3 s shorten the blocks to reach the first look", CB_EFFORT_DEFAULT, 0.3, 0, 1, 0.3, 0.0375, 8},
    {"much time lengthens the blocks of the last look", CB_EFFORT_DEFAULT, 54, 0, 2, 54, 1, 27},
    {"a day", CB_EFFORT_RIGOROUS, 86400, 0, 1, 86400, 1920, 45},
    {"a millisecond", CB_EFFORT_DEFAULT, 0.001, 0, 4, 0.001, 0.00003125, 8},
    {"replicates alone take the shortest block", CB_EFFORT_DEFAULT, 0, 6, 2, 0.6, 0.050, 6},
    {"one quick replicate", CB_EFFORT_QUICK, 0, 1, 1, 0.010, 0.010, 1},
    {"most replicates", CB_EFFORT_DEFAULT, 0, 10000, 1, 500, 0.050, 10000},
    {"replicates share a given time", CB_EFFORT_DEFAULT, 6, 3, 2, 6, 1, 3},
    {"nobody is there", CB_EFFORT_DEFAULT, 1, 0, 0, 0, 0, 0},
};

static void budgets_are_divided_into_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const example *e = &examples[i];
        cb_seat seats[5] = {{.absent = true}};
        cb_group group = {.seats = seats, .n_seats = e->present + 1};
        cb_config config = {.effort = e->effort,
                            .sampling = {.time_s = e->time_s, .replicates = e->replicates}};
        cb_schedule_group(&group, &config);
        if (!is_near(group.budget_s, e->budget_s) || !is_near(group.block_s, e->block_s) ||
            group.max_replicates != e->max_replicates)
            fail_msg("%s: %g s in %u blocks of %g s", e->name, group.budget_s, group.max_replicates,
                     group.block_s);
    }
}

static void rounds_fill_a_block(void **state)
{
    (void)state;
    const cb_group group = {.block_s = 0.05};
    assert_int_equal(cb_plan_rounds(&group, 100000), 500);
    assert_int_equal(cb_plan_rounds(&group, 24999999), 2);
    assert_int_equal(cb_plan_rounds(&group, 40000000), 2);
    assert_int_equal(cb_plan_rounds(&group, UINT64_MAX), 2);
    assert_int_equal(cb_plan_rounds(&group, 0), CB_ROUNDS_MAX);
}

static void looks_are_the_schedules_and_the_groups_last(void **state)
{
    (void)state;
    const cb_schedule schedule = {.looks = {8, 12, 18}, .n_looks = 3};
    const cb_group group = {.max_replicates = 10};
    assert_true(cb_plan_is_look(&schedule, &group, 8));
    assert_true(cb_plan_is_look(&schedule, &group, 10));
    assert_false(cb_plan_is_look(&schedule, &group, 9));
    assert_false(cb_plan_is_look(&schedule, &group, 1));
}

static void seconds_are_those_of_present_seats(void **state)
{
    (void)state;
    cb_seat two[] = {{.absent = false}, {.absent = true}, {.absent = false}};
    cb_seat none[] = {{.absent = true}};
    cb_group groups[] = {
        {.seats = two, .n_seats = 3, .block_s = 0.05, .max_replicates = 10},
        {.seats = none, .n_seats = 1},
        {.seats = two, .n_seats = 1, .block_s = 0.5, .max_replicates = 3},
    };
    const cb_plan plan = {.groups = groups, .n_groups = 3};
    assert_near(cb_plan_seconds(&plan), 2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(efforts_choose_looks_and_targets),
        cmocka_unit_test(options_override_the_effort),
        cmocka_unit_test(budgets_are_divided_into_blocks),
        cmocka_unit_test(rounds_fill_a_block),
        cmocka_unit_test(looks_are_the_schedules_and_the_groups_last),
        cmocka_unit_test(seconds_are_those_of_present_seats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
