/* The names and words behind the indices of a result: what every reporter asks of a row. */
#ifndef CB_REPORT_ROW_H
#define CB_REPORT_ROW_H

#include "report/result.h"

const cb_group *cb_row_group(const cb_result *result, const cb_result_row *row);
const cb_contestant *cb_row_contestant(const cb_result *result, const cb_result_row *row);
/* The name of the contestant in a seat of the group. */
const char *cb_group_contestant_name(const cb_plan *plan, const cb_group *group, size_t seat);

/* CB_OK only for a row with a number. A row that is neither measured nor failed has no rounds:
 * CB_UNSUPPORTED.
 */
cb_status cb_row_status(const cb_result_row *row);
/* The sentence for a status other than CB_OK, possibly ""; NULL for CB_OK. Borrowed from the result. */
const char *cb_row_message(const cb_result *result, const cb_result_row *row);

/* The row's comparison with its group's reference, or NULL. */
const cb_result_comparison *cb_row_comparison(const cb_result *result, const cb_result_row *row);
/* Whether others are compared with this row. */
bool cb_row_is_reference(const cb_result *result, const cb_result_row *row);

/* Of the median; NaN where the row has no number, and for bytes where the message is empty. */
double cb_row_operations_per_s(const cb_result_row *row);
double cb_row_bytes_per_s(const cb_result *result, const cb_result_row *row);

#endif
