#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "system/place.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tree of folders of the test's own: base/bin, where the program would be, and what each test adds. */
typedef struct tree {
    char base[64];
    char program[PATH_MAX];
} tree;

static void path_in(const tree *t, const char *name, char path[PATH_MAX])
{
    (void)snprintf(path, PATH_MAX, "%s/%s", t->base, name);
}

static void add_folder(const tree *t, const char *name)
{
    char path[PATH_MAX];
    path_in(t, name, path);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void remove_folder(const tree *t, const char *name)
{
    char path[PATH_MAX];
    path_in(t, name, path);
    (void)rmdir(path);
}

static void tree_make(tree *t)
{
    (void)snprintf(t->base, sizeof t->base, "/tmp/test_place.XXXXXX");
    assert_non_null(mkdtemp(t->base));
    add_folder(t, "bin");
    path_in(t, "bin/crypto_bench", t->program);
    assert_int_equal(unsetenv("CRYPTO_BENCH_BACKENDS"), 0);
}

static void tree_free(const tree *t)
{
    static const char *const folders[] = {"bin/backends", "bin", "lib/crypto_bench", "lib"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        remove_folder(t, folders[i]);
    assert_int_equal(rmdir(t->base), 0);
}

/* The folder that is found is the one called `name` in the tree. */
static void assert_found(const tree *t, const char *name)
{
    char *path = NULL, expected[PATH_MAX], real[PATH_MAX];
    cb_err err = {0};
    path_in(t, name, expected);
    assert_int_equal(cb_place_backends(t->program, &path, &err), CB_OK);
    assert_non_null(realpath(path, real));
    assert_string_equal(real, expected);
    free(path);
}

static void test_the_program_is_this_one(void **unused)
{
    (void)unused;
    char *path = NULL;
    cb_err err = {0};
    struct stat by_path, by_link;
    assert_int_equal(cb_place_executable(&path, &err), CB_OK);
    assert_int_equal(path[0], '/');
    assert_int_equal(stat(path, &by_path), 0);
    assert_int_equal(stat("/proc/self/exe", &by_link), 0);
    assert_int_equal(by_path.st_ino, by_link.st_ino);
    assert_int_equal(by_path.st_dev, by_link.st_dev);
    free(path);
}

static void test_a_build_has_its_modules_beside_the_program(void **unused)
{
    (void)unused;
    tree t;
    tree_make(&t);
    add_folder(&t, "bin/backends");
    add_folder(&t, "lib");
    add_folder(&t, "lib/crypto_bench");
    assert_found(&t, "bin/backends");
    tree_free(&t);
}

static void test_an_installation_has_them_in_lib(void **unused)
{
    (void)unused;
    tree t;
    tree_make(&t);
    add_folder(&t, "lib");
    add_folder(&t, "lib/crypto_bench");
    assert_found(&t, "lib/crypto_bench");
    tree_free(&t);
}

static void test_without_any_the_places_are_named(void **unused)
{
    (void)unused;
    tree t;
    char *path = NULL;
    cb_err err = {0};
    tree_make(&t);
    assert_int_equal(cb_place_backends(t.program, &path, &err), CB_IO);
    assert_null(path);
    assert_non_null(strstr(err.msg, "../lib/crypto_bench"));
    assert_non_null(strstr(err.msg, "CRYPTO_BENCH_BACKENDS"));
    tree_free(&t);
}

static void test_the_environment_decides(void **unused)
{
    (void)unused;
    tree t;
    char *path = NULL;
    cb_err err = {0};
    tree_make(&t);
    add_folder(&t, "bin/backends");
    assert_int_equal(setenv("CRYPTO_BENCH_BACKENDS", "/some/where else", 1), 0);
    assert_int_equal(cb_place_backends(t.program, &path, &err), CB_OK);
    assert_string_equal(path, "/some/where else");
    free(path);
    assert_int_equal(setenv("CRYPTO_BENCH_BACKENDS", "", 1), 0);
    assert_found(&t, "bin/backends");
    assert_int_equal(unsetenv("CRYPTO_BENCH_BACKENDS"), 0);
    tree_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_program_is_this_one),
        cmocka_unit_test(test_a_build_has_its_modules_beside_the_program),
        cmocka_unit_test(test_an_installation_has_them_in_lib),
        cmocka_unit_test(test_without_any_the_places_are_named),
        cmocka_unit_test(test_the_environment_decides),
    };
    return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
