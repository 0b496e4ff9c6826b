#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/protocol.h"

#include <math.h>
#include <string.h>

/* A payload as a test damages it. Decodes `bytes`; when that succeeds, encodes what came of it into *again.
 */
typedef cb_status decode_again(cb_span bytes, cb_wire_writer *again, cb_err *err);

static cb_status task_again(cb_span bytes, cb_wire_writer *again, cb_err *err)
{
    cb_task task;
    cb_status status = cb_task_decode(bytes, &task, err);
    if (status == CB_OK)
        cb_task_encode(again, &task);
    return status;
}

static cb_status prepared_again(cb_span bytes, cb_wire_writer *again, cb_err *err)
{
    cb_prepared prepared;
    cb_status status = cb_prepared_decode(bytes, &prepared, err);
    if (status == CB_OK)
        cb_prepared_encode(again, &prepared);
    else
        assert_null(prepared.digests);
    cb_prepared_free(&prepared);
    return status;
}

static void block_free(cb_block *block)
{
    free(block->round_ns);
    free(block->control_ns);
    free(block->flags);
}

#define ROUNDS 3

static cb_status block_again(cb_span bytes, cb_wire_writer *again, cb_err *err)
{
    cb_block block;
    cb_status status = cb_block_decode(bytes, ROUNDS, &block, err);
    if (status != CB_OK) {
        assert_null(block.round_ns);
        assert_null(block.control_ns);
        assert_null(block.flags);
        return status;
    }
    cb_block_encode(again, &block);
    block_free(&block);
    return CB_OK;
}

/* Here a well-formed payload is a failure too; CB_IO stands for a malformed one, so none of the examples has
 * it. */
static cb_status failure_again(cb_span bytes, cb_wire_writer *again, cb_err *err)
{
    cb_status status = cb_failure_decode(bytes, err);
    assert_int_not_equal(status, CB_OK);
    if (status == CB_IO)
        return status;
    cb_failure_encode(again, err);
    return CB_OK;
}

static const cb_task example_task = {
    .ring =
        {
            .msg_bytes = 4096,
            .aad_bytes = 13,
            .params = {.iterations = 2,
                       .memory_kib = UINT32_MAX,
                       .lanes = 4,
                       .pairs = 8,
                       .subkey_id = UINT64_MAX,
                       .chunk = 100},
            .seed = UINT64_C(0x0123456789abcdef),
            .page_offset = 4032,
        },
    .batch_target_ns = 100000,
    .witness = true,
};

static void encode_task(cb_wire_writer *w)
{
    cb_task task = example_task;
    task.ring.op = cb_operation_find("aead/chacha20-poly1305/decrypt");
    cb_task_encode(w, &task);
}

static void encode_prepared(cb_wire_writer *w)
{
    uint64_t digests[] = {1, UINT64_MAX, 3};
    cb_prepared_encode(w, &(cb_prepared){.inputs_digest = 7,
                                         .digests = digests,
                                         .slots = 3,
                                         .batch = 2000,
                                         .batch_ns = 100000,
                                         .first_call_ns = 5000,
                                         .loop_ns = 0.75});
}

static void encode_block(cb_wire_writer *w)
{
    uint64_t round_ns[ROUNDS] = {100000, 100001, UINT64_MAX}, control_ns[ROUNDS] = {10000, 10001, 10002};
    uint8_t flags[ROUNDS] = {0, CB_ROUND_SWITCHED, CB_ROUND_SWITCHED | CB_ROUND_CPU_GAP | CB_ROUND_MIGRATED};
    cb_block_encode(w, &(cb_block){.seed = 5,
                                   .batch = 2000,
                                   .loop_ns = 0.5,
                                   .first_call_ns = 5000,
                                   .rounds = ROUNDS,
                                   .round_ns = round_ns,
                                   .control_ns = control_ns,
                                   .flags = flags});
}

static void encode_failure(cb_wire_writer *w)
{
    cb_failure_encode(w, &(cb_err){CB_LIBRARY_ERROR, "call 5 failed: because"});
}

static const struct {
    const char *name;
    void (*encode)(cb_wire_writer *w);
    decode_again *decode;
} payloads[] = {
    {"task", encode_task, task_again},
    {"prepared", encode_prepared, prepared_again},
    {"block", encode_block, block_again},
    {"failure", encode_failure, failure_again},
};
#define N_PAYLOADS (sizeof payloads / sizeof payloads[0])

/* Decodes a copy that ends where its memory ends, so that the sanitizers see a read past the end. */
static cb_status decode_copy(decode_again *decode, const uint8_t *p, size_t n, cb_wire_writer *again)
{
    uint8_t *copy = malloc(n > 0 ? n : 1);
    cb_err err = {0};
    assert_non_null(copy);
    memcpy(copy, p, n);
    const cb_status status = decode(n > 0 ? (cb_span){copy, n} : (cb_span){0}, again, &err);
    free(copy);
    if (status != CB_OK) {
        assert_int_equal(err.code, status);
        assert_true(err.msg[0] != '\0');
    }
    return status;
}

static void test_round_trips(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < N_PAYLOADS; i++) {
        cb_wire_writer w = {0}, again = {0};
        print_message("%s\n", payloads[i].name);
        payloads[i].encode(&w);
        assert_false(w.failed);
        assert_int_equal(decode_copy(payloads[i].decode, w.p, w.n, &again), CB_OK);
        assert_int_equal(again.n, w.n);
        assert_memory_equal(again.p, w.p, w.n);
        free(w.p);
        free(again.p);
    }
}

static void test_truncated_payloads_are_refused(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < N_PAYLOADS; i++) {
        cb_wire_writer w = {0}, again = {0};
        payloads[i].encode(&w);
        for (size_t n = 0; n < w.n; n++)
            assert_int_equal(decode_copy(payloads[i].decode, w.p, n, &again), CB_IO);
        assert_int_equal(again.n, 0);
        free(w.p);
    }
}

static void test_payloads_with_bytes_behind_them_are_refused(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < N_PAYLOADS; i++) {
        cb_wire_writer w = {0}, again = {0};
        payloads[i].encode(&w);
        cb_wire_put_bytes(&w, "", 1);
        assert_int_equal(decode_copy(payloads[i].decode, w.p, w.n, &again), CB_IO);
        free(w.p);
    }
}

/* What a decoder takes is what an encoder would have written: a damaged payload is refused or says something
 * else, and nothing is lost in between. */
static void test_payloads_with_a_bit_flipped_are_refused_or_mean_something_else(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < N_PAYLOADS; i++) {
        cb_wire_writer w = {0};
        size_t taken = 0, refused = 0;
        payloads[i].encode(&w);
        for (size_t bit = 0; bit < 8 * w.n; bit++) {
            cb_wire_writer again = {0};
            w.p[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (decode_copy(payloads[i].decode, w.p, w.n, &again) == CB_OK) {
                assert_int_equal(again.n, w.n);
                assert_memory_equal(again.p, w.p, w.n);
                taken++;
            } else {
                refused++;
            }
            free(again.p);
            w.p[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        assert_true(taken > 0 && refused > 0);
        free(w.p);
    }
}

static void test_a_task_comes_through(void **unused)
{
    (void)unused;
    cb_wire_writer w = {0};
    cb_task task;
    encode_task(&w);
    assert_int_equal(cb_task_decode((cb_span){w.p, w.n}, &task, NULL), CB_OK);
    assert_string_equal(task.ring.op->id, "aead/chacha20-poly1305/decrypt");
    assert_int_equal(task.ring.msg_bytes, 4096);
    assert_int_equal(task.ring.aad_bytes, 13);
    assert_int_equal(task.ring.params.iterations, 2);
    assert_int_equal(task.ring.params.memory_kib, UINT32_MAX);
    assert_int_equal(task.ring.params.lanes, 4);
    assert_int_equal(task.ring.params.pairs, 8);
    assert_true(task.ring.params.subkey_id == UINT64_MAX);
    assert_int_equal(task.ring.params.chunk, 100);
    assert_true(task.ring.seed == UINT64_C(0x0123456789abcdef));
    assert_int_equal(task.ring.page_offset, 4032);
    assert_int_equal(task.batch_target_ns, 100000);
    assert_true(task.witness);
    free(w.p);
}

static void test_a_task_for_another_build_is_unsupported(void **unused)
{
    (void)unused;
    const cb_operation unknown = {.id = "hash/md5/digest"};
    cb_task task = example_task;
    cb_wire_writer w = {0};
    cb_err err = {0};
    task.ring.op = &unknown;
    cb_task_encode(&w, &task);
    assert_int_equal(cb_task_decode((cb_span){w.p, w.n}, &task, &err), CB_UNSUPPORTED);
    assert_string_equal(err.msg, "this build does not know the operation");
    free(w.p);
}

/* Decodes the example block with one thing about it changed. */
static cb_status decode_block(size_t announced, uint64_t batch, double loop_ns)
{
    uint64_t round_ns[ROUNDS] = {1, 2, 3}, control_ns[ROUNDS] = {4, 5, 6};
    uint8_t flags[ROUNDS] = {0};
    cb_wire_writer w = {0};
    cb_block block;
    cb_block_encode(&w, &(cb_block){.batch = batch,
                                    .loop_ns = loop_ns,
                                    .rounds = ROUNDS,
                                    .round_ns = round_ns,
                                    .control_ns = control_ns,
                                    .flags = flags});
    const cb_status status = cb_block_decode((cb_span){w.p, w.n}, announced, &block, NULL);
    if (status == CB_OK)
        block_free(&block);
    free(w.p);
    return status;
}

static void test_a_block_that_cannot_be_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(decode_block(ROUNDS, 1, 0), CB_OK);
    assert_int_equal(decode_block(ROUNDS - 1, 1, 0), CB_IO);
    assert_int_equal(decode_block(ROUNDS + 1, 1, 0), CB_IO);
    assert_int_equal(decode_block(0, 1, 0), CB_IO);
    assert_int_equal(decode_block(ROUNDS, 0, 0), CB_IO);
    assert_int_equal(decode_block(ROUNDS, 1, NAN), CB_IO);
    assert_int_equal(decode_block(ROUNDS, 1, -INFINITY), CB_IO);
}

/* A count of slots that no payload could hold must not be allocated. */
static void test_an_answer_with_absurd_counts_is_refused(void **unused)
{
    (void)unused;
    static const uint64_t counts[] = {
        0, 2, 4, UINT64_C(1) << 22, UINT64_C(1) << 40, UINT64_C(1) << 61, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        cb_wire_writer w = {0};
        cb_prepared prepared;
        encode_prepared(&w);
        for (size_t k = 0; k < 8; k++)
            w.p[8 + k] = (uint8_t)(counts[i] >> (8 * k));
        assert_int_equal(cb_prepared_decode((cb_span){w.p, w.n}, &prepared, NULL), CB_IO);
        assert_null(prepared.digests);
        free(w.p);
    }
}

static void test_an_answer_without_a_finite_loop_cost_is_refused(void **unused)
{
    (void)unused;
    uint64_t digest = 1;
    cb_wire_writer w = {0};
    cb_prepared prepared;
    cb_prepared_encode(&w, &(cb_prepared){.digests = &digest, .slots = 1, .loop_ns = NAN});
    assert_int_equal(cb_prepared_decode((cb_span){w.p, w.n}, &prepared, NULL), CB_IO);
    free(w.p);
}

static void test_failures_keep_code_and_words(void **unused)
{
    (void)unused;
    for (int code = CB_OK + 1; code < CB_STATUS_COUNT; code++) {
        const cb_err failure = {(cb_status)code, "words"};
        cb_wire_writer w = {0};
        cb_err err = {0};
        cb_failure_encode(&w, &failure);
        assert_int_equal(cb_failure_decode((cb_span){w.p, w.n}, &err), code);
        assert_int_equal(err.code, code);
        assert_string_equal(err.msg, "words");
        free(w.p);
    }
}

static cb_status decode_failure(uint64_t code, const char *text, cb_err *err)
{
    cb_wire_writer w = {0};
    cb_wire_put_u64(&w, code);
    cb_wire_put_string(&w, text);
    const cb_status status = cb_failure_decode((cb_span){w.p, w.n}, err);
    free(w.p);
    return status;
}

static void test_a_failure_is_never_a_success(void **unused)
{
    (void)unused;
    static const uint64_t codes[] = {CB_OK, CB_STATUS_COUNT, UINT64_C(1) << 32, UINT64_MAX};
    char longest[1000];
    cb_err err = {0};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        assert_int_equal(decode_failure(codes[i], "words", &err), CB_IO);
    assert_int_equal(decode_failure(CB_TIMEOUT, NULL, &err), CB_IO);
    assert_int_equal(decode_failure(CB_TIMEOUT, "words", NULL), CB_TIMEOUT);
    memset(longest, 'w', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(decode_failure(CB_TIMEOUT, longest, &err), CB_TIMEOUT);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    /* Words of a library are no format. */
    assert_int_equal(decode_failure(CB_TIMEOUT, "%s%n", &err), CB_TIMEOUT);
    assert_string_equal(err.msg, "%s%n");
}

static void test_frame_headers(void **unused)
{
    (void)unused;
    static const size_t lengths[] = {0, 1, 255, 256, 65536, CB_FRAME_PAYLOAD_MAX};
    for (int kind = CB_FRAME_PREPARE; kind < CB_FRAME_END; kind++)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            uint8_t header[CB_FRAME_HEADER_BYTES];
            cb_frame_kind got = CB_FRAME_END;
            size_t n = 99;
            cb_frame_header_encode(header, (cb_frame_kind)kind, lengths[i]);
            assert_int_equal(cb_frame_header_decode(header, &got, &n, NULL), CB_OK);
            assert_int_equal(got, kind);
            assert_int_equal(n, lengths[i]);
        }
}

static cb_status decode_header(uint32_t kind, uint32_t n)
{
    uint8_t header[CB_FRAME_HEADER_BYTES];
    cb_frame_kind got = CB_FRAME_END;
    size_t length = 0;
    for (size_t i = 0; i < 4; i++) {
        header[i] = (uint8_t)(kind >> (8 * i));
        header[4 + i] = (uint8_t)(n >> (8 * i));
    }
    return cb_frame_header_decode(header, &got, &length, NULL);
}

static void test_what_is_no_frame_header_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(decode_header(CB_FRAME_HELLO, 0), CB_OK);
    assert_int_equal(decode_header(CB_FRAME_PREPARE - 1, 0), CB_IO);
    assert_int_equal(decode_header(CB_FRAME_END, 0), CB_IO);
    assert_int_equal(decode_header(0, 0), CB_IO);
    assert_int_equal(decode_header(UINT32_MAX, 0), CB_IO);
    assert_int_equal(decode_header(CB_FRAME_HELLO, CB_FRAME_PAYLOAD_MAX + 1), CB_IO);
    assert_int_equal(decode_header(CB_FRAME_HELLO, UINT32_MAX), CB_IO);
    cb_err err = {0};
    cb_frame_kind kind = CB_FRAME_END;
    size_t n = 0;
    assert_int_equal(cb_frame_header_decode((const uint8_t *)"Segmenta", &kind, &n, &err), CB_IO);
    assert_string_equal(err.msg, "a malformed frame came through the worker's pipe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_truncated_payloads_are_refused),
        cmocka_unit_test(test_payloads_with_bytes_behind_them_are_refused),
        cmocka_unit_test(test_payloads_with_a_bit_flipped_are_refused_or_mean_something_else),
        cmocka_unit_test(test_a_task_comes_through),
        cmocka_unit_test(test_a_task_for_another_build_is_unsupported),
        cmocka_unit_test(test_a_block_that_cannot_be_is_refused),
        cmocka_unit_test(test_an_answer_with_absurd_counts_is_refused),
        cmocka_unit_test(test_an_answer_without_a_finite_loop_cost_is_refused),
        cmocka_unit_test(test_failures_keep_code_and_words),
        cmocka_unit_test(test_a_failure_is_never_a_success),
        cmocka_unit_test(test_frame_headers),
        cmocka_unit_test(test_what_is_no_frame_header_is_refused),
    };
    return cmocka_run_group_tests_name("protocol", tests, NULL, NULL);
}
