#include "fixture_result.h"

#include <math.h>

#define GCM_ENCRYPT    "aead/aes-256-gcm/encrypt"
#define GCM_DECRYPT    "aead/aes-256-gcm/decrypt"
#define CHACHA_ENCRYPT "aead/chacha20-poly1305/encrypt"
#define CHACHA_DECRYPT "aead/chacha20-poly1305/decrypt"

enum { LIBSODIUM, NSS, OPENSSL };      /* entries, sorted by name */
enum { SEAT_OPENSSL, SEAT_LIBSODIUM }; /* contestants */

static void make_catalogue(fixture *f)
{
    f->kernels[0] = (cb_catalogue_kernel){.op = GCM_ENCRYPT, .limits = "needs AES-NI and PCLMUL"};
    f->kernels[1] = (cb_catalogue_kernel){.op = CHACHA_ENCRYPT, .since = "0.7.0"};
    f->kernels[2] = (cb_catalogue_kernel){.op = CHACHA_DECRYPT};
    f->kernels[3] = (cb_catalogue_kernel){.op = GCM_ENCRYPT};
    f->kernels[4] = (cb_catalogue_kernel){.op = GCM_DECRYPT};
    f->kernels[5] =
        (cb_catalogue_kernel){.op = CHACHA_ENCRYPT, .since = "1.1.0", .limits = "slow before 3.0"};
    f->absences[0] = (cb_catalogue_absence){.ops = GCM_DECRYPT, .reason = "not offered in this build"};
    f->entries[LIBSODIUM] = (cb_catalogue_entry){
        .name = "libsodium",
        .module = "/home/ann/bench/backends/libsodium.so",
        .backend = "libsodium",
        .version = "1.0.18",
        .build = "AES-NI, AVX2",
        .licence = "ISC",
        .library = "/home/ann/lib/libsodium.so.23",
        .kernels = f->kernels,
        .n_kernels = 3,
        .absences = f->absences,
        .n_absences = 1,
    };
    f->entries[NSS] = (cb_catalogue_entry){.name = "nss"};
    (void)cb_fail(&f->entries[NSS].absent, CB_UNSUPPORTED, "nss was not found when this was built");
    f->entries[OPENSSL] = (cb_catalogue_entry){
        .name = "openssl",
        .module = "/opt/bench/backends/openssl.so",
        .backend = "openssl",
        .version = "3.0.17",
        .build = "assembly, AES-NI",
        .licence = "Apache-2.0",
        .library = "/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
        .kernels = f->kernels + 3,
        .n_kernels = 3,
    };
    f->catalogue = (cb_catalogue){.entries = f->entries, .n = FIXTURE_ENTRIES};
}

static void make_groups(fixture *f)
{
    static const struct {
        char *id;
        const char *op;
        size_t msg_bytes, aad_bytes, first_seat, n_seats;
    } groups[FIXTURE_GROUPS] = {
        {GCM_ENCRYPT "/64", GCM_ENCRYPT, 64, 0, 0, 2},
        {GCM_ENCRYPT "/16384", GCM_ENCRYPT, 16384, 0, 2, 2},
        {CHACHA_ENCRYPT "/0", CHACHA_ENCRYPT, 0, 0, 4, 2},
        {GCM_DECRYPT "/1024", GCM_DECRYPT, 1024, 16, 6, 2},
        {CHACHA_DECRYPT "/256", CHACHA_DECRYPT, 256, 0, 8, 1},
    };
    for (size_t i = 0; i < FIXTURE_ROWS; i++)
        f->seats[i].contestant = i % 2 == 0 ? SEAT_OPENSSL : SEAT_LIBSODIUM;
    f->seats[8].contestant = SEAT_LIBSODIUM;
    f->seats[7].absent = true;
    (void)snprintf(f->seats[7].reason, sizeof f->seats[7].reason, "not offered in this build");
    for (size_t i = 0; i < FIXTURE_GROUPS; i++)
        f->groups[i] = (cb_group){
            .op = cb_operation_find(groups[i].op),
            .msg_bytes = groups[i].msg_bytes,
            .aad_bytes = groups[i].aad_bytes,
            .id = groups[i].id,
            .seats = f->seats + groups[i].first_seat,
            .n_seats = groups[i].n_seats,
            .max_replicates = 8,
        };
    f->groups[4].params.chunk = 128;
}

static void make_plan(fixture *f)
{
    f->contestants[SEAT_OPENSSL] = (cb_contestant){.name = "openssl", .entry = &f->entries[OPENSSL]};
    f->contestants[SEAT_LIBSODIUM] = (cb_contestant){.name = "libsodium", .entry = &f->entries[LIBSODIUM]};
    f->plan = (cb_plan){
        .contestants = f->contestants,
        .n_contestants = FIXTURE_CONTESTANTS,
        .groups = f->groups,
        .n_groups = FIXTURE_GROUPS,
        .schedule = {.looks = {8}, .n_looks = 1, .target_ci = 0.005, .seed = 42, .cpu = 3},
    };
}

/* Two replicates of three rounds stand behind every measured row: reporters only copy them. */
static void make_samples(fixture *f)
{
    for (size_t i = 0; i < 3; i++) {
        f->round_ns[i] = 100000 + 10 * i;
        f->control_ns[i] = 10000 + i;
    }
    f->flags[1] = CB_ROUND_SWITCHED | CB_ROUND_CPU_GAP;
    for (size_t i = 0; i < 2; i++)
        f->blocks[i] = (cb_block){
            .seed = UINT64_MAX - i,
            .batch = 890,
            .loop_ns = 0.25,
            .first_call_ns = 2100 + i,
            .rounds = 3,
            .round_ns = f->round_ns,
            .control_ns = f->control_ns,
            .flags = f->flags,
        };
    for (size_t i = 0; i < FIXTURE_ROWS; i++)
        f->samples[i] = (cb_row_samples){.blocks = f->blocks, .n_blocks = 2, .iterations = 5340};
    (void)cb_fail(
        &f->samples[4].status, CB_CRASHED,
        "SIGSEGV in replicate 3, \"chacha\xff\", 2 of 6 rounds done; the library's own words are in the log");
    f->samples[7] = (cb_row_samples){0};
    (void)cb_fail(&f->samples[7].status, CB_UNSUPPORTED, "%s", f->seats[7].reason);
}

static void make_row(fixture *f, size_t i, size_t group, size_t seat, double median_ns, double half_width)
{
    f->rows[i] = (cb_result_row){
        .group = group,
        .seat = seat,
        .samples = &f->samples[i],
        .measured = median_ns > 0,
        .summary =
            {
                .median_ns = {median_ns, median_ns * (1 - half_width), median_ns * (1 + half_width)},
                .all_rounds_ns = {median_ns, median_ns * (1 - half_width), median_ns * (1 + half_width)},
                .p10_ns = median_ns * 0.98,
                .p90_ns = median_ns * 1.05,
                .batch_p99_ns = median_ns * 1.5,
                .call_p99_ns = NAN,
                .min_ns = median_ns * 0.96,
                .mean_ns = median_ns * 1.02,
                .first_call_ns = 2100.5,
                .replicates = 8,
                .rounds = 200,
                .flagged_rounds = 4,
                .contended_rounds = 15,
            },
    };
}

static void make_rows(fixture *f)
{
    make_row(f, 0, 0, 0, 193.15, 0.003);
    make_row(f, 1, 0, 1, 112.25, 0.0018);
    make_row(f, 2, 1, 0, 2999.6, 0.0041);
    make_row(f, 3, 1, 1, 3010.25, 0.02);
    make_row(f, 4, 2, 0, 0, 0);
    make_row(f, 5, 2, 1, 88.5, 0.01);
    make_row(f, 6, 3, 0, 1234567.5, 0.002);
    make_row(f, 7, 3, 1, 0, 0);
    make_row(f, 8, 4, 0, 2.5e9, NAN);
    f->rows[8].summary.call_p99_ns = 2.75e9;
    f->rows[8].summary.replicates = 2;
}

static void make_comparisons(fixture *f)
{
    f->comparisons[0] = (cb_result_comparison){
        .group = 0,
        .seat = 1,
        .ratio = {.ratio = {0.5811, 0.5799, 0.5823},
                  .all_rounds = {0.585, 0.575, 0.595},
                  .uncontended = true,
                  .pairs = 200,
                  .used_pairs = 185,
                  .replicates = 8,
                  .verdict = CB_FASTER},
    };
    f->comparisons[1] = (cb_result_comparison){
        .group = 1,
        .seat = 1,
        .ratio = {.ratio = {1.0035, 0.9705, 1.0204},
                  .all_rounds = {1.0035, 0.9705, 1.0204},
                  .pairs = 200,
                  .used_pairs = 200,
                  .replicates = 8,
                  .verdict = CB_INCONCLUSIVE},
    };
}

static void make_environment(fixture *f)
{
    f->environment = (cb_environment){
        .cpu = "Example Processor 9000 @ 2.10GHz",
        .features = "aes pclmulqdq avx2",
        .kernel = "Linux 6.1.0 x86_64",
        .clock = "tsc",
        .hypervisor = "kvm",
        .virtualised = true,
        .cpus_online = 4,
        .cpus_allowed = 2,
        .measuring_cpu = 3,
        .load1 = 0.25,
        .clock_read_ns = 21.5,
        .tsc_ghz = 2.1,
        .findings = {{"this is a virtual machine (kvm): neighbours can take part of a core",
                      "trust ratios more than absolute times, or measure on a machine of your own"},
                     {"the frequency governor is unknown", ""}},
        .n_findings = 2,
    };
}

void fixture_make(fixture *f)
{
    (void)setenv("HOME", "/home/ann", 1);
    (void)unsetenv("XDG_CACHE_HOME");
    *f = (fixture){0};
    make_catalogue(f);
    make_groups(f);
    make_plan(f);
    make_samples(f);
    make_rows(f);
    make_comparisons(f);
    make_environment(f);
    f->result = (cb_result){
        .complete = true,
        .tool = {"0.1.0", "0123456789ab", "gcc 12.2.0", "-O2 -ffile-prefix-map=/home/ann/src=."},
        .command = "crypto_bench -p aead 'a b'",
        .plan = &f->plan,
        .environment = &f->environment,
        .rows = f->rows,
        .n_rows = FIXTURE_ROWS,
        .comparisons = f->comparisons,
        .n_comparisons = FIXTURE_COMPARISONS,
        .measured_s = 12.34,
    };
}

char *fixture_render(const fixture *f, const cb_reporter *reporter, const cb_report_style *style, size_t *n)
{
    char *text = NULL;
    cb_err err = {0};
    FILE *stream = open_memstream(&text, n);
    if (stream == NULL)
        return NULL;
    cb_status status = reporter->write(stream, &f->result, style, &err);
    if (fclose(stream) == 0 && status == CB_OK)
        return text;
    free(text);
    return NULL;
}
