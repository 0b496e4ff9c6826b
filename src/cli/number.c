#include "cli/number.h"

#include "cli/quote.h"

#include <inttypes.h>
#include <stdbool.h>

typedef struct unit {
    const char *name;
    unsigned shift;
} unit;

static const unit units[] = {
    {"", 0},   {"K", 10}, {"M", 20},   {"G", 30},   {"k", 10},
    {"m", 20}, {"g", 30}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30},
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *text)
{
    while (is_digit(*text))
        text++;
    return text;
}

/* Reads at least one digit. False on none and on overflow. */
static bool read_digits(const char *text, const char **end, uint64_t *value)
{
    uint64_t sum = 0;
    *end = skip_digits(text);
    for (const char *p = text; p < *end; p++) {
        if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*p - '0'), &sum))
            return false;
    }
    *value = sum;
    return *end != text;
}

cb_status cb_number_whole(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
                          cb_err *err)
{
    uint64_t read = 0;
    const char *end;
    if (!read_digits(text, &end, &read) || *end != '\0' || read < min || read > max) {
        char quoted[CB_QUOTE_BYTES];
        return cb_fail(err, CB_BAD_ARGUMENT, "--%s: %s is not a whole number from %" PRIu64 " to %" PRIu64,
                       option, cb_quote(text, quoted), min, max);
    }
    *value = read;
    return CB_OK;
}

/* strtod() alone would take signs, blanks, hex, exponents, nan and inf. */
static bool is_plain_decimal(const char *text)
{
    const char *point = skip_digits(text);
    if (*point == '\0')
        return point != text;
    return *point == '.' && is_digit(point[1]) && *skip_digits(point + 1) == '\0';
}

cb_status cb_number_decimal(const char *option, const char *text, double min, double max, double *value,
                            cb_err *err)
{
    char *end = NULL;
    double read = is_plain_decimal(text) ? strtod(text, &end) : 0;
    if (end == NULL || *end != '\0' || read < min || read > max) {
        char quoted[CB_QUOTE_BYTES];
        return cb_fail(err, CB_BAD_ARGUMENT, "--%s: %s is not a number from %g to %g", option,
                       cb_quote(text, quoted), min, max);
    }
    *value = read;
    return CB_OK;
}

static const unit *find_unit(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

static bool read_size(const char *text, uint64_t max, size_t *value)
{
    uint64_t count = 0;
    const char *end;
    if (!read_digits(text, &end, &count))
        return false;
    const unit *found = find_unit(end);
    if (found == NULL || count > max >> found->shift)
        return false;
    *value = (size_t)(count << found->shift);
    return true;
}

cb_status cb_number_size(const char *option, const char *text, uint64_t max, size_t *value, cb_err *err)
{
    if (read_size(text, max, value))
        return CB_OK;
    char quoted[CB_QUOTE_BYTES], limit[CB_NUMBER_SIZE_BYTES];
    return cb_fail(err, CB_BAD_ARGUMENT, "--%s: %s is not a size from 0 to %s (bytes, or 16K, 1M, 1G)",
                   option, cb_quote(text, quoted), cb_number_size_text(max, limit));
}

const char *cb_number_size_text(uint64_t bytes, char text[CB_NUMBER_SIZE_BYTES])
{
    const unit *best = &units[0];
    for (const unit *u = &units[1]; u <= &units[3]; u++)
        if (bytes != 0 && bytes % ((uint64_t)1 << u->shift) == 0)
            best = u;
    (void)snprintf(text, CB_NUMBER_SIZE_BYTES, "%" PRIu64 "%s", bytes >> best->shift, best->name);
    return text;
}
