#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_samples.h"
#include "stats/rounds.h"
#include "stats/statistics.h"

#include <math.h>
#include <string.h>

static void time_per_call_has_the_loop_taken_off(void **state)
{
    (void)state;
    cb_block block = fixture_block(1, 40, 2, 250);
    block.loop_ns = 1.5;
    block.round_ns[1] = 10020;
    assert_true(cb_round_per_call_ns(&block, 0) == 248.5);
    assert_true(cb_round_per_call_ns(&block, 1) == 249);
    fixture_block_free(&block);
}

static void time_per_call_is_never_negative(void **state)
{
    (void)state;
    cb_block block = fixture_block(1, 100, 2, 1);
    block.loop_ns = 1.25;
    assert_true(cb_round_per_call_ns(&block, 0) == 0);
    block.loop_ns = 1;
    assert_true(cb_round_per_call_ns(&block, 0) == 0);
    block.loop_ns = INFINITY;
    assert_true(cb_round_per_call_ns(&block, 0) == 0);
    fixture_block_free(&block);
}

static void a_loop_cost_that_cannot_be_takes_nothing_off(void **state)
{
    (void)state;
    cb_block block = fixture_block(1, 100, 1, 7);
    const double impossible[] = {NAN, -1, -1e308, -INFINITY};
    for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
        block.loop_ns = impossible[i];
        assert_true(cb_round_per_call_ns(&block, 0) == 7);
    }
    fixture_block_free(&block);
}

static void logarithms_are_finite(void **state)
{
    (void)state;
    assert_true(cb_call_log(1) == 0);
    assert_true(cb_call_log(0) == log(CB_LOG_FLOOR_NS));
    assert_true(cb_call_log(CB_LOG_FLOOR_NS / 2) == log(CB_LOG_FLOOR_NS));
    assert_true(cb_call_log(1e18) == log(1e18));
}

static void empty_batches_hold_no_rounds(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(2, 10, 7, 100);
    (void)fixture_row_add(&row, 3, 0, 5, 100);
    assert_int_equal(cb_block_rounds(&row.blocks[1]), 7);
    assert_int_equal(cb_block_rounds(&row.blocks[2]), 0);
    assert_int_equal(cb_round_count(&row), 14);
    cb_row_samples_free(&row);
}

/* Nine replicates of ten are contended from end to end, and one round's clock reads far too little. */
static void the_fast_level_is_found_across_replicates(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(10, 10, 50, 100), other = fixture_row(1, 10, 500, 100);
    const cb_row_samples *rows[] = {&row, &other};
    double level_ns = 0;
    for (size_t i = 1; i < 10; i++)
        for (size_t k = 0; k < 50; k++)
            row.blocks[i].control_ns[k] = 15000;
    row.blocks[0].control_ns[3] = 20;
    assert_int_equal(cb_control_level(&level_ns, rows, 1, NULL), CB_OK);
    assert_true(level_ns == FIXTURE_CONTROL_NS);
    for (size_t k = 0; k < 500; k++)
        other.blocks[0].control_ns[k] = 9000;
    assert_int_equal(cb_control_level(&level_ns, rows, 2, NULL), CB_OK);
    assert_true(level_ns == 9000);
    cb_row_samples_free(&row);
    cb_row_samples_free(&other);
}

static void a_level_needs_rounds_and_memory(void **state)
{
    (void)state;
    cb_row_samples none = {.n_blocks = 0}, row = fixture_row(1, 10, 5, 100);
    const cb_row_samples *rows[] = {&none, &row};
    double level_ns = -1;
    cb_err err;
    assert_int_equal(cb_control_level(&level_ns, rows, 1, &err), CB_UNSUPPORTED);
    assert_int_equal(err.code, CB_UNSUPPORTED);
    fixture_allocation_fail_after(0);
    assert_int_equal(cb_control_level(&level_ns, rows, 2, &err), CB_OUT_OF_MEMORY);
    assert_true(fixture_allocation_failed());
    assert_true(level_ns == -1);
    cb_row_samples_free(&row);
}

static void contended_is_more_than_a_twentieth_over(void **state)
{
    (void)state;
    cb_block block = fixture_block(1, 10, 3, 100);
    block.control_ns[0] = 10499;
    block.control_ns[1] = 10501;
    block.control_ns[2] = 9000;
    assert_false(cb_round_contended(&block, 0, 10000));
    assert_true(cb_round_contended(&block, 1, 10000));
    assert_false(cb_round_contended(&block, 2, 10000));
    block.control_ns[2] = 0;
    assert_false(cb_round_contended(&block, 2, 0));
    block.control_ns[2] = UINT64_MAX;
    assert_true(cb_round_contended(&block, 2, 10000));
    fixture_block_free(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_per_call_has_the_loop_taken_off),
        cmocka_unit_test(time_per_call_is_never_negative),
        cmocka_unit_test(a_loop_cost_that_cannot_be_takes_nothing_off),
        cmocka_unit_test(logarithms_are_finite),
        cmocka_unit_test(empty_batches_hold_no_rounds),
        cmocka_unit_test(the_fast_level_is_found_across_replicates),
        cmocka_unit_test(a_level_needs_rounds_and_memory),
        cmocka_unit_test(contended_is_more_than_a_twentieth_over),
    };
    return cmocka_run_group_tests_name("rounds", tests, NULL, NULL);
}
