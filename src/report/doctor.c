/* `crypto_bench doctor`: what this machine does to numbers, and what to do about it. */
#include "report/json_environment.h"
#include "report/json_value.h"
#include "report/library.h"
#include "report/report.h"
#include "report/text.h"

#include <math.h>

#define SCHEMA "crypto_bench/doctor/1"

static void print_fact(FILE *stream, const char *label, const char *text)
{
    (void)fprintf(stream, "  %-12s  ", label);
    cb_text_print(stream, text[0] != '\0' ? text : "unknown");
    (void)fputc('\n', stream);
}

/* A number with its unit; "unknown" for NaN. */
static void print_measure(FILE *stream, const char *label, double number, int decimals, const char *unit)
{
    if (isfinite(number))
        (void)fprintf(stream, "  %-12s  %.*f%s\n", label, decimals, number, unit);
    else
        print_fact(stream, label, "");
}

static void print_cpus(FILE *stream, const cb_environment *e)
{
    char allowed[32] = "unknown", measuring[48] = "";
    if (e->cpus_allowed > 0)
        (void)snprintf(allowed, sizeof allowed, "%u", e->cpus_allowed);
    if (e->measuring_cpu >= 0)
        (void)snprintf(measuring, sizeof measuring, ", measuring on CPU %d", e->measuring_cpu);
    (void)fprintf(stream, "  %-12s  %u online, %s allowed%s\n", "CPUs", e->cpus_online, allowed, measuring);
}

static void print_machine(FILE *stream, const cb_environment *e)
{
    (void)fputs("Machine\n", stream);
    print_fact(stream, "processor", e->cpu);
    print_fact(stream, "features", e->features);
    print_cpus(stream, e);
    print_fact(stream, "kernel", e->kernel);
    print_fact(stream, "virtualised",
               !e->virtualised            ? "no"
               : e->hypervisor[0] != '\0' ? e->hypervisor
                                          : "yes");
    print_fact(stream, "governor", e->governor);
    print_measure(stream, "load", e->load1, 2, "");
    print_fact(stream, "clock", e->clock);
    print_measure(stream, "clock read", e->clock_read_ns, 1, " ns");
    print_measure(stream, "counter", e->tsc_ghz, 4, " GHz");
}

static cb_status print_libraries(FILE *stream, const cb_catalogue *catalogue, cb_err *err)
{
    cb_status status = CB_OK;
    (void)fputs("\nLibraries\n", stream);
    if (catalogue->n == 0)
        (void)fputs("  none found; scripts/deps installs some\n", stream);
    for (size_t i = 0; status == CB_OK && i < catalogue->n; i++)
        status = cb_library_print(stream, catalogue->entries[i].name, &catalogue->entries[i], err);
    return status;
}

static void print_findings(FILE *stream, const cb_environment *e)
{
    (void)fputs("\nFindings\n", stream);
    if (e->n_findings == 0)
        (void)fputs("  nothing found that makes numbers less trustworthy\n", stream);
    for (size_t i = 0; i < e->n_findings; i++) {
        (void)fprintf(stream, "  %zu. ", i + 1);
        cb_text_print(stream, e->findings[i].what);
        (void)fputc('\n', stream);
        if (e->findings[i].remedy[0] == '\0')
            continue;
        (void)fputs("     remedy: ", stream);
        cb_text_print(stream, e->findings[i].remedy);
        (void)fputc('\n', stream);
    }
}

static json_t *library_object(const void *catalogue, size_t i)
{
    return cb_json_catalogue_entry(&((const cb_catalogue *)catalogue)->entries[i]);
}

/* {schema, environment, libraries}; the findings are environment.warnings. */
static cb_status write_json(FILE *stream, const cb_environment *environment, const cb_catalogue *catalogue,
                            cb_err *err)
{
    (void)fputs("{\n", stream);
    cb_status status = cb_json_write_member(stream, true, "schema", json_string(SCHEMA), err);
    if (status == CB_OK)
        status = cb_json_write_member(stream, false, "environment", cb_json_environment(environment), err);
    if (status == CB_OK)
        status = cb_json_write_array(stream, "libraries", catalogue->n, library_object, catalogue, err);
    if (status == CB_OK)
        (void)fputs("\n}\n", stream);
    return status;
}

cb_status cb_report_doctor(FILE *stream, const cb_environment *environment, const cb_catalogue *catalogue,
                           cb_format format, cb_err *err)
{
    if (format == CB_FORMAT_JSON)
        return write_json(stream, environment, catalogue, err);
    if (format == CB_FORMAT_CSV)
        return cb_fail(err, CB_BAD_ARGUMENT, "doctor is written as table or json, not as csv");
    print_machine(stream, environment);
    cb_status status = print_libraries(stream, catalogue, err);
    if (status == CB_OK)
        print_findings(stream, environment);
    return status;
}
