#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_result.h"
#include "golden.h"

#include <jansson.h>
#include <math.h>

static char *render(const fixture *f, cb_format format, size_t *n)
{
    char *text = NULL;
    cb_err err = {0};
    FILE *stream = open_memstream(&text, n);
    assert_non_null(stream);
    assert_int_equal(cb_report_doctor(stream, &f->environment, &f->catalogue, format, &err), CB_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void the_page_is_the_golden_one(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    size_t n;
    char *text = render(&f, CB_FORMAT_AUTO, &n);
    golden_check("golden/doctor.txt", text, n);
    free(text);
    text = render(&f, CB_FORMAT_JSON, &n);
    golden_check("golden/doctor.json", text, n);
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL);
    assert_int_equal(json_array_size(json_object_get(root, "libraries")), FIXTURE_ENTRIES);
    json_decref(root);
    free(text);
}

static void an_unknown_machine_is_no_obstacle(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.environment = (cb_environment){
        .measuring_cpu = -1, .load1 = (double)NAN, .clock_read_ns = (double)NAN, .tsc_ghz = (double)NAN};
    f.catalogue.n = 0;
    size_t n;
    char *text = render(&f, CB_FORMAT_TABLE, &n);
    assert_null(strstr(text, "nan"));
    assert_non_null(strstr(text, "processor     unknown\n"));
    assert_non_null(strstr(text, "nothing found that makes numbers less trustworthy\n"));
    free(text);
}

static void csv_is_refused(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    cb_err err = {0};
    assert_int_equal(cb_report_doctor(stdout, &f.environment, &f.catalogue, CB_FORMAT_CSV, &err),
                     CB_BAD_ARGUMENT);
    assert_non_null(strstr(err.msg, "csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_the_golden_one),
        cmocka_unit_test(an_unknown_machine_is_no_obstacle),
        cmocka_unit_test(csv_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
