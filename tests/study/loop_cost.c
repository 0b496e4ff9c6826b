/* The 1 % study: does the harness add anything to what it measures?
 *
 * For every library, algorithm, direction and size, the harness's own timed loop (worker/batch.c over the
 * backend's kernel, loop cost subtracted) and a loop written by hand (hand_*.c) take turns in one process,
 * over the same ring and the same output buffer, each turn behind the control kernel. Every process has new
 * address layouts; the figure is the ratio harness / hand over all processes, by the shipped statistics.
 *
 *   study_loop_cost MODULES [PROCESSES [ROUNDS]]   the study: MODULES is the folder of backend modules
 *   study_loop_cost MODULES one CASE ROUNDS        one process of it: prints the rounds
 *
 * Exit code 0 when every ratio lies within 1 % at 64 B and 0.5 % at 16 KiB, else 1. */
#include "hand.h"

#include "stats/statistics.h"
#include "system/affinity.h"
#include "worker/batch.h"
#include "worker/control.h"
#include "worker/module.h"
#include "worker/stack.h"

#include <math.h>
#include <unistd.h>

#define BATCH_NS          100000
#define DEFAULT_PROCESSES 30
#define DEFAULT_ROUNDS    200
#define PROCESSES_MAX     1000
#define ROUNDS_MAX        100000

static const struct {
    size_t msg_bytes;
    double limit;
} sizes[] = {{64, 0.01}, {16384, 0.005}};
#define N_SIZES (sizeof sizes / sizeof sizes[0])
#define N_CASES (2 * HAND_LOOPS_PER_LIBRARY * N_SIZES)

static const hand_loop *case_loop(size_t index)
{
    size_t loop = index / N_SIZES;
    return loop < HAND_LOOPS_PER_LIBRARY ? &hand_openssl[loop]
                                         : &hand_libsodium[loop - HAND_LOOPS_PER_LIBRARY];
}

/* One process's share: the two sides of one case. */
typedef struct duel {
    cb_clock clock;
    cb_control control;
    cb_ring ring;
    cb_batch batch;
    void *state, *states[64];
    const hand_loop *hand;
    void *hand_state;
    size_t hand_next;
    uint64_t count;
    uint64_t sum; /* of the control, so that it is not left out */
} duel;

static int duel_open(duel *d, const cb_module *module, void *ctx, size_t index)
{
    cb_err err = {0};
    const cb_ring_spec spec = {
        .op = cb_operation_find(d->hand->op), .msg_bytes = sizes[index % N_SIZES].msg_bytes, .seed = 1};
    const cb_kernel *kernel = cb_backend_kernel(module->backend, d->hand->op);
    uint64_t batch_ns = 0;
    if (kernel == NULL || cb_ring_make(&d->ring, &spec, module->backend, ctx, NULL, &err) != CB_OK ||
        kernel->bind(ctx, kernel, &d->ring.inputs[0], &d->state, &err) != CB_OK) {
        (void)fprintf(stderr, "study: %s\n", err.msg);
        return 1;
    }
    for (size_t i = 0; i < d->ring.slots && i < sizeof d->states / sizeof d->states[0]; i++)
        d->states[i] = d->state;
    d->batch = (cb_batch){.run = kernel->run,
                          .states = d->states,
                          .inputs = d->ring.inputs,
                          .slots = d->ring.slots,
                          .out = &d->ring.out,
                          .out_n = d->ring.shape.out};
    d->hand_state = d->hand->open(d->ring.inputs[0].key.p);
    return d->hand_state == NULL ||
           cb_batch_calibrate(&d->batch, BATCH_NS, &d->clock, &d->count, &batch_ns) != CB_OK;
}

static uint64_t harness_turn(duel *d)
{
    d->sum += cb_control_warm(&d->control) + cb_control_run(&d->control);
    cb_batch_outcome outcome = cb_batch_run(&d->batch, d->count, &d->clock);
    return outcome.status == CB_OK ? outcome.end_ns - outcome.start_ns : 0;
}

static uint64_t hand_turn(duel *d)
{
    d->sum += cb_control_warm(&d->control) + cb_control_run(&d->control);
    uint64_t start_ns = d->clock.wall_ns(d->clock.user);
    uint64_t done = d->hand->run(d->hand_state, &d->ring, &d->hand_next, d->count);
    uint64_t end_ns = d->clock.wall_ns(d->clock.user);
    return done == d->count ? end_ns - start_ns : 0;
}

/* What `one` process is asked for. */
typedef struct request {
    const char *modules;
    size_t index, rounds;
} request;

static int run_duel(const request *r, duel *d)
{
    (void)printf("%llu %.6f\n", (unsigned long long)d->count, cb_batch_loop_cost(&d->batch, &d->clock));
    for (size_t i = 0; i < r->rounds; i++) {
        uint64_t harness_ns = 0;
        uint64_t hand_ns = 0;
        if (i % 2 == 0)
            harness_ns = harness_turn(d);
        hand_ns = hand_turn(d);
        if (i % 2 == 1)
            harness_ns = harness_turn(d);
        if (harness_ns == 0 || hand_ns == 0)
            return 1; /* a call failed: there is no ratio */
        (void)printf("%llu %llu\n", (unsigned long long)harness_ns, (unsigned long long)hand_ns);
    }
    return 0;
}

static int run_one(void *argument)
{
    const request *r = argument;
    static duel d; /* aligned, and off the measured stack */
    char path[4096];
    cb_module module;
    cb_err err = {0};
    void *ctx = NULL;
    int cpu = -1;
    d.hand = case_loop(r->index);
    d.clock = cb_clock_system();
    cb_control_init(&d.control);
    (void)snprintf(path, sizeof path, "%s/%s.so", r->modules, d.hand->backend);
    if (cb_affinity_choose(-1, &cpu, &err) != CB_OK || cb_affinity_pin(cpu, &err) != CB_OK ||
        cb_module_load(&module, path, &err) != CB_OK || module.backend->open(&ctx, &err) != CB_OK) {
        (void)fprintf(stderr, "study: %s\n", err.msg);
        return 1;
    }
    int failed = duel_open(&d, &module, ctx, r->index);
    return failed != 0 ? failed : run_duel(r, &d);
}

/* Reads one process's rounds into a block for each side. */
static int read_blocks(FILE *stream, size_t rounds, uint64_t seed, cb_block *harness, cb_block *hand)
{
    unsigned long long count = 0;
    double loop_ns = 0;
    if (fscanf(stream, "%llu %lf", &count, &loop_ns) != 2)
        return 1;
    cb_block *blocks[] = {harness, hand};
    for (size_t k = 0; k < 2; k++)
        *blocks[k] = (cb_block){.seed = seed,
                                .batch = count,
                                .rounds = rounds,
                                .round_ns = calloc(rounds, sizeof(uint64_t)),
                                .control_ns = calloc(rounds, sizeof(uint64_t)),
                                .flags = calloc(rounds, 1)};
    harness->loop_ns = loop_ns;
    for (size_t i = 0; i < rounds; i++) {
        unsigned long long a = 0;
        unsigned long long b = 0;
        if (fscanf(stream, "%llu %llu", &a, &b) != 2)
            return 1;
        harness->round_ns[i] = a;
        hand->round_ns[i] = b;
        harness->control_ns[i] = hand->control_ns[i] =
            1; /* both sides share a process: no round is set aside */
    }
    return 0;
}

static int run_process(const request *r, const char *self, size_t process, cb_row_samples *harness,
                       cb_row_samples *hand)
{
    char command[8192];
    cb_block a = {0};
    cb_block b = {0};
    (void)snprintf(command, sizeof command, "exec '%s' '%s' one %zu %zu", self, r->modules, r->index,
                   r->rounds);
    FILE *stream = popen(command, "r");
    if (stream == NULL)
        return 1;
    int failed = read_blocks(stream, r->rounds, process + 1, &a, &b);
    failed |= pclose(stream) != 0;
    failed |= cb_row_samples_add(harness, &a) != CB_OK;
    failed |= cb_row_samples_add(hand, &b) != CB_OK;
    return failed;
}

static int report_case(size_t index, const cb_row_samples *harness, const cb_row_samples *hand)
{
    cb_ratio ratio;
    cb_summary summary;
    if (cb_ratio_make(&ratio, harness, hand, NULL) != CB_OK || cb_summary_make(&summary, hand, NULL) != CB_OK)
        return 1;
    double limit = sizes[index % N_SIZES].limit;
    double off = fabs(ratio.all_rounds.value - 1);
    (void)printf("%-10s %-31s %6zu %12.2f %10.5f  [%.5f, %.5f]  %s\n", case_loop(index)->backend,
                 case_loop(index)->op, sizes[index % N_SIZES].msg_bytes, summary.median_ns.value,
                 ratio.all_rounds.value, ratio.all_rounds.low, ratio.all_rounds.high,
                 off <= limit ? "ok" : "OUTSIDE");
    return off <= limit ? 0 : 1;
}

static int run_study(const char *self, const char *modules, size_t processes, size_t rounds)
{
    static cb_row_samples harness[N_CASES];
    static cb_row_samples hand[N_CASES];
    int failed = 0;
    for (size_t p = 0; p < processes; p++)
        for (size_t i = 0; i < N_CASES; i++) {
            const request r = {modules, i, rounds};
            if (run_process(&r, self, p, &harness[i], &hand[i]) != 0) {
                (void)fprintf(stderr, "study: %s %s: a process failed\n", case_loop(i)->backend,
                              case_loop(i)->op);
                return 1;
            }
        }
    (void)printf(
        "%zu processes, %zu rounds of about 100 us each; ratio harness / hand-written loop, 95 %% interval\n",
        processes, rounds);
    (void)printf("%-10s %-31s %6s %12s %10s\n", "library", "operation", "bytes", "hand ns", "ratio");
    for (size_t i = 0; i < N_CASES; i++)
        failed |= report_case(i, &harness[i], &hand[i]);
    for (size_t i = 0; i < N_CASES; i++) {
        cb_row_samples_free(&harness[i]);
        cb_row_samples_free(&hand[i]);
    }
    return failed;
}

/* A whole number from min to max, or a usage error. */
static size_t number(const char *text, size_t min, size_t max)
{
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    if (*text >= '0' && *text <= '9' && *end == '\0' && value >= min && value <= max)
        return value;
    (void)fprintf(stderr, "study: %s is not a number from %zu to %zu\n", text, min, max);
    exit(2);
}

int main(int argc, char *argv[])
{
    if (argc == 5 && strcmp(argv[2], "one") == 0) {
        request r = {argv[1], number(argv[3], 0, N_CASES - 1), number(argv[4], 1, ROUNDS_MAX)};
        return cb_stack_call(run_one, &r);
    }
    if (argc < 2 || argc > 4) {
        (void)fprintf(stderr, "usage: %s MODULES [PROCESSES [ROUNDS]]\n", argv[0]);
        return 2;
    }
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return 1;
    self[n] = '\0';
    return run_study(self, argv[1], argc > 2 ? number(argv[2], 1, PROCESSES_MAX) : DEFAULT_PROCESSES,
                     argc > 3 ? number(argv[3], 1, ROUNDS_MAX) : DEFAULT_ROUNDS);
}
