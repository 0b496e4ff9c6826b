#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/worker.h"
#include "scripted.h"

#include <string.h>

/* A worker in this process, for a module of the build, with a clock that follows a script. */
static cb_status start(const char *module, const cb_clock *clock, cb_worker **worker, cb_err *err)
{
    const cb_worker_source source = cb_local_source(clock);
    const cb_catalogue_entry entry = {.module = (char *)(uintptr_t)module};
    return source.start(source.user, &entry, 10, worker, err);
}

static void test_a_session_does_the_work(void **unused)
{
    (void)unused;
    const cb_task task = {
        .ring = {.op = cb_operation_find("aead/chacha20-poly1305/decrypt"), .msg_bytes = 64, .seed = 3},
        .batch_target_ns = 100000};
    scripted_clock script = {.read_ns = 100000}; /* every batch seems to take the target, whatever it holds */
    const cb_clock clock = scripted_clock_view(&script);
    cb_worker *worker = NULL;
    cb_prepared prepared;
    cb_block block;
    cb_err err = {0};
    if (start(MODULE_REFERENCE, &clock, &worker, &err) != CB_OK)
        fail_msg("%s", err.msg);
    if (worker->vtable->prepare(worker, &task, &prepared, &err) != CB_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(prepared.slots, 64);
    assert_int_equal(prepared.batch, 1);
    assert_int_equal(worker->vtable->begin(worker, 2, &err), CB_OK);
    assert_int_equal(worker->vtable->turn(worker, &err), CB_OK);
    assert_int_equal(worker->vtable->turn(worker, &err), CB_OK);
    assert_int_equal(worker->vtable->turn(worker, &err), CB_BAD_ARGUMENT);
    assert_int_equal(worker->vtable->finish(worker, 2, &block, &err), CB_OK);
    assert_int_equal(block.rounds, 2);
    assert_int_equal(block.round_ns[1], 100000);
    free(block.round_ns);
    free(block.control_ns);
    free(block.flags);
    cb_prepared_free(&prepared);
    worker->vtable->stop(worker);
}

static void test_a_module_that_cannot_be_loaded(void **unused)
{
    (void)unused;
    const cb_clock clock = cb_clock_system();
    cb_worker *worker = NULL;
    cb_err err = {0};
    assert_int_equal(start("/nonexistent/module.so", &clock, &worker, &err), CB_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "/nonexistent/module.so"));
    assert_null(worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_session_does_the_work),
        cmocka_unit_test(test_a_module_that_cannot_be_loaded),
    };
    return cmocka_run_group_tests_name("local", tests, NULL, NULL);
}
