/* Order statistics. One definition of a quantile for the whole tool: Hyndman and Fan's type 7, linear between
 * the order statistics with the k-th of n at (k - 1) / (n - 1) (Sample Quantiles in Statistical Packages, The
 * American Statistician 50(4), 1996, 361-365); at 1/2 it is the usual median. Values may not be NaN. */
#ifndef CB_STATS_QUANTILE_H
#define CB_STATS_QUANTILE_H

#include <stddef.h>

/* Ascending, in place. */
void cb_sort_doubles(double *values, size_t n);

/* The quantile p of n ascending values; p outside [0, 1] counts as the nearer end. NaN when n is 0. */
double cb_quantile_sorted(const double *ascending, size_t n, double p);

/* Sorts the values and returns their median. NaN when n is 0. */
double cb_median(double *values, size_t n);

#endif
