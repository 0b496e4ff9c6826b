/* A child process at the end of two pipes, with bounded waits and a bounded memory of what it prints. */
#ifndef CB_MEASURE_CHILD_H
#define CB_MEASURE_CHILD_H

#include "measure/interrupt.h"
#include "worker/protocol.h"

#include <sys/types.h>

#define CB_CHILD_TAIL_BYTES 96

typedef struct cb_child {
    bool busy;           /* a request has no answer yet */
    pid_t pid;           /* -1: not running */
    int to, from, noise; /* requests, answers, whatever the library prints */
    double timeout_s;
    cb_interrupt *interrupt;        /* may be NULL */
    char tail[CB_CHILD_TAIL_BYTES]; /* the last bytes printed, for the message about a crash */
    size_t tail_n;
    uint8_t *payload; /* of the last frame; owned */
    size_t payload_cap;
} cb_child;

/* Starts argv[0] with the pipes of worker/protocol.h at its descriptors, standard input empty, and signals as
 * this program found them. */
cb_status cb_child_start(cb_child *child, char *const argv[], double timeout_s, cb_interrupt *interrupt,
                         cb_err *err);

cb_status cb_child_send(cb_child *child, cb_frame_kind kind, cb_span payload, cb_err *err);

/* Waits for the frame that answers `step` ("prepare"; for messages). CB_OK with *payload borrowed until the
 * next call. The failure a FAILED frame reports; CB_TIMEOUT after timeout_s of silence; CB_CRASHED when the
 * process ended; CB_IO for garbage or an interrupt. */
cb_status cb_child_receive(cb_child *child, cb_frame_kind kind, const char *step, cb_span *payload,
                           cb_err *err);

/* Ends the process and closes the pipes: an idle one by the end of its input, any other by SIGKILL. */
void cb_child_stop(cb_child *child);

#endif
