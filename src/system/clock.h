/* The clock behind every figure, as a value that tests replace by a script. */
#ifndef CB_SYSTEM_CLOCK_H
#define CB_SYSTEM_CLOCK_H

#include <stdint.h>

typedef struct cb_clock {
    uint64_t (*wall_ns)(void *user);  /* monotonic */
    uint64_t (*cpu_ns)(void *user);   /* CPU time of the calling thread */
    uint64_t (*switches)(void *user); /* involuntary context switches of the calling thread so far */
    int (*cpu)(void *user);           /* CPU it runs on, or -1 */
    void *user;
} cb_clock;

/* CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, getrusage(RUSAGE_THREAD), sched_getcpu. */
cb_clock cb_clock_system(void);

#endif
