#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripted_samples.h"

enum { ROUNDS = 8 };

void scripted_block_add(cb_row_samples *row, uint64_t seed, uint64_t round_ns)
{
    cb_block block = {.seed = seed,
                      .batch = 1000,
                      .first_call_ns = 500,
                      .rounds = ROUNDS,
                      .round_ns = calloc(ROUNDS, sizeof(uint64_t)),
                      .control_ns = calloc(ROUNDS, sizeof(uint64_t)),
                      .flags = calloc(ROUNDS, 1)};
    assert_true(block.round_ns != NULL && block.control_ns != NULL && block.flags != NULL);
    for (size_t i = 0; i < ROUNDS; i++) {
        block.round_ns[i] = round_ns;
        block.control_ns[i] = 10000;
    }
    assert_int_equal(cb_row_samples_add(row, &block), CB_OK);
}
