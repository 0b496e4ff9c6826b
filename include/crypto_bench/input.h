/* What one call of an operation gets. */
#ifndef CRYPTO_BENCH_INPUT_H
#define CRYPTO_BENCH_INPUT_H

#include <crypto_bench/bytes.h>

/* The few integers that some operations need; 0 where an operation has no use for one. */
typedef struct cb_params {
    uint32_t iterations; /* PBKDF2 rounds, Argon2 passes */
    uint32_t memory_kib; /* Argon2 memory, KiB */
    uint32_t lanes;      /* Argon2 parallelism */
    uint32_t pairs;      /* pairs in one pairing check */
    uint64_t subkey_id;  /* Blake2b subkey number */
    size_t chunk;        /* bytes handed over at a time by streaming calls; 0 = the whole message */
} cb_params;

/* One call's input. All spans are borrowed and stay valid and unchanged during the call.
 * aux is the tag, signature or peer key, as the operation says. A tag lies directly behind its ciphertext
 * (aux.p == msg.p + msg.n), so that combined and detached interfaces both run without a copy. */
typedef struct cb_input {
    cb_span key, nonce, aad, msg, aux;
    cb_params params;
} cb_input;

#endif
