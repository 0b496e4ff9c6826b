#include "cli/help.h"

#include "cli/options.h"

#include <inttypes.h>

#define TEXT_COLUMN 26 /* where descriptions start */

/* A line of help that stands for some commands only. */
typedef struct help_entry {
    unsigned commands;
    const char *term, *text;
} help_entry;

#define RUN    CB_COMMAND_BIT(CB_COMMAND_RUN)
#define LIST   CB_COMMAND_BIT(CB_COMMAND_LIST)
#define DOCTOR CB_COMMAND_BIT(CB_COMMAND_DOCTOR)
#define ANY    (RUN | LIST | DOCTOR)

static const char *const headings[CB_OPTION_GROUPS] = {
    [CB_OPTIONS_WHAT] = "What to measure",
    [CB_OPTIONS_SAMPLING] = "How to measure",
    [CB_OPTIONS_OUTPUT] = "What to write",
    [CB_OPTIONS_GENERAL] = "Help",
};

static const char *const synopses[] = {
    [CB_COMMAND_RUN] = "crypto_bench [COMMAND] [OPTION...] [FILTER...]",
    [CB_COMMAND_LIST] = "crypto_bench list [OPTION...] [FILTER...]",
    [CB_COMMAND_DOCTOR] = "crypto_bench doctor [OPTION...]",
};

static const char *const intros[] = {
    [CB_COMMAND_RUN] = "Measures the same cryptographic operation on several libraries and says which is "
                       "faster, by how much, with an error bar.",
    [CB_COMMAND_LIST] =
        "Shows every case: which libraries have it, since which version, under which licence, "
        "with which limits, and why a library lacks it. Nothing is measured.",
    [CB_COMMAND_DOCTOR] = "Looks at the machine, its clock and the libraries, and says what makes numbers "
                          "untrustworthy and how to mend it.",
};

static const char filter_text[] =
    "A FILTER is a part of a case id such as aead/aes-256-gcm/encrypt/4096, or a glob for the whole id (* "
    "crosses /). Behind @ it names a library: gcm/encrypt/4096@openssl. A case is taken when any filter "
    "matches "
    "and all options agree.";

static const help_entry examples[] = {
    {RUN, "crypto_bench --quick", "try everything once, in seconds"},
    {RUN, "crypto_bench -b openssl,libsodium -p aead", "two libraries on all AEADs"},
    {RUN, "crypto_bench -s 64,1K,1M gcm/encrypt -o r.json", "three sizes of one case, saved"},
    {LIST, "crypto_bench list chacha20", "who has ChaCha20"},
    {LIST, "crypto_bench list -b libsodium -f json", "what libsodium has, for programs"},
    {DOCTOR, "crypto_bench doctor", "before trusting a number"},
};

static const help_entry exit_codes[] = {
    {RUN, "0", "all asked rows were measured"},
    {LIST | DOCTOR, "0", "done"},
    {RUN, "1", "a row failed, crashed or timed out, or was named but is absent"},
    {ANY, "2", "the command line is wrong"},
    {ANY, "3", "an output could not be written"},
    {RUN, "128+N", "ended by signal N; finished rows were written"},
};

/* Writes the words of text from column `at`, breaking lines before CB_HELP_COLUMNS and indenting what
 * follows. */
static void write_wrapped(FILE *stream, const char *text, size_t at, size_t indent)
{
    size_t column = at;
    for (const char *word = text; *word != '\0';) {
        size_t n = strcspn(word, " ");
        if (column > indent && column + 1 + n > CB_HELP_COLUMNS) {
            (void)fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
        }
        const char *gap = word == text || column == indent ? "" : " ";
        (void)fprintf(stream, "%s%.*s", gap, (int)n, word);
        column += strlen(gap) + n;
        word += n;
        word += strspn(word, " ");
    }
    (void)fputc('\n', stream);
}

/* A term in the left column and its description in the right one. */
static void write_entry(FILE *stream, const char *term, size_t text_column, const char *text)
{
    size_t used = 2 + strlen(term);
    (void)fprintf(stream, "  %s", term);
    if (used + 2 > text_column) {
        (void)fputc('\n', stream);
        used = 0;
    }
    (void)fprintf(stream, "%*s", (int)(text_column - used), "");
    write_wrapped(stream, text, text_column, text_column);
}

static void write_entries(FILE *stream, const char *heading, const help_entry *entries, size_t n,
                          cb_command about)
{
    size_t widest = 0;
    for (size_t i = 0; i < n; i++)
        if ((entries[i].commands & CB_COMMAND_BIT(about)) != 0 && strlen(entries[i].term) > widest)
            widest = strlen(entries[i].term);
    (void)fprintf(stream, "\n%s:\n", heading);
    for (size_t i = 0; i < n; i++)
        if ((entries[i].commands & CB_COMMAND_BIT(about)) != 0)
            write_entry(stream, entries[i].term, widest + 4, entries[i].text);
}

/* Sizes tell their range in words, because "1G" reads better than its digits. */
static void describe_option(const cb_option *option, char *text, size_t size)
{
    char range[64] = "", usual[48] = "";
    if (option->high > 0)
        (void)snprintf(range, sizeof range, "%g to %g", option->low, option->high);
    else if (option->max > 0 && option->argument != NULL && strcmp(option->argument, "N") == 0)
        (void)snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, option->min, option->max);
    if (option->usual != NULL)
        (void)snprintf(usual, sizeof usual, "%sdefault %s", range[0] != '\0' ? "; " : "", option->usual);
    if (range[0] != '\0' || usual[0] != '\0')
        (void)snprintf(text, size, "%s (%s%s)", option->help, range, usual);
    else
        (void)snprintf(text, size, "%s", option->help);
}

static void write_option(FILE *stream, const cb_option *option)
{
    char term[64], text[256], letter[8] = "    ";
    if (option->letter != 0)
        (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
    (void)snprintf(term, sizeof term, "%s--%s%s%s", letter, option->name, option->argument != NULL ? " " : "",
                   option->argument != NULL ? option->argument : "");
    describe_option(option, text, sizeof text);
    write_entry(stream, term, TEXT_COLUMN, text);
}

static void write_options(FILE *stream, cb_option_group group, cb_command about)
{
    size_t n;
    bool headed = false;
    const cb_option *options = cb_options(&n);
    for (size_t i = 0; i < n; i++) {
        if (options[i].group != group || (options[i].commands & CB_COMMAND_BIT(about)) == 0)
            continue;
        if (!headed)
            (void)fprintf(stream, "\n%s:\n", headings[group]);
        headed = true;
        write_option(stream, &options[i]);
    }
}

static void write_commands(FILE *stream)
{
    size_t n;
    const cb_command_word *words = cb_command_words(&n);
    (void)fputs("\nCommands:\n", stream);
    for (size_t i = 0; i < n; i++)
        write_entry(stream, words[i].name, TEXT_COLUMN, words[i].help);
}

void cb_help_write(FILE *stream, cb_command about)
{
    const cb_command_word *command = cb_command_word_of(about);
    if (command == NULL)
        about = CB_COMMAND_RUN;
    (void)fprintf(stream, "Usage: %s\n\n", synopses[about]);
    write_wrapped(stream, intros[about], 0, 0);
    if (about == CB_COMMAND_RUN)
        write_commands(stream);
    if (command == NULL || command->takes_filters) {
        (void)fputc('\n', stream);
        write_wrapped(stream, filter_text, 0, 0);
    }
    for (cb_option_group group = 0; group < CB_OPTION_GROUPS; group++)
        write_options(stream, group, about);
    write_entries(stream, "Examples", examples, sizeof examples / sizeof examples[0], about);
    write_entries(stream, "Exit codes", exit_codes, sizeof exit_codes / sizeof exit_codes[0], about);
    (void)fputs("\nREADME.md tells how the numbers come about and how to read them.\n", stream);
}

void cb_version_write(FILE *stream, const char *version, const char *commit, const char *compiler)
{
    (void)fprintf(stream, "crypto_bench %s (commit %s, %s)\n", version, commit, compiler);
}
