/* The control kernel: a fixed piece of work of our own, about 10 us, run and timed just before every batch.
 *
 * It warms the core up after the change of process, and its duration tells what the host's neighbours left of
 * the core: it keeps issue slots, multipliers, vector units and the first-level cache busy, which are what a
 * sibling hyperthread takes. The work is the same for every contestant and never changes, so that its
 * durations compare across contestants, replicates and runs. */
#ifndef CB_WORKER_CONTROL_H
#define CB_WORKER_CONTROL_H

#include <stdint.h>

#define CB_CONTROL_WORDS 2048 /* 16 KiB */

typedef struct cb_control {
    _Alignas(64) uint64_t words[CB_CONTROL_WORDS];
} cb_control;

void cb_control_init(cb_control *control);

/* The part that is not timed: clean vector registers, whatever ran before, and a quarter of the work, which
 * brings the control's own words back into the first-level cache. A contestant with a large message leaves
 * none of them there, and that is not the neighbours' doing. */
uint64_t cb_control_warm(cb_control *control);

/* The timed part. Both results depend on all of the work, so that the compiler can leave nothing out. */
uint64_t cb_control_run(cb_control *control);

#endif
