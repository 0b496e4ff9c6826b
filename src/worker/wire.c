#include "worker/wire.h"

#include <string.h>

/* Stands for NULL where a string's length stands. */
#define NO_STRING UINT64_MAX

static bool make_room(cb_wire_writer *w, size_t n)
{
    if (w->failed)
        return false;
    if (w->cap - w->n >= n)
        return true;
    size_t cap = w->cap > 0 ? w->cap : 256;
    while (cap - w->n < n && cap <= SIZE_MAX / 2)
        cap *= 2;
    uint8_t *p = cap - w->n >= n ? realloc(w->p, cap) : NULL;
    if (p == NULL) {
        w->failed = true;
        return false;
    }
    w->p = p;
    w->cap = cap;
    return true;
}

void cb_wire_put_bytes(cb_wire_writer *w, const void *p, size_t n)
{
    if (n == 0 || !make_room(w, n))
        return;
    memcpy(w->p + w->n, p, n);
    w->n += n;
}

void cb_wire_put_u64(cb_wire_writer *w, uint64_t value)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    cb_wire_put_bytes(w, bytes, sizeof bytes);
}

void cb_wire_put_double(cb_wire_writer *w, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    cb_wire_put_u64(w, bits);
}

void cb_wire_put_string(cb_wire_writer *w, const char *text)
{
    if (text == NULL) {
        cb_wire_put_u64(w, NO_STRING);
        return;
    }
    size_t n = strlen(text);
    cb_wire_put_u64(w, n);
    cb_wire_put_bytes(w, text, n);
}

const uint8_t *cb_wire_get_bytes(cb_wire_reader *r, size_t n)
{
    if (r->failed || r->bytes.n - r->at < n) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *p = r->bytes.p + r->at;
    r->at += n;
    return p;
}

uint64_t cb_wire_get_u64(cb_wire_reader *r)
{
    const uint8_t *p = cb_wire_get_bytes(r, 8);
    uint64_t value = 0;
    for (size_t i = 0; p != NULL && i < 8; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

double cb_wire_get_double(cb_wire_reader *r)
{
    uint64_t bits = cb_wire_get_u64(r);
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

char *cb_wire_get_string(cb_wire_reader *r)
{
    uint64_t n = cb_wire_get_u64(r);
    if (n == NO_STRING || r->failed)
        return NULL;
    const uint8_t *p = n <= r->bytes.n ? cb_wire_get_bytes(r, (size_t)n) : NULL;
    char *text = p != NULL && memchr(p, 0, (size_t)n) == NULL ? malloc((size_t)n + 1) : NULL;
    if (text == NULL) {
        r->failed = true;
        return NULL;
    }
    memcpy(text, p, (size_t)n);
    text[n] = '\0';
    return text;
}

bool cb_wire_finished(const cb_wire_reader *r)
{
    return !r->failed && r->at == r->bytes.n;
}
