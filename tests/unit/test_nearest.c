#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/nearest.h"

static const char *const names[] = {"backend", "primitive", "op",    "size",  "time",
                                    "timeout", "seed",      "quiet", "quick", "encrypt"};

/* NULL expected: nothing is near. */
static void assert_nearest(const char *word, const char *expected)
{
    cb_nearest nearest = cb_nearest_start(word);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cb_nearest_offer(&nearest, names[i], strlen(names[i]));
    if (expected == NULL) {
        assert_null(nearest.name);
        return;
    }
    assert_non_null(nearest.name);
    assert_int_equal(nearest.name_n, strlen(expected));
    assert_memory_equal(nearest.name, expected, nearest.name_n);
}

static void edits_are_counted(void **state)
{
    (void)state;
    assert_nearest("backand", "backend");
    assert_nearest("bckend", "backend");
    assert_nearest("backendd", "backend");
    assert_nearest("backned", "backend");
    assert_nearest("ecnrypt", "encrypt");
    assert_nearest("quikc", "quick");
    assert_nearest("seed", "seed");
}

static void beginnings_are_near(void **state)
{
    (void)state;
    assert_nearest("prim", "primitive");
    assert_nearest("timeo", "timeout");
    assert_nearest("ti", "time");
}

static void far_words_have_no_nearest(void **state)
{
    (void)state;
    assert_nearest("", NULL);
    assert_nearest("x", NULL);
    assert_nearest("xy", NULL);
    assert_nearest("bogus", NULL);
    assert_nearest("zzzzzzzzzz", NULL);
}

static void huge_words_and_names_are_harmless(void **state)
{
    (void)state;
    size_t n = (size_t)1 << 20;
    char *huge = malloc(n + 1);
    assert_non_null(huge);
    memset(huge, 'e', n);
    huge[n] = '\0';
    cb_nearest nearest = cb_nearest_start(huge);
    cb_nearest_offer(&nearest, "seed", 4);
    cb_nearest_offer(&nearest, huge, n);
    assert_true(nearest.name == NULL || nearest.name_n == 4);
    free(huge);
}

static void a_hint_is_a_clause_or_nothing(void **state)
{
    (void)state;
    char hint[CB_NEAREST_HINT_BYTES];
    cb_nearest nearest = cb_nearest_start("qiuck");
    assert_string_equal(cb_nearest_hint(&nearest, "--", hint), "");
    cb_nearest_offer(&nearest, "quickly", 5);
    assert_string_equal(cb_nearest_hint(&nearest, "--", hint), "; did you mean --quick?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_counted),
        cmocka_unit_test(beginnings_are_near),
        cmocka_unit_test(far_words_have_no_nearest),
        cmocka_unit_test(huge_words_and_names_are_harmless),
        cmocka_unit_test(a_hint_is_a_clause_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
