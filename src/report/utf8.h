/* Text from libraries and command lines may hold any bytes; reports hold UTF-8 only. */
#ifndef CB_REPORT_UTF8_H
#define CB_REPORT_UTF8_H

#include <stddef.h>

/* Bytes of the well-formed UTF-8 character at text (1 to 4), or 0 where there is none: at the terminator, at
 * a stray or missing continuation byte, an overlong form, a surrogate, or beyond U+10FFFF (Unicode 15, table
 * 3-7).
 */
size_t cb_utf8_length(const char *text);

/* A copy in which every byte outside a well-formed character is U+FFFD. The caller frees it; NULL when out of
 * memory. */
char *cb_utf8_clean(const char *text);

/* Characters, as many columns as they take on a terminal for the names we show; stray bytes count as one. */
size_t cb_utf8_columns(const char *text);

#endif
