#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_result.h"
#include "golden.h"
#include "report/table_cells.h"

#include <math.h>

static const cb_report_style plain = {0};

static char *render(const fixture *f, const cb_report_style *style, size_t *n)
{
    char *text = fixture_render(f, cb_reporter_by_format(CB_FORMAT_TABLE), style, n);
    assert_non_null(text);
    return text;
}

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void a_file_holds_the_golden_table(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    size_t n;
    char *text = render(&f, &plain, &n);
    golden_check("golden/table.txt", text, n);
    free(text);
}

static void a_terminal_gets_colour_and_wrapped_messages(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    size_t n;
    char *text = render(&f, &(cb_report_style){.color = true, .width = 80}, &n);
    golden_check("golden/table-terminal.txt", text, n);
    free(text);
}

/* The command is for copying, so it alone may be longer. */
static void eighty_columns_are_enough(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.comparisons[0].ratio.verdict = CB_SLOWER;
    f.comparisons[0].ratio.ratio = (cb_estimate){123.45, 100.0, 150.0};
    size_t n;
    char *text = render(&f, &(cb_report_style){.width = 80}, &n);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (strncmp(line, "Repeat with", 11) != 0)
            assert_in_range(end - line, 0, 80);
    free(text);
}

static void quiet_leaves_the_notes_out(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.result.complete = false;
    size_t n;
    char *text = render(&f, &(cb_report_style){.quiet = true}, &n);
    assert_contains(text, "INCOMPLETE");
    assert_null(strstr(text, "Repeat with"));
    assert_null(strstr(text, "remedy"));
    free(text);
}

static void an_incomplete_run_says_so(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.result.complete = false;
    f.result.n_rows = 4;
    size_t n;
    char *text = render(&f, &plain, &n);
    assert_contains(text, "INCOMPLETE");
    assert_contains(text, "2 of 5 groups");
    free(text);
}

static void disturbed_rounds_are_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.rows[0].summary.flagged_rounds = 200;
    size_t n;
    char *text = render(&f, &plain, &n);
    assert_contains(text, "16.0 % of the rounds were interrupted");
    free(text);
    for (size_t i = 0; i < FIXTURE_ROWS; i++)
        f.rows[i].summary.contended_rounds = 0;
    f.rows[0].summary.flagged_rounds = 0;
    text = render(&f, &plain, &n);
    assert_null(strstr(text, "% of the rounds"));
    free(text);
}

static void a_given_seed_is_not_repeated(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.result.command = "crypto_bench --seed 7";
    size_t n;
    char *text = render(&f, &plain, &n);
    assert_contains(text, "Repeat with: crypto_bench --seed 7\n");
    free(text);
}

static void no_rows_make_a_table_of_notes(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.result.n_rows = 0;
    f.result.n_comparisons = 0;
    size_t n;
    char *text = render(&f, &plain, &n);
    assert_contains(text, "nothing measured");
    assert_null(strstr(text, "contestant "));
    free(text);
}

static void messages_cannot_command_the_terminal(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    (void)cb_fail(&f.samples[4].status, CB_LIBRARY_ERROR, "\x1b]0;title\x07 twice");
    size_t n;
    char *text = render(&f, &plain, &n);
    assert_contains(text, "library_error: ?]0;title? twice\n");
    assert_null(strchr(text, '\x1b'));
    free(text);
}

static void check_words(cb_verdict verdict, double value, double low, double high, const char *expected)
{
    const cb_ratio ratio = {.ratio = {value, low, high}, .verdict = verdict};
    char words[CB_COMPARISON_BYTES];
    cb_ratio_words(words, &ratio);
    assert_string_equal(words, expected);
}

static void verdicts_have_words(void **state)
{
    (void)state;
    check_words(CB_FASTER, 0.5, 0.49, 0.51, "2.00x faster +-2.1 %");
    check_words(CB_SLOWER, 1.05, 1.0479, 1.0521, "1.050x slower +-0.20 %");
    check_words(CB_EQUIVALENT, 1.001, 0.999, 1.003, "equal within 0.30 %");
    check_words(CB_INCONCLUSIVE, 1.0, 0.98, 1.02, "unclear: 0.980x to 1.020x");
    check_words(CB_INCONCLUSIVE, 2.0, NAN, NAN, "unclear: about 0.50x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_holds_the_golden_table),
        cmocka_unit_test(a_terminal_gets_colour_and_wrapped_messages),
        cmocka_unit_test(eighty_columns_are_enough),
        cmocka_unit_test(quiet_leaves_the_notes_out),
        cmocka_unit_test(an_incomplete_run_says_so),
        cmocka_unit_test(disturbed_rounds_are_reported),
        cmocka_unit_test(a_given_seed_is_not_repeated),
        cmocka_unit_test(no_rows_make_a_table_of_notes),
        cmocka_unit_test(messages_cannot_command_the_terminal),
        cmocka_unit_test(verdicts_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
