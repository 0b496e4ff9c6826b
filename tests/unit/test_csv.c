#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_result.h"
#include "golden.h"

#define COLUMNS 27

static char *render(const fixture *f, size_t *n)
{
    char *text = fixture_render(f, cb_reporter_by_format(CB_FORMAT_CSV), &(cb_report_style){0}, n);
    assert_non_null(text);
    return text;
}

/* Cells of the record at *text, which moves behind its CR LF. */
static size_t count_cells(const char **text)
{
    size_t cells = 1;
    bool quoted = false;
    const char *p = *text;
    for (; quoted || strncmp(p, "\r\n", 2) != 0; p++) {
        assert_int_not_equal(*p, '\0');
        quoted ^= *p == '"';
        cells += !quoted && *p == ',' ? 1 : 0;
    }
    *text = p + 2;
    return cells;
}

static void the_file_is_the_golden_one(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    size_t n;
    char *text = render(&f, &n);
    golden_check("golden/result.csv", text, n);
    free(text);
}

static void every_record_has_all_columns(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    (void)cb_fail(&f.samples[4].status, CB_CRASHED, "one, \"two\"\nthree\r\nfour");
    size_t n, records = 0;
    char *text = render(&f, &n);
    for (const char *p = text; *p != '\0'; records++)
        assert_int_equal(count_cells(&p), COLUMNS);
    assert_int_equal(records, 1 + FIXTURE_ROWS);
    assert_non_null(strstr(text, ",crashed,\"one, \"\"two\"\"\nthree\r\nfour\",,"));
    free(text);
}

static void check_message(const char *message, const char *cell)
{
    fixture f;
    fixture_make(&f);
    (void)cb_fail(&f.samples[4].status, CB_LIBRARY_ERROR, "%s", message);
    size_t n;
    char *text = render(&f, &n);
    if (strstr(text, cell) == NULL)
        fail_msg("no %s in:\n%s", cell, text);
    free(text);
}

static void messages_are_no_formulas(void **state)
{
    (void)state;
    check_message("=1+1", ",library_error,'=1+1,");
    check_message("+1", ",library_error,'+1,");
    check_message("-1", ",library_error,'-1,");
    check_message("@SUM(A1,A2)", ",library_error,\"'@SUM(A1,A2)\",");
    check_message("\t=1", ",library_error,'\t=1,");
    check_message("error -1", ",library_error,error -1,");
}

static void negative_numbers_stay_numbers(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.rows[0].summary.min_ns = -0.5;
    size_t n;
    char *text = render(&f, &n);
    assert_non_null(strstr(text, ",-0.5,"));
    free(text);
}

static void private_paths_and_stray_bytes_are_replaced(void **state)
{
    (void)state;
    check_message("/home/ann/lib/x.so: \xff", ",library_error,$HOME/lib/x.so: \xef\xbf\xbd,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_is_the_golden_one),
        cmocka_unit_test(every_record_has_all_columns),
        cmocka_unit_test(messages_are_no_formulas),
        cmocka_unit_test(negative_numbers_stay_numbers),
        cmocka_unit_test(private_paths_and_stray_bytes_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
