#include "report/listing.h"

/* The first group of the operation from `index` on; n_groups when there is none. */
static size_t find_group(const cb_plan *plan, const cb_operation *op, size_t index)
{
    while (index < plan->n_groups && plan->groups[index].op != op)
        index++;
    return index;
}

static bool is_listed(const cb_listing *listing, const cb_operation *op)
{
    return listing->plan == NULL || find_group(listing->plan, op, 0) < listing->plan->n_groups;
}

const cb_operation *cb_listing_operation(const cb_listing *listing, size_t index)
{
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        if (is_listed(listing, op) && index-- == 0)
            return op;
    }
    return NULL;
}

size_t cb_listing_operation_count(const cb_listing *listing)
{
    size_t n = 0;
    while (cb_listing_operation(listing, n) != NULL)
        n++;
    return n;
}

/* Groups that differ in something else repeat a size. */
static bool size_seen(const cb_plan *plan, const cb_operation *op, size_t group)
{
    for (size_t i = 0; i < group; i++)
        if (plan->groups[i].op == op && plan->groups[i].msg_bytes == plan->groups[group].msg_bytes)
            return true;
    return false;
}

static bool next_planned_size(const cb_plan *plan, const cb_operation *op, size_t *cursor, size_t *bytes)
{
    size_t group = find_group(plan, op, *cursor);
    while (group < plan->n_groups && size_seen(plan, op, group))
        group = find_group(plan, op, group + 1);
    if (group == plan->n_groups)
        return false;
    *bytes = plan->groups[group].msg_bytes;
    *cursor = group + 1;
    return true;
}

bool cb_listing_next_size(const cb_listing *listing, const cb_operation *op, size_t *cursor, size_t *bytes)
{
    if (listing->plan != NULL)
        return next_planned_size(listing->plan, op, cursor, bytes);
    if (*cursor >= op->n_sizes)
        return false;
    *bytes = op->sizes[(*cursor)++];
    return true;
}

size_t cb_listing_library_count(const cb_listing *listing)
{
    return listing->plan != NULL ? listing->plan->n_contestants : listing->catalogue->n;
}

const cb_catalogue_entry *cb_listing_library(const cb_listing *listing, size_t index, const char **name)
{
    const cb_catalogue_entry *entry =
        listing->plan != NULL ? listing->plan->contestants[index].entry : &listing->catalogue->entries[index];
    *name = listing->plan != NULL ? listing->plan->contestants[index].name : entry->name;
    return entry;
}

cb_listing_row cb_listing_row_make(const cb_listing *listing, const cb_operation *op, size_t index)
{
    cb_listing_row row = {0};
    row.entry = cb_listing_library(listing, index, &row.name);
    if (row.entry->absent.code == CB_OK)
        row.kernel = cb_catalogue_find_kernel(row.entry, op->id);
    if (row.kernel == NULL)
        (void)cb_catalogue_why_absent(row.entry, op->id, row.reason, sizeof row.reason);
    return row;
}
