#include "ops/aead.h"
#include "ops/operation.h"

#include <string.h>

/* The order here is the order of measuring and of every table. */
static const cb_operation_table *const families[] = {
    &cb_ops_aead,
};
#define N_FAMILIES (sizeof families / sizeof families[0])

#define MIN_SLOTS      64
#define RING_BYTES_MAX ((size_t)64 << 20)

size_t cb_operation_count(void)
{
    size_t n = 0;
    for (size_t i = 0; i < N_FAMILIES; i++)
        n += families[i]->n;
    return n;
}

const cb_operation *cb_operation_at(size_t index)
{
    for (size_t i = 0; i < N_FAMILIES; i++) {
        if (index < families[i]->n)
            return &families[i]->rows[index];
        index -= families[i]->n;
    }
    return NULL;
}

const cb_operation *cb_operation_find(const char *id)
{
    for (size_t i = 0; i < N_FAMILIES; i++)
        for (size_t k = 0; k < families[i]->n; k++)
            if (strcmp(families[i]->rows[k].id, id) == 0)
                return &families[i]->rows[k];
    return NULL;
}

cb_id_part cb_operation_part(const cb_operation *op, unsigned part)
{
    const char *p = op->id;
    for (; part > 0; part--) {
        p += strcspn(p, "/");
        p += *p == '/';
    }
    return (cb_id_part){p, strcspn(p, "/")};
}

size_t cb_operation_slots(const cb_operation *op, const cb_shape *shape)
{
    size_t wanted = op->keys > MIN_SLOTS ? op->keys : MIN_SLOTS;
    size_t slot_bytes = shape->aad + shape->msg;
    size_t fitting = slot_bytes > 0 ? RING_BYTES_MAX / slot_bytes : wanted;
    if (fitting == 0)
        return 1;
    return fitting < wanted ? fitting : wanted;
}
