#include "worker/module.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

/* Dependencies that are never the library a backend is about. */
static const char *const runtime_libraries[] = {"libc.",    "libm.",   "libgcc", "libasan",
                                                "libubsan", "libtsan", "ld-"};

static int is_runtime_library(const char *name)
{
    for (size_t i = 0; i < sizeof runtime_libraries / sizeof runtime_libraries[0]; i++)
        if (strncmp(name, runtime_libraries[i], strlen(runtime_libraries[i])) == 0)
            return 1;
    return 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static const char *string_table(const struct link_map *map)
{
    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            return (const char *)d->d_un.d_ptr; /* the loader has made it an address */
    return NULL;
}

/* The module's first dependency that is not part of the language runtime, or NULL. */
static const char *first_needed(const struct link_map *map)
{
    const char *strings = string_table(map);
    for (const ElfW(Dyn) *d = map->l_ld; strings != NULL && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && !is_runtime_library(strings + d->d_un.d_val))
            return strings + d->d_un.d_val;
    return NULL;
}

static void find_library(cb_module *module, const char *path)
{
    struct link_map *map = NULL;
    const char *found = path;
    if (dlinfo(module->handle, RTLD_DI_LINKMAP, &map) == 0 && map != NULL) {
        const char *needed = first_needed(map);
        while (map->l_prev != NULL)
            map = map->l_prev;
        for (; needed != NULL && map != NULL; map = map->l_next)
            if (strcmp(base_name(map->l_name), needed) == 0)
                found = map->l_name;
    }
    (void)snprintf(module->library, sizeof module->library, "%s", found);
}

cb_status cb_module_load(cb_module *module, const char *path, cb_err *err)
{
    *module = (cb_module){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (module->handle == NULL) {
        const char *words = dlerror();
        return cb_fail(err, CB_UNSUPPORTED, "%s", words != NULL ? words : "the module cannot be loaded");
    }
    const cb_backend *(*get)(void) = NULL;
    void *symbol = dlsym(module->handle, CB_BACKEND_GETTER);
    memcpy(&get, &symbol, sizeof get); /* ISO C has no conversion from object to function pointers */
    if (get != NULL)
        module->backend = get();
    if (module->backend == NULL || module->backend->abi != CB_BACKEND_ABI) {
        cb_status status =
            module->backend == NULL
                ? cb_fail(err, CB_UNSUPPORTED, "no " CB_BACKEND_GETTER "() in %.100s", base_name(path))
                : cb_fail(err, CB_UNSUPPORTED, "%.100s was built for version %u of the contract, not %u",
                          base_name(path), module->backend->abi, CB_BACKEND_ABI);
        cb_module_unload(module);
        return status;
    }
    find_library(module, path);
    return CB_OK;
}

void cb_module_unload(cb_module *module)
{
    if (module->handle != NULL)
        (void)dlclose(module->handle);
    *module = (cb_module){0};
}
