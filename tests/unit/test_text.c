#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/text.h"

static void check_print(const char *text, const char *expected)
{
    char *printed = NULL;
    size_t n;
    FILE *stream = open_memstream(&printed, &n);
    assert_non_null(stream);
    cb_text_print(stream, text);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(printed, expected);
    free(printed);
}

static void check_wrap(const char *text, unsigned width, unsigned column, unsigned indent,
                       const char *expected)
{
    char *printed = NULL;
    size_t n;
    FILE *stream = open_memstream(&printed, &n);
    assert_non_null(stream);
    const cb_text_place place = {.width = width, .column = column, .indent = indent};
    cb_text_wrap(stream, text, &place);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(printed, expected);
    free(printed);
}

static void control_characters_do_not_reach_a_terminal(void **state)
{
    (void)state;
    check_print("plain \xc3\xa4", "plain \xc3\xa4");
    check_print("\x1b[31mred\x07\x7f", "?[31mred??");
    check_print("two\nlines\tand\rmore", "two lines and more");
    check_print("\xc2\x9b"
                "31m \xc2\xa0",
                "?31m \xc2\xa0");
    check_print("bad \xff\xc3", "bad ??");
}

static void lines_break_between_words(void **state)
{
    (void)state;
    check_wrap("alpha beta gamma delta epsilon", 24, 0, 2, "alpha beta gamma delta\n  epsilon");
    check_wrap("alpha beta gamma delta12 x", 24, 0, 2, "alpha beta gamma delta12\n  x");
    check_wrap("alpha beta", 30, 22, 4, "alpha\n    beta");
    check_wrap("alpha beta", 30, 28, 4, "\n    alpha beta");
}

static void long_words_stay_whole(void **state)
{
    (void)state;
    check_wrap("a 0123456789012345678901234567890123456789 b", 24, 0, 2,
               "a\n  0123456789012345678901234567890123456789\n  b");
}

static void without_a_terminal_nothing_breaks(void **state)
{
    (void)state;
    check_wrap("alpha  beta gamma delta epsilon", 0, 0, 2, "alpha  beta gamma delta epsilon");
    check_wrap("alpha beta gamma delta epsilon", 21, 0, 2, "alpha beta gamma delta epsilon");
    check_wrap("", 40, 0, 2, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_do_not_reach_a_terminal),
        cmocka_unit_test(lines_break_between_words),
        cmocka_unit_test(long_words_stay_whole),
        cmocka_unit_test(without_a_terminal_nothing_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
