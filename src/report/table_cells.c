#include "report/table_cells.h"

#include "report/row.h"

#include <math.h>

/* The wider side of the interval, relative to the value; NaN where there is no interval. */
static double half_width(const cb_estimate *e)
{
    return fmax(e->high - e->value, e->value - e->low) / e->value;
}

static cb_estimate inverse(const cb_estimate *e)
{
    return (cb_estimate){.value = 1 / e->value, .low = 1 / e->high, .high = 1 / e->low};
}

static void factor_words(char *words, const cb_estimate *factor, const char *how)
{
    char times[CB_CELL_BYTES], width[CB_CELL_BYTES];
    cb_units_factor(times, factor->value);
    cb_units_percent(width, half_width(factor));
    (void)snprintf(words, CB_COMPARISON_BYTES, "%s %s +-%s", times, how, width);
}

static void equal_words(char *words, const cb_estimate *ratio)
{
    char width[CB_CELL_BYTES];
    cb_units_percent(width, fmax(fabs(ratio->high - 1), fabs(1 - ratio->low)));
    (void)snprintf(words, CB_COMPARISON_BYTES, "equal within %s", width);
}

static void unclear_words(char *words, const cb_estimate *speed)
{
    if (isfinite(speed->low) && isfinite(speed->high))
        (void)snprintf(words, CB_COMPARISON_BYTES, "unclear: %.3fx to %.3fx", speed->low, speed->high);
    else
        (void)snprintf(words, CB_COMPARISON_BYTES, "unclear: about %.2fx", speed->value);
}

void cb_ratio_words(char words[CB_COMPARISON_BYTES], const cb_ratio *ratio)
{
    cb_estimate speed = inverse(&ratio->ratio);
    switch (ratio->verdict) {
    case CB_FASTER:
        factor_words(words, &speed, "faster");
        break;
    case CB_SLOWER:
        factor_words(words, &ratio->ratio, "slower");
        break;
    case CB_EQUIVALENT:
        equal_words(words, &ratio->ratio);
        break;
    case CB_INCONCLUSIVE:
        unclear_words(words, &speed);
        break;
    }
}

static void make_comparison(cb_table_cells *cells, const cb_result *result)
{
    const cb_result_comparison *comparison = cb_row_comparison(result, cells->row);
    if (comparison != NULL) {
        cb_ratio_words(cells->comparison, &comparison->ratio);
        if (comparison->ratio.verdict == CB_FASTER)
            cells->tone = CB_TONE_GOOD;
        if (comparison->ratio.verdict == CB_SLOWER)
            cells->tone = CB_TONE_BAD;
    } else if (cb_row_is_reference(result, cells->row)) {
        (void)snprintf(cells->comparison, sizeof cells->comparison, "reference");
    }
}

static void make_numbers(cb_table_cells *cells, const cb_result *result)
{
    const cb_estimate *median = &cells->row->summary.median_ns;
    char width[CB_CELL_BYTES];
    cb_units_time(cells->time, median->value);
    cb_units_percent(width, half_width(median));
    (void)snprintf(cells->width, sizeof cells->width, "+-%.20s", width);
    double bytes_per_s = cb_row_bytes_per_s(result, cells->row);
    if (isfinite(bytes_per_s))
        cb_units_throughput(cells->speed, bytes_per_s);
    else if (isfinite(cb_row_operations_per_s(cells->row)))
        cb_units_operations(cells->speed, cb_row_operations_per_s(cells->row));
}

void cb_table_cells_make(cb_table_cells *cells, const cb_result *result, const cb_result_row *row)
{
    *cells = (cb_table_cells){.row = row, .contestant = cb_row_contestant(result, row)->name};
    cb_units_size(cells->size, cb_row_group(result, row)->msg_bytes);
    if (row->measured) {
        make_numbers(cells, result);
        make_comparison(cells, result);
    } else {
        cells->word = cb_status_word(cb_row_status(row));
        cells->message = cb_row_message(result, row);
        cells->tone = cb_row_status(row) == CB_UNSUPPORTED ? CB_TONE_PLAIN : CB_TONE_BAD;
    }
}
