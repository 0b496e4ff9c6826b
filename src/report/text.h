/* Prints text of foreign origin for people: no control character reaches a terminal, no word is lost. */
#ifndef CB_REPORT_TEXT_H
#define CB_REPORT_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Prints one line's worth of text: a line break or tab becomes a space, other control characters and bytes
 * that are not UTF-8 become '?'. */
void cb_text_print(FILE *stream, const char *text);

/* Where a wrapped text stands. */
typedef struct cb_text_place {
    unsigned width;  /* columns of the terminal; 0 = no limit, one line */
    unsigned column; /* columns already used on the current line */
    unsigned indent; /* columns in front of every further line */
} cb_text_place;

/* The same, with lines broken between words so that they fit; a longer word stays whole. Writes no line break
 * at the end. */
void cb_text_wrap(FILE *stream, const char *text, const cb_text_place *place);

#endif
