#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_NAMES 100

typedef enum target_kind {
    TARGET_REPLACED,  /* a regular file, existing or new: temporary name, then rename */
    TARGET_IN_PLACE,  /* a character device or FIFO */
    TARGET_DESCRIPTOR /* a regular file that one of our standard streams goes to */
} target_kind;

typedef struct target {
    target_kind kind;
    bool exists, fifo;
    char *path;     /* links resolved for a file to replace, so that the link itself survives; owned */
    int descriptor; /* TARGET_DESCRIPTOR only */
} target;

static cb_status fail_path(cb_err *err, const char *path, const char *reason)
{
    return cb_fail(err, CB_IO, "cannot write %.80s: %s", path[0] != '\0' ? path : "\"\"", reason);
}

/* The standard stream whose file this is, or -1. Replacing that file would send what the stream still gets to
 * nowhere. */
static int standard_stream_of(const struct stat *file)
{
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat stream;
        if (fstat(fd, &stream) == 0 && stream.st_dev == file->st_dev && stream.st_ino == file->st_ino)
            return fd;
    }
    return -1;
}

static cb_status resolve_existing(target *t, const char *path, const struct stat *st, cb_err *err)
{
    if (S_ISDIR(st->st_mode))
        return fail_path(err, path, "it is a folder");
    if (S_ISBLK(st->st_mode))
        return fail_path(err, path, "it is a block device");
    *t = (target){.kind = TARGET_IN_PLACE, .exists = true, .fifo = S_ISFIFO(st->st_mode), .descriptor = -1};
    if (S_ISREG(st->st_mode)) {
        t->descriptor = standard_stream_of(st);
        t->kind = t->descriptor >= 0 ? TARGET_DESCRIPTOR : TARGET_REPLACED;
    }
    t->path = t->kind == TARGET_REPLACED ? realpath(path, NULL) : strdup(path);
    return t->path != NULL ? CB_OK : fail_path(err, path, strerror(errno));
}

/* What the path stands for. The caller frees t->path after CB_OK. */
static cb_status resolve(target *t, const char *path, cb_err *err)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return resolve_existing(t, path, &st, err);
    if (errno != ENOENT || path[0] == '\0')
        return fail_path(err, path, strerror(errno));
    if (lstat(path, &st) == 0)
        return fail_path(err, path, "it is a link that leads nowhere");
    if (path[strlen(path) - 1] == '/')
        return fail_path(err, path, "there is no such folder, and a file name is needed");
    *t = (target){.kind = TARGET_REPLACED, .descriptor = -1, .path = strdup(path)};
    return t->path != NULL ? CB_OK : fail_path(err, path, strerror(errno));
}

/* Creates a new file beside the path, under a name of fixed length so that a long file name stays possible.
 * The descriptor and *name are the caller's; -1 with errno on failure. */
static int temporary_open(const char *path, char **name)
{
    const char *slash = strrchr(path, '/');
    int folder_bytes = slash != NULL ? (int)(slash + 1 - path) : 0;
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        if (asprintf(name, "%.*s.crypto_bench-%ld-%d.tmp", folder_bytes, path, (long)getpid(), i) < 0) {
            errno = ENOMEM;
            return -1;
        }
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fd;
        int error = errno;
        free(*name);
        errno = error;
        if (error != EEXIST)
            return -1;
    }
    return -1;
}

static int in_place_open(const char *path)
{
    return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static cb_status fail_in_place(cb_err *err, const target *t, int error)
{
    bool unread = t->fifo && (error == ENXIO || error == EPIPE);
    return fail_path(err, t->path, unread ? "nobody reads this FIFO" : strerror(error));
}

/* Waits until a non-blocking descriptor takes more. 0 or errno. */
static int wait_writable(int fd)
{
    struct pollfd waiting = {.fd = fd, .events = POLLOUT};
    while (poll(&waiting, 1, -1) < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

/* 0 or errno. */
static int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(fd, bytes, n);
        if (written > 0) {
            bytes += written;
            n -= (size_t)written;
            continue;
        }
        int error = written == 0 ? EIO : errno;
        if (error == EAGAIN)
            error = wait_writable(fd);
        if (error != 0 && error != EINTR)
            return error;
    }
    return 0;
}

/* A terminal needs no test byte, and would show it. 0 or errno. */
static int probe_device(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return errno;
    if (!S_ISCHR(st.st_mode) || isatty(fd))
        return 0;
    return write_all(fd, "\n", 1);
}

static cb_status probe_in_place(const target *t, cb_err *err)
{
    int fd = in_place_open(t->path);
    if (fd < 0)
        return fail_in_place(err, t, errno);
    if (t->fifo)
        return CB_OK;
    int error = probe_device(fd);
    if (close(fd) != 0 && error == 0)
        error = errno;
    return error == 0 ? CB_OK : fail_in_place(err, t, error);
}

static cb_status probe_replaced(const target *t, cb_err *err)
{
    if (t->exists && faccessat(AT_FDCWD, t->path, W_OK, AT_EACCESS) != 0)
        return fail_path(err, t->path, strerror(errno));
    char *name;
    int fd = temporary_open(t->path, &name);
    if (fd < 0)
        return cb_fail(err, CB_IO, "cannot write %.80s: its folder takes no new file: %s", t->path,
                       strerror(errno));
    (void)close(fd);
    int error = unlink(name) != 0 ? errno : 0;
    free(name);
    return error == 0 ? CB_OK : fail_path(err, t->path, strerror(error));
}

cb_status cb_output_probe(const char *path, cb_err *err)
{
    target t;
    cb_status status = resolve(&t, path, err);
    if (status != CB_OK)
        return status;
    switch (t.kind) {
    case TARGET_REPLACED:
        status = probe_replaced(&t, err);
        break;
    case TARGET_IN_PLACE:
        status = probe_in_place(&t, err);
        break;
    case TARGET_DESCRIPTOR:
        status = cb_output_probe_descriptor(t.descriptor, path, err);
        break;
    }
    free(t.path);
    return status;
}

cb_status cb_output_probe_descriptor(int fd, const char *name, cb_err *err)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0)
        return fail_path(err, name, "it is closed");
    if ((flags & O_ACCMODE) == O_RDONLY)
        return fail_path(err, name, "it is closed, or open for reading only");
    int error = probe_device(fd);
    return error == 0 ? CB_OK : fail_path(err, name, strerror(error));
}

/* Some file systems cannot sync a file; what can be done is done then. */
static int sync_file(int fd)
{
    if (fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP)
        return 0;
    return errno;
}

static cb_status write_replaced(const target *t, const char *bytes, size_t n, cb_err *err)
{
    char *name;
    int fd = temporary_open(t->path, &name);
    if (fd < 0)
        return fail_path(err, t->path, strerror(errno));
    int error = write_all(fd, bytes, n);
    if (error == 0)
        error = sync_file(fd);
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(name, t->path) != 0)
        error = errno;
    if (error != 0)
        (void)unlink(name);
    free(name);
    return error == 0 ? CB_OK : fail_path(err, t->path, strerror(error));
}

static cb_status write_in_place(const target *t, const char *bytes, size_t n, cb_err *err)
{
    int fd = in_place_open(t->path);
    if (fd < 0)
        return fail_in_place(err, t, errno);
    int error = write_all(fd, bytes, n);
    if (close(fd) != 0 && error == 0)
        error = errno;
    return error == 0 ? CB_OK : fail_in_place(err, t, error);
}

cb_status cb_output_write_file(const char *path, const char *bytes, size_t n, cb_err *err)
{
    target t;
    cb_status status = resolve(&t, path, err);
    if (status != CB_OK)
        return status;
    switch (t.kind) {
    case TARGET_REPLACED:
        status = write_replaced(&t, bytes, n, err);
        break;
    case TARGET_IN_PLACE:
        status = write_in_place(&t, bytes, n, err);
        break;
    case TARGET_DESCRIPTOR:
        status = cb_output_write_descriptor(t.descriptor, path, bytes, n, err);
        break;
    }
    free(t.path);
    return status;
}

cb_status cb_output_write_descriptor(int fd, const char *name, const char *bytes, size_t n, cb_err *err)
{
    int error = write_all(fd, bytes, n);
    if (error == EPIPE)
        return cb_fail(err, CB_IO, "%s", "");
    return error == 0 ? CB_OK : fail_path(err, name, strerror(error));
}
