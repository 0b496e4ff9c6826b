#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripted.h"

#include "ops/digest.h"

#include <string.h>

#define TAG_BYTES 16

static const char *const row_ids[SCRIPTED_ROWS] = {
    [SCRIPTED_ENCRYPT] = "aead/aes-256-gcm/encrypt",
    [SCRIPTED_DECRYPT] = "aead/aes-256-gcm/decrypt",
};

void scripted_clock_work(scripted_clock *clock, uint64_t ns)
{
    clock->wall_ns += ns;
    clock->cpu_ns += ns;
}

static uint64_t scripted_wall_ns(void *user)
{
    scripted_clock *clock = user;
    scripted_clock_work(clock, clock->read_ns);
    return clock->wall_ns;
}

static uint64_t scripted_cpu_ns(void *user)
{
    return ((scripted_clock *)user)->cpu_ns;
}

static uint64_t scripted_switches(void *user)
{
    return ((scripted_clock *)user)->switches;
}

static int scripted_cpu(void *user)
{
    return ((scripted_clock *)user)->cpu;
}

cb_clock scripted_clock_view(scripted_clock *clock)
{
    return (cb_clock){scripted_wall_ns, scripted_cpu_ns, scripted_switches, scripted_cpu, clock};
}

/* The bound key, so that a state which is mixed up, freed early or never freed shows. */
typedef struct scripted_state {
    scripted_row *row;
    uint8_t key;
} scripted_state;

static cb_status scripted_bind(void *ctx, const cb_kernel *self, const cb_input *input, void **state,
                               cb_err *err)
{
    (void)ctx;
    /* The row is the test's own and not const; the contract's data is. */
    scripted_row *row = (scripted_row *)(uintptr_t)self->data;
    if (row->bind_fail_at != 0 && row->binds + 1 == row->bind_fail_at)
        return row->bind_is_mute ? row->bind_failure : cb_fail(err, row->bind_failure, SCRIPTED_BIND_WORDS);
    scripted_state *made = malloc(sizeof *made);
    if (made == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a scripted state");
    *made = (scripted_state){row, input->key.p[0]};
    row->binds++;
    *state = made;
    return CB_OK;
}

static void scripted_unbind(void *state)
{
    ((scripted_state *)state)->row->unbinds++;
    free(state);
}

static bool is_due(uint64_t from, uint64_t call)
{
    return from != 0 && call >= from;
}

static void pass_time(const scripted_row *row)
{
    scripted_clock *clock = row->library->clock;
    if (clock == NULL)
        return;
    scripted_clock_work(clock, row->call_ns + (row->calls == row->stall_at ? row->stall_ns : 0));
    if (row->calls == row->steal_at) {
        clock->wall_ns += row->steal_ns;
        clock->switches += row->steal_switches;
        clock->cpu += (int)row->steal_moves;
    }
}

static void cipher(uint8_t key, const cb_input *input, uint8_t *out)
{
    for (size_t i = 0; i < input->msg.n; i++)
        out[i] = input->msg.p[i] ^ (uint8_t)(key + input->nonce.p[i % input->nonce.n] + i);
}

static void tag_of(uint8_t key, const cb_input *input, cb_span plaintext, uint8_t *tag)
{
    uint64_t sum = cb_digest_fold(key, cb_digest(input->nonce));
    sum = cb_digest_fold(sum, cb_digest(input->aad));
    sum = cb_digest_fold(sum, cb_digest(plaintext));
    for (size_t i = 0; i < TAG_BYTES; i++)
        tag[i] = (uint8_t)(sum >> (8 * (i % 8)));
}

static cb_status scripted_run(void *state, const cb_input *input, cb_buf *out)
{
    const scripted_state *s = state;
    scripted_row *row = s->row;
    uint8_t tag[TAG_BYTES];
    bool encrypts = row == &row->library->rows[SCRIPTED_ENCRYPT];
    row->calls++;
    pass_time(row);
    if (is_due(row->silent_from, row->calls))
        return CB_OK;
    out->n = 0;
    if (is_due(row->fail_from, row->calls))
        return row->failure;
    if (s->key != input->key.p[0] || out->cap < input->msg.n + (encrypts ? TAG_BYTES : 0))
        return CB_BAD_ARGUMENT;
    if (is_due(row->blank_from, row->calls)) {
        out->n = out->cap;
        return CB_OK;
    }
    cipher(s->key, input, out->p);
    tag_of(s->key, input, encrypts ? input->msg : (cb_span){out->p, input->msg.n}, tag);
    if (encrypts)
        memcpy(out->p + input->msg.n, tag, TAG_BYTES);
    else if (memcmp(tag, input->aux.p, TAG_BYTES) != 0)
        return CB_REJECTED;
    out->n = input->msg.n + (encrypts ? TAG_BYTES : 0) - is_due(row->short_from, row->calls);
    if (is_due(row->wrong_from, row->calls))
        out->p[0] ^= 1;
    return CB_OK;
}

static const char *scripted_version(void)
{
    return "1.2.3";
}

static const char *scripted_build(void)
{
    return "a script";
}

static cb_status scripted_open(void **ctx, cb_err *err)
{
    (void)err;
    *ctx = NULL;
    return CB_OK;
}

static void scripted_explain(void *ctx, cb_err *err)
{
    (void)ctx;
    (void)snprintf(err->msg, sizeof err->msg, SCRIPTED_WORDS);
}

static void scripted_close(void *ctx)
{
    (void)ctx;
}

void scripted_library_make(scripted_library *library, scripted_clock *clock, uint64_t call_ns)
{
    *library = (scripted_library){.clock = clock};
    for (size_t i = 0; i < SCRIPTED_ROWS; i++) {
        library->rows[i] = (scripted_row){.library = library, .call_ns = call_ns};
        library->kernels[i] = (cb_kernel){.op = row_ids[i],
                                          .data = &library->rows[i],
                                          .bind = scripted_bind,
                                          .run = scripted_run,
                                          .unbind = scripted_unbind};
    }
    library->backend = (cb_backend){.abi = CB_BACKEND_ABI,
                                    .name = "scripted",
                                    .licence = "MIT",
                                    .version = scripted_version,
                                    .build = scripted_build,
                                    .open = scripted_open,
                                    .explain = scripted_explain,
                                    .close = scripted_close,
                                    .kernels = library->kernels,
                                    .n_kernels = SCRIPTED_ROWS};
}

cb_operation scripted_operation(int row)
{
    cb_operation op = *cb_operation_find(row_ids[row]);
    op.known = NULL;
    op.n_known = 0;
    return op;
}

cb_ring_spec scripted_ring_spec(const cb_operation *op, size_t msg_bytes)
{
    return (cb_ring_spec){.op = op, .msg_bytes = msg_bytes, .aad_bytes = 13, .seed = 77};
}

void scripted_ring_make(cb_ring *ring, const cb_ring_spec *spec, scripted_library *library)
{
    cb_err err = {0};
    if (cb_ring_make(ring, spec, &library->backend, NULL, NULL, &err) != CB_OK)
        fail_msg("%s", err.msg);
}

bool scripted_spans_equal(cb_span a, cb_span b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
