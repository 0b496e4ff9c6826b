/* Finds the name that somebody who mistyped a word probably meant. */
#ifndef CB_CLI_NEAREST_H
#define CB_CLI_NEAREST_H

#include <stddef.h>

/* A search in progress. name is NULL while nothing near enough was offered. */
typedef struct cb_nearest {
    const char *word; /* borrowed */
    size_t word_n;
    const char *name; /* borrowed from the best offer, not terminated */
    size_t name_n;
    size_t distance;
} cb_nearest;

cb_nearest cb_nearest_start(const char *word);

/* Offers a name of n bytes. A name that the word begins is nearest; others are near within one edit (insert,
 * delete, replace or swap neighbours: optimal string alignment distance) per three letters. The first of
 * equally near names stays. */
void cb_nearest_offer(cb_nearest *nearest, const char *name, size_t n);

#define CB_NEAREST_HINT_BYTES 64

/* Writes "; did you mean <prefix><name>?", or "" when nothing is near, and returns hint. */
const char *cb_nearest_hint(const cb_nearest *nearest, const char *prefix, char hint[CB_NEAREST_HINT_BYTES]);

#endif
