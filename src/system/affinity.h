/* The CPU on which everything is measured. */
#ifndef CB_SYSTEM_AFFINITY_H
#define CB_SYSTEM_AFFINITY_H

#include <crypto_bench/status.h>

/* wanted >= 0: that CPU, CB_BAD_ARGUMENT with the allowed ones in err->msg when this process may not run
 * there. wanted < 0: the last allowed CPU, because the first ones serve most interrupts. */
cb_status cb_affinity_choose(int wanted, int *cpu, cb_err *err);

/* Binds the calling thread to the CPU. CB_IO when the system refuses. */
cb_status cb_affinity_pin(int cpu, cb_err *err);

/* Number of CPUs this process may run on; 0 when unknown. */
unsigned cb_affinity_count(void);

#endif
