#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_catalogue.h"

static void entries_and_kernels_are_found_by_name(void **state)
{
    (void)state;
    cb_catalogue catalogue = fixture_catalogue();
    const cb_catalogue_entry *beta = cb_catalogue_find(&catalogue, "beta");
    assert_non_null(beta);
    assert_string_equal(beta->version, "2.0");
    assert_null(cb_catalogue_find(&catalogue, "bet"));
    assert_null(cb_catalogue_find(&catalogue, ""));
    assert_non_null(cb_catalogue_find_kernel(beta, FIXTURE_GCM_DEC));
    assert_null(cb_catalogue_find_kernel(beta, FIXTURE_CHACHA_DEC));
    assert_null(cb_catalogue_find_kernel(cb_catalogue_find(&catalogue, "gamma"), FIXTURE_GCM_ENC));
}

static void assert_why(const char *name, const char *op, const char *expected)
{
    cb_catalogue catalogue = fixture_catalogue();
    char reason[160];
    assert_string_equal(
        cb_catalogue_why_absent(cb_catalogue_find(&catalogue, name), op, reason, sizeof reason), expected);
}

static void the_best_reason_is_given(void **state)
{
    (void)state;
    assert_why("gamma", FIXTURE_GCM_ENC, "gamma was not found when this was built");
    assert_why("beta", FIXTURE_CHACHA_ENC, "beta never encrypts ChaCha");
    assert_why("beta", FIXTURE_CHACHA_DEC, "beta has GCM only");
    assert_why("beta", "hash/sha256/digest", "beta 2.0 does not offer it");
    assert_why("referee", "hash/sha256/digest", "referee does not offer it");
}

static void a_reason_is_cut_to_its_room(void **state)
{
    (void)state;
    cb_catalogue catalogue = fixture_catalogue();
    char reason[6];
    assert_string_equal(
        cb_catalogue_why_absent(&catalogue.entries[2], FIXTURE_GCM_ENC, reason, sizeof reason), "gamma");
}

static char *copy(const char *text)
{
    char *made = strdup(text);
    assert_non_null(made);
    return made;
}

/* Whether all of it is freed is for the leak checker to say. */
static void a_catalogue_is_freed_whole(void **state)
{
    (void)state;
    cb_catalogue catalogue = {.entries = calloc(2, sizeof(cb_catalogue_entry)), .n = 2};
    assert_non_null(catalogue.entries);
    cb_catalogue_entry *entry = &catalogue.entries[0];
    *entry = (cb_catalogue_entry){.name = copy("a"),
                                  .module = copy("a.so"),
                                  .backend = copy("a"),
                                  .version = copy("1"),
                                  .build = copy("x"),
                                  .licence = copy("MIT"),
                                  .library = copy("liba.so.1"),
                                  .n_kernels = 1,
                                  .n_absences = 1};
    entry->kernels = calloc(1, sizeof *entry->kernels);
    entry->absences = calloc(1, sizeof *entry->absences);
    assert_true(entry->kernels != NULL && entry->absences != NULL);
    entry->kernels[0] = (cb_catalogue_kernel){copy("a/b/c"), copy("1.1"), copy("needs AES-NI")};
    entry->absences[0] = (cb_catalogue_absence){copy("x/*"), copy("not offered")};
    catalogue.entries[1].name = copy("b");
    cb_catalogue_free(&catalogue);
    assert_null(catalogue.entries);
    assert_int_equal(catalogue.n, 0);
    cb_catalogue_free(&catalogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_and_kernels_are_found_by_name),
        cmocka_unit_test(the_best_reason_is_given),
        cmocka_unit_test(a_reason_is_cut_to_its_room),
        cmocka_unit_test(a_catalogue_is_freed_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
