/* Libraries as text, the same in `list` and in `doctor`. */
#ifndef CB_REPORT_LIBRARY_H
#define CB_REPORT_LIBRARY_H

#include "plan/catalogue.h"

#include <stdio.h>

/* Prints name, version, licence, build and path, or why the library cannot be used; two columns of indent, a
 * line break at the end. The home folder in the path is replaced. CB_OUT_OF_MEMORY. */
cb_status cb_library_print(FILE *stream, const char *name, const cb_catalogue_entry *entry, cb_err *err);

/* Prints text from outside with the home and cache folders replaced, so that the output can be published.
 * CB_OUT_OF_MEMORY. */
cb_status cb_public_print(FILE *stream, const char *text, cb_err *err);

#endif
