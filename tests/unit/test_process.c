#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/child.h"
#include "measure/worker.h"
#include "rogue_worker.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define BOUND_S 60

static const cb_process_settings settings = {.executable = ROGUE_WORKER, .cpu = -1};

static cb_task example_task(void)
{
    return (cb_task){
        .ring = {.op = cb_operation_find("aead/chacha20-poly1305/decrypt"), .msg_bytes = 64, .seed = 3},
        .batch_target_ns = 100000};
}

/* Starts a worker for a module, or for the deeds of a rogue one. */
static cb_status start(const char *module, double timeout_s, cb_worker **worker, cb_err *err)
{
    const cb_worker_source source = cb_process_source(&settings);
    const cb_catalogue_entry entry = {.module = (char *)(uintptr_t)module};
    return source.start(source.user, &entry, timeout_s, worker, err);
}

static cb_worker *started(const char *module)
{
    cb_worker *worker = NULL;
    cb_err err = {0};
    if (start(module, BOUND_S, &worker, &err) != CB_OK)
        fail_msg("%s", err.msg);
    return worker;
}

static void stop(cb_worker *worker)
{
    worker->vtable->stop(worker);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void block_free(cb_block *block)
{
    free(block->round_ns);
    free(block->control_ns);
    free(block->flags);
}

static void test_each_call_is_one_exchange(void **unused)
{
    (void)unused;
    const cb_task task = example_task();
    cb_worker *worker = started("hello+answers");
    cb_prepared prepared;
    cb_block block;
    cb_err err = {0};
    assert_int_equal(worker->vtable->prepare(worker, &task, &prepared, &err), CB_OK);
    assert_int_equal(prepared.slots, ROGUE_SLOTS);
    assert_int_equal(prepared.inputs_digest, 10);
    assert_int_equal(prepared.digests[0], 11);
    assert_int_equal(prepared.digests[1], 12);
    assert_int_equal(prepared.batch, ROGUE_BATCH);
    assert_int_equal(prepared.batch_ns, ROGUE_BATCH_NS);
    cb_prepared_free(&prepared);
    assert_int_equal(worker->vtable->begin(worker, 5, &err), CB_OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(worker->vtable->turn(worker, &err), CB_OK);
    assert_int_equal(worker->vtable->finish(worker, 5, &block, &err), CB_OK);
    assert_int_equal(block.rounds, 5);
    assert_int_equal(block.round_ns[4], ROGUE_ROUND_NS + 4);
    block_free(&block);
    stop(worker);
}

static void test_a_block_of_another_length_is_refused(void **unused)
{
    (void)unused;
    cb_worker *worker = started("hello+answers");
    cb_block block;
    cb_err err = {0};
    assert_int_equal(worker->vtable->begin(worker, 5, &err), CB_OK);
    assert_int_equal(worker->vtable->finish(worker, 6, &block, &err), CB_IO);
    assert_string_equal(err.msg, "a malformed block of samples came through the worker's pipe");
    stop(worker);
}

/* Calls prepare, begin, turn and finish until one fails. */
static cb_status go_through(cb_worker *worker, cb_err *err)
{
    const cb_task task = example_task();
    cb_prepared prepared = {0};
    cb_block block = {0};
    cb_status status = worker->vtable->prepare(worker, &task, &prepared, err);
    if (status == CB_OK)
        status = worker->vtable->begin(worker, 1, err);
    if (status == CB_OK)
        status = worker->vtable->turn(worker, err);
    if (status == CB_OK)
        status = worker->vtable->finish(worker, 1, &block, err);
    cb_prepared_free(&prepared);
    block_free(&block);
    return status;
}

static void test_failures_name_the_step(void **unused)
{
    (void)unused;
    static const struct {
        const char *deeds;
        cb_status status;
        const char *msg;
    } cases[] = {
        {"hello+answers", CB_OK, ""},
        {"hello+request+segv", CB_CRASHED, "SIGSEGV during preparation"},
        {"hello+request+refuse", CB_UNSUPPORTED, ROGUE_REFUSAL},
        {"hello+request+garbage+hang", CB_IO, "a malformed frame came through the worker's pipe"},
        {"hello+answer+request+segv", CB_CRASHED, "SIGSEGV during preparation"},
        {"hello+answer+answer+request+segv", CB_CRASHED, "SIGSEGV during timing"},
        {"hello+answer+answer+answer+request+segv", CB_CRASHED, "SIGSEGV during the check after timing"},
        {"hello+answer+answer+answer+request+wrong+hang", CB_IO,
         "an answer out of order came during the check after timing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_err err = {0};
        print_message("%s\n", cases[i].deeds);
        cb_worker *worker = started(cases[i].deeds);
        assert_int_equal(go_through(worker, &err), cases[i].status);
        if (cases[i].status != CB_OK)
            assert_string_equal(err.msg, cases[i].msg);
        stop(worker);
    }
}

static void test_a_worker_that_does_not_start_is_no_worker(void **unused)
{
    (void)unused;
    static const struct {
        const char *deeds;
        cb_status status;
        const char *msg;
    } cases[] = {
        {"segv", CB_CRASHED, "SIGSEGV during loading"},
        {"hang", CB_TIMEOUT, "no answer for 0.3 s during loading (--timeout)"},
        {"refuse", CB_UNSUPPORTED, ROGUE_REFUSAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_worker *worker = NULL;
        cb_err err = {0};
        assert_int_equal(start(cases[i].deeds, cases[i].status == CB_TIMEOUT ? 0.3 : BOUND_S, &worker, &err),
                         cases[i].status);
        assert_string_equal(err.msg, cases[i].msg);
        assert_null(worker);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    }
}

/* From here on there is a real module at the other end. */

static void test_two_processes_compute_the_same(void **unused)
{
    (void)unused;
    const cb_task task = example_task();
    cb_worker *workers[2];
    cb_prepared prepared[2];
    cb_err err = {0};
    for (size_t i = 0; i < 2; i++) {
        workers[i] = started(MODULE_REFERENCE);
        if (workers[i]->vtable->prepare(workers[i], &task, &prepared[i], &err) != CB_OK)
            fail_msg("%s", err.msg);
    }
    assert_int_equal(prepared[0].slots, 64);
    assert_true(prepared[0].batch >= 1 && prepared[0].batch_ns > 0 && prepared[0].first_call_ns > 0);
    assert_int_equal(prepared[1].slots, 64);
    assert_true(prepared[0].inputs_digest == prepared[1].inputs_digest);
    assert_memory_equal(prepared[0].digests, prepared[1].digests, 64 * sizeof(uint64_t));
    workers[0]->vtable->stop(workers[0]);
    stop(workers[1]);
    cb_prepared_free(&prepared[0]);
    cb_prepared_free(&prepared[1]);
}

static void test_a_real_block(void **unused)
{
    (void)unused;
    const cb_task task = example_task();
    cb_worker *worker = started(MODULE_REFERENCE);
    cb_prepared prepared;
    cb_block block;
    cb_err err = {0};
    assert_int_equal(worker->vtable->prepare(worker, &task, &prepared, &err), CB_OK);
    assert_int_equal(worker->vtable->begin(worker, 3, &err), CB_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(worker->vtable->turn(worker, &err), CB_OK);
    assert_int_equal(worker->vtable->turn(worker, &err), CB_BAD_ARGUMENT); /* a refusal, not the end */
    assert_int_equal(worker->vtable->finish(worker, 3, &block, &err), CB_OK);
    assert_int_equal(block.seed, 3);
    assert_int_equal(block.batch, prepared.batch);
    for (size_t i = 0; i < 3; i++)
        assert_true(block.round_ns[i] > 0 && block.control_ns[i] > 0);
    block_free(&block);
    cb_prepared_free(&prepared);
    stop(worker);
}

static void test_a_module_that_cannot_be_loaded(void **unused)
{
    (void)unused;
    cb_worker *worker = NULL;
    cb_err err = {0};
    assert_int_equal(start("/nonexistent/module.so", BOUND_S, &worker, &err), CB_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "/nonexistent/module.so"));
    assert_null(worker);
}

static void test_a_cpu_that_is_not_there(void **unused)
{
    (void)unused;
    const cb_process_settings elsewhere = {.executable = ROGUE_WORKER, .cpu = 4095};
    const cb_worker_source source = cb_process_source(&elsewhere);
    char module[] = MODULE_REFERENCE;
    const cb_catalogue_entry entry = {.module = module};
    cb_worker *worker = NULL;
    cb_err err = {0};
    assert_int_equal(source.start(source.user, &entry, BOUND_S, &worker, &err), CB_IO);
    assert_non_null(strstr(err.msg, "4095"));
    assert_null(worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_call_is_one_exchange),
        cmocka_unit_test(test_a_block_of_another_length_is_refused),
        cmocka_unit_test(test_failures_name_the_step),
        cmocka_unit_test(test_a_worker_that_does_not_start_is_no_worker),
        cmocka_unit_test(test_two_processes_compute_the_same),
        cmocka_unit_test(test_a_real_block),
        cmocka_unit_test(test_a_module_that_cannot_be_loaded),
        cmocka_unit_test(test_a_cpu_that_is_not_there),
    };
    (void)signal(SIGPIPE, SIG_IGN); /* as the program does */
    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
