#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/utf8.h"

static void valid_characters_have_their_length(void **state)
{
    (void)state;
    assert_int_equal(cb_utf8_length("a"), 1);
    assert_int_equal(cb_utf8_length("\x7f"), 1);
    assert_int_equal(cb_utf8_length("\xc2\x80"), 2);
    assert_int_equal(cb_utf8_length("\xdf\xbf"), 2);
    assert_int_equal(cb_utf8_length("\xe0\xa0\x80"), 3);
    assert_int_equal(cb_utf8_length("\xed\x9f\xbf"), 3);
    assert_int_equal(cb_utf8_length("\xef\xbf\xbd"), 3);
    assert_int_equal(cb_utf8_length("\xf0\x90\x80\x80"), 4);
    assert_int_equal(cb_utf8_length("\xf4\x8f\xbf\xbf"), 4);
}

static void everything_else_has_none(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xc2",
        "\xc2\x41",
        "\xe0\x9f\xbf",
        "\xe1\x80",
        "\xe1\x80\x41",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf1\x80\x80",
        "\xfe",
        "\xff",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(cb_utf8_length(bad[i]), 0);
}

static void check_clean(const char *text, const char *expected)
{
    char *clean = cb_utf8_clean(text);
    assert_non_null(clean);
    assert_string_equal(clean, expected);
    free(clean);
}

static void stray_bytes_are_replaced_one_by_one(void **state)
{
    (void)state;
    check_clean("", "");
    check_clean("plain \xc3\xa4 \xf0\x9f\x94\x91", "plain \xc3\xa4 \xf0\x9f\x94\x91");
    check_clean("a\xff\xfe"
                "b",
                "a\xef\xbf\xbd\xef\xbf\xbd"
                "b");
    check_clean("\xe1\x80", "\xef\xbf\xbd\xef\xbf\xbd");
    check_clean("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check_clean("tail\xc3", "tail\xef\xbf\xbd");
}

static void columns_count_characters(void **state)
{
    (void)state;
    assert_int_equal(cb_utf8_columns(""), 0);
    assert_int_equal(cb_utf8_columns("openssl"), 7);
    assert_int_equal(cb_utf8_columns("\xc3\xa4\xff"
                                     "b"),
                     3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_characters_have_their_length),
        cmocka_unit_test(everything_else_has_none),
        cmocka_unit_test(stray_bytes_are_replaced_one_by_one),
        cmocka_unit_test(columns_count_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
