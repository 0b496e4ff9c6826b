/* The libraries this installation can measure, and the ones it cannot, with the reason. Filled by asking a
 * worker process per module; the coordinator itself loads none of them. */
#ifndef CB_PLAN_CATALOGUE_H
#define CB_PLAN_CATALOGUE_H

#include <crypto_bench/status.h>

#include <stdbool.h>
#include <stddef.h>

/* A kernel row as its module describes it. */
typedef struct cb_catalogue_kernel {
    char *op, *since, *limits; /* since and limits may be NULL */
} cb_catalogue_kernel;

typedef struct cb_catalogue_absence {
    char *ops, *reason;
} cb_catalogue_absence;

typedef struct cb_catalogue_entry {
    char *name;    /* the module's file name without its ending: "openssl", "openssl-3.0" */
    char *module;  /* path of the module, or NULL when it was not built */
    cb_err absent; /* code CB_OK when usable; else why it is not */
    char *backend; /* the library's own name: "openssl" (all strings below NULL when not usable) */
    char *version, *build, *licence;
    char *library; /* file of the library itself, as the loader found it */
    bool witness;  /* settles disagreements; measured only when named */
    cb_catalogue_kernel *kernels;
    size_t n_kernels;
    cb_catalogue_absence *absences;
    size_t n_absences;
} cb_catalogue_entry;

/* Entries are sorted by name, so that tables and default references do not depend on the file system. */
typedef struct cb_catalogue {
    cb_catalogue_entry *entries;
    size_t n;
} cb_catalogue;

/* NULL when the entry has no such row. */
const cb_catalogue_kernel *cb_catalogue_find_kernel(const cb_catalogue_entry *entry, const char *op_id);
/* NULL when there is no such entry. */
const cb_catalogue_entry *cb_catalogue_find(const cb_catalogue *catalogue, const char *name);
/* A sentence for why the entry lacks the operation: the reason the module is unusable, the module's own
 * words, or "<name> <version> does not offer it". Writes at most size bytes, terminated, and returns reason.
 */
const char *cb_catalogue_why_absent(const cb_catalogue_entry *entry, const char *op_id, char *reason,
                                    size_t size);

/* Frees entries and all their strings, not the struct itself, and empties it. */
void cb_catalogue_free(cb_catalogue *catalogue);

#endif
