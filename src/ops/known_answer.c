#include "ops/known_answer.h"

#include <stdlib.h>
#include <string.h>

/* One answer decoded from hex. msg and aux share one allocation because aux must lie directly behind msg. */
typedef struct answer {
    cb_input input;
    cb_span out;
    uint8_t *memory;
} answer;

static unsigned hex_digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* Decodes hex (well-formed by construction: the tables are const and tested) and moves *next behind it. */
static cb_span decode_hex(const char *hex, uint8_t **next)
{
    uint8_t *start = *next;
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++)
        start[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
    *next = start + n;
    return (cb_span){start, n};
}

static cb_status answer_decode(answer *a, const cb_operation *op, const cb_known_answer *known, cb_err *err)
{
    size_t digits = strlen(known->key) + strlen(known->nonce) + strlen(known->aad) + strlen(known->msg) +
                    strlen(known->aux) + strlen(known->out);
    a->memory = malloc(digits / 2 + 1);
    if (a->memory == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a known answer");
    uint8_t *next = a->memory;
    a->input.params = op->params;
    a->input.key = decode_hex(known->key, &next);
    a->input.nonce = decode_hex(known->nonce, &next);
    a->input.aad = decode_hex(known->aad, &next);
    a->input.msg = decode_hex(known->msg, &next);
    a->input.aux = decode_hex(known->aux, &next);
    a->out = decode_hex(known->out, &next);
    return CB_OK;
}

/* Binds a fresh state, runs once and unbinds; *status_of_run is what run() said. */
static cb_status run_once(const cb_backend *backend, void *ctx, const cb_kernel *kernel,
                          const cb_input *input, cb_buf *out, cb_status *status_of_run, cb_err *err)
{
    void *state = NULL;
    cb_status status = kernel->bind(ctx, kernel, input, &state, err);
    if (status != CB_OK)
        return status;
    *status_of_run = kernel->run(state, input, out);
    if (*status_of_run != CB_OK && *status_of_run != CB_REJECTED) {
        cb_err words = {.code = *status_of_run, .msg = "failed without a word of its own"};
        backend->explain(ctx, &words);
        status = cb_fail(err, *status_of_run, "%s", words.msg);
    }
    kernel->unbind(state);
    return status;
}

static cb_status expect_answer(const answer *a, const char *source, cb_status run_status, const cb_buf *out,
                               cb_err *err)
{
    if (run_status != CB_OK)
        return cb_fail(err, CB_WRONG_OUTPUT, "refused the published answer of %s", source);
    if (out->n != a->out.n || (out->n > 0 && memcmp(out->p, a->out.p, out->n) != 0))
        return cb_fail(err, CB_WRONG_OUTPUT, "does not give the published answer of %s", source);
    return CB_OK;
}

/* A kernel that skips verification would be fast and wrong: the last bit of aux is flipped and must be
 * noticed. */
static cb_status expect_refusal(answer *a, const cb_backend *backend, void *ctx, const cb_kernel *kernel,
                                const char *source, cb_buf *out, cb_err *err)
{
    uint8_t *last = a->memory + (a->input.aux.p - a->memory) + a->input.aux.n - 1;
    *last ^= 1;
    cb_status run_status = CB_OK;
    cb_status status = run_once(backend, ctx, kernel, &a->input, out, &run_status, err);
    *last ^= 1;
    if (status != CB_OK)
        return status;
    if (run_status != CB_REJECTED || out->n != 0)
        return cb_fail(err, CB_WRONG_OUTPUT, "accepts a forgery of %s", source);
    return CB_OK;
}

static cb_status check_one(const cb_operation *op, const cb_known_answer *known, const cb_backend *backend,
                           void *ctx, const cb_kernel *kernel, cb_err *err)
{
    answer a = {0};
    cb_status status = answer_decode(&a, op, known, err);
    if (status != CB_OK)
        return status;
    size_t cap = a.out.n;
    cb_buf out = {malloc(cap > 0 ? cap : 1), 0, cap};
    if (out.p == NULL) {
        status = cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a known answer");
    } else {
        cb_status run_status = CB_OK;
        status = run_once(backend, ctx, kernel, &a.input, &out, &run_status, err);
        if (status == CB_OK)
            status = expect_answer(&a, known->source, run_status, &out, err);
        if (status == CB_OK && op->refuses_forgery)
            status = expect_refusal(&a, backend, ctx, kernel, known->source, &out, err);
    }
    free(out.p);
    free(a.memory);
    return status;
}

cb_status cb_known_answers_check(const cb_operation *op, const cb_backend *backend, void *ctx,
                                 const cb_kernel *kernel, cb_err *err)
{
    for (size_t i = 0; i < op->n_known; i++) {
        cb_status status = check_one(op, &op->known[i], backend, ctx, kernel, err);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}
