/* The result file: strict JSON, the top level and every row on a line of its own, so that a file of a long
 * run is neither one endless line nor one number a line. Seeds are strings of digits: they use all 64 bits,
 * and many readers keep numbers as doubles. */
#include "report/json_environment.h"
#include "report/json_row.h"
#include "report/json_value.h"
#include "report/report.h"

#define SCHEMA "crypto_bench/1"

static json_t *tool_object(const cb_tool *tool)
{
    json_t *o = json_object();
    bool ok = cb_json_put(o, "version", cb_json_text(tool->version)) &&
              cb_json_put(o, "commit", cb_json_text(tool->commit)) &&
              cb_json_put(o, "compiler", cb_json_public_text(tool->compiler)) &&
              cb_json_put(o, "flags", cb_json_public_text(tool->flags));
    return cb_json_finish(o, ok);
}

/* Contestants without a usable library have no entry here; their rows say why. */
static json_t *libraries_array(const cb_plan *plan)
{
    json_t *array = json_array();
    bool ok = true;
    for (size_t i = 0; ok && i < plan->n_contestants; i++) {
        const cb_contestant *contestant = &plan->contestants[i];
        if (contestant->entry->absent.code == CB_OK)
            ok = cb_json_append(array, cb_json_library(contestant->name, contestant->entry));
    }
    return cb_json_finish(array, ok);
}

static cb_status write_head(FILE *stream, const cb_result *result, cb_err *err)
{
    struct {
        const char *key;
        json_t *value;
    } members[] = {
        {"schema", json_string(SCHEMA)},
        {"complete", json_boolean(result->complete)},
        {"tool", tool_object(&result->tool)},
        {"seed", cb_json_digits(result->plan->schedule.seed)},
        {"command", cb_json_public_text(result->command)},
        {"environment", cb_json_environment(result->environment)},
        {"libraries", libraries_array(result->plan)},
    };
    cb_status status = CB_OK;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (status == CB_OK)
            status = cb_json_write_member(stream, i == 0, members[i].key, members[i].value, err);
        else
            json_decref(members[i].value);
    }
    return status;
}

cb_status cb_report_json(FILE *stream, const cb_result *result, const cb_report_style *style, cb_err *err)
{
    (void)style;
    (void)fputs("{\n", stream);
    cb_status status = write_head(stream, result, err);
    if (status == CB_OK)
        status = cb_json_write_array(stream, "results", result->n_rows, cb_json_row, result, err);
    if (status == CB_OK)
        status = cb_json_write_array(stream, "comparisons", result->n_comparisons, cb_json_comparison, result,
                                     err);
    if (status == CB_OK)
        (void)fputs("\n}\n", stream);
    return status;
}
