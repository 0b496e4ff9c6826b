/* Machine and libraries as JSON, the same in every report that has them. */
#ifndef CB_REPORT_JSON_ENVIRONMENT_H
#define CB_REPORT_JSON_ENVIRONMENT_H

#include "plan/catalogue.h"
#include "system/environment.h"

#include <jansson.h>

/* All fields, findings as "warnings". What is unknown is null. NULL when out of memory. */
json_t *cb_json_environment(const cb_environment *environment);

/* {contestant, backend, version, build, licence, path} of a usable entry. NULL when out of memory. */
json_t *cb_json_library(const char *contestant, const cb_catalogue_entry *entry);

/* The same with "status" and "message" for any entry of a catalogue, usable or not, and with "witness". NULL
 * when out of memory. */
json_t *cb_json_catalogue_entry(const cb_catalogue_entry *entry);

#endif
