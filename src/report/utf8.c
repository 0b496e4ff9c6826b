#include "report/utf8.h"

#include <stdint.h>

static const char replacement[] = "\xEF\xBF\xBD";
#define REPLACEMENT_BYTES (sizeof replacement - 1)

/* The range of the second byte depends on the first: that is what excludes overlong forms, surrogates and
 * values past the last code point. */
typedef struct lead_range {
    uint8_t first, last, low, high, length;
} lead_range;

static const lead_range leads[] = {
    {.first = 0xC2, .last = 0xDF, .low = 0x80, .high = 0xBF, .length = 2},
    {.first = 0xE0, .last = 0xE0, .low = 0xA0, .high = 0xBF, .length = 3},
    {.first = 0xE1, .last = 0xEC, .low = 0x80, .high = 0xBF, .length = 3},
    {.first = 0xED, .last = 0xED, .low = 0x80, .high = 0x9F, .length = 3},
    {.first = 0xEE, .last = 0xEF, .low = 0x80, .high = 0xBF, .length = 3},
    {.first = 0xF0, .last = 0xF0, .low = 0x90, .high = 0xBF, .length = 4},
    {.first = 0xF1, .last = 0xF3, .low = 0x80, .high = 0xBF, .length = 4},
    {.first = 0xF4, .last = 0xF4, .low = 0x80, .high = 0x8F, .length = 4},
};

static const lead_range *find_lead(uint8_t byte)
{
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++)
        if (byte >= leads[i].first && byte <= leads[i].last)
            return &leads[i];
    return NULL;
}

size_t cb_utf8_length(const char *text)
{
    uint8_t byte = (uint8_t)text[0];
    if (byte < 0x80)
        return byte != 0;
    const lead_range *lead = find_lead(byte);
    if (lead == NULL || (uint8_t)text[1] < lead->low || (uint8_t)text[1] > lead->high)
        return 0;
    for (size_t i = 2; i < lead->length; i++)
        if (((uint8_t)text[i] & 0xC0) != 0x80)
            return 0;
    return lead->length;
}

char *cb_utf8_clean(const char *text)
{
    char *copy = malloc(strlen(text) * REPLACEMENT_BYTES + 1);
    if (copy == NULL)
        return NULL;
    size_t used = 0;
    while (*text != '\0') {
        size_t n = cb_utf8_length(text);
        size_t written = n > 0 ? n : REPLACEMENT_BYTES;
        memcpy(copy + used, n > 0 ? text : replacement, written);
        used += written;
        text += n > 0 ? n : 1;
    }
    copy[used] = '\0';
    return copy;
}

size_t cb_utf8_columns(const char *text)
{
    size_t columns = 0;
    while (*text != '\0') {
        size_t n = cb_utf8_length(text);
        text += n > 0 ? n : 1;
        columns++;
    }
    return columns;
}
