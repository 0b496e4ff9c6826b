/* The reporters: pure functions of a result that write to an open stream. The caller checks the stream
 * afterwards. */
#ifndef CB_REPORT_REPORT_H
#define CB_REPORT_REPORT_H

#include "cli/config.h"
#include "report/result.h"

#include <stdio.h>

typedef struct cb_report_style {
    bool color;     /* ANSI colours */
    bool quiet;     /* no notes below the table */
    bool verbose;   /* builds of the libraries, spread of every row */
    unsigned width; /* columns of the terminal; 0 = not a terminal, no limit */
} cb_report_style;

typedef struct cb_reporter {
    cb_format format;
    const char *name;    /* as -f takes it */
    const char *endings; /* file endings, comma-separated, without dots: "json" */
    cb_status (*write)(FILE *stream, const cb_result *result, const cb_report_style *style, cb_err *err);
} cb_reporter;

/* All reporters, const, in the order --help shows them. */
const cb_reporter *cb_reporters(size_t *n);
const cb_reporter *cb_reporter_by_format(cb_format format);
/* By the ending of a file name; NULL when no reporter claims it. */
const cb_reporter *cb_reporter_by_path(const char *path);

cb_status cb_report_table(FILE *stream, const cb_result *result, const cb_report_style *style, cb_err *err);
cb_status cb_report_json(FILE *stream, const cb_result *result, const cb_report_style *style, cb_err *err);
cb_status cb_report_csv(FILE *stream, const cb_result *result, const cb_report_style *style, cb_err *err);

/* `crypto_bench list`, as a table or as JSON; CB_BAD_ARGUMENT for any other format. plan may be NULL: every
 * operation and every library. */
cb_status cb_report_list(FILE *stream, const cb_catalogue *catalogue, const cb_plan *plan, cb_format format,
                         cb_err *err);

/* `crypto_bench doctor`, as a table or as JSON; CB_BAD_ARGUMENT for any other format. */
cb_status cb_report_doctor(FILE *stream, const cb_environment *environment, const cb_catalogue *catalogue,
                           cb_format format, cb_err *err);

#endif
