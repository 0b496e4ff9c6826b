#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_samples.h"
#include "stats/trimmed.h"

#include <math.h>
#include <string.h>

/* Self-awareness data of Wilcox, Introduction to Robust Estimation and Hypothesis Testing. */
static const double awareness[] = {77,  87,  88,  114, 151, 210, 219, 246,  253, 262,
                                   296, 299, 306, 376, 428, 515, 666, 1310, 2611};
#define N_AWARENESS 19

static cb_trimmed awareness_trimmed(size_t g)
{
    double values[N_AWARENESS];
    memcpy(values, awareness, sizeof values);
    return cb_trimmed_make(values, N_AWARENESS, g);
}

static void trim_counts_follow_the_rule(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2,
                                    2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5};
    for (size_t n = 0; n <= 40; n++)
        assert_int_equal(cb_trim_count(n), counts[n]);
    assert_int_equal(cb_trim_count(100), 12);
}

/* Base SAS Procedures Guide: Statistical Procedures, the systolic blood pressures of example 4.1 (in another
 * order here) and their trimmed means in output 4.11.1. */
static void the_interval_matches_published_figures(void **state)
{
    (void)state;
    static const double systolic[] = {120, 96,  100, 120, 140, 120, 165, 110, 119, 125, 133,
                                      108, 110, 130, 120, 134, 118, 122, 122, 122, 112, 122};
    static const struct {
        size_t g;
        double mean, standard_error, low, high, df;
    } published[] = {{1, 120.35, 2.573536, 114.9635, 125.7365, 19},
                     {3, 120.3125, 2.395387, 115.2069, 125.4181, 15}};
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        double values[22];
        memcpy(values, systolic, sizeof values);
        cb_trimmed trimmed = cb_trimmed_make(values, 22, published[i].g);
        double half = cb_trimmed_half_width(&trimmed, 0.95);
        fixture_assert_near(trimmed.mean, published[i].mean, 1e-14);
        assert_true(fabs(trimmed.standard_error - published[i].standard_error) < 0.51e-6);
        assert_true(fabs(trimmed.mean - half - published[i].low) < 0.51e-4);
        assert_true(fabs(trimmed.mean + half - published[i].high) < 0.51e-4);
        assert_true(trimmed.df == published[i].df && trimmed.n == 22 && trimmed.g == published[i].g);
    }
}

/* Wilcox's book: the 20 % trimmed mean of these data is 282.7, their Winsorised variance 21551.4. */
static void wilcox_has_the_same_mean_and_variance(void **state)
{
    (void)state;
    cb_trimmed trimmed = awareness_trimmed(3);
    assert_true(fabs(trimmed.mean - 282.7) < 0.05);
    assert_true(fabs(trimmed.variance - 21551.4) < 0.05);
    assert_true(trimmed.df == 12);
}

/* Expected, with x sorted, g values set aside and t from the command in test_student.c, by python3:
 *   from statistics import fmean, variance
 *   n = len(x); h = n - 2 * g; w = [x[g]] * g + x[g:n - g] + [x[n - g - 1]] * g
 *   m = fmean(x[g:n - g]); e = (variance(w) * (n - 1) / (h * (h - 1))) ** 0.5; print(m, e, m - t * e, m + t *
 * e)
 */
static void other_amounts_of_trimming_match_python(void **state)
{
    (void)state;
    static const struct {
        size_t g;
        double mean, standard_error, low, high;
    } expected[] = {{0, 448.105263158, 136.417357, 161.503031165, 734.707495151},
                    {1, 342.705882353, 92.6374679295, 146.323223183, 539.088541523},
                    {2, 295.266666667, 56.9129969608, 173.200428416, 417.332904918},
                    {3, 282.692307692, 49.8668537599, 174.041766945, 391.34284844}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cb_trimmed trimmed = awareness_trimmed(expected[i].g);
        double half = cb_trimmed_half_width(&trimmed, 0.95);
        fixture_assert_near(trimmed.mean, expected[i].mean, 1e-11);
        fixture_assert_near(trimmed.standard_error, expected[i].standard_error, 1e-8);
        fixture_assert_near(trimmed.mean - half, expected[i].low, 1e-8);
        fixture_assert_near(trimmed.mean + half, expected[i].high, 1e-8);
    }
}

static void a_wild_value_at_each_end_changes_nothing(void **state)
{
    (void)state;
    double tame[] = {1, 2, 3, 4, 5, 6, 7, 8}, wild[] = {1e9, 4, 3, 7, -1e9, 6, 5, 2};
    cb_trimmed a = cb_trimmed_make(tame, 8, 1), b = cb_trimmed_make(wild, 8, 1);
    assert_true(a.mean == 4.5 && b.mean == 4.5);
    assert_true(a.variance == b.variance && a.standard_error == b.standard_error && a.df == 5);
}

static void equal_values_have_an_interval_of_width_0(void **state)
{
    (void)state;
    double values[11];
    for (size_t n = 3; n <= 11; n++) {
        for (size_t i = 0; i < n; i++)
            values[i] = 0.1;
        cb_trimmed trimmed = cb_trimmed_make(values, n, cb_trim_count(n));
        assert_true(trimmed.mean == 0.1 && trimmed.variance == 0);
        assert_true(cb_trimmed_half_width(&trimmed, 0.95) == 0);
    }
}

static void too_few_values_have_no_interval(void **state)
{
    (void)state;
    double values[] = {4, 2, 6};
    cb_trimmed none = cb_trimmed_make(values, 0, 0), one = cb_trimmed_make(values, 1, 0),
               two = cb_trimmed_make(values, 2, 0), over = cb_trimmed_make(values, 2, 1),
               three = cb_trimmed_make(values, 3, 0);
    assert_true(isnan(none.mean) && isnan(over.mean) && one.mean == 4 && two.mean == 3 && three.mean == 4);
    assert_true(isnan(cb_trimmed_half_width(&none, 0.95)) && isnan(cb_trimmed_half_width(&one, 0.95)));
    assert_true(isnan(cb_trimmed_half_width(&two, 0.95)) && isnan(cb_trimmed_half_width(&over, 0.95)));
    fixture_assert_near(cb_trimmed_half_width(&three, 0.95), 4.30265272975 * 2 / sqrt(3), 1e-11);
    cb_trimmed middle = cb_trimmed_make(values, 3, 1);
    assert_true(middle.mean == 4 && isnan(middle.variance) && isnan(middle.standard_error));
    assert_true(isnan(cb_trimmed_half_width(&middle, 0.95)));
    cb_trimmed beyond = cb_trimmed_make(values, 3, SIZE_MAX);
    assert_true(isnan(beyond.mean) && isnan(cb_trimmed_half_width(&beyond, 0.95)));
}

/* Share of 4000 samples of n whose 95 % interval holds the true location 0. Every tenth value or so comes
 * from a distribution ten times as wide when wild is set. */
static double coverage(size_t n, double wild, uint64_t seed)
{
    double values[27];
    size_t held = 0, draws = 4000;
    for (size_t i = 0; i < draws; i++) {
        for (size_t k = 0; k < n; k++)
            values[k] = fixture_normal(&seed) * (fixture_uniform(&seed) < wild ? 10 : 1);
        cb_trimmed trimmed = cb_trimmed_make(values, n, cb_trim_count(n));
        held += fabs(trimmed.mean) <= cb_trimmed_half_width(&trimmed, 0.95);
    }
    return (double)held / (double)draws;
}

static void normal_samples_are_covered_19_times_in_20(void **state)
{
    (void)state;
    const size_t counts[] = {3, 4, 5, 8, 12, 18, 20, 27};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        double share = coverage(counts[i], 0, 20240101 + i);
        if (!(share > 0.93 && share < 0.97))
            fail_msg("n = %zu: coverage %.4f", counts[i], share);
    }
}

static void samples_with_outliers_are_covered_too(void **state)
{
    (void)state;
    const size_t counts[] = {8, 12, 18, 20, 27};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        double share = coverage(counts[i], 0.1, 20240201 + i);
        if (!(share > 0.94 && share < 0.99))
            fail_msg("n = %zu: coverage %.4f", counts[i], share);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trim_counts_follow_the_rule),
        cmocka_unit_test(the_interval_matches_published_figures),
        cmocka_unit_test(wilcox_has_the_same_mean_and_variance),
        cmocka_unit_test(other_amounts_of_trimming_match_python),
        cmocka_unit_test(a_wild_value_at_each_end_changes_nothing),
        cmocka_unit_test(equal_values_have_an_interval_of_width_0),
        cmocka_unit_test(too_few_values_have_no_interval),
        cmocka_unit_test(normal_samples_are_covered_19_times_in_20),
        cmocka_unit_test(samples_with_outliers_are_covered_too),
    };
    return cmocka_run_group_tests_name("trimmed", tests, NULL, NULL);
}
