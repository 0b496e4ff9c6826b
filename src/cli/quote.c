#include "cli/quote.h"

#define ESCAPE_BYTES 5

static char short_escape(unsigned char byte)
{
    switch (byte) {
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    case '"':
    case '\\':
        return (char)byte;
    default:
        return 0;
    }
}

/* Returns the number of characters that stand for the byte. */
static size_t escape(unsigned char byte, char escaped[ESCAPE_BYTES])
{
    int n;
    if (short_escape(byte) != 0)
        n = snprintf(escaped, ESCAPE_BYTES, "\\%c", short_escape(byte));
    else if (byte >= 0x20 && byte < 0x7f)
        n = snprintf(escaped, ESCAPE_BYTES, "%c", byte);
    else
        n = snprintf(escaped, ESCAPE_BYTES, "\\x%02x", byte);
    return (size_t)n;
}

const char *cb_quote(const char *text, char quoted[CB_QUOTE_BYTES])
{
    size_t used = 0;
    quoted[used++] = '"';
    for (; *text != '\0'; text++) {
        char escaped[ESCAPE_BYTES];
        size_t n = escape((unsigned char)*text, escaped);
        if (used - 1 + n > CB_QUOTE_TEXT_MAX)
            break;
        memcpy(quoted + used, escaped, n);
        used += n;
    }
    (void)snprintf(quoted + used, CB_QUOTE_BYTES - used, "\"%s", *text == '\0' ? "" : "...");
    return quoted;
}
