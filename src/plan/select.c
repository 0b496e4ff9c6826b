#include "plan/select.h"

#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/quote.h"
#include "plan/glob.h"

#define EXCLUDE '^'

static bool is_exclusion(const char *word)
{
    return *word == EXCLUDE;
}

static const char *bare(const char *word)
{
    return word + is_exclusion(word);
}

static bool has_inclusions(const cb_words *words)
{
    for (size_t i = 0; i < words->n; i++)
        if (!is_exclusion(words->items[i]))
            return true;
    return false;
}

/* Appends as many names as fit to msg, with "..." for the rest. */
static void append_names(char *msg, size_t size, const cb_catalogue *catalogue)
{
    static const char more[] = ", ...";
    size_t used = strlen(msg);
    for (size_t i = 0; i < catalogue->n; i++) {
        const char *name = catalogue->entries[i].name;
        const char *gap = i == 0 ? "" : ", ";
        bool last = i + 1 == catalogue->n;
        if (used + strlen(gap) + strlen(name) + (last ? 1 : sizeof more) > size) {
            (void)snprintf(msg + used, size - used, "%s", i == 0 ? "..." : more);
            return;
        }
        (void)snprintf(msg + used, size - used, "%s%s", gap, name);
        used += strlen(gap) + strlen(name);
    }
}

static cb_status unknown_backend(const cb_catalogue *catalogue, const char *name, cb_err *err)
{
    cb_nearest nearest = cb_nearest_start(name);
    for (size_t i = 0; i < catalogue->n; i++)
        cb_nearest_offer(&nearest, catalogue->entries[i].name, strlen(catalogue->entries[i].name));
    char msg[sizeof err->msg], quoted[CB_QUOTE_BYTES], hint[CB_NEAREST_HINT_BYTES];
    (void)snprintf(msg, sizeof msg,
                   "--backend: no library %s%s 'crypto_bench list' has: ", cb_quote(name, quoted),
                   nearest.name == NULL ? ";" : cb_nearest_hint(&nearest, "", hint));
    append_names(msg, sizeof msg, catalogue);
    return cb_fail(err, CB_BAD_ARGUMENT, "%s", msg);
}

static cb_status check_backends_known(const cb_words *words, const cb_catalogue *catalogue, cb_err *err)
{
    for (size_t i = 0; i < words->n; i++)
        if (cb_catalogue_find(catalogue, bare(words->items[i])) == NULL)
            return unknown_backend(catalogue, bare(words->items[i]), err);
    return CB_OK;
}

static bool is_excluded(const cb_words *words, const char *name)
{
    for (size_t i = 0; i < words->n; i++)
        if (is_exclusion(words->items[i]) && strcmp(bare(words->items[i]), name) == 0)
            return true;
    return false;
}

static bool has_contestant(const cb_plan *plan, const cb_catalogue_entry *entry)
{
    for (size_t i = 0; i < plan->n_contestants; i++)
        if (plan->contestants[i].entry == entry)
            return true;
    return false;
}

/* The plan has room for every entry of the catalogue. */
static cb_status add_contestant(cb_plan *plan, const cb_catalogue_entry *entry, bool named, cb_err *err)
{
    if (has_contestant(plan, entry))
        return CB_OK;
    char *name = strdup(entry->name);
    if (name == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "out of memory for the plan");
    plan->contestants[plan->n_contestants++] = (cb_contestant){.name = name, .entry = entry, .named = named};
    return CB_OK;
}

static cb_status add_named(cb_plan *plan, const cb_words *words, const cb_catalogue *catalogue, cb_err *err)
{
    cb_status status = CB_OK;
    for (size_t i = 0; i < words->n && status == CB_OK; i++)
        if (!is_exclusion(words->items[i]) && !is_excluded(words, words->items[i]))
            status = add_contestant(plan, cb_catalogue_find(catalogue, words->items[i]), true, err);
    return status;
}

static cb_status add_default(cb_plan *plan, const cb_words *words, const cb_catalogue *catalogue, cb_err *err)
{
    cb_status status = CB_OK;
    for (size_t i = 0; i < catalogue->n && status == CB_OK; i++) {
        const cb_catalogue_entry *entry = &catalogue->entries[i];
        if (!entry->witness && !is_excluded(words, entry->name))
            status = add_contestant(plan, entry, false, err);
    }
    return status;
}

cb_status cb_select_contestants(cb_plan *plan, const cb_config *config, const cb_catalogue *catalogue,
                                cb_err *err)
{
    const cb_words *words = &config->backends;
    if (catalogue->n == 0)
        return cb_fail(err, CB_BAD_ARGUMENT,
                       "no library module was found; the build puts them into backends/");
    cb_status status = check_backends_known(words, catalogue, err);
    if (status != CB_OK)
        return status;
    plan->contestants = calloc(catalogue->n, sizeof *plan->contestants);
    if (plan->contestants == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "out of memory for the plan");
    status = has_inclusions(words) ? add_named(plan, words, catalogue, err)
                                   : add_default(plan, words, catalogue, err);
    if (status == CB_OK && plan->n_contestants == 0)
        return cb_fail(err, CB_BAD_ARGUMENT, "--backend leaves no library; 'crypto_bench list' shows all");
    return status;
}

/* An option whose words name parts of operation ids. */
typedef struct part_option {
    const char *name, *noun;
    unsigned first, last; /* parts of the id that its words can name */
} part_option;

static const part_option primitive_option = {"primitive", "family or algorithm", 0, 1};
static const part_option op_option = {"op", "operation", 2, 2};

static bool names_operation(const part_option *option, const char *word, const cb_operation *op)
{
    for (unsigned part = option->first; part <= option->last; part++) {
        cb_id_part text = cb_operation_part(op, part);
        if (strlen(word) == text.n && memcmp(word, text.p, text.n) == 0)
            return true;
    }
    return false;
}

static cb_status check_part_known(const part_option *option, const char *word, cb_err *err)
{
    cb_nearest nearest = cb_nearest_start(word);
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        if (names_operation(option, word, op))
            return CB_OK;
        for (unsigned part = option->first; part <= option->last; part++) {
            cb_id_part text = cb_operation_part(op, part);
            cb_nearest_offer(&nearest, text.p, text.n);
        }
    }
    char quoted[CB_QUOTE_BYTES], hint[CB_NEAREST_HINT_BYTES];
    return cb_fail(err, CB_BAD_ARGUMENT, "--%s: no %s %s%s 'crypto_bench list' shows all", option->name,
                   option->noun, cb_quote(word, quoted),
                   nearest.name == NULL ? ";" : cb_nearest_hint(&nearest, "", hint));
}

static bool allows(const part_option *option, const cb_words *words, const cb_operation *op)
{
    bool allowed = !has_inclusions(words);
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->items[i];
        if (!names_operation(option, bare(word), op))
            continue;
        if (is_exclusion(word))
            return false;
        allowed = true;
    }
    return allowed;
}

static cb_status check_parts_known(const part_option *option, const cb_words *words, cb_err *err)
{
    cb_status status = CB_OK;
    for (size_t i = 0; i < words->n && status == CB_OK; i++)
        status = check_part_known(option, bare(words->items[i]), err);
    return status;
}

cb_status cb_select_operations(const cb_config *config, bool *chosen, cb_err *err)
{
    cb_status status = check_parts_known(&primitive_option, &config->primitives, err);
    if (status == CB_OK)
        status = check_parts_known(&op_option, &config->ops, err);
    if (status != CB_OK)
        return status;
    bool any = false;
    for (size_t i = 0; i < cb_operation_count(); i++) {
        const cb_operation *op = cb_operation_at(i);
        chosen[i] =
            allows(&primitive_option, &config->primitives, op) && allows(&op_option, &config->ops, op);
        any = any || chosen[i];
    }
    if (!any)
        return cb_fail(err, CB_BAD_ARGUMENT,
                       "--primitive and --op leave no operation; 'crypto_bench list' shows all");
    return CB_OK;
}

cb_status cb_filters_start(cb_filters *filters, const cb_words *words, cb_err *err)
{
    *filters = (cb_filters){.words = words};
    if (words->n == 0)
        return CB_OK;
    filters->matched = calloc(words->n, sizeof *filters->matched);
    if (filters->matched == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "out of memory for the filters");
    return CB_OK;
}

void cb_filters_free(cb_filters *filters)
{
    free(filters->matched);
    *filters = (cb_filters){0};
}

static bool filter_takes(const char *filter, const char *id, const char *seat_id)
{
    if (strstr(seat_id, filter) != NULL)
        return true;
    return cb_glob_is(filter) && (cb_glob_match(filter, id) || cb_glob_match(filter, seat_id));
}

bool cb_filters_take(cb_filters *filters, const char *id, const char *seat_id)
{
    bool taken = filters->words->n == 0;
    for (size_t i = 0; i < filters->words->n; i++)
        if (filter_takes(filters->words->items[i], id, seat_id)) {
            filters->matched[i] = true;
            taken = true;
        }
    return taken;
}

/* A mistyped command arrives here as a filter. */
static const char *command_hint(const char *filter, char hint[CB_NEAREST_HINT_BYTES])
{
    size_t n;
    const cb_command_word *commands = cb_command_words(&n);
    cb_nearest nearest = cb_nearest_start(filter);
    for (size_t i = 0; i < n; i++)
        cb_nearest_offer(&nearest, commands[i].name, strlen(commands[i].name));
    return cb_nearest_hint(&nearest, "the command ", hint);
}

cb_status cb_filters_check(const cb_filters *filters, cb_err *err)
{
    for (size_t i = 0; i < filters->words->n; i++) {
        if (filters->matched[i])
            continue;
        char quoted[CB_QUOTE_BYTES], hint[CB_NEAREST_HINT_BYTES];
        command_hint(filters->words->items[i], hint);
        return cb_fail(err, CB_BAD_ARGUMENT, "no case matches the filter %s%s 'crypto_bench list' shows all",
                       cb_quote(filters->words->items[i], quoted), hint[0] != '\0' ? hint : ";");
    }
    return CB_OK;
}
