#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/module.h"

#include <dlfcn.h>
#include <string.h>

static void test_a_module_is_loaded(void **unused)
{
    (void)unused;
    cb_module module;
    cb_err err = {0};
    if (cb_module_load(&module, MODULE_RIGHT, &err) != CB_OK)
        fail_msg("%s", err.msg);
    assert_non_null(module.handle);
    assert_string_equal(module.backend->name, "variant");
    assert_int_equal(module.backend->abi, CB_BACKEND_ABI);
    cb_module_unload(&module);
    assert_null(module.handle);
    assert_null(module.backend);
    cb_module_unload(&module); /* a second time does nothing */
}

/* Without a library behind it, the module is itself what is measured. */
static void test_the_file_of_a_module_without_a_library_is_its_own(void **unused)
{
    (void)unused;
    cb_module module;
    assert_int_equal(cb_module_load(&module, MODULE_RIGHT, NULL), CB_OK);
    assert_string_equal(module.library, MODULE_RIGHT);
    cb_module_unload(&module);
}

static void test_the_file_of_the_library_behind_a_module(void **unused)
{
    (void)unused;
    cb_module module;
    cb_err err = {0};
    if (cb_module_load(&module, MODULE_WITH_LIBRARY, &err) != CB_OK)
        fail_msg("%s", err.msg);
    assert_string_equal(module.library, LIBRARY_BEHIND);
    cb_module_unload(&module);
}

static void test_what_is_no_module_is_unsupported(void **unused)
{
    (void)unused;
    static const struct {
        const char *path, *words;
    } cases[] = {
        {MODULE_OTHER_ABI, "was built for version 2 of the contract, not 1"},
        {MODULE_NO_TABLE, "no cb_backend_get() in "},
        {MODULE_NO_GETTER, "no cb_backend_get() in "},
        {MODULE_UNRESOLVED, "variant_library_text"},
        {"/nonexistent/module.so", "/nonexistent/module.so"},
        {"/dev/null", "/dev/null"},
        {__FILE__, "test_module.c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_module module;
        cb_err err = {0};
        assert_int_equal(cb_module_load(&module, cases[i].path, &err), CB_UNSUPPORTED);
        assert_int_equal(err.code, CB_UNSUPPORTED);
        print_message("%s\n", err.msg);
        assert_non_null(strstr(err.msg, cases[i].words));
        assert_null(module.handle);
        assert_null(module.backend);
    }
}

/* Modules that were refused are unloaded again. */
static void test_a_refused_module_leaves_the_process(void **unused)
{
    (void)unused;
    cb_module module;
    assert_int_equal(cb_module_load(&module, MODULE_OTHER_ABI, NULL), CB_UNSUPPORTED);
    assert_null(dlopen(MODULE_OTHER_ABI, RTLD_NOW | RTLD_NOLOAD));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_module_is_loaded),
        cmocka_unit_test(test_the_file_of_a_module_without_a_library_is_its_own),
        cmocka_unit_test(test_the_file_of_the_library_behind_a_module),
        cmocka_unit_test(test_what_is_no_module_is_unsupported),
        cmocka_unit_test(test_a_refused_module_leaves_the_process),
    };
    return cmocka_run_group_tests_name("module", tests, NULL, NULL);
}
