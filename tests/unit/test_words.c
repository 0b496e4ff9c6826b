#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/words.h"

static void lists_are_split_and_grow(void **state)
{
    (void)state;
    cb_words words = {0};
    assert_int_equal(cb_words_split(&words, "op", "sign", NULL), CB_OK);
    assert_int_equal(cb_words_split(&words, "op", "^verify,keygen", NULL), CB_OK);
    assert_int_equal(words.n, 3);
    assert_string_equal(words.items[0], "sign");
    assert_string_equal(words.items[1], "^verify");
    assert_string_equal(words.items[2], "keygen");
    cb_words_free(&words);
    assert_null(words.items);
    assert_int_equal(words.n, 0);
}

static void empty_items_are_refused(void **state)
{
    (void)state;
    static const char *const refused[] = {"", ",", "a,", ",a", "a,,b"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        cb_words words = {0};
        cb_err err = {0};
        assert_int_equal(cb_words_split(&words, "op", refused[i], &err), CB_BAD_ARGUMENT);
        assert_non_null(strstr(err.msg, "has an empty item"));
        cb_words_free(&words);
    }
}

static void repetitions_go_and_order_stays(void **state)
{
    (void)state;
    cb_words words = {0};
    assert_int_equal(cb_words_split(&words, "op", "z,a,z,m,a,a,z,b", NULL), CB_OK);
    assert_int_equal(cb_words_unique(&words, NULL), CB_OK);
    static const char *const expected[] = {"z", "a", "m", "b"};
    assert_int_equal(words.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(words.items[i], expected[i]);
    assert_int_equal(cb_words_add(&words, "after", 5, NULL), CB_OK);
    assert_string_equal(words.items[4], "after");
    cb_words_free(&words);
}

static void a_hundred_thousand_items_are_merged(void **state)
{
    (void)state;
    cb_words words = {0};
    for (unsigned i = 0; i < 100000; i++) {
        char text[16];
        int n = snprintf(text, sizeof text, "%u", i % 50000);
        assert_int_equal(cb_words_add(&words, text, (size_t)n, NULL), CB_OK);
    }
    assert_int_equal(cb_words_unique(&words, NULL), CB_OK);
    assert_int_equal(words.n, 50000);
    assert_string_equal(words.items[49999], "49999");
    cb_words_free(&words);
}

static void sizes_are_sorted_and_merged(void **state)
{
    (void)state;
    cb_size_list sizes = {0};
    static const size_t given[] = {4096, 64, 4096, 0, 64, 1024};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        assert_int_equal(cb_sizes_add(&sizes, given[i], NULL), CB_OK);
    cb_sizes_unique(&sizes);
    static const size_t expected[] = {0, 64, 1024, 4096};
    assert_int_equal(sizes.n, 4);
    assert_memory_equal(sizes.items, expected, sizeof expected);
    cb_sizes_free(&sizes);
    assert_null(sizes.items);
}

static void empty_lists_are_fine(void **state)
{
    (void)state;
    cb_words words = {0};
    cb_size_list sizes = {0};
    assert_int_equal(cb_words_unique(&words, NULL), CB_OK);
    cb_sizes_unique(&sizes);
    cb_words_free(&words);
    cb_sizes_free(&sizes);
    assert_int_equal(words.n + sizes.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_split_and_grow),
        cmocka_unit_test(empty_items_are_refused),
        cmocka_unit_test(repetitions_go_and_order_stays),
        cmocka_unit_test(a_hundred_thousand_items_are_merged),
        cmocka_unit_test(sizes_are_sorted_and_merged),
        cmocka_unit_test(empty_lists_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
