#include "stats/student.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double DF_MAX = 1e6; /* beyond it t differs from the normal by less than 2e-6 at 95 % */

static double away_from_zero(double x)
{
    return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* The continued fraction of DLMF 8.17.22 by the modified Lentz algorithm (Thompson and Barnett, J. Comput.
 * Phys. 64, 1986). Converges fast for x < (a + 1) / (a + b + 2): in O(sqrt(max(a, b))) steps. */
static double beta_fraction(double x, double a, double b)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
    for (unsigned i = 1; i <= 20000; i++) {
        double m = i;
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= c * d;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        value *= c * d;
        if (fabs(c * d - 1) < 2 * DBL_EPSILON)
            break;
    }
    return value;
}

static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign); /* lgamma() writes a global */
}

/* I_x(a, b); y is 1 - x, given apart because it may be too small to subtract. */
static double incomplete_beta(double x, double y, double a, double b)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    double front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(y, b, a) / b;
}

double cb_student_tail(double t, double df)
{
    if (!(df >= 1) || isnan(t))
        return NAN;
    if (isinf(t))
        return 0;
    df = fmin(df, DF_MAX);
    double ratio = t / sqrt(df), square = ratio * ratio;
    return incomplete_beta(1 / (1 + square), square / (1 + square), df / 2, 0.5);
}

double cb_student_quantile(double confidence, double df)
{
    if (!(confidence > 0 && confidence < 1 && df >= 1))
        return NAN;
    double tail = 1 - confidence, low = 0, high = 1;
    while (cb_student_tail(high, df) > tail)
        high *= 2;
    /* Bisection to neighbouring doubles: the tail falls strictly, and 60 evaluations cost microseconds. */
    double middle = high / 2;
    while (middle > low && middle < high) {
        bool beyond = cb_student_tail(middle, df) <= tail;
        low = beyond ? low : middle;
        high = beyond ? middle : high;
        middle = low + (high - low) / 2;
    }
    return high;
}
