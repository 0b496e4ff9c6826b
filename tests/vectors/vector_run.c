#include "vector_run.h"

#define DECRYPT_SUFFIX "/decrypt"
#define ENCRYPT_SUFFIX "/encrypt"

/* One call of one kernel and what it must give. */
typedef struct trial {
    const cb_kernel *kernel;
    const char *source;
    cb_input input;
    cb_span expected;
    size_t room; /* bytes the operation may write */
    cb_vector_result result;
} trial;

static const cb_kernel *kernel_named(const cb_backend *backend, const char *op)
{
    for (size_t i = 0; i < backend->n_kernels; i++)
        if (strcmp(backend->kernels[i].op, op) == 0)
            return &backend->kernels[i];
    return NULL;
}

static void report(FILE *log, const trial *t, cb_vector_tally *tally, const char *what)
{
    tally->failed++;
    (void)fprintf(log, "FAILED %s: %s: %s\n", t->kernel->op, t->source, what);
}

/* What is wrong with an answer, or NULL. */
static const char *judge(const trial *t, cb_status status, const cb_buf *out)
{
    if (status != CB_OK && out->n != 0)
        return "failed, but claims to have written an output";
    if (status == CB_REJECTED)
        return t->result == CB_VECTOR_VALID ? "refused" : NULL;
    if (status != CB_OK)
        return cb_status_word(status);
    if (t->result == CB_VECTOR_INVALID)
        return "accepted, though invalid";
    if (out->n != t->expected.n || (out->n > 0 && memcmp(out->p, t->expected.p, out->n) != 0))
        return "a wrong output";
    return NULL;
}

/* Binds, runs and unbinds; true, counted in *passed, when the answer was right. */
static bool try_once(void *ctx, const trial *t, size_t *passed, cb_vector_tally *tally, FILE *log)
{
    cb_err err = {0};
    void *state = NULL;
    cb_status status = t->kernel->bind(ctx, t->kernel, &t->input, &state, &err);
    if (status == CB_UNSUPPORTED) {
        tally->unsupported++;
        return false;
    }
    if (status != CB_OK) {
        report(log, t, tally, err.msg);
        return false;
    }
    const char *wrong = "no memory";
    cb_buf out = {malloc(t->room > 0 ? t->room : 1), t->room, t->room};
    if (out.p != NULL) {
        status = t->kernel->run(state, &t->input, &out);
        wrong = judge(t, status, &out);
    }
    if (wrong != NULL)
        report(log, t, tally, wrong);
    else
        (*passed)++;
    free(out.p);
    t->kernel->unbind(state);
    return wrong == NULL;
}

/* The vector's bytes are the list's to keep as they are: each flip is undone. */
static void try_forgeries(void *ctx, const cb_vector *v, const trial *valid, cb_vector_tally *tally,
                          FILE *log)
{
    const cb_span parts[] = {v->input.nonce, v->input.aad, v->input.msg, v->input.aux};
    trial forged = *valid;
    forged.result = CB_VECTOR_INVALID;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].n == 0)
            continue;
        uint8_t *last = v->memory + (parts[i].p - v->memory) + parts[i].n - 1;
        *last ^= 0x80;
        (void)try_once(ctx, &forged, &tally->forgeries, tally, log);
        *last ^= 0x80;
    }
}

/* "aead/x/decrypt" to "aead/x/encrypt"; false for other operations. */
static bool inverse_op(const char *op, char *inverse, size_t cap)
{
    const size_t n = strlen(op);
    const size_t suffix = strlen(DECRYPT_SUFFIX);
    if (strncmp(op, "aead/", 5) != 0 || n < suffix || strcmp(op + n - suffix, DECRYPT_SUFFIX) != 0)
        return false;
    const int written = snprintf(inverse, cap, "%.*s%s", (int)(n - suffix), op, ENCRYPT_SUFFIX);
    return written >= 0 && (size_t)written < cap;
}

/* Encryption's output is the ciphertext with its tag, which is how a vector keeps them. */
static void try_inverse(const cb_backend *backend, void *ctx, const cb_vector *v, const char *op,
                        cb_vector_tally *tally, FILE *log)
{
    trial t = {
        .kernel = kernel_named(backend, op), .source = v->source, .input = v->input, .result = v->result};
    if (t.kernel == NULL) {
        tally->no_kernel++;
        return;
    }
    t.input.msg = v->out;
    t.input.aux = (cb_span){0};
    t.expected = (cb_span){v->input.msg.p, v->input.msg.n + v->input.aux.n};
    t.room = t.expected.n;
    (void)try_once(ctx, &t, &tally->computed, tally, log);
}

void cb_vector_run(const cb_backend *backend, void *ctx, const cb_vector *v, cb_vector_tally *tally,
                   FILE *log)
{
    char inverse[96];
    const bool invalid = v->result == CB_VECTOR_INVALID;
    const bool invertible = !invalid && inverse_op(v->op, inverse, sizeof inverse);
    /* A library may write a forgery's plaintext before it comes to the tag, so that needs room too. */
    const trial t = {.kernel = kernel_named(backend, v->op),
                     .source = v->source,
                     .input = v->input,
                     .expected = v->out,
                     .room = invalid ? v->input.msg.n : v->out.n,
                     .result = v->result};
    if (t.kernel == NULL)
        tally->no_kernel++;
    else if (try_once(ctx, &t, invalid ? &tally->refused : &tally->computed, tally, log) && invertible)
        try_forgeries(ctx, v, &t, tally, log);
    if (invertible)
        try_inverse(backend, ctx, v, inverse, tally, log);
}
