/* A backend module, loaded into this process. */
#ifndef CB_WORKER_MODULE_H
#define CB_WORKER_MODULE_H

#include <crypto_bench/backend.h>

typedef struct cb_module {
    void *handle;
    const cb_backend *backend; /* owned by the module */
    char library[512]; /* file of the library behind it, as the loader found it; the module itself when there
                          is none */
} cb_module;

/* Loads the module, checks its ABI. CB_UNSUPPORTED with the loader's words when it cannot be loaded. */
cb_status cb_module_load(cb_module *module, const char *path, cb_err *err);
void cb_module_unload(cb_module *module);

#endif
