#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ops/ring.h"
#include "scripted.h"
#include "worker/batch.h"

#define TARGET_NS 100000

/* The scripted encryption, bound and ready to be batched. */
typedef struct bench {
    scripted_clock script;
    cb_clock clock;
    scripted_library library;
    cb_operation op;
    cb_ring ring;
    void *state;
    void *states[64];
    cb_batch batch;
} bench;

static void bench_open(bench *b, uint64_t call_ns)
{
    *b = (bench){.op = scripted_operation(SCRIPTED_ENCRYPT)};
    const cb_ring_spec spec = {.op = &b->op, .msg_bytes = 32, .seed = 1};
    b->clock = scripted_clock_view(&b->script);
    scripted_library_make(&b->library, &b->script, call_ns);
    const cb_kernel *kernel = &b->library.kernels[SCRIPTED_ENCRYPT];
    assert_int_equal(cb_ring_make(&b->ring, &spec, &b->library.backend, NULL, NULL, NULL), CB_OK);
    assert_int_equal(b->ring.slots, 64);
    assert_int_equal(kernel->bind(NULL, kernel, &b->ring.inputs[0], &b->state, NULL), CB_OK);
    for (size_t i = 0; i < 64; i++)
        b->states[i] = b->state;
    b->batch = (cb_batch){.run = kernel->run,
                          .states = b->states,
                          .inputs = b->ring.inputs,
                          .slots = b->ring.slots,
                          .out = &b->ring.out,
                          .out_n = b->ring.shape.out};
}

static void bench_close(bench *b)
{
    b->library.kernels[SCRIPTED_ENCRYPT].unbind(b->state);
    cb_ring_free(&b->ring);
}

static scripted_row *row_of(bench *b)
{
    return &b->library.rows[SCRIPTED_ENCRYPT];
}

static void test_a_batch_is_its_calls_and_nothing_else(void **unused)
{
    (void)unused;
    bench b;
    bench_open(&b, 50);
    b.script.wall_ns = 1000;
    const cb_batch_outcome outcome = cb_batch_run(&b.batch, 10, &b.clock);
    assert_int_equal(outcome.status, CB_OK);
    assert_int_equal(outcome.done, 10);
    assert_int_equal(outcome.start_ns, 1000);
    assert_int_equal(outcome.end_ns, 1500);
    assert_int_equal(row_of(&b)->calls, 10);
    assert_int_equal(b.batch.next, 10);
    assert_int_equal(b.batch.calls, 10);
    bench_close(&b);
}

static void test_batches_go_round_the_ring(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t count;
        size_t next;
    } steps[] = {{1, 1}, {62, 63}, {1, 0}, {64, 0}, {130, 2}, {0, 2}};
    bench b;
    bench_open(&b, 1);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        assert_int_equal(cb_batch_run(&b.batch, steps[i].count, &b.clock).status, CB_OK);
        assert_int_equal(b.batch.next, steps[i].next);
    }
    bench_close(&b);
}

static void test_a_failing_call_ends_the_batch_and_is_not_counted(void **unused)
{
    (void)unused;
    static const cb_status failures[] = {CB_REJECTED, CB_LIBRARY_ERROR, CB_OUT_OF_MEMORY};
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        bench b;
        bench_open(&b, 50);
        row_of(&b)->fail_from = 7;
        row_of(&b)->failure = failures[i];
        const cb_batch_outcome outcome = cb_batch_run(&b.batch, 10, &b.clock);
        assert_int_equal(outcome.status, failures[i]);
        assert_int_equal(outcome.done, 6);
        assert_int_equal(b.batch.next, 6);
        assert_int_equal(b.batch.calls, 6);
        assert_int_equal(row_of(&b)->calls, 7);
        bench_close(&b);
    }
}

static void test_a_call_that_writes_too_little_is_wrong(void **unused)
{
    (void)unused;
    bench b;
    bench_open(&b, 50);
    row_of(&b)->short_from = 10;
    const cb_batch_outcome outcome = cb_batch_run(&b.batch, 10, &b.clock);
    assert_int_equal(outcome.status, CB_WRONG_OUTPUT);
    assert_int_equal(outcome.done, 9);
    bench_close(&b);
}

static void test_fastest(void **unused)
{
    (void)unused;
    bench b;
    cb_status status = CB_IO;
    bench_open(&b, 50);
    row_of(&b)->stall_at = 1;
    row_of(&b)->stall_ns = 1000;
    assert_int_equal(cb_batch_fastest(&b.batch, 4, 3, &b.clock, &status), 200);
    assert_int_equal(status, CB_OK);
    assert_int_equal(row_of(&b)->calls, 12);
    row_of(&b)->call_ns = 0;
    assert_int_equal(cb_batch_fastest(&b.batch, 4, 3, &b.clock, &status), 1);
    row_of(&b)->fail_from = 30;
    row_of(&b)->failure = CB_LIBRARY_ERROR;
    assert_int_equal(cb_batch_fastest(&b.batch, 4, 3, &b.clock, &status), 0);
    assert_int_equal(status, CB_LIBRARY_ERROR);
    bench_close(&b);
}

static void test_calibration_fits_the_target(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t call_ns, count, batch_ns;
    } cases[] = {
        {1, 100000, 100000},   {50, 2000, 100000},          {333, 300, 99900},   {60000, 2, 120000},
        {70000, 1, 70000},     {100000, 1, 100000},         {399999, 1, 399999}, {400000, 1, 400000},
        {5000000, 1, 5000000}, {2000000000, 1, 2000000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        uint64_t count = 0, batch_ns = 0;
        bench_open(&b, cases[i].call_ns);
        assert_int_equal(cb_batch_calibrate(&b.batch, TARGET_NS, &b.clock, &count, &batch_ns), CB_OK);
        assert_int_equal(count, cases[i].count);
        assert_int_equal(batch_ns, cases[i].batch_ns);
        bench_close(&b);
    }
}

/* A call of seconds is not repeated to find out that it takes seconds. */
static void test_slow_calls_are_tried_once(void **unused)
{
    (void)unused;
    bench b;
    uint64_t count = 0, batch_ns = 0;
    bench_open(&b, 4 * TARGET_NS);
    assert_int_equal(cb_batch_calibrate(&b.batch, TARGET_NS, &b.clock, &count, &batch_ns), CB_OK);
    assert_int_equal(row_of(&b)->calls, 1);
    bench_close(&b);
}

/* One disturbed trial, even the decisive first one, must not make batches short. */
static void test_calibration_takes_the_fastest_trial(void **unused)
{
    (void)unused;
    for (uint64_t call = 1; call < 3000; call += 61) {
        bench b;
        uint64_t count = 0, batch_ns = 0;
        bench_open(&b, 50);
        row_of(&b)->stall_at = call;
        row_of(&b)->stall_ns = 3 * TARGET_NS;
        assert_int_equal(cb_batch_calibrate(&b.batch, TARGET_NS, &b.clock, &count, &batch_ns), CB_OK);
        assert_int_equal(count, 2000);
        assert_int_equal(batch_ns, 100000);
        bench_close(&b);
    }
}

static void test_calibration_reports_a_failing_call(void **unused)
{
    (void)unused;
    static const uint64_t calls[] = {1, 2, 100, 500};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        bench b;
        uint64_t count = 0, batch_ns = 0;
        bench_open(&b, 50);
        row_of(&b)->fail_from = calls[i];
        row_of(&b)->failure = CB_LIBRARY_ERROR;
        assert_int_equal(cb_batch_calibrate(&b.batch, TARGET_NS, &b.clock, &count, &batch_ns),
                         CB_LIBRARY_ERROR);
        assert_int_equal(count, 0);
        assert_int_equal(b.batch.calls, calls[i] - 1);
        bench_close(&b);
    }
}

/* With a script the loop itself takes no time; what is left is one reading of the clock, spread over the
 * calls. */
static void test_loop_cost_does_not_touch_the_kernel(void **unused)
{
    (void)unused;
    bench b;
    bench_open(&b, 50);
    b.script.read_ns = 8192;
    b.batch.next = 5;
    assert_true(cb_batch_loop_cost(&b.batch, &b.clock) == 2.0);
    assert_int_equal(row_of(&b)->calls, 0);
    assert_int_equal(b.batch.calls, 0);
    assert_int_equal(b.batch.next, 5);
    assert_int_equal(b.ring.out.n, 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_batch_is_its_calls_and_nothing_else),
        cmocka_unit_test(test_batches_go_round_the_ring),
        cmocka_unit_test(test_a_failing_call_ends_the_batch_and_is_not_counted),
        cmocka_unit_test(test_a_call_that_writes_too_little_is_wrong),
        cmocka_unit_test(test_fastest),
        cmocka_unit_test(test_calibration_fits_the_target),
        cmocka_unit_test(test_slow_calls_are_tried_once),
        cmocka_unit_test(test_calibration_takes_the_fastest_trial),
        cmocka_unit_test(test_calibration_reports_a_failing_call),
        cmocka_unit_test(test_loop_cost_does_not_touch_the_kernel),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
