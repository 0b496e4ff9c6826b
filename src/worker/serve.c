#include "worker/serve.h"

#include "system/affinity.h"
#include "worker/protocol.h"
#include "worker/stack.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Long steps say that they are alive this often. */
#define ALIVE_NS UINT64_C(200000000)

typedef struct server {
    const char *module;
    int cpu;
    cb_clock clock;
    cb_session *session;
    uint64_t alive_ns; /* when something was last sent */
    cb_wire_writer payload;
} server;

static cb_status read_exactly(void *p, size_t n, bool *ended)
{
    uint8_t *at = p;
    *ended = false;
    while (n > 0) {
        ssize_t got = read(CB_WORKER_IN, at, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            *ended = got == 0;
            return CB_IO;
        }
        at += got;
        n -= (size_t)got;
    }
    return CB_OK;
}

static cb_status write_exactly(const void *p, size_t n)
{
    const uint8_t *at = p;
    while (n > 0) {
        ssize_t put = write(CB_WORKER_OUT, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return CB_IO;
        at += put;
        n -= (size_t)put;
    }
    return CB_OK;
}

static cb_status send_frame(server *s, cb_frame_kind kind, cb_span payload)
{
    uint8_t header[CB_FRAME_HEADER_BYTES];
    cb_frame_header_encode(header, kind, payload.n);
    s->alive_ns = s->clock.wall_ns(s->clock.user);
    cb_status status = write_exactly(header, sizeof header);
    return status == CB_OK && payload.n > 0 ? write_exactly(payload.p, payload.n) : status;
}

static cb_status send_failure(server *s, const cb_err *failure)
{
    s->payload.n = 0;
    cb_failure_encode(&s->payload, failure);
    return s->payload.failed ? CB_OUT_OF_MEMORY
                             : send_frame(s, CB_FRAME_FAILED, (cb_span){s->payload.p, s->payload.n});
}

/* Sends the payload that was just encoded, or, when an earlier step failed, that failure. */
static cb_status answer(server *s, cb_status status, cb_frame_kind kind, cb_err *err)
{
    if (status == CB_OK && s->payload.failed)
        status = cb_fail(err, CB_OUT_OF_MEMORY, "no memory for an answer");
    return status == CB_OK ? send_frame(s, kind, (cb_span){s->payload.p, s->payload.n})
                           : send_failure(s, err);
}

static cb_status alive(void *user, cb_err *err)
{
    server *s = user;
    if (s->clock.wall_ns(s->clock.user) - s->alive_ns < ALIVE_NS)
        return CB_OK;
    cb_status status = send_frame(s, CB_FRAME_ALIVE, (cb_span){0});
    return status == CB_OK ? status : cb_fail(err, status, "the coordinator is gone");
}

static cb_status serve_prepare(server *s, cb_span request, const cb_ring_pulse *pulse, cb_err *err)
{
    cb_task task;
    cb_prepared prepared = {0};
    cb_status status = cb_task_decode(request, &task, err);
    if (status == CB_OK)
        status = cb_session_prepare(s->session, &task, pulse, &prepared, err);
    if (status == CB_OK)
        cb_prepared_encode(&s->payload, &prepared);
    cb_prepared_free(&prepared);
    return status;
}

static cb_status serve_begin(server *s, cb_span request, cb_err *err)
{
    cb_wire_reader r = {.bytes = request};
    uint64_t rounds = cb_wire_get_u64(&r);
    if (!cb_wire_finished(&r) || rounds > CB_FRAME_PAYLOAD_MAX)
        return cb_fail(err, CB_IO, "a malformed begin came through the coordinator's pipe");
    return cb_session_begin(s->session, (size_t)rounds, err);
}

static cb_status serve_finish(server *s, const cb_ring_pulse *pulse, cb_err *err)
{
    cb_block block = {0};
    cb_status status = cb_session_finish(s->session, pulse, &block, err);
    if (status == CB_OK)
        cb_block_encode(&s->payload, &block);
    free(block.round_ns);
    free(block.control_ns);
    free(block.flags);
    return status;
}

/* Answers one request. A status other than CB_OK means that the pipe is broken. */
static cb_status serve_request(server *s, cb_frame_kind kind, cb_span request)
{
    const cb_ring_pulse pulse = {alive, s};
    cb_err err = {0};
    s->payload.n = 0;
    s->alive_ns = s->clock.wall_ns(s->clock.user);
    switch (kind) {
    case CB_FRAME_TURN:
        return answer(s, cb_session_turn(s->session, &err), CB_FRAME_TURNED, &err);
    case CB_FRAME_PREPARE:
        return answer(s, serve_prepare(s, request, &pulse, &err), CB_FRAME_PREPARED, &err);
    case CB_FRAME_BEGIN:
        return answer(s, serve_begin(s, request, &err), CB_FRAME_READY, &err);
    case CB_FRAME_FINISH:
        return answer(s, serve_finish(s, &pulse, &err), CB_FRAME_BLOCK, &err);
    default:
        return CB_IO;
    }
}

/* Reads requests until the input ends; 0 when it ends between two requests. */
static int serve_requests(server *s)
{
    for (;;) {
        uint8_t header[CB_FRAME_HEADER_BYTES];
        cb_frame_kind kind = CB_FRAME_END;
        size_t n = 0;
        bool ended = false;
        if (read_exactly(header, sizeof header, &ended) != CB_OK)
            return ended ? 0 : 1;
        if (cb_frame_header_decode(header, &kind, &n, NULL) != CB_OK)
            return 1;
        uint8_t *payload = malloc(n > 0 ? n : 1);
        cb_status status = payload != NULL ? read_exactly(payload, n, &ended) : CB_OUT_OF_MEMORY;
        if (status == CB_OK)
            status = serve_request(s, kind, (cb_span){payload, n});
        free(payload);
        if (status != CB_OK)
            return 1;
    }
}

static int serve_module(void *user)
{
    server *s = user;
    cb_err err = {0};
    cb_status status = s->cpu >= 0 ? cb_affinity_pin(s->cpu, &err) : CB_OK;
    if (status == CB_OK)
        status = cb_session_open(&s->session, s->module, &s->clock, &err);
    if (status != CB_OK)
        return send_failure(s, &err) == CB_OK ? 0 : 1;
    cb_hello_encode(&s->payload, cb_session_backend(s->session), cb_session_library(s->session));
    int code = answer(s, CB_OK, CB_FRAME_HELLO, &err) == CB_OK ? serve_requests(s) : 1;
    cb_session_close(s->session);
    return code;
}

int cb_worker_serve(int argc, char *const argv[])
{
    if (argc != 4)
        return 1;
    /* A coordinator that is killed outright takes its workers along. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    server s = {.module = argv[2], .cpu = (int)strtol(argv[3], NULL, 10), .clock = cb_clock_system()};
    int code = cb_stack_call(serve_module, &s);
    free(s.payload.p);
    return code;
}
