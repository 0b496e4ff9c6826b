/* Building blocks for JSON reports. A NULL value means out of memory and travels outward: cb_json_put()
 * refuses it, cb_json_finish() turns it into a NULL object. Owners are jansson's: a value given away is no
 * longer ours, even when giving it away fails. */
#ifndef CB_REPORT_JSON_VALUE_H
#define CB_REPORT_JSON_VALUE_H

#include <crypto_bench/status.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* null for NULL and ""; bytes that are not UTF-8 become U+FFFD. */
json_t *cb_json_text(const char *text);
/* The same with the home and cache folders replaced: for sentences and paths from outside. */
json_t *cb_json_public_text(const char *text);
/* null unless finite. */
json_t *cb_json_number(double number);
/* A count; null above INT64_MAX, which no count reaches. */
json_t *cb_json_count(uint64_t count);
/* A string of decimal digits, for 64-bit values that must survive readers which keep numbers as doubles. */
json_t *cb_json_digits(uint64_t value);

bool cb_json_put(json_t *object, const char *key, json_t *value);
bool cb_json_append(json_t *array, json_t *value);
/* The container when it was filled without a failure; else frees it and returns NULL. */
json_t *cb_json_finish(json_t *container, bool filled);

/* Writes "key":value on one line, with a comma and a line break in front unless it is the object's first
 * member. Takes the value. CB_OUT_OF_MEMORY for NULL, CB_IO when the stream fails. */
cb_status cb_json_write_member(FILE *stream, bool first, const char *key, json_t *value, cb_err *err);

/* Makes element number i of an array; NULL when out of memory. */
typedef json_t *(*cb_json_maker)(const void *context, size_t i);

/* Writes "key":[ ... ] with one element a line, made and freed one at a time, behind a comma. */
cb_status cb_json_write_array(FILE *stream, const char *key, size_t n, cb_json_maker make,
                              const void *context, cb_err *err);

#endif
