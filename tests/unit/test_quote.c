#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/quote.h"

static void assert_quoted(const char *text, const char *expected)
{
    char quoted[CB_QUOTE_BYTES];
    assert_string_equal(cb_quote(text, quoted), expected);
}

static void printable_text_stands_for_itself(void **state)
{
    (void)state;
    assert_quoted("", "\"\"");
    assert_quoted("aes-256-gcm", "\"aes-256-gcm\"");
    assert_quoted(" ~!%s%n", "\" ~!%s%n\"");
}

static void other_bytes_are_escaped(void **state)
{
    (void)state;
    assert_quoted("a\nb\tc\rd", "\"a\\nb\\tc\\rd\"");
    assert_quoted("\x1b[31m\x7f", "\"\\x1b[31m\\x7f\"");
    assert_quoted("caf\xc3\xa9 \xff", "\"caf\\xc3\\xa9 \\xff\"");
    assert_quoted("\"\\", "\"\\\"\\\\\"");
}

static void long_text_is_cut_between_characters(void **state)
{
    (void)state;
    assert_quoted("0123456789012345678901234567890123456789", "\"0123456789012345678901234567890123456789\"");
    assert_quoted("01234567890123456789012345678901234567890",
                  "\"0123456789012345678901234567890123456789\"...");
    assert_quoted("012345678901234567890123456789012345678\n",
                  "\"012345678901234567890123456789012345678\"...");
}

static void every_byte_fits_the_buffer(void **state)
{
    (void)state;
    for (int byte = 1; byte < 256; byte++) {
        char text[64], quoted[CB_QUOTE_BYTES];
        memset(text, byte, sizeof text - 1);
        text[sizeof text - 1] = '\0';
        size_t n = strlen(cb_quote(text, quoted));
        assert_true(n < CB_QUOTE_BYTES);
        assert_memory_equal(quoted + n - 4, "\"...", 4);
        for (size_t i = 0; i < n; i++)
            assert_in_range(quoted[i], 0x20, 0x7e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printable_text_stands_for_itself),
        cmocka_unit_test(other_bytes_are_escaped),
        cmocka_unit_test(long_text_is_cut_between_characters),
        cmocka_unit_test(every_byte_fits_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
