#include "report/json_value.h"

#include "report/utf8.h"
#include "system/redact.h"

#include <inttypes.h>
#include <math.h>

#define DUMP_FLAGS (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10))

json_t *cb_json_text(const char *text)
{
    if (text == NULL || text[0] == '\0')
        return json_null();
    char *clean = cb_utf8_clean(text);
    json_t *value = clean != NULL ? json_string(clean) : NULL;
    free(clean);
    return value;
}

json_t *cb_json_public_text(const char *text)
{
    if (text == NULL)
        return json_null();
    char *redacted = cb_redact_environment(text);
    json_t *value = redacted != NULL ? cb_json_text(redacted) : NULL;
    free(redacted);
    return value;
}

json_t *cb_json_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *cb_json_count(uint64_t count)
{
    return count <= INT64_MAX ? json_integer((json_int_t)count) : json_null();
}

json_t *cb_json_digits(uint64_t value)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
    return json_string(digits);
}

bool cb_json_put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

bool cb_json_append(json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0;
}

json_t *cb_json_finish(json_t *container, bool filled)
{
    if (filled)
        return container;
    json_decref(container);
    return NULL;
}

/* Takes the value. */
static cb_status write_value(FILE *stream, json_t *value, cb_err *err)
{
    if (value == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the JSON report");
    int failed = json_dumpf(value, stream, DUMP_FLAGS);
    json_decref(value);
    if (!failed)
        return CB_OK;
    return ferror(stream) ? cb_fail(err, CB_IO, "the JSON report could not be written")
                          : cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the JSON report");
}

cb_status cb_json_write_member(FILE *stream, bool first, const char *key, json_t *value, cb_err *err)
{
    (void)fprintf(stream, "%s\"%s\":", first ? "" : ",\n", key);
    return write_value(stream, value, err);
}

cb_status cb_json_write_array(FILE *stream, const char *key, size_t n, cb_json_maker make,
                              const void *context, cb_err *err)
{
    (void)fprintf(stream, ",\n\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        (void)fputs(i == 0 ? "\n" : ",\n", stream);
        cb_status status = write_value(stream, make(context, i), err);
        if (status != CB_OK)
            return status;
    }
    (void)fputs(n > 0 ? "\n]" : "]", stream);
    return CB_OK;
}
