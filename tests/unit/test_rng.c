#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ops/rng.h"

#include <string.h>

/* The reference implementation's sequence for the state 1, 2, 3, 4. */
static void test_known_sequence(void **unused)
{
    (void)unused;
    static const uint64_t expected[] = {
        11520,
        0,
        1509978240,
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
        UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832),
    };
    cb_rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_true(cb_rng_next(&rng) == expected[i]);
}

/* A change of the seeding would give every stored result other inputs. */
static void test_seeding_is_fixed(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t seed, stream, first, second;
    } cases[] = {
        {0, 0, UINT64_C(0xfb5405f7bd79c540), UINT64_C(0x780c98e26cea5883)},
        {1, 0, UINT64_C(0xef75d62a19ba94ed), UINT64_C(0x8e9490536375f270)},
        {0, 1, UINT64_C(0xee127fe613436e33), UINT64_C(0xd6dad8d34a1874ea)},
        {42, 7, UINT64_C(0x24bfb39aeb008c15), UINT64_C(0xd858489e7fc02496)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_rng rng;
        cb_rng_init(&rng, cases[i].seed, cases[i].stream);
        assert_true(cb_rng_next(&rng) == cases[i].first);
        assert_true(cb_rng_next(&rng) == cases[i].second);
    }
}

/* Seeds and streams that lie on a line must not give the same state. */
static void test_seeds_and_streams_do_not_meet(void **unused)
{
    (void)unused;
    enum { SIDE = 32 };
    uint64_t first[SIDE * SIDE];
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        cb_rng rng;
        cb_rng_init(&rng, i / SIDE, i % SIDE);
        first[i] = cb_rng_next(&rng);
        for (size_t k = 0; k < i; k++)
            assert_true(first[k] != first[i]);
    }
}

static void test_below_stays_below(void **unused)
{
    (void)unused;
    static const uint64_t bounds[] = {1,         2, 3, 10, 1000, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1,
                                      UINT64_MAX};
    cb_rng rng;
    cb_rng_init(&rng, 5, 5);
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        for (int k = 0; k < 200; k++)
            assert_true(cb_rng_below(&rng, bounds[i]) < bounds[i]);
}

/* Just above half of the range a plain remainder would give the low half twice as often as the high one. */
static void test_below_has_no_modulo_bias(void **unused)
{
    (void)unused;
    const uint64_t bound = (UINT64_C(1) << 63) + (UINT64_C(1) << 62);
    const int draws = 6000;
    int thirds[3] = {0};
    cb_rng rng;
    cb_rng_init(&rng, 1, 2);
    for (int i = 0; i < draws; i++)
        thirds[cb_rng_below(&rng, bound) / (UINT64_C(1) << 62)]++;
    for (int i = 0; i < 3; i++)
        assert_in_range(thirds[i], draws / 3 - 200, draws / 3 + 200); /* five standard deviations */
}

static void test_below_is_the_remainder_of_what_is_drawn(void **unused)
{
    (void)unused;
    static const uint64_t expected[] = {3, 6, 2, 7, 1, 1, 6, 8, 6, 4, 2, 9};
    cb_rng rng;
    cb_rng_init(&rng, 2026, 3);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_true(cb_rng_below(&rng, 10) == expected[i]);
}

static void test_fill_is_the_sequence_in_little_endian(void **unused)
{
    (void)unused;
    for (size_t n = 0; n <= 40; n++) {
        cb_rng bytes, words;
        uint8_t filled[41];
        memset(filled, 0xee, sizeof filled);
        cb_rng_init(&bytes, 9, n);
        cb_rng_init(&words, 9, n);
        cb_rng_fill(&bytes, filled, n);
        uint64_t word = 0;
        for (size_t i = 0; i < n; i++) {
            if (i % 8 == 0)
                word = cb_rng_next(&words);
            assert_int_equal(filled[i], (uint8_t)(word >> (8 * (i % 8))));
        }
        assert_int_equal(filled[n], 0xee);
        assert_true(cb_rng_next(&bytes) == cb_rng_next(&words));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_sequence),
        cmocka_unit_test(test_seeding_is_fixed),
        cmocka_unit_test(test_seeds_and_streams_do_not_meet),
        cmocka_unit_test(test_below_stays_below),
        cmocka_unit_test(test_below_has_no_modulo_bias),
        cmocka_unit_test(test_below_is_the_remainder_of_what_is_drawn),
        cmocka_unit_test(test_fill_is_the_sequence_in_little_endian),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
