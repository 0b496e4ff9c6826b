#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ops/digest.h"

#include <string.h>

static uint64_t digest_of(const uint8_t *p, size_t n)
{
    return cb_digest((cb_span){p, n});
}

/* Values of an independent implementation: digests are compared between builds, so they may not change. */
static void test_known_values(void **unused)
{
    (void)unused;
    uint8_t counting[77];
    for (size_t i = 0; i < sizeof counting; i++)
        counting[i] = (uint8_t)i;
    assert_true(cb_digest((cb_span){NULL, 0}) == UINT64_C(0x260375dffe6935c0));
    assert_true(digest_of((const uint8_t *)"abc", 3) == UINT64_C(0xd696da00a3569f90));
    assert_true(digest_of(counting, 32) == UINT64_C(0x4fe4860ec122f79d));
    assert_true(digest_of(counting, 77) == UINT64_C(0x07daa8f1137a68e4));
    assert_true(cb_digest_fold(0, 0) == UINT64_C(0x4d0a2bbc5de25cfe));
    assert_true(cb_digest_fold(cb_digest_fold(0, 1), 2) == UINT64_C(0xfd067e93a3413792));
}

static void test_every_single_bit_counts(void **unused)
{
    (void)unused;
    static const size_t lengths[] = {1, 7, 8, 9, 31, 32, 33, 64, 77, 100};
    uint8_t bytes[100];
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        memset(bytes, 0x5a, sizeof bytes);
        const uint64_t whole = digest_of(bytes, lengths[l]);
        for (size_t bit = 0; bit < 8 * lengths[l]; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_true(digest_of(bytes, lengths[l]) != whole);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        assert_true(digest_of(bytes, lengths[l]) == whole);
    }
}

/* Zeros pad the last word: the length must tell them apart. */
static void test_length_counts(void **unused)
{
    (void)unused;
    static const uint8_t zeros[129];
    uint64_t seen[130];
    for (size_t n = 0; n <= sizeof zeros; n++) {
        seen[n] = digest_of(zeros, n);
        for (size_t k = 0; k < n; k++)
            assert_true(seen[k] != seen[n]);
    }
}

/* Under the sanitizers this also shows reads past the end and misaligned ones. */
static void test_place_in_memory_does_not_count(void **unused)
{
    (void)unused;
    enum { N = 77 };
    for (size_t offset = 0; offset < 8; offset++) {
        uint8_t *copy = malloc(offset + N);
        assert_non_null(copy);
        for (size_t i = 0; i < N; i++)
            copy[offset + i] = (uint8_t)i;
        assert_true(digest_of(copy + offset, N) == UINT64_C(0x07daa8f1137a68e4));
        free(copy);
    }
}

static void test_words_that_change_places_count(void **unused)
{
    (void)unused;
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i / 8);
    const uint64_t whole = digest_of(bytes, sizeof bytes);
    for (size_t a = 0; a < 8; a++)
        for (size_t b = 0; b < a; b++) {
            uint8_t swapped[64];
            memcpy(swapped, bytes, sizeof bytes);
            memcpy(swapped + 8 * a, bytes + 8 * b, 8);
            memcpy(swapped + 8 * b, bytes + 8 * a, 8);
            assert_true(digest_of(swapped, sizeof swapped) != whole);
        }
}

static void test_fold_keeps_the_order(void **unused)
{
    (void)unused;
    assert_true(cb_digest_fold(cb_digest_fold(0, 1), 2) != cb_digest_fold(cb_digest_fold(0, 2), 1));
    assert_true(cb_digest_fold(0, 0) != 0);
    assert_true(cb_digest_fold(cb_digest_fold(0, 0), 0) != cb_digest_fold(0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_every_single_bit_counts),
        cmocka_unit_test(test_length_counts),
        cmocka_unit_test(test_place_in_memory_does_not_count),
        cmocka_unit_test(test_words_that_change_places_count),
        cmocka_unit_test(test_fold_keeps_the_order),
    };
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
