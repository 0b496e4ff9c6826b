#include "plan/plan.h"

#include "plan/schedule.h"
#include "plan/select.h"

typedef struct builder {
    cb_plan *plan;
    const cb_config *config;
    cb_filters filters;
    size_t capacity; /* of plan->groups */
    cb_err *err;
} builder;

static cb_status no_memory(cb_err *err)
{
    return cb_fail(err, CB_OUT_OF_MEMORY, "out of memory for the plan");
}

static void group_free(cb_group *group)
{
    free(group->id);
    free(group->seats);
}

static char *group_id(const cb_operation *op, size_t msg_bytes, size_t aad_bytes)
{
    char *id = NULL;
    int n = aad_bytes == 0 ? asprintf(&id, "%s/%zu", op->id, msg_bytes)
                           : asprintf(&id, "%s/%zu?aad=%zu", op->id, msg_bytes, aad_bytes);
    return n < 0 ? NULL : id;
}

/* False when the contestant has no place in groups of this operation: nobody asked for a library by name that
 * works and merely lacks it. */
static bool seat_make(cb_seat *seat, const cb_plan *plan, size_t contestant, const cb_operation *op)
{
    const cb_contestant *who = &plan->contestants[contestant];
    bool usable = who->entry->absent.code == CB_OK;
    *seat = (cb_seat){.contestant = contestant};
    if (usable && cb_catalogue_find_kernel(who->entry, op->id) != NULL)
        return true;
    if (usable && !who->named)
        return false;
    seat->absent = true;
    cb_catalogue_why_absent(who->entry, op->id, seat->reason, sizeof seat->reason);
    return true;
}

static cb_status take_seat(builder *b, const cb_group *group, const char *name, bool *taken)
{
    char *seat_id = NULL;
    if (asprintf(&seat_id, "%s@%s", group->id, name) < 0)
        return no_memory(b->err);
    *taken = cb_filters_take(&b->filters, group->id, seat_id);
    free(seat_id);
    return CB_OK;
}

static cb_status fill_seats(builder *b, cb_group *group)
{
    const cb_plan *plan = b->plan;
    group->seats = calloc(plan->n_contestants, sizeof *group->seats);
    if (group->seats == NULL)
        return no_memory(b->err);
    for (size_t i = 0; i < plan->n_contestants; i++) {
        if (!seat_make(&group->seats[group->n_seats], plan, i, group->op))
            continue;
        bool taken = false;
        cb_status status = take_seat(b, group, plan->contestants[i].name, &taken);
        if (status != CB_OK)
            return status;
        group->n_seats += taken;
    }
    return CB_OK;
}

/* The operation is asked about sizes only where a group remains: a filter may keep it from ones it cannot
 * have. */
static cb_status group_make(builder *b, cb_group *group, const cb_operation *op, size_t msg_bytes)
{
    *group =
        (cb_group){.op = op, .msg_bytes = msg_bytes, .aad_bytes = b->config->aad_bytes, .params = op->params};
    group->id = group_id(op, msg_bytes, group->aad_bytes);
    if (group->id == NULL)
        return no_memory(b->err);
    cb_status status = fill_seats(b, group);
    if (status != CB_OK || group->n_seats == 0)
        return status;
    cb_shape shape = {0};
    cb_schedule_group(group, b->config);
    return op->shape(op, msg_bytes, group->aad_bytes, &shape, b->err);
}

static cb_status grow_groups(builder *b)
{
    cb_plan *plan = b->plan;
    if (plan->n_groups < b->capacity)
        return CB_OK;
    size_t capacity = b->capacity == 0 ? 16 : 2 * b->capacity;
    cb_group *groups = reallocarray(plan->groups, capacity, sizeof *groups);
    if (groups == NULL)
        return no_memory(b->err);
    plan->groups = groups;
    b->capacity = capacity;
    return CB_OK;
}

static cb_status add_group(builder *b, const cb_operation *op, size_t msg_bytes)
{
    cb_group group;
    cb_status status = group_make(b, &group, op, msg_bytes);
    bool kept = status == CB_OK && group.n_seats > 0;
    if (kept)
        status = grow_groups(b);
    if (kept && status == CB_OK)
        b->plan->groups[b->plan->n_groups++] = group;
    else
        group_free(&group);
    return status;
}

static cb_status add_operation(builder *b, const cb_operation *op)
{
    const cb_size_list *asked = &b->config->sizes;
    const size_t *sizes = asked->n > 0 ? asked->items : op->sizes;
    size_t n = asked->n > 0 ? asked->n : op->n_sizes;
    cb_status status = CB_OK;
    for (size_t i = 0; i < n && status == CB_OK; i++)
        status = add_group(b, op, sizes[i]);
    return status;
}

static cb_status add_operations(builder *b)
{
    bool *chosen = calloc(cb_operation_count(), sizeof *chosen);
    if (chosen == NULL)
        return no_memory(b->err);
    cb_status status = cb_select_operations(b->config, chosen, b->err);
    for (size_t i = 0; i < cb_operation_count() && status == CB_OK; i++)
        if (chosen[i])
            status = add_operation(b, cb_operation_at(i));
    free(chosen);
    return status;
}

static cb_status add_groups(builder *b)
{
    cb_status status = cb_filters_start(&b->filters, &b->config->filters, b->err);
    if (status == CB_OK)
        status = add_operations(b);
    if (status == CB_OK)
        status = cb_filters_check(&b->filters, b->err);
    cb_filters_free(&b->filters);
    if (status == CB_OK && b->plan->n_groups == 0)
        return cb_fail(b->err, CB_BAD_ARGUMENT,
                       "no library here has what was asked for; 'crypto_bench list' shows what there is");
    return status;
}

cb_status cb_plan_make(cb_plan *plan, const cb_config *config, const cb_catalogue *catalogue, cb_err *err)
{
    *plan = (cb_plan){0};
    cb_schedule_make(&plan->schedule, config);
    builder b = {.plan = plan, .config = config, .err = err};
    cb_status status = cb_select_contestants(plan, config, catalogue, err);
    if (status == CB_OK)
        status = add_groups(&b);
    if (status != CB_OK)
        cb_plan_free(plan);
    return status;
}

void cb_plan_free(cb_plan *plan)
{
    for (size_t i = 0; i < plan->n_contestants; i++)
        free(plan->contestants[i].name);
    for (size_t i = 0; i < plan->n_groups; i++)
        group_free(&plan->groups[i]);
    free(plan->contestants);
    free(plan->groups);
    *plan = (cb_plan){0};
}
