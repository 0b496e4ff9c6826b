#include "report/json_environment.h"

#include "report/json_value.h"

#include <string.h>

/* The space-separated words of a list. */
static json_t *words_array(const char *words)
{
    json_t *array = json_array();
    bool ok = true;
    while (ok && *(words += strspn(words, " ")) != '\0') {
        size_t n = strcspn(words, " ");
        char word[sizeof((cb_environment *)0)->features];
        (void)snprintf(word, sizeof word, "%.*s", (int)n, words);
        ok = cb_json_append(array, cb_json_text(word));
        words += n;
    }
    return cb_json_finish(array, ok);
}

static json_t *finding_object(const cb_finding *finding)
{
    json_t *o = json_object();
    return cb_json_finish(o, cb_json_put(o, "what", cb_json_public_text(finding->what)) &&
                                 cb_json_put(o, "remedy", cb_json_public_text(finding->remedy)));
}

static json_t *findings_array(const cb_environment *environment)
{
    json_t *array = json_array();
    bool ok = true;
    for (size_t i = 0; ok && i < environment->n_findings; i++)
        ok = cb_json_append(array, finding_object(&environment->findings[i]));
    return cb_json_finish(array, ok);
}

/* 0 stands for "unknown". */
static json_t *positive_count(unsigned count)
{
    return count > 0 ? cb_json_count(count) : json_null();
}

json_t *cb_json_environment(const cb_environment *environment)
{
    const cb_environment *e = environment;
    json_t *o = json_object();
    bool ok = cb_json_put(o, "cpu", cb_json_text(e->cpu)) &&
              cb_json_put(o, "features", words_array(e->features)) &&
              cb_json_put(o, "kernel", cb_json_text(e->kernel)) &&
              cb_json_put(o, "clock", cb_json_text(e->clock)) &&
              cb_json_put(o, "governor", cb_json_text(e->governor)) &&
              cb_json_put(o, "virtualised", json_boolean(e->virtualised)) &&
              cb_json_put(o, "hypervisor", cb_json_text(e->hypervisor)) &&
              cb_json_put(o, "cpus_online", positive_count(e->cpus_online)) &&
              cb_json_put(o, "cpus_allowed", positive_count(e->cpus_allowed)) &&
              cb_json_put(o, "measuring_cpu",
                          e->measuring_cpu >= 0 ? json_integer(e->measuring_cpu) : json_null()) &&
              cb_json_put(o, "load", cb_json_number(e->load1)) &&
              cb_json_put(o, "clock_read_ns", cb_json_number(e->clock_read_ns)) &&
              cb_json_put(o, "tsc_ghz", cb_json_number(e->tsc_ghz)) &&
              cb_json_put(o, "warnings", findings_array(e));
    return cb_json_finish(o, ok);
}

json_t *cb_json_library(const char *contestant, const cb_catalogue_entry *entry)
{
    json_t *o = json_object();
    bool ok = cb_json_put(o, "contestant", cb_json_text(contestant)) &&
              cb_json_put(o, "backend", cb_json_text(entry->backend)) &&
              cb_json_put(o, "version", cb_json_text(entry->version)) &&
              cb_json_put(o, "build", cb_json_public_text(entry->build)) &&
              cb_json_put(o, "licence", cb_json_text(entry->licence)) &&
              cb_json_put(o, "path", cb_json_public_text(entry->library));
    return cb_json_finish(o, ok);
}

json_t *cb_json_catalogue_entry(const cb_catalogue_entry *entry)
{
    bool usable = entry->absent.code == CB_OK;
    json_t *o = cb_json_library(entry->name, entry);
    bool ok = cb_json_put(o, "witness", json_boolean(entry->witness)) &&
              cb_json_put(o, "status", cb_json_text(cb_status_word(entry->absent.code))) &&
              cb_json_put(o, "message", cb_json_public_text(usable ? NULL : entry->absent.msg));
    return cb_json_finish(o, ok);
}
