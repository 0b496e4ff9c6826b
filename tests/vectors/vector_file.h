/* The reader of our own vector files; README.md has the format. */
#ifndef CB_VECTORS_VECTOR_FILE_H
#define CB_VECTORS_VECTOR_FILE_H

#include "vector.h"

/* Appends every record of `in`; `path` is only for messages, which start with path:line. The first departure
 * from the format ends the reading with CB_BAD_ARGUMENT, as does a file without a record; CB_IO when the file
 * cannot be read. The caller closes `in`. */
cb_status cb_vector_file_read(FILE *in, const char *path, cb_vector_list *list, cb_err *err);

#endif
