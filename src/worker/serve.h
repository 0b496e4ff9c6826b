/* A worker process: one session behind two pipes. */
#ifndef CB_WORKER_SERVE_H
#define CB_WORKER_SERVE_H

/* Serves the frames of worker/protocol.h for the module at argv[2] on the CPU argv[3], until the input ends.
 * Returns the process's exit code: 0 after a normal end, 1 when the pipes broke. Failures of the library are
 * answers, not exit codes. */
int cb_worker_serve(int argc, char *const argv[]);

#endif
