/* A clock and a library that do what a test writes down: no machine, no cryptography, no waiting.
 *
 * The library's cipher is a toy with the interface of an AEAD: out = msg xor a byte of key, nonce and
 * position, with a checksum of key, nonce, AAD and message as its tag. Every call moves the clock on by
 * call_ns. */
#ifndef CB_UNIT_SCRIPTED_H
#define CB_UNIT_SCRIPTED_H

#include "ops/ring.h"
#include "system/clock.h"

#include <crypto_bench/backend.h>

/* All readings are these fields; each reading of the wall clock first moves it and the CPU time on by
 * read_ns. */
typedef struct scripted_clock {
    uint64_t wall_ns, cpu_ns, switches, read_ns;
    int cpu;
} scripted_clock;

cb_clock scripted_clock_view(scripted_clock *clock);
/* Time in which this thread worked. */
void scripted_clock_work(scripted_clock *clock, uint64_t ns);

enum { SCRIPTED_ENCRYPT, SCRIPTED_DECRYPT, SCRIPTED_ROWS };

/* What one row does wrong, and what has happened to it. Calls and binds count from 1; 0 stands for never. */
typedef struct scripted_row {
    struct scripted_library *library;     /* set by scripted_library_make() */
    uint64_t call_ns;                     /* duration of a call */
    uint64_t stall_at, stall_ns;          /* this call takes stall_ns longer */
    uint64_t steal_at, steal_ns;          /* in this call something else has the core for steal_ns */
    unsigned steal_switches, steal_moves; /* and the thread is switched out and moved so often */
    uint64_t fail_from;                   /* from this call on it returns `failure` */
    cb_status failure;
    uint64_t wrong_from;  /* from this call on the first byte of the output is wrong */
    uint64_t short_from;  /* from this call on the output lacks a byte */
    uint64_t silent_from; /* from this call on it returns CB_OK and does nothing */
    uint64_t blank_from;  /* from this call on it gives a length and writes no bytes */
    uint64_t bind_fail_at;
    cb_status bind_failure;
    bool bind_is_mute; /* the failing bind() leaves the error alone */

    uint64_t calls, binds, unbinds;
} scripted_row;

typedef struct scripted_library {
    scripted_clock *clock; /* may be NULL */
    scripted_row rows[SCRIPTED_ROWS];
    cb_kernel kernels[SCRIPTED_ROWS];
    cb_backend backend;
} scripted_library;

/* A faultless library with the two rows of aes-256-gcm. The struct must stay where it is. */
void scripted_library_make(scripted_library *library, scripted_clock *clock, uint64_t call_ns);

/* The operation of a row, without the published answers that a toy cannot give. */
cb_operation scripted_operation(int row);

/* A ring of such an operation, with 13 bytes of associated data, and the ring itself, which must be made. */
cb_ring_spec scripted_ring_spec(const cb_operation *op, size_t msg_bytes);
void scripted_ring_make(cb_ring *ring, const cb_ring_spec *spec, scripted_library *library);

bool scripted_spans_equal(cb_span a, cb_span b);

/* What the library's explain() says. */
#define SCRIPTED_WORDS "the script says so"
/* What its bind() says when it fails. */
#define SCRIPTED_BIND_WORDS "the script refuses this key"

#endif
