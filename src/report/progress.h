/* The progress line on a terminal's stderr: a bar, the time left, the current case. Nothing when stderr is no
 * terminal. */
#ifndef CB_REPORT_PROGRESS_H
#define CB_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cb_progress {
    FILE *stream;   /* stderr, or NULL when progress is off */
    unsigned width; /* columns */
    uint64_t started_ns, drawn_ns;
    bool visible; /* a line is on the screen */
} cb_progress;

/* enabled: what the command line allows. The line appears only when the stream is a terminal that is not
 * "dumb". */
void cb_progress_start(cb_progress *progress, FILE *stream, bool enabled, uint64_t now_ns);

/* Redraws at most ten times a second. done: 0..1; phase: "replicate 3/8"; label: the current case, shortened
 * to fit. */
void cb_progress_update(cb_progress *progress, double done, const char *phase, const char *label,
                        uint64_t now_ns);

/* Takes the line off the screen, before anything else is printed. Can be called at any time. */
void cb_progress_clear(cb_progress *progress);

/* The line itself, as text of at most width columns (pure; for tests). Terminated, truncated to size. */
void cb_progress_format(char *line, size_t size, unsigned width, double done, double elapsed_s,
                        const char *phase, const char *label);

#endif
