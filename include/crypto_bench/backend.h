/* The contract between the harness and a cryptographic library.
 *
 * A backend is one C file that describes a library as a const table of kernels, built as a loadable module
 * that exports one function, cb_backend_get(). The harness loads exactly one module per worker process. A
 * kernel has two halves: bind() does once per key what a real caller does once per key and is not timed;
 * run() does what a real caller repeats for every message (new nonce, tag) and is timed. */
#ifndef CRYPTO_BENCH_BACKEND_H
#define CRYPTO_BENCH_BACKEND_H

#include <crypto_bench/bytes.h>
#include <crypto_bench/input.h>
#include <crypto_bench/status.h>

#include <stdbool.h>

#define CB_BACKEND_ABI    1u
#define CB_BACKEND_GETTER "cb_backend_get"
#define CB_BACKEND_EXPORT __attribute__((visibility("default")))

/* A library's implementation of one operation. An operation the library does not have is no row at all. */
typedef struct cb_kernel {
    const char *op;     /* the operation's id: "aead/aes-256-gcm/encrypt" */
    const char *since;  /* first library version that has it, or NULL when every supported version does */
    const char *limits; /* what it needs or cannot do ("needs AES-NI and PCLMUL"), or NULL */
    const void *data;   /* the backend's own constant for this row (a cipher's name, say), or NULL */

    /* Makes the state for one key: key schedule, fetched objects, parsed peers. On success *state belongs to
     * the caller, who hands it to unbind() once. CB_UNSUPPORTED when this CPU or build cannot run the row. */
    cb_status (*bind)(void *ctx, const struct cb_kernel *self, const cb_input *input, void **state,
                      cb_err *err);

    /* One timed operation. Writes out->p[0 .. n) and sets out->n; prints nothing, checks every return code of
     * the library, and leaves out->n == 0 unless it returns CB_OK. CB_REJECTED when authentication fails. */
    cb_status (*run)(void *state, const cb_input *input, cb_buf *out);

    void (*unbind)(void *state);
} cb_kernel;

/* Why a library lacks operations that others have; shown by `list`. */
typedef struct cb_absence {
    const char *ops;    /* an operation's id or a glob over ids */
    const char *reason; /* "not offered by libsodium" */
} cb_absence;

typedef struct cb_backend {
    unsigned abi;                 /* CB_BACKEND_ABI */
    const char *name;             /* "openssl" */
    const char *licence;          /* SPDX expression */
    bool witness;                 /* true: settles disagreements, takes no part unless named */
    const char *(*version)(void); /* of the library loaded at run time, not of its header */
    const char *(*build)(void);   /* what of the build decides speed: assembly or not, CPU path in use */
    cb_status (*open)(void **ctx, cb_err *); /* once per worker or thread; *ctx goes to close() once */
    void (*explain)(void *ctx, cb_err *);    /* the library's own words for its last failure, into err->msg */
    void (*close)(void *ctx);
    const cb_kernel *kernels;
    size_t n_kernels;
    const cb_absence *absences;
    size_t n_absences;
} cb_backend;

/* The module's one exported symbol. The table is const and lives as long as the module. */
CB_BACKEND_EXPORT const cb_backend *cb_backend_get(void);

#endif
