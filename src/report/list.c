/* `crypto_bench list`: what can be measured, by which library, and why not by the others. */
#include "report/library.h"
#include "report/list_json.h"
#include "report/report.h"
#include "report/text.h"
#include "report/units.h"
#include "report/utf8.h"

/* Columns that names, versions and licences need. */
typedef struct widths {
    int name, version, licence;
} widths;

static void widen(int *width, const char *text)
{
    int columns = text != NULL ? (int)cb_utf8_columns(text) : 0;
    *width = columns > *width ? columns : *width;
}

static widths measure_columns(const cb_listing *listing)
{
    widths w = {0};
    for (size_t i = 0; i < cb_listing_library_count(listing); i++) {
        const char *name;
        const cb_catalogue_entry *entry = cb_listing_library(listing, i, &name);
        widen(&w.name, name);
        widen(&w.version, entry->version);
        widen(&w.licence, entry->licence);
    }
    return w;
}

static void print_column(FILE *stream, const char *text, int width)
{
    const char *shown = text != NULL ? text : "";
    cb_text_print(stream, shown);
    (void)fprintf(stream, "%*s", width - (int)cb_utf8_columns(shown) + 2, "");
}

static void print_sizes(FILE *stream, const cb_listing *listing, const cb_operation *op)
{
    size_t cursor = 0, bytes;
    const char *separator = "  ";
    while (cb_listing_next_size(listing, op, &cursor, &bytes)) {
        char cell[CB_CELL_BYTES];
        cb_units_size(cell, bytes);
        (void)fprintf(stream, "%s%s", separator, cell);
        separator = ", ";
    }
    (void)fputc('\n', stream);
}

static bool has_conditions(const cb_listing_row *row)
{
    return row->kernel->since != NULL || row->kernel->limits != NULL || row->entry->witness;
}

/* "since 1.0.19; needs AES-NI". */
static void print_conditions(FILE *stream, const cb_listing_row *row)
{
    const char *separator = "";
    if (row->kernel->since != NULL) {
        (void)fputs("since ", stream);
        cb_text_print(stream, row->kernel->since);
        separator = "; ";
    }
    if (row->kernel->limits != NULL) {
        (void)fputs(separator, stream);
        cb_text_print(stream, row->kernel->limits);
        separator = "; ";
    }
    if (row->entry->witness)
        (void)fprintf(stream, "%smeasured only when named", separator);
}

static void print_available(FILE *stream, const cb_listing_row *row, const widths *w)
{
    print_column(stream, row->entry->version, w->version);
    if (has_conditions(row)) {
        print_column(stream, row->entry->licence, w->licence);
        print_conditions(stream, row);
    } else if (row->entry->licence != NULL) {
        cb_text_print(stream, row->entry->licence);
    }
}

static cb_status print_row(FILE *stream, const cb_listing_row *row, const widths *w, cb_err *err)
{
    cb_status status = CB_OK;
    (void)fputs("  ", stream);
    print_column(stream, row->name, w->name);
    if (row->kernel != NULL) {
        print_available(stream, row, w);
    } else {
        (void)fputs("absent: ", stream);
        status = cb_public_print(stream, row->reason, err);
    }
    (void)fputc('\n', stream);
    return status;
}

static cb_status print_operation(FILE *stream, const cb_listing *listing, const cb_operation *op,
                                 const widths *w, cb_err *err)
{
    (void)fputs(op->id, stream);
    print_sizes(stream, listing, op);
    if (op->work != NULL && op->work[0] != '\0')
        (void)fprintf(stream, "  one call: %s\n", op->work);
    cb_status status = CB_OK;
    for (size_t i = 0; status == CB_OK && i < cb_listing_library_count(listing); i++) {
        cb_listing_row row = cb_listing_row_make(listing, op, i);
        status = print_row(stream, &row, w, err);
    }
    (void)fputc('\n', stream);
    return status;
}

static cb_status write_table(FILE *stream, const cb_listing *listing, cb_err *err)
{
    widths w = measure_columns(listing);
    cb_status status = CB_OK;
    const cb_operation *op;
    for (size_t i = 0; status == CB_OK && (op = cb_listing_operation(listing, i)) != NULL; i++)
        status = print_operation(stream, listing, op, &w, err);
    (void)fputs("Libraries\n", stream);
    if (cb_listing_library_count(listing) == 0)
        (void)fputs("  none found; scripts/deps installs some\n", stream);
    for (size_t i = 0; status == CB_OK && i < cb_listing_library_count(listing); i++) {
        const char *name;
        const cb_catalogue_entry *entry = cb_listing_library(listing, i, &name);
        status = cb_library_print(stream, name, entry, err);
    }
    return status;
}

cb_status cb_report_list(FILE *stream, const cb_catalogue *catalogue, const cb_plan *plan, cb_format format,
                         cb_err *err)
{
    const cb_listing listing = {.catalogue = catalogue, .plan = plan};
    if (format == CB_FORMAT_JSON)
        return cb_list_json_write(stream, &listing, err);
    if (format == CB_FORMAT_CSV)
        return cb_fail(err, CB_BAD_ARGUMENT, "list is written as table or json, not as csv");
    return write_table(stream, &listing, err);
}
