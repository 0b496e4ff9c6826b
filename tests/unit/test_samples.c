#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_samples.h"

#include <stdlib.h>
#include <string.h>

static void add_takes_the_block_over(void **state)
{
    (void)state;
    cb_row_samples row = {.n_blocks = 0};
    cb_block first = fixture_block(7, 100, 3, 50), second = fixture_block(8, 10, 5, 50);
    assert_int_equal(cb_row_samples_add(&row, &first), CB_OK);
    assert_int_equal(cb_row_samples_add(&row, &second), CB_OK);
    assert_int_equal(row.n_blocks, 2);
    assert_int_equal(row.iterations, 100 * 3 + 10 * 5);
    assert_memory_equal(&row.blocks[0], &first, sizeof first);
    assert_memory_equal(&row.blocks[1], &second, sizeof second);
    assert_int_equal(row.blocks[1].round_ns[4], 500);
    cb_row_samples_free(&row);
}

static void a_freed_row_is_empty_and_keeps_its_status(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(4, 10, 6, 20);
    (void)cb_fail(&row.status, CB_TIMEOUT, "no answer");
    cb_row_samples_free(&row);
    assert_null(row.blocks);
    assert_true(row.n_blocks == 0 && row.iterations == 0);
    assert_int_equal(row.status.code, CB_TIMEOUT);
    assert_string_equal(row.status.msg, "no answer");
    cb_row_samples_free(&row);
    cb_row_samples_free(NULL);
}

static void a_freed_row_can_be_filled_again(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(2, 10, 6, 20);
    cb_row_samples_free(&row);
    (void)fixture_row_add(&row, 9, 4, 5, 30);
    assert_true(row.n_blocks == 1 && row.iterations == 20 && row.blocks[0].seed == 9);
    cb_row_samples_free(&row);
}

static void without_memory_the_block_stays_with_the_caller(void **state)
{
    (void)state;
    cb_row_samples row = fixture_row(1, 10, 6, 20);
    cb_row_samples before = row;
    cb_block block = fixture_block(2, 10, 6, 20);
    fixture_allocation_fail_after(0);
    assert_int_equal(cb_row_samples_add(&row, &block), CB_OUT_OF_MEMORY);
    assert_true(fixture_allocation_failed());
    assert_memory_equal(&row, &before, sizeof row);
    assert_int_equal(block.round_ns[5], 200);
    fixture_block_free(&block);
    cb_row_samples_free(&row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_takes_the_block_over),
        cmocka_unit_test(a_freed_row_is_empty_and_keeps_its_status),
        cmocka_unit_test(a_freed_row_can_be_filled_again),
        cmocka_unit_test(without_memory_the_block_stays_with_the_caller),
    };
    return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
