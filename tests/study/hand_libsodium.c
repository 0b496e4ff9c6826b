#include "hand.h"

#include <sodium.h>

static void *open_gcm(const uint8_t *key)
{
    crypto_aead_aes256gcm_state *state = NULL;
    if (sodium_init() < 0 || crypto_aead_aes256gcm_is_available() == 0)
        return NULL;
    state = aligned_alloc(64, (sizeof *state + 63) / 64 * 64);
    if (state != NULL && crypto_aead_aes256gcm_beforenm(state, key) != 0) {
        free(state);
        state = NULL;
    }
    return state;
}

static void *open_chacha(const uint8_t *key)
{
    uint8_t *copy = sodium_init() < 0 ? NULL : aligned_alloc(64, 64);
    if (copy != NULL)
        memcpy(copy, key, crypto_aead_chacha20poly1305_ietf_KEYBYTES);
    return copy;
}

/* The four loops differ in the one call; it stands in each of them as it would in a program. */
#define LOOP(name, call)                                                                                     \
    static uint64_t name(void *state, const cb_ring *ring, size_t *next, uint64_t count)                     \
    {                                                                                                        \
        uint8_t *out = ring->out.p;                                                                          \
        size_t slot = *next;                                                                                 \
        uint64_t done = 0;                                                                                   \
        for (; done < count; done++) {                                                                       \
            const cb_input *in = &ring->inputs[slot];                                                        \
            unsigned long long tag_bytes = 16;                                                               \
            if ((call) != 0 || tag_bytes != 16)                                                              \
                break;                                                                                       \
            slot = slot + 1 == ring->slots ? 0 : slot + 1;                                                   \
        }                                                                                                    \
        *next = slot;                                                                                        \
        return done;                                                                                         \
    }

LOOP(gcm_encrypt,
     crypto_aead_aes256gcm_encrypt_detached_afternm(out, out + in->msg.n, &tag_bytes, in->msg.p, in->msg.n,
                                                    NULL, 0, NULL, in->nonce.p, state))
LOOP(gcm_decrypt, crypto_aead_aes256gcm_decrypt_detached_afternm(out, NULL, in->msg.p, in->msg.n, in->aux.p,
                                                                 NULL, 0, in->nonce.p, state))
LOOP(chacha_encrypt,
     crypto_aead_chacha20poly1305_ietf_encrypt_detached(out, out + in->msg.n, &tag_bytes, in->msg.p,
                                                        in->msg.n, NULL, 0, NULL, in->nonce.p, state))
LOOP(chacha_decrypt,
     crypto_aead_chacha20poly1305_ietf_decrypt_detached(out, NULL, in->msg.p, in->msg.n, in->aux.p, NULL, 0,
                                                        in->nonce.p, state))

const hand_loop hand_libsodium[HAND_LOOPS_PER_LIBRARY] = {
    {"libsodium", "aead/aes-256-gcm/encrypt", open_gcm, gcm_encrypt, free},
    {"libsodium", "aead/aes-256-gcm/decrypt", open_gcm, gcm_decrypt, free},
    {"libsodium", "aead/chacha20-poly1305/encrypt", open_chacha, chacha_encrypt, free},
    {"libsodium", "aead/chacha20-poly1305/decrypt", open_chacha, chacha_decrypt, free},
};
