/* Lists from the command line: cb_words and cb_size_list of config.h. */
#ifndef CB_CLI_WORDS_H
#define CB_CLI_WORDS_H

#include "cli/config.h"

/* Appends a copy of the n bytes at text. CB_OUT_OF_MEMORY leaves the list as it was. */
cb_status cb_words_add(cb_words *words, const char *text, size_t n, cb_err *err);

/* Appends the items between the commas of text. CB_BAD_ARGUMENT when one is empty or a bare "^"; option is
 * the long name without dashes. After a failure some items may have been added. */
cb_status cb_words_split(cb_words *words, const char *option, const char *text, cb_err *err);

/* Drops all but the first of equal items, in time n log n. */
cb_status cb_words_unique(cb_words *words, cb_err *err);

void cb_words_free(cb_words *words);

cb_status cb_sizes_add(cb_size_list *sizes, size_t bytes, cb_err *err);
/* Sorts ascending and drops repetitions. */
void cb_sizes_unique(cb_size_list *sizes);
void cb_sizes_free(cb_size_list *sizes);

#endif
