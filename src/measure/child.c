#include "measure/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Pipe ends for the child are moved above the numbers it gets them at, so that no dup2 overwrites another. */
#define CHILD_FD_MIN 10
/* How long a process whose pipe has ended may take to end itself, before it is killed and called a deserter.
 */
#define ENDING_MS 1000

typedef struct pipe_pair {
    int mine, childs;
} pipe_pair;

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/* child_end: 0 when the child reads, 1 when it writes. */
static cb_status open_pipe(pipe_pair *pair, int child_end, cb_err *err)
{
    int ends[2] = {-1, -1};
    *pair = (pipe_pair){-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return cb_fail(err, CB_IO, "no pipe for a worker: %s", strerror(errno));
    pair->mine = ends[1 - child_end];
    pair->childs = fcntl(ends[child_end], F_DUPFD_CLOEXEC, CHILD_FD_MIN);
    int error = errno;
    (void)close(ends[child_end]);
    if (pair->childs < 0) {
        close_fd(&pair->mine);
        /* The limit may lie below the numbers asked for, which is an invalid argument to fcntl. */
        return cb_fail(err, CB_IO, "no descriptor for a worker: %s",
                       strerror(error == EINVAL ? EMFILE : error));
    }
    return CB_OK;
}

static int set_actions(posix_spawn_file_actions_t *actions, int in, int out, int noise)
{
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, noise, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, noise, STDERR_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, in, CB_WORKER_IN);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, out, CB_WORKER_OUT);
    return error;
}

/* The child gets the signal mask this program started with, default handling of the signals that this
 * program ignores, and a process group of its own: a Ctrl-C at the terminal is for the coordinator. */
static int set_attributes(posix_spawnattr_t *attributes, const cb_interrupt *interrupt)
{
    sigset_t defaults;
    sigset_t mask;
    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGPIPE);
    (void)sigaddset(&defaults, SIGXFSZ);
    (void)sigemptyset(&mask);
    if (interrupt != NULL && interrupt->fd >= 0)
        mask = interrupt->saved;
    int error = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (error == 0)
        error = posix_spawnattr_setsigmask(attributes, &mask);
    if (error == 0)
        error = posix_spawnattr_setpgroup(attributes, 0);
    if (error == 0)
        error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                                         POSIX_SPAWN_SETPGROUP);
    return error;
}

static int spawn(pid_t *pid, char *const argv[], int in, int out, int noise, const cb_interrupt *interrupt)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = set_actions(&actions, in, out, noise);
        if (error == 0)
            error = set_attributes(&attributes, interrupt);
        if (error == 0)
            error = posix_spawn(pid, argv[0], &actions, &attributes, argv, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

cb_status cb_child_start(cb_child *child, char *const argv[], double timeout_s, cb_interrupt *interrupt,
                         cb_err *err)
{
    pipe_pair in = {-1, -1}, out = {-1, -1}, noise = {-1, -1};
    *child = (cb_child){.pid = -1,
                        .to = -1,
                        .from = -1,
                        .noise = -1,
                        .busy = true,
                        .timeout_s = timeout_s,
                        .interrupt = interrupt};
    cb_status status = open_pipe(&in, 0, err);
    if (status == CB_OK)
        status = open_pipe(&out, 1, err);
    if (status == CB_OK)
        status = open_pipe(&noise, 1, err);
    if (status == CB_OK) {
        int error = spawn(&child->pid, argv, in.childs, out.childs, noise.childs, interrupt);
        if (error != 0) {
            child->pid = -1;
            status = cb_fail(err, CB_IO, "a worker cannot be started: %s", strerror(error));
        }
    }
    close_fd(&in.childs);
    close_fd(&out.childs);
    close_fd(&noise.childs);
    child->to = in.mine;
    child->from = out.mine;
    child->noise = noise.mine;
    if (status == CB_OK &&
        (fcntl(child->noise, F_SETFL, O_NONBLOCK) != 0 || fcntl(child->from, F_SETFL, O_NONBLOCK) != 0 ||
         fcntl(child->to, F_SETFL, O_NONBLOCK) != 0))
        status = cb_fail(err, CB_IO, "a worker's pipe cannot be set up: %s", strerror(errno));
    if (status != CB_OK)
        cb_child_stop(child);
    return status;
}

/* Keeps the last bytes of what the child prints, however much it is. */
static void drain_noise(cb_child *child)
{
    char chunk[4096];
    for (int i = 0; i < 16; i++) { /* bounded, so that a flood cannot hold the coordinator here */
        ssize_t got = read(child->noise, chunk, sizeof chunk);
        if (got == 0)
            close_fd(&child->noise);
        if (got <= 0)
            return;
        size_t n = (size_t)got;
        const char *p = chunk;
        if (n > sizeof child->tail) {
            p += n - sizeof child->tail;
            n = sizeof child->tail;
        }
        size_t keep = child->tail_n < sizeof child->tail - n ? child->tail_n : sizeof child->tail - n;
        memmove(child->tail, child->tail + child->tail_n - keep, keep);
        memcpy(child->tail + keep, p, n);
        child->tail_n = keep + n;
    }
}

/* The printed tail as one line, for messages; "" when nothing was printed. */
static void tail_text(const cb_child *child, char text[CB_CHILD_TAIL_BYTES + 4])
{
    size_t n = 0;
    if (child->tail_n > 0) {
        text[n++] = ':';
        text[n++] = ' ';
    }
    for (size_t i = 0; i < child->tail_n; i++)
        text[n++] = child->tail[i] >= ' ' && child->tail[i] <= '~' ? child->tail[i] : ' ';
    while (n > 0 && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
}

static int64_t now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Lets a process whose pipe has ended come to its own end, so that its exit status is its own. */
static void await_end(pid_t pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0)
        return;
    struct pollfd ending = {.fd = fd, .events = POLLIN};
    (void)poll(&ending, 1, ENDING_MS);
    (void)close(fd);
}

/* Ends the process, where it has not ended, and whatever it started: its group, which lasts until it is
 * waited for. By its own number too: it may have left the group. */
static void collect(cb_child *child, int *how)
{
    (void)kill(-child->pid, SIGKILL);
    (void)kill(child->pid, SIGKILL);
    (void)waitpid(child->pid, how, 0);
    child->pid = -1;
}

/* Collects the ended process and says how it ended. */
static cb_status report_end(cb_child *child, const char *step, cb_err *err)
{
    int how = 0;
    char tail[CB_CHILD_TAIL_BYTES + 4];
    siginfo_t ended = {0};
    if (child->pid < 0)
        return cb_fail(err, CB_CRASHED, "ended before %s", step);
    await_end(child->pid);
    bool by_itself = waitid(P_PID, (id_t)child->pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                     ended.si_pid == child->pid;
    collect(child, &how);
    if (child->noise >= 0)
        drain_noise(child);
    tail_text(child, tail);
    if (!by_itself)
        return cb_fail(err, CB_CRASHED, "closed its pipe during %s%s", step, tail);
    if (WIFSIGNALED(how)) {
        const char *name = sigabbrev_np(WTERMSIG(how));
        return cb_fail(err, CB_CRASHED, "SIG%s during %s%s", name != NULL ? name : "?", step, tail);
    }
    return cb_fail(err, CB_CRASHED, "exited with status %d during %s%s", WEXITSTATUS(how), step, tail);
}

cb_status cb_child_send(cb_child *child, cb_frame_kind kind, cb_span payload, cb_err *err)
{
    uint8_t frame[CB_FRAME_HEADER_BYTES + 512];
    if (payload.n > sizeof frame - CB_FRAME_HEADER_BYTES)
        return cb_fail(err, CB_BAD_ARGUMENT, "a request of %zu bytes is too long", payload.n);
    cb_frame_header_encode(frame, kind, payload.n);
    if (payload.n > 0)
        memcpy(frame + CB_FRAME_HEADER_BYTES, payload.p, payload.n);
    size_t n = CB_FRAME_HEADER_BYTES + payload.n;
    /* Requests are far smaller than a pipe and the child reads one before the next is sent: no partial
     * writes, no waiting. A pipe that is full belongs to a child that answers without reading. */
    ssize_t put = 0;
    do
        put = write(child->to, frame, n);
    while (put < 0 && errno == EINTR);
    child->busy = true;
    if (put == (ssize_t)n)
        return CB_OK;
    if (put < 0 && errno == EAGAIN)
        return cb_fail(err, CB_IO, "answers without reading its requests");
    return report_end(child, "the wait for work", err);
}

/* Waits until the child has said something, within the deadline. */
static cb_status await_answer(cb_child *child, int64_t deadline_ms, const char *step, cb_err *err)
{
    for (;;) {
        if (child->interrupt != NULL && child->interrupt->signal != 0)
            return cb_fail(err, CB_IO, "interrupted");
        struct pollfd watched[] = {
            {.fd = child->from, .events = POLLIN},
            {.fd = child->noise, .events = POLLIN},
            {.fd = child->interrupt != NULL ? child->interrupt->fd : -1, .events = POLLIN},
        };
        int64_t left_ms = deadline_ms - now_ms();
        int ready = poll(watched, 3, left_ms > 0 ? (int)left_ms : 0);
        if (ready < 0 && errno != EINTR)
            return cb_fail(err, CB_IO, "waiting for a worker: %s", strerror(errno));
        if (ready > 0 && (watched[1].revents & (POLLIN | POLLHUP)) != 0)
            drain_noise(child);
        /* Before the answer, so that a child which never falls silent cannot keep the program from ending. */
        if (watched[2].revents != 0 && cb_interrupt_came(child->interrupt))
            continue;
        if (ready > 0 && (watched[0].revents & (POLLIN | POLLHUP)) != 0)
            return CB_OK;
        if (left_ms <= 0)
            return cb_fail(err, CB_TIMEOUT, "no answer for %g s during %s (--timeout)", child->timeout_s,
                           step);
    }
}

static int64_t deadline_from_now(const cb_child *child)
{
    return now_ms() + (int64_t)(child->timeout_s * 1000);
}

static cb_status receive_exactly(cb_child *child, uint8_t *p, size_t n, const char *step, cb_err *err)
{
    int64_t deadline_ms = deadline_from_now(child);
    while (n > 0) {
        cb_status status = await_answer(child, deadline_ms, step, err);
        if (status != CB_OK)
            return status;
        ssize_t got = read(child->from, p, n);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            return report_end(child, step, err);
        p += got;
        n -= (size_t)got;
    }
    return CB_OK;
}

static cb_status receive_frame(cb_child *child, cb_frame_kind *kind, cb_span *payload, const char *step,
                               cb_err *err)
{
    uint8_t header[CB_FRAME_HEADER_BYTES];
    size_t n = 0;
    cb_status status = receive_exactly(child, header, sizeof header, step, err);
    if (status == CB_OK)
        status = cb_frame_header_decode(header, kind, &n, err);
    if (status != CB_OK)
        return status;
    if (n > child->payload_cap) {
        uint8_t *grown = realloc(child->payload, n);
        if (grown == NULL)
            return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for an answer of %zu bytes", n);
        child->payload = grown;
        child->payload_cap = n;
    }
    *payload = (cb_span){child->payload, n};
    return receive_exactly(child, child->payload, n, step, err);
}

cb_status cb_child_receive(cb_child *child, cb_frame_kind kind, const char *step, cb_span *payload,
                           cb_err *err)
{
    cb_frame_kind got = CB_FRAME_END;
    cb_status status = CB_OK;
    do
        status = receive_frame(child, &got, payload, step, err);
    while (status == CB_OK && got == CB_FRAME_ALIVE);
    if (status != CB_OK)
        return status;
    if (got != kind && got != CB_FRAME_FAILED)
        return cb_fail(err, CB_IO, "an answer out of order came during %s", step);
    child->busy = false;
    return got == CB_FRAME_FAILED ? cb_failure_decode(*payload, err) : CB_OK;
}

void cb_child_stop(cb_child *child)
{
    close_fd(&child->to);
    if (child->pid > 0) {
        if (!child->busy)
            await_end(child->pid);
        collect(child, NULL);
    }
    close_fd(&child->from);
    close_fd(&child->noise);
    free(child->payload);
    child->payload = NULL;
    child->payload_cap = 0;
}
