#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_samples.h"
#include "stats/statistics.h"

#include <math.h>
#include <string.h>

static cb_ratio compare(const cb_row_samples *row, const cb_row_samples *reference)
{
    cb_ratio ratio;
    assert_int_equal(cb_ratio_make(&ratio, row, reference, NULL), CB_OK);
    return ratio;
}

static void assert_interval_finite(const cb_estimate *e)
{
    assert_true(isfinite(e->value) && isfinite(e->low) && isfinite(e->high));
    assert_true(e->low > 0 && e->low <= e->value && e->value <= e->high);
}

/* Contends rounds from..to-1 of block i on both sides: the control by 44 %, the row by 44 %, the reference by
 * 7 %. */
static void contend(cb_row_samples *row, cb_row_samples *reference, size_t i, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        row->blocks[i].control_ns[k] = reference->blocks[i].control_ns[k] = FIXTURE_CONTROL_NS * 144 / 100;
        row->blocks[i].round_ns[k] = row->blocks[i].round_ns[k] * 144 / 100;
        reference->blocks[i].round_ns[k] = reference->blocks[i].round_ns[k] * 107 / 100;
    }
}

static void verdicts_have_words(void **state)
{
    (void)state;
    assert_string_equal(cb_verdict_word(CB_FASTER), "faster");
    assert_string_equal(cb_verdict_word(CB_SLOWER), "slower");
    assert_string_equal(cb_verdict_word(CB_EQUIVALENT), "equivalent");
    assert_string_equal(cb_verdict_word(CB_INCONCLUSIVE), "inconclusive");
}

static void a_row_equals_itself(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(8, 100, 25, 1000);
    cb_ratio r = compare(&row, &row);
    assert_true(r.ratio.value == 1 && r.all_rounds.value == 1);
    fixture_assert_near(r.ratio.low, exp(-CB_RATIO_FLOOR), 1e-14);
    fixture_assert_near(r.ratio.high, exp(CB_RATIO_FLOOR), 1e-14);
    fixture_assert_near(cb_ratio_half_width(&r), 0.001, 1e-6);
    assert_true(r.uncontended && r.pairs == 200 && r.used_pairs == 200 && r.replicates == 8);
    assert_int_equal(r.verdict, CB_EQUIVALENT);
    assert_int_equal(r.all_rounds_verdict, CB_EQUIVALENT);
    cb_row_samples_free(&row);
}

/* Replicate ratios with one outlier. Expected by python3, with t from the command in test_student.c:
 *   from math import *; from statistics import *
 *   x = sorted(map(log, [1.010, 1.012, 1.008, 1.011, 1.009, 1.013, 1.007, 1.050]))
 *   m = fmean(x[1:7]); w = [x[1]] + x[1:7] + [x[6]]; e = stdev(w) * sqrt(7 / 30)
 *   h = hypot(t * e, 0.001); print(exp(m), exp(m - h), exp(m + h)) */
static void the_interval_matches_python(void **state)
{
    (void)state;
    const double ratios[] = {1.010, 1.012, 1.008, 1.011, 1.009, 1.013, 1.007, 1.050};
    cb_row_samples row = {.n_blocks = 0}, reference = fixture_row(8, 100, 25, 1000);
    for (size_t i = 0; i < 8; i++)
        (void)fixture_row_add(&row, i + 1, 100, 25, 1000 * ratios[i]);
    cb_ratio r = compare(&row, &reference);
    fixture_assert_near(r.ratio.value, 1.01049855682, 1e-10);
    fixture_assert_near(r.ratio.low, 1.00774026267, 1e-10);
    fixture_assert_near(r.ratio.high, 1.01326440072, 1e-10);
    fixture_assert_near(cb_ratio_half_width(&r), (r.ratio.high - r.ratio.low) / 2 / r.ratio.value, 1e-14);
    assert_int_equal(r.verdict, CB_SLOWER);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

/* Without noise the half-width is the floor alone: borders at 1.005 exp(0.001) = 1.0060055 and
 * 1.005 exp(-0.001) = 1.0039955, and at their inverses. */
static void verdicts_follow_the_margin(void **state)
{
    (void)state;
    static const struct {
        double call_ns;
        cb_verdict verdict;
    } cases[] = {{980, CB_FASTER},          {994.03, CB_FASTER},     {994.04, CB_INCONCLUSIVE},
                 {996.02, CB_INCONCLUSIVE}, {996.03, CB_EQUIVALENT}, {1000, CB_EQUIVALENT},
                 {1003.99, CB_EQUIVALENT},  {1004, CB_INCONCLUSIVE}, {1006, CB_INCONCLUSIVE},
                 {1006.01, CB_SLOWER},      {1440, CB_SLOWER}};
    cb_row_samples reference = fixture_row(8, 100, 25, 1000);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_row_samples row = fixture_row(8, 100, 25, cases[i].call_ns);
        cb_ratio r = compare(&row, &reference);
        fixture_assert_near(r.ratio.value, cases[i].call_ns / 1000, 1e-12);
        if (r.verdict != cases[i].verdict)
            fail_msg("%g: %s", cases[i].call_ns, cb_verdict_word(r.verdict));
        cb_row_samples_free(&row);
    }
    cb_row_samples_free(&reference);
}

/* 1.003, 1.005, ..., 1.017: the 90 % interval lies beyond the margin, the 95 % interval does not. */
static void differences_need_the_95_percent_interval(void **state)
{
    (void)state;
    cb_row_samples row = {.n_blocks = 0}, reference = fixture_row(8, 1000, 25, 1000);
    for (unsigned i = 0; i < 8; i++)
        (void)fixture_row_add(&row, i + 1, 1000, 25, 1003 + 2 * i);
    cb_ratio r = compare(&row, &reference);
    assert_true(r.ratio.low > 1 && r.ratio.low < 1 + CB_VERDICT_MARGIN);
    assert_int_equal(r.verdict, CB_INCONCLUSIVE);
    assert_int_equal(compare(&reference, &row).verdict, CB_INCONCLUSIVE);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

/* 0.993, 0.995, ..., 1.007: the 90 % interval lies within the margin, the 95 % interval does not. */
static void equivalence_needs_the_90_percent_interval(void **state)
{
    (void)state;
    cb_row_samples row = {.n_blocks = 0}, reference = fixture_row(8, 1000, 25, 1000);
    for (unsigned i = 0; i < 8; i++)
        (void)fixture_row_add(&row, i + 1, 1000, 25, 993 + 2 * i);
    cb_ratio r = compare(&row, &reference);
    assert_true(r.ratio.low < 1 / (1 + CB_VERDICT_MARGIN) && r.ratio.high > 1 + CB_VERDICT_MARGIN);
    assert_int_equal(r.verdict, CB_EQUIVALENT);
    assert_int_equal(compare(&reference, &row).verdict, CB_EQUIVALENT);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

static void swapping_the_rows_inverts_the_ratio(void **state)
{
    (void)state;
    cb_row_samples a = {.n_blocks = 0}, b = {.n_blocks = 0};
    uint64_t random = 11;
    for (size_t i = 0; i < 8; i++) {
        (void)fixture_row_add(&a, i, 100, 25, 1020 * exp(0.002 * fixture_normal(&random)));
        (void)fixture_row_add(&b, i, 130, 25, 1000 * exp(0.002 * fixture_normal(&random)));
    }
    cb_ratio there = compare(&a, &b), back = compare(&b, &a);
    fixture_assert_near(there.ratio.value * back.ratio.value, 1, 1e-12);
    fixture_assert_near(there.ratio.low * back.ratio.high, 1, 1e-12);
    fixture_assert_near(there.ratio.high * back.ratio.low, 1, 1e-12);
    assert_true(there.verdict == CB_SLOWER && back.verdict == CB_FASTER);
    cb_row_samples_free(&a);
    cb_row_samples_free(&b);
}

/* Both slow down and speed up together by a factor of two: only pairs see the difference of 1 %. */
static void pairing_takes_out_what_is_common(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(8, 100, 25, 1010), reference = fixture_row(8, 100, 25, 1000);
    uint64_t random = 5;
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 25; k++) {
            double common = 1 + fixture_uniform(&random);
            row.blocks[i].round_ns[k] = (uint64_t)llround(101000 * common);
            reference.blocks[i].round_ns[k] = (uint64_t)llround(100000 * common);
        }
    cb_ratio r = compare(&row, &reference);
    fixture_assert_near(r.ratio.value, 1.01, 1e-5);
    assert_int_equal(r.verdict, CB_SLOWER);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

/* Replicates 2, 5 and 7 of 9 are missing on one side or the other, and the sides are in different order. */
static void replicates_are_matched_by_seed(void **state)
{
    (void)state;
    cb_row_samples row = {.n_blocks = 0}, reference = {.n_blocks = 0};
    for (unsigned seed = 1; seed <= 9; seed++)
        if (seed != 2)
            (void)fixture_row_add(&row, seed, 100, 10, 1000 * seed * 1.02);
    for (unsigned seed = 9; seed >= 1; seed--)
        if (seed != 5 && seed != 7)
            (void)fixture_row_add(&reference, seed, 100, 12, 1000 * seed);
    cb_ratio r = compare(&row, &reference);
    fixture_assert_near(r.ratio.value, 1.02, 1e-12);
    assert_true(r.replicates == 6 && r.pairs == 60);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

static void repeated_seeds_pair_in_order(void **state)
{
    (void)state;
    cb_row_samples row = {.n_blocks = 0}, reference = {.n_blocks = 0};
    for (unsigned i = 1; i <= 4; i++) {
        (void)fixture_row_add(&row, 77, 100, 10, 990 * i);
        (void)fixture_row_add(&reference, 77, 100, 10, 1000 * i);
    }
    (void)fixture_row_add(&row, 77, 100, 10, 1);
    cb_ratio r = compare(&row, &reference);
    fixture_assert_near(r.ratio.value, 0.99, 1e-12);
    assert_int_equal(r.replicates, 4);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

static void surplus_rounds_have_no_partner(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(4, 100, 9, 1000), reference = fixture_row(4, 100, 30, 1000);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 9; k < 30; k++)
            reference.blocks[i].round_ns[k] = 1;
    cb_ratio r = compare(&row, &reference);
    assert_true(r.ratio.value == 1 && r.pairs == 36);
    r = compare(&reference, &row);
    assert_true(r.ratio.value == 1 && r.pairs == 36);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

/* Three rounds of four are contended, in every replicate. */
static void contended_rounds_do_not_decide(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(8, 100, 40, 1000), reference = fixture_row(8, 100, 40, 1000);
    for (size_t i = 0; i < 8; i++)
        contend(&row, &reference, i, 0, 30);
    cb_ratio r = compare(&row, &reference);
    assert_true(r.uncontended && r.pairs == 320 && r.used_pairs == 80 && r.replicates == 8);
    assert_true(r.ratio.value == 1);
    assert_int_equal(r.verdict, CB_EQUIVALENT);
    fixture_assert_near(r.all_rounds.value, 1.44 / 1.07, 1e-12);
    assert_int_equal(r.all_rounds_verdict, CB_SLOWER);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

/* A pair counts as contended when one side is. */
static void one_contended_side_spoils_a_pair(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 100, 40, 1000), reference = fixture_row(3, 100, 40, 1000);
    for (size_t i = 0; i < 3; i++) {
        row.blocks[i].control_ns[0] = reference.blocks[i].control_ns[1] = FIXTURE_CONTROL_NS * 2;
        reference.blocks[i].control_ns[2] = FIXTURE_CONTROL_NS * 104 / 100;
    }
    cb_ratio r = compare(&row, &reference);
    assert_true(r.uncontended && r.pairs == 120 && r.used_pairs == 114);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

/* Only the other row's controls tell that one row was contended from end to end. */
static void the_fast_level_is_common_to_both_rows(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(4, 100, 25, 1000), reference = fixture_row(4, 100, 25, 1000);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 25; k++)
            row.blocks[i].control_ns[k] = FIXTURE_CONTROL_NS * 14 / 10;
    assert_false(compare(&row, &reference).uncontended);
    assert_false(compare(&reference, &row).uncontended);
    assert_true(compare(&row, &row).uncontended);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

static void contended_replicates_are_left_out(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(8, 100, 40, 1000), reference = fixture_row(8, 100, 40, 1000);
    for (size_t i = 0; i < 5; i++)
        contend(&row, &reference, i, 0, i == 4 ? 33 : 40);
    cb_ratio r = compare(&row, &reference);
    assert_true(r.uncontended && r.replicates == 3 && r.used_pairs == 120 && r.ratio.value == 1);
    contend(&row, &reference, 7, 0, 32);
    r = compare(&row, &reference);
    assert_true(r.uncontended && r.replicates == 3 && r.used_pairs == 88 && r.ratio.value == 1);
    contend(&row, &reference, 7, 32, 33);
    r = compare(&row, &reference);
    assert_false(r.uncontended);
    assert_true(r.replicates == 8 && r.used_pairs == 320 && r.pairs == 320);
    assert_memory_equal(&r.ratio, &r.all_rounds, sizeof r.ratio);
    assert_int_equal(r.verdict, r.all_rounds_verdict);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

/* A fifth of 10 rounds would be 2; 5 are asked. Blocks of 2 rounds need both. */
static void short_blocks_need_five_rounds_or_all(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(4, 1, 10, 100000), reference = fixture_row(4, 1, 10, 100000);
    contend(&row, &reference, 0, 0, 6);
    contend(&row, &reference, 1, 0, 5);
    cb_ratio r = compare(&row, &reference);
    assert_true(r.uncontended && r.replicates == 3 && r.used_pairs == 25);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);

    row = fixture_row(4, 1, 2, 100000);
    reference = fixture_row(4, 1, 2, 100000);
    contend(&row, &reference, 2, 0, 1);
    r = compare(&row, &reference);
    assert_true(r.uncontended && r.replicates == 3 && r.used_pairs == 6);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

static void fewer_than_3_replicates_are_inconclusive(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 2; n++) {
        cb_row_samples row = fixture_row(n, 100, 25, 5000), reference = fixture_row(n, 100, 25, 1000);
        cb_ratio r = compare(&row, &reference);
        fixture_assert_near(r.ratio.value, 5, 1e-12);
        assert_true(isnan(r.ratio.low) && isnan(r.ratio.high) && isinf(cb_ratio_half_width(&r)));
        assert_true(isnan(r.all_rounds.low) && isnan(r.all_rounds.high));
        assert_true(!r.uncontended && r.replicates == n);
        assert_int_equal(r.verdict, CB_INCONCLUSIVE);
        cb_row_samples_free(&row);
        cb_row_samples_free(&reference);
    }
}

static void one_round_in_each_of_3_replicates_is_enough(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 1, 1, 2000), reference = fixture_row(3, 1, 1, 1000);
    cb_ratio r = compare(&row, &reference);
    assert_true(r.uncontended && r.pairs == 3 && r.used_pairs == 3 && r.replicates == 3);
    fixture_assert_near(r.ratio.value, 2, 1e-14);
    fixture_assert_near(r.ratio.low, 2 * exp(-CB_RATIO_FLOOR), 1e-14);
    fixture_assert_near(r.ratio.high, 2 * exp(CB_RATIO_FLOOR), 1e-14);
    assert_int_equal(r.verdict, CB_SLOWER);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

static void ratios_range_over_nine_decades(void **state)
{
    (void)state;
    cb_row_samples slow = fixture_row(8, 1, 25, 1e9), fast = fixture_row(8, 1000, 25, 1);
    cb_ratio up = compare(&slow, &fast), down = compare(&fast, &slow);
    fixture_assert_near(up.ratio.value, 1e9, 1e-13);
    fixture_assert_near(down.ratio.value, 1e-9, 1e-13);
    assert_true(up.verdict == CB_SLOWER && down.verdict == CB_FASTER);
    fixture_assert_near(cb_ratio_half_width(&up), sinh(CB_RATIO_FLOOR), 1e-9);
    cb_row_samples_free(&slow);
    cb_row_samples_free(&fast);
}

/* The loop takes 20 ns of 120 and 15 ns of 65. */
static void the_loop_cost_of_each_side_is_taken_off(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 100, 25, 120), reference = fixture_row(3, 1000, 25, 65);
    for (size_t i = 0; i < 3; i++) {
        row.blocks[i].loop_ns = 20;
        reference.blocks[i].loop_ns = 15;
    }
    cb_ratio r = compare(&row, &reference);
    fixture_assert_near(r.ratio.value, 2, 1e-14);
    cb_row_samples_free(&row);
    cb_row_samples_free(&reference);
}

static void times_of_0_have_a_ratio(void **state)
{
    (void)state;
    cb_row_samples nothing = fixture_row(5, 1000, 10, 0), something = fixture_row(5, 1000, 10, 20);
    cb_ratio both = compare(&nothing, &nothing), one = compare(&nothing, &something);
    assert_true(both.ratio.value == 1 && both.verdict == CB_EQUIVALENT);
    fixture_assert_near(one.ratio.value, CB_LOG_FLOOR_NS / 20, 1e-12);
    assert_interval_finite(&one.ratio);
    assert_int_equal(one.verdict, CB_FASTER);
    cb_row_samples_free(&nothing);
    cb_row_samples_free(&something);
}

static void extreme_rounds_give_finite_figures(void **state)
{
    (void)state;
    const uint64_t values[] = {0, 1, 1000000000, UINT64_MAX};
    for (size_t n = 3; n <= 27; n++) {
        cb_row_samples row = fixture_row(n, 1, 5, 1), reference = fixture_row(n, 1, 5, 1);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < 5; k++) {
                row.blocks[i].round_ns[k] = values[i % 4];
                reference.blocks[i].round_ns[k] = values[3 - (i + 1) % 4];
                reference.blocks[i].control_ns[k] = values[k % 4];
            }
        cb_ratio r = compare(&row, &reference);
        assert_interval_finite(&r.ratio);
        assert_interval_finite(&r.all_rounds);
        assert_true(isfinite(cb_ratio_half_width(&r)));
        assert_int_equal(r.all_rounds_verdict, CB_INCONCLUSIVE);
        cb_row_samples_free(&row);
        cb_row_samples_free(&reference);
    }
}

static void assert_refused(const cb_row_samples *row, const cb_row_samples *reference, cb_status status)
{
    cb_ratio ratio, before;
    cb_err err;
    memset(&ratio, 0x55, sizeof ratio);
    memcpy(&before, &ratio, sizeof before);
    assert_int_equal(cb_ratio_make(&ratio, row, reference, &err), status);
    assert_int_equal(err.code, status);
    assert_memory_equal(&ratio, &before, sizeof ratio);
}

static void rows_without_a_common_replicate_are_refused(void **state)
{
    (void)state;
    cb_row_samples none = {.n_blocks = 0}, row = fixture_row(3, 100, 25, 1000), other = {.n_blocks = 0};
    (void)fixture_row_add(&other, 1, 0, 25, 1000);
    (void)fixture_row_add(&other, 2, 100, 0, 1000);
    (void)fixture_row_add(&other, 99, 100, 25, 1000);
    assert_refused(&none, &none, CB_UNSUPPORTED);
    assert_refused(&none, &row, CB_UNSUPPORTED);
    assert_refused(&row, &none, CB_UNSUPPORTED);
    assert_refused(&row, &other, CB_UNSUPPORTED);
    assert_refused(&other, &row, CB_UNSUPPORTED);
    cb_row_samples_free(&row);
    cb_row_samples_free(&other);
}

static void failed_rows_are_refused(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 100, 25, 1000), failed = fixture_row(3, 100, 25, 1000);
    (void)cb_fail(&failed.status, CB_WRONG_OUTPUT, "differs");
    assert_refused(&row, &failed, CB_WRONG_OUTPUT);
    assert_refused(&failed, &row, CB_WRONG_OUTPUT);
    cb_row_samples_free(&row);
    cb_row_samples_free(&failed);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(3, 10, 5, 100);
    unsigned successes = 0;
    for (;; successes++) {
        cb_ratio ratio;
        fixture_allocation_fail_after(successes);
        cb_status status = cb_ratio_make(&ratio, &row, &row, NULL);
        if (!fixture_allocation_failed()) {
            assert_int_equal(status, CB_OK);
            break;
        }
        assert_int_equal(status, CB_OUT_OF_MEMORY);
    }
    assert_int_equal(successes, 3);
    cb_row_samples_free(&row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_have_words),
        cmocka_unit_test(a_row_equals_itself),
        cmocka_unit_test(the_interval_matches_python),
        cmocka_unit_test(verdicts_follow_the_margin),
        cmocka_unit_test(differences_need_the_95_percent_interval),
        cmocka_unit_test(equivalence_needs_the_90_percent_interval),
        cmocka_unit_test(swapping_the_rows_inverts_the_ratio),
        cmocka_unit_test(pairing_takes_out_what_is_common),
        cmocka_unit_test(replicates_are_matched_by_seed),
        cmocka_unit_test(repeated_seeds_pair_in_order),
        cmocka_unit_test(surplus_rounds_have_no_partner),
        cmocka_unit_test(contended_rounds_do_not_decide),
        cmocka_unit_test(one_contended_side_spoils_a_pair),
        cmocka_unit_test(the_fast_level_is_common_to_both_rows),
        cmocka_unit_test(contended_replicates_are_left_out),
        cmocka_unit_test(short_blocks_need_five_rounds_or_all),
        cmocka_unit_test(fewer_than_3_replicates_are_inconclusive),
        cmocka_unit_test(one_round_in_each_of_3_replicates_is_enough),
        cmocka_unit_test(ratios_range_over_nine_decades),
        cmocka_unit_test(the_loop_cost_of_each_side_is_taken_off),
        cmocka_unit_test(times_of_0_have_a_ratio),
        cmocka_unit_test(extreme_rounds_give_finite_figures),
        cmocka_unit_test(rows_without_a_common_replicate_are_refused),
        cmocka_unit_test(failed_rows_are_refused),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("ratio", tests, NULL, NULL);
}
