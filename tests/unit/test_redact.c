#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "system/redact.h"

#include <stdlib.h>

static void expect(const char *text, const char *cache, const char *home, const char *redacted)
{
    char *copy = cb_redact(text, cache, home);
    assert_non_null(copy);
    assert_string_equal(copy, redacted);
    free(copy);
}

static void test_home_is_replaced(void **state)
{
    (void)state;
    expect("/home/ann", NULL, "/home/ann", "$HOME");
    expect("/home/ann/bin/x", NULL, "/home/ann", "$HOME/bin/x");
    expect("-o /home/ann/a.json -o /home/ann/b.csv", NULL, "/home/ann", "-o $HOME/a.json -o $HOME/b.csv");
    expect("--output=/home/ann/a", NULL, "/home/ann", "--output=$HOME/a");
    expect("-I/home/ann/include", NULL, "/home/ann", "-I$HOME/include");
    expect("cannot open '/home/ann': denied", NULL, "/home/ann", "cannot open '$HOME': denied");
    expect("it is in /home/ann.", NULL, "/home/ann", "it is in $HOME.");
}

static void test_only_whole_components_match(void **state)
{
    (void)state;
    expect("/home/anna/x", NULL, "/home/ann", "/home/anna/x");
    expect("/home/ann-old/x", NULL, "/home/ann", "/home/ann-old/x");
    expect("/home/ann.old/x", NULL, "/home/ann", "/home/ann.old/x");
    expect("/home/ann\xc3\xa9/x", NULL, "/home/ann", "/home/ann\xc3\xa9/x");
    expect("/home/anna /home/ann", NULL, "/home/ann", "/home/anna $HOME");
}

static void test_the_name_is_hidden_in_longer_paths(void **state)
{
    (void)state;
    expect("/mnt/home/ann/x", NULL, "/home/ann", "/mnt$HOME/x");
}

static void test_cache_goes_before_home(void **state)
{
    (void)state;
    expect("/home/ann/.cache/base", NULL, "/home/ann", "$XDG_CACHE_HOME/base");
    expect("/home/ann/.cached/base", NULL, "/home/ann", "$HOME/.cached/base");
    expect("/fast/cache/base /home/ann/.cache/y", "/fast/cache", "/home/ann",
           "$XDG_CACHE_HOME/base $HOME/.cache/y");
    expect("/home/ann/x", "/home", "/home/ann", "$HOME/x");
}

static void test_empty_cache_replaces_nothing(void **state)
{
    (void)state;
    expect("/home/ann/.cache/base", "", "/home/ann", "$HOME/.cache/base");
    expect("/fast/cache/base", "/fast/cache", NULL, "$XDG_CACHE_HOME/base");
}

static void test_useless_homes_replace_nothing(void **state)
{
    (void)state;
    expect("/usr/lib and/or ann", NULL, "/", "/usr/lib and/or ann");
    expect("/usr/lib", NULL, "", "/usr/lib");
    expect("/usr/lib", NULL, NULL, "/usr/lib");
    expect("/usr/lib ann/x", NULL, "ann", "/usr/lib ann/x");
    expect("", NULL, "/home/ann", "");
}

static void test_trailing_slashes_of_home_do_not_matter(void **state)
{
    (void)state;
    expect("/home/ann/x /home/ann", NULL, "/home/ann//", "$HOME/x $HOME");
    expect("/home/ann/.cache/x", NULL, "/home/ann/", "$XDG_CACHE_HOME/x");
}

static void expect_by_environment(const char *cache, const char *home, const char *redacted)
{
    assert_int_equal(cache != NULL ? setenv("XDG_CACHE_HOME", cache, 1) : unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(home != NULL ? setenv("HOME", home, 1) : unsetenv("HOME"), 0);
    char *copy = cb_redact_environment("/fast/cache/a /home/ann/.cache/b /home/ann/c");
    assert_non_null(copy);
    assert_string_equal(copy, redacted);
    free(copy);
}

static void test_environment_names_the_folders(void **state)
{
    (void)state;
    expect_by_environment("/fast/cache", "/home/ann", "$XDG_CACHE_HOME/a $HOME/.cache/b $HOME/c");
    expect_by_environment(NULL, "/home/ann", "/fast/cache/a $XDG_CACHE_HOME/b $HOME/c");
    expect_by_environment("", "/home/ann", "/fast/cache/a $XDG_CACHE_HOME/b $HOME/c");
    expect_by_environment("relative", "/home/ann", "/fast/cache/a $XDG_CACHE_HOME/b $HOME/c");
    expect_by_environment(NULL, NULL, "/fast/cache/a /home/ann/.cache/b /home/ann/c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_home_is_replaced),
        cmocka_unit_test(test_only_whole_components_match),
        cmocka_unit_test(test_the_name_is_hidden_in_longer_paths),
        cmocka_unit_test(test_cache_goes_before_home),
        cmocka_unit_test(test_empty_cache_replaces_nothing),
        cmocka_unit_test(test_useless_homes_replace_nothing),
        cmocka_unit_test(test_trailing_slashes_of_home_do_not_matter),
        cmocka_unit_test(test_environment_names_the_folders),
    };
    return cmocka_run_group_tests_name("redact", tests, NULL, NULL);
}
