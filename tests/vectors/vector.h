/* A published figure for one operation, and a list of them. Knows the contract, nothing of the harness. */
#ifndef CB_VECTORS_VECTOR_H
#define CB_VECTORS_VECTOR_H

#include <crypto_bench/input.h>
#include <crypto_bench/status.h>

typedef enum cb_vector_result {
    CB_VECTOR_VALID,     /* must compute exactly `out` */
    CB_VECTOR_INVALID,   /* must be refused */
    CB_VECTOR_ACCEPTABLE /* may be refused; if computed, must be `out` */
} cb_vector_result;

/* A figure as its file has it: borrowed strings, the bytes in lower-case hex ("" = none). */
typedef struct cb_vector_text {
    const char *op, *source;
    const char *key, *nonce, *aad, *msg, *aux, *out;
    cb_vector_result result;
} cb_vector_text;

typedef struct cb_vector {
    char *op, *source; /* owned */
    uint8_t *memory;   /* owned; what all the spans point into */
    cb_input input;    /* aux lies directly behind msg; params are all 0 */
    cb_span out;
    cb_vector_result result;
} cb_vector;

/* Starts as {0}; the caller frees it with cb_vector_list_free(), after errors as well. */
typedef struct cb_vector_list {
    cb_vector *items;
    size_t n, cap;
} cb_vector_list;

/* Appends a decoded copy. CB_BAD_ARGUMENT names the field that is not hex. */
cb_status cb_vector_list_add(cb_vector_list *list, const cb_vector_text *text, cb_err *err);
void cb_vector_list_free(cb_vector_list *list);

#endif
