/* run_vectors MODULE [--complete] FILE...
 * run_vectors MODULE --wycheproof[=DIR]
 *
 * Runs published figures on every row that a backend module has. Exit codes: 0 all as published; 1 something
 * was not, nothing ran, or with --complete something was skipped; 2 usage; 77 no folder of Wycheproof files
 * was named, neither as DIR nor as CRYPTO_BENCH_VECTORS. */
#include "vector_file.h"
#include "vector_run.h"
#include "wycheproof.h"

#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <unistd.h>

enum { EXIT_ALL_RIGHT = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_SKIPPED = 77 };

typedef struct module {
    void *handle;
    const cb_backend *backend;
    void *ctx;
} module;

static cb_status module_open(module *m, const char *path, cb_err *err)
{
    m->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (m->handle == NULL)
        return cb_fail(err, CB_IO, "%s", dlerror());
    const cb_backend *(*getter)(void) = (const cb_backend *(*)(void))dlsym(m->handle, CB_BACKEND_GETTER);
    const cb_backend *backend = getter != NULL ? getter() : NULL;
    cb_status status = CB_OK;
    if (backend == NULL)
        status = cb_fail(err, CB_IO, "%s: no " CB_BACKEND_GETTER, path);
    else if (backend->abi != CB_BACKEND_ABI)
        status = cb_fail(err, CB_IO, "%s: abi %u, not %u", path, backend->abi, CB_BACKEND_ABI);
    else
        status = backend->open(&m->ctx, err);
    if (status == CB_OK)
        m->backend = backend;
    else
        (void)dlclose(m->handle);
    return status;
}

static void module_close(module *m)
{
    m->backend->close(m->ctx);
    (void)dlclose(m->handle);
}

static void run_list(const module *m, const char *name, const cb_vector_list *list, cb_vector_tally *total)
{
    cb_vector_tally t = {0};
    for (size_t i = 0; i < list->n; i++)
        cb_vector_run(m->backend, m->ctx, &list->items[i], &t, stderr);
    printf("%s %s, %s: %zu records: %zu outputs as published, %zu invalid and %zu forgeries refused, "
           "%zu without a row, %zu unsupported, %zu failed\n",
           m->backend->name, m->backend->version(), name, list->n, t.computed, t.refused, t.forgeries,
           t.no_kernel, t.unsupported, t.failed);
    total->computed += t.computed;
    total->refused += t.refused;
    total->forgeries += t.forgeries;
    total->no_kernel += t.no_kernel;
    total->unsupported += t.unsupported;
    total->failed += t.failed;
}

static cb_status run_file(const module *m, const char *path, cb_vector_tally *total, cb_err *err)
{
    cb_vector_list list = {0};
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return cb_fail(err, CB_IO, "%s: %s", path, strerror(errno));
    cb_status status = cb_vector_file_read(in, path, &list, err);
    (void)fclose(in);
    if (status == CB_OK)
        run_list(m, path, &list, total);
    cb_vector_list_free(&list);
    return status;
}

static cb_status run_files(const module *m, char *const paths[], cb_vector_tally *total, cb_err *err)
{
    for (; *paths != NULL; paths++) {
        cb_status status = run_file(m, *paths, total, err);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

/* Finds the file in the folder itself or where a checkout or a collection keeps it. */
static cb_status find_wycheproof(const char *dir, const char *name, char *path, size_t cap, cb_err *err)
{
    static const char *const places[] = {"", "/wycheproof", "/testvectors_v1"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int n = snprintf(path, cap, "%s%s/%s", dir, places[i], name);
        if (n >= 0 && (size_t)n < cap && access(path, R_OK) == 0)
            return CB_OK;
    }
    return cb_fail(err, CB_IO, "no %s in %s, nor in its wycheproof or testvectors_v1", name, dir);
}

static cb_status run_wycheproof_file(const module *m, const char *dir, const cb_wycheproof_file *file,
                                     cb_vector_tally *total, cb_err *err)
{
    char path[4096];
    cb_vector_list list = {0};
    cb_wycheproof_counts counts;
    cb_status status = find_wycheproof(dir, file->name, path, sizeof path, err);
    if (status == CB_OK)
        status = cb_wycheproof_read(path, file, &list, &counts, err);
    if (status == CB_OK) {
        printf("%s: %zu tests taken; skipped: %zu keys not of %d bits, %zu nonces not of %d bits, "
               "%zu tags not of %d bits\n",
               file->name, counts.taken, counts.other_key_size, file->key_bits, counts.other_nonce_size,
               file->nonce_bits, counts.other_tag_size, file->tag_bits);
        run_list(m, file->name, &list, total);
    }
    cb_vector_list_free(&list);
    return status;
}

static cb_status run_wycheproof(const module *m, const char *dir, cb_vector_tally *total, cb_err *err)
{
    for (size_t i = 0; i < cb_wycheproof_file_count; i++) {
        cb_status status = run_wycheproof_file(m, dir, &cb_wycheproof_files[i], total, err);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

typedef struct arguments {
    const char *module_path;
    const char *wycheproof_dir; /* NULL: the files are of our own format */
    char *const *files;
    bool complete;
} arguments;

/* The exit code of a command line that leaves nothing to run, or -1. */
static int parse_arguments(int argc, char *argv[], arguments *a)
{
    static const struct option options[] = {
        {"complete", no_argument, NULL, 'c'}, {"wycheproof", optional_argument, NULL, 'w'}, {0}};
    bool wycheproof = false;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 'c')
            a->complete = true;
        else if (c != 'w')
            return EXIT_USAGE;
        if (c == 'w') {
            wycheproof = true;
            a->wycheproof_dir = optarg != NULL ? optarg : getenv("CRYPTO_BENCH_VECTORS");
        }
    }
    const int operands = argc - optind;
    if (operands < 1 || (operands == 1) != wycheproof) {
        (void)fprintf(stderr, "usage: run_vectors MODULE {[--complete] FILE... | --wycheproof[=DIR]}\n");
        return EXIT_USAGE;
    }
    a->module_path = argv[optind];
    a->files = argv + optind + 1;
    if (wycheproof && (a->wycheproof_dir == NULL || *a->wycheproof_dir == '\0')) {
        printf("skipped: CRYPTO_BENCH_VECTORS names no folder\n");
        return EXIT_SKIPPED;
    }
    return -1;
}

static int verdict(const arguments *a, const cb_vector_tally *total)
{
    if (total->failed > 0)
        return EXIT_WRONG;
    if (total->computed + total->refused + total->forgeries == 0) {
        (void)fprintf(stderr, "run_vectors: nothing ran\n");
        return EXIT_WRONG;
    }
    if (a->complete && total->no_kernel + total->unsupported > 0) {
        (void)fprintf(stderr, "run_vectors: --complete, but some were skipped\n");
        return EXIT_WRONG;
    }
    return EXIT_ALL_RIGHT;
}

int main(int argc, char *argv[])
{
    arguments a = {0};
    module m = {0};
    cb_vector_tally total = {0};
    cb_err err = {0};
    const int early = parse_arguments(argc, argv, &a);
    if (early >= 0)
        return early;
    cb_status status = module_open(&m, a.module_path, &err);
    if (status == CB_OK) {
        status = a.wycheproof_dir != NULL ? run_wycheproof(&m, a.wycheproof_dir, &total, &err)
                                          : run_files(&m, a.files, &total, &err);
        module_close(&m);
    }
    if (status != CB_OK) {
        (void)fprintf(stderr, "run_vectors: %s\n", err.msg);
        return EXIT_WRONG;
    }
    return verdict(&a, &total);
}
