/* Student's t distribution. */
#ifndef CB_STATS_STUDENT_H
#define CB_STATS_STUDENT_H

/* P(|T| > t) for df degrees of freedom: I_x(df / 2, 1 / 2) with x = df / (df + t^2) (Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 26.7.1), the incomplete beta function by its continued fraction (NIST
 * DLMF 8.17.22, 8.17.4). df may be any real number from 1; above 1e6 it counts as 1e6. NaN when df is below 1
 * or an argument is NaN. Relative error below 1e-10 up to df = 1000. */
double cb_student_tail(double t, double df);

/* The t with P(|T| <= t) = confidence, two-sided: 12.706 for 0.95 and df = 1. The same range of df; NaN
 * unless 0 < confidence < 1. Relative error below 1e-10 for confidences from 0.01 to 0.9999 and df up to
 * 1000. */
double cb_student_quantile(double confidence, double df);

#endif
