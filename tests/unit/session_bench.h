/* A session with the scripted library, and what its tests do with it over and over. */
#ifndef CB_UNIT_SESSION_BENCH_H
#define CB_UNIT_SESSION_BENCH_H

#include "scripted.h"
#include "worker/session.h"

/* With a call of 50 ns a preparation makes one first call, one per slot, and 2^9 - 1 + 5 * 2^8 to calibrate;
 * a turn then makes 2000. */
#define SESSION_CALL_NS         50
#define SESSION_SLOTS           64
#define SESSION_CALLS_PREPARING (1 + SESSION_SLOTS + 511 + 1280)
#define SESSION_BATCH           2000

/* A session with the scripted library and a task for it. */
typedef struct session_bench {
    scripted_clock script;
    scripted_library library;
    cb_operation op;
    cb_session *session;
    cb_task task;
    cb_prepared prepared;
    cb_err err;
} session_bench;

/* Opens a session for a row of the library, with messages of 40 bytes. The bench must stay where it is. */
void session_bench_open(session_bench *b, int row);
/* Closes it; whatever was bound must have been unbound. */
void session_bench_close(session_bench *b);

/* Prepares the task; the answer is in b->prepared. */
cb_status session_bench_prepare(session_bench *b);

/* The script of the encrypting row. */
scripted_row *session_bench_row(session_bench *b);

void session_block_free(cb_block *block);

/* The failure that was got is the expected one, in code and words. */
void session_assert_failure(const session_bench *b, cb_status got, cb_status expected, const char *msg);

#endif
