#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ops/operation.h"

#include <string.h>

static void test_rows_are_found_by_their_ids(void **unused)
{
    (void)unused;
    const size_t n = cb_operation_count();
    assert_true(n >= 4);
    for (size_t i = 0; i < n; i++) {
        const cb_operation *op = cb_operation_at(i);
        assert_non_null(op);
        assert_ptr_equal(cb_operation_find(op->id), op);
    }
    assert_null(cb_operation_at(n));
    assert_null(cb_operation_at(SIZE_MAX));
}

static void test_unknown_ids_are_not_found(void **unused)
{
    (void)unused;
    static const char *const ids[] = {"",
                                      "aead",
                                      "aead/aes-256-gcm",
                                      "aead/aes-256-gcm/encryp",
                                      "aead/aes-256-gcm/encrypt/",
                                      "AEAD/AES-256-GCM/ENCRYPT"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        assert_null(cb_operation_find(ids[i]));
}

static void test_parts_put_the_id_together(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        char joined[200];
        cb_id_part parts[3];
        for (unsigned k = 0; k < 3; k++) {
            parts[k] = cb_operation_part(op, k);
            assert_true(parts[k].n > 0);
        }
        (void)snprintf(joined, sizeof joined, "%.*s/%.*s/%.*s", (int)parts[0].n, parts[0].p, (int)parts[1].n,
                       parts[1].p, (int)parts[2].n, parts[2].p);
        assert_string_equal(joined, op->id);
    }
    const cb_id_part algorithm = cb_operation_part(cb_operation_find("aead/aes-256-gcm/encrypt"), 1);
    assert_int_equal(algorithm.n, strlen("aes-256-gcm"));
    assert_memory_equal(algorithm.p, "aes-256-gcm", algorithm.n);
}

/* What the ring, the plan and the tables rely on. */
static void test_rows_are_complete(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        print_message("%s\n", op->id);
        assert_non_null(op->work);
        assert_true(op->n_sizes > 0);
        for (size_t k = 1; k < op->n_sizes; k++)
            assert_true(op->sizes[k - 1] < op->sizes[k]);
        assert_true(op->keys >= 1);
        assert_non_null(op->shape);
        assert_non_null(op->fill);
        assert_int_equal(op->made_by != NULL, op->made_to != CB_MAKER_NONE);
        if (op->made_by != NULL)
            assert_non_null(cb_operation_find(op->made_by));
        if (op->inverts_maker)
            assert_non_null(op->made_by);
    }
}

/* A maker's output must fit the place it goes to, at every size. */
static void test_makers_fit(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {0, 1, 64, 1000, 16384};
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        for (size_t k = 0; op->made_by != NULL && k < sizeof sizes / sizeof sizes[0]; k++) {
            const cb_operation *maker = cb_operation_find(op->made_by);
            cb_shape made = {0}, making = {0};
            assert_int_equal(op->shape(op, sizes[k], 13, &made, NULL), CB_OK);
            assert_int_equal(maker->shape(maker, sizes[k], 13, &making, NULL), CB_OK);
            assert_int_equal(making.out, made.aux + (op->made_to == CB_MAKER_MSG_AND_AUX ? made.msg : 0));
            assert_int_equal(making.key, made.key);
            if (op->inverts_maker)
                assert_int_equal(made.out, making.msg);
        }
    }
}

static void test_lengths_that_no_memory_has_are_refused(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        cb_shape shape = {0};
        cb_err err = {0};
        assert_int_equal(op->shape(op, SIZE_MAX, 0, &shape, &err), CB_BAD_ARGUMENT);
        assert_int_equal(err.code, CB_BAD_ARGUMENT);
        assert_int_equal(op->shape(op, 64, SIZE_MAX, &shape, NULL), CB_BAD_ARGUMENT);
    }
}

static size_t slots_for(size_t keys, size_t msg_bytes, size_t aad_bytes)
{
    const cb_operation op = {.keys = keys};
    const cb_shape shape = {.key = 32, .nonce = 12, .aad = aad_bytes, .msg = msg_bytes, .aux = 16};
    return cb_operation_slots(&op, &shape);
}

static void test_slots(void **unused)
{
    (void)unused;
    const size_t mib = (size_t)1 << 20;
    assert_int_equal(slots_for(1, 0, 0), 64);
    assert_int_equal(slots_for(1, 64, 0), 64);
    assert_int_equal(slots_for(1, mib, 0), 64);
    assert_int_equal(slots_for(1, mib + 1, 0), 63);
    assert_int_equal(slots_for(1, mib / 2, mib), 42);
    assert_int_equal(slots_for(1, 64 * mib, 0), 1);
    assert_int_equal(slots_for(1, 100 * mib, 0), 1);
    assert_int_equal(slots_for(1, 0, 100 * mib), 1);
    assert_int_equal(slots_for(1024, 32, 0), 1024);
    assert_int_equal(slots_for(1024, mib, 0), 64);
    assert_int_equal(slots_for(1, SIZE_MAX / 4, SIZE_MAX / 4), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_found_by_their_ids),
        cmocka_unit_test(test_unknown_ids_are_not_found),
        cmocka_unit_test(test_parts_put_the_id_together),
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_makers_fit),
        cmocka_unit_test(test_lengths_that_no_memory_has_are_refused),
        cmocka_unit_test(test_slots),
    };
    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
