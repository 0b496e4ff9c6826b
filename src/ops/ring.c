#include "ops/ring.h"

#include "ops/digest.h"

#include <string.h>
#include <sys/mman.h>

#define LINE_BYTES 64
#define PAGE_BYTES 4096

/* Streams of the ring's generator: keys and slots draw from their own, so that a ring with one key more or
 * less keeps its messages. */
enum { STREAM_KEYS = 1, STREAM_SLOTS = 2 };

/* Areas start at different lines of a page: at equal page offsets a store to the output would look like a
 * store to the message that is read next (4 KiB aliasing). */
enum { SKEW_KEYS = 0, SKEW_NONCES = 512, SKEW_AADS = 1024, SKEW_MSGS = 1536, SKEW_OUT = 2560 };

/* Offsets of the areas in the ring's mapping, and the distance from slot to slot in each. */
typedef struct ring_layout {
    size_t inputs, expected, keys, nonces, aads, msgs, out, total;
    size_t key_stride, nonce_stride, aad_stride, msg_stride;
} ring_layout;

const cb_kernel *cb_backend_kernel(const cb_backend *backend, const char *op_id)
{
    for (size_t i = 0; i < backend->n_kernels; i++)
        if (strcmp(backend->kernels[i].op, op_id) == 0)
            return &backend->kernels[i];
    return NULL;
}

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Reserves an area of n bytes that starts `offset` bytes into a page of its own. */
static size_t reserve(size_t *total, size_t offset, size_t n)
{
    size_t start = *total + offset;
    *total = round_up(start + n, PAGE_BYTES);
    return start;
}

static ring_layout layout_make(const cb_ring *ring, size_t page_offset)
{
    const cb_shape *shape = &ring->shape;
    ring_layout l = {
        .key_stride = round_up(shape->key, LINE_BYTES),
        .nonce_stride = round_up(shape->nonce, LINE_BYTES),
        .aad_stride = round_up(shape->aad, LINE_BYTES),
        .msg_stride = round_up(shape->msg + shape->aux, LINE_BYTES),
    };
    size_t at = 0;
    l.inputs = reserve(&at, 0, ring->slots * sizeof(cb_input));
    l.expected = reserve(&at, 0, ring->slots * sizeof(uint64_t));
    l.keys = reserve(&at, (page_offset + SKEW_KEYS) % PAGE_BYTES, ring->keys * l.key_stride);
    l.nonces = reserve(&at, (page_offset + SKEW_NONCES) % PAGE_BYTES, ring->slots * l.nonce_stride);
    l.aads = reserve(&at, (page_offset + SKEW_AADS) % PAGE_BYTES, ring->slots * l.aad_stride);
    l.msgs = reserve(&at, (page_offset + SKEW_MSGS) % PAGE_BYTES, ring->slots * l.msg_stride);
    l.out = reserve(&at, (page_offset + SKEW_OUT) % PAGE_BYTES, shape->out);
    l.total = at;
    return l;
}

/* The writable views of a slot in the mapping. */
static cb_slot slot_views(const cb_ring *ring, const ring_layout *l, size_t index)
{
    uint8_t *msg = ring->memory + l->msgs + index * l->msg_stride;
    return (cb_slot){
        .key = ring->memory + l->keys + index % ring->keys * l->key_stride,
        .nonce = ring->memory + l->nonces + index * l->nonce_stride,
        .aad = ring->memory + l->aads + index * l->aad_stride,
        .msg = msg,
        .aux = msg + ring->shape.msg,
    };
}

static cb_input input_of(const cb_slot *slot, const cb_shape *shape, const cb_params *params)
{
    return (cb_input){
        .key = {slot->key, shape->key},
        .nonce = {slot->nonce, shape->nonce},
        .aad = {slot->aad, shape->aad},
        .msg = {slot->msg, shape->msg},
        .aux = {slot->aux, shape->aux},
        .params = *params,
    };
}

static cb_status ring_map(cb_ring *ring, const ring_layout *l, cb_err *err)
{
    void *memory =
        mmap(NULL, l->total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a ring of %zu slots (%zu bytes)", ring->slots,
                       l->total);
    ring->memory = memory;
    ring->memory_bytes = l->total;
    ring->inputs = (cb_input *)(void *)(ring->memory + l->inputs);
    ring->out = (cb_buf){ring->memory + l->out, 0, ring->shape.out};
    return CB_OK;
}

static void fill_keys(const cb_ring *ring, const ring_layout *l, uint64_t seed)
{
    cb_rng rng;
    cb_rng_init(&rng, seed, STREAM_KEYS);
    for (size_t i = 0; i < ring->keys; i++)
        cb_rng_fill(&rng, ring->memory + l->keys + i * l->key_stride, ring->shape.key);
}

static void fill_slots(const cb_ring *ring, const ring_layout *l, const cb_ring_spec *spec)
{
    cb_rng rng;
    cb_rng_init(&rng, spec->seed, STREAM_SLOTS);
    for (size_t i = 0; i < ring->slots; i++) {
        cb_slot slot = slot_views(ring, l, i);
        ring->op->fill(ring->op, &rng, i, &ring->shape, &slot);
        ring->inputs[i] = input_of(&slot, &ring->shape, &spec->params);
    }
}

/* What it takes to run the making operation, for all slots of a ring. */
typedef struct maker {
    const cb_operation *op;
    const cb_kernel *kernel;
    const cb_backend *backend;
    void *ctx;
    void *state; /* bound to the key of the slot at hand, or NULL */
    cb_shape shape;
    uint8_t *scratch; /* the maker's message, where its output replaces it in the slot */
} maker;

static cb_status maker_fail(const maker *m, cb_status status, size_t slot, cb_err *err)
{
    cb_err words = {.code = status, .msg = "no words of its own"};
    m->backend->explain(m->ctx, &words);
    return cb_fail(err, status, "making the input of slot %zu with %s: %.80s", slot, m->op->id, words.msg);
}

static cb_status make_slot(cb_ring *ring, const ring_layout *l, maker *m, cb_rng *rng, size_t index,
                           cb_err *err)
{
    cb_slot slot = slot_views(ring, l, index);
    cb_slot source = slot;
    cb_buf target = {slot.aux, 0, ring->shape.aux};
    if (ring->op->made_to == CB_MAKER_MSG_AND_AUX) {
        source.msg = m->scratch;
        target = (cb_buf){slot.msg, 0, ring->shape.msg + ring->shape.aux};
    }
    m->op->fill(m->op, rng, index, &m->shape, &source);
    cb_input input = input_of(&source, &m->shape, &ring->inputs[index].params);
    if (m->state == NULL || ring->keys > 1) {
        if (m->state != NULL)
            m->kernel->unbind(m->state);
        m->state = NULL;
        cb_status status = m->kernel->bind(m->ctx, m->kernel, &input, &m->state, err);
        if (status != CB_OK)
            return status;
    }
    cb_status status = m->kernel->run(m->state, &input, &target);
    if (status != CB_OK)
        return maker_fail(m, status, index, err);
    if (target.n != target.cap)
        return cb_fail(err, CB_WRONG_OUTPUT, "making the input of slot %zu with %s: %zu bytes instead of %zu",
                       index, m->op->id, target.n, target.cap);
    if (ring->expected != NULL)
        ring->expected[index] = cb_digest((cb_span){source.msg, m->shape.msg});
    return CB_OK;
}

static cb_status beat(const cb_ring_pulse *pulse, cb_err *err)
{
    return pulse != NULL && pulse->beat != NULL ? pulse->beat(pulse->user, err) : CB_OK;
}

static cb_status make_slots(cb_ring *ring, const ring_layout *l, maker *m, const cb_ring_spec *spec,
                            const cb_ring_pulse *pulse, cb_err *err)
{
    cb_rng rng;
    cb_rng_init(&rng, spec->seed, STREAM_SLOTS);
    cb_status status = CB_OK;
    for (size_t i = 0; i < ring->slots && status == CB_OK; i++) {
        cb_slot slot = slot_views(ring, l, i);
        ring->inputs[i] = input_of(&slot, &ring->shape, &spec->params);
        status = make_slot(ring, l, m, &rng, i, err);
        if (status == CB_OK)
            status = beat(pulse, err);
    }
    return status;
}

static cb_status maker_open(maker *m, const cb_ring *ring, const cb_ring_spec *spec, cb_err *err)
{
    m->op = cb_operation_find(ring->op->made_by);
    m->kernel = cb_backend_kernel(m->backend, ring->op->made_by);
    if (m->op == NULL || m->kernel == NULL)
        return cb_fail(err, CB_UNSUPPORTED, "%s has no %s, which makes the inputs", m->backend->name,
                       ring->op->made_by);
    cb_status status = m->op->shape(m->op, spec->msg_bytes, spec->aad_bytes, &m->shape, err);
    if (status != CB_OK)
        return status;
    m->scratch = malloc(m->shape.msg > 0 ? m->shape.msg : 1);
    if (m->scratch == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a message of %zu bytes", m->shape.msg);
    return CB_OK;
}

static cb_status fill_made(cb_ring *ring, const ring_layout *l, const cb_ring_spec *spec,
                           const cb_backend *backend, void *ctx, const cb_ring_pulse *pulse, cb_err *err)
{
    maker m = {.backend = backend, .ctx = ctx};
    if (ring->op->inverts_maker)
        ring->expected = (uint64_t *)(void *)(ring->memory + l->expected);
    cb_status status = maker_open(&m, ring, spec, err);
    if (status == CB_OK)
        status = make_slots(ring, l, &m, spec, pulse, err);
    if (m.state != NULL)
        m.kernel->unbind(m.state);
    free(m.scratch);
    return status;
}

cb_status cb_ring_make(cb_ring *ring, const cb_ring_spec *spec, const cb_backend *backend, void *ctx,
                       const cb_ring_pulse *pulse, cb_err *err)
{
    *ring = (cb_ring){.op = spec->op};
    cb_status status = spec->op->shape(spec->op, spec->msg_bytes, spec->aad_bytes, &ring->shape, err);
    if (status != CB_OK)
        return status;
    ring->slots = cb_operation_slots(spec->op, &ring->shape);
    ring->keys = spec->op->keys < ring->slots ? spec->op->keys : ring->slots;
    ring_layout l = layout_make(ring, spec->page_offset);
    status = ring_map(ring, &l, err);
    if (status != CB_OK)
        return status;
    fill_keys(ring, &l, spec->seed);
    if (spec->op->made_by == NULL)
        fill_slots(ring, &l, spec);
    else
        status = fill_made(ring, &l, spec, backend, ctx, pulse, err);
    if (status != CB_OK)
        cb_ring_free(ring);
    return status;
}

void cb_ring_free(cb_ring *ring)
{
    if (ring->memory != NULL)
        (void)munmap(ring->memory, ring->memory_bytes);
    *ring = (cb_ring){0};
}

/* False where the part that another operation made is random by design: then it differs from process to
 * process. */
static bool made_part_compares(const cb_operation *op)
{
    const cb_operation *maker_op = op->made_by != NULL ? cb_operation_find(op->made_by) : NULL;
    return maker_op == NULL || !maker_op->randomised;
}

uint64_t cb_ring_digest(const cb_ring *ring)
{
    uint64_t state = 0;
    bool with_aux = made_part_compares(ring->op);
    bool with_msg = with_aux || ring->op->made_to == CB_MAKER_AUX;
    for (size_t i = 0; i < ring->slots; i++) {
        const cb_input *in = &ring->inputs[i];
        const cb_span none = {0};
        const cb_span spans[] = {in->key, in->nonce, in->aad, with_msg ? in->msg : none,
                                 with_aux ? in->aux : none};
        for (size_t k = 0; k < sizeof spans / sizeof spans[0]; k++)
            state = cb_digest_fold(state, cb_digest(spans[k]));
    }
    return state;
}
