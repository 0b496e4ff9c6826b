/* Rows of samples with known durations, for what reads them. */
#ifndef CB_UNIT_SCRIPTED_SAMPLES_H
#define CB_UNIT_SCRIPTED_SAMPLES_H

#include "stats/samples.h"

/* Adds a block of 8 rounds of 1000 calls that each took round_ns, as the replicate number `seed`. */
void scripted_block_add(cb_row_samples *row, uint64_t seed, uint64_t round_ns);

#endif
