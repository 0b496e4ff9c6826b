#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/progress.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LABEL "aead/aes-256-gcm/encrypt/4096"

static void check_line(unsigned width, double done, double elapsed_s, const char *expected)
{
    char line[256];
    cb_progress_format(line, sizeof line, width, done, elapsed_s, "replicate 3/8", LABEL);
    assert_string_equal(line, expected);
}

static void a_wide_line_has_everything(void **state)
{
    (void)state;
    check_line(100, 0.5, 30, "[##########----------]  50 %  0:30 left  replicate 3/8  " LABEL);
    check_line(100, 1, 30, "[####################] 100 %  0:00 left  replicate 3/8  " LABEL);
    check_line(100, 0.01, 100, "[--------------------]   1 %  2:45:00 left  replicate 3/8  " LABEL);
}

static void what_is_unknown_is_not_invented(void **state)
{
    (void)state;
    check_line(100, 0, 5, "[--------------------]   0 %  -:-- left  replicate 3/8  " LABEL);
    check_line(100, -1, 5, "[--------------------]   0 %  -:-- left  replicate 3/8  " LABEL);
    check_line(100, 1e-12, 5, "[--------------------]   0 %  -:-- left  replicate 3/8  " LABEL);
    check_line(100, 7, 5, "[####################] 100 %  0:00 left  replicate 3/8  " LABEL);
    check_line(100, 0.0 / 0.0, 5, "[--------------------]   0 %  -:-- left  replicate 3/8  " LABEL);
}

static void a_narrow_line_keeps_the_end_of_the_label(void **state)
{
    (void)state;
    check_line(80, 0.5, 30,
               "[##########----------]  50 %  0:30 left  replicate 3/8  ...-256-gcm/encrypt/4096");
    check_line(60, 0.5, 30, "[##########----------]  50 %  0:30 left  replicate 3/8");
    check_line(12, 0.5, 30, "[##########-");
    check_line(0, 0.5, 30, "");
}

static void every_width_is_kept(void **state)
{
    (void)state;
    for (unsigned width = 0; width < 120; width++) {
        char line[128];
        cb_progress_format(line, sizeof line, width, 0.25, 10, "replicate 1/8",
                           "\xc3\xa4/" LABEL "@libsodium");
        assert_in_range(strlen(line), 0, width);
        char small[16];
        cb_progress_format(small, sizeof small, width, 0.25, 10, "replicate 1/8", LABEL);
        assert_in_range(strlen(small), 0, sizeof small - 1);
    }
}

/* A pseudo-terminal: what is written to the stream can be read from the master. */
typedef struct terminal {
    int master;
    FILE *stream;
} terminal;

static terminal terminal_open(void)
{
    terminal t = {.master = posix_openpt(O_RDWR | O_NOCTTY)};
    assert_true(t.master >= 0);
    assert_int_equal(grantpt(t.master), 0);
    assert_int_equal(unlockpt(t.master), 0);
    struct winsize size = {.ws_row = 24, .ws_col = 70};
    assert_int_equal(ioctl(t.master, TIOCSWINSZ, &size), 0);
    char name[64];
    assert_int_equal(ptsname_r(t.master, name, sizeof name), 0);
    int slave = open(name, O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    t.stream = fdopen(slave, "w");
    assert_non_null(t.stream);
    return t;
}

static void terminal_close(const terminal *t)
{
    (void)fclose(t->stream);
    (void)close(t->master);
}

static void assert_shown(const terminal *t, const char *expected)
{
    char shown[256];
    ssize_t n = read(t->master, shown, sizeof shown - 1);
    assert_true(n >= 0);
    shown[n] = '\0';
    assert_string_equal(shown, expected);
}

static void a_terminal_shows_and_clears_the_line(void **state)
{
    (void)state;
    (void)setenv("TERM", "xterm", 1);
    terminal t = terminal_open();
    cb_progress progress;
    cb_progress_start(&progress, t.stream, true, 0);
    cb_progress_clear(&progress);
    cb_progress_update(&progress, 0.5, "replicate 1/8", "a/b/c/64", 1000000000);
    assert_shown(&t, "\r[##########----------]  50 %  0:01 left  replicate 1/8  a/b/c/64\x1b[K");
    cb_progress_update(&progress, 0.6, "replicate 1/8", "too soon", 1050000000);
    cb_progress_clear(&progress);
    assert_shown(&t, "\r\x1b[K");
    cb_progress_clear(&progress);
    cb_progress_update(&progress, 1, "replicate 8/8", "", 1060000000);
    assert_shown(&t, "\r[####################] 100 %  0:00 left  replicate 8/8\x1b[K");
    terminal_close(&t);
}

static void off_means_silent(void **state)
{
    (void)state;
    cb_progress progress;
    terminal t = terminal_open();
    (void)setenv("TERM", "dumb", 1);
    cb_progress_start(&progress, t.stream, true, 0);
    assert_null(progress.stream);
    (void)unsetenv("TERM");
    cb_progress_start(&progress, t.stream, true, 0);
    assert_null(progress.stream);
    (void)setenv("TERM", "xterm", 1);
    cb_progress_start(&progress, t.stream, false, 0);
    assert_null(progress.stream);
    cb_progress_update(&progress, 0.5, "a", "b", 1);
    cb_progress_clear(&progress);
    terminal_close(&t);
}

static void a_file_is_no_terminal(void **state)
{
    (void)state;
    (void)setenv("TERM", "xterm", 1);
    FILE *file = tmpfile();
    assert_non_null(file);
    cb_progress progress;
    cb_progress_start(&progress, file, true, 0);
    cb_progress_update(&progress, 0.5, "a", "b", 1);
    cb_progress_clear(&progress);
    assert_int_equal(ftell(file), 0);
    (void)fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wide_line_has_everything),
        cmocka_unit_test(what_is_unknown_is_not_invented),
        cmocka_unit_test(a_narrow_line_keeps_the_end_of_the_label),
        cmocka_unit_test(every_width_is_kept),
        cmocka_unit_test(a_terminal_shows_and_clears_the_line),
        cmocka_unit_test(off_means_silent),
        cmocka_unit_test(a_file_is_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
