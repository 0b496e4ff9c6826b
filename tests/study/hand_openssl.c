#include "hand.h"

#include <openssl/evp.h>

static EVP_CIPHER_CTX *open_cipher(const char *name, const uint8_t *key, int encrypting)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    if (cipher == NULL || ctx == NULL || EVP_CipherInit_ex2(ctx, cipher, key, NULL, encrypting, NULL) != 1) {
        EVP_CIPHER_CTX_free(ctx);
        ctx = NULL;
    }
    EVP_CIPHER_free(cipher);
    return ctx;
}

static void *open_gcm_encrypt(const uint8_t *key)
{
    return open_cipher("AES-256-GCM", key, 1);
}

static void *open_gcm_decrypt(const uint8_t *key)
{
    return open_cipher("AES-256-GCM", key, 0);
}

static void *open_chacha_encrypt(const uint8_t *key)
{
    return open_cipher("ChaCha20-Poly1305", key, 1);
}

static void *open_chacha_decrypt(const uint8_t *key)
{
    return open_cipher("ChaCha20-Poly1305", key, 0);
}

static void close_cipher(void *state)
{
    EVP_CIPHER_CTX_free(state);
}

static uint64_t encrypt(void *state, const cb_ring *ring, size_t *next, uint64_t count)
{
    EVP_CIPHER_CTX *ctx = state;
    uint8_t *out = ring->out.p;
    size_t slot = *next;
    uint64_t done = 0;
    for (; done < count; done++) {
        const cb_input *in = &ring->inputs[slot];
        int n = 0;
        int tail = 0;
        if (EVP_EncryptInit_ex2(ctx, NULL, NULL, in->nonce.p, NULL) != 1 ||
            EVP_EncryptUpdate(ctx, out, &n, in->msg.p, (int)in->msg.n) != 1 ||
            EVP_EncryptFinal_ex(ctx, out + n, &tail) != 1 ||
            EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, out + in->msg.n) != 1 ||
            (size_t)(n + tail) != in->msg.n)
            break;
        slot = slot + 1 == ring->slots ? 0 : slot + 1;
    }
    *next = slot;
    return done;
}

static uint64_t decrypt(void *state, const cb_ring *ring, size_t *next, uint64_t count)
{
    EVP_CIPHER_CTX *ctx = state;
    uint8_t *out = ring->out.p;
    size_t slot = *next;
    uint64_t done = 0;
    for (; done < count; done++) {
        const cb_input *in = &ring->inputs[slot];
        int n = 0;
        int tail = 0;
        if (EVP_DecryptInit_ex2(ctx, NULL, NULL, in->nonce.p, NULL) != 1 ||
            EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, 16, (void *)(uintptr_t)in->aux.p) != 1 ||
            EVP_DecryptUpdate(ctx, out, &n, in->msg.p, (int)in->msg.n) != 1 ||
            EVP_DecryptFinal_ex(ctx, out + n, &tail) != 1 || (size_t)(n + tail) != in->msg.n)
            break;
        slot = slot + 1 == ring->slots ? 0 : slot + 1;
    }
    *next = slot;
    return done;
}

const hand_loop hand_openssl[HAND_LOOPS_PER_LIBRARY] = {
    {"openssl", "aead/aes-256-gcm/encrypt", open_gcm_encrypt, encrypt, close_cipher},
    {"openssl", "aead/aes-256-gcm/decrypt", open_gcm_decrypt, decrypt, close_cipher},
    {"openssl", "aead/chacha20-poly1305/encrypt", open_chacha_encrypt, encrypt, close_cipher},
    {"openssl", "aead/chacha20-poly1305/decrypt", open_chacha_decrypt, decrypt, close_cipher},
};
