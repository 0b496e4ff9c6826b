/* libsodium, called the way its manual calls it: precomputed key schedule for AES-256-GCM, detached tags. */
#include <crypto_bench/backend.h>

#include <sodium.h>

static void libsodium_explain(void *ctx, cb_err *err)
{
    (void)ctx;
    /* The library has no error codes beyond -1. */
    (void)cb_fail(err, err->code, "libsodium returned -1");
}

static cb_status check_key(const cb_input *input, size_t expected, cb_err *err)
{
    if (input->key.n != expected)
        return cb_fail(err, CB_BAD_ARGUMENT, "a key of %zu bytes, not %zu", input->key.n, expected);
    return CB_OK;
}

static int encrypt_fits(const cb_input *in, const cb_buf *out, size_t nonce_bytes, size_t tag_bytes)
{
    return in->nonce.n == nonce_bytes && out->cap >= tag_bytes && out->cap - tag_bytes >= in->msg.n;
}

static int decrypt_fits(const cb_input *in, const cb_buf *out, size_t nonce_bytes, size_t tag_bytes)
{
    return in->nonce.n == nonce_bytes && in->aux.n == tag_bytes && out->cap >= in->msg.n;
}

static cb_status libsodium_aes256gcm_bind(void *ctx, const cb_kernel *self, const cb_input *input,
                                          void **state, cb_err *err)
{
    (void)ctx;
    (void)self;
    cb_status status = check_key(input, crypto_aead_aes256gcm_KEYBYTES, err);
    if (status != CB_OK)
        return status;
    if (crypto_aead_aes256gcm_is_available() == 0)
        return cb_fail(err, CB_UNSUPPORTED, "libsodium has AES-256-GCM only on CPUs with AES instructions");
    size_t bytes = (crypto_aead_aes256gcm_statebytes() + 63) / 64 * 64;
    crypto_aead_aes256gcm_state *schedule = aligned_alloc(64, bytes);
    if (schedule == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a key schedule");
    if (crypto_aead_aes256gcm_beforenm(schedule, input->key.p) != 0) {
        free(schedule);
        return cb_fail(err, CB_LIBRARY_ERROR, "crypto_aead_aes256gcm_beforenm failed");
    }
    *state = schedule;
    return CB_OK;
}

static cb_status libsodium_aes256gcm_encrypt(void *state, const cb_input *in, cb_buf *out)
{
    unsigned long long tag_bytes = 0;
    out->n = 0;
    if (!encrypt_fits(in, out, crypto_aead_aes256gcm_NPUBBYTES, crypto_aead_aes256gcm_ABYTES))
        return CB_BAD_ARGUMENT;
    if (crypto_aead_aes256gcm_encrypt_detached_afternm(out->p, out->p + in->msg.n, &tag_bytes, in->msg.p,
                                                       in->msg.n, in->aad.p, in->aad.n, NULL, in->nonce.p,
                                                       state) != 0)
        return CB_LIBRARY_ERROR;
    out->n = in->msg.n + (size_t)tag_bytes;
    return CB_OK;
}

static cb_status libsodium_aes256gcm_decrypt(void *state, const cb_input *in, cb_buf *out)
{
    out->n = 0;
    if (!decrypt_fits(in, out, crypto_aead_aes256gcm_NPUBBYTES, crypto_aead_aes256gcm_ABYTES))
        return CB_BAD_ARGUMENT;
    if (crypto_aead_aes256gcm_decrypt_detached_afternm(out->p, NULL, in->msg.p, in->msg.n, in->aux.p,
                                                       in->aad.p, in->aad.n, in->nonce.p, state) != 0)
        return CB_REJECTED;
    out->n = in->msg.n;
    return CB_OK;
}

/* The state of algorithms without a key schedule: a copy of the key. */
static cb_status libsodium_key32_bind(void *ctx, const cb_kernel *self, const cb_input *input, void **state,
                                      cb_err *err)
{
    (void)ctx;
    (void)self;
    cb_status status = check_key(input, crypto_aead_chacha20poly1305_ietf_KEYBYTES, err);
    if (status != CB_OK)
        return status;
    uint8_t *key = aligned_alloc(64, 64);
    if (key == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a key");
    memcpy(key, input->key.p, input->key.n);
    *state = key;
    return CB_OK;
}

static cb_status libsodium_chacha20poly1305_encrypt(void *state, const cb_input *in, cb_buf *out)
{
    unsigned long long tag_bytes = 0;
    out->n = 0;
    if (!encrypt_fits(in, out, crypto_aead_chacha20poly1305_ietf_NPUBBYTES,
                      crypto_aead_chacha20poly1305_ietf_ABYTES))
        return CB_BAD_ARGUMENT;
    if (crypto_aead_chacha20poly1305_ietf_encrypt_detached(out->p, out->p + in->msg.n, &tag_bytes, in->msg.p,
                                                           in->msg.n, in->aad.p, in->aad.n, NULL, in->nonce.p,
                                                           state) != 0)
        return CB_LIBRARY_ERROR;
    out->n = in->msg.n + (size_t)tag_bytes;
    return CB_OK;
}

static cb_status libsodium_chacha20poly1305_decrypt(void *state, const cb_input *in, cb_buf *out)
{
    out->n = 0;
    if (!decrypt_fits(in, out, crypto_aead_chacha20poly1305_ietf_NPUBBYTES,
                      crypto_aead_chacha20poly1305_ietf_ABYTES))
        return CB_BAD_ARGUMENT;
    if (crypto_aead_chacha20poly1305_ietf_decrypt_detached(out->p, NULL, in->msg.p, in->msg.n, in->aux.p,
                                                           in->aad.p, in->aad.n, in->nonce.p, state) != 0)
        return CB_REJECTED;
    out->n = in->msg.n;
    return CB_OK;
}

static const char aes_limits[] = "needs AES and carry-less multiplication instructions";

static const cb_kernel kernels[] = {
    {.op = "aead/aes-256-gcm/encrypt",
     .limits = aes_limits,
     .bind = libsodium_aes256gcm_bind,
     .run = libsodium_aes256gcm_encrypt,
     .unbind = free},
    {.op = "aead/aes-256-gcm/decrypt",
     .limits = aes_limits,
     .bind = libsodium_aes256gcm_bind,
     .run = libsodium_aes256gcm_decrypt,
     .unbind = free},
    {.op = "aead/chacha20-poly1305/encrypt",
     .bind = libsodium_key32_bind,
     .run = libsodium_chacha20poly1305_encrypt,
     .unbind = free},
    {.op = "aead/chacha20-poly1305/decrypt",
     .bind = libsodium_key32_bind,
     .run = libsodium_chacha20poly1305_decrypt,
     .unbind = free},
};

static cb_status libsodium_open(void **ctx, cb_err *err)
{
    *ctx = NULL;
    return sodium_init() < 0 ? cb_fail(err, CB_LIBRARY_ERROR, "sodium_init failed") : CB_OK;
}

static void libsodium_close(void *ctx)
{
    (void)ctx;
}

/* The CPU features by which the library picks its code, as it sees them. */
static const char *libsodium_build(void)
{
    if (sodium_runtime_has_avx512f())
        return "CPU paths up to AVX-512F";
    if (sodium_runtime_has_avx2())
        return "CPU paths up to AVX2";
    if (sodium_runtime_has_ssse3())
        return "CPU paths up to SSSE3";
    if (sodium_runtime_has_sse2())
        return "CPU paths up to SSE2";
    if (sodium_runtime_has_neon())
        return "CPU paths up to NEON";
    return "portable C";
}

static const cb_backend backend = {
    .abi = CB_BACKEND_ABI,
    .name = "libsodium",
    .licence = "ISC",
    .version = sodium_version_string,
    .build = libsodium_build,
    .open = libsodium_open,
    .explain = libsodium_explain,
    .close = libsodium_close,
    .kernels = kernels,
    .n_kernels = sizeof kernels / sizeof kernels[0],
};

const cb_backend *cb_backend_get(void)
{
    return &backend;
}
