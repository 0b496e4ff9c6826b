#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/glob.h"

typedef struct example {
    const char *pattern, *text;
} example;

static const example matching[] = {
    {"", ""},
    {"*", ""},
    {"*", "aead/aes-256-gcm/encrypt/64"},
    {"aead/*", "aead/aes-256-gcm/encrypt/64"},
    {"*/64", "aead/aes-256-gcm/encrypt/64"},
    {"*gcm*crypt*", "aead/aes-256-gcm/encrypt/64"},
    {"**64**", "64"},
    {"aead/aes-?5?-gcm/*", "aead/aes-256-gcm/encrypt/64"},
    {"a*a*b", "aaaaaab"},
    {"*ab", "aab"},
    {"*abc*abd", "abcabcabd"},
    {"[ed]n[a-c]r", "encr"},
    {"[!d]n", "en"},
    {"[^d]n", "en"},
    {"[]x]", "]"},
    {"[!]]", "x"},
    {"[a-]", "-"},
    {"[-a]", "-"},
    {"[", "["},
    {"a[", "a["},
    {"[!", "[!"},
    {"[]", "[]"},
    {"x?aad=16", "x?aad=16"},
    {"[\xc0-\xff]*", "\xc3\xa9"},
};

static const example failing[] = {
    {"", "a"},         {"a", ""},      {"?", ""},         {"?", "ab"},    {"aead", "aead/x"},
    {"*/64", "x/640"}, {"a*b", "abc"}, {"[!e]n", "en"},   {"[a-c]", "d"}, {"[ab", "a"},
    {"[!]]", "]"},     {"[z-a]", "m"}, {"*a*b*c", "acb"}, {"A", "a"},     {"[]", "]"},
};

static void patterns_match_the_whole_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof matching / sizeof matching[0]; i++)
        if (!cb_glob_match(matching[i].pattern, matching[i].text))
            fail_msg("\"%s\" should match \"%s\"", matching[i].pattern, matching[i].text);
    for (size_t i = 0; i < sizeof failing / sizeof failing[0]; i++)
        if (cb_glob_match(failing[i].pattern, failing[i].text))
            fail_msg("\"%s\" should not match \"%s\"", failing[i].pattern, failing[i].text);
}

static void patterns_are_told_from_words(void **state)
{
    (void)state;
    assert_true(cb_glob_is("a*") && cb_glob_is("?") && cb_glob_is("[x]"));
    assert_false(cb_glob_is("") || cb_glob_is("aead/aes-256-gcm/encrypt/64@openssl") || cb_glob_is("a]"));
}

/* With backtracking into every star this would take longer than the universe has. */
static void many_stars_take_no_time(void **state)
{
    (void)state;
    char pattern[2001], text[5001];
    for (size_t i = 0; i + 1 < sizeof pattern; i++)
        pattern[i] = i % 2 == 0 ? '*' : 'a';
    pattern[sizeof pattern - 2] = 'b';
    pattern[sizeof pattern - 1] = '\0';
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(cb_glob_match(pattern, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_the_whole_text),
        cmocka_unit_test(patterns_are_told_from_words),
        cmocka_unit_test(many_stars_take_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
