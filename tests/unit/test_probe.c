#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/worker.h"
#include "worker/protocol.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#define BOUND_S 60

static const cb_process_settings settings = {.executable = ROGUE_WORKER, .cpu = -1};

static const char *example_version(void)
{
    return "1.2.3";
}

static const char *example_build(void)
{
    return "";
}

static void encode_hello(cb_wire_writer *w)
{
    static const cb_kernel kernels[] = {{.op = "a/b/c", .since = "1.0", .limits = "needs luck"},
                                        {.op = "a/b/d"}};
    static const cb_absence absences[] = {{"x/*", "never"}, {"y/z/w", "not yet"}};
    static const cb_backend backend = {.name = "example",
                                       .licence = "MIT",
                                       .witness = true,
                                       .version = example_version,
                                       .build = example_build,
                                       .kernels = kernels,
                                       .n_kernels = 2,
                                       .absences = absences,
                                       .n_absences = 2};
    cb_hello_encode(w, &backend, "/lib/example.so");
}

/* Decodes a copy that ends where its memory ends, and frees what came of it. */
static cb_status decode(const uint8_t *p, size_t n, cb_err *err)
{
    uint8_t *copy = malloc(n > 0 ? n : 1);
    cb_catalogue catalogue = {.entries = calloc(1, sizeof *catalogue.entries), .n = 1};
    assert_non_null(copy);
    assert_non_null(catalogue.entries);
    memcpy(copy, p, n);
    *err = (cb_err){0};
    const cb_status status = cb_hello_decode((cb_span){copy, n}, &catalogue.entries[0], err);
    assert_int_equal(err->code, status);
    cb_catalogue_free(&catalogue);
    free(copy);
    return status;
}

static void test_a_greeting_comes_through(void **unused)
{
    (void)unused;
    cb_wire_writer w = {0};
    cb_catalogue catalogue = {.entries = calloc(1, sizeof *catalogue.entries), .n = 1};
    assert_non_null(catalogue.entries);
    cb_catalogue_entry *entry = &catalogue.entries[0];
    encode_hello(&w);
    assert_int_equal(cb_hello_decode((cb_span){w.p, w.n}, entry, NULL), CB_OK);
    assert_string_equal(entry->backend, "example");
    assert_string_equal(entry->version, "1.2.3");
    assert_string_equal(entry->build, "");
    assert_string_equal(entry->licence, "MIT");
    assert_string_equal(entry->library, "/lib/example.so");
    assert_true(entry->witness);
    assert_int_equal(entry->n_kernels, 2);
    assert_string_equal(entry->kernels[0].op, "a/b/c");
    assert_string_equal(entry->kernels[0].since, "1.0");
    assert_string_equal(entry->kernels[0].limits, "needs luck");
    assert_string_equal(entry->kernels[1].op, "a/b/d");
    assert_null(entry->kernels[1].since);
    assert_null(entry->kernels[1].limits);
    assert_int_equal(entry->n_absences, 2);
    assert_string_equal(entry->absences[1].ops, "y/z/w");
    assert_string_equal(entry->absences[1].reason, "not yet");
    cb_catalogue_free(&catalogue);
    free(w.p);
}

static void test_truncated_greetings_are_refused(void **unused)
{
    (void)unused;
    cb_wire_writer w = {0};
    cb_err err;
    encode_hello(&w);
    for (size_t n = 0; n < w.n; n++)
        assert_int_equal(decode(w.p, n, &err), CB_IO);
    assert_string_equal(err.msg, "the module's worker sent a malformed greeting");
    cb_wire_put_bytes(&w, "", 1);
    assert_int_equal(decode(w.p, w.n, &err), CB_IO);
    free(w.p);
}

static void test_greetings_with_a_bit_flipped_do_no_harm(void **unused)
{
    (void)unused;
    cb_wire_writer w = {0};
    size_t taken = 0, refused = 0;
    encode_hello(&w);
    for (size_t bit = 0; bit < 8 * w.n; bit++) {
        cb_err err;
        w.p[bit / 8] ^= (uint8_t)(1u << bit % 8);
        const cb_status status = decode(w.p, w.n, &err);
        assert_true(status == CB_OK || status == CB_IO);
        taken += status == CB_OK;
        refused += status == CB_IO;
        w.p[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_true(taken > 0 && refused > 0);
    free(w.p);
}

/* A count that no library has must not be allocated for. */
static void test_a_greeting_with_absurd_counts_is_refused(void **unused)
{
    (void)unused;
    static const uint64_t counts[] = {4097, UINT64_C(1) << 40, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        cb_wire_writer w = {0};
        cb_err err;
        for (int k = 0; k < 5; k++)
            cb_wire_put_string(&w, "text");
        cb_wire_put_u64(&w, 0);
        cb_wire_put_u64(&w, counts[i]);
        assert_int_equal(decode(w.p, w.n, &err), CB_IO);
        free(w.p);
    }
}

/* A folder with links and files of the test's own. */
static void add_link(const char *folder, const char *name, const char *target)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(symlink(target, path), 0);
}

static void add_file(const char *folder, const char *name, const char *text)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_folder(const char *folder, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char path[200];
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void assert_absent(const cb_catalogue_entry *entry, const char *name, const char *words)
{
    assert_string_equal(entry->name, name);
    assert_int_equal(entry->absent.code, CB_UNSUPPORTED);
    assert_non_null(strstr(entry->absent.msg, words));
    assert_int_equal(entry->n_kernels, 0);
}

static void test_a_folder_of_modules(void **unused)
{
    (void)unused;
    static const char *const names[] = {"zeta.so",     "alpha.so",  "broken.so", "silent.absent",
                                        "gone.absent", "notes.txt", ".so",       "module.so.1"};
    char folder[] = "/tmp/test_probe.XXXXXX";
    cb_catalogue catalogue;
    cb_err err = {0};
    assert_non_null(mkdtemp(folder));
    add_link(folder, "zeta.so", MODULE_REFERENCE);
    add_link(folder, "alpha.so", MODULE_VARIANT);
    add_file(folder, "broken.so", "no module\n");
    add_file(folder, "gone.absent", "gone was not found; scripts/deps installs it\nmore\n");
    add_file(folder, "silent.absent", "");
    add_file(folder, "notes.txt", "nothing\n");
    add_file(folder, ".so", "");
    add_file(folder, "module.so.1", "");
    assert_int_equal(cb_probe_modules(folder, &settings, BOUND_S, &catalogue, &err), CB_OK);
    remove_folder(folder, names, sizeof names / sizeof names[0]);

    assert_int_equal(catalogue.n, 5); /* by name */
    const cb_catalogue_entry *e = catalogue.entries;
    assert_string_equal(e[0].name, "alpha");
    assert_int_equal(e[0].absent.code, CB_OK);
    assert_string_equal(e[0].backend, "variant");
    assert_int_equal(e[0].n_kernels, 0);
    assert_int_equal(e[0].n_absences, 1);
    assert_absent(&e[1], "broken", "broken.so");
    assert_non_null(e[1].module);
    assert_absent(&e[2], "gone", "gone was not found; scripts/deps installs it");
    assert_null(strchr(e[2].absent.msg, '\n'));
    assert_null(e[2].module);
    assert_absent(&e[3], "silent", "it was not found when this was built");
    assert_string_equal(e[4].name, "zeta");
    assert_string_equal(e[4].backend, "reference");
    assert_true(e[4].witness);
    assert_non_null(cb_catalogue_find_kernel(&e[4], "aead/aes-256-gcm/encrypt"));
    cb_catalogue_free(&catalogue);
}

static void test_an_empty_folder_has_no_modules(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/test_probe.XXXXXX";
    cb_catalogue catalogue;
    cb_err err = {0};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(cb_probe_modules(folder, &settings, BOUND_S, &catalogue, &err), CB_OK);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(catalogue.n, 0);
    cb_catalogue_free(&catalogue);
}

static void test_a_folder_that_is_not_there(void **unused)
{
    (void)unused;
    cb_catalogue catalogue;
    cb_err err = {0};
    assert_int_equal(cb_probe_modules("/nonexistent", &settings, BOUND_S, &catalogue, &err), CB_IO);
    assert_string_equal(err.msg, "no backend modules in /nonexistent: No such file or directory");
    assert_int_equal(catalogue.n, 0);
}

/* Fills an entry from a worker that does the deeds; the test frees it. */
static void identify(cb_catalogue *catalogue, const char *deeds, double timeout_s)
{
    *catalogue = (cb_catalogue){.entries = calloc(1, sizeof *catalogue->entries), .n = 1};
    assert_non_null(catalogue->entries);
    catalogue->entries[0].module = strdup(deeds);
    cb_process_identify(&settings, timeout_s, &catalogue->entries[0]);
}

static void test_a_module_that_fails_says_why(void **unused)
{
    (void)unused;
    static const struct {
        const char *deeds;
        double timeout_s;
        cb_status status;
        const char *msg;
    } cases[] = {
        {"hello", BOUND_S, CB_OK, ""},
        {"segv", BOUND_S, CB_CRASHED, "SIGSEGV during loading"},
        {"hang", 0.3, CB_TIMEOUT, "no answer for 0.3 s during loading (--timeout)"},
        {"describe", BOUND_S, CB_IO, "the module's worker sent a malformed greeting"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_catalogue catalogue;
        identify(&catalogue, cases[i].deeds, cases[i].timeout_s);
        assert_int_equal(catalogue.entries[0].absent.code, cases[i].status);
        assert_string_equal(catalogue.entries[0].absent.msg, cases[i].msg);
        assert_int_equal(catalogue.entries[0].n_kernels, cases[i].status == CB_OK ? 2 : 0);
        cb_catalogue_free(&catalogue);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_greeting_comes_through),
        cmocka_unit_test(test_truncated_greetings_are_refused),
        cmocka_unit_test(test_greetings_with_a_bit_flipped_do_no_harm),
        cmocka_unit_test(test_a_greeting_with_absurd_counts_is_refused),
        cmocka_unit_test(test_a_folder_of_modules),
        cmocka_unit_test(test_an_empty_folder_has_no_modules),
        cmocka_unit_test(test_a_folder_that_is_not_there),
        cmocka_unit_test(test_a_module_that_fails_says_why),
    };
    (void)signal(SIGPIPE, SIG_IGN); /* as the program does */
    return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
