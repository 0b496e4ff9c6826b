#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/stopping.h"
#include "scripted_samples.h"

#include <string.h>

enum { SEATS_MAX = 3, LAST = 12 };

/* A group with looks after 4 and 8 replicates and at most 12, measured so far as the test says. */
typedef struct state {
    cb_schedule schedule;
    cb_seat seats[SEATS_MAX];
    cb_group group;
    cb_row_samples rows[SEATS_MAX];
    cb_group_samples samples;
} state;

static void state_make(state *s, size_t seats)
{
    *s = (state){.schedule = {.looks = {4, 8, LAST}, .n_looks = 3, .target_ci = 0.005},
                 .group = {.n_seats = seats, .max_replicates = LAST, .budget_s = 1},
                 .samples = {.n_rows = seats}};
    s->group.seats = s->seats;
    s->samples.rows = s->rows;
}

/* Adds a replicate in which row `i` took 100 us plus wobbles[i] in every second one. */
static void add_replicates(state *s, unsigned n, const uint64_t *wobbles)
{
    for (unsigned r = 0; r < n; r++, s->samples.replicates++)
        for (size_t i = 0; i < s->group.n_seats; i++)
            if (!s->seats[i].absent && s->rows[i].status.code == CB_OK)
                scripted_block_add(&s->rows[i], s->samples.replicates,
                                   100000 + (s->samples.replicates % 2 == 0 ? 0 : wobbles[i]));
}

static bool reached(const state *s)
{
    return cb_stopping_reached(&s->schedule, &s->group, &s->samples);
}

static void state_free(state *s)
{
    for (size_t i = 0; i < s->group.n_seats; i++)
        cb_row_samples_free(&s->rows[i]);
}

/* After how many replicates the group stops, looked at after each. */
static unsigned stops_after(state *s, const uint64_t *wobbles)
{
    do
        add_replicates(s, 1, wobbles);
    while (!reached(s));
    state_free(s);
    return s->samples.replicates;
}

static void test_width_counts_at_looks_only(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 2);
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 0}), 4);
}

static void test_a_wide_ratio_goes_on(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 2);
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 20000}), LAST);
}

/* What both have in common is no reason to go on. */
static void test_a_wobble_in_common_is_narrow(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 2);
    assert_int_equal(stops_after(&s, (const uint64_t[]){20000, 20000}), 4);
}

static void test_every_ratio_must_be_narrow(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 3);
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 0, 20000}), LAST);
    state_make(&s, 3);
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 0, 0}), 4);
}

static void test_a_group_of_one_goes_by_its_median(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 1);
    assert_int_equal(stops_after(&s, (const uint64_t[]){0}), 4);
    state_make(&s, 1);
    assert_int_equal(stops_after(&s, (const uint64_t[]){20000}), LAST);
}

static void test_the_target_decides(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 2);
    s.schedule.target_ci = 0.5;
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 20000}), 4);
    state_make(&s, 2);
    s.schedule.target_ci = 0.0005; /* below the floor of what a ratio can show */
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 0}), LAST);
}

static void test_a_fixed_number_is_kept(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 2);
    s.schedule.fixed = true;
    s.samples.measured_s = 100;
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 0}), LAST);
}

/* The group's own last replicate ends it, whatever the schedule's looks are. */
static void test_the_last_replicate_of_the_group(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 2);
    s.group.max_replicates = 2;
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 20000}), 2);
}

/* How long a group goes on whose ratio stays wide, when this much of its budget of 1 s is spent. */
static unsigned stops_after_spending(double measured_s)
{
    state s;
    state_make(&s, 2);
    s.samples.measured_s = measured_s;
    return stops_after(&s, (const uint64_t[]){0, 20000});
}

static void test_the_budget(void **unused)
{
    (void)unused;
    assert_int_equal(stops_after_spending(1.09), LAST); /* batches are only about as long as planned */
    assert_int_equal(stops_after_spending(1.11), 4);    /* the first look is worth waiting for ... */
    assert_int_equal(stops_after_spending(1.99), 4);
    assert_int_equal(stops_after_spending(2.01), 3); /* ... but not for ever; an interval needs three */
    assert_int_equal(stops_after_spending(100), 3);
}

static void test_nobody_left(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 2);
    assert_false(reached(&s));
    s.seats[0].absent = true;
    assert_false(reached(&s));
    (void)cb_fail(&s.rows[1].status, CB_CRASHED, "SIGSEGV");
    assert_true(reached(&s));
    state_free(&s);
}

/* The reference is the first row that is still measured. */
static void test_failed_rows_are_not_compared(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 3);
    add_replicates(&s, 3, (const uint64_t[]){20000, 0, 0});
    (void)cb_fail(&s.rows[0].status, CB_CRASHED, "SIGSEGV");
    assert_int_equal(stops_after(&s, (const uint64_t[]){20000, 0, 0}), 4);
}

static void test_absent_seats_are_not_compared(void **unused)
{
    (void)unused;
    state s;
    state_make(&s, 3);
    s.seats[0].absent = true;
    (void)cb_fail(&s.rows[0].status, CB_UNSUPPORTED, "no such operation");
    assert_int_equal(stops_after(&s, (const uint64_t[]){0, 0, 0}), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width_counts_at_looks_only),
        cmocka_unit_test(test_a_wide_ratio_goes_on),
        cmocka_unit_test(test_a_wobble_in_common_is_narrow),
        cmocka_unit_test(test_every_ratio_must_be_narrow),
        cmocka_unit_test(test_a_group_of_one_goes_by_its_median),
        cmocka_unit_test(test_the_target_decides),
        cmocka_unit_test(test_a_fixed_number_is_kept),
        cmocka_unit_test(test_the_last_replicate_of_the_group),
        cmocka_unit_test(test_the_budget),
        cmocka_unit_test(test_nobody_left),
        cmocka_unit_test(test_failed_rows_are_not_compared),
        cmocka_unit_test(test_absent_seats_are_not_compared),
    };
    return cmocka_run_group_tests_name("stopping", tests, NULL, NULL);
}
