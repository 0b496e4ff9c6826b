#include "vector.h"

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* Decodes to *next and moves it behind the bytes. */
static cb_status decode_field(const char *name, const char *hex, uint8_t **next, cb_span *span, cb_err *err)
{
    const size_t digits = strlen(hex);
    if (digits % 2 != 0)
        return cb_fail(err, CB_BAD_ARGUMENT, "%s has an odd number of hex digits", name);
    *span = (cb_span){*next, digits / 2};
    for (size_t i = 0; i < digits; i += 2) {
        const int high = hex_value(hex[i]);
        const int low = hex_value(hex[i + 1]);
        if (high < 0 || low < 0)
            return cb_fail(err, CB_BAD_ARGUMENT, "%s has something other than lower-case hex at digit %zu",
                           name, i + 1);
        *(*next)++ = (uint8_t)(high << 4 | low);
    }
    return CB_OK;
}

static cb_status vector_decode(cb_vector *v, const cb_vector_text *text, cb_err *err)
{
    uint8_t *next = v->memory;
    const struct {
        const char *name, *hex;
        cb_span *span;
    } fields[] = {
        {"key", text->key, &v->input.key}, {"nonce", text->nonce, &v->input.nonce},
        {"aad", text->aad, &v->input.aad}, {"msg", text->msg, &v->input.msg},
        {"aux", text->aux, &v->input.aux}, {"out", text->out, &v->out},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        cb_status status = decode_field(fields[i].name, fields[i].hex, &next, fields[i].span, err);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

static void vector_free(cb_vector *v)
{
    free(v->op);
    free(v->source);
    free(v->memory);
}

static cb_status list_grow(cb_vector_list *list, cb_err *err)
{
    if (list->n < list->cap)
        return CB_OK;
    const size_t cap = list->cap == 0 ? 64 : 2 * list->cap;
    cb_vector *items = realloc(list->items, cap * sizeof *items);
    if (items == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu vectors", cap);
    list->items = items;
    list->cap = cap;
    return CB_OK;
}

cb_status cb_vector_list_add(cb_vector_list *list, const cb_vector_text *text, cb_err *err)
{
    cb_status status = list_grow(list, err);
    if (status != CB_OK)
        return status;
    const size_t digits = strlen(text->key) + strlen(text->nonce) + strlen(text->aad) + strlen(text->msg) +
                          strlen(text->aux) + strlen(text->out);
    cb_vector v = {.op = strdup(text->op), .source = strdup(text->source), .result = text->result};
    v.memory = malloc(digits / 2 + 1);
    if (v.op == NULL || v.source == NULL || v.memory == NULL)
        status = cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a vector");
    else
        status = vector_decode(&v, text, err);
    if (status == CB_OK)
        list->items[list->n++] = v;
    else
        vector_free(&v);
    return status;
}

void cb_vector_list_free(cb_vector_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        vector_free(&list->items[i]);
    free(list->items);
    *list = (cb_vector_list){0};
}
