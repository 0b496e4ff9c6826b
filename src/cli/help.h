/* The texts of --help and --version. The caller checks the stream afterwards. */
#ifndef CB_CLI_HELP_H
#define CB_CLI_HELP_H

#include "cli/config.h"

#define CB_HELP_COLUMNS 80

/* What applies to one command: cb_config.topic. CB_COMMAND_RUN gives the general text. */
void cb_help_write(FILE *stream, cb_command about);

/* "crypto_bench 0.1.0 (commit 0123abc, GCC 12.2.0)". */
void cb_version_write(FILE *stream, const char *version, const char *commit, const char *compiler);

#endif
