/* A worker as the runner sees it: something that prepares, takes turns and hands over samples. Behind it
 * stands a process, a session in this process, or a test's script. */
#ifndef CB_MEASURE_WORKER_H
#define CB_MEASURE_WORKER_H

#include "measure/interrupt.h"
#include "plan/catalogue.h"
#include "worker/session.h"

typedef struct cb_worker cb_worker;

/* After CB_TIMEOUT, CB_CRASHED or CB_IO a worker can only be stopped. CB_CRASHED, CB_TIMEOUT and CB_IO say in
 * err->msg what happened. While the program is being interrupted every call may answer CB_IO; the runner asks
 * the interrupt first. */
typedef struct cb_worker_vtable {
    cb_status (*prepare)(cb_worker *worker, const cb_task *task, cb_prepared *prepared, cb_err *err);
    cb_status (*begin)(cb_worker *worker, size_t rounds, cb_err *err);
    cb_status (*turn)(cb_worker *worker, cb_err *err);
    cb_status (*finish)(cb_worker *worker, size_t rounds, cb_block *block, cb_err *err);
    void (*stop)(cb_worker *worker); /* ends and frees it, in any state */
} cb_worker_vtable;

struct cb_worker {
    const cb_worker_vtable *vtable;
};

/* Where workers come from. */
typedef struct cb_worker_source {
    /* Starts a worker for the entry's module. timeout_s: the longest silence that is taken for work. */
    cb_status (*start)(void *user, const cb_catalogue_entry *entry, double timeout_s, cb_worker **worker,
                       cb_err *err);
    void *user;
} cb_worker_source;

/* Settings of workers that are processes of their own. */
typedef struct cb_process_settings {
    const char *executable;  /* this program's file */
    int cpu;                 /* measuring CPU, or -1 for no pinning */
    cb_interrupt *interrupt; /* ends every wait */
} cb_process_settings;

/* Processes: the program re-executed, one module loaded. settings is borrowed for the life of the source and
 * its workers. */
cb_worker_source cb_process_source(const cb_process_settings *settings);

/* Sessions inside this process (--in-process). clock is borrowed likewise. */
cb_worker_source cb_local_source(const cb_clock *clock);

/* Fills an entry from what its module's worker says: name, version, kernels. The entry has name and module;
 * on failure entry->absent says why. */
void cb_process_identify(const cb_process_settings *settings, double timeout_s, cb_catalogue_entry *entry);

/* Decodes a HELLO payload into the entry (see worker/protocol.h). CB_IO when malformed; the entry's strings
 * are then still freed by cb_catalogue_free(). */
cb_status cb_hello_decode(cb_span bytes, cb_catalogue_entry *entry, cb_err *err);

/* Lists the modules (<name>.so) and the libraries that were not built (<name>.absent) of a folder, and asks
 * every module's worker. CB_IO when the folder cannot be read. The caller frees the catalogue. */
cb_status cb_probe_modules(const char *folder, const cb_process_settings *settings, double timeout_s,
                           cb_catalogue *catalogue, cb_err *err);

#endif
