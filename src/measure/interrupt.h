/* SIGINT, SIGTERM and SIGHUP as a descriptor that every wait also watches: no handler, no flag, no race. */
#ifndef CB_MEASURE_INTERRUPT_H
#define CB_MEASURE_INTERRUPT_H

#include <crypto_bench/status.h>

#include <signal.h>
#include <stdbool.h>

typedef struct cb_interrupt {
    int fd;         /* readable when a signal is waiting; -1: interrupts are off (tests) */
    int signal;     /* the first signal that came, or 0 */
    sigset_t saved; /* the mask before, which workers get and cb_interrupt_close() restores */
} cb_interrupt;

/* From here on the three signals no longer end the program by themselves. */
cb_status cb_interrupt_open(cb_interrupt *interrupt, cb_err *err);

/* True when a signal has come; does not wait. */
bool cb_interrupt_came(cb_interrupt *interrupt);

/* Signals act again as they did before; one that has come but was not noticed acts now. */
void cb_interrupt_close(cb_interrupt *interrupt);

#endif
