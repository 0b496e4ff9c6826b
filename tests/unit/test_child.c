#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/child.h"
#include "rogue_worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TIMEOUT_S 0.3
/* Far above what any step may take, far below what would be noticed as a hang. */
#define BOUND_S   10
#define NO_ANSWER "no answer for 0.3 s during loading (--timeout)"
#define BAD_FRAME "a malformed frame came through the worker's pipe"

static void start(cb_child *child, const char *deeds, double timeout_s, cb_interrupt *interrupt)
{
    char program[] = ROGUE_WORKER;
    char *argv[] = {program, (char *)(uintptr_t)deeds, NULL};
    cb_err err = {0};
    if (cb_child_start(child, argv, timeout_s, interrupt, &err) != CB_OK)
        fail_msg("%s", err.msg);
}

static size_t count_open_files(void)
{
    size_t n = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir) != NULL)
        n++;
    (void)closedir(dir);
    return n;
}

static void assert_no_child_is_left(void)
{
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Stops the child and checks that nothing of it is left. */
static void stop(cb_child *child)
{
    assert_true(child->payload_cap <= CB_FRAME_PAYLOAD_MAX);
    assert_true(child->tail_n <= sizeof child->tail);
    cb_child_stop(child);
    assert_int_equal(child->pid, -1);
    assert_no_child_is_left();
}

static cb_status greet(cb_child *child, cb_err *err)
{
    cb_span payload = {0};
    *err = (cb_err){0};
    return cb_child_receive(child, CB_FRAME_HELLO, "loading", &payload, err);
}

static cb_status take_turn(cb_child *child, cb_err *err)
{
    cb_span payload = {0};
    *err = (cb_err){0};
    cb_status status = cb_child_send(child, CB_FRAME_TURN, (cb_span){0}, err);
    return status == CB_OK ? cb_child_receive(child, CB_FRAME_TURNED, "timing", &payload, err) : status;
}

/* A pipe that shows whether the child ends by itself: 'x', or 0 when it was killed. */
static void open_leaving_pipe(int *mine)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(dup2(ends[1], ROGUE_LEAVING_FD), ROGUE_LEAVING_FD);
    (void)close(ends[1]);
    *mine = ends[0];
}

static void close_childs_end(void)
{
    (void)close(ROGUE_LEAVING_FD);
}

static char read_leaving_pipe(int mine)
{
    char byte = 0;
    assert_true(read(mine, &byte, 1) >= 0);
    (void)close(mine);
    return byte;
}

static void test_rogues_that_never_greet(void **unused)
{
    (void)unused;
    static const struct {
        const char *deeds;
        cb_status status;
        const char *msg;
    } cases[] = {
        {"segv", CB_CRASHED, "SIGSEGV during loading"},
        {"abort", CB_CRASHED, "SIGABRT during loading"},
        {"exit", CB_CRASHED, "exited with status 0 during loading"},
        {"seven", CB_CRASHED, "exited with status 7 during loading"},
        {"print+segv", CB_CRASHED, "SIGSEGV during loading: to standard output"},
        {"alive+segv", CB_CRASHED, "SIGSEGV during loading"},
        {"half-header+exit", CB_CRASHED, "exited with status 0 during loading"},
        {"half-payload+exit", CB_CRASHED, "exited with status 0 during loading"},
        {"close+hang", CB_CRASHED, "closed its pipe during loading"},
        {"close+exit", CB_CRASHED, "exited with status 0 during loading"},
        {"hang", CB_TIMEOUT, NO_ANSWER},
        {"half-header+hang", CB_TIMEOUT, NO_ANSWER},
        {"half-payload+hang", CB_TIMEOUT, NO_ANSWER},
        {"no-payload+hang", CB_TIMEOUT, NO_ANSWER},
        {"flood-noise", CB_TIMEOUT, NO_ANSWER},
        {"heir+exit", CB_TIMEOUT, NO_ANSWER},
        {"emigrate+hang", CB_TIMEOUT, NO_ANSWER},
        {"garbage+hang", CB_IO, BAD_FRAME},
        {"flood", CB_IO, BAD_FRAME},
        {"oversized+hang", CB_IO, BAD_FRAME},
        {"wrong+hang", CB_IO, "an answer out of order came during loading"},
        {"malformed+hang", CB_IO, "a malformed failure came through the worker's pipe"},
        {"refuse", CB_UNSUPPORTED, ROGUE_REFUSAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t files = count_open_files();
        const double began_s = now_s();
        cb_child child;
        cb_err err;
        print_message("%s\n", cases[i].deeds);
        start(&child, cases[i].deeds, cases[i].status == CB_TIMEOUT ? TIMEOUT_S : BOUND_S, NULL);
        assert_int_equal(greet(&child, &err), cases[i].status);
        assert_int_equal(err.code, cases[i].status);
        assert_string_equal(err.msg, cases[i].msg);
        stop(&child);
        assert_true(now_s() - began_s < BOUND_S);
        assert_int_equal(count_open_files(), files);
    }
}

/* The same after a greeting, at the first request. */
static void test_rogues_that_fail_at_work(void **unused)
{
    (void)unused;
    static const struct {
        const char *deeds;
        cb_status status;
        const char *msg;
    } cases[] = {
        {"hello+request+segv", CB_CRASHED, "SIGSEGV during timing"},
        {"hello+request+exit", CB_CRASHED, "exited with status 0 during timing"},
        {"hello+request+print+abort", CB_CRASHED, "SIGABRT during timing: to standard output"},
        {"hello+request+close+hang", CB_CRASHED, "closed its pipe during timing"},
        {"hello+request+hang", CB_TIMEOUT, "no answer for 0.3 s during timing (--timeout)"},
        {"hello+hang", CB_TIMEOUT, "no answer for 0.3 s during timing (--timeout)"},
        {"hello+flood-noise", CB_TIMEOUT, "no answer for 0.3 s during timing (--timeout)"},
        {"hello+request+garbage+hang", CB_IO, BAD_FRAME},
        {"hello+flood", CB_IO, BAD_FRAME},
        {"hello+request+wrong+hang", CB_IO, "an answer out of order came during timing"},
        {"hello+request+refuse", CB_UNSUPPORTED, ROGUE_REFUSAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t files = count_open_files();
        const double began_s = now_s();
        cb_child child;
        cb_err err;
        print_message("%s\n", cases[i].deeds);
        start(&child, cases[i].deeds, BOUND_S, NULL);
        assert_int_equal(greet(&child, &err), CB_OK);
        child.timeout_s = cases[i].status == CB_TIMEOUT ? TIMEOUT_S : BOUND_S;
        assert_int_equal(take_turn(&child, &err), cases[i].status);
        assert_int_equal(err.code, cases[i].status);
        assert_string_equal(err.msg, cases[i].msg);
        stop(&child);
        assert_true(now_s() - began_s < BOUND_S);
        assert_int_equal(count_open_files(), files);
    }
}

/* Whether the request still finds a reader is the scheduler's to say; that the worker has crashed is not. */
static void test_a_rogue_that_leaves_after_its_greeting(void **unused)
{
    (void)unused;
    cb_child child;
    cb_err err;
    start(&child, "hello+exit", BOUND_S, NULL);
    assert_int_equal(greet(&child, &err), CB_OK);
    assert_int_equal(take_turn(&child, &err), CB_CRASHED);
    assert_non_null(strstr(err.msg, "exited with status 0 during "));
    /* The process is gone and collected; a further call must not take another one for it. */
    assert_int_equal(child.pid, -1);
    assert_int_equal(take_turn(&child, &err), CB_CRASHED);
    stop(&child);
}

static void test_a_child_that_answers_without_reading(void **unused)
{
    (void)unused;
    cb_child child;
    cb_err err;
    cb_status status = CB_OK;
    int turns = 0;
    start(&child, "hello+flood-turned", BOUND_S, NULL);
    assert_int_equal(greet(&child, &err), CB_OK);
    for (; status == CB_OK && turns < 1000000; turns++)
        status = take_turn(&child, &err);
    assert_int_equal(status, CB_IO);
    assert_string_equal(err.msg, "answers without reading its requests");
    stop(&child);
}

/* However much is printed, the end of it is kept, on one line, and nothing waits for the printer. */
static void test_noise_is_kept_to_its_last_line(void **unused)
{
    (void)unused;
    cb_child child;
    cb_err err;
    start(&child, "noise+hello+request+noise+segv", BOUND_S, NULL);
    assert_int_equal(greet(&child, &err), CB_OK);
    assert_int_equal(take_turn(&child, &err), CB_CRASHED);
    assert_int_equal(strncmp(err.msg, "SIGSEGV during timing: nnnn", 27), 0);
    const size_t n = strlen(err.msg), last = strlen("  " ROGUE_LAST_WORDS);
    assert_true(n > last);
    assert_string_equal(err.msg + n - last, "  " ROGUE_LAST_WORDS);
    stop(&child);
}

static void test_signs_of_life_extend_the_wait(void **unused)
{
    (void)unused;
    cb_child child;
    cb_err err;
    start(&child, "alive+hello", 1.0, NULL); /* silent for 20 ms at a time, for 1.2 s */
    assert_int_equal(greet(&child, &err), CB_OK);
    stop(&child);
}

static void test_frames_come_through(void **unused)
{
    (void)unused;
    cb_child child;
    cb_err err;
    cb_span payload = {0};
    start(&child, "hello+answers", BOUND_S, NULL);
    assert_int_equal(greet(&child, &err), CB_OK);
    for (int i = 0; i < 100; i++)
        assert_int_equal(take_turn(&child, &err), CB_OK);
    cb_wire_writer w = {0};
    cb_wire_put_u64(&w, 1000);
    assert_int_equal(cb_child_send(&child, CB_FRAME_BEGIN, (cb_span){w.p, w.n}, &err), CB_OK);
    assert_int_equal(cb_child_receive(&child, CB_FRAME_READY, "preparation", &payload, &err), CB_OK);
    assert_int_equal(payload.n, 0);
    assert_int_equal(cb_child_send(&child, CB_FRAME_FINISH, (cb_span){0}, &err), CB_OK);
    assert_int_equal(cb_child_receive(&child, CB_FRAME_BLOCK, "the check", &payload, &err), CB_OK);
    cb_block block;
    assert_int_equal(cb_block_decode(payload, 1000, &block, &err), CB_OK);
    assert_int_equal(block.round_ns[999], ROGUE_ROUND_NS + 999);
    free(block.round_ns);
    free(block.control_ns);
    free(block.flags);
    free(w.p);
    stop(&child);
}

static void test_a_request_that_is_too_long_is_refused(void **unused)
{
    (void)unused;
    static const uint8_t bytes[600];
    cb_child child;
    cb_err err;
    start(&child, "hello+answers", BOUND_S, NULL);
    assert_int_equal(greet(&child, &err), CB_OK);
    assert_int_equal(cb_child_send(&child, CB_FRAME_PREPARE, (cb_span){bytes, sizeof bytes}, &err),
                     CB_BAD_ARGUMENT);
    assert_int_equal(take_turn(&child, &err), CB_OK);
    stop(&child);
}

static void test_a_program_that_is_not_there(void **unused)
{
    (void)unused;
    const size_t files = count_open_files();
    char program[] = "/nonexistent/program";
    char *argv[] = {program, NULL};
    cb_child child;
    cb_err err = {0};
    assert_int_equal(cb_child_start(&child, argv, TIMEOUT_S, NULL, &err), CB_IO);
    assert_string_equal(err.msg, "a worker cannot be started: No such file or directory");
    assert_int_equal(child.pid, -1);
    assert_no_child_is_left();
    assert_int_equal(count_open_files(), files);
}

/* An idle child is let go; a busy one is not waited for. */
static void test_an_idle_child_ends_by_itself(void **unused)
{
    (void)unused;
    int mine = -1;
    cb_child child;
    cb_err err;
    open_leaving_pipe(&mine);
    start(&child, "hello+answers", BOUND_S, NULL);
    close_childs_end();
    assert_int_equal(greet(&child, &err), CB_OK);
    assert_int_equal(take_turn(&child, &err), CB_OK);
    stop(&child);
    assert_int_equal(read_leaving_pipe(mine), 'x');
}

static void test_a_busy_child_is_killed(void **unused)
{
    (void)unused;
    int mine = -1;
    cb_child child;
    cb_err err;
    open_leaving_pipe(&mine);
    start(&child, "hello+request", BOUND_S, NULL);
    close_childs_end();
    assert_int_equal(greet(&child, &err), CB_OK);
    assert_int_equal(cb_child_send(&child, CB_FRAME_TURN, (cb_span){0}, &err), CB_OK);
    assert_int_equal(kill(child.pid, SIGSTOP), 0); /* it would not notice the end of its input either */
    stop(&child);
    assert_int_equal(read_leaving_pipe(mine), 0);
}

static void test_an_idle_child_that_does_not_end_is_killed(void **unused)
{
    (void)unused;
    static const char *const deeds[] = {"hello+hang", "hello+flood-noise"};
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        const double began_s = now_s();
        int mine = -1;
        cb_child child;
        cb_err err;
        open_leaving_pipe(&mine);
        start(&child, deeds[i], BOUND_S, NULL);
        close_childs_end();
        assert_int_equal(greet(&child, &err), CB_OK);
        stop(&child);
        assert_int_equal(read_leaving_pipe(mine), 0);
        assert_true(now_s() - began_s < BOUND_S);
    }
}

/* Whatever a child has started ends with it: the pipe that only its heir holds is at its end. */
static void test_no_heir_is_left(void **unused)
{
    (void)unused;
    int mine = -1;
    cb_child child;
    cb_err err;
    open_leaving_pipe(&mine);
    start(&child, "hello+heir+exit", BOUND_S, NULL);
    close_childs_end();
    assert_int_equal(greet(&child, &err), CB_OK);
    child.timeout_s = TIMEOUT_S;
    assert_int_not_equal(take_turn(&child, &err), CB_OK);
    stop(&child);
    assert_int_equal(read_leaving_pipe(mine), 0);
}

/* Descriptors that this program itself hands on, because it was given them so. */
static int count_inherited_files(void)
{
    int n = 0;
    for (int fd = CB_WORKER_OUT + 1; fd < ROGUE_FILES_MAX; fd++)
        n += fcntl(fd, F_GETFD) == 0;
    return n;
}

/* Signals are as the program itself found them, which the interrupt knows; without one, none is blocked. */
static void test_what_a_worker_finds_around_itself(void **unused)
{
    (void)unused;
    sigset_t further;
    (void)sigemptyset(&further);
    (void)sigaddset(&further, SIGUSR2);
    assert_int_equal(sigprocmask(SIG_BLOCK, &further, NULL), 0);
    for (int with = 0; with <= 1; with++) {
        char expected[100];
        cb_interrupt interrupt = {.fd = -1};
        cb_child child, sibling;
        cb_err err = {0};
        cb_span payload = {0};
        if (with != 0)
            assert_int_equal(cb_interrupt_open(&interrupt, &err), CB_OK);
        const int n = snprintf(expected, sizeof expected,
                               "term open, usr2 %s, pipe default, group own, input empty, files %d",
                               with != 0 ? "blocked" : "open", count_inherited_files());
        start(&sibling, "hang", BOUND_S, NULL);
        start(&child, "describe", BOUND_S, with != 0 ? &interrupt : NULL);
        assert_int_equal(cb_child_receive(&child, CB_FRAME_HELLO, "loading", &payload, &err), CB_OK);
        assert_int_equal(payload.n, n);
        assert_memory_equal(payload.p, expected, payload.n);
        cb_child_stop(&sibling);
        stop(&child);
        cb_interrupt_close(&interrupt);
    }
    assert_int_equal(sigprocmask(SIG_UNBLOCK, &further, NULL), 0);
}

/* A signal ends a wait that would be long, or endless for a child that is never silent. */
static void test_an_interrupt_ends_the_wait(void **unused)
{
    (void)unused;
    static const char *const deeds[] = {"signal+hang", "signal+flood-alive", "signal+flood-noise"};
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        cb_interrupt interrupt;
        cb_child child;
        cb_err err;
        assert_int_equal(cb_interrupt_open(&interrupt, &err), CB_OK);
        start(&child, deeds[i], 3600, &interrupt);
        assert_int_equal(greet(&child, &err), CB_IO);
        assert_string_equal(err.msg, "interrupted");
        assert_int_equal(interrupt.signal, SIGTERM);
        /* It is noticed once, and every further wait ends as well. */
        assert_int_equal(greet(&child, &err), CB_IO);
        stop(&child);
        cb_interrupt_close(&interrupt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rogues_that_never_greet),
        cmocka_unit_test(test_rogues_that_fail_at_work),
        cmocka_unit_test(test_a_rogue_that_leaves_after_its_greeting),
        cmocka_unit_test(test_a_child_that_answers_without_reading),
        cmocka_unit_test(test_noise_is_kept_to_its_last_line),
        cmocka_unit_test(test_signs_of_life_extend_the_wait),
        cmocka_unit_test(test_frames_come_through),
        cmocka_unit_test(test_a_request_that_is_too_long_is_refused),
        cmocka_unit_test(test_a_program_that_is_not_there),
        cmocka_unit_test(test_an_idle_child_ends_by_itself),
        cmocka_unit_test(test_a_busy_child_is_killed),
        cmocka_unit_test(test_an_idle_child_that_does_not_end_is_killed),
        cmocka_unit_test(test_no_heir_is_left),
        cmocka_unit_test(test_what_a_worker_finds_around_itself),
        cmocka_unit_test(test_an_interrupt_ends_the_wait),
    };
    (void)signal(SIGPIPE, SIG_IGN); /* as the program does */
    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
