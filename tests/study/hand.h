/* Loops as a careful person would write them by hand for one library and one algorithm: direct calls, every
 * return code checked, the next nonce and message of the ring for each call. The study measures the harness
 * against them. */
#ifndef CB_STUDY_HAND_H
#define CB_STUDY_HAND_H

#include "ops/ring.h"

typedef struct hand_loop {
    const char *backend; /* module name */
    const char *op;      /* operation's id */
    /* Makes a state for the ring's key; NULL on failure. */
    void *(*open)(const uint8_t *key);
    /* Calls the library `count` times from slot *next on and moves *next; returns the calls that succeeded.
     */
    uint64_t (*run)(void *state, const cb_ring *ring, size_t *next, uint64_t count);
    void (*close)(void *state);
} hand_loop;

/* Four loops each: AES-256-GCM and ChaCha20-Poly1305, encrypt and decrypt. */
#define HAND_LOOPS_PER_LIBRARY 4
extern const hand_loop hand_openssl[HAND_LOOPS_PER_LIBRARY];
extern const hand_loop hand_libsodium[HAND_LOOPS_PER_LIBRARY];

#endif
