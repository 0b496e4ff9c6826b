#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ops/digest.h"
#include "session_bench.h"

static void test_preparation(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(b.prepared.slots, SESSION_SLOTS);
    assert_int_equal(b.prepared.batch, SESSION_BATCH);
    assert_int_equal(b.prepared.batch_ns, 100000);
    assert_int_equal(b.prepared.first_call_ns, SESSION_CALL_NS);
    assert_true(b.prepared.loop_ns > 0 && b.prepared.loop_ns < 0.001);
    assert_int_equal(session_bench_row(&b)->calls, SESSION_CALLS_PREPARING);
    session_bench_close(&b);
}

static void test_slow_calls_make_batches_of_one(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    session_bench_row(&b)->call_ns = 30000000;
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(b.prepared.batch, 1);
    assert_int_equal(b.prepared.batch_ns, 30000000);
    assert_int_equal(session_bench_row(&b)->calls, 1 + SESSION_SLOTS + 1);
    session_bench_close(&b);
}

static void test_digests_are_of_inputs_and_outputs(void **unused)
{
    (void)unused;
    session_bench b;
    cb_ring ring;
    void *state = NULL;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    const cb_kernel *kernel = &b.library.kernels[SCRIPTED_ENCRYPT];
    assert_int_equal(cb_ring_make(&ring, &b.task.ring, &b.library.backend, NULL, NULL, NULL), CB_OK);
    assert_true(b.prepared.inputs_digest == cb_ring_digest(&ring));
    assert_int_equal(kernel->bind(NULL, kernel, &ring.inputs[0], &state, NULL), CB_OK);
    for (size_t i = 0; i < SESSION_SLOTS; i++) {
        assert_int_equal(kernel->run(state, &ring.inputs[i], &ring.out), CB_OK);
        assert_true(b.prepared.digests[i] == cb_digest((cb_span){ring.out.p, ring.out.n}));
    }
    kernel->unbind(state);
    cb_ring_free(&ring);
    session_bench_close(&b);
}

static void test_each_slot_runs_with_the_state_of_its_key(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_DECRYPT);
    b.op.keys = 5; /* the toy refuses a slot whose key is not the bound one */
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(b.library.rows[SCRIPTED_DECRYPT].binds, 5);
    session_bench_close(&b);
}

static void test_a_witness_computes_outputs_and_nothing_else(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    b.task.witness = true;
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(session_bench_row(&b)->calls, 1 + SESSION_SLOTS);
    assert_int_equal(b.prepared.slots, SESSION_SLOTS);
    assert_int_equal(b.prepared.batch, 0);
    session_bench_close(&b);
}

static void test_a_block_of_rounds(void **unused)
{
    (void)unused;
    session_bench b;
    cb_block block;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    b.script.read_ns = 7;
    session_bench_row(&b)->stall_at = SESSION_CALLS_PREPARING + SESSION_BATCH + 1; /* in the second turn */
    session_bench_row(&b)->stall_ns = 1000;
    assert_int_equal(cb_session_begin(b.session, 3, &b.err), CB_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    assert_int_equal(session_bench_row(&b)->calls, SESSION_CALLS_PREPARING + 3 * SESSION_BATCH);
    assert_int_equal(cb_session_finish(b.session, NULL, &block, &b.err), CB_OK);
    assert_int_equal(session_bench_row(&b)->calls,
                     SESSION_CALLS_PREPARING + 3 * SESSION_BATCH + SESSION_SLOTS);
    assert_int_equal(block.seed, 99);
    assert_int_equal(block.batch, SESSION_BATCH);
    assert_int_equal(block.first_call_ns, SESSION_CALL_NS);
    assert_true(block.loop_ns == b.prepared.loop_ns);
    assert_int_equal(block.rounds, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(block.round_ns[i], 100007 + (i == 1 ? 1000 : 0));
        assert_int_equal(block.control_ns[i], 7);
        assert_int_equal(block.flags[i], 0);
    }
    session_block_free(&block);
    session_bench_close(&b);
}

static uint8_t flags_after(uint64_t steal_ns, unsigned switches, unsigned moves)
{
    session_bench b;
    cb_block block;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    session_bench_row(&b)->steal_at = SESSION_CALLS_PREPARING + 1000;
    session_bench_row(&b)->steal_ns = steal_ns;
    session_bench_row(&b)->steal_switches = switches;
    session_bench_row(&b)->steal_moves = moves;
    assert_int_equal(cb_session_begin(b.session, 2, &b.err), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    assert_int_equal(cb_session_finish(b.session, NULL, &block, &b.err), CB_OK);
    const uint8_t flags = block.flags[0];
    assert_int_equal(block.round_ns[0], 100000 + steal_ns);
    assert_int_equal(block.flags[1], 0);
    session_block_free(&block);
    session_bench_close(&b);
    return flags;
}

static void test_flags(void **unused)
{
    (void)unused;
    assert_int_equal(flags_after(0, 0, 0), 0);
    assert_int_equal(flags_after(0, 1, 0), CB_ROUND_SWITCHED);
    assert_int_equal(flags_after(0, 0, 1), CB_ROUND_MIGRATED);
    assert_int_equal(flags_after(20000, 0, 0), CB_ROUND_CPU_GAP);
    assert_int_equal(flags_after(5200, 0, 0), 0); /* less than a twentieth of 105.2 us */
    assert_int_equal(flags_after(5300, 0, 0), CB_ROUND_CPU_GAP);
    assert_int_equal(flags_after(20000, 3, 2), CB_ROUND_SWITCHED | CB_ROUND_CPU_GAP | CB_ROUND_MIGRATED);
}

static void test_preparing_again_replaces_everything(void **unused)
{
    (void)unused;
    session_bench b;
    cb_block block;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(cb_session_begin(b.session, 5, &b.err), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    b.task.ring.seed = 100;
    session_bench_row(&b)->call_ns = 100;
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(session_bench_row(&b)->unbinds, 1);
    assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    assert_int_equal(cb_session_finish(b.session, NULL, &block, &b.err), CB_OK);
    assert_int_equal(block.seed, 100);
    assert_int_equal(block.batch, 1000);
    assert_int_equal(block.rounds, 1);
    session_block_free(&block);
    session_bench_close(&b);
}

static void test_a_session_that_is_closed_in_a_block_frees_it(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(cb_session_begin(b.session, 5, &b.err), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    session_bench_close(&b);
    cb_session_close(NULL);
}

static void test_steps_out_of_order_are_refused(void **unused)
{
    (void)unused;
    session_bench b;
    cb_block block;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    session_assert_failure(&b, cb_session_begin(b.session, 3, &b.err), CB_BAD_ARGUMENT,
                           "a block of 3 rounds was asked for out of order");
    session_assert_failure(&b, cb_session_turn(b.session, &b.err), CB_BAD_ARGUMENT,
                           "more turns than the 0 that were announced");
    session_assert_failure(&b, cb_session_finish(b.session, NULL, &block, &b.err), CB_BAD_ARGUMENT,
                           "a block was finished that was never begun");
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_BAD_ARGUMENT);
    assert_int_equal(cb_session_finish(b.session, NULL, &block, &b.err), CB_BAD_ARGUMENT);
    assert_int_equal(cb_session_begin(b.session, 0, &b.err), CB_BAD_ARGUMENT);
    assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_OK);
    assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_BAD_ARGUMENT);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    session_assert_failure(&b, cb_session_turn(b.session, &b.err), CB_BAD_ARGUMENT,
                           "more turns than the 1 that were announced");
    assert_int_equal(cb_session_finish(b.session, NULL, &block, &b.err), CB_OK);
    session_block_free(&block);
    assert_int_equal(cb_session_finish(b.session, NULL, &block, &b.err), CB_BAD_ARGUMENT);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_BAD_ARGUMENT);
    /* A block belongs to one preparation. */
    assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_BAD_ARGUMENT);
    session_bench_close(&b);
}

static void test_no_turns_follow_a_witness(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    b.task.witness = true;
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_BAD_ARGUMENT);
    session_bench_close(&b);
}

static void test_a_block_may_end_early(void **unused)
{
    (void)unused;
    session_bench b;
    cb_block block;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(cb_session_begin(b.session, 10, &b.err), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    assert_int_equal(cb_session_finish(b.session, NULL, &block, &b.err), CB_OK);
    assert_int_equal(block.rounds, 1);
    session_block_free(&block);
    session_bench_close(&b);
}

static void test_random_outputs_are_not_compared(void **unused)
{
    (void)unused;
    session_bench b;
    cb_block block;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    b.op.randomised = true;
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    for (size_t i = 0; i < SESSION_SLOTS; i++)
        assert_int_equal(b.prepared.digests[i], 40 + 16);
    session_bench_row(&b)->wrong_from = SESSION_CALLS_PREPARING + 1;
    assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    assert_int_equal(cb_session_finish(b.session, NULL, &block, &b.err), CB_OK);
    session_block_free(&block);
    session_bench_close(&b);
}

typedef struct pulse_count {
    int beats, last;
} pulse_count;

static cb_status count_beat(void *user, cb_err *err)
{
    pulse_count *count = user;
    return ++count->beats == count->last ? cb_fail(err, CB_IO, "the last beat") : CB_OK;
}

static void test_the_pulse_beats_in_long_steps(void **unused)
{
    (void)unused;
    session_bench b;
    cb_block block;
    pulse_count count = {0};
    const cb_ring_pulse pulse = {count_beat, &count};
    session_bench_open(&b, SCRIPTED_DECRYPT);
    assert_int_equal(cb_session_prepare(b.session, &b.task, &pulse, &b.prepared, &b.err), CB_OK);
    const size_t steps = 3; /* ring made, outputs computed, batch calibrated */
    assert_int_equal(count.beats, 2 * SESSION_SLOTS + steps);
    assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_OK);
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    assert_int_equal(count.beats, 2 * SESSION_SLOTS + steps);
    assert_int_equal(cb_session_finish(b.session, &pulse, &block, &b.err), CB_OK);
    assert_int_equal(count.beats, 3 * SESSION_SLOTS + steps);
    session_block_free(&block);
    session_bench_close(&b);
}

static void test_a_pulse_that_ends_ends_the_step(void **unused)
{
    (void)unused;
    static const int lasts[] = {1, SESSION_SLOTS, SESSION_SLOTS + 1, 2 * SESSION_SLOTS};
    for (size_t i = 0; i < sizeof lasts / sizeof lasts[0]; i++) {
        session_bench b;
        pulse_count count = {.last = lasts[i]};
        const cb_ring_pulse pulse = {count_beat, &count};
        session_bench_open(&b, SCRIPTED_DECRYPT);
        session_assert_failure(&b, cb_session_prepare(b.session, &b.task, &pulse, &b.prepared, &b.err), CB_IO,
                               "the last beat");
        assert_int_equal(count.beats, lasts[i]);
        session_bench_close(&b);
    }
}

static void test_a_session_knows_its_backend(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    assert_ptr_equal(cb_session_backend(b.session), &b.library.backend);
    assert_string_equal(cb_session_library(b.session), "");
    session_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preparation),
        cmocka_unit_test(test_slow_calls_make_batches_of_one),
        cmocka_unit_test(test_digests_are_of_inputs_and_outputs),
        cmocka_unit_test(test_each_slot_runs_with_the_state_of_its_key),
        cmocka_unit_test(test_a_witness_computes_outputs_and_nothing_else),
        cmocka_unit_test(test_a_block_of_rounds),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_preparing_again_replaces_everything),
        cmocka_unit_test(test_a_session_that_is_closed_in_a_block_frees_it),
        cmocka_unit_test(test_steps_out_of_order_are_refused),
        cmocka_unit_test(test_no_turns_follow_a_witness),
        cmocka_unit_test(test_a_block_may_end_early),
        cmocka_unit_test(test_random_outputs_are_not_compared),
        cmocka_unit_test(test_the_pulse_beats_in_long_steps),
        cmocka_unit_test(test_a_pulse_that_ends_ends_the_step),
        cmocka_unit_test(test_a_session_knows_its_backend),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
