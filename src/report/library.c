#include "report/library.h"

#include "report/text.h"
#include "system/redact.h"

#include <stdlib.h>

cb_status cb_public_print(FILE *stream, const char *text, cb_err *err)
{
    char *redacted = cb_redact_environment(text);
    if (redacted == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the report");
    cb_text_print(stream, redacted);
    free(redacted);
    return CB_OK;
}

/* A line "    label  text"; nothing for an unknown text. */
static cb_status print_detail(FILE *stream, const char *label, const char *text, cb_err *err)
{
    if (text == NULL || text[0] == '\0')
        return CB_OK;
    (void)fprintf(stream, "    %-7s  ", label);
    cb_status status = cb_public_print(stream, text, err);
    (void)fputc('\n', stream);
    return status;
}

cb_status cb_library_print(FILE *stream, const char *name, const cb_catalogue_entry *entry, cb_err *err)
{
    (void)fputs("  ", stream);
    cb_text_print(stream, name);
    if (entry->absent.code != CB_OK) {
        (void)fprintf(stream, "  %s: ", cb_status_word(entry->absent.code));
        cb_status status = cb_public_print(stream, entry->absent.msg, err);
        (void)fputc('\n', stream);
        return status;
    }
    (void)fputs(entry->witness ? "  (a witness: measured only when named)\n" : "\n", stream);
    cb_status status = print_detail(stream, "version", entry->version, err);
    if (status == CB_OK)
        status = print_detail(stream, "licence", entry->licence, err);
    if (status == CB_OK)
        status = print_detail(stream, "build", entry->build, err);
    if (status == CB_OK)
        status = print_detail(stream, "path", entry->library, err);
    return status;
}
