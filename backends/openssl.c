/* OpenSSL 3.x through its EVP interface.
 *
 * Fetching the cipher and setting the key happen once per key; a message costs a re-initialisation with the
 * new IV, the updates, the final call and the tag, which is what a caller with a session key pays. */
#include <crypto_bench/backend.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#define TAG_BYTES 16

/* One key's context, initialised once for its direction. */
typedef struct aead_state {
    EVP_CIPHER_CTX *ctx;
    size_t nonce_bytes;
} aead_state;

static void openssl_explain(void *ctx, cb_err *err)
{
    (void)ctx;
    unsigned long code = ERR_peek_last_error();
    if (code == 0) {
        (void)cb_fail(err, err->code, "OpenSSL reported a failure without an error code");
        return;
    }
    char text[120];
    ERR_error_string_n(code, text, sizeof text);
    (void)cb_fail(err, err->code, "OpenSSL: %s", text);
    ERR_clear_error();
}

static cb_status library_error(cb_err *err)
{
    err->code = CB_LIBRARY_ERROR;
    openssl_explain(NULL, err);
    return CB_LIBRARY_ERROR;
}

static void openssl_aead_unbind(void *state)
{
    aead_state *s = state;
    EVP_CIPHER_CTX_free(s->ctx);
    free(s);
}

/* Makes the context for the cipher named by self->data. */
static cb_status aead_bind(const cb_kernel *self, const cb_input *input, int encrypting, void **state,
                           cb_err *err)
{
    ERR_clear_error();
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, self->data, NULL);
    if (cipher == NULL)
        return library_error(err);
    if (input->key.n != (size_t)EVP_CIPHER_get_key_length(cipher)) {
        EVP_CIPHER_free(cipher);
        return cb_fail(err, CB_BAD_ARGUMENT, "a key of %zu bytes does not fit %s", input->key.n,
                       (const char *)self->data);
    }
    aead_state *s = calloc(1, sizeof *s);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    if (s == NULL || ctx == NULL) {
        free(s);
        EVP_CIPHER_CTX_free(ctx);
        EVP_CIPHER_free(cipher);
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a cipher context");
    }
    s->ctx = ctx;
    s->nonce_bytes = (size_t)EVP_CIPHER_get_iv_length(cipher);
    int ok = EVP_CipherInit_ex2(ctx, cipher, input->key.p, NULL, encrypting, NULL);
    EVP_CIPHER_free(cipher); /* the context keeps its own reference */
    if (ok != 1) {
        cb_status status = library_error(err);
        openssl_aead_unbind(s);
        return status;
    }
    *state = s;
    return CB_OK;
}

static cb_status openssl_aead_encrypt_bind(void *ctx, const cb_kernel *self, const cb_input *input,
                                           void **state, cb_err *err)
{
    (void)ctx;
    return aead_bind(self, input, 1, state, err);
}

static cb_status openssl_aead_decrypt_bind(void *ctx, const cb_kernel *self, const cb_input *input,
                                           void **state, cb_err *err)
{
    (void)ctx;
    return aead_bind(self, input, 0, state, err);
}

/* EVP takes int lengths. */
static int fits_int(size_t n)
{
    return n <= INT32_MAX;
}

static cb_status openssl_aead_encrypt(void *state, const cb_input *in, cb_buf *out)
{
    const aead_state *s = state;
    EVP_CIPHER_CTX *ctx = s->ctx;
    int n = 0;
    int tail = 0;
    out->n = 0;
    if (in->nonce.n != s->nonce_bytes || !fits_int(in->msg.n) || !fits_int(in->aad.n) ||
        out->cap < in->msg.n + TAG_BYTES)
        return CB_BAD_ARGUMENT;
    if (EVP_EncryptInit_ex2(ctx, NULL, NULL, in->nonce.p, NULL) != 1)
        return CB_LIBRARY_ERROR;
    if (in->aad.n > 0 && EVP_EncryptUpdate(ctx, NULL, &n, in->aad.p, (int)in->aad.n) != 1)
        return CB_LIBRARY_ERROR;
    n = 0;
    if (in->msg.n > 0 && EVP_EncryptUpdate(ctx, out->p, &n, in->msg.p, (int)in->msg.n) != 1)
        return CB_LIBRARY_ERROR;
    if (EVP_EncryptFinal_ex(ctx, out->p + n, &tail) != 1)
        return CB_LIBRARY_ERROR;
    size_t written = (size_t)n + (size_t)tail;
    if (written != in->msg.n)
        return CB_LIBRARY_ERROR;
    if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG_BYTES, out->p + written) != 1)
        return CB_LIBRARY_ERROR;
    out->n = written + TAG_BYTES;
    return CB_OK;
}

static cb_status openssl_aead_decrypt(void *state, const cb_input *in, cb_buf *out)
{
    const aead_state *s = state;
    EVP_CIPHER_CTX *ctx = s->ctx;
    int n = 0;
    int tail = 0;
    out->n = 0;
    if (in->nonce.n != s->nonce_bytes || in->aux.n != TAG_BYTES || !fits_int(in->msg.n) ||
        !fits_int(in->aad.n) || out->cap < in->msg.n)
        return CB_BAD_ARGUMENT;
    if (EVP_DecryptInit_ex2(ctx, NULL, NULL, in->nonce.p, NULL) != 1)
        return CB_LIBRARY_ERROR;
    /* The interface is not const-correct: setting a tag copies it. */
    if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TAG_BYTES, (void *)(uintptr_t)in->aux.p) != 1)
        return CB_LIBRARY_ERROR;
    if (in->aad.n > 0 && EVP_DecryptUpdate(ctx, NULL, &n, in->aad.p, (int)in->aad.n) != 1)
        return CB_LIBRARY_ERROR;
    n = 0;
    if (in->msg.n > 0 && EVP_DecryptUpdate(ctx, out->p, &n, in->msg.p, (int)in->msg.n) != 1)
        return CB_LIBRARY_ERROR;
    if (EVP_DecryptFinal_ex(ctx, out->p + n, &tail) != 1)
        return CB_REJECTED;
    if ((size_t)n + (size_t)tail != in->msg.n)
        return CB_LIBRARY_ERROR;
    out->n = in->msg.n;
    return CB_OK;
}

#define AEAD_ROWS(algorithm, cipher)                                                                         \
    {.op = "aead/" algorithm "/encrypt",                                                                     \
     .data = (cipher),                                                                                       \
     .bind = openssl_aead_encrypt_bind,                                                                      \
     .run = openssl_aead_encrypt,                                                                            \
     .unbind = openssl_aead_unbind},                                                                         \
    {                                                                                                        \
        .op = "aead/" algorithm "/decrypt", .data = (cipher), .bind = openssl_aead_decrypt_bind,             \
        .run = openssl_aead_decrypt, .unbind = openssl_aead_unbind,                                          \
    }

static const cb_kernel kernels[] = {
    AEAD_ROWS("aes-256-gcm", "AES-256-GCM"),
    AEAD_ROWS("chacha20-poly1305", "ChaCha20-Poly1305"),
};

static const char *openssl_version(void)
{
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}

/* OPENSSL_CPU_INFO has the capability vector that picks the assembly path, or says that there is none. */
static const char *openssl_build(void)
{
    return OpenSSL_version(OPENSSL_CPU_INFO);
}

static cb_status openssl_open(void **ctx, cb_err *err)
{
    if (OPENSSL_init_crypto(0, NULL) != 1)
        return library_error(err);
    *ctx = NULL;
    return CB_OK;
}

static void openssl_close(void *ctx)
{
    (void)ctx;
}

static const cb_backend backend = {
    .abi = CB_BACKEND_ABI,
    .name = "openssl",
    .licence = "Apache-2.0",
    .version = openssl_version,
    .build = openssl_build,
    .open = openssl_open,
    .explain = openssl_explain,
    .close = openssl_close,
    .kernels = kernels,
    .n_kernels = sizeof kernels / sizeof kernels[0],
};

const cb_backend *cb_backend_get(void)
{
    return &backend;
}
