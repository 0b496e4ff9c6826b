/* The cells of one table row, ready to print. */
#ifndef CB_REPORT_TABLE_CELLS_H
#define CB_REPORT_TABLE_CELLS_H

#include "report/result.h"
#include "report/units.h"

/* How the last cell is meant, for colours. */
typedef enum cb_tone { CB_TONE_PLAIN, CB_TONE_GOOD, CB_TONE_BAD } cb_tone;

/* Room for the longest comparison: "unclear: " and two factors with a unit. */
#define CB_COMPARISON_BYTES 96

typedef struct cb_table_cells {
    const cb_result_row *row;
    char size[CB_CELL_BYTES];
    const char *contestant;                                               /* borrowed from the plan */
    char time[CB_CELL_BYTES], width[CB_CELL_BYTES], speed[CB_CELL_BYTES]; /* "" without a number */
    char comparison[CB_COMPARISON_BYTES]; /* in words; "" for a row that is compared with nothing */
    const char *word, *message;           /* status of a row without a number, else NULL */
    cb_tone tone;
} cb_table_cells;

void cb_table_cells_make(cb_table_cells *cells, const cb_result *result, const cb_result_row *row);

/* "1.72x faster +-0.2 %", "equal within 0.3 %", "unclear: 0.98x to 1.03x as fast". Speeds, so that larger is
 * better: the inverse of the ratio of times. */
void cb_ratio_words(char words[CB_COMPARISON_BYTES], const cb_ratio *ratio);

#endif
