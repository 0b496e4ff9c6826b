#include "report/list_json.h"

#include "report/json_environment.h"
#include "report/json_value.h"

#define SCHEMA "crypto_bench/list/1"

static json_t *id_part(const cb_operation *op, unsigned part)
{
    cb_id_part name = cb_operation_part(op, part);
    return json_stringn(name.p, name.n);
}

static json_t *sizes_array(const cb_listing *listing, const cb_operation *op)
{
    json_t *array = json_array();
    bool ok = true;
    size_t cursor = 0, bytes;
    while (ok && cb_listing_next_size(listing, op, &cursor, &bytes))
        ok = cb_json_append(array, cb_json_count(bytes));
    return cb_json_finish(array, ok);
}

static json_t *contestant_object(const cb_listing_row *row)
{
    json_t *o = json_object();
    bool ok = cb_json_put(o, "contestant", cb_json_text(row->name)) &&
              cb_json_put(o, "available", json_boolean(row->kernel != NULL)) &&
              cb_json_put(o, "version", cb_json_text(row->entry->version)) &&
              cb_json_put(o, "licence", cb_json_text(row->entry->licence)) &&
              cb_json_put(o, "since", cb_json_text(row->kernel != NULL ? row->kernel->since : NULL)) &&
              cb_json_put(o, "limits", cb_json_text(row->kernel != NULL ? row->kernel->limits : NULL)) &&
              cb_json_put(o, "reason", cb_json_public_text(row->reason));
    return cb_json_finish(o, ok);
}

static json_t *contestants_array(const cb_listing *listing, const cb_operation *op)
{
    json_t *array = json_array();
    bool ok = true;
    for (size_t i = 0; ok && i < cb_listing_library_count(listing); i++) {
        cb_listing_row row = cb_listing_row_make(listing, op, i);
        ok = cb_json_append(array, contestant_object(&row));
    }
    return cb_json_finish(array, ok);
}

static json_t *operation_object(const void *context, size_t i)
{
    const cb_operation *op = cb_listing_operation(context, i);
    json_t *o = json_object();
    bool ok = cb_json_put(o, "id", cb_json_text(op->id)) && cb_json_put(o, "family", id_part(op, 0)) &&
              cb_json_put(o, "algorithm", id_part(op, 1)) && cb_json_put(o, "operation", id_part(op, 2)) &&
              cb_json_put(o, "work", cb_json_text(op->work)) &&
              cb_json_put(o, "sizes", sizes_array(context, op)) &&
              cb_json_put(o, "contestants", contestants_array(context, op));
    return cb_json_finish(o, ok);
}

static json_t *library_object(const void *context, size_t i)
{
    const char *name;
    return cb_json_catalogue_entry(cb_listing_library(context, i, &name));
}

cb_status cb_list_json_write(FILE *stream, const cb_listing *listing, cb_err *err)
{
    (void)fputs("{\n", stream);
    cb_status status = cb_json_write_member(stream, true, "schema", json_string(SCHEMA), err);
    if (status == CB_OK)
        status = cb_json_write_array(stream, "operations", cb_listing_operation_count(listing),
                                     operation_object, listing, err);
    if (status == CB_OK)
        status = cb_json_write_array(stream, "libraries", cb_listing_library_count(listing), library_object,
                                     listing, err);
    if (status == CB_OK)
        (void)fputs("\n}\n", stream);
    return status;
}
