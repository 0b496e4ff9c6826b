#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

static int values_order(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void cb_sort_doubles(double *values, size_t n)
{
    if (n > 1)
        qsort(values, n, sizeof *values, values_order);
}

double cb_quantile_sorted(const double *ascending, size_t n, double p)
{
    if (n == 0)
        return NAN;
    double position = (double)(n - 1) * fmin(fmax(p, 0.0), 1.0);
    size_t below = (size_t)position;
    if (below >= n - 1)
        return ascending[n - 1];
    double low = ascending[below], high = ascending[below + 1];
    return low + (position - (double)below) * (high - low);
}

double cb_median(double *values, size_t n)
{
    cb_sort_doubles(values, n);
    return cb_quantile_sorted(values, n, 0.5);
}
