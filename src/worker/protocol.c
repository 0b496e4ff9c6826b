#include "worker/protocol.h"

#include <math.h>
#include <string.h>

static void put_u32(uint8_t *p, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static cb_status malformed(const char *what, cb_err *err)
{
    return cb_fail(err, CB_IO, "a malformed %s came through the worker's pipe", what);
}

void cb_frame_header_encode(uint8_t header[CB_FRAME_HEADER_BYTES], cb_frame_kind kind, size_t n)
{
    put_u32(header, (uint32_t)kind);
    put_u32(header + 4, (uint32_t)n);
}

cb_status cb_frame_header_decode(const uint8_t header[CB_FRAME_HEADER_BYTES], cb_frame_kind *kind, size_t *n,
                                 cb_err *err)
{
    uint32_t k = get_u32(header);
    *n = get_u32(header + 4);
    if (k < CB_FRAME_PREPARE || k >= CB_FRAME_END || *n > CB_FRAME_PAYLOAD_MAX)
        return malformed("frame", err);
    *kind = (cb_frame_kind)k;
    return CB_OK;
}

void cb_hello_encode(cb_wire_writer *w, const cb_backend *backend, const char *library)
{
    cb_wire_put_string(w, backend->name);
    cb_wire_put_string(w, backend->version());
    cb_wire_put_string(w, backend->build());
    cb_wire_put_string(w, backend->licence);
    cb_wire_put_string(w, library);
    cb_wire_put_u64(w, backend->witness);
    cb_wire_put_u64(w, backend->n_kernels);
    for (size_t i = 0; i < backend->n_kernels; i++) {
        cb_wire_put_string(w, backend->kernels[i].op);
        cb_wire_put_string(w, backend->kernels[i].since);
        cb_wire_put_string(w, backend->kernels[i].limits);
    }
    cb_wire_put_u64(w, backend->n_absences);
    for (size_t i = 0; i < backend->n_absences; i++) {
        cb_wire_put_string(w, backend->absences[i].ops);
        cb_wire_put_string(w, backend->absences[i].reason);
    }
}

static void params_encode(cb_wire_writer *w, const cb_params *params)
{
    cb_wire_put_u64(w, params->iterations);
    cb_wire_put_u64(w, params->memory_kib);
    cb_wire_put_u64(w, params->lanes);
    cb_wire_put_u64(w, params->pairs);
    cb_wire_put_u64(w, params->subkey_id);
    cb_wire_put_u64(w, params->chunk);
}

/* A value up to max; larger ones fail the reader. */
static uint64_t get_up_to(cb_wire_reader *r, uint64_t max)
{
    uint64_t value = cb_wire_get_u64(r);
    r->failed = r->failed || value > max;
    return value;
}

static cb_params params_decode(cb_wire_reader *r)
{
    cb_params params;
    params.iterations = (uint32_t)get_up_to(r, UINT32_MAX);
    params.memory_kib = (uint32_t)get_up_to(r, UINT32_MAX);
    params.lanes = (uint32_t)get_up_to(r, UINT32_MAX);
    params.pairs = (uint32_t)get_up_to(r, UINT32_MAX);
    params.subkey_id = cb_wire_get_u64(r);
    params.chunk = (size_t)cb_wire_get_u64(r);
    return params;
}

void cb_task_encode(cb_wire_writer *w, const cb_task *task)
{
    cb_wire_put_string(w, task->ring.op->id);
    cb_wire_put_u64(w, task->ring.msg_bytes);
    cb_wire_put_u64(w, task->ring.aad_bytes);
    params_encode(w, &task->ring.params);
    cb_wire_put_u64(w, task->ring.seed);
    cb_wire_put_u64(w, task->ring.page_offset);
    cb_wire_put_u64(w, task->batch_target_ns);
    cb_wire_put_u64(w, task->witness);
}

cb_status cb_task_decode(cb_span bytes, cb_task *task, cb_err *err)
{
    cb_wire_reader r = {.bytes = bytes};
    char *id = cb_wire_get_string(&r);
    task->ring.op = id != NULL ? cb_operation_find(id) : NULL;
    free(id);
    task->ring.msg_bytes = (size_t)cb_wire_get_u64(&r);
    task->ring.aad_bytes = (size_t)cb_wire_get_u64(&r);
    task->ring.params = params_decode(&r);
    task->ring.seed = cb_wire_get_u64(&r);
    task->ring.page_offset = (size_t)cb_wire_get_u64(&r);
    task->batch_target_ns = cb_wire_get_u64(&r);
    task->witness = get_up_to(&r, 1) != 0;
    if (!cb_wire_finished(&r))
        return malformed("task", err);
    if (task->ring.op == NULL)
        return cb_fail(err, CB_UNSUPPORTED, "this build does not know the operation");
    return CB_OK;
}

void cb_prepared_encode(cb_wire_writer *w, const cb_prepared *prepared)
{
    cb_wire_put_u64(w, prepared->inputs_digest);
    cb_wire_put_u64(w, prepared->slots);
    for (size_t i = 0; i < prepared->slots; i++)
        cb_wire_put_u64(w, prepared->digests[i]);
    cb_wire_put_u64(w, prepared->batch);
    cb_wire_put_u64(w, prepared->batch_ns);
    cb_wire_put_u64(w, prepared->first_call_ns);
    cb_wire_put_double(w, prepared->loop_ns);
}

/* An array of n 64-bit integers for the caller to free, or NULL with the reader failed. */
static uint64_t *get_array(cb_wire_reader *r, uint64_t n)
{
    uint64_t *items = n > 0 && n <= CB_FRAME_PAYLOAD_MAX / 8 ? malloc((size_t)n * sizeof *items) : NULL;
    if (items == NULL) {
        r->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        items[i] = cb_wire_get_u64(r);
    return items;
}

cb_status cb_prepared_decode(cb_span bytes, cb_prepared *prepared, cb_err *err)
{
    cb_wire_reader r = {.bytes = bytes};
    *prepared = (cb_prepared){.inputs_digest = cb_wire_get_u64(&r)};
    prepared->slots = (size_t)cb_wire_get_u64(&r);
    prepared->digests = get_array(&r, prepared->slots);
    prepared->batch = cb_wire_get_u64(&r);
    prepared->batch_ns = cb_wire_get_u64(&r);
    prepared->first_call_ns = cb_wire_get_u64(&r);
    prepared->loop_ns = cb_wire_get_double(&r);
    if (cb_wire_finished(&r) && isfinite(prepared->loop_ns))
        return CB_OK;
    cb_prepared_free(prepared);
    return malformed("answer to a task", err);
}

void cb_block_encode(cb_wire_writer *w, const cb_block *block)
{
    cb_wire_put_u64(w, block->seed);
    cb_wire_put_u64(w, block->batch);
    cb_wire_put_double(w, block->loop_ns);
    cb_wire_put_u64(w, block->first_call_ns);
    cb_wire_put_u64(w, block->rounds);
    for (size_t i = 0; i < block->rounds; i++)
        cb_wire_put_u64(w, block->round_ns[i]);
    for (size_t i = 0; i < block->rounds; i++)
        cb_wire_put_u64(w, block->control_ns[i]);
    cb_wire_put_bytes(w, block->flags, block->rounds);
}

cb_status cb_block_decode(cb_span bytes, size_t rounds, cb_block *block, cb_err *err)
{
    cb_wire_reader r = {.bytes = bytes};
    *block = (cb_block){.seed = cb_wire_get_u64(&r)};
    block->batch = cb_wire_get_u64(&r);
    block->loop_ns = cb_wire_get_double(&r);
    block->first_call_ns = cb_wire_get_u64(&r);
    block->rounds = (size_t)cb_wire_get_u64(&r);
    if (!r.failed && block->rounds == rounds && block->batch > 0 && isfinite(block->loop_ns)) {
        block->round_ns = get_array(&r, rounds);
        block->control_ns = get_array(&r, rounds);
        const uint8_t *flags = cb_wire_get_bytes(&r, rounds);
        block->flags = flags != NULL ? malloc(rounds) : NULL;
        if (block->flags != NULL && cb_wire_finished(&r)) {
            memcpy(block->flags, flags, rounds);
            return CB_OK;
        }
    }
    free(block->round_ns);
    free(block->control_ns);
    free(block->flags);
    *block = (cb_block){0};
    return malformed("block of samples", err);
}

void cb_failure_encode(cb_wire_writer *w, const cb_err *failure)
{
    cb_wire_put_u64(w, (uint64_t)failure->code);
    cb_wire_put_string(w, failure->msg);
}

cb_status cb_failure_decode(cb_span bytes, cb_err *err)
{
    cb_wire_reader r = {.bytes = bytes};
    uint64_t code = cb_wire_get_u64(&r);
    char *text = cb_wire_get_string(&r);
    cb_status status = text != NULL && cb_wire_finished(&r) && code > CB_OK && code < CB_STATUS_COUNT
                           ? cb_fail(err, (cb_status)code, "%s", text)
                           : malformed("failure", err);
    free(text);
    return status;
}
