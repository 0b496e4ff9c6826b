/* Numbers for people: a fitting unit, few digits, plain ASCII, in the C locale. Each writes a terminated
 * cell.
 */
#ifndef CB_REPORT_UNITS_H
#define CB_REPORT_UNITS_H

#include <stddef.h>

/* Room for any cell of this module. */
#define CB_CELL_BYTES 32

/* "112.3 ns", "1.234 us", "12.34 ms", "1.234 s": four significant digits. */
void cb_units_time(char cell[CB_CELL_BYTES], double ns);

/* "0.13 %", "1.3 %", "13 %" for 0.0013, 0.013, 0.13: rounded up, because it tells how far a number can be
 * wrong.
 * "? %" when it is not finite. */
void cb_units_percent(char cell[CB_CELL_BYTES], double fraction);

/* A message size: "0 B", "64 B", "1 KiB", "1500 B", "100 MiB"; a larger unit only where it is exact. */
void cb_units_size(char cell[CB_CELL_BYTES], size_t bytes);

/* "543 MiB/s", "1.02 GiB/s": three significant digits, 1 KiB = 1024 bytes. */
void cb_units_throughput(char cell[CB_CELL_BYTES], double bytes_per_s);

/* "812 op/s", "8.12 kop/s", "81.2 Mop/s". */
void cb_units_operations(char cell[CB_CELL_BYTES], double per_s);

/* How many times as fast, at least 1: "1.006x", "1.72x", "17.2x", "172x". */
void cb_units_factor(char cell[CB_CELL_BYTES], double factor);

#endif
