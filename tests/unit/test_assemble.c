#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/assemble.h"
#include "scripted_samples.h"

#include <math.h>
#include <string.h>

enum { GROUPS = 2, SEATS = 3, REPLICATES = 4 };

/* Two groups with three contestants each, without samples so far. */
typedef struct state {
    cb_catalogue_entry entries[SEATS];
    cb_contestant contestants[SEATS];
    cb_seat seats[GROUPS][SEATS];
    cb_group groups[GROUPS];
    cb_plan plan;
    cb_row_samples rows[GROUPS][SEATS];
    cb_group_samples samples[GROUPS];
    cb_measurement measurement;
    cb_result result;
    cb_err err;
} state;

static void state_make(state *s)
{
    static char names[SEATS][2] = {"a", "b", "c"};
    *s = (state){.plan = {.n_contestants = SEATS, .n_groups = GROUPS}, .measurement = {.n_groups = GROUPS}};
    s->plan.contestants = s->contestants;
    s->plan.groups = s->groups;
    s->measurement.groups = s->samples;
    s->result = (cb_result){.complete = true, .plan = &s->plan};
    for (size_t i = 0; i < SEATS; i++)
        s->contestants[i] = (cb_contestant){.name = names[i], .entry = &s->entries[i]};
    for (size_t g = 0; g < GROUPS; g++) {
        s->groups[g] = (cb_group){.seats = s->seats[g], .n_seats = SEATS};
        s->samples[g] = (cb_group_samples){.rows = s->rows[g], .n_rows = SEATS};
        for (size_t i = 0; i < SEATS; i++)
            s->seats[g][i].contestant = i;
    }
}

static void measure(state *s, size_t group, size_t seat, uint64_t round_ns)
{
    for (uint64_t r = 0; r < REPLICATES; r++)
        scripted_block_add(&s->rows[group][seat], 100 * group + r, round_ns);
}

static void fail_row(state *s, size_t group, size_t seat, cb_status status)
{
    (void)cb_fail(&s->rows[group][seat].status, status, "because");
}

static void assemble(state *s)
{
    if (cb_result_assemble(&s->result, &s->measurement, &s->err) != CB_OK)
        fail_msg("%s", s->err.msg);
}

static void state_free(state *s)
{
    cb_result_free(&s->result);
    assert_null(s->result.rows);
    assert_null(s->result.comparisons);
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < SEATS; i++)
            cb_row_samples_free(&s->rows[g][i]);
}

static void assert_row(const state *s, size_t index, size_t group, size_t seat, bool measured)
{
    assert_true(index < s->result.n_rows);
    const cb_result_row *row = &s->result.rows[index];
    assert_int_equal(row->group, group);
    assert_int_equal(row->seat, seat);
    assert_int_equal(row->measured, measured);
    assert_ptr_equal(row->samples, &s->rows[group][seat]);
}

static void assert_comparison(const state *s, size_t index, size_t group, size_t seat, size_t reference,
                              double ratio)
{
    assert_true(index < s->result.n_comparisons);
    const cb_result_comparison *c = &s->result.comparisons[index];
    assert_int_equal(c->group, group);
    assert_int_equal(c->seat, seat);
    assert_int_equal(c->reference_seat, reference);
    assert_true(fabs(c->ratio.ratio.value - ratio) < 1e-9);
}

static void measure_all(state *s)
{
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < SEATS; i++)
            measure(s, g, i, 100000 * (i + 1));
}

static void test_rows_come_in_the_order_of_the_plan(void **unused)
{
    (void)unused;
    state s;
    state_make(&s);
    measure_all(&s);
    assemble(&s);
    assert_int_equal(s.result.n_rows, GROUPS * SEATS);
    for (size_t i = 0; i < GROUPS * SEATS; i++) {
        assert_row(&s, i, i / SEATS, i % SEATS, true);
        assert_true(fabs(s.result.rows[i].summary.median_ns.value - 100 * (double)(i % SEATS + 1)) < 1e-9);
        assert_int_equal(s.result.rows[i].summary.replicates, REPLICATES);
    }
    assert_false(cb_result_has_failures(&s.result));
    state_free(&s);
}

static void test_the_first_measured_row_is_the_reference(void **unused)
{
    (void)unused;
    state s;
    state_make(&s);
    measure_all(&s);
    fail_row(&s, 1, 0, CB_CRASHED);
    assemble(&s);
    assert_int_equal(s.result.n_comparisons, 3);
    assert_comparison(&s, 0, 0, 1, 0, 2);
    assert_comparison(&s, 1, 0, 2, 0, 3);
    assert_comparison(&s, 2, 1, 2, 1, 1.5);
    state_free(&s);
}

/* A row that failed has no number, whatever blocks it has. */
static void test_failed_rows_have_no_summary(void **unused)
{
    (void)unused;
    state s;
    state_make(&s);
    measure_all(&s);
    fail_row(&s, 0, 1, CB_WRONG_OUTPUT);
    assemble(&s);
    assert_row(&s, 1, 0, 1, false);
    assert_int_equal(s.result.rows[1].samples->status.code, CB_WRONG_OUTPUT);
    assert_int_equal(s.result.rows[1].summary.rounds, 0);
    assert_int_equal(s.result.n_comparisons, 3);
    assert_true(cb_result_has_failures(&s.result));
    state_free(&s);
}

static void test_rows_that_share_no_replicate_are_not_compared(void **unused)
{
    (void)unused;
    state s;
    state_make(&s);
    scripted_block_add(&s.rows[0][0], 1, 100000);
    scripted_block_add(&s.rows[0][1], 2, 100000);
    scripted_block_add(&s.rows[0][2], 1, 200000);
    assemble(&s);
    assert_row(&s, 1, 0, 1, true);
    assert_int_equal(s.result.n_comparisons, 1);
    assert_comparison(&s, 0, 0, 2, 0, 2);
    state_free(&s);
}

static void test_groups_that_were_never_reached_are_missing(void **unused)
{
    (void)unused;
    state s;
    state_make(&s);
    for (size_t i = 0; i < SEATS; i++)
        measure(&s, 0, i, 100000);
    s.seats[1][2].absent = true;
    fail_row(&s, 1, 2, CB_UNSUPPORTED); /* known from the plan, not from the run */
    s.result.complete = false;
    assemble(&s);
    assert_int_equal(s.result.n_rows, SEATS);
    assert_row(&s, 2, 0, 2, true);
    state_free(&s);
}

/* In a group that was reached, only what has neither a block nor a failure is missing. */
static void test_a_group_that_was_interrupted(void **unused)
{
    (void)unused;
    state s;
    state_make(&s);
    fail_row(&s, 0, 0, CB_CRASHED);
    s.seats[0][1].absent = true;
    fail_row(&s, 0, 1, CB_UNSUPPORTED);
    s.result.complete = false;
    assemble(&s);
    assert_int_equal(s.result.n_rows, 2);
    assert_row(&s, 0, 0, 0, false);
    assert_row(&s, 1, 0, 1, false);
    assert_int_equal(s.result.n_comparisons, 0);
    state_free(&s);
}

static void test_a_complete_run_shows_groups_of_absent_seats(void **unused)
{
    (void)unused;
    state s;
    state_make(&s);
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < SEATS; i++) {
            s.seats[g][i].absent = true;
            fail_row(&s, g, i, CB_UNSUPPORTED);
        }
    assemble(&s);
    assert_int_equal(s.result.n_rows, GROUPS * SEATS);
    assert_row(&s, 5, 1, 2, false);
    state_free(&s);
}

static void test_an_empty_measurement(void **unused)
{
    (void)unused;
    state s;
    state_make(&s);
    s.plan.n_groups = 0;
    s.measurement.n_groups = 0;
    assemble(&s);
    assert_int_equal(s.result.n_rows, 0);
    assert_true(cb_result_has_failures(&s.result)); /* nothing was measured */
    state_free(&s);
}

/* Whether a run with this status in one row, and named so, has failed. */
static bool fails(cb_status status, bool named)
{
    state s;
    state_make(&s);
    measure_all(&s);
    s.contestants[1].named = named;
    if (status != CB_OK)
        fail_row(&s, 1, 1, status);
    assemble(&s);
    const bool failed = cb_result_has_failures(&s.result);
    state_free(&s);
    return failed;
}

static void test_what_counts_as_a_failure(void **unused)
{
    (void)unused;
    assert_false(fails(CB_OK, false));
    assert_false(fails(CB_OK, true));
    assert_false(fails(CB_UNSUPPORTED, false)); /* nobody asked for that library by name */
    assert_true(fails(CB_UNSUPPORTED, true));
    assert_true(fails(CB_CRASHED, false));
    assert_true(fails(CB_TIMEOUT, true));
    assert_true(fails(CB_WRONG_OUTPUT, false));
}

static void test_freeing_takes_the_command_too(void **unused)
{
    (void)unused;
    cb_result result = {.command = strdup("crypto_bench")};
    cb_result_free(&result);
    assert_null(result.command);
    cb_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_come_in_the_order_of_the_plan),
        cmocka_unit_test(test_the_first_measured_row_is_the_reference),
        cmocka_unit_test(test_failed_rows_have_no_summary),
        cmocka_unit_test(test_rows_that_share_no_replicate_are_not_compared),
        cmocka_unit_test(test_groups_that_were_never_reached_are_missing),
        cmocka_unit_test(test_a_group_that_was_interrupted),
        cmocka_unit_test(test_a_complete_run_shows_groups_of_absent_seats),
        cmocka_unit_test(test_an_empty_measurement),
        cmocka_unit_test(test_what_counts_as_a_failure),
        cmocka_unit_test(test_freeing_takes_the_command_too),
    };
    return cmocka_run_group_tests_name("assemble", tests, NULL, NULL);
}
