#include "report/report.h"

#include <string.h>
#include <strings.h>

static const cb_reporter reporters[] = {
    {.format = CB_FORMAT_TABLE, .name = "table", .endings = "txt", .write = cb_report_table},
    {.format = CB_FORMAT_JSON, .name = "json", .endings = "json", .write = cb_report_json},
    {.format = CB_FORMAT_CSV, .name = "csv", .endings = "csv", .write = cb_report_csv},
};
#define N_REPORTERS (sizeof reporters / sizeof reporters[0])

const cb_reporter *cb_reporters(size_t *n)
{
    *n = N_REPORTERS;
    return reporters;
}

const cb_reporter *cb_reporter_by_format(cb_format format)
{
    for (size_t i = 0; i < N_REPORTERS; i++)
        if (reporters[i].format == format)
            return &reporters[i];
    return NULL;
}

/* Whether a comma-separated list has the ending, in capitals or not. */
static bool has_ending(const char *list, const char *ending)
{
    size_t wanted = strlen(ending);
    while (wanted > 0) {
        size_t n = strcspn(list, ",");
        if (n == wanted && strncasecmp(list, ending, n) == 0)
            return true;
        if (list[n] == '\0')
            return false;
        list += n + 1;
    }
    return false;
}

const cb_reporter *cb_reporter_by_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    for (size_t i = 0; dot != NULL && i < N_REPORTERS; i++)
        if (has_ending(reporters[i].endings, dot + 1))
            return &reporters[i];
    return NULL;
}
