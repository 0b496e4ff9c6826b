/* Byte ranges that cross the line between harness and backend. */
#ifndef CRYPTO_BENCH_BYTES_H
#define CRYPTO_BENCH_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Borrowed, read-only bytes. p may be NULL only when n is 0. */
typedef struct cb_span {
    const uint8_t *p;
    size_t n;
} cb_span;

/* Room for an output. The caller owns p and sets cap; the callee writes at most cap bytes and sets n. */
typedef struct cb_buf {
    uint8_t *p;
    size_t n, cap;
} cb_buf;

#endif
