/* The table that people read: one heading per operation, one line per size and contestant, the fastest first,
 * rows without a number last. */
#include "report/report.h"
#include "report/row.h"
#include "report/table_cells.h"
#include "report/table_notes.h"
#include "report/text.h"
#include "report/utf8.h"

#include <string.h>

/* Column widths that fit every row of the table. */
typedef struct widths {
    int size, contestant, time, width, speed;
} widths;

static const char *const colors[] = {
    [CB_TONE_PLAIN] = "", [CB_TONE_GOOD] = "\x1b[32m", [CB_TONE_BAD] = "\x1b[31m"};
#define BOLD  "\x1b[1m"
#define RESET "\x1b[0m"

static int ascending(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b)
{
    const cb_result_row *x = ((const cb_table_cells *)a)->row, *y = ((const cb_table_cells *)b)->row;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->measured != y->measured)
        return x->measured ? -1 : 1;
    int by_time = x->measured ? ascending(x->summary.median_ns.value, y->summary.median_ns.value) : 0;
    return by_time != 0 ? by_time : ascending((double)x->seat, (double)y->seat);
}

static void widen(int *width, const char *cell)
{
    int columns = (int)cb_utf8_columns(cell);
    if (columns > *width)
        *width = columns;
}

static widths measure_columns(const cb_table_cells *cells, size_t n)
{
    widths w = {.size = 7, .contestant = 10, .time = 8, .width = 7, .speed = 10};
    for (size_t i = 0; i < n; i++) {
        widen(&w.size, cells[i].size);
        widen(&w.contestant, cells[i].contestant);
        widen(&w.time, cells[i].time);
        widen(&w.width, cells[i].width);
        widen(&w.speed, cells[i].speed);
    }
    return w;
}

/* What follows the size in a case id: parameters that are not the operation's own. */
static const char *id_parameters(const cb_group *group)
{
    const char *mark = strchr(group->id, '?');
    return mark != NULL ? mark : "";
}

static bool same_heading(const cb_group *a, const cb_group *b)
{
    return a->op == b->op && a->aad_bytes == b->aad_bytes && strcmp(id_parameters(a), id_parameters(b)) == 0;
}

static void print_heading(FILE *stream, const cb_group *group, const cb_report_style *style)
{
    const char *parameters = id_parameters(group), *work = group->op->work;
    char aad[CB_CELL_BYTES + 16] = "";
    if (group->aad_bytes > 0) {
        char size[CB_CELL_BYTES];
        cb_units_size(size, group->aad_bytes);
        (void)snprintf(aad, sizeof aad, " with %s of AAD", size);
    }
    (void)fprintf(stream, "\n%s%s%s%s%s", style->color ? BOLD : "", group->op->id, parameters, aad,
                  style->color ? RESET : "");
    if (work != NULL && work[0] != '\0') {
        size_t column = strlen(group->op->id) + strlen(parameters) + strlen(aad) + 2;
        (void)fputs(": ", stream);
        cb_text_wrap(stream, work,
                     &(cb_text_place){.width = style->width, .column = (unsigned)column, .indent = 2});
    }
    (void)fputc('\n', stream);
}

static void print_toned(FILE *stream, const char *text, cb_tone tone, const cb_report_style *style)
{
    bool colored = style->color && tone != CB_TONE_PLAIN;
    (void)fprintf(stream, "%s%s%s", colored ? colors[tone] : "", text, colored ? RESET : "");
}

static void print_status(FILE *stream, const cb_table_cells *cells, const widths *w,
                         const cb_report_style *style)
{
    print_toned(stream, cells->word, cells->tone, style);
    if (cells->message[0] == '\0')
        return;
    unsigned indent = (unsigned)(w->size + 2 + w->contestant + 2);
    (void)fputs(": ", stream);
    cb_text_wrap(stream, cells->message,
                 &(cb_text_place){.width = style->width,
                                  .column = indent + (unsigned)strlen(cells->word) + 2,
                                  .indent = indent + 2});
}

static void print_cells(FILE *stream, const cb_table_cells *cells, bool first_of_group, const widths *w,
                        const cb_report_style *style)
{
    (void)fprintf(stream, "%*s  ", w->size, first_of_group ? cells->size : "");
    cb_text_print(stream, cells->contestant);
    (void)fprintf(stream, "%*s  ", w->contestant - (int)cb_utf8_columns(cells->contestant), "");
    if (cells->word != NULL) {
        print_status(stream, cells, w, style);
    } else {
        (void)fprintf(stream, "%*s %-*s  %*s", w->time, cells->time, w->width, cells->width, w->speed,
                      cells->speed);
        if (cells->comparison[0] != '\0')
            (void)fputs("  ", stream);
        print_toned(stream, cells->comparison, cells->tone, style);
    }
    (void)fputc('\n', stream);
}

/* The rest of what is known of a row, for --verbose. */
static void print_spread(FILE *stream, const cb_result_row *row, const widths *w)
{
    const cb_summary *s = &row->summary;
    const struct {
        const char *name;
        double ns;
    } figures[] = {{"min", s->min_ns},       {"p10", s->p10_ns},   {"p90", s->p90_ns},
                   {"p99", s->batch_p99_ns}, {"mean", s->mean_ns}, {"first call", s->first_call_ns}};
    (void)fprintf(stream, "%*s", w->size + 2 + w->contestant + 2, "");
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        char cell[CB_CELL_BYTES];
        cb_units_time(cell, figures[i].ns);
        (void)fprintf(stream, "%s %s, ", figures[i].name, cell);
    }
    (void)fprintf(stream, "%zu rounds\n", s->rounds);
}

static void print_rows(FILE *stream, const cb_result *result, const cb_table_cells *cells,
                       const cb_report_style *style)
{
    widths w = measure_columns(cells, result->n_rows);
    (void)fprintf(stream, "\n%*s  %-*s  %*s  %*s  %s\n", w.size, "size", w.contestant, "contestant",
                  w.time + 1 + w.width, "median time  ", w.speed, "throughput", "against the reference");
    const cb_group *heading = NULL;
    for (size_t i = 0; i < result->n_rows; i++) {
        const cb_group *group = cb_row_group(result, cells[i].row);
        bool headed = heading == NULL || !same_heading(heading, group);
        if (headed)
            print_heading(stream, group, style);
        bool first = headed || cells[i].row->group != cells[i - 1].row->group;
        print_cells(stream, &cells[i], first, &w, style);
        if (style->verbose && cells[i].row->measured)
            print_spread(stream, cells[i].row, &w);
        heading = group;
    }
}

cb_status cb_report_table(FILE *stream, const cb_result *result, const cb_report_style *style, cb_err *err)
{
    cb_table_cells *cells = calloc(result->n_rows + 1, sizeof *cells);
    if (cells == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a table of %zu rows", result->n_rows);
    for (size_t i = 0; i < result->n_rows; i++)
        cb_table_cells_make(&cells[i], result, &result->rows[i]);
    qsort(cells, result->n_rows, sizeof *cells, compare_rows);
    cb_table_intro(stream, result, style);
    cb_table_libraries(stream, result, style);
    if (result->n_rows > 0)
        print_rows(stream, result, cells, style);
    free(cells);
    if (!style->quiet)
        cb_table_notes(stream, result, style);
    return CB_OK;
}
