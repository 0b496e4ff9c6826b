#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/report.h"

static void formats_have_reporters(void **state)
{
    (void)state;
    size_t n;
    const cb_reporter *all = cb_reporters(&n);
    assert_int_equal(n, 3);
    assert_string_equal(all[0].name, "table");
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(cb_reporter_by_format(all[i].format), &all[i]);
    assert_null(cb_reporter_by_format(CB_FORMAT_AUTO));
}

static void check_path(const char *path, const char *name)
{
    const cb_reporter *reporter = cb_reporter_by_path(path);
    if (name == NULL) {
        assert_null(reporter);
        return;
    }
    assert_non_null(reporter);
    assert_string_equal(reporter->name, name);
}

static void endings_choose_the_reporter(void **state)
{
    (void)state;
    check_path("out.json", "json");
    check_path("/tmp/out.v2.CSV", "csv");
    check_path("./a.b/out.txt", "table");
    check_path("out", NULL);
    check_path("out.", NULL);
    check_path("out.jso", NULL);
    check_path("out.jsonl", NULL);
    check_path("folder.json/out", NULL);
    check_path("", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_reporters),
        cmocka_unit_test(endings_choose_the_reporter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
