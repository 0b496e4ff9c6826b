#include "stats/trimmed.h"

#include "stats/quantile.h"
#include "stats/statistics.h"
#include "stats/student.h"

#include <math.h>

size_t cb_trim_count(size_t n)
{
    if (n < 5)
        return 0;
    return n < 12 ? 1 : n / 8;
}

/* Relative to an origin among the values, so that equal values have exactly their mean and variance 0. */
static double trimmed_mean(const double *ascending, size_t n, size_t g)
{
    double origin = ascending[n / 2], sum = 0;
    for (size_t i = g; i < n - g; i++)
        sum += ascending[i] - origin;
    return origin + sum / (double)(n - 2 * g);
}

static double winsorised(const double *ascending, size_t n, size_t g, size_t i)
{
    if (i < g)
        return ascending[g];
    return i < n - g ? ascending[i] : ascending[n - g - 1];
}

static double winsorised_variance(const double *ascending, size_t n, size_t g)
{
    double origin = ascending[n / 2], sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += winsorised(ascending, n, g, i) - origin;
    double mean = origin + sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double deviation = winsorised(ascending, n, g, i) - mean;
        squares += deviation * deviation;
    }
    return squares / (double)(n - 1);
}

cb_trimmed cb_trimmed_make(double *values, size_t n, size_t g)
{
    cb_trimmed trimmed = {.n = n, .g = g, .mean = NAN, .variance = NAN, .standard_error = NAN, .df = 0};
    if (g >= n || n - g <= g)
        return trimmed;
    size_t left = n - 2 * g;
    cb_sort_doubles(values, n);
    trimmed.mean = trimmed_mean(values, n, g);
    trimmed.df = (double)(left - 1);
    if (left < 2)
        return trimmed;
    trimmed.variance = winsorised_variance(values, n, g);
    trimmed.standard_error =
        sqrt(trimmed.variance) * sqrt((double)(n - 1) / ((double)left * (double)(left - 1)));
    return trimmed;
}

double cb_trimmed_half_width(const cb_trimmed *trimmed, double confidence)
{
    if (trimmed->n < CB_INTERVAL_REPLICATES)
        return NAN;
    return cb_student_quantile(confidence, trimmed->df) * trimmed->standard_error;
}
