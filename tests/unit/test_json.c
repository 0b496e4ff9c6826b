#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_result.h"
#include "golden.h"

#include <jansson.h>
#include <math.h>

static char *render(const fixture *f, size_t *n)
{
    char *text = fixture_render(f, cb_reporter_by_format(CB_FORMAT_JSON), &(cb_report_style){0}, n);
    assert_non_null(text);
    return text;
}

/* Parses strictly; the caller releases the value. */
static json_t *parse(const fixture *f)
{
    size_t n;
    char *text = render(f, &n);
    json_error_t error;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    free(text);
    return root;
}

static const json_t *row_at(const json_t *root, const char *array, size_t i)
{
    const json_t *row = json_array_get(json_object_get(root, array), i);
    assert_true(json_is_object(row));
    return row;
}

/* Equal to the ten digits that the file has. */
static void assert_near(const json_t *number, double expected)
{
    assert_true(json_is_real(number));
    assert_true(fabs(json_real_value(number) / expected - 1) < 1e-9);
}

static void the_file_is_the_golden_one(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    size_t n;
    char *text = render(&f, &n);
    golden_check("golden/result.json", text, n);
    assert_null(strstr(text, "/home/ann"));
    free(text);
}

static void the_top_level_is_complete(void **state)
{
    (void)state;
    static const char *const members[] = {"schema",      "complete",  "tool",    "seed",       "command",
                                          "environment", "libraries", "results", "comparisons"};
    fixture f;
    fixture_make(&f);
    json_t *root = parse(&f);
    assert_int_equal(json_object_size(root), sizeof members / sizeof members[0]);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        assert_non_null(json_object_get(root, members[i]));
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "crypto_bench/1");
    assert_string_equal(json_string_value(json_object_get(root, "seed")), "42");
    assert_int_equal(json_array_size(json_object_get(root, "results")), FIXTURE_ROWS);
    assert_int_equal(json_array_size(json_object_get(root, "libraries")), FIXTURE_CONTESTANTS);
    json_decref(root);
}

static void a_measured_row_has_figures_and_rounds(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    json_t *root = parse(&f);
    const json_t *row = row_at(root, "results", 0), *ns = json_object_get(row, "ns");
    assert_true(json_is_null(json_object_get(row, "message")));
    assert_near(json_object_get(ns, "median"), 193.15);
    assert_near(json_object_get(row, "bytes_per_s"), 64e9 / 193.15);
    assert_near(json_object_get(row, "tsc_per_byte"), 193.15 * 2.1 / 64);
    const json_t *replicates = json_object_get(row, "replicates"), *first = json_array_get(replicates, 0);
    assert_int_equal(json_array_size(replicates), 2);
    assert_string_equal(json_string_value(json_object_get(first, "seed")), "18446744073709551615");
    assert_int_equal(json_array_size(json_object_get(first, "round_ns")), 3);
    assert_int_equal(json_array_size(json_object_get(first, "control_ns")), 3);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(first, "flags"), 1)), 3);
    json_decref(root);
}

static void a_row_without_a_number_says_why(void **state)
{
    (void)state;
    static const char *const nulls[] = {"ns", "ops_per_s", "bytes_per_s", "tsc_per_byte", "iterations"};
    fixture f;
    fixture_make(&f);
    json_t *root = parse(&f);
    const json_t *row = row_at(root, "results", 4);
    assert_string_equal(json_string_value(json_object_get(row, "status")), "crashed");
    assert_non_null(strstr(json_string_value(json_object_get(row, "message")), "\"chacha\xef\xbf\xbd\""));
    for (size_t i = 0; i < sizeof nulls / sizeof nulls[0]; i++)
        assert_true(json_is_null(json_object_get(row, nulls[i])));
    assert_int_equal(json_array_size(json_object_get(row, "replicates")), 0);
    row = row_at(root, "results", 7);
    assert_string_equal(json_string_value(json_object_get(row, "status")), "unsupported");
    assert_string_equal(json_string_value(json_object_get(row, "message")), "not offered in this build");
    json_decref(root);
}

static void what_does_not_exist_is_null(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    json_t *root = parse(&f);
    const json_t *empty = row_at(root, "results", 5), *alone = row_at(root, "results", 8);
    assert_true(json_is_null(json_object_get(empty, "bytes_per_s")));
    assert_true(json_is_null(json_object_get(empty, "tsc_per_byte")));
    assert_true(json_is_real(json_object_get(empty, "ops_per_s")));
    assert_true(json_is_null(json_object_get(json_object_get(alone, "ns"), "ci_low")));
    assert_true(json_is_real(json_object_get(json_object_get(alone, "ns"), "call_p99")));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(alone, "params"), "chunk_bytes")),
                     128);
    const json_t *environment = json_object_get(root, "environment");
    assert_true(json_is_null(json_object_get(environment, "governor")));
    const json_t *warning = json_array_get(json_object_get(environment, "warnings"), 1);
    assert_true(json_is_null(json_object_get(warning, "remedy")));
    json_decref(root);
}

static void comparisons_name_both_sides(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    json_t *root = parse(&f);
    const json_t *faster = row_at(root, "comparisons", 0), *unclear = row_at(root, "comparisons", 1);
    assert_string_equal(json_string_value(json_object_get(faster, "contestant")), "libsodium");
    assert_string_equal(json_string_value(json_object_get(faster, "reference")), "openssl");
    assert_string_equal(json_string_value(json_object_get(faster, "verdict")), "faster");
    assert_true(json_is_true(json_object_get(faster, "uncontended")));
    assert_int_equal(json_integer_value(json_object_get(faster, "used_pairs")), 185);
    assert_string_equal(json_string_value(json_object_get(unclear, "verdict")), "inconclusive");
    assert_true(json_is_false(json_object_get(unclear, "uncontended")));
    json_decref(root);
}

/* Nothing measured, nothing known: still strict JSON. */
static void an_empty_result_parses(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    const cb_environment unknown = {
        .measuring_cpu = -1, .load1 = (double)NAN, .clock_read_ns = (double)INFINITY, .tsc_ghz = (double)NAN};
    const cb_plan plan = {0};
    f.result = (cb_result){.plan = &plan, .environment = &unknown, .command = "caf\xe9 \"\\n\x01"};
    json_t *root = parse(&f);
    assert_int_equal(json_array_size(json_object_get(root, "results")), 0);
    assert_true(json_is_false(json_object_get(root, "complete")));
    assert_string_equal(json_string_value(json_object_get(root, "command")), "caf\xef\xbf\xbd \"\\n\x01");
    const json_t *environment = json_object_get(root, "environment");
    assert_true(json_is_null(json_object_get(environment, "measuring_cpu")));
    assert_true(json_is_null(json_object_get(environment, "load")));
    assert_true(json_is_null(json_object_get(environment, "clock_read_ns")));
    assert_int_equal(json_array_size(json_object_get(environment, "features")), 0);
    json_decref(root);
}

static void a_full_device_is_an_error(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    FILE *stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    assert_int_equal(setvbuf(stream, NULL, _IONBF, 0), 0);
    cb_err err = {0};
    assert_int_equal(cb_report_json(stream, &f.result, &(cb_report_style){0}, &err), CB_IO);
    (void)fclose(stream);
}

/* Allocations that still succeed. The library's hook has no argument for it. */
static size_t allocations_left;

static void *scarce_malloc(size_t n)
{
    if (allocations_left == 0)
        return NULL;
    allocations_left--;
    return malloc(n);
}

static void every_lack_of_memory_is_reported(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f);
    cb_status status = CB_OUT_OF_MEMORY;
    size_t allowed = 0;
    json_set_alloc_funcs(scarce_malloc, free);
    for (; status == CB_OUT_OF_MEMORY && allowed < 100000; allowed++) {
        FILE *stream = fopen("/dev/null", "w");
        assert_non_null(stream);
        cb_err err = {0};
        allocations_left = allowed;
        status = cb_report_json(stream, &f.result, &(cb_report_style){0}, &err);
        (void)fclose(stream);
        assert_true((status == CB_OK) == (err.msg[0] == '\0'));
    }
    json_set_alloc_funcs(malloc, free);
    assert_int_equal(status, CB_OK);
    assert_in_range(allowed, 100, 99999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_is_the_golden_one),
        cmocka_unit_test(the_top_level_is_complete),
        cmocka_unit_test(a_measured_row_has_figures_and_rounds),
        cmocka_unit_test(a_row_without_a_number_says_why),
        cmocka_unit_test(what_does_not_exist_is_null),
        cmocka_unit_test(comparisons_name_both_sides),
        cmocka_unit_test(an_empty_result_parses),
        cmocka_unit_test(a_full_device_is_an_error),
        cmocka_unit_test(every_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
