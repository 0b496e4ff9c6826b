#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session_bench.h"

/* What goes wrong in a session, and the sentence for it. */

static void test_failing_preparations(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t fail_from, short_from, silent_from;
        cb_status failure, expected;
        const char *msg;
    } cases[] = {
        {.fail_from = 1,
         .failure = CB_LIBRARY_ERROR,
         .expected = CB_LIBRARY_ERROR,
         .msg = "call 1 (the first) failed: " SCRIPTED_WORDS},
        {.fail_from = 1,
         .failure = CB_OUT_OF_MEMORY,
         .expected = CB_OUT_OF_MEMORY,
         .msg = "call 1 (the first) failed: " SCRIPTED_WORDS},
        {.fail_from = 1,
         .failure = CB_REJECTED,
         .expected = CB_LIBRARY_ERROR,
         .msg = "call 1 (the first) refused valid input"},
        {.short_from = 1,
         .expected = CB_WRONG_OUTPUT,
         .msg = "call 1 (the first) wrote an output of the wrong length"},
        {.silent_from = 1,
         .expected = CB_WRONG_OUTPUT,
         .msg = "call 1 (the first) wrote an output of the wrong length"},
        {.fail_from = 2,
         .failure = CB_LIBRARY_ERROR,
         .expected = CB_LIBRARY_ERROR,
         .msg = "call 2 before timing failed: " SCRIPTED_WORDS},
        {.fail_from = 65,
         .failure = CB_REJECTED,
         .expected = CB_LIBRARY_ERROR,
         .msg = "call 65 before timing refused valid input"},
        {.short_from = 30,
         .expected = CB_WRONG_OUTPUT,
         .msg = "call 30 before timing wrote an output of the wrong length"},
        {.silent_from = 2,
         .expected = CB_WRONG_OUTPUT,
         .msg = "call 2 before timing wrote an output of the wrong length"},
        {.fail_from = 66,
         .failure = CB_LIBRARY_ERROR,
         .expected = CB_LIBRARY_ERROR,
         .msg = "call 66 while the batch was calibrated failed: " SCRIPTED_WORDS},
        {.short_from = 700,
         .expected = CB_WRONG_OUTPUT,
         .msg = "call 700 while the batch was calibrated wrote an output of the wrong length"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        session_bench b;
        session_bench_open(&b, SCRIPTED_ENCRYPT);
        session_bench_row(&b)->fail_from = cases[i].fail_from;
        session_bench_row(&b)->short_from = cases[i].short_from;
        session_bench_row(&b)->silent_from = cases[i].silent_from;
        session_bench_row(&b)->failure = cases[i].failure;
        session_assert_failure(&b, session_bench_prepare(&b), cases[i].expected, cases[i].msg);
        assert_null(b.prepared.digests);
        assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_BAD_ARGUMENT);
        session_bench_close(&b);
    }
}

static void test_a_failed_preparation_can_be_followed_by_another(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    session_bench_row(&b)->fail_from = 1;
    session_bench_row(&b)->failure = CB_LIBRARY_ERROR;
    assert_int_equal(session_bench_prepare(&b), CB_LIBRARY_ERROR);
    session_bench_row(&b)->fail_from = 0;
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    session_bench_close(&b);
}

static void test_an_operation_the_library_lacks(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    b.op.id = "aead/aes-512-gcm/encrypt";
    session_assert_failure(&b, session_bench_prepare(&b), CB_UNSUPPORTED,
                           "scripted has no aead/aes-512-gcm/encrypt");
    session_bench_close(&b);
}

static void test_inputs_that_cannot_be_made(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_DECRYPT);
    session_bench_row(&b)->fail_from = 1;
    session_bench_row(&b)->failure = CB_LIBRARY_ERROR;
    session_assert_failure(&b, session_bench_prepare(&b), CB_LIBRARY_ERROR,
                           "making the input of slot 0 with aead/aes-256-gcm/encrypt: " SCRIPTED_WORDS);
    session_bench_close(&b);
}

static void test_a_made_input_that_is_refused(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_DECRYPT);
    b.library.rows[SCRIPTED_DECRYPT].fail_from = 1;
    b.library.rows[SCRIPTED_DECRYPT].failure = CB_REJECTED;
    session_assert_failure(&b, session_bench_prepare(&b), CB_LIBRARY_ERROR,
                           "call 1 (the first) refused what its own aead/aes-256-gcm/encrypt made");
    session_bench_close(&b);
}

static void test_a_bind_that_fails_in_the_middle_unbinds_the_others(void **unused)
{
    (void)unused;
    static const uint64_t failing[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof failing / sizeof failing[0]; i++) {
        session_bench b;
        session_bench_open(&b, SCRIPTED_ENCRYPT);
        b.op.keys = 5;
        session_bench_row(&b)->bind_fail_at = failing[i];
        session_bench_row(&b)->bind_failure = CB_UNSUPPORTED;
        session_assert_failure(&b, session_bench_prepare(&b), CB_UNSUPPORTED, SCRIPTED_BIND_WORDS);
        assert_int_equal(session_bench_row(&b)->binds, failing[i] - 1);
        assert_int_equal(session_bench_row(&b)->unbinds, failing[i] - 1);
        assert_int_equal(session_bench_row(&b)->calls, 0);
        session_bench_close(&b);
    }
}

static void test_a_mute_failure_keeps_its_code(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    session_bench_row(&b)->bind_fail_at = 1;
    session_bench_row(&b)->bind_failure = CB_OUT_OF_MEMORY;
    session_bench_row(&b)->bind_is_mute = true;
    session_assert_failure(&b, session_bench_prepare(&b), CB_OUT_OF_MEMORY, "");
    session_bench_close(&b);
}

static cb_status mute_open(void **ctx, cb_err *err)
{
    (void)err;
    *ctx = NULL;
    return CB_LIBRARY_ERROR;
}

static void test_a_backend_that_does_not_open(void **unused)
{
    (void)unused;
    scripted_library library;
    scripted_clock script = {0};
    const cb_clock clock = scripted_clock_view(&script);
    cb_session *session = NULL;
    cb_err err = {0};
    scripted_library_make(&library, &script, SESSION_CALL_NS);
    library.backend.open = mute_open;
    assert_int_equal(cb_session_open_backend(&session, &library.backend, &clock, &err), CB_LIBRARY_ERROR);
    assert_int_equal(err.code, CB_LIBRARY_ERROR);
    assert_null(session);
    assert_int_equal(cb_session_open_backend(&session, &library.backend, &clock, NULL), CB_LIBRARY_ERROR);
}

static void test_a_published_answer_that_is_not_met(void **unused)
{
    (void)unused;
    static const cb_known_answer known[] = {{"Some Paper, test 1", "00", "000000000000000000000000", "", "",
                                             "", "00112233445566778899aabbccddeeff"}};
    session_bench b;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    b.op.known = known;
    b.op.n_known = 1;
    session_assert_failure(&b, session_bench_prepare(&b), CB_WRONG_OUTPUT,
                           "does not give the published answer of Some Paper, test 1");
    session_bench_close(&b);
}

static void test_an_output_that_is_not_the_message(void **unused)
{
    (void)unused;
    session_bench b;
    session_bench_open(&b, SCRIPTED_DECRYPT);
    b.library.rows[SCRIPTED_DECRYPT].wrong_from = 5;
    session_assert_failure(&b, session_bench_prepare(&b), CB_WRONG_OUTPUT,
                           "the output of slot 3 is not the message that was put in");
    session_bench_close(&b);
}

static void test_failing_turns(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t fail_at, short_at, wrong_at, silent_at; /* from this call of the turn on */
        cb_status failure, expected;
        const char *msg;
    } cases[] = {
        {.fail_at = 1,
         .failure = CB_LIBRARY_ERROR,
         .expected = CB_LIBRARY_ERROR,
         .msg = "call 3857 during timing failed: " SCRIPTED_WORDS},
        {.fail_at = 2000,
         .failure = CB_REJECTED,
         .expected = CB_LIBRARY_ERROR,
         .msg = "call 5856 during timing refused valid input"},
        {.short_at = 17,
         .expected = CB_WRONG_OUTPUT,
         .msg = "call 3873 during timing wrote an output of the wrong length"},
        {.wrong_at = 1000,
         .expected = CB_WRONG_OUTPUT,
         .msg = "slot 31 had another output during timing than before (call 5856)"},
        {.silent_at = 1000,
         .expected = CB_WRONG_OUTPUT,
         .msg = "slot 31 had another output during timing than before (call 5856)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t before = SESSION_CALLS_PREPARING + SESSION_BATCH;
        session_bench b;
        session_bench_open(&b, SCRIPTED_ENCRYPT);
        assert_int_equal(session_bench_prepare(&b), CB_OK);
        assert_int_equal(cb_session_begin(b.session, 3, &b.err), CB_OK);
        assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
        session_bench_row(&b)->fail_from = cases[i].fail_at > 0 ? before + cases[i].fail_at : 0;
        session_bench_row(&b)->short_from = cases[i].short_at > 0 ? before + cases[i].short_at : 0;
        session_bench_row(&b)->wrong_from = cases[i].wrong_at > 0 ? before + cases[i].wrong_at : 0;
        session_bench_row(&b)->silent_from = cases[i].silent_at > 0 ? before + cases[i].silent_at : 0;
        session_bench_row(&b)->failure = cases[i].failure;
        session_assert_failure(&b, cb_session_turn(b.session, &b.err), cases[i].expected, cases[i].msg);
        session_bench_close(&b);
    }
}

static void test_failing_checks_after_timing(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t fail_at, wrong_at, silent_at; /* from this call after timing on */
        cb_status expected;
        const char *msg;
    } cases[] = {
        {.fail_at = 1, .expected = CB_LIBRARY_ERROR, .msg = "call 3857 after timing failed: " SCRIPTED_WORDS},
        {.fail_at = 64,
         .expected = CB_LIBRARY_ERROR,
         .msg = "call 3920 after timing failed: " SCRIPTED_WORDS},
        {.wrong_at = 3,
         .expected = CB_WRONG_OUTPUT,
         .msg = "slot 2 has another output after timing than before"},
        {.silent_at = 64,
         .expected = CB_WRONG_OUTPUT,
         .msg = "call 3920 after timing wrote an output of the wrong length"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t before = SESSION_CALLS_PREPARING + SESSION_BATCH;
        session_bench b;
        cb_block block;
        session_bench_open(&b, SCRIPTED_ENCRYPT);
        assert_int_equal(session_bench_prepare(&b), CB_OK);
        assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_OK);
        assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
        session_bench_row(&b)->fail_from = cases[i].fail_at > 0 ? before + cases[i].fail_at : 0;
        session_bench_row(&b)->wrong_from = cases[i].wrong_at > 0 ? before + cases[i].wrong_at : 0;
        session_bench_row(&b)->silent_from = cases[i].silent_at > 0 ? before + cases[i].silent_at : 0;
        session_bench_row(&b)->failure = CB_LIBRARY_ERROR;
        session_assert_failure(&b, cb_session_finish(b.session, NULL, &block, &b.err), cases[i].expected,
                               cases[i].msg);
        session_bench_close(&b);
    }
}

static void test_an_output_that_is_never_written_is_noticed(void **unused)
{
    (void)unused;
    session_bench b;
    cb_block block;
    session_bench_open(&b, SCRIPTED_ENCRYPT);
    b.task.ring.aad_bytes = (size_t)65 << 20;
    session_bench_row(&b)->call_ns = 1000000;
    assert_int_equal(session_bench_prepare(&b), CB_OK);
    assert_int_equal(b.prepared.slots, 1);
    assert_int_equal(cb_session_begin(b.session, 1, &b.err), CB_OK);
    session_bench_row(&b)->blank_from = session_bench_row(&b)->calls + 1;
    assert_int_equal(cb_session_turn(b.session, &b.err), CB_OK);
    session_assert_failure(&b, cb_session_finish(b.session, NULL, &block, &b.err), CB_WRONG_OUTPUT,
                           "slot 0 has another output after timing than before");
    session_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_preparations),
        cmocka_unit_test(test_a_failed_preparation_can_be_followed_by_another),
        cmocka_unit_test(test_an_operation_the_library_lacks),
        cmocka_unit_test(test_inputs_that_cannot_be_made),
        cmocka_unit_test(test_a_made_input_that_is_refused),
        cmocka_unit_test(test_a_bind_that_fails_in_the_middle_unbinds_the_others),
        cmocka_unit_test(test_a_mute_failure_keeps_its_code),
        cmocka_unit_test(test_a_backend_that_does_not_open),
        cmocka_unit_test(test_a_published_answer_that_is_not_met),
        cmocka_unit_test(test_an_output_that_is_not_the_message),
        cmocka_unit_test(test_failing_turns),
        cmocka_unit_test(test_failing_checks_after_timing),
        cmocka_unit_test(test_an_output_that_is_never_written_is_noticed),
    };
    return cmocka_run_group_tests_name("session faults", tests, NULL, NULL);
}
