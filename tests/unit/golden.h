/* Golden files: what a report must look like, byte by byte. The environment variable CB_GOLDEN_UPDATE=1
 * rewrites them; look at the difference before it is committed. Tests run in the folder tests/. */
#ifndef CB_UNIT_GOLDEN_H
#define CB_UNIT_GOLDEN_H

#include <stddef.h>

/* Fails the running test unless the file holds exactly these bytes. */
void golden_check(const char *path, const char *bytes, size_t n);

#endif
