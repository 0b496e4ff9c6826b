#include "system/place.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

cb_status cb_place_executable(char **path, cb_err *err)
{
    char buffer[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", buffer, sizeof buffer);
    if (n < 0 || (size_t)n == sizeof buffer)
        return cb_fail(err, CB_IO, "/proc/self/exe cannot be read: %s",
                       n < 0 ? strerror(errno) : "path too long");
    *path = strndup(buffer, (size_t)n);
    return *path != NULL ? CB_OK : cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a path");
}

static int is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Takes the folder below the program's own, or NULL when it does not exist. */
static char *folder_near(const char *executable, const char *relative)
{
    char *path = NULL;
    const char *slash = strrchr(executable, '/');
    int dir_n = slash != NULL ? (int)(slash - executable) : 0;
    if (asprintf(&path, "%.*s/%s", dir_n, executable, relative) < 0)
        return NULL;
    if (is_folder(path))
        return path;
    free(path);
    return NULL;
}

cb_status cb_place_backends(const char *executable, char **path, cb_err *err)
{
    const char *chosen = getenv("CRYPTO_BENCH_BACKENDS");
    if (chosen != NULL && *chosen != '\0') {
        *path = strdup(chosen);
        return *path != NULL ? CB_OK : cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a path");
    }
    *path = folder_near(executable, "backends");
    if (*path == NULL)
        *path = folder_near(executable, "../lib/crypto_bench");
    if (*path == NULL)
        return cb_fail(err, CB_IO,
                       "no backend modules beside the program or in ../lib/crypto_bench; "
                       "CRYPTO_BENCH_BACKENDS names another folder");
    return CB_OK;
}
