/* What the command line asks for: plain data, checked for form but not yet matched against operations and
 * backends. */
#ifndef CB_CLI_CONFIG_H
#define CB_CLI_CONFIG_H

#include <crypto_bench/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cb_command {
    CB_COMMAND_RUN,
    CB_COMMAND_LIST,
    CB_COMMAND_DOCTOR,
    CB_COMMAND_HELP,
    CB_COMMAND_VERSION
} cb_command;

typedef enum cb_format { CB_FORMAT_AUTO, CB_FORMAT_TABLE, CB_FORMAT_JSON, CB_FORMAT_CSV } cb_format;

typedef enum cb_color { CB_COLOR_AUTO, CB_COLOR_ALWAYS, CB_COLOR_NEVER } cb_color;

/* --quick, the default and --rigorous choose the same fields at three levels; single options then override
 * them. */
typedef enum cb_effort { CB_EFFORT_DEFAULT, CB_EFFORT_QUICK, CB_EFFORT_RIGOROUS } cb_effort;

/* Copies of argument strings that the config owns, in the order given, each once. In -b, -p and --op an item
 * "^name" excludes. */
typedef struct cb_words {
    char **items;
    size_t n;
} cb_words;

/* Ascending, each size once. */
typedef struct cb_size_list {
    size_t *items;
    size_t n;
} cb_size_list;

/* What the options accept at most, in bytes: libraries take message lengths as int. */
#define CB_MESSAGE_BYTES_MAX ((uint64_t)1 << 30)
#define CB_AAD_BYTES_MAX     ((uint64_t)1 << 20)

#define CB_TIMEOUT_DEFAULT_S 10.0

/* The sampling plan as asked for. 0 stands for "not given": the plan then chooses by effort. */
typedef struct cb_sampling {
    double time_s;        /* measured seconds per group, all contestants together; 0 = 0.5 s (by effort) per
                             contestant */
    double target_ci_pct; /* half-width at which a group is done, percent */
    unsigned replicates;  /* exact number of replicates; 0 = looks at 8, 12, 18, 27 (by effort) */
    double timeout_s;     /* longest wait for one answer of a worker; CB_TIMEOUT_DEFAULT_S when not given */
    uint64_t seed;        /* drawn from the system when has_seed is false */
    bool has_seed;
    int cpu; /* measuring CPU; -1 = choose */
} cb_sampling;

typedef struct cb_config {
    cb_command command;
    cb_command topic; /* CB_COMMAND_HELP: the command it is asked about; else the same as command */
    cb_effort effort;
    cb_words filters, backends, primitives, ops, outputs;
    cb_size_list sizes; /* empty = the operation's own */
    size_t aad_bytes;
    cb_sampling sampling;
    cb_format format; /* CB_FORMAT_AUTO when -f was not given */
    cb_color color;
    bool in_process, no_progress, quiet;
    unsigned verbosity;
} cb_config;

/* Parses argv[1..]. On CB_OK the caller frees *config with cb_config_free(). On CB_BAD_ARGUMENT err->msg is a
 * sentence that names the option, the value and the remedy; there is nothing to free. Reads nothing but its
 * arguments. */
cb_status cb_config_parse(cb_config *config, int argc, char *const argv[], cb_err *err);
void cb_config_free(cb_config *config);

#endif
