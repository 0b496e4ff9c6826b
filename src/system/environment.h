/* The machine as far as it decides how far a number can be trusted. Nothing personal: no host, user or home
 * names. */
#ifndef CB_SYSTEM_ENVIRONMENT_H
#define CB_SYSTEM_ENVIRONMENT_H

#include <crypto_bench/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something that makes numbers less trustworthy, and what to do about it. */
typedef struct cb_finding {
    char what[160];
    char remedy[160]; /* "" when there is none */
} cb_finding;

#define CB_FINDINGS_MAX 16

typedef struct cb_environment {
    char cpu[96];        /* model name */
    char features[256];  /* those that crypto code dispatches on, space-separated: "aes pclmulqdq avx2 ..." */
    char kernel[96];     /* "Linux 6.1.0 x86_64" */
    char clock[32];      /* the kernel's clock source, or "" when unknown */
    char governor[32];   /* "" when the system does not say */
    char hypervisor[32]; /* "" on bare metal */
    bool virtualised;
    unsigned cpus_online, cpus_allowed;
    int measuring_cpu;    /* -1 until chosen */
    double load1;         /* one-minute load average; NaN when unknown */
    double clock_read_ns; /* cost of reading the clock */
    double tsc_ghz;       /* rate of the time-stamp or generic counter; NaN when there is none */
    cb_finding findings[CB_FINDINGS_MAX];
    size_t n_findings;
} cb_environment;

/* Reads /proc, /sys and the clock: about 20 ms. Never fails: what cannot be read stays empty and may become a
 * finding. cpu: the measuring CPU or -1. */
void cb_environment_read(cb_environment *environment, int cpu);

/* The part of it that is in files below root ("" for the real system; tests give a folder with proc/ and sys/
 * of their own), with the findings that follow from it. The rest stays unknown: kernel "", cpus_allowed and
 * clock_read_ns 0, tsc_ghz NaN. */
void cb_environment_read_from(cb_environment *environment, const char *root, int cpu);

/* Adds a finding; silently full after CB_FINDINGS_MAX. remedy may be NULL. */
void cb_environment_add(cb_environment *environment, const char *what, const char *remedy);

#endif
