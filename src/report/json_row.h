/* Rows and comparisons of a result as JSON. */
#ifndef CB_REPORT_JSON_ROW_H
#define CB_REPORT_JSON_ROW_H

#include "report/result.h"

#include <jansson.h>

/* Entry i of "results" and of "comparisons". Makers (cb_json_maker) whose context is the result. NULL when
 * out of memory. */
json_t *cb_json_row(const void *result, size_t i);
json_t *cb_json_comparison(const void *result, size_t i);

#endif
