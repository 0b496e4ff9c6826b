/* Where reports go: tested before the run starts, written whole or not at all. */
#ifndef CB_REPORT_OUTPUT_H
#define CB_REPORT_OUTPUT_H

#include <crypto_bench/status.h>

#include <stddef.h>

/* Checks, before any measuring, that `path` can be written when the time comes: the folder exists and takes a
 * new file, an existing target is writable and not a folder, a device accepts a byte, a FIFO has a reader. A
 * link is followed; one that leads nowhere is refused. Leaves no file behind and an existing one untouched. A
 * FIFO's writing end stays open until the process ends: closing it would tell the reader that all is said.
 * CB_IO with a sentence that names the path. */
cb_status cb_output_probe(const char *path, cb_err *err);

/* The same for an open descriptor (standard output). */
cb_status cb_output_probe_descriptor(int fd, const char *name, cb_err *err);

/* Writes all bytes to the path. A regular file is written under a temporary name in the same folder, fsynced
 * and renamed, so that the path always holds the old or the whole new content; devices and FIFOs are written
 * in place, and so is the file that standard output or standard error already goes to (/dev/stdout). Every
 * step is checked; on failure the temporary file is removed. Mode 0666 under the umask. Signals are the
 * caller's: SIGPIPE must be ignored. */
cb_status cb_output_write_file(const char *path, const char *bytes, size_t n, cb_err *err);

/* Writes all bytes to an open descriptor. CB_IO, with err->msg empty where the reader went away (EPIPE): a
 * quiet end. */
cb_status cb_output_write_descriptor(int fd, const char *name, const char *bytes, size_t n, cb_err *err);

#endif
