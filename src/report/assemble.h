/* Plan and samples -> result: every summary and comparison, in plan order. */
#ifndef CB_REPORT_ASSEMBLE_H
#define CB_REPORT_ASSEMBLE_H

#include "measure/runner.h"
#include "report/result.h"

/* Fills result->rows and result->comparisons; the caller has set the other fields. A group that was never
 * reached gives no row, a group's reference is its first measured seat. The result borrows plan and
 * measurement, whose rows learn the control level of the run. CB_OUT_OF_MEMORY leaves nothing to free. */
cb_status cb_result_assemble(cb_result *result, cb_measurement *measurement, cb_err *err);

/* Frees rows, comparisons and command. */
void cb_result_free(cb_result *result);

/* True when a row that was asked for has no number: it failed, or its contestant was named and cannot do it.
 */
bool cb_result_has_failures(const cb_result *result);

#endif
