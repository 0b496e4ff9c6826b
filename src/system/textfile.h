/* The kernel's one-line files in /proc and /sys, below a root folder that tests replace. */
#ifndef CB_SYSTEM_TEXTFILE_H
#define CB_SYSTEM_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens root/path for reading; the caller closes it. NULL when it cannot be opened. root "" is the real
 * system; path begins with a slash. */
FILE *cb_textfile_open(const char *root, const char *path);

/* Reads the first line of root/path without its newline and surrounding blanks. Returns false, with text "",
 * when there is no such file or it is empty; a line longer than size - 1 is cut. */
bool cb_textfile_line(const char *root, const char *path, char *text, size_t size);

#endif
