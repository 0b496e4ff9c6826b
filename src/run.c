/* The command run: config -> plan -> samples -> statistics -> reports. */
#include "measure/runner.h"
#include "program.h"
#include "report/assemble.h"
#include "report/output.h"
#include "report/progress.h"
#include "report/report.h"
#include "system/affinity.h"
#include "system/redact.h"

#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

/* Everything of a run that outlives a stage. */
typedef struct run {
    cb_program *program;
    cb_interrupt interrupt;
    cb_plan plan;
    cb_measurement measurement;
    cb_result result;
    cb_progress progress;
    cb_clock clock;
} run;

static const cb_tool tool = {
    .version = CB_VERSION, .commit = CB_COMMIT, .compiler = CB_COMPILER, .flags = CB_FLAGS};

static cb_status choose_seed(cb_sampling *sampling, cb_err *err)
{
    if (sampling->has_seed)
        return CB_OK;
    if (getrandom(&sampling->seed, sizeof sampling->seed, 0) != (ssize_t)sizeof sampling->seed)
        return cb_fail(err, CB_IO, "the system gives no random seed; choose one with --seed");
    sampling->has_seed = true;
    return CB_OK;
}

/* The reporter for a file, or for standard output when path is NULL. */
static const cb_reporter *choose_reporter(const cb_config *config, const char *path, cb_err *err)
{
    if (path == NULL)
        return cb_reporter_by_format(
            config->outputs.n > 0 || config->format == CB_FORMAT_AUTO ? CB_FORMAT_TABLE : config->format);
    const cb_reporter *reporter =
        config->format != CB_FORMAT_AUTO ? cb_reporter_by_format(config->format) : cb_reporter_by_path(path);
    if (reporter == NULL)
        (void)cb_fail(err, CB_BAD_ARGUMENT, "-o %.80s: its ending names no format; say which with -f", path);
    return reporter;
}

/* True when the run prints to standard output; --quiet with a file leaves only the file. */
static bool prints(const cb_config *config)
{
    return !config->quiet || config->outputs.n == 0;
}

/* A long run must not end with a result that cannot be kept: every output is tried first. */
static int check_outputs(const cb_config *config, cb_err *err)
{
    for (size_t i = 0; i < config->outputs.n; i++) {
        if (strcmp(config->outputs.items[i], "-") == 0) {
            (void)cb_fail(err, CB_BAD_ARGUMENT, "-o -: standard output needs no -o; -f chooses its format");
            return CB_EXIT_USAGE;
        }
        if (choose_reporter(config, config->outputs.items[i], err) == NULL)
            return CB_EXIT_USAGE;
        if (cb_output_probe(config->outputs.items[i], err) != CB_OK)
            return CB_EXIT_OUTPUT;
    }
    if (prints(config) && cb_output_probe_descriptor(STDOUT_FILENO, "standard output", err) != CB_OK)
        return CB_EXIT_OUTPUT;
    return CB_EXIT_OK;
}

/* One library in this process: two could clash, and one crash would take both. */
static cb_status check_in_process(const run *r, cb_err *err)
{
    if (!r->program->config.in_process || r->plan.n_contestants == 1)
        return CB_OK;
    return cb_fail(err, CB_BAD_ARGUMENT, "--in-process measures one library at a time; name it with -b");
}

static void show_progress(void *user, double done, unsigned replicate, unsigned replicates,
                          const char *case_id)
{
    run *r = user;
    char phase[48];
    (void)snprintf(phase, sizeof phase, "replicate %u/%u", replicate, replicates);
    cb_progress_update(&r->progress, done, phase, case_id, r->clock.wall_ns(r->clock.user));
}

static cb_status measure(run *r, cb_err *err)
{
    const cb_config *config = &r->program->config;
    /* Coordinator and workers share one CPU: a turn is then a plain switch between processes and never wakes
     * an idle core. */
    cb_status status = cb_affinity_pin(r->program->process.cpu, err);
    if (status != CB_OK)
        return status;
    cb_worker_source processes = cb_process_source(&r->program->process);
    const cb_runner_settings settings = {
        .plan = &r->plan,
        .catalogue = &r->program->catalogue,
        .contestants = config->in_process ? cb_local_source(&r->clock) : processes,
        .witnesses = processes,
        .interrupt = &r->interrupt,
        .progress = show_progress,
        .user = r,
    };
    uint64_t started_ns = r->clock.wall_ns(r->clock.user);
    cb_progress_start(&r->progress, stderr, !config->no_progress && !config->quiet, started_ns);
    status = cb_runner_run(&settings, &r->measurement, err);
    cb_progress_clear(&r->progress);
    r->result.measured_s = (double)(r->clock.wall_ns(r->clock.user) - started_ns) * 1e-9;
    return status;
}

/* One word as a POSIX shell takes it: in single quotes where it has anything that a shell would read
 * otherwise. */
static void put_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        (void)fputs(word, stream);
        return;
    }
    (void)fputc('\'', stream);
    for (; *word != '\0'; word++)
        (void)fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, stream);
    (void)fputc('\'', stream);
}

/* The command line as it can be repeated: words joined by blanks, private folders replaced. */
static char *command_text(const cb_program *program)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    if (stream == NULL)
        return NULL;
    (void)fputs("crypto_bench", stream);
    for (int i = 1; i < program->argc; i++) {
        (void)fputc(' ', stream);
        put_word(stream, program->argv[i]);
    }
    char *redacted = fclose(stream) == 0 ? cb_redact_environment(text) : NULL;
    free(text);
    return redacted;
}

static cb_status assemble(run *r, cb_err *err)
{
    r->result.complete = r->measurement.signal == 0;
    r->result.tool = tool;
    r->result.plan = &r->plan;
    r->result.environment = &r->program->environment;
    r->result.command = command_text(r->program);
    if (r->result.command == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the command line");
    return cb_result_assemble(&r->result, &r->measurement, err);
}

static cb_report_style style_for_terminal(const cb_config *config)
{
    struct winsize size = {0};
    bool terminal = isatty(STDOUT_FILENO) == 1;
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    bool plain = (no_color != NULL && *no_color != '\0') || term == NULL || strcmp(term, "dumb") == 0;
    cb_report_style style = {.quiet = config->quiet, .verbose = config->verbosity > 0};
    if (terminal)
        style.width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    style.color = config->color == CB_COLOR_ALWAYS || (config->color == CB_COLOR_AUTO && terminal && !plain);
    return style;
}

/* Renders the result and hands it to `path`, or to standard output when path is NULL. */
static int write_report(const run *r, const char *path, const cb_report_style *style, cb_err *err)
{
    char *text = NULL;
    size_t n = 0;
    const cb_reporter *reporter = choose_reporter(&r->program->config, path, err);
    FILE *stream = reporter != NULL ? open_memstream(&text, &n) : NULL;
    if (stream == NULL) {
        (void)cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a report");
        return CB_EXIT_OUTPUT;
    }
    cb_status status = reporter->write(stream, &r->result, style, err);
    if (fclose(stream) != 0 && status == CB_OK)
        status = cb_fail(err, CB_OUT_OF_MEMORY, "no memory for a report");
    int code = status == CB_OK ? CB_EXIT_OK : CB_EXIT_OUTPUT;
    if (code == CB_EXIT_OK && path == NULL)
        code = cb_program_print(text, n, err);
    else if (code == CB_EXIT_OK)
        code = cb_output_write_file(path, text, n, err) == CB_OK ? CB_EXIT_OK : CB_EXIT_OUTPUT;
    free(text);
    return code;
}

/* An interrupt before the first case was finished leaves nothing to write, and no reason to replace an older
 * file. */
static bool ended_empty(const run *r)
{
    return r->measurement.signal != 0 && r->result.n_rows == 0;
}

/* Files first: they are what must not be lost. One that fails does not keep the others from being written. */
static int write_reports(run *r, cb_err *err)
{
    const cb_config *config = &r->program->config;
    const cb_report_style plain = {0};
    int worst = CB_EXIT_OK;
    if (ended_empty(r)) {
        (void)cb_fail(err, CB_IO, "ended by a signal before a case was finished; nothing was written");
        return CB_EXIT_SIGNAL + r->measurement.signal;
    }
    for (size_t i = 0; i < config->outputs.n; i++) {
        cb_err failure = {0};
        if (write_report(r, config->outputs.items[i], &plain, &failure) != CB_EXIT_OK) {
            *err = failure;
            worst = CB_EXIT_OUTPUT;
        }
    }
    /* From here on a signal may end the program as usual: a pager that is not read must not hold it. */
    int signal_number = r->measurement.signal;
    cb_interrupt_close(&r->interrupt);
    cb_report_style style = style_for_terminal(config);
    cb_err failure = {0};
    if (prints(config) && write_report(r, NULL, &style, &failure) != CB_EXIT_OK) {
        *err = failure;
        worst = CB_EXIT_OUTPUT;
    }
    if (worst != CB_EXIT_OK)
        return worst;
    if (signal_number != 0)
        return CB_EXIT_SIGNAL + signal_number;
    return cb_result_has_failures(&r->result) ? CB_EXIT_FAILED_ROW : CB_EXIT_OK;
}

static int run_stages(run *r, cb_err *err)
{
    cb_program *program = r->program;
    int code = check_outputs(&program->config, err);
    if (code != CB_EXIT_OK)
        return code;
    code = cb_program_explore(program, &r->interrupt, err);
    if (cb_interrupt_came(&r->interrupt))
        return CB_EXIT_SIGNAL + r->interrupt.signal;
    if (code != CB_EXIT_OK)
        return code;
    if (choose_seed(&program->config.sampling, err) != CB_OK)
        return CB_EXIT_FAILED_ROW;
    if (cb_plan_make(&r->plan, &program->config, &program->catalogue, err) != CB_OK ||
        check_in_process(r, err) != CB_OK)
        return CB_EXIT_USAGE;
    cb_environment_read(&program->environment, program->process.cpu);
    if (measure(r, err) != CB_OK || assemble(r, err) != CB_OK)
        return CB_EXIT_FAILED_ROW;
    return write_reports(r, err);
}

int cb_command_run(cb_program *program, cb_err *err)
{
    run r = {.program = program, .clock = cb_clock_system()};
    if (cb_interrupt_open(&r.interrupt, err) != CB_OK)
        return CB_EXIT_FAILED_ROW;
    int code = run_stages(&r, err);
    cb_interrupt_close(&r.interrupt);
    cb_result_free(&r.result);
    cb_measurement_free(&r.measurement);
    cb_plan_free(&r.plan);
    return code;
}
