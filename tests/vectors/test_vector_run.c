#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* needs what stands above */

#include "vector_run.h"

/* A toy AEAD: ciphertext = message xor key, tag = the sum of all bytes of nonce, AAD and ciphertext. Each
 * fault is one that a real library could have. */
typedef enum fault {
    NONE,
    SKIPS_TAG,
    IGNORES_AAD,
    WRONG_TAG,
    WRONG_PLAINTEXT,
    LEAVES_OUTPUT,
    LACKS_CPU
} fault;

static cb_status toy_bind(void *ctx, const cb_kernel *self, const cb_input *input, void **state, cb_err *err)
{
    (void)self;
    if (*(const fault *)ctx == LACKS_CPU)
        return cb_fail(err, CB_UNSUPPORTED, "another CPU");
    if (input->key.n != 1)
        return cb_fail(err, CB_BAD_ARGUMENT, "a key of %zu bytes", input->key.n);
    uint8_t *s = malloc(2);
    if (s == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory");
    s[0] = input->key.p[0];
    s[1] = (uint8_t) * (const fault *)ctx;
    *state = s;
    return CB_OK;
}

static void toy_unbind(void *state)
{
    free(state);
}

static uint8_t sum(cb_span bytes)
{
    unsigned total = 0;
    for (size_t i = 0; i < bytes.n; i++)
        total += bytes.p[i];
    return (uint8_t)total;
}

static uint8_t toy_tag(const uint8_t *s, const cb_input *in, cb_span ciphertext)
{
    const unsigned aad = s[1] == IGNORES_AAD ? 0 : sum(in->aad);
    return (uint8_t)(sum(in->nonce) + aad + sum(ciphertext));
}

static cb_status toy_encrypt(void *state, const cb_input *in, cb_buf *out)
{
    const uint8_t *s = state;
    out->n = 0;
    if (out->cap < in->msg.n + 1)
        return CB_BAD_ARGUMENT;
    for (size_t i = 0; i < in->msg.n; i++)
        out->p[i] = in->msg.p[i] ^ s[0];
    out->p[in->msg.n] = toy_tag(s, in, (cb_span){out->p, in->msg.n}) ^ (s[1] == WRONG_TAG);
    out->n = in->msg.n + 1;
    return CB_OK;
}

static cb_status toy_decrypt(void *state, const cb_input *in, cb_buf *out)
{
    const uint8_t *s = state;
    out->n = 0;
    if (out->cap < in->msg.n || in->aux.n != 1)
        return CB_BAD_ARGUMENT;
    if (s[1] != SKIPS_TAG && toy_tag(s, in, in->msg) != in->aux.p[0]) {
        out->n = s[1] == LEAVES_OUTPUT ? in->msg.n : 0;
        return CB_REJECTED;
    }
    for (size_t i = 0; i < in->msg.n; i++)
        out->p[i] = in->msg.p[i] ^ s[0] ^ (s[1] == WRONG_PLAINTEXT);
    out->n = in->msg.n;
    return CB_OK;
}

static const cb_kernel kernels[] = {
    {.op = "aead/toy/decrypt", .bind = toy_bind, .run = toy_decrypt, .unbind = toy_unbind},
    {.op = "aead/toy/encrypt", .bind = toy_bind, .run = toy_encrypt, .unbind = toy_unbind},
};

/* A valid record, unless its tag (53 = 10 + 20 + 11 + 12) is replaced. */
static cb_vector_text record(void)
{
    return (cb_vector_text){.op = "aead/toy/decrypt",
                            .source = "toy 1",
                            .key = "01",
                            .nonce = "10",
                            .aad = "20",
                            .msg = "1112",
                            .aux = "53",
                            .out = "1013"};
}

typedef struct outcome {
    cb_vector_tally tally;
    char log[1024];
} outcome;

static outcome run_text(fault how, const cb_vector_text *text, size_t n_kernels)
{
    outcome o = {0};
    cb_vector_list list = {0};
    cb_err err = {0};
    const cb_backend backend = {.name = "toy", .kernels = kernels, .n_kernels = n_kernels};
    FILE *log = fmemopen(o.log, sizeof o.log, "w");
    assert_non_null(log);
    assert_int_equal(cb_vector_list_add(&list, text, &err), CB_OK);
    cb_vector_run(&backend, &how, &list.items[0], &o.tally, log);
    assert_int_equal(fclose(log), 0);
    cb_vector_list_free(&list);
    return o;
}

static void test_right_backend_passes(void **unused)
{
    (void)unused;
    const cb_vector_text text = record();
    const outcome o = run_text(NONE, &text, 2);
    assert_string_equal(o.log, "");
    assert_int_equal(o.tally.failed, 0);
    assert_int_equal(o.tally.computed, 2);
    assert_int_equal(o.tally.forgeries, 4);
}

static void test_invalid_record_must_be_refused(void **unused)
{
    (void)unused;
    cb_vector_text text = record();
    text.aux = "54";
    text.out = "";
    text.result = CB_VECTOR_INVALID;
    const outcome right = run_text(NONE, &text, 2);
    assert_int_equal(right.tally.refused, 1);
    assert_int_equal(right.tally.failed, 0);
    assert_int_equal(right.tally.computed + right.tally.forgeries, 0);
    const outcome wrong = run_text(SKIPS_TAG, &text, 2);
    assert_int_equal(wrong.tally.refused, 0);
    assert_int_equal(wrong.tally.failed, 1);
    assert_string_equal(wrong.log, "FAILED aead/toy/decrypt: toy 1: accepted, though invalid\n");
}

static void test_acceptable_record_may_be_refused_but_not_wrong(void **unused)
{
    (void)unused;
    cb_vector_text text = record();
    text.result = CB_VECTOR_ACCEPTABLE;
    assert_int_equal(run_text(NONE, &text, 1).tally.failed, 0);
    assert_int_equal(run_text(WRONG_PLAINTEXT, &text, 1).tally.failed, 1);
    text.aux = "54";
    assert_int_equal(run_text(NONE, &text, 1).tally.failed, 0);
}

static void test_faults_are_caught(void **unused)
{
    (void)unused;
    static const struct {
        fault how;
        size_t failed;
        const char *message;
    } cases[] = {
        {SKIPS_TAG, 4, "accepted, though invalid"},
        {IGNORES_AAD, 2, "refused"},
        {WRONG_TAG, 1, "FAILED aead/toy/encrypt: toy 1: a wrong output"},
        {WRONG_PLAINTEXT, 1, "FAILED aead/toy/decrypt: toy 1: a wrong output"},
        {LEAVES_OUTPUT, 4, "claims to have written an output"},
    };
    const cb_vector_text text = record();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const outcome o = run_text(cases[i].how, &text, 2);
        assert_int_equal(o.tally.failed, cases[i].failed);
        assert_non_null(strstr(o.log, cases[i].message));
    }
}

static void test_what_is_absent_is_counted(void **unused)
{
    (void)unused;
    cb_vector_text text = record();
    const outcome lacking = run_text(LACKS_CPU, &text, 2);
    assert_int_equal(lacking.tally.unsupported, 2);
    assert_int_equal(lacking.tally.failed + lacking.tally.computed, 0);
    assert_int_equal(run_text(NONE, &text, 1).tally.no_kernel, 1);
    text.op = "aead/other/decrypt";
    assert_int_equal(run_text(NONE, &text, 2).tally.no_kernel, 2);
    text.op = "hash/other/digest";
    assert_int_equal(run_text(NONE, &text, 2).tally.no_kernel, 1);
}

static void test_refused_binding_is_a_failure(void **unused)
{
    (void)unused;
    cb_vector_text text = record();
    text.key = "0101";
    const outcome o = run_text(NONE, &text, 1);
    assert_int_equal(o.tally.failed, 1);
    assert_non_null(strstr(o.log, "a key of 2 bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_backend_passes),
        cmocka_unit_test(test_invalid_record_must_be_refused),
        cmocka_unit_test(test_acceptable_record_may_be_refused_but_not_wrong),
        cmocka_unit_test(test_faults_are_caught),
        cmocka_unit_test(test_what_is_absent_is_counted),
        cmocka_unit_test(test_refused_binding_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
