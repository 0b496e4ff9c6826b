#include "cli/config.h"

#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/quote.h"
#include "cli/words.h"

typedef struct parser {
    cb_config *config;
    char *const *next, *const *end; /* arguments still to read */
    uint64_t seen;                  /* options given, by their place in the table */
    bool only_filters;              /* behind "--" */
    bool has_command;
    cb_err *err;
} parser;

static uint64_t option_bit(const cb_option *option)
{
    size_t n;
    return (uint64_t)1 << (option - cb_options(&n));
}

static cb_status apply(parser *p, const cb_option *option, const char *value)
{
    if ((p->seen & option_bit(option)) != 0 && !option->repeatable)
        return cb_fail(p->err, CB_BAD_ARGUMENT, "--%s is given twice; give it once", option->name);
    p->seen |= option_bit(option);
    return option->apply(option, p->config, value, p->err);
}

/* value: what stands in the same argument, or NULL. */
static cb_status apply_valued(parser *p, const cb_option *option, const char *value)
{
    if (value == NULL && p->next == p->end)
        return cb_fail(p->err, CB_BAD_ARGUMENT, "--%s needs a value: --%s %s", option->name, option->name,
                       option->argument);
    return apply(p, option, value != NULL ? value : *p->next++);
}

/* shown: the option as it was given; name: what it may have meant, without dashes. */
static cb_status unknown_option(parser *p, const char *shown, const char *name)
{
    size_t n;
    const cb_option *options = cb_options(&n);
    cb_nearest nearest = cb_nearest_start(name);
    for (size_t i = 0; i < n; i++)
        cb_nearest_offer(&nearest, options[i].name, strlen(options[i].name));
    char quoted[CB_QUOTE_BYTES], hint[CB_NEAREST_HINT_BYTES];
    cb_nearest_hint(&nearest, "--", hint);
    return cb_fail(p->err, CB_BAD_ARGUMENT, "unknown option %s%s", cb_quote(shown, quoted),
                   hint[0] != '\0' ? hint : "; 'crypto_bench --help' shows all");
}

/* The name of an unknown option ends at '=', where its value would start. */
static cb_status unknown_long(parser *p, const char *argument, size_t name_bytes)
{
    char *shown = strndup(argument, 2 + name_bytes);
    if (shown == NULL)
        return cb_fail(p->err, CB_OUT_OF_MEMORY, "out of memory for the command line");
    cb_status status = unknown_option(p, shown, shown + 2);
    free(shown);
    return status;
}

static cb_status read_long(parser *p, const char *argument)
{
    const char *name = argument + 2;
    size_t n = strcspn(name, "=");
    const char *value = name[n] == '=' ? name + n + 1 : NULL;
    const cb_option *option = cb_option_by_name(name, n);
    if (option == NULL)
        return unknown_long(p, argument, n);
    if (option->argument != NULL)
        return apply_valued(p, option, value);
    if (value != NULL) {
        char quoted[CB_QUOTE_BYTES];
        return cb_fail(p->err, CB_BAD_ARGUMENT, "--%s takes no value, but got %s", option->name,
                       cb_quote(value, quoted));
    }
    return apply(p, option, NULL);
}

/* One or more flags, the last letter perhaps with its value: -qv, -s64, -qs 64. */
static cb_status read_letters(parser *p, const char *argument)
{
    for (const char *letter = argument + 1; *letter != '\0'; letter++) {
        const cb_option *option = cb_option_by_letter(*letter);
        if (option == NULL)
            return unknown_option(p, argument, argument + 1);
        if (option->argument != NULL)
            return apply_valued(p, option, letter[1] != '\0' ? letter + 1 : NULL);
        cb_status status = apply(p, option, NULL);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

/* The first word that is no option may be a command; all others are filters. */
static cb_status read_word(parser *p, const char *word)
{
    const cb_command_word *command = NULL;
    if (!p->only_filters && !p->has_command && p->config->filters.n == 0)
        command = cb_command_by_name(word);
    if (command != NULL) {
        p->has_command = true;
        p->config->topic = command->command;
        return CB_OK;
    }
    if (*word == '\0')
        return cb_fail(p->err, CB_BAD_ARGUMENT, "an empty filter would match every case; leave it out");
    return cb_words_add(&p->config->filters, word, strlen(word), p->err);
}

static cb_status read_argument(parser *p, const char *argument)
{
    if (p->only_filters || argument[0] != '-' || argument[1] == '\0')
        return read_word(p, argument);
    if (argument[1] != '-')
        return read_letters(p, argument);
    if (argument[2] != '\0')
        return read_long(p, argument);
    p->only_filters = true;
    return CB_OK;
}

static cb_status check_options_apply(const parser *p, const cb_command_word *command)
{
    size_t n;
    const cb_option *options = cb_options(&n);
    for (size_t i = 0; i < n; i++)
        if ((p->seen >> i & 1) != 0 && (options[i].commands & CB_COMMAND_BIT(command->command)) == 0)
            return cb_fail(p->err, CB_BAD_ARGUMENT,
                           "--%s does not apply to %s; 'crypto_bench %s --help' shows what does",
                           options[i].name, command->name, command->name);
    return CB_OK;
}

static cb_status check_command(const parser *p)
{
    const cb_config *config = p->config;
    const cb_command_word *command = cb_command_word_of(config->topic);
    cb_status status = check_options_apply(p, command);
    if (status != CB_OK)
        return status;
    char quoted[CB_QUOTE_BYTES];
    if (!command->takes_filters && config->filters.n > 0)
        return cb_fail(p->err, CB_BAD_ARGUMENT, "%s takes no filter, but got %s", command->name,
                       cb_quote(config->filters.items[0], quoted));
    if (config->topic != CB_COMMAND_RUN && config->format == CB_FORMAT_CSV)
        return cb_fail(p->err, CB_BAD_ARGUMENT, "--format: %s takes table or json, not csv", command->name);
    return CB_OK;
}

static cb_status drop_repetitions(cb_config *config, cb_err *err)
{
    cb_words *const lists[] = {&config->filters, &config->backends, &config->primitives, &config->ops,
                               &config->outputs};
    cb_sizes_unique(&config->sizes);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        cb_status status = cb_words_unique(lists[i], err);
        if (status != CB_OK)
            return status;
    }
    return CB_OK;
}

static cb_status read_all(parser *p)
{
    while (p->next < p->end) {
        cb_status status = read_argument(p, *p->next++);
        if (status != CB_OK)
            return status;
    }
    if (p->config->command == CB_COMMAND_HELP || p->config->command == CB_COMMAND_VERSION)
        return CB_OK;
    p->config->command = p->config->topic;
    cb_status status = check_command(p);
    return status != CB_OK ? status : drop_repetitions(p->config, p->err);
}

cb_status cb_config_parse(cb_config *config, int argc, char *const argv[], cb_err *err)
{
    *config = (cb_config){
        .command = CB_COMMAND_RUN,
        .topic = CB_COMMAND_RUN,
        .sampling = {.timeout_s = CB_TIMEOUT_DEFAULT_S, .cpu = -1},
    };
    int first = argc > 0 ? 1 : 0;
    parser p = {.config = config, .next = argv + first, .end = argv + argc, .err = err};
    cb_status status = read_all(&p);
    if (status != CB_OK)
        cb_config_free(config);
    return status;
}

void cb_config_free(cb_config *config)
{
    cb_words_free(&config->filters);
    cb_words_free(&config->backends);
    cb_words_free(&config->primitives);
    cb_words_free(&config->ops);
    cb_words_free(&config->outputs);
    cb_sizes_free(&config->sizes);
}
