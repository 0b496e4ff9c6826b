#include "system/textfile.h"

#include <string.h>

#define PATH_BYTES 1024

static const char blanks[] = " \t\r\n";

FILE *cb_textfile_open(const char *root, const char *path)
{
    char full[PATH_BYTES];
    const int n = snprintf(full, sizeof full, "%s%s", root, path);
    return n > 0 && (size_t)n < sizeof full ? fopen(full, "re") : NULL;
}

bool cb_textfile_line(const char *root, const char *path, char *text, size_t size)
{
    text[0] = '\0';
    FILE *file = cb_textfile_open(root, path);
    if (file == NULL) {
        return false;
    }
    char line[1024];
    if (fgets(line, sizeof line, file) != NULL) {
        const char *start = line + strspn(line, blanks);
        size_t n = strlen(start);
        while (n > 0 && strchr(blanks, start[n - 1]) != NULL) {
            n--;
        }
        n = n < size ? n : size - 1;
        memcpy(text, start, n);
        text[n] = '\0';
    }
    (void)fclose(file); /* read only: nothing can be lost */
    return text[0] != '\0';
}
