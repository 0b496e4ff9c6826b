#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session_bench.h"

void session_bench_open(session_bench *b, int row)
{
    *b = (session_bench){.op = scripted_operation(row)};
    const cb_clock clock = scripted_clock_view(&b->script);
    scripted_library_make(&b->library, &b->script, SESSION_CALL_NS);
    b->task = (cb_task){.ring = {.op = &b->op, .msg_bytes = 40, .seed = 99}, .batch_target_ns = 100000};
    assert_int_equal(cb_session_open_backend(&b->session, &b->library.backend, &clock, &b->err), CB_OK);
}

cb_status session_bench_prepare(session_bench *b)
{
    cb_prepared_free(&b->prepared);
    return cb_session_prepare(b->session, &b->task, NULL, &b->prepared, &b->err);
}

scripted_row *session_bench_row(session_bench *b)
{
    return &b->library.rows[SCRIPTED_ENCRYPT];
}

void session_bench_close(session_bench *b)
{
    cb_prepared_free(&b->prepared);
    cb_session_close(b->session);
    for (size_t i = 0; i < SCRIPTED_ROWS; i++)
        assert_int_equal(b->library.rows[i].binds, b->library.rows[i].unbinds);
}

void session_block_free(cb_block *block)
{
    free(block->round_ns);
    free(block->control_ns);
    free(block->flags);
}

void session_assert_failure(const session_bench *b, cb_status got, cb_status expected, const char *msg)
{
    assert_int_equal(got, expected);
    assert_int_equal(b->err.code, expected);
    assert_string_equal(b->err.msg, msg);
}
