#include "report/text.h"

#include "report/utf8.h"

#include <stdbool.h>

/* Below this many columns for the text, broken lines read worse than long ones. */
#define MIN_ROOM 20

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* U+0080 to U+009F are control characters too: terminals take U+009B for the start of a command. */
static bool is_control(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    return (n == 1 && (p[0] < 0x20 || p[0] == 0x7F)) || (n == 2 && p[0] == 0xC2 && p[1] < 0xA0);
}

/* Prints one character and returns its bytes. */
static size_t print_character(FILE *stream, const char *text)
{
    size_t n = cb_utf8_length(text);
    if (is_blank(*text))
        (void)fputc(' ', stream);
    else if (n == 0 || is_control(text, n))
        (void)fputc('?', stream);
    else
        (void)fwrite(text, 1, n, stream);
    return n > 0 ? n : 1;
}

void cb_text_print(FILE *stream, const char *text)
{
    while (*text != '\0')
        text += print_character(stream, text);
}

/* Columns of the word at text; *end is the byte behind it. */
static unsigned word_columns(const char *text, const char **end)
{
    unsigned columns = 0;
    while (*text != '\0' && !is_blank(*text)) {
        size_t n = cb_utf8_length(text);
        text += n > 0 ? n : 1;
        columns++;
    }
    *end = text;
    return columns;
}

static const char *skip_blanks(const char *text)
{
    while (is_blank(*text))
        text++;
    return text;
}

void cb_text_wrap(FILE *stream, const char *text, const cb_text_place *place)
{
    if (place->width < place->indent + MIN_ROOM) {
        cb_text_print(stream, text);
        return;
    }
    unsigned column = place->column, line_start = 0;
    bool first = true;
    for (text = skip_blanks(text); *text != '\0'; text = skip_blanks(text)) {
        const char *end;
        unsigned columns = word_columns(text, &end);
        bool fits = column + !first + columns <= place->width;
        if (!fits && column > line_start) {
            (void)fprintf(stream, "\n%*s", (int)place->indent, "");
            column = line_start = place->indent;
        } else if (!first) {
            (void)fputc(' ', stream);
            column++;
        }
        while (text < end)
            text += print_character(stream, text);
        column += columns;
        first = false;
    }
}
