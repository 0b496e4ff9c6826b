#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_samples.h"
#include "stats/quantile.h"

#include <math.h>

/* Self-awareness data of Wilcox, Introduction to Robust Estimation and Hypothesis Testing, here out of order.
 */
static const double awareness[] = {2611, 77,  299, 87,  88,  1310, 114, 151, 666, 210,
                                   515,  219, 246, 428, 253, 262,  296, 306, 376};
#define N_AWARENESS (sizeof awareness / sizeof awareness[0])

static void copy_awareness(double *values)
{
    for (size_t i = 0; i < N_AWARENESS; i++)
        values[i] = awareness[i];
}

static void sorting_is_ascending_and_keeps_every_value(void **state)
{
    (void)state;
    double values[] = {3, -1, 2, 3, 0, 1e9, -1e9, 0.001};
    const double expected[] = {-1e9, -1, 0, 0.001, 2, 3, 3, 1e9};
    cb_sort_doubles(values, 8);
    assert_memory_equal(values, expected, sizeof values);
    cb_sort_doubles(values, 1);
    cb_sort_doubles(NULL, 0);
    assert_memory_equal(values, expected, sizeof values);
}

/* Expected: python3 -c 'from statistics import quantiles; print(quantiles(DATA, n=10, method="inclusive"))',
 * which is type 7. */
static void deciles_match_python(void **state)
{
    (void)state;
    const double deciles[] = {87.8, 136.2, 213.6, 247.4, 262.0, 298.4, 348.0, 462.8, 794.8};
    double values[N_AWARENESS];
    copy_awareness(values);
    cb_sort_doubles(values, N_AWARENESS);
    for (size_t i = 0; i < 9; i++)
        fixture_assert_near(cb_quantile_sorted(values, N_AWARENESS, (double)(i + 1) / 10), deciles[i], 1e-12);
}

static void quartiles_of_one_to_ten_are_type_7(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    assert_true(cb_quantile_sorted(values, 10, 0.25) == 3.25);
    assert_true(cb_quantile_sorted(values, 10, 0.5) == 5.5);
    assert_true(cb_quantile_sorted(values, 10, 0.75) == 7.75);
}

static void the_ends_are_the_extremes(void **state)
{
    (void)state;
    const double values[] = {4, 5, 9};
    assert_true(cb_quantile_sorted(values, 3, 0) == 4);
    assert_true(cb_quantile_sorted(values, 3, 1) == 9);
    assert_true(cb_quantile_sorted(values, 3, -0.5) == 4);
    assert_true(cb_quantile_sorted(values, 3, 1.5) == 9);
    for (double p = 0; p <= 1; p += 0.125)
        assert_true(cb_quantile_sorted(values + 1, 1, p) == 5);
}

static void medians(void **state)
{
    (void)state;
    double odd[N_AWARENESS], even[] = {9, 1, 7, 3}, two[] = {8, 4}, one[] = {6}, equal[] = {2, 2, 2, 2};
    copy_awareness(odd);
    assert_true(cb_median(odd, N_AWARENESS) == 262);
    assert_true(cb_median(even, 4) == 5);
    assert_true(cb_median(two, 2) == 6);
    assert_true(cb_median(one, 1) == 6);
    assert_true(cb_median(equal, 4) == 2);
}

static void nothing_has_no_quantile(void **state)
{
    (void)state;
    assert_true(isnan(cb_quantile_sorted(NULL, 0, 0.5)));
    assert_true(isnan(cb_median(NULL, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_is_ascending_and_keeps_every_value),
        cmocka_unit_test(deciles_match_python),
        cmocka_unit_test(quartiles_of_one_to_ten_are_type_7),
        cmocka_unit_test(the_ends_are_the_extremes),
        cmocka_unit_test(medians),
        cmocka_unit_test(nothing_has_no_quantile),
    };
    return cmocka_run_group_tests_name("quantile", tests, NULL, NULL);
}
