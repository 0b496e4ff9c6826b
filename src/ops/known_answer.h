/* Checks of one kernel by itself: published answers, and forgeries that must be refused. */
#ifndef CB_OPS_KNOWN_ANSWER_H
#define CB_OPS_KNOWN_ANSWER_H

#include "ops/operation.h"

#include <crypto_bench/backend.h>

/* Runs the operation's published answers on the kernel, and each of them with one bit of aux flipped where
 * the operation refuses forgeries. CB_WRONG_OUTPUT names the source of the answer that was not met. */
cb_status cb_known_answers_check(const cb_operation *op, const cb_backend *backend, void *ctx,
                                 const cb_kernel *kernel, cb_err *err);

#endif
