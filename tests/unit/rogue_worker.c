/* A worker process that does what its argument says, deed by deed: "hello+request+segv" greets, takes one
 * request and crashes. With a path in place of deeds it is a real worker for that module. */
#include "rogue_worker.h"

#include "worker/protocol.h"
#include "worker/serve.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void put(int fd, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    while (n > 0) {
        ssize_t done = write(fd, at, n);
        if (done <= 0)
            _exit(99);
        at += done;
        n -= (size_t)done;
    }
}

static void put_header(cb_frame_kind kind, size_t n)
{
    uint8_t header[CB_FRAME_HEADER_BYTES];
    cb_frame_header_encode(header, kind, n);
    put(CB_WORKER_OUT, header, sizeof header);
}

/* Sends and frees what was encoded. */
static void put_frame(cb_frame_kind kind, cb_wire_writer *w)
{
    put_header(kind, w->n);
    if (w->n > 0)
        put(CB_WORKER_OUT, w->p, w->n);
    free(w->p);
}

/* True when all n bytes came. */
static bool get(void *bytes, size_t n)
{
    uint8_t *at = bytes;
    while (n > 0) {
        ssize_t got = read(CB_WORKER_IN, at, n);
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static void leave(void)
{
    (void)!write(ROGUE_LEAVING_FD, "x", 1);
    _exit(0);
}

/* Takes a request; leaves when there is none any more. Returns its kind and the integer it begins with. */
static cb_frame_kind take_request(uint64_t *number)
{
    uint8_t header[CB_FRAME_HEADER_BYTES], payload[512];
    cb_frame_kind kind = CB_FRAME_END;
    size_t n = 0;
    if (!get(header, sizeof header))
        leave();
    if (cb_frame_header_decode(header, &kind, &n, NULL) != CB_OK || n > sizeof payload || !get(payload, n))
        _exit(98);
    cb_wire_reader r = {.bytes = {payload, n}};
    *number = cb_wire_get_u64(&r);
    return kind;
}

static void do_request(void)
{
    uint64_t number = 0;
    (void)take_request(&number);
}

static void put_prepared(void)
{
    uint64_t digests[ROGUE_SLOTS] = {11, 12};
    cb_wire_writer w = {0};
    cb_prepared_encode(&w, &(cb_prepared){.inputs_digest = 10,
                                          .digests = digests,
                                          .slots = ROGUE_SLOTS,
                                          .batch = ROGUE_BATCH,
                                          .batch_ns = ROGUE_BATCH_NS});
    put_frame(CB_FRAME_PREPARED, &w);
}

static void put_block(size_t rounds)
{
    cb_wire_writer w = {0};
    cb_block block = {.batch = ROGUE_BATCH,
                      .rounds = rounds,
                      .round_ns = calloc(rounds, sizeof(uint64_t)),
                      .control_ns = calloc(rounds, sizeof(uint64_t)),
                      .flags = calloc(rounds, 1)};
    for (size_t i = 0; i < rounds; i++)
        block.round_ns[i] = ROGUE_ROUND_NS + i;
    cb_block_encode(&w, &block);
    free(block.round_ns);
    free(block.control_ns);
    free(block.flags);
    put_frame(CB_FRAME_BLOCK, &w);
}

/* Answers one request as it should be. */
static void do_answer(void)
{
    static uint64_t rounds; /* of the last BEGIN */
    uint64_t number = 0;
    switch (take_request(&number)) {
    case CB_FRAME_PREPARE:
        put_prepared();
        break;
    case CB_FRAME_BEGIN:
        rounds = number;
        put_header(CB_FRAME_READY, 0);
        break;
    case CB_FRAME_TURN:
        put_header(CB_FRAME_TURNED, 0);
        break;
    default:
        put_block(rounds);
    }
}

static void do_answers(void)
{
    for (;;)
        do_answer();
}

static const char *rogue_text(void)
{
    return "rogue";
}

static void do_hello(void)
{
    static const cb_kernel kernels[] = {{.op = "aead/aes-256-gcm/encrypt", .since = "1.0", .limits = "none"},
                                        {.op = "aead/aes-256-gcm/decrypt"}};
    static const cb_absence absences[] = {{"aead/chacha20-poly1305/*", "no time"}};
    static const cb_backend backend = {.abi = CB_BACKEND_ABI,
                                       .name = "rogue",
                                       .licence = "MIT",
                                       .version = rogue_text,
                                       .build = rogue_text,
                                       .kernels = kernels,
                                       .n_kernels = 2,
                                       .absences = absences,
                                       .n_absences = 1};
    cb_wire_writer w = {0};
    cb_hello_encode(&w, &backend, "/lib/rogue.so");
    put_frame(CB_FRAME_HELLO, &w);
}

static void do_segv(void)
{
    /* A sanitizer's handler would make an exit of it. */
    (void)signal(SIGSEGV, SIG_DFL);
    (void)raise(SIGSEGV);
}

static void do_abort(void)
{
    abort();
}

static void do_exit(void)
{
    _exit(0);
}

static void do_seven(void)
{
    _exit(7);
}

static void do_hang(void)
{
    for (;;)
        (void)pause();
}

static void do_half_header(void)
{
    uint8_t header[CB_FRAME_HEADER_BYTES];
    cb_frame_header_encode(header, CB_FRAME_HELLO, 0);
    put(CB_WORKER_OUT, header, sizeof header / 2);
}

static void do_half_payload(void)
{
    const uint8_t half[50] = {0};
    put_header(CB_FRAME_HELLO, 2 * sizeof half);
    put(CB_WORKER_OUT, half, sizeof half);
}

static void do_no_payload(void)
{
    put_header(CB_FRAME_HELLO, CB_FRAME_PAYLOAD_MAX);
}

static void do_oversized(void)
{
    put_header(CB_FRAME_HELLO, CB_FRAME_PAYLOAD_MAX + 1);
}

static void do_garbage(void)
{
    put(CB_WORKER_OUT, "warning: entropy low\n", 21);
}

static void do_flood(void)
{
    for (;;)
        do_garbage();
}

static void do_flood_alive(void)
{
    for (;;)
        put_header(CB_FRAME_ALIVE, 0);
}

static void do_flood_turned(void)
{
    for (;;)
        put_header(CB_FRAME_TURNED, 0);
}

static void do_print(void)
{
    put(STDOUT_FILENO, "to standard output\n", 19);
}

static void do_noise(void)
{
    char line[1024];
    memset(line, 'n', sizeof line);
    for (int i = 0; i < 1024; i++)
        put(STDERR_FILENO, line, sizeof line);
    put(STDERR_FILENO, "\n\t" ROGUE_LAST_WORDS "\n\x01", 4 + sizeof ROGUE_LAST_WORDS - 1);
}

static void do_flood_noise(void)
{
    for (;;)
        do_noise();
}

static void do_close(void)
{
    (void)close(CB_WORKER_OUT);
}

static void do_wrong(void)
{
    put_header(CB_FRAME_READY, 0);
}

static void do_refuse(void)
{
    cb_wire_writer w = {0};
    cb_failure_encode(&w, &(cb_err){CB_UNSUPPORTED, ROGUE_REFUSAL});
    put_frame(CB_FRAME_FAILED, &w);
}

static void do_malformed(void)
{
    put_header(CB_FRAME_FAILED, 3);
    put(CB_WORKER_OUT, "why", 3);
}

/* Longer than the test waits for silence, in steps that are far shorter. */
static void do_alive(void)
{
    const struct timespec step = {.tv_nsec = 20000000};
    for (int i = 0; i < 60; i++) {
        (void)nanosleep(&step, NULL);
        put_header(CB_FRAME_ALIVE, 0);
    }
}

static void do_signal(void)
{
    (void)kill(getppid(), SIGTERM);
}

/* Leaves a process behind that has the pipes open. */
static void do_heir(void)
{
    if (fork() == 0)
        do_hang();
}

static void do_emigrate(void)
{
    if (setpgid(0, getpgid(getppid())) != 0)
        _exit(97);
}

/* Open descriptors beyond those that a worker is given. */
static int count_further_files(void)
{
    int n = 0;
    for (int fd = CB_WORKER_OUT + 1; fd < ROGUE_FILES_MAX; fd++)
        n += fcntl(fd, F_GETFD) != -1;
    return n;
}

/* Greets with what a worker finds around itself. */
static void do_describe(void)
{
    char text[200], byte = 0;
    sigset_t mask;
    struct sigaction on_pipe;
    (void)sigprocmask(SIG_BLOCK, NULL, &mask);
    (void)sigaction(SIGPIPE, NULL, &on_pipe);
    int n = snprintf(text, sizeof text, "term %s, usr2 %s, pipe %s, group %s, input %s, files %d",
                     sigismember(&mask, SIGTERM) == 1 ? "blocked" : "open",
                     sigismember(&mask, SIGUSR2) == 1 ? "blocked" : "open",
                     on_pipe.sa_handler == SIG_DFL ? "default" : "ignored",
                     getpgrp() == getpid() ? "own" : "shared",
                     read(STDIN_FILENO, &byte, 1) == 0 ? "empty" : "open", count_further_files());
    put_header(CB_FRAME_HELLO, (size_t)n);
    put(CB_WORKER_OUT, text, (size_t)n);
}

static const struct {
    const char *name;
    void (*run)(void);
} deeds[] = {
    {"abort", do_abort},
    {"alive", do_alive},
    {"answer", do_answer},
    {"answers", do_answers},
    {"close", do_close},
    {"describe", do_describe},
    {"emigrate", do_emigrate},
    {"exit", do_exit},
    {"flood", do_flood},
    {"flood-alive", do_flood_alive},
    {"flood-noise", do_flood_noise},
    {"flood-turned", do_flood_turned},
    {"garbage", do_garbage},
    {"half-header", do_half_header},
    {"half-payload", do_half_payload},
    {"hang", do_hang},
    {"heir", do_heir},
    {"hello", do_hello},
    {"malformed", do_malformed},
    {"no-payload", do_no_payload},
    {"noise", do_noise},
    {"oversized", do_oversized},
    {"print", do_print},
    {"refuse", do_refuse},
    {"request", do_request},
    {"segv", do_segv},
    {"seven", do_seven},
    {"signal", do_signal},
    {"wrong", do_wrong},
};

/* Does the deed whose name is the first n characters of text. */
static void run_deed(const char *text, size_t n)
{
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
        if (strlen(deeds[i].name) == n && strncmp(deeds[i].name, text, n) == 0) {
            deeds[i].run();
            return;
        }
    _exit(96);
}

/* The deeds are argv[1] or, where it is started as a worker, in place of the module. */
int main(int argc, char **argv)
{
    const char *text = argc == 4 ? argv[2] : argv[1];
    const struct rlimit no_core = {0, 0};
    if (strchr(text, '/') != NULL)
        return cb_worker_serve(argc, argv);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    for (size_t n = strcspn(text, "+"); n > 0; n = strcspn(text, "+")) {
        run_deed(text, n);
        text += n + (text[n] == '+');
    }
    do_request(); /* leaves at the end of the input */
    return 95;
}
