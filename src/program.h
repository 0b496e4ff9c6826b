/* The commands, each a short walk through the stages. They return the exit code and leave the sentence to
 * main. */
#ifndef CB_PROGRAM_H
#define CB_PROGRAM_H

#include "cli/config.h"
#include "measure/worker.h"
#include "system/environment.h"

#include <stdio.h>

/* Exit codes; documented in --help and README. 128 + n: ended by signal n after the finished rows were
 * written. */
enum { CB_EXIT_OK = 0, CB_EXIT_FAILED_ROW = 1, CB_EXIT_USAGE = 2, CB_EXIT_OUTPUT = 3, CB_EXIT_SIGNAL = 128 };

/* What every command starts from. */
typedef struct cb_program {
    int argc;
    char *const *argv;
    cb_config config;
    char *executable, *modules;
    cb_process_settings process;
    cb_catalogue catalogue;
    cb_environment environment;
} cb_program;

/* Each fills err->msg when there is something to say; an empty message with a non-zero code is a quiet end.
 */
int cb_command_run(cb_program *program, cb_err *err);
int cb_command_list(cb_program *program, cb_err *err);
int cb_command_doctor(cb_program *program, cb_err *err);

/* Chooses the measuring CPU and asks the modules what they can do. */
int cb_program_explore(cb_program *program, cb_interrupt *interrupt, cb_err *err);

/* Writes what a reporter put into memory to standard output. */
int cb_program_print(const char *bytes, size_t n, cb_err *err);

#endif
