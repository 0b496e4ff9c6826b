#include "report/row.h"

#include <math.h>

#define NS_PER_S 1e9

const cb_group *cb_row_group(const cb_result *result, const cb_result_row *row)
{
    return &result->plan->groups[row->group];
}

const char *cb_group_contestant_name(const cb_plan *plan, const cb_group *group, size_t seat)
{
    return plan->contestants[group->seats[seat].contestant].name;
}

const cb_contestant *cb_row_contestant(const cb_result *result, const cb_result_row *row)
{
    return &result->plan->contestants[cb_row_group(result, row)->seats[row->seat].contestant];
}

cb_status cb_row_status(const cb_result_row *row)
{
    if (row->measured)
        return CB_OK;
    cb_status status = row->samples != NULL ? row->samples->status.code : CB_UNSUPPORTED;
    return status != CB_OK ? status : CB_UNSUPPORTED;
}

const char *cb_row_message(const cb_result *result, const cb_result_row *row)
{
    if (row->measured)
        return NULL;
    if (row->samples != NULL && row->samples->status.code != CB_OK)
        return row->samples->status.msg;
    const cb_seat *seat = &cb_row_group(result, row)->seats[row->seat];
    return seat->absent ? seat->reason : "no round was measured";
}

const cb_result_comparison *cb_row_comparison(const cb_result *result, const cb_result_row *row)
{
    for (size_t i = 0; i < result->n_comparisons; i++) {
        const cb_result_comparison *comparison = &result->comparisons[i];
        if (comparison->group == row->group && comparison->seat == row->seat)
            return comparison;
    }
    return NULL;
}

bool cb_row_is_reference(const cb_result *result, const cb_result_row *row)
{
    for (size_t i = 0; i < result->n_comparisons; i++) {
        const cb_result_comparison *comparison = &result->comparisons[i];
        if (comparison->group == row->group && comparison->reference_seat == row->seat)
            return true;
    }
    return false;
}

double cb_row_operations_per_s(const cb_result_row *row)
{
    bool known = row->measured && row->summary.median_ns.value > 0;
    return known ? NS_PER_S / row->summary.median_ns.value : NAN;
}

double cb_row_bytes_per_s(const cb_result *result, const cb_result_row *row)
{
    size_t bytes = cb_row_group(result, row)->msg_bytes;
    return bytes > 0 ? cb_row_operations_per_s(row) * (double)bytes : NAN;
}
