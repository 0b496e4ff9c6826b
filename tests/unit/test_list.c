#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_result.h"
#include "golden.h"

#include <jansson.h>

static char *render(const fixture *f, const cb_plan *plan, cb_format format, size_t *n)
{
    char *text = NULL;
    cb_err err = {0};
    FILE *stream = open_memstream(&text, n);
    assert_non_null(stream);
    assert_int_equal(cb_report_list(stream, &f->catalogue, plan, format, &err), CB_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static json_t *parse(const fixture *f, const cb_plan *plan)
{
    size_t n;
    char *text = render(f, plan, CB_FORMAT_JSON, &n);
    json_error_t error;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    free(text);
    return root;
}

static void a_plan_gives_the_golden_list(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    size_t n;
    char *text = render(&f, &f.plan, CB_FORMAT_AUTO, &n);
    golden_check("golden/list.txt", text, n);
    free(text);
    text = render(&f, &f.plan, CB_FORMAT_JSON, &n);
    golden_check("golden/list.json", text, n);
    free(text);
}

static void without_a_plan_everything_is_listed(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    size_t n;
    char *text = render(&f, NULL, CB_FORMAT_TABLE, &n);
    for (size_t i = 0; i < cb_operation_count(); i++)
        assert_non_null(strstr(text, cb_operation_at(i)->id));
    assert_non_null(strstr(text, "  nss        absent: nss was not found when this was built\n"));
    assert_non_null(strstr(text, "  nss  unsupported: nss was not found when this was built\n"));
    free(text);
}

static void json_has_every_library_under_every_operation(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    json_t *root = parse(&f, NULL);
    const json_t *operations = json_object_get(root, "operations");
    assert_int_equal(json_array_size(operations), cb_operation_count());
    for (size_t i = 0; i < json_array_size(operations); i++) {
        const json_t *op = json_array_get(operations, i);
        assert_int_equal(json_array_size(json_object_get(op, "contestants")), FIXTURE_ENTRIES);
        assert_int_equal(json_array_size(json_object_get(op, "sizes")), cb_operation_at(i)->n_sizes);
    }
    const json_t *nss = json_array_get(json_object_get(root, "libraries"), 1);
    assert_string_equal(json_string_value(json_object_get(nss, "status")), "unsupported");
    assert_true(json_is_null(json_object_get(nss, "path")));
    json_decref(root);
}

static void an_empty_catalogue_is_said(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.catalogue.n = 0;
    size_t n;
    char *text = render(&f, NULL, CB_FORMAT_TABLE, &n);
    assert_non_null(strstr(text, "none found"));
    free(text);
    json_t *root = parse(&f, NULL);
    assert_int_equal(json_array_size(json_object_get(root, "libraries")), 0);
    json_decref(root);
}

static void a_witness_is_marked(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    f.entries[2].witness = true;
    size_t n;
    char *text = render(&f, NULL, CB_FORMAT_TABLE, &n);
    assert_non_null(strstr(text, "  openssl    3.0.17  Apache-2.0  measured only when named\n"));
    assert_non_null(strstr(text, "  openssl  (a witness: measured only when named)\n"));
    free(text);
    json_t *root = parse(&f, NULL);
    const json_t *library = json_array_get(json_object_get(root, "libraries"), 2);
    assert_true(json_is_true(json_object_get(library, "witness")));
    json_decref(root);
}

static void csv_is_refused(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    cb_err err = {0};
    assert_int_equal(cb_report_list(stdout, &f.catalogue, NULL, CB_FORMAT_CSV, &err), CB_BAD_ARGUMENT);
    assert_non_null(strstr(err.msg, "csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_gives_the_golden_list),
        cmocka_unit_test(without_a_plan_everything_is_listed),
        cmocka_unit_test(json_has_every_library_under_every_operation),
        cmocka_unit_test(an_empty_catalogue_is_said),
        cmocka_unit_test(a_witness_is_marked),
        cmocka_unit_test(csv_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
