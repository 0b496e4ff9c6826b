/* The commands that look and do not measure: list and doctor. */
#include "program.h"
#include "report/report.h"

static int print_list(const cb_program *program, FILE *stream, cb_err *err)
{
    cb_plan plan = {0};
    if (cb_plan_make(&plan, &program->config, &program->catalogue, err) != CB_OK)
        return CB_EXIT_USAGE;
    cb_status status = cb_report_list(stream, &program->catalogue, &plan, program->config.format, err);
    cb_plan_free(&plan);
    return status == CB_OK ? CB_EXIT_OK : CB_EXIT_OUTPUT;
}

static int print_doctor(const cb_program *program, FILE *stream, cb_err *err)
{
    cb_status status =
        cb_report_doctor(stream, &program->environment, &program->catalogue, program->config.format, err);
    return status == CB_OK ? CB_EXIT_OK : CB_EXIT_OUTPUT;
}

/* Lets `print` write to memory, and what it wrote to standard output. */
static int print_report(cb_program *program, int (*print)(const cb_program *, FILE *, cb_err *), cb_err *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    if (stream == NULL) {
        (void)cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a report");
        return CB_EXIT_OUTPUT;
    }
    int code = print(program, stream, err);
    if (fclose(stream) != 0 && code == CB_EXIT_OK) {
        (void)cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a report");
        code = CB_EXIT_OUTPUT;
    }
    if (code == CB_EXIT_OK)
        code = cb_program_print(text, n, err);
    free(text);
    return code;
}

int cb_command_list(cb_program *program, cb_err *err)
{
    int code = cb_program_explore(program, NULL, err);
    return code == CB_EXIT_OK ? print_report(program, print_list, err) : code;
}

int cb_command_doctor(cb_program *program, cb_err *err)
{
    int code = cb_program_explore(program, NULL, err);
    if (code != CB_EXIT_OK)
        return code;
    cb_environment_read(&program->environment, program->process.cpu);
    return print_report(program, print_doctor, err);
}
