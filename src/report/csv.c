/* Comma-separated values after RFC 4180: CR LF line ends, quotes where a cell needs them, one row per result
 * row. An empty cell is a value that does not exist. */
#include "report/report.h"
#include "report/row.h"
#include "report/utf8.h"
#include "system/redact.h"

#include <inttypes.h>
#include <math.h>

static const char header[] = "id,family,algorithm,operation,size,contestant,version,status,message,median_ns,"
                             "ci_low_ns,ci_high_ns,p10_ns,"
                             "p90_ns,batch_p99_ns,min_ns,mean_ns,first_call_ns,ops_per_s,bytes_per_s,"
                             "reference,ratio,ratio_low,ratio_high,"
                             "verdict,replicates,iterations\r\n";

/* Spreadsheets take a cell that begins like this for a formula and run it. */
static bool looks_like_formula(const char *text)
{
    return text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL;
}

static void write_quoted(FILE *stream, const char *text)
{
    bool formula = looks_like_formula(text);
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        (void)fputc('"', stream);
    if (formula)
        (void)fputc('\'', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            (void)fputc('"', stream);
        (void)fputc(*text, stream);
    }
    if (quoted)
        (void)fputc('"', stream);
}

/* Writes text and the comma behind it. False when out of memory. */
static bool write_text(FILE *stream, const char *text)
{
    char *redacted = cb_redact_environment(text != NULL ? text : "");
    char *clean = redacted != NULL ? cb_utf8_clean(redacted) : NULL;
    bool ok = clean != NULL;
    if (ok) {
        write_quoted(stream, clean);
        (void)fputc(',', stream);
    }
    free(clean);
    free(redacted);
    return ok;
}

static void write_number(FILE *stream, double number)
{
    if (isfinite(number))
        (void)fprintf(stream, "%.10g", number);
    (void)fputc(',', stream);
}

/* Id and its parts, size, contestant, version, status, message. */
static bool write_names(FILE *stream, const cb_result *result, const cb_result_row *row)
{
    const cb_group *group = cb_row_group(result, row);
    const cb_contestant *contestant = cb_row_contestant(result, row);
    bool ok = write_text(stream, group->id);
    for (unsigned part = 0; part < 3; part++) {
        cb_id_part name = cb_operation_part(group->op, part);
        (void)fprintf(stream, "%.*s,", (int)name.n, name.p);
    }
    (void)fprintf(stream, "%zu,", group->msg_bytes);
    return ok && write_text(stream, contestant->name) && write_text(stream, contestant->entry->version) &&
           write_text(stream, cb_status_word(cb_row_status(row))) &&
           write_text(stream, cb_row_message(result, row));
}

static void write_figures(FILE *stream, const cb_result *result, const cb_result_row *row)
{
    const cb_summary *s = &row->summary;
    const double figures[] = {
        s->median_ns.value, s->median_ns.low, s->median_ns.high, s->p10_ns,        s->p90_ns,
        s->batch_p99_ns,    s->min_ns,        s->mean_ns,        s->first_call_ns,
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        write_number(stream, row->measured ? figures[i] : NAN);
    write_number(stream, cb_row_operations_per_s(row));
    write_number(stream, cb_row_bytes_per_s(result, row));
}

static bool write_comparison(FILE *stream, const cb_result *result, const cb_result_row *row)
{
    const cb_result_comparison *comparison = cb_row_comparison(result, row);
    if (comparison == NULL) {
        (void)fputs(",,,,,", stream);
        return true;
    }
    const char *reference =
        cb_group_contestant_name(result->plan, cb_row_group(result, row), comparison->reference_seat);
    bool ok = write_text(stream, reference);
    write_number(stream, comparison->ratio.ratio.value);
    write_number(stream, comparison->ratio.ratio.low);
    write_number(stream, comparison->ratio.ratio.high);
    return ok && write_text(stream, cb_verdict_word(comparison->ratio.verdict));
}

static bool write_row(FILE *stream, const cb_result *result, const cb_result_row *row)
{
    if (!write_names(stream, result, row))
        return false;
    write_figures(stream, result, row);
    if (!write_comparison(stream, result, row))
        return false;
    if (row->measured)
        (void)fprintf(stream, "%zu,%" PRIu64 "\r\n", row->summary.replicates, row->samples->iterations);
    else
        (void)fputs(",\r\n", stream);
    return true;
}

cb_status cb_report_csv(FILE *stream, const cb_result *result, const cb_report_style *style, cb_err *err)
{
    (void)style;
    (void)fputs(header, stream);
    for (size_t i = 0; i < result->n_rows; i++)
        if (!write_row(stream, result, &result->rows[i]))
            return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the CSV report");
    return CB_OK;
}
