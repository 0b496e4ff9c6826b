#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_samples.h"
#include "stats/student.h"

#include <math.h>

typedef struct critical {
    double df, t90, t95, t99;
} critical;

/* To three decimals: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, columns 0.95, 0.975, 0.995.
 */
static const critical published[] = {
    {1, 6.314, 12.706, 63.657},      {2, 2.920, 4.303, 9.925},  {3, 2.353, 3.182, 5.841},
    {4, 2.132, 2.776, 4.604},        {5, 2.015, 2.571, 4.032},  {6, 1.943, 2.447, 3.707},
    {7, 1.895, 2.365, 3.499},        {8, 1.860, 2.306, 3.355},  {9, 1.833, 2.262, 3.250},
    {10, 1.812, 2.228, 3.169},       {11, 1.796, 2.201, 3.106}, {12, 1.782, 2.179, 3.055},
    {13, 1.771, 2.160, 3.012},       {14, 1.761, 2.145, 2.977}, {15, 1.753, 2.131, 2.947},
    {16, 1.746, 2.120, 2.921},       {17, 1.740, 2.110, 2.898}, {18, 1.734, 2.101, 2.878},
    {19, 1.729, 2.093, 2.861},       {20, 1.725, 2.086, 2.845}, {21, 1.721, 2.080, 2.831},
    {22, 1.717, 2.074, 2.819},       {23, 1.714, 2.069, 2.807}, {24, 1.711, 2.064, 2.797},
    {25, 1.708, 2.060, 2.787},       {26, 1.706, 2.056, 2.779}, {27, 1.703, 2.052, 2.771},
    {28, 1.701, 2.048, 2.763},       {29, 1.699, 2.045, 2.756}, {30, 1.697, 2.042, 2.750},
    {40, 1.684, 2.021, 2.704},       {60, 1.671, 2.000, 2.660}, {100, 1.660, 1.984, 2.626},
    {INFINITY, 1.645, 1.960, 2.576},
};

/* Computed another way, Simpson's rule on P(|T| <= t) = 2 Gamma((v + 1) / 2) / (Gamma(v / 2) sqrt(pi)) times
 * the integral of cos(x)^(v - 1) from 0 to atan(t / sqrt(v)), by python3:
 *   from math import *
 *   def inside(t, v, n=4000):
 *       h = atan(t / sqrt(v)) / n
 *       s = sum((1 if i in (0, n) else 4 if i % 2 else 2) * cos(i * h) ** (v - 1) for i in range(n + 1))
 *       return 2 * exp(lgamma((v + 1) / 2) - lgamma(v / 2)) / sqrt(pi) * s * h / 3
 *   def quantile(c, v):
 *       a, b = 0, 1e3
 *       for _ in range(80):
 *           m = (a + b) / 2
 *           a, b = (m, b) if inside(m, v) < c else (a, m)
 *       return a
 *   print("%.12g" % quantile(0.95, 7)) */
static const critical computed[] = {
    {1, 6.31375151468, 12.7062047362, 63.6567411629},     {1.5, 3.7051808201, 6.01666310443, 17.8203105145},
    {2, 2.91998558035, 4.30265272975, 9.92484320092},     {3, 2.3533634348, 3.18244630528, 5.84090930973},
    {4, 2.13184678633, 2.7764451052, 4.60409487135},      {5.25, 1.99404445468, 2.53419680047, 3.93510857351},
    {7, 1.89457860509, 2.36462425159, 3.49948329735},     {10, 1.81246112281, 2.22813885199, 3.16927267262},
    {16, 1.74588367628, 2.11990529922, 2.92078162243},    {20, 1.72471824292, 2.08596344727, 2.84533970979},
    {26, 1.70561791976, 2.05552943864, 2.77871453333},    {60, 1.6706488649, 2.00029782201, 2.66028302886},
    {100.5, 1.66015709237, 1.98385065534, 2.62563696538}, {120, 1.65765089936, 1.97993040508, 2.61742114511},
    {1000, 1.64637881729, 1.96233908083, 2.58075469806},
};

static void quantiles_match_published_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const critical *row = &published[i];
        assert_true(fabs(cb_student_quantile(0.90, row->df) - row->t90) < 0.00051);
        assert_true(fabs(cb_student_quantile(0.95, row->df) - row->t95) < 0.00051);
        assert_true(fabs(cb_student_quantile(0.99, row->df) - row->t99) < 0.00051);
    }
}

static void quantiles_match_integration(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++) {
        const critical *row = &computed[i];
        fixture_assert_near(cb_student_quantile(0.90, row->df), row->t90, 2e-11);
        fixture_assert_near(cb_student_quantile(0.95, row->df), row->t95, 2e-11);
        fixture_assert_near(cb_student_quantile(0.99, row->df), row->t99, 2e-11);
    }
}

/* Closed forms of the tail: 1 - 2 atan(t) / pi for one degree of freedom, 1 - t / sqrt(2 + t^2) for two. */
static void tails_match_closed_forms(void **state)
{
    (void)state;
    for (double t = 0.001; t < 1e4; t *= 3) {
        fixture_assert_near(cb_student_tail(t, 1), 2 * atan(1 / t) / acos(-1.0), 1e-12);
        fixture_assert_near(cb_student_tail(t, 2), 2 / (2 + t * t + t * sqrt(2 + t * t)), 1e-12);
    }
}

/* The same python3: 1 - inside(t, v). */
static void tails_match_integration(void **state)
{
    (void)state;
    fixture_assert_near(cb_student_tail(1, 1), 0.5, 1e-13);
    fixture_assert_near(cb_student_tail(2, 5), 0.10193947883, 1e-10);
    fixture_assert_near(cb_student_tail(3.5, 9.5), 0.00618891257634, 1e-10);
    fixture_assert_near(cb_student_tail(0.25, 30), 0.804291409081, 1e-10);
    assert_true(cb_student_tail(-2, 5) == cb_student_tail(2, 5));
    assert_true(cb_student_tail(0, 5) == 1);
    assert_true(cb_student_tail(INFINITY, 5) == 0);
}

/* Closed forms again, for quantiles: tan(pi c / 2) for one degree of freedom, c sqrt(2 / (1 - c^2)) for two.
 */
static void quantiles_match_closed_forms(void **state)
{
    (void)state;
    for (double tail = 0.5; tail > 1e-12; tail /= 2) {
        fixture_assert_near(cb_student_quantile(1 - tail, 1), 1 / tan(acos(-1.0) * tail / 2), 1e-12);
        fixture_assert_near(cb_student_quantile(1 - tail, 2), (1 - tail) * sqrt(2 / (tail * (2 - tail))),
                            1e-12);
    }
}

static void extreme_confidences_have_finite_quantiles(void **state)
{
    (void)state;
    const double dfs[] = {1, 1.5, 7, 1000, 1e6, INFINITY};
    const double confidences[] = {0x1p-1074, 1e-300, 1e-10, 1e-4, 0.5, 1 - 1e-10, 1 - 0x1p-53};
    for (size_t i = 0; i < sizeof dfs / sizeof dfs[0]; i++) {
        double last = 0;
        for (size_t k = 0; k < sizeof confidences / sizeof confidences[0]; k++) {
            double t = cb_student_quantile(confidences[k], dfs[i]);
            assert_true(isfinite(t) && t > 0 && t >= last);
            last = t;
        }
    }
    fixture_assert_near(cb_student_quantile(1 - 0x1p-53, 1), 2 / acos(-1.0) * 0x1p53, 1e-12);
}

static void quantile_and_tail_are_inverse(void **state)
{
    (void)state;
    const double confidences[] = {0.01, 0.5, 0.8, 0.9, 0.95, 0.99, 0.9999};
    for (size_t i = 0; i < sizeof confidences / sizeof confidences[0]; i++)
        for (double df = 1; df <= 1000; df *= 1.7)
            fixture_assert_near(1 - cb_student_tail(cb_student_quantile(confidences[i], df), df),
                                confidences[i], 1e-11);
}

static void many_degrees_of_freedom_are_almost_normal(void **state)
{
    (void)state;
    double last = cb_student_quantile(0.95, 1);
    for (double df = 1.25; df < 5e5; df *= 1.25) {
        double t = cb_student_quantile(0.95, df);
        assert_true(t < last);
        last = t;
    }
    fixture_assert_near(cb_student_quantile(0.95, 1e6), 1.959966356814, 1e-8);
    fixture_assert_near(cb_student_quantile(0.95, 1e6), 1.959963984540, 2e-6);
    assert_true(cb_student_quantile(0.95, 1e12) == cb_student_quantile(0.95, 1e6));
    assert_true(cb_student_quantile(0.95, INFINITY) == cb_student_quantile(0.95, 1e6));
}

static void what_has_no_answer_is_nan(void **state)
{
    (void)state;
    assert_true(isnan(cb_student_quantile(0.95, 0.5)));
    assert_true(isnan(cb_student_quantile(0.95, 0)));
    assert_true(isnan(cb_student_quantile(0.95, NAN)));
    assert_true(isnan(cb_student_quantile(0, 5)));
    assert_true(isnan(cb_student_quantile(1, 5)));
    assert_true(isnan(cb_student_quantile(NAN, 5)));
    assert_true(isnan(cb_student_tail(NAN, 5)));
    assert_true(isnan(cb_student_tail(1, 0.9)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_match_published_tables),
        cmocka_unit_test(quantiles_match_integration),
        cmocka_unit_test(tails_match_closed_forms),
        cmocka_unit_test(tails_match_integration),
        cmocka_unit_test(quantiles_match_closed_forms),
        cmocka_unit_test(extreme_confidences_have_finite_quantiles),
        cmocka_unit_test(quantile_and_tail_are_inverse),
        cmocka_unit_test(many_degrees_of_freedom_are_almost_normal),
        cmocka_unit_test(what_has_no_answer_is_nan),
    };
    return cmocka_run_group_tests_name("student", tests, NULL, NULL);
}
