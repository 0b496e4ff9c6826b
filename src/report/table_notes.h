/* The sentences above and below the table. */
#ifndef CB_REPORT_TABLE_NOTES_H
#define CB_REPORT_TABLE_NOTES_H

#include "report/report.h"

/* One line: processor, measuring CPU, replicates, and whether the run is incomplete. */
void cb_table_intro(FILE *stream, const cb_result *result, const cb_report_style *style);

/* The contestants with their versions, in one line; with style->verbose a line each, with the build. */
void cb_table_libraries(FILE *stream, const cb_result *result, const cb_report_style *style);

/* How to read and repeat the run, then what limits its numbers and what would help. */
void cb_table_notes(FILE *stream, const cb_result *result, const cb_report_style *style);

#endif
