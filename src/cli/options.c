#include "cli/options.h"

#include "cli/number.h"
#include "cli/quote.h"
#include "cli/words.h"

#define FIELD(member) offsetof(cb_config, member)
#define RUN           CB_COMMAND_BIT(CB_COMMAND_RUN)
#define LIST          CB_COMMAND_BIT(CB_COMMAND_LIST)
#define DOCTOR        CB_COMMAND_BIT(CB_COMMAND_DOCTOR)
#define CASES         (RUN | LIST)
#define ANY           (RUN | LIST | DOCTOR)

static void *field_of(const cb_option *self, cb_config *config)
{
    return (char *)config + self->field;
}

static cb_status apply_words(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    return cb_words_split(field_of(self, config), self->name, value, err);
}

static cb_status apply_sizes(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    cb_words items = {0};
    cb_status status = cb_words_split(&items, self->name, value, err);
    for (size_t i = 0; i < items.n && status == CB_OK; i++) {
        size_t bytes = 0;
        status = cb_number_size(self->name, items.items[i], self->max, &bytes, err);
        if (status == CB_OK)
            status = cb_sizes_add(field_of(self, config), bytes, err);
    }
    cb_words_free(&items);
    return status;
}

static cb_status apply_size(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    return cb_number_size(self->name, value, self->max, field_of(self, config), err);
}

static cb_status apply_decimal(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    return cb_number_decimal(self->name, value, self->low, self->high, field_of(self, config), err);
}

static cb_status apply_replicates(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    uint64_t replicates = 0;
    cb_status status = cb_number_whole(self->name, value, self->min, self->max, &replicates, err);
    config->sampling.replicates = (unsigned)replicates;
    return status;
}

static cb_status apply_seed(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    config->sampling.has_seed = true;
    return cb_number_whole(self->name, value, self->min, self->max, &config->sampling.seed, err);
}

static cb_status apply_cpu(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    uint64_t cpu = 0;
    cb_status status = cb_number_whole(self->name, value, self->min, self->max, &cpu, err);
    config->sampling.cpu = (int)cpu;
    return status;
}

static cb_status apply_output(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    if (*value == '\0')
        return cb_fail(err, CB_BAD_ARGUMENT, "--%s: \"\" is not a file name", self->name);
    return cb_words_add(&config->outputs, value, strlen(value), err);
}

static cb_status apply_flag(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    (void)value, (void)err;
    *(bool *)field_of(self, config) = true;
    return CB_OK;
}

static cb_status apply_effort(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    (void)value;
    if (config->effort != CB_EFFORT_DEFAULT && (int)config->effort != self->value)
        return cb_fail(err, CB_BAD_ARGUMENT, "--quick and --rigorous exclude each other; give one of them");
    config->effort = (cb_effort)self->value;
    return CB_OK;
}

static cb_status apply_verbosity(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    (void)self, (void)value, (void)err;
    config->verbosity++;
    return CB_OK;
}

/* The first of --help and --version decides. */
static cb_status apply_command(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    (void)value, (void)err;
    if (config->command != CB_COMMAND_HELP && config->command != CB_COMMAND_VERSION)
        config->command = (cb_command)self->value;
    return CB_OK;
}

static cb_status choose(const cb_option *self, const char *value, int *chosen, cb_err *err)
{
    char names[48] = "";
    size_t used = 0;
    for (const cb_choice *choice = self->choices; choice->name != NULL; choice++) {
        if (strcmp(choice->name, value) == 0) {
            *chosen = choice->value;
            return CB_OK;
        }
        (void)snprintf(names + used, sizeof names - used, "%s%s", used == 0 ? "" : ", ", choice->name);
        used = strlen(names);
    }
    char quoted[CB_QUOTE_BYTES];
    return cb_fail(err, CB_BAD_ARGUMENT, "--%s: %s is none of %s", self->name, cb_quote(value, quoted),
                   names);
}

static cb_status apply_format(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    int chosen = CB_FORMAT_AUTO;
    cb_status status = choose(self, value, &chosen, err);
    config->format = (cb_format)chosen;
    return status;
}

static cb_status apply_color(const cb_option *self, cb_config *config, const char *value, cb_err *err)
{
    int chosen = CB_COLOR_AUTO;
    cb_status status = choose(self, value, &chosen, err);
    config->color = (cb_color)chosen;
    return status;
}

static const cb_choice formats[] = {
    {"table", CB_FORMAT_TABLE}, {"json", CB_FORMAT_JSON}, {"csv", CB_FORMAT_CSV}, {NULL, 0}};

static const cb_choice colors[] = {
    {"auto", CB_COLOR_AUTO}, {"always", CB_COLOR_ALWAYS}, {"never", CB_COLOR_NEVER}, {NULL, 0}};

static const cb_option options[] = {
    {.letter = 'b',
     .name = "backend",
     .argument = "LIST",
     .group = CB_OPTIONS_WHAT,
     .commands = CASES,
     .help = "libraries: openssl,libsodium; the first one named is the reference; ^openssl leaves one out",
     .repeatable = true,
     .apply = apply_words,
     .field = FIELD(backends)},
    {.letter = 'p',
     .name = "primitive",
     .argument = "LIST",
     .group = CB_OPTIONS_WHAT,
     .commands = CASES,
     .help = "families or algorithms: aead, aes-256-gcm; ^aes-256-gcm leaves one out",
     .repeatable = true,
     .apply = apply_words,
     .field = FIELD(primitives)},
    {.name = "op",
     .argument = "LIST",
     .group = CB_OPTIONS_WHAT,
     .commands = CASES,
     .help = "operations: encrypt,decrypt; ^decrypt leaves one out",
     .repeatable = true,
     .apply = apply_words,
     .field = FIELD(ops)},
    {.letter = 's',
     .name = "size",
     .argument = "LIST",
     .group = CB_OPTIONS_WHAT,
     .commands = CASES,
     .help = "message sizes in bytes, up to 1G: 64,1K,16KiB (K, M and G count in powers of 1024)",
     .repeatable = true,
     .apply = apply_sizes,
     .field = FIELD(sizes),
     .max = CB_MESSAGE_BYTES_MAX},
    {.name = "aad",
     .argument = "SIZE",
     .group = CB_OPTIONS_WHAT,
     .commands = CASES,
     .help = "associated data of an AEAD in bytes, up to 1M",
     .usual = "0",
     .apply = apply_size,
     .field = FIELD(aad_bytes),
     .max = CB_AAD_BYTES_MAX},

    {.name = "quick",
     .group = CB_OPTIONS_SAMPLING,
     .commands = RUN,
     .help = "a smoke run of seconds: shows that everything works, with rough numbers",
     .apply = apply_effort,
     .value = CB_EFFORT_QUICK},
    {.name = "rigorous",
     .group = CB_OPTIONS_SAMPLING,
     .commands = RUN,
     .help = "a run for publication: more time, more replicates, varied memory layout",
     .apply = apply_effort,
     .value = CB_EFFORT_RIGOROUS},
    {.name = "time",
     .argument = "SECS",
     .group = CB_OPTIONS_SAMPLING,
     .commands = RUN,
     .help = "measured seconds per case, all its libraries together",
     .apply = apply_decimal,
     .field = FIELD(sampling.time_s),
     .low = 0.001,
     .high = 86400},
    {.name = "target-ci",
     .argument = "PCT",
     .group = CB_OPTIONS_SAMPLING,
     .commands = RUN,
     .help = "stop a case when its interval is this narrow, as a half-width in percent",
     .apply = apply_decimal,
     .field = FIELD(sampling.target_ci_pct),
     .low = 0.01,
     .high = 100},
    {.name = "replicates",
     .argument = "N",
     .group = CB_OPTIONS_SAMPLING,
     .commands = RUN,
     .help = "measure exactly N times with fresh processes, however narrow the intervals are",
     .apply = apply_replicates,
     .min = 1,
     .max = 10000},
    {.name = "seed",
     .argument = "N",
     .group = CB_OPTIONS_SAMPLING,
     .commands = RUN,
     .help = "repeat the inputs and the order of an earlier run: the seed it printed",
     .apply = apply_seed,
     .max = UINT64_MAX},
    {.name = "cpu",
     .argument = "N",
     .group = CB_OPTIONS_SAMPLING,
     .commands = RUN | DOCTOR,
     .help = "the CPU to measure on",
     .usual = "the last allowed one",
     .apply = apply_cpu,
     .max = 4095},
    {.name = "timeout",
     .argument = "SECS",
     .group = CB_OPTIONS_SAMPLING,
     .commands = ANY,
     .help = "give a library up when it does not answer for this long",
     .usual = "10",
     .apply = apply_decimal,
     .field = FIELD(sampling.timeout_s),
     .low = 0.1,
     .high = 86400},
    {.name = "in-process",
     .group = CB_OPTIONS_SAMPLING,
     .commands = RUN,
     .help = "measure one library inside this process, for debuggers and profilers",
     .apply = apply_flag,
     .field = FIELD(in_process)},

    {.letter = 'f',
     .name = "format",
     .argument = "FMT",
     .group = CB_OPTIONS_OUTPUT,
     .commands = ANY,
     .help = "table, json or csv; list and doctor have no csv",
     .usual = "table",
     .apply = apply_format,
     .choices = formats},
    {.letter = 'o',
     .name = "output",
     .argument = "FILE",
     .group = CB_OPTIONS_OUTPUT,
     .commands = RUN,
     .help = "write a file, in the format of its ending unless -f says; may be repeated",
     .repeatable = true,
     .apply = apply_output},
    {.name = "color",
     .argument = "WHEN",
     .group = CB_OPTIONS_OUTPUT,
     .commands = RUN,
     .help = "auto (on a terminal unless NO_COLOR is set), always or never",
     .usual = "auto",
     .apply = apply_color,
     .choices = colors},
    {.name = "no-progress",
     .group = CB_OPTIONS_OUTPUT,
     .commands = RUN,
     .help = "no progress line",
     .apply = apply_flag,
     .field = FIELD(no_progress)},
    {.letter = 'q',
     .name = "quiet",
     .group = CB_OPTIONS_OUTPUT,
     .commands = RUN,
     .help = "results only: no progress, no notes",
     .apply = apply_flag,
     .field = FIELD(quiet)},
    {.letter = 'v',
     .name = "verbose",
     .group = CB_OPTIONS_OUTPUT,
     .commands = RUN,
     .help = "more in the table: builds of the libraries, spread of every row",
     .repeatable = true,
     .apply = apply_verbosity},

    {.letter = 'h',
     .name = "help",
     .group = CB_OPTIONS_GENERAL,
     .commands = ANY,
     .help = "show this text; after a command, what applies to it",
     .repeatable = true,
     .apply = apply_command,
     .value = CB_COMMAND_HELP},
    {.letter = 'V',
     .name = "version",
     .group = CB_OPTIONS_GENERAL,
     .commands = ANY,
     .help = "show the version",
     .repeatable = true,
     .apply = apply_command,
     .value = CB_COMMAND_VERSION},
};
#define N_OPTIONS (sizeof options / sizeof options[0])
_Static_assert(N_OPTIONS <= 64, "a set of options is one 64-bit word");

static const cb_command_word command_words[] = {
    {"run", CB_COMMAND_RUN, "measure (the default)", true},
    {"list", CB_COMMAND_LIST, "show every case, who has it, and why a library lacks it", true},
    {"doctor", CB_COMMAND_DOCTOR, "show what makes numbers untrustworthy here, and how to mend it", false},
};
#define N_COMMANDS (sizeof command_words / sizeof command_words[0])

const cb_option *cb_options(size_t *n)
{
    *n = N_OPTIONS;
    return options;
}

const cb_option *cb_option_by_name(const char *name, size_t n)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (strlen(options[i].name) == n && memcmp(options[i].name, name, n) == 0)
            return &options[i];
    return NULL;
}

const cb_option *cb_option_by_letter(char letter)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (options[i].letter != 0 && options[i].letter == letter)
            return &options[i];
    return NULL;
}

const cb_command_word *cb_command_words(size_t *n)
{
    *n = N_COMMANDS;
    return command_words;
}

const cb_command_word *cb_command_by_name(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(command_words[i].name, name) == 0)
            return &command_words[i];
    return NULL;
}

const cb_command_word *cb_command_word_of(cb_command command)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (command_words[i].command == command)
            return &command_words[i];
    return NULL;
}
