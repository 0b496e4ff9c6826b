/* The one table of options and the one of commands: parsing, checks and --help all read them. */
#ifndef CB_CLI_OPTIONS_H
#define CB_CLI_OPTIONS_H

#include "cli/config.h"

/* The headings of --help, in their order. */
typedef enum cb_option_group {
    CB_OPTIONS_WHAT,
    CB_OPTIONS_SAMPLING,
    CB_OPTIONS_OUTPUT,
    CB_OPTIONS_GENERAL,
    CB_OPTION_GROUPS
} cb_option_group;

/* A set of commands, one bit each. */
#define CB_COMMAND_BIT(command) (1u << (command))

typedef struct cb_choice {
    const char *name;
    int value;
} cb_choice;

typedef struct cb_option {
    char letter;          /* 'b' for -b, or 0 */
    const char *name;     /* "backend" for --backend */
    const char *argument; /* "LIST", or NULL for a flag */
    const char *help;     /* without the accepted range and the default, which --help adds */
    const char *usual;    /* the default where it is one, or NULL */
    cb_option_group group;
    unsigned commands; /* where it applies: CB_COMMAND_BIT()s */
    bool repeatable;   /* may be given again: lists grow, -v counts */

    /* Stores the value (NULL for a flag) in the config. */
    cb_status (*apply)(const struct cb_option *self, cb_config *config, const char *value, cb_err *err);

    /* What apply() needs to know; unused ones stay 0. */
    size_t field;             /* offset of the config's field */
    double low, high;         /* range of a decimal */
    uint64_t min, max;        /* range of a whole number */
    int value;                /* what a flag stores */
    const cb_choice *choices; /* ends with a NULL name */
} cb_option;

/* All options, in the order of --help; at most 64, so that a set of them fits a word. */
const cb_option *cb_options(size_t *n);

/* NULL when there is none. name: n bytes, without dashes. */
const cb_option *cb_option_by_name(const char *name, size_t n);
const cb_option *cb_option_by_letter(char letter);

typedef struct cb_command_word {
    const char *name;
    cb_command command;
    const char *help;
    bool takes_filters;
} cb_command_word;

/* All commands that have a word, in the order of --help. */
const cb_command_word *cb_command_words(size_t *n);
const cb_command_word *cb_command_by_name(const char *name);   /* NULL when there is none */
const cb_command_word *cb_command_word_of(cb_command command); /* NULL for help and version */

#endif
