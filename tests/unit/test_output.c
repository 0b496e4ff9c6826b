#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every test works in a folder of its own, which is removed with everything in it. */
static int enter_folder(void **state)
{
    char template[] = "/tmp/test_output-XXXXXX";
    if (mkdtemp(template) == NULL || chdir(template) != 0)
        return -1;
    *state = strdup(template);
    return *state != NULL ? 0 : -1;
}

static int leave_folder(void **state)
{
    DIR *folder = opendir(*state);
    if (folder == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (unlinkat(dirfd(folder), entry->d_name, 0) != 0)
            (void)unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
    (void)closedir(folder);
    int failed = chdir("/") != 0 || rmdir(*state) != 0;
    free(*state);
    return failed ? -1 : 0;
}

static size_t count_files(const char *path)
{
    DIR *folder = opendir(path);
    assert_non_null(folder);
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        n += entry->d_name[0] != '.' || strlen(entry->d_name) > 2 ? 1 : 0;
    (void)closedir(folder);
    return n;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    assert_string_equal(text, expected);
}

static void assert_refused(const char *path, const char *reason)
{
    cb_err err = {0};
    assert_int_equal(cb_output_probe(path, &err), CB_IO);
    if (strstr(err.msg, reason) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.msg, reason);
    err = (cb_err){0};
    assert_int_equal(cb_output_write_file(path, "x", 1, &err), CB_IO);
    assert_int_not_equal(err.msg[0], '\0');
}

static void a_new_file_is_written_whole(void **state)
{
    cb_err err = {0};
    mode_t mask = umask(027);
    assert_int_equal(cb_output_probe("new.json", &err), CB_OK);
    assert_int_equal(count_files(*state), 0);
    assert_int_equal(cb_output_write_file("new.json", "hello\n", 6, &err), CB_OK);
    (void)umask(mask);
    assert_holds("new.json", "hello\n");
    assert_int_equal(count_files(*state), 1);
    struct stat st;
    assert_int_equal(stat("new.json", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
}

static void an_existing_file_is_replaced_only_by_writing(void **state)
{
    cb_err err = {0};
    put("old.json", "old");
    assert_int_equal(cb_output_probe("old.json", &err), CB_OK);
    assert_holds("old.json", "old");
    assert_int_equal(cb_output_write_file("old.json", "", 0, &err), CB_OK);
    assert_holds("old.json", "");
    assert_int_equal(count_files(*state), 1);
}

static void a_link_survives_and_its_target_is_written(void **state)
{
    (void)state;
    cb_err err = {0};
    put("target", "old");
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(cb_output_probe("link", &err), CB_OK);
    assert_int_equal(cb_output_write_file("link", "new", 3, &err), CB_OK);
    struct stat st;
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds("target", "new");
}

static void impossible_paths_are_refused(void **state)
{
    char long_name[NAME_MAX + 2];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    put("file", "kept");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_refused("", "\"\"");
    assert_refused("missing/out.json", "missing/out.json");
    assert_refused("file/out.json", strerror(ENOTDIR));
    assert_refused(".", "folder");
    assert_refused("missing/", "folder");
    assert_refused(long_name, strerror(ENAMETOOLONG));
    assert_refused("dangling", "leads nowhere");
    assert_refused("loop", strerror(ELOOP));
    assert_int_equal(count_files(*state), 3);
    assert_holds("file", "kept");
}

static void a_name_of_full_length_is_possible(void **state)
{
    (void)state;
    char name[NAME_MAX + 1];
    memset(name, 'a', NAME_MAX);
    name[NAME_MAX] = '\0';
    cb_err err = {0};
    assert_int_equal(cb_output_probe(name, &err), CB_OK);
    assert_int_equal(cb_output_write_file(name, "x", 1, &err), CB_OK);
    assert_holds(name, "x");
}

#define NOBODY 65534

/* Root may write anywhere, so the question is asked as somebody else. */
static void permissions_are_respected(void **state)
{
    (void)state;
    put("readonly", "kept");
    assert_int_equal(chmod("readonly", 0444), 0);
    assert_int_equal(mkdir("closed", 0555), 0);
    assert_int_equal(chmod(".", 0777), 0);
    uid_t self = geteuid();
    if (self == 0 && seteuid(NOBODY) != 0)
        skip();
    cb_err file = {0}, folder = {0};
    cb_status file_status = cb_output_probe("readonly", &file);
    cb_status folder_status = cb_output_probe("closed/out.json", &folder);
    assert_int_equal(seteuid(self), 0);
    assert_int_equal(file_status, CB_IO);
    assert_non_null(strstr(file.msg, strerror(EACCES)));
    assert_int_equal(folder_status, CB_IO);
    assert_non_null(strstr(folder.msg, "takes no new file"));
}

/* Stands for a full disk: the write fails, the old content stays, nothing is left behind. */
static void a_failed_write_leaves_the_old_file(void **state)
{
    cb_err err = {0};
    put("old.json", "old");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static char big[8192];
        (void)signal(SIGXFSZ, SIG_IGN);
        const struct rlimit limit = {.rlim_cur = 4096, .rlim_max = 4096};
        bool failed = setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                      cb_output_write_file("old.json", big, sizeof big, &err) == CB_IO &&
                      strstr(err.msg, "old.json") != NULL;
        _exit(failed ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_holds("old.json", "old");
    assert_int_equal(count_files(*state), 1);
}

static void devices_are_written_in_place(void **state)
{
    (void)state;
    cb_err err = {0};
    assert_int_equal(cb_output_probe("/dev/null", &err), CB_OK);
    assert_int_equal(cb_output_write_file("/dev/null", "x", 1, &err), CB_OK);
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_refused("/dev/full", strerror(ENOSPC));
}

static void a_fifo_needs_a_reader(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_refused("fifo", "nobody reads");
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    cb_err err = {0};
    assert_int_equal(cb_output_probe("fifo", &err), CB_OK);
    char text[8];
    /* Not the end of the file: the probe has not ended the conversation. */
    assert_int_equal(read(reader, text, sizeof text), -1);
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(cb_output_write_file("fifo", "hello", 5, &err), CB_OK);
    assert_int_equal(read(reader, text, sizeof text), 5);
    assert_memory_equal(text, "hello", 5);
    (void)close(reader);
    assert_int_equal(cb_output_write_file("fifo", "hello", 5, &err), CB_IO);
}

static void the_file_of_standard_output_is_not_replaced(void **state)
{
    (void)state;
    cb_err err = {0};
    put("stdout.txt", "");
    int saved = dup(STDOUT_FILENO), file = open("stdout.txt", O_WRONLY | O_APPEND);
    assert_true(saved >= 0 && file >= 0);
    assert_int_equal(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
    cb_status probed = cb_output_probe("stdout.txt", &err);
    cb_status written = cb_output_write_file("stdout.txt", "one ", 4, &err);
    cb_status again = cb_output_write_descriptor(STDOUT_FILENO, "standard output", "two", 3, &err);
    assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
    (void)close(saved);
    (void)close(file);
    assert_int_equal(probed, CB_OK);
    assert_int_equal(written, CB_OK);
    assert_int_equal(again, CB_OK);
    assert_holds("stdout.txt", "one two");
}

static void descriptors_are_probed(void **state)
{
    (void)state;
    cb_err err = {0};
    int closed = open("/dev/null", O_WRONLY);
    (void)close(closed);
    assert_int_equal(cb_output_probe_descriptor(closed, "standard output", &err), CB_IO);
    assert_non_null(strstr(err.msg, "standard output"));
    int reading = open("/dev/null", O_RDONLY), full = open("/dev/full", O_WRONLY);
    assert_int_equal(cb_output_probe_descriptor(reading, "standard output", &err), CB_IO);
    assert_int_equal(cb_output_probe_descriptor(full, "standard output", &err), CB_IO);
    assert_int_equal(cb_output_write_descriptor(full, "standard output", "x", 1, &err), CB_IO);
    assert_non_null(strstr(err.msg, strerror(ENOSPC)));
    (void)close(reading);
    (void)close(full);
}

static void a_reader_that_left_is_a_quiet_end(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)close(ends[0]);
    cb_err err = {.msg = "before"};
    assert_int_equal(cb_output_probe_descriptor(ends[1], "standard output", &err), CB_OK);
    assert_int_equal(cb_output_write_descriptor(ends[1], "standard output", "x", 1, &err), CB_IO);
    assert_string_equal(err.msg, "");
    (void)close(ends[1]);
}

#define STREAM_BYTES 1000000

static void ignore_signal(int signal)
{
    (void)signal;
}

/* Reads everything in small pieces and interrupts the writer before each of the first ones. */
static void read_slowly(int fd, pid_t writer)
{
    char piece[4096];
    size_t total = 0;
    bool right = true;
    for (ssize_t n = 1; n > 0; total += n > 0 ? (size_t)n : 0) {
        if (total < 200000)
            (void)kill(writer, SIGUSR1);
        n = read(fd, piece, sizeof piece);
        for (ssize_t i = 0; i < n; i++)
            right = right && piece[i] == (char)((total + (size_t)i) % 251);
    }
    _exit(right && total == STREAM_BYTES ? 0 : 1);
}

/* A pipe takes 64 KiB at a time: short writes, EAGAIN or blocking, and interruptions all occur. */
static void check_stream(int flags)
{
    static char bytes[STREAM_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i % 251);
    int ends[2];
    assert_int_equal(pipe2(ends, 0), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, flags), 0);
    const struct sigaction action = {.sa_handler = ignore_signal};
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(ends[1]);
        read_slowly(ends[0], getppid());
    }
    (void)close(ends[0]);
    cb_err err = {0};
    assert_int_equal(cb_output_write_descriptor(ends[1], "pipe", bytes, sizeof bytes, &err), CB_OK);
    (void)close(ends[1]);
    int status;
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    assert_int_equal(status, 0);
}

static void slow_readers_get_every_byte(void **state)
{
    (void)state;
    check_stream(0);
    check_stream(O_NONBLOCK);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_new_file_is_written_whole),
        IN_FOLDER(an_existing_file_is_replaced_only_by_writing),
        IN_FOLDER(a_link_survives_and_its_target_is_written),
        IN_FOLDER(impossible_paths_are_refused),
        IN_FOLDER(a_name_of_full_length_is_possible),
        IN_FOLDER(permissions_are_respected),
        IN_FOLDER(a_failed_write_leaves_the_old_file),
        IN_FOLDER(devices_are_written_in_place),
        IN_FOLDER(a_fifo_needs_a_reader),
        IN_FOLDER(the_file_of_standard_output_is_not_replaced),
        cmocka_unit_test(descriptors_are_probed),
        cmocka_unit_test(a_reader_that_left_is_a_quiet_end),
        cmocka_unit_test(slow_readers_get_every_byte),
    };
    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
