/* Rows of samples made to measure, random numbers that repeat, and an allocator that fails on request. */
#ifndef CB_FIXTURE_SAMPLES_H
#define CB_FIXTURE_SAMPLES_H

#include "stats/samples.h"

#include <stdbool.h>

#define FIXTURE_CONTROL_NS 10000

/* A block whose rounds all take batch * call_ns, with an undisturbed control and no flags. */
cb_block fixture_block(uint64_t seed, uint64_t batch, size_t rounds, double call_ns);
void fixture_block_free(cb_block *block);

/* The same, handed to the row; the row's own block is returned, to be edited. */
cb_block *fixture_row_add(cb_row_samples *row, uint64_t seed, uint64_t batch, size_t rounds, double call_ns);

/* A row of blocks with the seeds 1, 2, ..., freed by cb_row_samples_free(). */
cb_row_samples fixture_row(size_t replicates, uint64_t batch, size_t rounds, double call_ns);

/* Uniform in (0, 1) and standard normal; the state is any number. */
double fixture_uniform(uint64_t *state);
double fixture_normal(uint64_t *state);

/* Fails the test unless value is finite and within the relative tolerance of expected (absolute where that is
 * 0). */
void fixture_assert_near(double value, double expected, double tolerance);

/* Lets `successes` calls of calloc() and reallocarray() from here on succeed and the next one fail, once. The
 * program is linked with --wrap for both. */
void fixture_allocation_fail_after(unsigned successes);
/* Ends that; true when the failure has happened. */
bool fixture_allocation_failed(void);

#endif
