#include "vector_file.h"

#include <errno.h>

enum field {
    FIELD_OP,
    FIELD_SOURCE,
    FIELD_KEY,
    FIELD_NONCE,
    FIELD_AAD,
    FIELD_MSG,
    FIELD_AUX,
    FIELD_OUT,
    FIELD_RESULT,
    FIELD_COUNT
};

static const char *const field_names[FIELD_COUNT] = {
    [FIELD_OP] = "op",       [FIELD_SOURCE] = "source", [FIELD_KEY] = "key",
    [FIELD_NONCE] = "nonce", [FIELD_AAD] = "aad",       [FIELD_MSG] = "msg",
    [FIELD_AUX] = "aux",     [FIELD_OUT] = "out",       [FIELD_RESULT] = "result",
};

/* The reading of one file. */
typedef struct reading {
    FILE *in;
    const char *path;
    char *line; /* of getline(), its newline cut off */
    size_t line_cap;
    unsigned line_number, record_line; /* record_line: where the current record begins */
    char *values[FIELD_COUNT];
    size_t fields; /* read of the current record; 0 = between records */
} reading;

static void forget_record(reading *r)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        free(r->values[i]);
        r->values[i] = NULL;
    }
    r->fields = 0;
}

static cb_status fail_at(const reading *r, unsigned line_number, const char *what, cb_err *err)
{
    return cb_fail(err, CB_BAD_ARGUMENT, "%s:%u: %s", r->path, line_number, what);
}

/* Sets *more to 0 at the end of the file. */
static cb_status next_line(reading *r, int *more, cb_err *err)
{
    errno = 0;
    const ssize_t n = getline(&r->line, &r->line_cap, r->in);
    *more = n > 0;
    if (n <= 0)
        return feof(r->in) ? CB_OK : cb_fail(err, CB_IO, "%s: %s", r->path, strerror(errno));
    r->line_number++;
    const size_t length = (size_t)n - 1;
    if (r->line[length] != '\n')
        return fail_at(r, r->line_number, "the last line has no newline", err);
    r->line[length] = '\0';
    if (strlen(r->line) != length)
        return fail_at(r, r->line_number, "a zero byte", err);
    if (length > 0 && strchr(" \t\r", r->line[length - 1]) != NULL)
        return fail_at(r, r->line_number, "blank space at the end of the line", err);
    return CB_OK;
}

/* "name = value", or "name =" for an empty value. NULL when the line is not of this name. */
static const char *value_of(const char *line, const char *name)
{
    const size_t n = strlen(name);
    if (strncmp(line, name, n) != 0 || strncmp(line + n, " =", 2) != 0)
        return NULL;
    const char *rest = line + n + 2;
    if (*rest == '\0')
        return rest;
    return *rest == ' ' ? rest + 1 : NULL;
}

static cb_status record_finish(reading *r, cb_vector_list *list, cb_err *err)
{
    const cb_vector_text text = {
        .op = r->values[FIELD_OP],
        .source = r->values[FIELD_SOURCE],
        .key = r->values[FIELD_KEY],
        .nonce = r->values[FIELD_NONCE],
        .aad = r->values[FIELD_AAD],
        .msg = r->values[FIELD_MSG],
        .aux = r->values[FIELD_AUX],
        .out = r->values[FIELD_OUT],
        .result = strcmp(r->values[FIELD_RESULT], "valid") == 0 ? CB_VECTOR_VALID : CB_VECTOR_INVALID,
    };
    if (text.result == CB_VECTOR_INVALID && strcmp(r->values[FIELD_RESULT], "invalid") != 0)
        return fail_at(r, r->line_number, "result is neither valid nor invalid", err);
    if (text.result == CB_VECTOR_INVALID && *text.out != '\0')
        return fail_at(r, r->record_line, "an invalid record has an output", err);
    if (*text.op == '\0' || *text.source == '\0')
        return fail_at(r, r->record_line, "op or source is empty", err);
    cb_err cause = {0};
    cb_status status = cb_vector_list_add(list, &text, &cause);
    if (status != CB_OK)
        return cb_fail(err, status, "%s:%u: %s", r->path, r->record_line, cause.msg);
    forget_record(r);
    return CB_OK;
}

static cb_status take_line(reading *r, cb_vector_list *list, cb_err *err)
{
    if (r->fields == 0 && (r->line[0] == '\0' || r->line[0] == '#'))
        return CB_OK;
    const char *name = field_names[r->fields];
    const char *value = value_of(r->line, name);
    if (value == NULL)
        return cb_fail(err, CB_BAD_ARGUMENT, "%s:%u: expected \"%s = ...\"", r->path, r->line_number, name);
    if (r->fields == 0)
        r->record_line = r->line_number;
    r->values[r->fields] = strdup(value);
    if (r->values[r->fields] == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "%s: no memory for a line", r->path);
    r->fields++;
    return r->fields == FIELD_COUNT ? record_finish(r, list, err) : CB_OK;
}

cb_status cb_vector_file_read(FILE *in, const char *path, cb_vector_list *list, cb_err *err)
{
    reading r = {.in = in, .path = path};
    const size_t before = list->n;
    int more = 1;
    cb_status status = CB_OK;
    while (status == CB_OK && more) {
        status = next_line(&r, &more, err);
        if (status == CB_OK && more)
            status = take_line(&r, list, err);
    }
    if (status == CB_OK && r.fields > 0)
        status = fail_at(&r, r.record_line, "the record is cut off at the end of the file", err);
    if (status == CB_OK && list->n == before)
        status = cb_fail(err, CB_BAD_ARGUMENT, "%s: no records", path);
    forget_record(&r);
    free(r.line);
    return status;
}
