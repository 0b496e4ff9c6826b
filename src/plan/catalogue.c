#include "plan/catalogue.h"

#include "plan/glob.h"

const cb_catalogue_kernel *cb_catalogue_find_kernel(const cb_catalogue_entry *entry, const char *op_id)
{
    for (size_t i = 0; i < entry->n_kernels; i++)
        if (strcmp(entry->kernels[i].op, op_id) == 0)
            return &entry->kernels[i];
    return NULL;
}

const cb_catalogue_entry *cb_catalogue_find(const cb_catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->n; i++)
        if (strcmp(catalogue->entries[i].name, name) == 0)
            return &catalogue->entries[i];
    return NULL;
}

const char *cb_catalogue_why_absent(const cb_catalogue_entry *entry, const char *op_id, char *reason,
                                    size_t size)
{
    if (entry->absent.code != CB_OK) {
        (void)snprintf(reason, size, "%s", entry->absent.msg);
        return reason;
    }
    for (size_t i = 0; i < entry->n_absences; i++)
        if (cb_glob_match(entry->absences[i].ops, op_id)) {
            (void)snprintf(reason, size, "%s", entry->absences[i].reason);
            return reason;
        }
    (void)snprintf(reason, size, "%s%s%s does not offer it", entry->name, entry->version != NULL ? " " : "",
                   entry->version != NULL ? entry->version : "");
    return reason;
}

static void entry_free(cb_catalogue_entry *entry)
{
    for (size_t i = 0; i < entry->n_kernels; i++) {
        free(entry->kernels[i].op);
        free(entry->kernels[i].since);
        free(entry->kernels[i].limits);
    }
    for (size_t i = 0; i < entry->n_absences; i++) {
        free(entry->absences[i].ops);
        free(entry->absences[i].reason);
    }
    char *const strings[] = {entry->name,  entry->module,  entry->backend, entry->version,
                             entry->build, entry->licence, entry->library};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        free(strings[i]);
    free(entry->kernels);
    free(entry->absences);
}

void cb_catalogue_free(cb_catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->n; i++)
        entry_free(&catalogue->entries[i]);
    free(catalogue->entries);
    *catalogue = (cb_catalogue){0};
}
