/* argv -> command -> exit code. The only place that prints errors and picks exit codes. */
#include "cli/help.h"
#include "program.h"
#include "report/output.h"
#include "system/affinity.h"
#include "system/place.h"
#include "worker/protocol.h"
#include "worker/serve.h"
#include "worker/stack.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* A closed standard stream would let the next file that is opened take its number, and receive its text:
 * something that cannot be read or written stands in for it. */
static void occupy_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int cb_program_explore(cb_program *program, cb_interrupt *interrupt, cb_err *err)
{
    int cpu = -1;
    if (cb_place_executable(&program->executable, err) != CB_OK ||
        cb_place_backends(program->executable, &program->modules, err) != CB_OK)
        return CB_EXIT_FAILED_ROW;
    if (cb_affinity_choose(program->config.sampling.cpu, &cpu, err) != CB_OK)
        return err->code == CB_BAD_ARGUMENT ? CB_EXIT_USAGE : CB_EXIT_FAILED_ROW;
    program->process =
        (cb_process_settings){.executable = program->executable, .cpu = cpu, .interrupt = interrupt};
    if (cb_probe_modules(program->modules, &program->process, program->config.sampling.timeout_s,
                         &program->catalogue, err) != CB_OK)
        return CB_EXIT_FAILED_ROW;
    return CB_EXIT_OK;
}

int cb_program_print(const char *bytes, size_t n, cb_err *err)
{
    if (cb_output_write_descriptor(STDOUT_FILENO, "standard output", bytes, n, err) == CB_OK)
        return CB_EXIT_OK;
    return err->msg[0] == '\0' ? CB_EXIT_OK
                               : CB_EXIT_OUTPUT; /* a reader that left early has what it wanted */
}

static int print_help(const cb_config *config, cb_err *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    if (stream == NULL) {
        (void)cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the help text");
        return CB_EXIT_OUTPUT;
    }
    if (config->command == CB_COMMAND_VERSION)
        cb_version_write(stream, CB_VERSION, CB_COMMIT, CB_COMPILER);
    else
        cb_help_write(stream, config->topic);
    int code = fclose(stream) == 0 ? cb_program_print(text, n, err) : CB_EXIT_OUTPUT;
    free(text);
    return code;
}

static int run_command(cb_program *program, cb_err *err)
{
    switch (program->config.command) {
    case CB_COMMAND_LIST:
        return cb_command_list(program, err);
    case CB_COMMAND_DOCTOR:
        return cb_command_doctor(program, err);
    case CB_COMMAND_HELP:
    case CB_COMMAND_VERSION:
        return print_help(&program->config, err);
    case CB_COMMAND_RUN:
        break;
    }
    return cb_command_run(program, err);
}

static int run_program(void *argument)
{
    cb_program *program = argument;
    cb_err err = {0};
    int code = CB_EXIT_USAGE;
    if (cb_config_parse(&program->config, program->argc, program->argv, &err) == CB_OK) {
        code = run_command(program, &err);
        cb_config_free(&program->config);
    }
    cb_catalogue_free(&program->catalogue);
    free(program->executable);
    free(program->modules);
    if (err.msg[0] != '\0')
        (void)fprintf(stderr, "crypto_bench: %s\n", err.msg);
    return code;
}

int main(int argc, char *argv[])
{
    if (argc > 1 && strcmp(argv[1], CB_WORKER_COMMAND) == 0)
        return cb_worker_serve(argc, argv);
    occupy_standard_streams();
    /* A reader that left and a file that may grow no further are errors of the write. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    cb_program program = {.argc = argc, .argv = argv};
    /* --in-process measures in this process, so that it needs the fixed stack offset of a worker. */
    return cb_stack_call(run_program, &program);
}
