#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* needs what stands above */

#include "ops/known_answer.h"

/* The published answers of every row. */

static size_t decoded_bytes(const char *hex)
{
    assert_non_null(hex);
    const size_t digits = strlen(hex);
    assert_int_equal(digits % 2, 0);
    assert_int_equal(strspn(hex, "0123456789abcdef"), digits);
    return digits / 2;
}

static void test_each_row_has_two_sources(void **unused)
{
    (void)unused;
    assert_true(cb_operation_count() > 0);
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        print_message("%s\n", op->id);
        assert_true(op->n_known >= 2);
        for (size_t a = 0; a < op->n_known; a++) {
            assert_non_null(op->known[a].source);
            assert_true(strlen(op->known[a].source) > 0);
            for (size_t b = 0; b < a; b++)
                assert_string_not_equal(op->known[a].source, op->known[b].source);
        }
    }
}

static void test_lengths_are_those_of_the_shape(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        for (size_t a = 0; a < op->n_known; a++) {
            const cb_known_answer *k = &op->known[a];
            cb_shape shape = {0};
            cb_err err = {0};
            print_message("%s: %s\n", op->id, k->source);
            assert_int_equal(op->shape(op, decoded_bytes(k->msg), decoded_bytes(k->aad), &shape, &err),
                             CB_OK);
            assert_int_equal(decoded_bytes(k->key), shape.key);
            assert_int_equal(decoded_bytes(k->nonce), shape.nonce);
            assert_int_equal(decoded_bytes(k->aad), shape.aad);
            assert_int_equal(decoded_bytes(k->msg), shape.msg);
            assert_int_equal(decoded_bytes(k->aux), shape.aux);
            assert_int_equal(decoded_bytes(k->out), shape.out);
        }
    }
}

/* A row that undoes another must be given that one's published output, and the other way round. */
static void test_inverse_rows_have_the_same_answers(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        if (!op->inverts_maker || op->made_to != CB_MAKER_MSG_AND_AUX)
            continue;
        const cb_operation *maker = cb_operation_find(op->made_by);
        assert_non_null(maker);
        assert_int_equal(op->n_known, maker->n_known);
        for (size_t a = 0; a < op->n_known; a++) {
            const cb_known_answer *made = &op->known[a];
            const cb_known_answer *making = &maker->known[a];
            const size_t msg_digits = strlen(made->msg);
            assert_string_equal(made->source, making->source);
            assert_string_equal(made->out, making->msg);
            assert_int_equal(strncmp(making->out, made->msg, msg_digits), 0);
            assert_string_equal(making->out + msg_digits, made->aux);
        }
    }
}

/* The checker, on an operation whose output is its message inverted if aux is 2a. */

typedef enum manner { RIGHT, WRONG_BYTE, TOO_SHORT, REFUSES_ALL, ACCEPTS_ALL, LEAVES_OUTPUT, FAILS } manner;

static cb_status toy_bind(void *ctx, const cb_kernel *self, const cb_input *input, void **state, cb_err *err)
{
    (void)ctx;
    if (input->key.n != 1 || input->key.p[0] != 0x77)
        return cb_fail(err, CB_BAD_ARGUMENT, "another key");
    *state = malloc(sizeof(manner));
    if (*state == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory");
    memcpy(*state, self->data, sizeof(manner));
    return CB_OK;
}

static cb_status toy_run(void *state, const cb_input *in, cb_buf *out)
{
    const manner how = *(const manner *)state;
    const bool genuine = in->aux.n == 1 && in->aux.p[0] == 0x2a;
    out->n = 0;
    if (how == FAILS)
        return CB_LIBRARY_ERROR;
    if (how == REFUSES_ALL)
        return CB_REJECTED;
    if (!genuine && how != ACCEPTS_ALL) {
        out->n = how == LEAVES_OUTPUT ? 1 : 0;
        return CB_REJECTED;
    }
    if (out->cap < in->msg.n)
        return CB_BAD_ARGUMENT;
    for (size_t i = 0; i < in->msg.n; i++)
        out->p[i] = in->msg.p[i] ^ 0xff;
    if (how == WRONG_BYTE)
        out->p[in->msg.n - 1] ^= 1;
    out->n = in->msg.n - (how == TOO_SHORT ? 1 : 0);
    return CB_OK;
}

static void toy_unbind(void *state)
{
    free(state);
}

static void toy_explain(void *ctx, cb_err *err)
{
    (void)ctx;
    (void)cb_fail(err, err->code, "the toy is broken");
}

static cb_status check_toy(manner how, cb_err *err)
{
    static const cb_known_answer answers[] = {
        {"first", "77", "", "", "00ff10", "2a", "ff00ef"},
        {"second", "77", "", "", "0f", "2a", "f0"},
    };
    const cb_operation op = {
        .id = "toy/inverter/run", .refuses_forgery = true, .known = answers, .n_known = 2};
    const cb_kernel kernel = {
        .op = op.id, .data = &how, .bind = toy_bind, .run = toy_run, .unbind = toy_unbind};
    const cb_backend backend = {.name = "toy", .explain = toy_explain, .kernels = &kernel, .n_kernels = 1};
    return cb_known_answers_check(&op, &backend, NULL, &kernel, err);
}

static void test_right_kernel_passes(void **unused)
{
    (void)unused;
    cb_err err = {0};
    assert_int_equal(check_toy(RIGHT, &err), CB_OK);
}

static void test_wrong_kernels_are_caught(void **unused)
{
    (void)unused;
    static const manner wrong[] = {WRONG_BYTE, TOO_SHORT, REFUSES_ALL, ACCEPTS_ALL, LEAVES_OUTPUT};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cb_err err = {0};
        assert_int_equal(check_toy(wrong[i], &err), CB_WRONG_OUTPUT);
        assert_int_equal(err.code, CB_WRONG_OUTPUT);
        assert_non_null(strstr(err.msg, "first"));
    }
}

static void test_failing_kernel_explains_itself(void **unused)
{
    (void)unused;
    cb_err err = {0};
    assert_int_equal(check_toy(FAILS, &err), CB_LIBRARY_ERROR);
    assert_int_equal(err.code, CB_LIBRARY_ERROR);
    assert_non_null(strstr(err.msg, "the toy is broken"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_row_has_two_sources),
        cmocka_unit_test(test_lengths_are_those_of_the_shape),
        cmocka_unit_test(test_inverse_rows_have_the_same_answers),
        cmocka_unit_test(test_right_kernel_passes),
        cmocka_unit_test(test_wrong_kernels_are_caught),
        cmocka_unit_test(test_failing_kernel_explains_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
