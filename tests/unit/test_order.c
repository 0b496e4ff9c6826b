#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/order.h"

#include <stdbool.h>
#include <string.h>

#define N_MAX 8

static void assert_is_a_permutation(const size_t *row, size_t n)
{
    bool seen[N_MAX] = {false};
    for (size_t i = 0; i < n; i++) {
        assert_true(row[i] < n);
        assert_false(seen[row[i]]);
        seen[row[i]] = true;
    }
}

static void test_every_round_has_each_contestant_once(void **unused)
{
    (void)unused;
    enum { ROUNDS = 101 };
    size_t order[ROUNDS * N_MAX];
    for (size_t n = 1; n <= N_MAX; n++) {
        cb_rng rng;
        cb_rng_init(&rng, 3, n);
        cb_order_draw(&rng, n, ROUNDS, order);
        for (size_t round = 0; round < ROUNDS; round++)
            assert_is_a_permutation(order + round * n, n);
    }
}

static void test_every_n_rounds_form_a_latin_square(void **unused)
{
    (void)unused;
    enum { SQUARES = 20 };
    size_t order[SQUARES * N_MAX * N_MAX];
    for (size_t n = 1; n <= N_MAX; n++) {
        cb_rng rng;
        cb_rng_init(&rng, 4, n);
        cb_order_draw(&rng, n, SQUARES * n, order);
        for (size_t square = 0; square < SQUARES; square++)
            for (size_t place = 0; place < n; place++) {
                size_t column[N_MAX];
                for (size_t round = 0; round < n; round++)
                    column[round] = order[(square * n + round) * n + place];
                assert_is_a_permutation(column, n);
            }
    }
}

static void test_nothing_is_written_behind_the_last_round(void **unused)
{
    (void)unused;
    for (size_t n = 1; n <= N_MAX; n++)
        for (size_t rounds = 0; rounds <= 2 * n + 1; rounds++) {
            cb_rng rng;
            size_t *order = malloc((rounds * n + 1) * sizeof *order);
            assert_non_null(order);
            order[rounds * n] = 99;
            cb_rng_init(&rng, 5, n);
            cb_order_draw(&rng, n, rounds, order);
            assert_int_equal(order[rounds * n], 99);
            free(order);
        }
}

static void test_squares_differ_and_a_seed_repeats_them(void **unused)
{
    (void)unused;
    enum { N = 4, SQUARES = 50 };
    size_t order[SQUARES * N * N], again[SQUARES * N * N];
    cb_rng rng;
    cb_rng_init(&rng, 6, 0);
    cb_order_draw(&rng, N, SQUARES * N, order);
    cb_rng_init(&rng, 6, 0);
    cb_order_draw(&rng, N, SQUARES * N, again);
    assert_memory_equal(order, again, sizeof order);
    size_t different = 0;
    for (size_t square = 1; square < SQUARES; square++)
        different += memcmp(order + square * N * N, order, N * sizeof *order) != 0;
    assert_true(different > SQUARES / 2);
}

/* Over many squares nobody follows another more often than by chance. */
static void test_predecessors_are_balanced(void **unused)
{
    (void)unused;
    enum { N = 4, SQUARES = 3000 };
    size_t *order = malloc((size_t)SQUARES * N * N * sizeof *order);
    int follows[N][N] = {{0}};
    cb_rng rng;
    assert_non_null(order);
    cb_rng_init(&rng, 7, 0);
    cb_order_draw(&rng, N, SQUARES * N, order);
    for (size_t i = 0; i < (size_t)SQUARES * N * N; i++)
        if (i % N != 0)
            follows[order[i - 1]][order[i]]++;
    free(order);
    /* 9000 times N - 1 places over N (N - 1) pairs; squares are drawn independently. */
    for (size_t a = 0; a < N; a++)
        for (size_t b = 0; b < N; b++)
            if (a != b)
                assert_in_range(follows[a][b], 3000 - 500, 3000 + 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_round_has_each_contestant_once),
        cmocka_unit_test(test_every_n_rounds_form_a_latin_square),
        cmocka_unit_test(test_nothing_is_written_behind_the_last_round),
        cmocka_unit_test(test_squares_differ_and_a_seed_repeats_them),
        cmocka_unit_test(test_predecessors_are_balanced),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
