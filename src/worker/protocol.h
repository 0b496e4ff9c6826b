/* What coordinator and worker say to each other over two pipes: frames of a kind, a length and a payload.
 *
 *   worker                              coordinator
 *   HELLO or FAILED, once
 *                                       PREPARE task
 *   ALIVE ... PREPARED or FAILED
 *                                       BEGIN rounds
 *   READY or FAILED
 *                                       TURN            (as often as announced)
 *   TURNED or FAILED
 *                                       FINISH
 *   ALIVE ... BLOCK or FAILED
 *
 * A worker ends when its input ends. ALIVE only says that a long step goes on. */
#ifndef CB_WORKER_PROTOCOL_H
#define CB_WORKER_PROTOCOL_H

#include "worker/session.h"
#include "worker/wire.h"

/* The descriptors a worker process finds open. */
#define CB_WORKER_IN  3
#define CB_WORKER_OUT 4
/* argv[1] of a worker process; argv[2] is the module, argv[3] the CPU (-1 = not pinned). Not for people. */
#define CB_WORKER_COMMAND "internal-worker"

typedef enum cb_frame_kind {
    CB_FRAME_PREPARE =
        0x43420001, /* the high half is a mark: a worker's stray output is not taken for a frame */
    CB_FRAME_BEGIN,
    CB_FRAME_TURN,
    CB_FRAME_FINISH,
    CB_FRAME_HELLO,
    CB_FRAME_ALIVE,
    CB_FRAME_PREPARED,
    CB_FRAME_READY,
    CB_FRAME_TURNED,
    CB_FRAME_BLOCK,
    CB_FRAME_FAILED,
    CB_FRAME_END /* not a kind */
} cb_frame_kind;

#define CB_FRAME_HEADER_BYTES 8
/* Larger payloads are refused unread: about a million rounds. */
#define CB_FRAME_PAYLOAD_MAX ((size_t)32 << 20)

void cb_frame_header_encode(uint8_t header[CB_FRAME_HEADER_BYTES], cb_frame_kind kind, size_t n);
/* CB_IO when the bytes are no frame header. */
cb_status cb_frame_header_decode(const uint8_t header[CB_FRAME_HEADER_BYTES], cb_frame_kind *kind, size_t *n,
                                 cb_err *err);

/* Payloads. Encoders append to *w, whose failed field tells of a lack of memory. Decoders answer CB_IO for
 * anything an encoder would not write, and then leave nothing to free. */
void cb_hello_encode(cb_wire_writer *w, const cb_backend *backend, const char *library);

void cb_task_encode(cb_wire_writer *w, const cb_task *task);
cb_status cb_task_decode(cb_span bytes, cb_task *task, cb_err *err);

void cb_prepared_encode(cb_wire_writer *w, const cb_prepared *prepared);
cb_status cb_prepared_decode(cb_span bytes, cb_prepared *prepared, cb_err *err);

void cb_block_encode(cb_wire_writer *w, const cb_block *block);
/* rounds: how many were announced; another number is CB_IO. */
cb_status cb_block_decode(cb_span bytes, size_t rounds, cb_block *block, cb_err *err);

void cb_failure_encode(cb_wire_writer *w, const cb_err *failure);
/* Gives the failure itself in *err and returns its code, or CB_IO. Never CB_OK. */
cb_status cb_failure_decode(cb_span bytes, cb_err *err);

#endif
