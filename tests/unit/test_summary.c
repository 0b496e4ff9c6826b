#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_samples.h"
#include "stats/statistics.h"

#include <math.h>
#include <string.h>

static cb_summary summarise(const cb_row_samples *row)
{
    cb_summary summary;
    assert_int_equal(cb_summary_make(&summary, row, NULL), CB_OK);
    return summary;
}

static void assert_all_finite(const cb_summary *s)
{
    const double figures[] = {s->median_ns.value, s->median_ns.low, s->median_ns.high,
                              s->p10_ns,          s->p90_ns,        s->batch_p99_ns,
                              s->min_ns,          s->mean_ns,       s->first_call_ns};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        assert_true(isfinite(figures[i]));
    assert_true(s->median_ns.low <= s->median_ns.value && s->median_ns.value <= s->median_ns.high);
    assert_true(s->min_ns >= 0 && s->min_ns <= s->p10_ns && s->p10_ns <= s->median_ns.value);
    assert_true(s->median_ns.value <= s->p90_ns && s->p90_ns <= s->batch_p99_ns);
}

/* Calls of 1, 2, ..., 100 ns spread over 4 replicates, plus a loop of half a nanosecond. */
static void figures_are_those_of_the_pooled_rounds(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(4, 10, 25, 0);
    for (size_t i = 0; i < 100; i++)
        row.blocks[i % 4].round_ns[i / 4] = 10 * (i + 1) + 5;
    for (size_t i = 0; i < 4; i++)
        row.blocks[i].loop_ns = 0.5;
    cb_summary s = summarise(&row);
    assert_true(s.median_ns.value == 50.5 && s.min_ns == 1 && s.mean_ns == 50.5);
    fixture_assert_near(s.p10_ns, 10.9, 1e-14);
    fixture_assert_near(s.p90_ns, 90.1, 1e-14);
    fixture_assert_near(s.batch_p99_ns, 99.01, 1e-14);
    assert_true(isnan(s.call_p99_ns));
    assert_true(s.replicates == 4 && s.rounds == 100);
    assert_true(s.flagged_rounds == 0 && s.contended_rounds == 0);
    cb_row_samples_free(&row);
}

static void one_round_is_every_figure(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(1, 100, 1, 250);
    row.blocks[0].loop_ns = 1.5;
    row.blocks[0].first_call_ns = 3000;
    cb_summary s = summarise(&row);
    assert_true(s.median_ns.value == 248.5 && s.p10_ns == 248.5 && s.p90_ns == 248.5);
    assert_true(s.batch_p99_ns == 248.5 && s.min_ns == 248.5 && s.mean_ns == 248.5);
    assert_true(s.first_call_ns == 3000 && s.replicates == 1 && s.rounds == 1);
    assert_true(isnan(s.median_ns.low) && isnan(s.median_ns.high) && isnan(s.call_p99_ns));
    cb_row_samples_free(&row);
}

/* Calls of 1 ns and of 1 s, in batches of one: the log scale keeps the interval above 0. One value set aside
 * at each end leaves these five as they are. Logarithms of its ends by python3: from math import *; from
 * statistics import *; x = [0.0] * 3 + [log(1e9)] * 2 t = 4.30265272975; m = fmean(x[1:4]); e = stdev(x) *
 * sqrt(4 / 6); print(m - t * e, m + t * e) */
static void figures_range_over_nine_decades(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 1, 5, 1);
    (void)fixture_row_add(&row, 4, 1, 5, 1e9);
    (void)fixture_row_add(&row, 5, 1, 5, 1e9);
    cb_summary s = summarise(&row);
    assert_all_finite(&s);
    assert_true(s.median_ns.value == 1 && s.min_ns == 1 && s.p90_ns == 1e9 && s.call_p99_ns == 1e9);
    fixture_assert_near(s.mean_ns, 4e8 + 0.6, 1e-15);
    fixture_assert_near(log(s.median_ns.low), -32.9680522635, 1e-10);
    fixture_assert_near(log(s.median_ns.high), 46.7835628215, 1e-10);
    cb_row_samples_free(&row);
}

/* Replicates of 100, 101, ..., 107 ns. Expected by python3, with t from the command in test_student.c:
 *   from math import *; from statistics import *; x = [log(100 + i) for i in range(8)]
 *   m = fmean(x[1:7]); w = [x[1]] + x[1:7] + [x[6]]; e = stdev(w) * sqrt(7 / 30)
 *   print(exp(m - t * e), exp(m + t * e)) */
static void the_interval_is_over_replicates_on_the_log_scale(void **state)
{
    (void)state;
    cb_row_samples row = {.n_blocks = 0};
    for (unsigned i = 0; i < 8; i++)
        (void)fixture_row_add(&row, i, 1000, 9, 100 + i);
    cb_summary s = summarise(&row);
    assert_true(s.median_ns.value == 103.5);
    fixture_assert_near(s.median_ns.low, 100.946845034, 1e-10);
    fixture_assert_near(s.median_ns.high, 106.088833576, 1e-10);
    fixture_assert_near(cb_summary_half_width(&s), (106.088833576 - 100.946845034) / 2 / 103.5, 1e-8);
    cb_row_samples_free(&row);
}

/* One long replicate decides the pooled median, many short ones the interval. */
static void the_interval_holds_the_pooled_median(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(7, 1000, 2, 100);
    (void)fixture_row_add(&row, 8, 1000, 100, 130);
    cb_summary slow = summarise(&row);
    assert_true(slow.median_ns.value == 130 && slow.median_ns.high == 130);
    fixture_assert_near(slow.median_ns.low, 100, 1e-14);
    for (size_t k = 0; k < 100; k++)
        row.blocks[7].round_ns[k] = 80000;
    cb_summary fast = summarise(&row);
    assert_true(fast.median_ns.value == 80 && fast.median_ns.low == 80);
    fixture_assert_near(fast.median_ns.high, 100, 1e-14);
    cb_row_samples_free(&row);
}

static void fewer_than_3_replicates_have_no_interval(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 3; n++) {
        cb_row_samples row = fixture_row(n, 1000, 5, 100);
        cb_summary s = summarise(&row);
        assert_true(s.median_ns.value == 100 && s.replicates == n);
        assert_int_equal(isnan(s.median_ns.low) && isnan(s.median_ns.high), n < 3);
        assert_int_equal(isinf(cb_summary_half_width(&s)) != 0, n < 3);
        cb_row_samples_free(&row);
    }
}

static void call_p99_needs_batches_of_one_call(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 1, 101, 0);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 101; k++)
            row.blocks[i].round_ns[k] = 5000 + k;
    cb_summary s = summarise(&row);
    fixture_assert_near(s.call_p99_ns, s.batch_p99_ns, 0);
    fixture_assert_near(s.call_p99_ns, 5099, 1e-4);
    row.blocks[1].batch = 2;
    s = summarise(&row);
    assert_true(isnan(s.call_p99_ns));
    cb_row_samples_free(&row);
}

static void disturbed_rounds_are_counted(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 10, 20, 100);
    row.blocks[0].flags[0] = CB_ROUND_SWITCHED;
    row.blocks[2].flags[19] = CB_ROUND_CPU_GAP | CB_ROUND_MIGRATED;
    for (size_t k = 0; k < 20; k++)
        row.blocks[1].control_ns[k] = FIXTURE_CONTROL_NS * 14 / 10;
    row.blocks[2].control_ns[4] = FIXTURE_CONTROL_NS * 12 / 10;
    row.blocks[2].control_ns[5] = FIXTURE_CONTROL_NS * 104 / 100;
    cb_summary s = summarise(&row);
    assert_int_equal(s.flagged_rounds, 2);
    assert_int_equal(s.contended_rounds, 21);
    cb_row_samples_free(&row);
}

/* Three rounds in four run half as slow again while the control shows a neighbour; the printed median must be
 * the quiet one. */
static void the_median_is_that_of_uncontended_rounds(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(5, 10, 20, 100);
    for (size_t i = 0; i < row.n_blocks; i++)
        for (size_t k = 0; k < 20; k++)
            if (k % 4 != 0) {
                row.blocks[i].control_ns[k] = FIXTURE_CONTROL_NS * 14 / 10;
                row.blocks[i].round_ns[k] = 1500;
            }
    cb_summary s = summarise(&row);
    assert_true(s.uncontended);
    fixture_assert_near(s.median_ns.value, 100, 1e-12);
    fixture_assert_near(s.all_rounds_ns.value, 150, 1e-12);
    assert_int_equal(s.rounds, 100);
    cb_row_samples_free(&row);
}

static void too_few_uncontended_rounds_leave_the_median_of_all(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(5, 10, 20, 100);
    for (size_t i = 2; i < row.n_blocks; i++)
        for (size_t k = 0; k < 20; k++) {
            row.blocks[i].control_ns[k] = FIXTURE_CONTROL_NS * 14 / 10;
            row.blocks[i].round_ns[k] = 1500;
        }
    cb_summary s = summarise(&row);
    assert_false(s.uncontended);
    fixture_assert_near(s.median_ns.value, 150, 1e-12);
    assert_true(s.median_ns.value == s.all_rounds_ns.value);
    cb_row_samples_free(&row);
}

static void first_call_is_the_median_over_replicates(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(4, 10, 5, 100);
    const uint64_t first_ns[] = {9000, 1000, 2000, 1500};
    for (size_t i = 0; i < 4; i++)
        row.blocks[i].first_call_ns = first_ns[i];
    cb_summary s = summarise(&row);
    assert_true(s.first_call_ns == 1750);
    cb_row_samples_free(&row);
}

static void calls_no_longer_than_the_loop_take_0(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(5, 100, 5, 1);
    for (size_t i = 0; i < 5; i++)
        row.blocks[i].loop_ns = 2;
    cb_summary s = summarise(&row);
    assert_all_finite(&s);
    assert_true(s.median_ns.value == 0 && s.median_ns.low == 0 && s.mean_ns == 0);
    assert_true(isinf(cb_summary_half_width(&s)));
    cb_row_samples_free(&row);
}

static void extreme_rounds_give_finite_figures(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(5, 1000, 4, 1);
    for (size_t i = 0; i < 5; i++)
        row.blocks[i].round_ns[i % 4] = i % 2 == 0 ? UINT64_C(1000000000000) : 0;
    row.blocks[3].round_ns[0] = row.blocks[3].control_ns[1] = UINT64_MAX;
    row.blocks[4].control_ns[2] = 0;
    cb_summary s = summarise(&row);
    assert_all_finite(&s);
    for (size_t k = 0; k < 4; k++)
        row.blocks[0].round_ns[k] = UINT64_MAX;
    s = summarise(&row);
    assert_all_finite(&s);
    assert_true(isfinite(cb_summary_half_width(&s)));
    cb_row_samples_free(&row);
}

static void blocks_without_calls_do_not_count(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 1, 5, 1000);
    cb_block *empty = fixture_row_add(&row, 9, 0, 5, 0);
    empty->first_call_ns = 1000000;
    empty->flags[0] = CB_ROUND_SWITCHED;
    (void)fixture_row_add(&row, 10, 50, 0, 0);
    cb_summary s = summarise(&row);
    assert_all_finite(&s);
    assert_true(s.replicates == 3 && s.rounds == 15 && s.flagged_rounds == 0 && s.first_call_ns == 0);
    assert_true(s.call_p99_ns == 1000);
    cb_row_samples_free(&row);
}

static void assert_refused(const cb_row_samples *row, cb_status status, const char *msg)
{
    cb_summary summary, before;
    cb_err err;
    memset(&summary, 0x55, sizeof summary);
    memcpy(&before, &summary, sizeof before);
    assert_int_equal(cb_summary_make(&summary, row, &err), status);
    assert_int_equal(err.code, status);
    if (msg != NULL)
        assert_string_equal(err.msg, msg);
    assert_memory_equal(&summary, &before, sizeof summary);
}

static void a_row_without_numbers_is_refused(void **state)
{
    (void)state;
    cb_row_samples row = {.n_blocks = 0};
    assert_refused(&row, CB_UNSUPPORTED, NULL);
    (void)fixture_row_add(&row, 1, 10, 0, 0);
    assert_refused(&row, CB_UNSUPPORTED, NULL);
    (void)fixture_row_add(&row, 2, 10, 5, 100);
    (void)cb_fail(&row.status, CB_CRASHED, "SIGSEGV");
    assert_refused(&row, CB_CRASHED, "SIGSEGV");
    cb_row_samples_free(&row);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 10, 5, 100);
    unsigned successes = 0;
    for (;; successes++) {
        cb_summary summary;
        fixture_allocation_fail_after(successes);
        cb_status status = cb_summary_make(&summary, &row, NULL);
        if (!fixture_allocation_failed()) {
            assert_int_equal(status, CB_OK);
            break;
        }
        assert_int_equal(status, CB_OUT_OF_MEMORY);
    }
    assert_int_equal(successes, 4);
    cb_row_samples_free(&row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_pooled_rounds),
        cmocka_unit_test(one_round_is_every_figure),
        cmocka_unit_test(figures_range_over_nine_decades),
        cmocka_unit_test(the_interval_is_over_replicates_on_the_log_scale),
        cmocka_unit_test(the_interval_holds_the_pooled_median),
        cmocka_unit_test(fewer_than_3_replicates_have_no_interval),
        cmocka_unit_test(call_p99_needs_batches_of_one_call),
        cmocka_unit_test(disturbed_rounds_are_counted),
        cmocka_unit_test(the_median_is_that_of_uncontended_rounds),
        cmocka_unit_test(too_few_uncontended_rounds_leave_the_median_of_all),
        cmocka_unit_test(first_call_is_the_median_over_replicates),
        cmocka_unit_test(calls_no_longer_than_the_loop_take_0),
        cmocka_unit_test(extreme_rounds_give_finite_figures),
        cmocka_unit_test(blocks_without_calls_do_not_count),
        cmocka_unit_test(a_row_without_numbers_is_refused),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
