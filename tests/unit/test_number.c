#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/number.h"

static void whole_takes_plain_digits(void **state)
{
    (void)state;
    cb_err err = {0};
    uint64_t value = 0;
    assert_int_equal(cb_number_whole("seed", "0", 0, UINT64_MAX, &value, &err), CB_OK);
    assert_true(value == 0);
    assert_int_equal(cb_number_whole("seed", "18446744073709551615", 0, UINT64_MAX, &value, &err), CB_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(cb_number_whole("replicates", "0010", 1, 10000, &value, &err), CB_OK);
    assert_true(value == 10);
}

static void whole_refuses_everything_else(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "",
        " 1",
        "1 ",
        "+1",
        "-0",
        "-1",
        "12abc",
        "1e3",
        "0x10",
        "1.0",
        "nan",
        "inf",
        "1,0",
        "1\n",
        "\xd9\xa1",
        "0",
        "10001",
        "18446744073709551616",
        "99999999999999999999999999999999999999999",
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        cb_err err = {0};
        uint64_t value = 77;
        assert_int_equal(cb_number_whole("replicates", refused[i], 1, 10000, &value, &err), CB_BAD_ARGUMENT);
        assert_int_equal(err.code, CB_BAD_ARGUMENT);
        assert_true(value == 77);
    }
}

static void whole_overflow_is_not_wrapped(void **state)
{
    (void)state;
    cb_err err = {0};
    uint64_t value = 77;
    assert_int_equal(cb_number_whole("seed", "18446744073709551616", 0, UINT64_MAX, &value, &err),
                     CB_BAD_ARGUMENT);
    assert_string_equal(
        err.msg, "--seed: \"18446744073709551616\" is not a whole number from 0 to 18446744073709551615");
    assert_true(value == 77);
}

static void decimal_takes_plain_decimals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } taken[] = {{"2", 2}, {"0.5", 0.5}, {".5", 0.5}, {"0.001", 0.001}, {"86400", 86400}, {"007.250", 7.25}};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        cb_err err = {0};
        double value = 0;
        assert_int_equal(cb_number_decimal("time", taken[i].text, 0.001, 86400, &value, &err), CB_OK);
        assert_true(value == taken[i].value);
    }
}

static void decimal_refuses_everything_else(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "",    ".",   "1.",  "1..2", "1.2.3", " 1",  "1 ",     "+1", "-0",      "-1",   "12abc",    "1e999",
        "1e1", "1E1", "nan", "inf",  "0x1p3", "1,5", "0.0009", "0",  "86400.1", "1e-3", "infinity",
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        cb_err err = {0};
        double value = 77;
        assert_int_equal(cb_number_decimal("time", refused[i], 0.001, 86400, &value, &err), CB_BAD_ARGUMENT);
        assert_true(value == 77);
    }
    cb_err err = {0};
    double value = 0;
    (void)cb_number_decimal("time", "1e999", 0.001, 86400, &value, &err);
    assert_string_equal(err.msg, "--time: \"1e999\" is not a number from 0.001 to 86400");
}

static void decimal_with_more_digits_than_a_double_holds_is_infinite_and_refused(void **state)
{
    (void)state;
    char digits[401];
    memset(digits, '9', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    cb_err err = {0};
    double value = 77;
    assert_int_equal(cb_number_decimal("time", digits, 0.001, 86400, &value, &err), CB_BAD_ARGUMENT);
    assert_true(value == 77);
}

static void size_counts_units_in_powers_of_1024(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
    } taken[] = {
        {"0", 0},           {"64", 64},         {"1K", 1024},         {"1k", 1024},
        {"16KiB", 16384},   {"1M", 1048576},    {"3m", 3145728},      {"2MiB", 2097152},
        {"1G", 1073741824}, {"1g", 1073741824}, {"1GiB", 1073741824}, {"1073741824", 1073741824},
        {"0G", 0},
    };
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        cb_err err = {0};
        size_t bytes = 77;
        assert_int_equal(cb_number_size("size", taken[i].text, (uint64_t)1 << 30, &bytes, &err), CB_OK);
        assert_true(bytes == taken[i].bytes);
    }
}

static void size_refuses_everything_else(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "",
        "K",
        "1KB",
        "1B",
        "1kib",
        "1Ki",
        "1 K",
        "1K ",
        "-1",
        "+1",
        "1.5K",
        "0x10",
        "1e3",
        "2G",
        "1025M",
        "1073741825",
        "nan",
        "inf",
        "1KK",
        "1T",
        "18446744073709551616",
        "17179869184G",
        "18014398509481984K",
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        cb_err err = {0};
        size_t bytes = 77;
        assert_int_equal(cb_number_size("size", refused[i], (uint64_t)1 << 30, &bytes, &err),
                         CB_BAD_ARGUMENT);
        assert_true(bytes == 77);
    }
    cb_err err = {0};
    size_t bytes = 0;
    (void)cb_number_size("aad", "2M", (uint64_t)1 << 20, &bytes, &err);
    assert_string_equal(err.msg, "--aad: \"2M\" is not a size from 0 to 1M (bytes, or 16K, 1M, 1G)");
}

static void size_text_is_exact_and_read_back(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } shown[] = {{0, "0"},        {1, "1"},
                 {1000, "1000"},  {1024, "1K"},
                 {1536, "1536"},  {16384, "16K"},
                 {1048576, "1M"}, {1049600, "1025K"},
                 {1 << 30, "1G"}, {UINT64_MAX, "18446744073709551615"}};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        char text[CB_NUMBER_SIZE_BYTES];
        size_t bytes = 0;
        assert_string_equal(cb_number_size_text(shown[i].bytes, text), shown[i].text);
        assert_int_equal(cb_number_size("size", text, UINT64_MAX, &bytes, NULL), CB_OK);
        assert_true(bytes == shown[i].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_takes_plain_digits),
        cmocka_unit_test(whole_refuses_everything_else),
        cmocka_unit_test(whole_overflow_is_not_wrapped),
        cmocka_unit_test(decimal_takes_plain_decimals),
        cmocka_unit_test(decimal_refuses_everything_else),
        cmocka_unit_test(decimal_with_more_digits_than_a_double_holds_is_infinite_and_refused),
        cmocka_unit_test(size_counts_units_in_powers_of_1024),
        cmocka_unit_test(size_refuses_everything_else),
        cmocka_unit_test(size_text_is_exact_and_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
