#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/child.h"
#include "worker/serve.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BOUND_S 60

/* A worker process for the reference module, past its greeting; its frames are written by hand. */
static void start(cb_child *child)
{
    char program[] = ROGUE_WORKER, command[] = CB_WORKER_COMMAND, module[] = MODULE_REFERENCE, cpu[] = "-1";
    char *argv[] = {program, command, module, cpu, NULL};
    cb_span hello = {0};
    cb_err err = {0};
    assert_int_equal(cb_child_start(child, argv, BOUND_S, NULL, &err), CB_OK);
    if (cb_child_receive(child, CB_FRAME_HELLO, "loading", &hello, &err) != CB_OK)
        fail_msg("%s", err.msg);
}

static cb_status ask(cb_child *child, cb_frame_kind request, cb_span payload, cb_frame_kind answer,
                     cb_err *err)
{
    cb_span reply = {0};
    *err = (cb_err){0};
    assert_int_equal(cb_child_send(child, request, payload, err), CB_OK);
    return cb_child_receive(child, answer, "the test", &reply, err);
}

static cb_status ask_to_begin(cb_child *child, uint64_t rounds, cb_err *err)
{
    cb_wire_writer w = {0};
    cb_wire_put_u64(&w, rounds);
    const cb_status status = ask(child, CB_FRAME_BEGIN, (cb_span){w.p, w.n}, CB_FRAME_READY, err);
    free(w.p);
    return status;
}

static cb_status ask_to_prepare(cb_child *child, const cb_task *task, cb_err *err)
{
    cb_wire_writer w = {0};
    cb_task_encode(&w, task);
    const cb_status status = ask(child, CB_FRAME_PREPARE, (cb_span){w.p, w.n}, CB_FRAME_PREPARED, err);
    free(w.p);
    return status;
}

static cb_task example_task(void)
{
    return (cb_task){
        .ring = {.op = cb_operation_find("aead/chacha20-poly1305/encrypt"), .msg_bytes = 64, .seed = 3},
        .batch_target_ns = 100000};
}

static void test_steps_out_of_order_are_answers(void **unused)
{
    (void)unused;
    const cb_task task = example_task();
    cb_child child;
    cb_err err;
    start(&child);
    assert_int_equal(ask(&child, CB_FRAME_TURN, (cb_span){0}, CB_FRAME_TURNED, &err), CB_BAD_ARGUMENT);
    assert_int_equal(ask_to_begin(&child, 5, &err), CB_BAD_ARGUMENT);
    assert_string_equal(err.msg, "a block of 5 rounds was asked for out of order");
    assert_int_equal(ask(&child, CB_FRAME_FINISH, (cb_span){0}, CB_FRAME_BLOCK, &err), CB_BAD_ARGUMENT);
    assert_int_equal(ask_to_prepare(&child, &task, &err), CB_OK);
    assert_int_equal(ask_to_begin(&child, 0, &err), CB_BAD_ARGUMENT);
    assert_int_equal(ask_to_begin(&child, 1, &err), CB_OK);
    assert_int_equal(ask(&child, CB_FRAME_TURN, (cb_span){0}, CB_FRAME_TURNED, &err), CB_OK);
    assert_int_equal(ask(&child, CB_FRAME_FINISH, (cb_span){0}, CB_FRAME_BLOCK, &err), CB_OK);
    cb_child_stop(&child);
}

static void test_malformed_payloads_are_answers(void **unused)
{
    (void)unused;
    cb_child child;
    cb_err err;
    start(&child);
    assert_int_equal(
        ask(&child, CB_FRAME_PREPARE, (cb_span){(const uint8_t *)"task", 4}, CB_FRAME_PREPARED, &err), CB_IO);
    assert_string_equal(err.msg, "a malformed task came through the worker's pipe");
    assert_int_equal(
        ask(&child, CB_FRAME_BEGIN, (cb_span){(const uint8_t *)"begin", 5}, CB_FRAME_READY, &err), CB_IO);
    assert_string_equal(err.msg, "a malformed begin came through the coordinator's pipe");
    assert_int_equal(ask_to_begin(&child, UINT64_C(1) << 40, &err), CB_IO);
    cb_child_stop(&child);
}

static void test_a_task_that_cannot_be_is_an_answer(void **unused)
{
    (void)unused;
    cb_task task = example_task();
    cb_child child;
    cb_err err;
    start(&child);
    task.ring.msg_bytes = SIZE_MAX;
    assert_int_equal(ask_to_prepare(&child, &task, &err), CB_BAD_ARGUMENT);
    task.ring.msg_bytes = SIZE_MAX / 8;
    assert_int_equal(ask_to_prepare(&child, &task, &err), CB_OUT_OF_MEMORY);
    task.ring.msg_bytes = 64;
    assert_int_equal(ask_to_prepare(&child, &task, &err), CB_OK);
    cb_child_stop(&child);
}

static void read_exactly(const cb_child *child, void *bytes, size_t n)
{
    uint8_t *at = bytes;
    while (n > 0) {
        struct pollfd answer = {.fd = child->from, .events = POLLIN};
        assert_int_equal(poll(&answer, 1, BOUND_S * 1000), 1);
        const ssize_t got = read(child->from, at, n);
        assert_true(got > 0);
        at += got;
        n -= (size_t)got;
    }
}

/* The kind of the next frame, whose payload is passed over. */
static cb_frame_kind read_frame(const cb_child *child)
{
    uint8_t header[CB_FRAME_HEADER_BYTES], payload[4096];
    cb_frame_kind kind = CB_FRAME_END;
    size_t n = 0;
    read_exactly(child, header, sizeof header);
    assert_int_equal(cb_frame_header_decode(header, &kind, &n, NULL), CB_OK);
    assert_true(n <= sizeof payload);
    read_exactly(child, payload, n);
    return kind;
}

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The reference needs half a second or far more for this, in calls that are far shorter. Nothing has to be
 * said where it is quick. */
static void test_a_long_preparation_says_that_it_is_alive(void **unused)
{
    (void)unused;
    const cb_task task = {.ring = {.op = cb_operation_find("aead/aes-256-gcm/decrypt"), .msg_bytes = 262144},
                          .witness = true};
    cb_child child;
    cb_wire_writer w = {0};
    cb_frame_kind kind = CB_FRAME_ALIVE;
    int signs = -1; /* the last frame is none */
    start(&child);
    cb_task_encode(&w, &task);
    const double began_s = now_s();
    assert_int_equal(cb_child_send(&child, CB_FRAME_PREPARE, (cb_span){w.p, w.n}, NULL), CB_OK);
    for (; kind == CB_FRAME_ALIVE; signs++)
        kind = read_frame(&child);
    assert_int_equal(kind, CB_FRAME_PREPARED);
    assert_true(signs > 0 || now_s() - began_s < 1);
    free(w.p);
    cb_child_stop(&child);
}

/* How the worker ends when this comes through its pipe and then nothing more. */
static void assert_ends(const void *bytes, size_t n, const char *msg)
{
    cb_child child;
    cb_span payload = {0};
    cb_err err = {0};
    start(&child);
    assert_int_equal(write(child.to, bytes, n), n);
    (void)close(child.to);
    child.to = -1;
    assert_int_equal(cb_child_receive(&child, CB_FRAME_TURNED, "the test", &payload, &err), CB_CRASHED);
    assert_string_equal(err.msg, msg);
    cb_child_stop(&child);
}

static void test_how_a_worker_ends(void **unused)
{
    (void)unused;
    uint8_t answer[CB_FRAME_HEADER_BYTES], promise[CB_FRAME_HEADER_BYTES];
    cb_frame_header_encode(answer, CB_FRAME_HELLO, 0);
    cb_frame_header_encode(promise, CB_FRAME_PREPARE, 100);
    assert_ends("", 0, "exited with status 0 during the test");
    assert_ends("garbage, and more of it", 23, "exited with status 1 during the test");
    assert_ends(answer, sizeof answer, "exited with status 1 during the test");
    assert_ends(promise, sizeof promise, "exited with status 1 during the test");
}

static void test_a_worker_needs_its_arguments(void **unused)
{
    (void)unused;
    char program[] = "crypto_bench", command[] = CB_WORKER_COMMAND;
    char *const argv[] = {program, command, NULL};
    assert_int_equal(cb_worker_serve(2, argv), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_out_of_order_are_answers),
        cmocka_unit_test(test_malformed_payloads_are_answers),
        cmocka_unit_test(test_a_task_that_cannot_be_is_an_answer),
        cmocka_unit_test(test_a_long_preparation_says_that_it_is_alive),
        cmocka_unit_test(test_how_a_worker_ends),
        cmocka_unit_test(test_a_worker_needs_its_arguments),
    };
    (void)signal(SIGPIPE, SIG_IGN); /* as the program does */
    return cmocka_run_group_tests_name("serve", tests, NULL, NULL);
}
