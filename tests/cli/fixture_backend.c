/* A backend that misbehaves where it is told to: CB_FIXTURE_FAULT=<place>:<deed>, with a place of get, open,
 * bind, run or close. Without a fault it encrypts correctly, by the reference's code. */
#include <crypto_bench/backend.h>

#include "reference/chacha20_poly1305.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define TAG_BYTES   REFERENCE_CHACHA20_POLY1305_TAG_BYTES
#define FLOOD_BYTES ((size_t)128 << 20)
/* The descriptors that a worker speaks and hears the coordinator at. */
#define FIRST_PIPE  3
#define ANSWER_PIPE 4
#define LAST_PIPE   64

/* Tells the test, which waits at the other end of the FIFO, which process has come here. Never waits itself.
 */
static cb_status announce(void)
{
    const char *fifo = getenv("CB_FIXTURE_FIFO");
    int fd = fifo != NULL ? open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)dprintf(fd, "%ld\n", (long)getpid());
        (void)close(fd);
    }
    return CB_OK;
}

static cb_status fail(void)
{
    return CB_LIBRARY_ERROR;
}

static cb_status leave(void)
{
    exit(0);
}

static cb_status hang(void)
{
    cb_status status = announce();
    while (pause() != 0)
        continue;
    return status;
}

/* Stops the whole process, as a debugger or a full terminal may. */
static cb_status stop(void)
{
    (void)raise(SIGSTOP);
    return CB_OK;
}

static cb_status close_pipes(void)
{
    for (int fd = FIRST_PIPE; fd <= LAST_PIPE; fd++)
        (void)close(fd);
    return CB_OK;
}

/* A process of the library's own keeps the worker's pipes open after the worker has gone. */
static cb_status leave_heir(void)
{
    if (fork() == 0)
        for (;;)
            (void)pause();
    _exit(0);
}

static cb_status put(int fd, const void *bytes, size_t n)
{
    return write(fd, bytes, n) == (ssize_t)n ? CB_OK : CB_IO;
}

static cb_status flood(void)
{
    char block[1 << 16];
    memset(block, '!', sizeof block);
    for (size_t n = 0; n < FLOOD_BYTES; n += sizeof block)
        if (put(STDERR_FILENO, block, sizeof block) != CB_OK)
            return CB_IO;
    return CB_OK;
}

static cb_status print(void)
{
    cb_status status = put(STDOUT_FILENO, "{\"ns\":1}\n", 9);
    return status == CB_OK ? put(STDERR_FILENO, "warning\n", 8) : status;
}

/* Some libraries say on stderr why they give up. */
static cb_status die(void)
{
    (void)put(STDERR_FILENO, "assertion x > 0\nfailed in fixture\n", 34);
    abort();
}

static cb_status send_garbage(void)
{
    return put(ANSWER_PIPE, "these bytes are no frame", 24);
}

static cb_status send_half(void)
{
    (void)put(ANSWER_PIPE, "\x05", 1);
    return hang();
}

/* A header of the right form that announces more than any answer has. */
static cb_status send_giant(void)
{
    return put(ANSWER_PIPE, "\x05\x00\x42\x43\xff\xff\xff\xff", 8);
}

typedef struct deed {
    const char *name;
    cb_status (*perform)(void);
} deed;

static const deed deeds[] = {
    {"announce", announce},    {"fail", fail},       {"exit", leave},       {"hang", hang},   {"stop", stop},
    {"close", close_pipes},    {"heir", leave_heir}, {"flood", flood},      {"print", print}, {"die", die},
    {"garbage", send_garbage}, {"half", send_half},  {"giant", send_giant},
};

/* The deed that is asked for at this place, or NULL. */
static const char *deed_at(const char *place)
{
    const char *fault = getenv("CB_FIXTURE_FAULT");
    size_t n = strlen(place);
    return fault != NULL && strncmp(fault, place, n) == 0 && fault[n] == ':' ? fault + n + 1 : NULL;
}

static bool is_asked(const char *place, const char *name)
{
    const char *asked = deed_at(place);
    return asked != NULL && strcmp(asked, name) == 0;
}

static cb_status misbehave(const char *place)
{
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
        if (is_asked(place, deeds[i].name))
            return deeds[i].perform();
    return CB_OK;
}

static cb_status fixture_bind(void *ctx, const cb_kernel *self, const cb_input *input, void **state,
                              cb_err *err)
{
    (void)ctx;
    (void)self;
    if (misbehave("bind") != CB_OK)
        return cb_fail(err, CB_LIBRARY_ERROR, "the fixture does not bind");
    uint8_t *key = malloc(REFERENCE_CHACHA20_POLY1305_KEY_BYTES);
    if (key == NULL || input->key.n != REFERENCE_CHACHA20_POLY1305_KEY_BYTES) {
        free(key);
        return cb_fail(err, CB_BAD_ARGUMENT, "no key");
    }
    memcpy(key, input->key.p, input->key.n);
    *state = key;
    return CB_OK;
}

static cb_status fixture_run(void *state, const cb_input *in, cb_buf *out)
{
    out->n = 0;
    if (out->cap < in->msg.n + TAG_BYTES || in->nonce.n != REFERENCE_CHACHA20_POLY1305_NONCE_BYTES)
        return CB_BAD_ARGUMENT;
    if (misbehave("run") != CB_OK)
        return CB_LIBRARY_ERROR;
    const cb_span ciphertext = {out->p, in->msg.n};
    reference_chacha20_poly1305_crypt(state, in->nonce.p, in->msg, out->p);
    reference_chacha20_poly1305_tag(state, in->nonce.p, in->aad, ciphertext, out->p + in->msg.n);
    out->n = is_asked("run", "length") ? SIZE_MAX : in->msg.n + TAG_BYTES;
    return CB_OK;
}

static const char *fixture_version(void)
{
    return "1";
}

static const char *fixture_build(void)
{
    return "test only";
}

static cb_status fixture_open(void **ctx, cb_err *err)
{
    *ctx = NULL;
    return misbehave("open") == CB_OK ? CB_OK : cb_fail(err, CB_LIBRARY_ERROR, "the fixture does not open");
}

static void fixture_explain(void *ctx, cb_err *err)
{
    (void)ctx;
    (void)cb_fail(err, err->code, "the fixture was told to fail");
}

static void fixture_close(void *ctx)
{
    (void)ctx;
    (void)misbehave("close");
}

static const cb_kernel kernels[] = {
    {.op = "aead/chacha20-poly1305/encrypt", .bind = fixture_bind, .run = fixture_run, .unbind = free},
};

#define FIXTURE(version_of_contract)                                                                         \
    {                                                                                                        \
        .abi = (version_of_contract), .name = "fixture", .licence = "BSD-3-Clause",                          \
        .version = fixture_version, .build = fixture_build, .open = fixture_open,                            \
        .explain = fixture_explain, .close = fixture_close, .kernels = kernels,                              \
        .n_kernels = sizeof kernels / sizeof kernels[0],                                                     \
    }

static const cb_backend backend = FIXTURE(CB_BACKEND_ABI);
static const cb_backend newer_backend = FIXTURE(CB_BACKEND_ABI + 1);

const cb_backend *cb_backend_get(void)
{
    (void)misbehave("get");
    if (is_asked("get", "null"))
        return NULL;
    return is_asked("get", "newer") ? &newer_backend : &backend;
}
