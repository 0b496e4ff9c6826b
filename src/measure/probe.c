/* From a folder of modules to a catalogue. */
#include "measure/worker.h"
#include "worker/wire.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#define MODULE_ENDING ".so"
#define ABSENT_ENDING ".absent"
/* More rows than any library has: a larger count is a malformed greeting. */
#define ROWS_MAX 4096

static cb_status get_kernels(cb_wire_reader *r, cb_catalogue_entry *entry)
{
    uint64_t n = cb_wire_get_u64(r);
    if (r->failed || n > ROWS_MAX)
        return CB_IO;
    entry->kernels = calloc((size_t)n + 1, sizeof *entry->kernels);
    if (entry->kernels == NULL)
        return CB_OUT_OF_MEMORY;
    for (; entry->n_kernels < n && !r->failed; entry->n_kernels++) {
        cb_catalogue_kernel *kernel = &entry->kernels[entry->n_kernels];
        kernel->op = cb_wire_get_string(r);
        kernel->since = cb_wire_get_string(r);
        kernel->limits = cb_wire_get_string(r);
        r->failed = r->failed || kernel->op == NULL;
    }
    return CB_OK;
}

static cb_status get_absences(cb_wire_reader *r, cb_catalogue_entry *entry)
{
    uint64_t n = cb_wire_get_u64(r);
    if (r->failed || n > ROWS_MAX)
        return CB_IO;
    entry->absences = calloc((size_t)n + 1, sizeof *entry->absences);
    if (entry->absences == NULL)
        return CB_OUT_OF_MEMORY;
    for (; entry->n_absences < n && !r->failed; entry->n_absences++) {
        cb_catalogue_absence *absence = &entry->absences[entry->n_absences];
        absence->ops = cb_wire_get_string(r);
        absence->reason = cb_wire_get_string(r);
        r->failed = r->failed || absence->ops == NULL || absence->reason == NULL;
    }
    return CB_OK;
}

cb_status cb_hello_decode(cb_span bytes, cb_catalogue_entry *entry, cb_err *err)
{
    cb_wire_reader r = {.bytes = bytes};
    entry->backend = cb_wire_get_string(&r);
    entry->version = cb_wire_get_string(&r);
    entry->build = cb_wire_get_string(&r);
    entry->licence = cb_wire_get_string(&r);
    entry->library = cb_wire_get_string(&r);
    uint64_t witness = cb_wire_get_u64(&r);
    entry->witness = witness == 1;
    cb_status status = get_kernels(&r, entry);
    if (status == CB_OK)
        status = get_absences(&r, entry);
    if (status == CB_OUT_OF_MEMORY)
        return cb_fail(err, status, "no memory for the rows of a module");
    if (status != CB_OK || !cb_wire_finished(&r) || witness > 1 || entry->backend == NULL ||
        entry->version == NULL || entry->build == NULL || entry->licence == NULL)
        return cb_fail(err, CB_IO, "the module's worker sent a malformed greeting");
    return CB_OK;
}

/* The file name's part before the ending, or 0. */
static size_t stem_length(const char *file, const char *ending)
{
    size_t n = strlen(file);
    size_t m = strlen(ending);
    return n > m && strcmp(file + n - m, ending) == 0 ? n - m : 0;
}

/* One line of text from a file. */
static void read_reason(const char *path, char *reason, size_t size)
{
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(reason, (int)size, file) == NULL)
        (void)snprintf(reason, size, "it was not found when this was built");
    if (file != NULL)
        (void)fclose(file);
    reason[strcspn(reason, "\n")] = '\0';
}

static cb_status add_entry(cb_catalogue *catalogue, const char *folder, const char *file, cb_err *err)
{
    size_t module_n = stem_length(file, MODULE_ENDING);
    size_t absent_n = stem_length(file, ABSENT_ENDING);
    if (module_n == 0 && absent_n == 0)
        return CB_OK;
    cb_catalogue_entry *grown = realloc(catalogue->entries, (catalogue->n + 1) * sizeof *grown);
    if (grown == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the list of modules");
    catalogue->entries = grown;
    cb_catalogue_entry *entry = &grown[catalogue->n];
    *entry = (cb_catalogue_entry){0};
    char *path = NULL;
    entry->name = strndup(file, module_n > 0 ? module_n : absent_n);
    if (entry->name == NULL || asprintf(&path, "%s/%s", folder, file) < 0) {
        free(entry->name);
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the list of modules");
    }
    catalogue->n++;
    if (module_n > 0) {
        entry->module = path;
        return CB_OK;
    }
    entry->absent.code = CB_UNSUPPORTED;
    read_reason(path, entry->absent.msg, sizeof entry->absent.msg);
    free(path);
    return CB_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const cb_catalogue_entry *)a)->name, ((const cb_catalogue_entry *)b)->name);
}

static cb_status list_modules(const char *folder, cb_catalogue *catalogue, cb_err *err)
{
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return cb_fail(err, CB_IO, "no backend modules in %.90s: %s", folder, strerror(errno));
    cb_status status = CB_OK;
    const struct dirent *item = NULL;
    while (status == CB_OK && (item = readdir(dir)) != NULL)
        status = add_entry(catalogue, folder, item->d_name, err);
    (void)closedir(dir);
    if (catalogue->n > 1)
        qsort(catalogue->entries, catalogue->n, sizeof *catalogue->entries, by_name);
    return status;
}

cb_status cb_probe_modules(const char *folder, const cb_process_settings *settings, double timeout_s,
                           cb_catalogue *catalogue, cb_err *err)
{
    *catalogue = (cb_catalogue){0};
    cb_status status = list_modules(folder, catalogue, err);
    for (size_t i = 0; status == CB_OK && i < catalogue->n; i++)
        if (catalogue->entries[i].module != NULL)
            cb_process_identify(settings, timeout_s, &catalogue->entries[i]);
    if (status != CB_OK)
        cb_catalogue_free(catalogue);
    return status;
}
