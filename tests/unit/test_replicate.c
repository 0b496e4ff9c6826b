#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripted_worker.h"

static void test_a_failure_costs_one_row(void **unused)
{
    (void)unused;
    static const struct {
        scripted_deed deed;
        unsigned starts; /* of b in all: one per replicate, and one after the failure */
    } cases[] = {
        {{'b', SCRIPTED_START, 1, CB_CRASHED, "SIGSEGV during loading", 0}, SCRIPTED_REPLICATES + 1},
        {{'b', SCRIPTED_PREPARE, 1, CB_UNSUPPORTED, "needs AES-NI", 0}, SCRIPTED_REPLICATES + 1},
        {{'b', SCRIPTED_BEGIN, 1, CB_OUT_OF_MEMORY, "no memory", 0}, SCRIPTED_REPLICATES + 1},
        {{'b', SCRIPTED_TURN, 2, CB_CRASHED, "SIGILL during timing", 0}, SCRIPTED_REPLICATES + 1},
        {{'b', SCRIPTED_FINISH, 1, CB_WRONG_OUTPUT, "slot 3", 0}, SCRIPTED_REPLICATES + 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scripted_stage s;
        scripted_stage_make(&s, "abc", "", 2);
        scripted_stage_script(&s, &cases[i].deed, 1);
        scripted_stage_run(&s);
        scripted_assert_row(&s, 0, 'b', cases[i].deed.status, cases[i].deed.msg, 0);
        scripted_assert_row(&s, 1, 'b', CB_OK, "", SCRIPTED_REPLICATES);
        for (size_t g = 0; g < 2; g++) {
            scripted_assert_row(&s, g, 'a', CB_OK, "", SCRIPTED_REPLICATES);
            scripted_assert_row(&s, g, 'c', CB_OK, "", SCRIPTED_REPLICATES);
        }
        assert_int_equal(scripted_count(&s, 'b', SCRIPTED_START), cases[i].starts);
        assert_int_equal(scripted_count(&s, 'a', SCRIPTED_START), SCRIPTED_REPLICATES);
        scripted_stage_free(&s);
    }
}

static void test_the_others_keep_their_order_after_a_failure(void **unused)
{
    (void)unused;
    static const scripted_deed crash = {'b', SCRIPTED_TURN, 1, CB_CRASHED, "SIGSEGV", 0};
    scripted_stage with, without;
    scripted_stage_make(&with, "abc", "", 1);
    scripted_stage_make(&without, "abc", "", 1);
    scripted_stage_script(&with, &crash, 1);
    with.groups[0].max_replicates = without.groups[0].max_replicates = 1;
    scripted_stage_run(&with);
    scripted_stage_run(&without);
    assert_int_equal(scripted_count(&with, 'b', SCRIPTED_TURN), 1);
    for (size_t i = 0, k = 0; i < 3 * SCRIPTED_ROUNDS; i++) {
        const char name = scripted_event_at(&without.cast, SCRIPTED_TURN, 0, i)->name;
        if (name == 'b' && scripted_event_at(&with.cast, SCRIPTED_TURN, 0, k)->name != 'b')
            continue;
        assert_int_equal(scripted_event_at(&with.cast, SCRIPTED_TURN, 0, k++)->name, name);
    }
    scripted_stage_free(&with);
    scripted_stage_free(&without);
}

static void test_a_row_that_failed_later_keeps_its_failure(void **unused)
{
    (void)unused;
    static const scripted_deed crash = {'b', SCRIPTED_PREPARE, 2, CB_CRASHED, "SIGSEGV", 0};
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 1);
    scripted_stage_script(&s, &crash, 1);
    scripted_stage_run(&s);
    scripted_assert_row(&s, 0, 'a', CB_OK, "", SCRIPTED_REPLICATES);
    scripted_assert_row(&s, 0, 'b', CB_CRASHED, "SIGSEGV", 1);
    assert_int_equal(scripted_count(&s, 'b', SCRIPTED_PREPARE), 2);
    scripted_stage_free(&s);
}

static void test_a_group_in_which_everyone_fails_is_done(void **unused)
{
    (void)unused;
    static const scripted_deed crashes[] = {{'a', SCRIPTED_TURN, 1, CB_CRASHED, "SIGSEGV", 0},
                                            {'b', SCRIPTED_TURN, 1, CB_CRASHED, "SIGSEGV", 0}};
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 2);
    scripted_stage_script(&s, crashes, 2);
    scripted_stage_run(&s);
    assert_true(s.measurement.groups[0].done);
    assert_int_equal(s.measurement.groups[0].replicates, 1);
    assert_int_equal(s.measurement.groups[1].replicates, SCRIPTED_REPLICATES);
    scripted_stage_free(&s);
}

static void test_a_hung_contestant_gets_less_patience(void **unused)
{
    (void)unused;
    static const scripted_deed hang = {'b', SCRIPTED_PREPARE, 2, CB_TIMEOUT, "no answer", 0};
    static const struct {
        double timeout_s, again_s;
    } cases[] = {{10, 1}, {0.5, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scripted_stage s;
        scripted_stage_make(&s, "ab", "", 3); /* 64, 128 and 192 bytes */
        scripted_stage_script(&s, &hang, 1);
        s.groups[0].max_replicates = 1; /* later replicates begin with 128 */
        s.plan.schedule.timeout_s = cases[i].timeout_s;
        scripted_stage_run(&s);
        scripted_assert_row(&s, 0, 'b', CB_OK, "", 1);
        scripted_assert_row(&s, 1, 'b', CB_TIMEOUT, "no answer", 0);
        scripted_assert_row(&s, 2, 'b', CB_OK, "", SCRIPTED_REPLICATES);
        assert_true(scripted_event_at(&s.cast, SCRIPTED_START, 'b', 0)->timeout_s == cases[i].timeout_s);
        for (size_t k = 1; k <= SCRIPTED_REPLICATES; k++) /* in later replicates too */
            assert_true(scripted_event_at(&s.cast, SCRIPTED_START, 'b', k)->timeout_s == cases[i].again_s);
        for (size_t k = 0; k < SCRIPTED_REPLICATES; k++)
            assert_true(scripted_event_at(&s.cast, SCRIPTED_START, 'a', k)->timeout_s == cases[i].timeout_s);
        scripted_stage_free(&s);
    }
}

static void test_a_smaller_message_gets_full_patience(void **unused)
{
    (void)unused;
    static const scripted_deed hang = {'b', SCRIPTED_TURN, SCRIPTED_ROUNDS + 1, CB_TIMEOUT, "no answer", 0};
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 3);
    scripted_stage_script(&s, &hang, 1);
    scripted_stage_run(&s);
    scripted_assert_row(&s, 1, 'b', CB_TIMEOUT, "no answer", 0);
    assert_true(scripted_event_at(&s.cast, SCRIPTED_START, 'b', 1)->timeout_s == 1);  /* 192 bytes */
    assert_true(scripted_event_at(&s.cast, SCRIPTED_START, 'b', 2)->timeout_s == 10); /* 64 bytes again */
    scripted_stage_free(&s);
}

static void test_a_second_hang_says_why_the_wait_was_short(void **unused)
{
    (void)unused;
    static const scripted_deed hangs[] = {{'b', SCRIPTED_PREPARE, 1, CB_TIMEOUT, "no answer for 10 s", 0},
                                          {'b', SCRIPTED_PREPARE, 2, CB_TIMEOUT, "no answer for 1 s", 0}};
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 2);
    scripted_stage_script(&s, hangs, 2);
    scripted_stage_run(&s);
    scripted_assert_row(&s, 0, 'b', CB_TIMEOUT, "no answer for 10 s", 0);
    scripted_assert_row(&s, 1, 'b', CB_TIMEOUT, "no answer for 1 s; it had hung before", 0);
    scripted_stage_free(&s);
}

static void test_contestants_outvote_a_wrong_one(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "abc", "w", 1);
    scripted_actor_of(&s.cast, 'c')->says = 1;
    scripted_stage_run(&s);
    scripted_assert_row(&s, 0, 'a', CB_OK, "", SCRIPTED_REPLICATES);
    scripted_assert_row(&s, 0, 'c', CB_WRONG_OUTPUT, "its output of slot 3 differs from that of a", 0);
    assert_int_equal(scripted_count(&s, 'c', SCRIPTED_TURN), 0);
    assert_int_equal(scripted_count(&s, 'w', SCRIPTED_START), 0);
    scripted_stage_free(&s);
}

static void test_a_witness_settles_a_disagreement(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "ab", "w", 1);
    scripted_actor_of(&s.cast, 'a')->says = 1;
    scripted_stage_run(&s);
    scripted_assert_row(&s, 0, 'a', CB_WRONG_OUTPUT, "its output of slot 3 differs from that of b", 0);
    scripted_assert_row(&s, 0, 'b', CB_OK, "", SCRIPTED_REPLICATES);
    assert_int_equal(scripted_count(&s, 'w', SCRIPTED_START), 1);
    assert_int_equal(scripted_count(&s, 'w', SCRIPTED_STOP), 1);
    assert_int_equal(scripted_count(&s, 'w', SCRIPTED_BEGIN), 0);
    assert_true(scripted_event_at(&s.cast, SCRIPTED_PREPARE, 'w', 0)->task.witness);
    scripted_stage_free(&s);
}

static void test_a_disagreement_that_nobody_settles_marks_both(void **unused)
{
    (void)unused;
    static const char open[] = "the libraries disagree and no further one can say who is right";
    scripted_stage s;
    scripted_stage_make(&s, "ab", "w", 1);
    scripted_actor_of(&s.cast, 'a')->says = 1;
    scripted_actor_of(&s.cast, 'w')->says = 2;
    scripted_stage_run(&s);
    scripted_assert_row(&s, 0, 'a', CB_WRONG_OUTPUT, open, 0);
    scripted_assert_row(&s, 0, 'b', CB_WRONG_OUTPUT, open, 0);
    scripted_stage_free(&s);
}

static void test_a_lone_contestant_is_checked_by_one_witness_once(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "a", "vw", 2);
    scripted_stage_run(&s);
    scripted_assert_row(&s, 0, 'a', CB_OK, "", SCRIPTED_REPLICATES);
    assert_int_equal(scripted_count(&s, 'v', SCRIPTED_PREPARE),
                     2); /* one per group, in the first replicate */
    assert_int_equal(scripted_count(&s, 'w', SCRIPTED_PREPARE), 0);
    assert_int_equal(scripted_event_at(&s.cast, SCRIPTED_PREPARE, 'v', 1)->task.ring.seed,
                     scripted_event_at(&s.cast, SCRIPTED_PREPARE, 'a', 1)->task.ring.seed);
    scripted_stage_free(&s);
}

static void test_an_interrupt_keeps_what_is_finished(void **unused)
{
    (void)unused;
    static const struct {
        scripted_deed deed;
        size_t blocks[2]; /* of the two groups */
    } cases[] = {
        {{'a', SCRIPTED_START, 1, CB_OK, NULL, SIGTERM}, {0, 0}},
        {{'a', SCRIPTED_PREPARE, 1, CB_OK, NULL, SIGTERM}, {0, 0}},
        {{'b', SCRIPTED_TURN, 2, CB_OK, NULL, SIGINT}, {0, 0}},
        {{'b', SCRIPTED_PREPARE, 2, CB_OK, NULL, SIGTERM}, {1, 0}},
        {{'a', SCRIPTED_BEGIN, 3, CB_OK, NULL, SIGHUP}, {1, 1}},
        {{'a', SCRIPTED_TURN, 2 * SCRIPTED_ROUNDS + 2, CB_OK, NULL, SIGTERM}, {1, 1}},
        {{'a', SCRIPTED_FINISH, 3, CB_OK, NULL, SIGTERM}, {1, 1}},
        {{'b', SCRIPTED_FINISH, 3, CB_OK, NULL, SIGTERM}, {1, 1}},
        {{'b', SCRIPTED_FINISH, 4, CB_OK, NULL, SIGTERM}, {2, 1}},
        /* What fails because of the interrupt is no failure. */
        {{'b', SCRIPTED_TURN, 2 * SCRIPTED_ROUNDS + 2, CB_IO, "interrupted", SIGTERM}, {1, 1}},
        {{'b', SCRIPTED_START, 2, CB_IO, "interrupted", SIGTERM}, {1, 1}},
        {{'b', SCRIPTED_PREPARE, 3, CB_IO, "interrupted", SIGTERM}, {1, 1}},
        {{'b', SCRIPTED_BEGIN, 3, CB_IO, "interrupted", SIGTERM}, {1, 1}},
        {{'b', SCRIPTED_FINISH, 3, CB_IO, "interrupted", SIGTERM}, {1, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scripted_stage s;
        print_message("case %zu\n", i);
        scripted_stage_make(&s, "ab", "", 2);
        scripted_stage_script(&s, &cases[i].deed, 1);
        assert_int_equal(cb_interrupt_open(&s.interrupt, &s.err), CB_OK);
        scripted_stage_run(&s);
        assert_int_equal(s.measurement.signal, cases[i].deed.signal);
        for (size_t g = 0; g < 2; g++) {
            scripted_assert_row(&s, g, 'a', CB_OK, "", cases[i].blocks[g]);
            scripted_assert_row(&s, g, 'b', CB_OK, "", cases[i].blocks[g]);
            assert_int_equal(s.measurement.groups[g].replicates, cases[i].blocks[g]);
        }
        /* Nothing new is begun afterwards. */
        assert_true(s.cast.events[s.cast.n_events - 1].step == SCRIPTED_STOP);
        cb_interrupt_close(&s.interrupt);
        scripted_stage_free(&s);
    }
}

static void test_an_interrupted_witness_leaves_nobody_wrong(void **unused)
{
    (void)unused;
    static const scripted_deed deed = {'w', SCRIPTED_PREPARE, 1, CB_IO, "interrupted", SIGTERM};
    scripted_stage s;
    scripted_stage_make(&s, "ab", "w", 1);
    scripted_actor_of(&s.cast, 'a')->says = 1;
    scripted_stage_script(&s, &deed, 1);
    assert_int_equal(cb_interrupt_open(&s.interrupt, &s.err), CB_OK);
    scripted_stage_run(&s);
    assert_int_equal(s.measurement.signal, SIGTERM);
    scripted_assert_row(&s, 0, 'a', CB_OK, "", 0);
    scripted_assert_row(&s, 0, 'b', CB_OK, "", 0);
    cb_interrupt_close(&s.interrupt);
    scripted_stage_free(&s);
}

static void test_a_failure_before_the_interrupt_stays(void **unused)
{
    (void)unused;
    static const scripted_deed deeds[] = {{'a', SCRIPTED_TURN, 1, CB_CRASHED, "SIGSEGV", 0},
                                          {'b', SCRIPTED_FINISH, 1, CB_OK, NULL, SIGTERM}};
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 1);
    scripted_stage_script(&s, deeds, 2);
    assert_int_equal(cb_interrupt_open(&s.interrupt, &s.err), CB_OK);
    scripted_stage_run(&s);
    scripted_assert_row(&s, 0, 'a', CB_CRASHED, "SIGSEGV", 0);
    scripted_assert_row(&s, 0, 'b', CB_OK, "", 0);
    cb_interrupt_close(&s.interrupt);
    scripted_stage_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_failure_costs_one_row),
        cmocka_unit_test(test_the_others_keep_their_order_after_a_failure),
        cmocka_unit_test(test_a_row_that_failed_later_keeps_its_failure),
        cmocka_unit_test(test_a_group_in_which_everyone_fails_is_done),
        cmocka_unit_test(test_a_hung_contestant_gets_less_patience),
        cmocka_unit_test(test_a_smaller_message_gets_full_patience),
        cmocka_unit_test(test_a_second_hang_says_why_the_wait_was_short),
        cmocka_unit_test(test_contestants_outvote_a_wrong_one),
        cmocka_unit_test(test_a_witness_settles_a_disagreement),
        cmocka_unit_test(test_a_disagreement_that_nobody_settles_marks_both),
        cmocka_unit_test(test_a_lone_contestant_is_checked_by_one_witness_once),
        cmocka_unit_test(test_an_interrupt_keeps_what_is_finished),
        cmocka_unit_test(test_an_interrupted_witness_leaves_nobody_wrong),
        cmocka_unit_test(test_a_failure_before_the_interrupt_stays),
    };
    return cmocka_run_group_tests_name("replicate", tests, NULL, NULL);
}
