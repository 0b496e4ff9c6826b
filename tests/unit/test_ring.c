#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripted.h"

#include <string.h>

#define LINE 64
#define PAGE 4096

static size_t page_offset(const void *p)
{
    return (uintptr_t)p % PAGE;
}

static void assert_same_slots(const cb_ring *a, const cb_ring *b)
{
    assert_int_equal(a->slots, b->slots);
    for (size_t i = 0; i < a->slots; i++) {
        const cb_input *x = &a->inputs[i], *y = &b->inputs[i];
        assert_true(scripted_spans_equal(x->key, y->key));
        assert_true(scripted_spans_equal(x->nonce, y->nonce));
        assert_true(scripted_spans_equal(x->aad, y->aad));
        assert_true(scripted_spans_equal(x->msg, y->msg));
        assert_true(scripted_spans_equal(x->aux, y->aux));
        assert_int_equal(page_offset(x->key.p), page_offset(y->key.p));
        assert_int_equal(page_offset(x->nonce.p), page_offset(y->nonce.p));
        assert_int_equal(page_offset(x->aad.p), page_offset(y->aad.p));
        assert_int_equal(page_offset(x->msg.p), page_offset(y->msg.p));
    }
    assert_int_equal(page_offset(a->out.p), page_offset(b->out.p));
}

static void test_equal_specs_give_equal_rings(void **unused)
{
    (void)unused;
    for (int row = 0; row < SCRIPTED_ROWS; row++) {
        const cb_operation op = scripted_operation(row);
        const cb_ring_spec spec = scripted_ring_spec(&op, 100);
        scripted_library library;
        cb_ring a, b;
        scripted_library_make(&library, NULL, 0);
        scripted_ring_make(&a, &spec, &library);
        scripted_ring_make(&b, &spec, &library);
        assert_ptr_not_equal(a.memory, b.memory);
        assert_same_slots(&a, &b);
        assert_true(cb_ring_digest(&a) == cb_ring_digest(&b));
        cb_ring_free(&a);
        cb_ring_free(&b);
    }
}

static void test_another_seed_gives_other_bytes(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_ENCRYPT);
    cb_ring_spec spec = scripted_ring_spec(&op, 100);
    scripted_library library;
    cb_ring a, b;
    scripted_library_make(&library, NULL, 0);
    scripted_ring_make(&a, &spec, &library);
    spec.seed++;
    scripted_ring_make(&b, &spec, &library);
    assert_false(scripted_spans_equal(a.inputs[0].key, b.inputs[0].key));
    assert_false(scripted_spans_equal(a.inputs[5].nonce, b.inputs[5].nonce));
    assert_false(scripted_spans_equal(a.inputs[5].aad, b.inputs[5].aad));
    assert_false(scripted_spans_equal(a.inputs[5].msg, b.inputs[5].msg));
    cb_ring_free(&a);
    cb_ring_free(&b);
}

static void test_lengths_and_parameters(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_DECRYPT);
    cb_ring_spec spec = scripted_ring_spec(&op, 100);
    scripted_library library;
    cb_ring ring;
    spec.params = (cb_params){.iterations = 3, .chunk = 9};
    scripted_library_make(&library, NULL, 0);
    scripted_ring_make(&ring, &spec, &library);
    assert_int_equal(ring.slots, 64);
    assert_int_equal(ring.keys, 1);
    for (size_t i = 0; i < ring.slots; i++) {
        const cb_input *in = &ring.inputs[i];
        assert_int_equal(in->key.n, 32);
        assert_int_equal(in->nonce.n, 12);
        assert_int_equal(in->aad.n, 13);
        assert_int_equal(in->msg.n, 100);
        assert_int_equal(in->aux.n, 16);
        assert_int_equal(in->params.iterations, 3);
        assert_int_equal(in->params.chunk, 9);
    }
    assert_int_equal(ring.out.cap, 100);
    cb_ring_free(&ring);
    assert_null(ring.memory);
    assert_null(ring.inputs);
}

static void test_the_tag_lies_behind_its_ciphertext(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {0, 1, 47, 48, 49, 64, 1000};
    const cb_operation op = scripted_operation(SCRIPTED_DECRYPT);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const cb_ring_spec spec = scripted_ring_spec(&op, sizes[k]);
        scripted_library library;
        cb_ring ring;
        scripted_library_make(&library, NULL, 0);
        scripted_ring_make(&ring, &spec, &library);
        for (size_t i = 0; i < ring.slots; i++)
            assert_ptr_equal(ring.inputs[i].aux.p, ring.inputs[i].msg.p + ring.inputs[i].msg.n);
        cb_ring_free(&ring);
    }
}

static void test_fields_are_aligned_and_apart(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_DECRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, 100);
    scripted_library library;
    cb_ring ring;
    scripted_library_make(&library, NULL, 0);
    scripted_ring_make(&ring, &spec, &library);
    for (size_t i = 0; i < ring.slots; i++) {
        const cb_input *in = &ring.inputs[i];
        assert_int_equal((uintptr_t)in->key.p % LINE, 0);
        assert_int_equal((uintptr_t)in->nonce.p % LINE, 0);
        assert_int_equal((uintptr_t)in->aad.p % LINE, 0);
        assert_int_equal((uintptr_t)in->msg.p % LINE, 0);
        if (i > 0) {
            assert_int_equal(in->nonce.p - ring.inputs[i - 1].nonce.p, LINE);
            assert_int_equal(in->aad.p - ring.inputs[i - 1].aad.p, LINE);
            assert_int_equal(in->msg.p - ring.inputs[i - 1].msg.p, 2 * LINE);
        }
    }
    assert_int_equal((uintptr_t)ring.out.p % LINE, 0);
    cb_ring_free(&ring);
}

static void test_page_offsets(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_ENCRYPT);
    for (size_t offset = 0; offset < PAGE; offset += LINE) {
        cb_ring_spec spec = scripted_ring_spec(&op, 100);
        scripted_library library;
        cb_ring ring;
        spec.page_offset = offset;
        scripted_library_make(&library, NULL, 0);
        scripted_ring_make(&ring, &spec, &library);
        assert_int_equal(page_offset(ring.inputs[0].key.p), offset);
        assert_int_equal(page_offset(ring.inputs[0].nonce.p), (offset + 512) % PAGE);
        assert_int_equal(page_offset(ring.inputs[0].aad.p), (offset + 1024) % PAGE);
        assert_int_equal(page_offset(ring.inputs[0].msg.p), (offset + 1536) % PAGE);
        assert_int_equal(page_offset(ring.out.p), (offset + 2560) % PAGE);
        assert_true(ring.out.p + ring.out.cap <= ring.memory + ring.memory_bytes);
        memset(ring.out.p, 0xff, ring.out.cap);
        cb_ring_free(&ring);
    }
}

static void test_nonces_and_messages_are_distinct(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_ENCRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, 16);
    scripted_library library;
    cb_ring ring;
    scripted_library_make(&library, NULL, 0);
    scripted_ring_make(&ring, &spec, &library);
    for (size_t i = 0; i < ring.slots; i++)
        for (size_t k = 0; k < i; k++) {
            assert_false(scripted_spans_equal(ring.inputs[i].nonce, ring.inputs[k].nonce));
            assert_false(scripted_spans_equal(ring.inputs[i].msg, ring.inputs[k].msg));
        }
    cb_ring_free(&ring);
}

static void test_as_many_keys_as_the_operation_says(void **unused)
{
    (void)unused;
    static const struct {
        size_t keys, slots;
    } cases[] = {{1, 64}, {3, 64}, {64, 64}, {150, 150}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        cb_operation op = scripted_operation(SCRIPTED_ENCRYPT);
        const cb_ring_spec spec = scripted_ring_spec(&op, 16);
        scripted_library library;
        cb_ring ring;
        op.keys = cases[c].keys;
        scripted_library_make(&library, NULL, 0);
        scripted_ring_make(&ring, &spec, &library);
        assert_int_equal(ring.slots, cases[c].slots);
        assert_int_equal(ring.keys, cases[c].keys);
        for (size_t i = 0; i < ring.slots; i++)
            for (size_t k = 0; k < i; k++)
                assert_int_equal(scripted_spans_equal(ring.inputs[i].key, ring.inputs[k].key),
                                 i % ring.keys == k % ring.keys);
        cb_ring_free(&ring);
    }
}

static void test_keys_and_messages_come_from_streams_of_their_own(void **unused)
{
    (void)unused;
    cb_operation op = scripted_operation(SCRIPTED_ENCRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, 16);
    scripted_library library;
    cb_ring a, b;
    scripted_library_make(&library, NULL, 0);
    scripted_ring_make(&a, &spec, &library);
    op.keys = 2;
    scripted_ring_make(&b, &spec, &library);
    assert_true(scripted_spans_equal(a.inputs[0].key, b.inputs[0].key));
    for (size_t i = 0; i < a.slots; i++)
        assert_true(scripted_spans_equal(a.inputs[i].msg, b.inputs[i].msg));
    cb_ring_free(&a);
    cb_ring_free(&b);
}

static void test_large_messages_have_fewer_slots(void **unused)
{
    (void)unused;
    static const struct {
        size_t msg_bytes, slots;
    } cases[] = {{(size_t)1 << 20, 64}, {(size_t)100 << 20, 1}};
    const cb_operation op = scripted_operation(SCRIPTED_ENCRYPT);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_ring_spec spec = scripted_ring_spec(&op, cases[i].msg_bytes);
        scripted_library library;
        cb_ring ring;
        spec.aad_bytes = 0;
        scripted_library_make(&library, NULL, 0);
        scripted_ring_make(&ring, &spec, &library);
        assert_int_equal(ring.slots, cases[i].slots);
        assert_int_equal(ring.inputs[ring.slots - 1].msg.n, cases[i].msg_bytes);
        cb_ring_free(&ring);
    }
}

static void test_an_impossible_shape_is_passed_on(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_ENCRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, SIZE_MAX);
    scripted_library library;
    cb_ring ring;
    cb_err err = {0};
    scripted_library_make(&library, NULL, 0);
    assert_int_equal(cb_ring_make(&ring, &spec, &library.backend, NULL, NULL, &err), CB_BAD_ARGUMENT);
    assert_null(ring.memory);
}

static void test_memory_that_is_not_there_is_reported(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_ENCRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, SIZE_MAX / 8);
    scripted_library library;
    cb_ring ring;
    cb_err err = {0};
    scripted_library_make(&library, NULL, 0);
    assert_int_equal(cb_ring_make(&ring, &spec, &library.backend, NULL, NULL, &err), CB_OUT_OF_MEMORY);
    assert_non_null(strstr(err.msg, "a ring of 1 slots"));
}

static uint64_t digest_with_change(cb_ring *ring, const uint8_t *p)
{
    uint8_t *at = ring->memory + (p - ring->memory);
    *at ^= 0x80;
    const uint64_t changed = cb_ring_digest(ring);
    *at ^= 0x80;
    return changed;
}

static void test_the_digest_ignores_nothing(void **unused)
{
    (void)unused;
    const cb_operation op = scripted_operation(SCRIPTED_DECRYPT);
    const cb_ring_spec spec = scripted_ring_spec(&op, 100);
    scripted_library library;
    cb_ring ring;
    scripted_library_make(&library, NULL, 0);
    scripted_ring_make(&ring, &spec, &library);
    const uint64_t whole = cb_ring_digest(&ring);
    for (size_t i = 0; i < ring.slots; i++) {
        const cb_span fields[] = {ring.inputs[i].key, ring.inputs[i].nonce, ring.inputs[i].aad,
                                  ring.inputs[i].msg, ring.inputs[i].aux};
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
            assert_true(digest_with_change(&ring, fields[k].p) != whole);
            assert_true(digest_with_change(&ring, fields[k].p + fields[k].n - 1) != whole);
        }
    }
    assert_true(cb_ring_digest(&ring) == whole);
    cb_ring_free(&ring);
}

static void test_kernels_are_found_by_operation(void **unused)
{
    (void)unused;
    scripted_library library;
    scripted_library_make(&library, NULL, 0);
    assert_ptr_equal(cb_backend_kernel(&library.backend, "aead/aes-256-gcm/decrypt"),
                     &library.kernels[SCRIPTED_DECRYPT]);
    assert_null(cb_backend_kernel(&library.backend, "aead/aes-256-gcm"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_specs_give_equal_rings),
        cmocka_unit_test(test_another_seed_gives_other_bytes),
        cmocka_unit_test(test_lengths_and_parameters),
        cmocka_unit_test(test_the_tag_lies_behind_its_ciphertext),
        cmocka_unit_test(test_fields_are_aligned_and_apart),
        cmocka_unit_test(test_page_offsets),
        cmocka_unit_test(test_nonces_and_messages_are_distinct),
        cmocka_unit_test(test_as_many_keys_as_the_operation_says),
        cmocka_unit_test(test_keys_and_messages_come_from_streams_of_their_own),
        cmocka_unit_test(test_large_messages_have_fewer_slots),
        cmocka_unit_test(test_an_impossible_shape_is_passed_on),
        cmocka_unit_test(test_memory_that_is_not_there_is_reported),
        cmocka_unit_test(test_the_digest_ignores_nothing),
        cmocka_unit_test(test_kernels_are_found_by_operation),
    };
    return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
