#include "report/progress.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define REDRAW_NS     100000000u
#define DEFAULT_WIDTH 80
#define BAR_CELLS     20
#define MIN_LABEL     8
#define LINE_BYTES    512
#define TO_LINE_END   "\x1b[K"

static bool is_capable(FILE *stream)
{
    const char *term = getenv("TERM");
    return stream != NULL && isatty(fileno(stream)) && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0;
}

static unsigned terminal_width(FILE *stream)
{
    struct winsize size;
    bool known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : DEFAULT_WIDTH;
}

void cb_progress_start(cb_progress *progress, FILE *stream, bool enabled, uint64_t now_ns)
{
    bool on = enabled && is_capable(stream);
    *progress = (cb_progress){.stream = on ? stream : NULL,
                              .width = on ? terminal_width(stream) : DEFAULT_WIDTH,
                              .started_ns = now_ns};
}

void cb_progress_update(cb_progress *progress, double done, const char *phase, const char *label,
                        uint64_t now_ns)
{
    if (progress->stream == NULL || (progress->visible && now_ns - progress->drawn_ns < REDRAW_NS))
        return;
    char line[LINE_BYTES];
    /* A terminal may be resized; and a line that fills the last column wraps on some. */
    progress->width = terminal_width(progress->stream);
    cb_progress_format(line, sizeof line, progress->width - 1, done,
                       (double)(now_ns - progress->started_ns) / 1e9, phase, label);
    (void)fprintf(progress->stream, "\r%s" TO_LINE_END, line);
    (void)fflush(progress->stream);
    progress->drawn_ns = now_ns;
    progress->visible = true;
}

void cb_progress_clear(cb_progress *progress)
{
    if (progress->stream == NULL || !progress->visible)
        return;
    (void)fputs("\r" TO_LINE_END, progress->stream);
    (void)fflush(progress->stream);
    progress->visible = false;
}

/* "0:07", "12:34", "1:02:03". */
static void write_duration(char *text, size_t size, double seconds)
{
    unsigned long s = (unsigned long)(seconds + 0.5);
    if (s >= 3600)
        (void)snprintf(text, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else
        (void)snprintf(text, size, "%lu:%02lu", s / 60, s % 60);
}

/* Nothing can be said before something is done, nor of times beyond reason. */
static void write_left(char *text, size_t size, double done, double elapsed_s)
{
    double left_s = done > 0 ? elapsed_s * (1 - done) / done : INFINITY;
    char duration[32];
    if (!(left_s < 1e6)) {
        (void)snprintf(text, size, "-:-- left");
        return;
    }
    write_duration(duration, sizeof duration, left_s);
    (void)snprintf(text, size, "%s left", duration);
}

static void write_bar(char bar[BAR_CELLS + 3], double done)
{
    size_t filled = (size_t)(done * BAR_CELLS);
    bar[0] = '[';
    memset(bar + 1, '#', filled);
    memset(bar + 1 + filled, '-', BAR_CELLS - filled);
    bar[BAR_CELLS + 1] = ']';
    bar[BAR_CELLS + 2] = '\0';
}

/* Cuts at a character, so that half of one never reaches the terminal. */
static void cut(char *line, size_t bytes)
{
    if (strlen(line) <= bytes)
        return;
    while (bytes > 0 && ((unsigned char)line[bytes] & 0xC0) == 0x80)
        bytes--;
    line[bytes] = '\0';
}

/* Appends the label in at most room columns. Its end tells cases apart, so the beginning goes first. */
static void append_label(char *line, size_t size, const char *label, size_t room)
{
    size_t n = strlen(label), used = strlen(line);
    if (n <= room) {
        (void)snprintf(line + used, size - used, "  %s", label);
        return;
    }
    const char *tail = label + n - (room - 3);
    while (((unsigned char)*tail & 0xC0) == 0x80)
        tail++;
    (void)snprintf(line + used, size - used, "  ...%s", tail);
}

void cb_progress_format(char *line, size_t size, unsigned width, double done, double elapsed_s,
                        const char *phase, const char *label)
{
    char bar[BAR_CELLS + 3], left[48];
    double share = done > 0 ? fmin(done, 1) : 0;
    write_bar(bar, share);
    write_left(left, sizeof left, share, elapsed_s);
    (void)snprintf(line, size, "%s %3d %%  %s  %s", bar, (int)(share * 100), left, phase);
    size_t used = strlen(line);
    if (label[0] != '\0' && used + 2 + MIN_LABEL <= width)
        append_label(line, size, label, width - used - 2);
    cut(line, width < size ? width : size - 1);
}
