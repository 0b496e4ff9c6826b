/* What -b, -p, --op and the filters pick. All return CB_BAD_ARGUMENT when a word names nothing. */
#ifndef CB_PLAN_SELECT_H
#define CB_PLAN_SELECT_H

#include "plan/plan.h"

/* Fills plan->contestants, which is empty so far: the libraries of -b in that order, or all but witnesses in
 * catalogue order, without the excluded ones. After a failure cb_plan_free() frees what is there. */
cb_status cb_select_contestants(cb_plan *plan, const cb_config *config, const cb_catalogue *catalogue,
                                cb_err *err);

/* Sets chosen[i] for each operation i that both -p and --op allow. chosen: [cb_operation_count()]. */
cb_status cb_select_operations(const cb_config *config, bool *chosen, cb_err *err);

/* The filters and which of them have matched something. */
typedef struct cb_filters {
    const cb_words *words; /* borrowed from the config */
    bool *matched;         /* [words->n], or NULL without filters */
} cb_filters;

cb_status cb_filters_start(cb_filters *filters, const cb_words *words, cb_err *err);
void cb_filters_free(cb_filters *filters);

/* True when any filter takes the seat, or when there are none. id: "aead/aes-256-gcm/encrypt/64"; seat_id:
 * the same with "@openssl" behind it. A filter takes what it is a part of, or, as a glob, what it matches
 * whole. */
bool cb_filters_take(cb_filters *filters, const char *id, const char *seat_id);

/* CB_BAD_ARGUMENT that shows the first filter which took nothing. */
cb_status cb_filters_check(const cb_filters *filters, cb_err *err);

#endif
