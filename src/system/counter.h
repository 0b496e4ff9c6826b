/* What the clocks of this processor cost and how fast its counter runs. */
#ifndef CB_SYSTEM_COUNTER_H
#define CB_SYSTEM_COUNTER_H

#include "system/clock.h"

/* Rate of the time-stamp counter (x86) or the generic counter (Arm), measured for about 10 ms of reading
 * clocks; NaN on other processors. */
double cb_counter_ghz(void);

/* Nanoseconds that one reading of the clock takes: the least of several short rows of readings. */
double cb_counter_read_cost_ns(const cb_clock *clock);

#endif
