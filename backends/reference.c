/* The witness: the AEADs written plainly from their specifications. It settles which of two libraries is
 * wrong and is no contestant of its own accord. */
#include <crypto_bench/backend.h>

#include "reference/aes_gcm.h"
#include "reference/chacha20_poly1305.h"

#define TAG_BYTES REFERENCE_AES_GCM_TAG_BYTES
_Static_assert(REFERENCE_CHACHA20_POLY1305_TAG_BYTES == TAG_BYTES, "one tag length for all rows");

static const size_t aes_256_key_bytes = 32;

static bool encrypt_fits(const cb_input *in, const cb_buf *out, uint64_t message_max)
{
    return in->msg.n <= message_max && out->cap >= TAG_BYTES && out->cap - TAG_BYTES >= in->msg.n;
}

static bool decrypt_fits(const cb_input *in, const cb_buf *out, uint64_t message_max)
{
    return in->msg.n <= message_max && in->aux.n == TAG_BYTES && out->cap >= in->msg.n;
}

static bool gcm_input_fits(const cb_input *in)
{
    return in->nonce.n >= 1 && in->nonce.n <= REFERENCE_AES_GCM_AAD_MAX &&
           in->aad.n <= REFERENCE_AES_GCM_AAD_MAX;
}

static cb_status reference_aes_gcm_bind(void *ctx, const cb_kernel *self, const cb_input *input, void **state,
                                        cb_err *err)
{
    (void)ctx;
    const size_t *key_bytes = self->data;
    if (input->key.n != *key_bytes)
        return cb_fail(err, CB_BAD_ARGUMENT, "a key of %zu bytes, not %zu", input->key.n, *key_bytes);
    reference_aes_gcm *k = malloc(sizeof *k);
    if (k == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a key schedule");
    if (!reference_aes_gcm_set_key(k, input->key)) {
        free(k);
        return cb_fail(err, CB_BAD_ARGUMENT, "AES has no keys of %zu bytes", input->key.n);
    }
    *state = k;
    return CB_OK;
}

static cb_status reference_aes_gcm_encrypt(void *state, const cb_input *in, cb_buf *out)
{
    const reference_aes_gcm *k = state;
    out->n = 0;
    if (!gcm_input_fits(in) || !encrypt_fits(in, out, REFERENCE_AES_GCM_MESSAGE_MAX))
        return CB_BAD_ARGUMENT;
    const cb_span ciphertext = {out->p, in->msg.n};
    reference_aes_gcm_crypt(k, in->nonce, in->msg, out->p);
    reference_aes_gcm_tag(k, in->nonce, in->aad, ciphertext, out->p + in->msg.n);
    out->n = in->msg.n + TAG_BYTES;
    return CB_OK;
}

/* The tag comes first, so that a forgery leaves no plaintext behind. */
static cb_status reference_aes_gcm_decrypt(void *state, const cb_input *in, cb_buf *out)
{
    const reference_aes_gcm *k = state;
    uint8_t tag[TAG_BYTES];
    out->n = 0;
    if (!gcm_input_fits(in) || !decrypt_fits(in, out, REFERENCE_AES_GCM_MESSAGE_MAX))
        return CB_BAD_ARGUMENT;
    reference_aes_gcm_tag(k, in->nonce, in->aad, in->msg, tag);
    if (memcmp(tag, in->aux.p, TAG_BYTES) != 0)
        return CB_REJECTED;
    reference_aes_gcm_crypt(k, in->nonce, in->msg, out->p);
    out->n = in->msg.n;
    return CB_OK;
}

static cb_status reference_chacha20_poly1305_bind(void *ctx, const cb_kernel *self, const cb_input *input,
                                                  void **state, cb_err *err)
{
    (void)ctx;
    (void)self;
    const size_t key_bytes = REFERENCE_CHACHA20_POLY1305_KEY_BYTES;
    if (input->key.n != key_bytes)
        return cb_fail(err, CB_BAD_ARGUMENT, "a key of %zu bytes, not %zu", input->key.n, key_bytes);
    uint8_t *key = malloc(key_bytes);
    if (key == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a key");
    memcpy(key, input->key.p, key_bytes);
    *state = key;
    return CB_OK;
}

static cb_status reference_chacha20_poly1305_encrypt(void *state, const cb_input *in, cb_buf *out)
{
    const uint8_t *key = state;
    out->n = 0;
    if (in->nonce.n != REFERENCE_CHACHA20_POLY1305_NONCE_BYTES ||
        !encrypt_fits(in, out, REFERENCE_CHACHA20_POLY1305_MESSAGE_MAX))
        return CB_BAD_ARGUMENT;
    const cb_span ciphertext = {out->p, in->msg.n};
    reference_chacha20_poly1305_crypt(key, in->nonce.p, in->msg, out->p);
    reference_chacha20_poly1305_tag(key, in->nonce.p, in->aad, ciphertext, out->p + in->msg.n);
    out->n = in->msg.n + TAG_BYTES;
    return CB_OK;
}

static cb_status reference_chacha20_poly1305_decrypt(void *state, const cb_input *in, cb_buf *out)
{
    const uint8_t *key = state;
    uint8_t tag[TAG_BYTES];
    out->n = 0;
    if (in->nonce.n != REFERENCE_CHACHA20_POLY1305_NONCE_BYTES ||
        !decrypt_fits(in, out, REFERENCE_CHACHA20_POLY1305_MESSAGE_MAX))
        return CB_BAD_ARGUMENT;
    reference_chacha20_poly1305_tag(key, in->nonce.p, in->aad, in->msg, tag);
    if (memcmp(tag, in->aux.p, TAG_BYTES) != 0)
        return CB_REJECTED;
    reference_chacha20_poly1305_crypt(key, in->nonce.p, in->msg, out->p);
    out->n = in->msg.n;
    return CB_OK;
}

static void reference_unbind(void *state)
{
    free(state);
}

static const cb_kernel kernels[] = {
    {.op = "aead/aes-256-gcm/encrypt",
     .data = &aes_256_key_bytes,
     .bind = reference_aes_gcm_bind,
     .run = reference_aes_gcm_encrypt,
     .unbind = reference_unbind},
    {.op = "aead/aes-256-gcm/decrypt",
     .data = &aes_256_key_bytes,
     .bind = reference_aes_gcm_bind,
     .run = reference_aes_gcm_decrypt,
     .unbind = reference_unbind},
    {.op = "aead/chacha20-poly1305/encrypt",
     .bind = reference_chacha20_poly1305_bind,
     .run = reference_chacha20_poly1305_encrypt,
     .unbind = reference_unbind},
    {.op = "aead/chacha20-poly1305/decrypt",
     .bind = reference_chacha20_poly1305_bind,
     .run = reference_chacha20_poly1305_decrypt,
     .unbind = reference_unbind},
};

static const char *reference_version(void)
{
    return "1";
}

static const char *reference_build(void)
{
    return "portable C";
}

static cb_status reference_open(void **ctx, cb_err *err)
{
    (void)err;
    *ctx = NULL;
    return CB_OK;
}

/* run() has one way to fail apart from a wrong tag. */
static void reference_explain(void *ctx, cb_err *err)
{
    (void)ctx;
    (void)cb_fail(err, err->code, "a nonce, tag, message or output length outside the documented range");
}

static void reference_close(void *ctx)
{
    (void)ctx;
}

static const cb_backend backend = {
    .abi = CB_BACKEND_ABI,
    .name = "reference",
    .licence = "BSD-3-Clause",
    .witness = true,
    .version = reference_version,
    .build = reference_build,
    .open = reference_open,
    .explain = reference_explain,
    .close = reference_close,
    .kernels = kernels,
    .n_kernels = sizeof kernels / sizeof kernels[0],
};

const cb_backend *cb_backend_get(void)
{
    return &backend;
}
