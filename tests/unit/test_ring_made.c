#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ops/digest.h"
#include "scripted.h"

/* Rings whose inputs another operation makes. */

static void test_made_inputs(void **unused)
{
    (void)unused;
    const cb_operation encrypt = scripted_operation(SCRIPTED_ENCRYPT);
    const cb_operation decrypt = scripted_operation(SCRIPTED_DECRYPT);
    const cb_ring_spec encrypt_spec = scripted_ring_spec(&encrypt, 100),
                       decrypt_spec = scripted_ring_spec(&decrypt, 100);
    scripted_library library;
    cb_ring plain, made;
    scripted_library_make(&library, NULL, 0);
    scripted_ring_make(&plain, &encrypt_spec, &library);
    scripted_ring_make(&made, &decrypt_spec, &library);
    assert_null(plain.expected);
    assert_non_null(made.expected);
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].calls, 64);
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].binds, 1);
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].unbinds, 1);
    assert_int_equal(library.rows[SCRIPTED_DECRYPT].calls, 0);
    for (size_t i = 0; i < made.slots; i++) {
        assert_true(scripted_spans_equal(plain.inputs[i].nonce, made.inputs[i].nonce));
        assert_false(scripted_spans_equal(plain.inputs[i].msg, made.inputs[i].msg));
        assert_true(made.expected[i] == cb_digest(plain.inputs[i].msg));
    }
    cb_ring_free(&plain);
    cb_ring_free(&made);
}

static void test_made_inputs_decrypt(void **unused)
{
    (void)unused;
    cb_operation op = scripted_operation(SCRIPTED_DECRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, 100);
    scripted_library library;
    cb_ring ring;
    op.keys = 3;
    scripted_library_make(&library, NULL, 0);
    scripted_ring_make(&ring, &spec, &library);
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].binds, 64);
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].unbinds, 64);
    const cb_kernel *kernel = &library.kernels[SCRIPTED_DECRYPT];
    for (size_t i = 0; i < ring.slots; i++) {
        void *state = NULL;
        assert_int_equal(kernel->bind(NULL, kernel, &ring.inputs[i], &state, NULL), CB_OK);
        assert_int_equal(kernel->run(state, &ring.inputs[i], &ring.out), CB_OK);
        assert_true(cb_digest((cb_span){ring.out.p, ring.out.n}) == ring.expected[i]);
        kernel->unbind(state);
    }
    cb_ring_free(&ring);
}

static cb_status make_made(scripted_library *library, cb_err *err)
{
    const cb_operation op = scripted_operation(SCRIPTED_DECRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, 100);
    cb_ring ring;
    return cb_ring_make(&ring, &spec, &library->backend, NULL, NULL, err);
}

static void test_a_library_without_the_maker_is_unsupported(void **unused)
{
    (void)unused;
    scripted_library library;
    cb_err err = {0};
    scripted_library_make(&library, NULL, 0);
    library.backend.kernels = &library.kernels[SCRIPTED_DECRYPT];
    library.backend.n_kernels = 1;
    assert_int_equal(make_made(&library, &err), CB_UNSUPPORTED);
    assert_string_equal(err.msg, "scripted has no aead/aes-256-gcm/encrypt, which makes the inputs");
}

static void test_a_maker_that_fails_is_named(void **unused)
{
    (void)unused;
    scripted_library library;
    cb_err err = {0};
    scripted_library_make(&library, NULL, 0);
    library.rows[SCRIPTED_ENCRYPT].fail_from = 6;
    library.rows[SCRIPTED_ENCRYPT].failure = CB_LIBRARY_ERROR;
    assert_int_equal(make_made(&library, &err), CB_LIBRARY_ERROR);
    assert_string_equal(err.msg, "making the input of slot 5 with aead/aes-256-gcm/encrypt: " SCRIPTED_WORDS);
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].unbinds, 1);
}

static void test_a_maker_that_writes_too_little_is_wrong(void **unused)
{
    (void)unused;
    scripted_library library;
    cb_err err = {0};
    scripted_library_make(&library, NULL, 0);
    library.rows[SCRIPTED_ENCRYPT].short_from = 1;
    assert_int_equal(make_made(&library, &err), CB_WRONG_OUTPUT);
    assert_string_equal(err.msg,
                        "making the input of slot 0 with aead/aes-256-gcm/encrypt: 115 bytes instead of 116");
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].unbinds, 1);
}

static void test_a_maker_that_cannot_bind_is_passed_on(void **unused)
{
    (void)unused;
    scripted_library library;
    cb_err err = {0};
    scripted_library_make(&library, NULL, 0);
    library.rows[SCRIPTED_ENCRYPT].bind_fail_at = 1;
    library.rows[SCRIPTED_ENCRYPT].bind_failure = CB_UNSUPPORTED;
    assert_int_equal(make_made(&library, &err), CB_UNSUPPORTED);
    assert_string_equal(err.msg, SCRIPTED_BIND_WORDS);
}

static cb_status third_beat_ends(void *user, cb_err *err)
{
    return ++*(int *)user == 3 ? cb_fail(err, CB_IO, "the third beat") : CB_OK;
}

static void test_the_pulse_beats_between_made_inputs_and_can_end_them(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_DECRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, 100);
    scripted_library library;
    int beats = 0;
    const cb_ring_pulse pulse = {third_beat_ends, &beats};
    cb_ring ring;
    cb_err err = {0};
    scripted_library_make(&library, NULL, 0);
    assert_int_equal(cb_ring_make(&ring, &spec, &library.backend, NULL, &pulse, &err), CB_IO);
    assert_string_equal(err.msg, "the third beat");
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].calls, 3);
    assert_int_equal(library.rows[SCRIPTED_ENCRYPT].unbinds, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_inputs),
        cmocka_unit_test(test_made_inputs_decrypt),
        cmocka_unit_test(test_a_library_without_the_maker_is_unsupported),
        cmocka_unit_test(test_a_maker_that_fails_is_named),
        cmocka_unit_test(test_a_maker_that_writes_too_little_is_wrong),
        cmocka_unit_test(test_a_maker_that_cannot_bind_is_passed_on),
        cmocka_unit_test(test_the_pulse_beats_between_made_inputs_and_can_end_them),
    };
    return cmocka_run_group_tests_name("made rings", tests, NULL, NULL);
}
