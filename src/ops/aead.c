/* Authenticated encryption with associated data: one new nonce, AAD and message per call, full 16-byte tag.
 */
#include "ops/aead.h"

#include "ops/aead_known.h"

#define TAG_BYTES   16
#define NONCE_BYTES 12

static const size_t message_sizes[] = {64, 256, 1024, 4096, 16384};
#define MESSAGE_SIZES .sizes = message_sizes, .n_sizes = sizeof message_sizes / sizeof message_sizes[0]

static cb_status aead_shape(size_t msg_bytes, size_t aad_bytes, cb_shape *shape, cb_err *err)
{
    if (msg_bytes > SIZE_MAX / 4 || aad_bytes > SIZE_MAX / 4)
        return cb_fail(err, CB_BAD_ARGUMENT,
                       "a message of %zu bytes with %zu bytes of AAD does not fit in memory", msg_bytes,
                       aad_bytes);
    *shape = (cb_shape){.key = 32, .nonce = NONCE_BYTES, .aad = aad_bytes, .msg = msg_bytes};
    return CB_OK;
}

static cb_status encrypt_shape(const cb_operation *self, size_t msg_bytes, size_t aad_bytes, cb_shape *shape,
                               cb_err *err)
{
    (void)self;
    cb_status status = aead_shape(msg_bytes, aad_bytes, shape, err);
    shape->out = msg_bytes + TAG_BYTES;
    return status;
}

static cb_status decrypt_shape(const cb_operation *self, size_t msg_bytes, size_t aad_bytes, cb_shape *shape,
                               cb_err *err)
{
    (void)self;
    cb_status status = aead_shape(msg_bytes, aad_bytes, shape, err);
    shape->aux = TAG_BYTES;
    shape->out = msg_bytes;
    return status;
}

/* A random nonce whose first eight bytes count the slots, so that no two slots can share one. */
static void aead_fill(const cb_operation *self, cb_rng *rng, size_t index, const cb_shape *shape,
                      const cb_slot *slot)
{
    (void)self;
    cb_rng_fill(rng, slot->nonce, shape->nonce);
    for (size_t i = 0; i < 8; i++)
        slot->nonce[i] = (uint8_t)((uint64_t)index >> (8 * i));
    cb_rng_fill(rng, slot->aad, shape->aad);
    cb_rng_fill(rng, slot->msg, shape->msg);
}

#define ENCRYPT(algorithm, known_table, known_count)                                                         \
    {                                                                                                        \
        .id = "aead/" algorithm "/encrypt", .work = "new nonce, AAD, message, 16-byte tag", MESSAGE_SIZES,   \
        .keys = 1, .shape = encrypt_shape, .fill = aead_fill, .known = (known_table),                        \
        .n_known = (known_count),                                                                            \
    }

#define DECRYPT(algorithm, known_table, known_count)                                                         \
    {                                                                                                        \
        .id = "aead/" algorithm "/decrypt", .work = "new nonce, AAD, ciphertext, 16-byte tag verified",      \
        MESSAGE_SIZES, .keys = 1, .refuses_forgery = true, .made_by = "aead/" algorithm "/encrypt",          \
        .made_to = CB_MAKER_MSG_AND_AUX, .inverts_maker = true, .shape = decrypt_shape, .fill = aead_fill,   \
        .known = (known_table), .n_known = (known_count),                                                    \
    }

static const cb_operation rows[] = {
    ENCRYPT("aes-256-gcm", cb_known_aes_256_gcm_encrypt, CB_KNOWN_AES_256_GCM_N),
    DECRYPT("aes-256-gcm", cb_known_aes_256_gcm_decrypt, CB_KNOWN_AES_256_GCM_N),
    ENCRYPT("chacha20-poly1305", cb_known_chacha20_poly1305_encrypt, CB_KNOWN_CHACHA20_POLY1305_N),
    DECRYPT("chacha20-poly1305", cb_known_chacha20_poly1305_decrypt, CB_KNOWN_CHACHA20_POLY1305_N),
};

const cb_operation_table cb_ops_aead = {rows, sizeof rows / sizeof rows[0]};
