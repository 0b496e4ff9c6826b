/* From what is known of the machine to what is wrong with it: pure, so that tests need no machine. */
#ifndef CB_SYSTEM_FINDINGS_H
#define CB_SYSTEM_FINDINGS_H

#include "system/environment.h"

/* What only findings need beyond cb_environment. */
typedef struct cb_facts {
    const char
        *turbo_off;    /* the command that turns turbo off; NULL when it is off or the system does not say */
    double quota_cpus; /* CPUs' worth of time that control groups leave to this process; NaN = no limit */
    unsigned core_threads; /* hardware threads of the measuring CPU's core; 0 when unknown */
    bool tsc_offered;      /* the kernel could use the time-stamp counter as its clock */
    bool slow_build;       /* built without optimisation or with sanitizers */
} cb_facts;

/* Adds a finding for everything in environment and facts that makes numbers less trustworthy. */
void cb_findings_judge(cb_environment *environment, const cb_facts *facts);

#endif
