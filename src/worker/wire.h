/* Integers, numbers and strings to bytes and back: the payloads of the worker protocol. Both ends run on one
 * machine, but may be different builds, so every field is little-endian and has a fixed size. */
#ifndef CB_WORKER_WIRE_H
#define CB_WORKER_WIRE_H

#include <crypto_bench/bytes.h>

#include <stdbool.h>

/* Grows as needed; a failed allocation sticks, so that only the end needs checking. Start from zeros. */
typedef struct cb_wire_writer {
    uint8_t *p; /* owned; free() it */
    size_t n, cap;
    bool failed;
} cb_wire_writer;

void cb_wire_put_u64(cb_wire_writer *w, uint64_t value);
void cb_wire_put_double(cb_wire_writer *w, double value);
void cb_wire_put_string(cb_wire_writer *w, const char *text); /* NULL is kept apart from "" */
void cb_wire_put_bytes(cb_wire_writer *w, const void *p, size_t n);

/* Reads what a writer wrote. Running past the end or a malformed field sticks as failed, and reads give 0 or
 * NULL from then on. */
typedef struct cb_wire_reader {
    cb_span bytes; /* borrowed */
    size_t at;
    bool failed;
} cb_wire_reader;

uint64_t cb_wire_get_u64(cb_wire_reader *r);
double cb_wire_get_double(cb_wire_reader *r);
char *cb_wire_get_string(cb_wire_reader *r); /* a copy for the caller to free, or NULL */
/* The next n bytes, borrowed, or NULL. */
const uint8_t *cb_wire_get_bytes(cb_wire_reader *r, size_t n);
/* True when everything was read and nothing failed. */
bool cb_wire_finished(const cb_wire_reader *r);

#endif
