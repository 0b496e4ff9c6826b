/* What `list` shows: all operations and libraries, or those of a plan. */
#ifndef CB_REPORT_LISTING_H
#define CB_REPORT_LISTING_H

#include "plan/plan.h"

/* Borrows both. plan may be NULL: everything. */
typedef struct cb_listing {
    const cb_catalogue *catalogue;
    const cb_plan *plan;
} cb_listing;

/* One library under one operation. */
typedef struct cb_listing_row {
    const char *name;
    const cb_catalogue_entry *entry;
    const cb_catalogue_kernel *kernel; /* NULL when the library lacks the operation or cannot be used */
    char reason[200];                  /* why, when kernel is NULL; else "" */
} cb_listing_row;

/* The listed operations, in the order in which they are measured; NULL past the end. */
const cb_operation *cb_listing_operation(const cb_listing *listing, size_t index);
size_t cb_listing_operation_count(const cb_listing *listing);

/* Steps through the message sizes of a listed operation; *cursor starts at 0. False at the end. */
bool cb_listing_next_size(const cb_listing *listing, const cb_operation *op, size_t *cursor, size_t *bytes);

/* The contestants, usable or not. index < cb_listing_library_count(). */
size_t cb_listing_library_count(const cb_listing *listing);
const cb_catalogue_entry *cb_listing_library(const cb_listing *listing, size_t index, const char **name);
cb_listing_row cb_listing_row_make(const cb_listing *listing, const cb_operation *op, size_t index);

#endif
