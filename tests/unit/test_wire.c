#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/wire.h"

#include <math.h>
#include <string.h>

static cb_wire_reader reader_of(const cb_wire_writer *w)
{
    return (cb_wire_reader){.bytes = {w->p, w->n}};
}

static void test_round_trip(void **unused)
{
    (void)unused;
    cb_wire_writer w = {0};
    cb_wire_put_u64(&w, 0);
    cb_wire_put_u64(&w, UINT64_MAX);
    cb_wire_put_double(&w, -0.0);
    cb_wire_put_double(&w, 1.0 / 3);
    cb_wire_put_double(&w, INFINITY);
    cb_wire_put_string(&w, "one");
    cb_wire_put_string(&w, "");
    cb_wire_put_string(&w, NULL);
    cb_wire_put_bytes(&w, "\0\xff", 2);
    assert_false(w.failed);

    cb_wire_reader r = reader_of(&w);
    assert_true(cb_wire_get_u64(&r) == 0);
    assert_true(cb_wire_get_u64(&r) == UINT64_MAX);
    const double zero = cb_wire_get_double(&r);
    assert_true(zero == 0 && signbit(zero));
    assert_true(cb_wire_get_double(&r) == 1.0 / 3);
    assert_true(isinf(cb_wire_get_double(&r)));
    char *one = cb_wire_get_string(&r), *empty = cb_wire_get_string(&r);
    assert_string_equal(one, "one");
    assert_string_equal(empty, "");
    assert_null(cb_wire_get_string(&r));
    assert_false(r.failed);
    assert_false(cb_wire_finished(&r));
    assert_memory_equal(cb_wire_get_bytes(&r, 2), "\0\xff", 2);
    assert_true(cb_wire_finished(&r));
    free(one);
    free(empty);
    free(w.p);
}

/* Two builds must agree on the bytes, whatever machine they are for. */
static void test_bytes_are_little_endian(void **unused)
{
    (void)unused;
    static const uint8_t expected[] = {8, 7, 6, 5,   4,   3, 2, 1, 2, 0, 0, 0,    0,
                                       0, 0, 0, 'h', 'i', 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    cb_wire_writer w = {0};
    cb_wire_put_u64(&w, UINT64_C(0x0102030405060708));
    cb_wire_put_string(&w, "hi");
    cb_wire_put_double(&w, 1.0);
    assert_int_equal(w.n, sizeof expected);
    assert_memory_equal(w.p, expected, sizeof expected);
    free(w.p);
}

static void test_a_writer_grows(void **unused)
{
    (void)unused;
    enum { N = 10000 };
    cb_wire_writer w = {0};
    for (uint64_t i = 0; i < N; i++)
        cb_wire_put_u64(&w, i * i);
    assert_int_equal(w.n, 8 * N);
    cb_wire_reader r = reader_of(&w);
    for (uint64_t i = 0; i < N; i++)
        assert_true(cb_wire_get_u64(&r) == i * i);
    assert_true(cb_wire_finished(&r));
    free(w.p);
}

static void test_nothing_is_written_for_no_bytes(void **unused)
{
    (void)unused;
    cb_wire_writer w = {0};
    cb_wire_put_bytes(&w, NULL, 0);
    assert_int_equal(w.n, 0);
    assert_false(w.failed);
    free(w.p);
}

static void test_a_lack_of_memory_sticks(void **unused)
{
    (void)unused;
    cb_wire_writer w = {0};
    cb_wire_put_u64(&w, 1);
    cb_wire_put_bytes(&w, w.p, SIZE_MAX / 2);
    assert_true(w.failed);
    assert_int_equal(w.n, 8);
    cb_wire_put_u64(&w, 2);
    assert_int_equal(w.n, 8);
    free(w.p);
}

static void test_reading_past_the_end_sticks(void **unused)
{
    (void)unused;
    static const uint8_t bytes[12] = {1};
    cb_wire_reader r = {.bytes = {bytes, sizeof bytes}};
    assert_true(cb_wire_get_u64(&r) == 1);
    assert_false(r.failed);
    assert_true(cb_wire_get_u64(&r) == 0);
    assert_true(r.failed);
    assert_null(cb_wire_get_bytes(&r, 1));
    assert_null(cb_wire_get_string(&r));
    assert_true(cb_wire_get_double(&r) == 0);
    assert_false(cb_wire_finished(&r));
}

static void test_an_empty_message_is_finished(void **unused)
{
    (void)unused;
    cb_wire_reader r = {.bytes = {NULL, 0}};
    assert_true(cb_wire_finished(&r));
    assert_true(cb_wire_get_u64(&r) == 0);
    assert_true(r.failed);
}

/* Lengths around the end, and ones that would wrap around. */
static void test_a_string_that_is_longer_than_the_message_is_refused(void **unused)
{
    (void)unused;
    static const uint64_t lengths[] = {4, 5, 100, UINT64_C(1) << 32, UINT64_MAX - 8, UINT64_MAX - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        cb_wire_writer w = {0};
        cb_wire_put_u64(&w, lengths[i]);
        cb_wire_put_bytes(&w, "abc", 3);
        cb_wire_reader r = reader_of(&w);
        assert_null(cb_wire_get_string(&r));
        assert_true(r.failed);
        free(w.p);
    }
}

static void test_a_string_with_a_zero_byte_is_refused(void **unused)
{
    (void)unused;
    cb_wire_writer w = {0};
    cb_wire_put_u64(&w, 3);
    cb_wire_put_bytes(&w, "a\0b", 3);
    cb_wire_reader r = reader_of(&w);
    assert_null(cb_wire_get_string(&r));
    assert_true(r.failed);
    free(w.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_bytes_are_little_endian),
        cmocka_unit_test(test_a_writer_grows),
        cmocka_unit_test(test_nothing_is_written_for_no_bytes),
        cmocka_unit_test(test_a_lack_of_memory_sticks),
        cmocka_unit_test(test_reading_past_the_end_sticks),
        cmocka_unit_test(test_an_empty_message_is_finished),
        cmocka_unit_test(test_a_string_that_is_longer_than_the_message_is_refused),
        cmocka_unit_test(test_a_string_with_a_zero_byte_is_refused),
    };
    return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
