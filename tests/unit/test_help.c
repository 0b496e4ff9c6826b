#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/help.h"
#include "cli/options.h"

/* The caller frees the text. */
static char *help_text(cb_command about)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    assert_non_null(stream);
    cb_help_write(stream, about);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static const cb_command topics[] = {CB_COMMAND_RUN, CB_COMMAND_LIST, CB_COMMAND_DOCTOR};
#define N_TOPICS (sizeof topics / sizeof topics[0])

static void lines_fit_80_columns_and_have_no_blank_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_TOPICS; i++) {
        char *text = help_text(topics[i]);
        for (const char *line = text; *line != '\0';) {
            size_t n = strcspn(line, "\n");
            assert_in_range(n, 0, CB_HELP_COLUMNS);
            assert_true(n == 0 || line[n - 1] != ' ');
            assert_int_equal(line[n], '\n');
            line += n + 1;
        }
        free(text);
    }
}

static bool shows_option(const char *text, const cb_option *option)
{
    char start[64];
    (void)snprintf(start, sizeof start, "--%s%s%s ", option->name, option->argument != NULL ? " " : "",
                   option->argument != NULL ? option->argument : "");
    const char *found = strstr(text, start);
    return found != NULL && found - text > 7 && found[-7] == '\n';
}

static void each_topic_shows_exactly_the_options_that_apply(void **state)
{
    (void)state;
    size_t n;
    const cb_option *options = cb_options(&n);
    for (size_t i = 0; i < N_TOPICS; i++) {
        char *text = help_text(topics[i]);
        for (size_t k = 0; k < n; k++) {
            bool applies = (options[k].commands & CB_COMMAND_BIT(topics[i])) != 0;
            assert_int_equal(shows_option(text, &options[k]), applies);
        }
        free(text);
    }
}

static void the_general_text_has_commands_ranges_examples_and_codes(void **state)
{
    (void)state;
    char *text = help_text(CB_COMMAND_RUN);
    static const char *const wanted[] = {
        "Usage: crypto_bench [COMMAND] [OPTION...] [FILTER...]\n",
        "\n  list    ",
        "\n  doctor  ",
        "  -b, --backend LIST      libraries: ",
        "(0.001 to 86400)",
        "(0 to 18446744073709551615)",
        "(0.1 to 86400; default 10)",
        "\nExamples:\n  crypto_bench --quick ",
        "\n  128+N  ended by signal N",
        "README.md",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (strstr(text, wanted[i]) == NULL)
            fail_msg("no \"%s\" in:\n%s", wanted[i], text);
    free(text);
}

static void a_command_has_its_own_text(void **state)
{
    (void)state;
    char *text = help_text(CB_COMMAND_DOCTOR);
    assert_int_equal(strncmp(text, "Usage: crypto_bench doctor [OPTION...]\n", 39), 0);
    assert_null(strstr(text, "FILTER"));
    assert_null(strstr(text, "What to measure"));
    free(text);
}

static void other_topics_get_the_general_text(void **state)
{
    (void)state;
    char *general = help_text(CB_COMMAND_RUN);
    char *other = help_text(CB_COMMAND_HELP);
    assert_string_equal(general, other);
    free(general);
    free(other);
}

static void letters_and_names_are_unique(void **state)
{
    (void)state;
    size_t n;
    const cb_option *options = cb_options(&n);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(cb_option_by_name(options[i].name, strlen(options[i].name)), &options[i]);
        if (options[i].letter != 0)
            assert_ptr_equal(cb_option_by_letter(options[i].letter), &options[i]);
    }
    assert_null(cb_option_by_letter('\0'));
    assert_null(cb_option_by_name("", 0));
}

static void the_version_is_one_line(void **state)
{
    (void)state;
    char text[128] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    cb_version_write(stream, "0.1.0", "0123abc", "GCC 12.2.0");
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, "crypto_bench 0.1.0 (commit 0123abc, GCC 12.2.0)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_fit_80_columns_and_have_no_blank_ends),
        cmocka_unit_test(each_topic_shows_exactly_the_options_that_apply),
        cmocka_unit_test(the_general_text_has_commands_ranges_examples_and_codes),
        cmocka_unit_test(a_command_has_its_own_text),
        cmocka_unit_test(other_topics_get_the_general_text),
        cmocka_unit_test(letters_and_names_are_unique),
        cmocka_unit_test(the_version_is_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
