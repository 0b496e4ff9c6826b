/* What the rogue worker and the tests that start it agree on. */
#ifndef CB_UNIT_ROGUE_WORKER_H
#define CB_UNIT_ROGUE_WORKER_H

/* A worker that ends by itself at the end of its input first writes a byte here, where a test has left a
 * pipe. */
#define ROGUE_LEAVING_FD 20
/* Descriptors below this one are counted. */
#define ROGUE_FILES_MAX  64
#define ROGUE_LAST_WORDS "last words"
/* What the honest part of it answers. */
#define ROGUE_SLOTS    2
#define ROGUE_BATCH    1000
#define ROGUE_BATCH_NS 100000
#define ROGUE_ROUND_NS 90000
#define ROGUE_REFUSAL  "not on this machine"

#endif
