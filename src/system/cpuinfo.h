/* The processor as /proc/cpuinfo describes it. */
#ifndef CB_SYSTEM_CPUINFO_H
#define CB_SYSTEM_CPUINFO_H

#include <stdbool.h>

typedef struct cb_cpuinfo {
    char name[96];        /* model name; "" when the file does not say */
    char features[256];   /* those that crypto code dispatches on, space-separated, in a fixed order */
    bool says_hypervisor; /* this architecture lists a flag when the processor is a virtual one */
    bool hypervisor;      /* the flag is there */
} cb_cpuinfo;

/* Describes CPU number cpu, or the first one when the file does not list that number: cores of one machine
 * may differ. What cannot be read stays empty. root: see cb_textfile_open(). */
void cb_cpuinfo_read(cb_cpuinfo *info, const char *root, int cpu);

#endif
