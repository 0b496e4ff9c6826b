/* One small result that all reporters are tested with: two libraries and one that is missing, five groups,
 * with a crashed row, an absent row, a faster, a slower and an inconclusive comparison, an empty message, and
 * a group of one without an interval. Nothing in it depends on the machine. */
#ifndef CB_UNIT_FIXTURE_RESULT_H
#define CB_UNIT_FIXTURE_RESULT_H

#include "report/report.h"

enum {
    FIXTURE_ENTRIES = 3,
    FIXTURE_CONTESTANTS = 2,
    FIXTURE_GROUPS = 5,
    FIXTURE_ROWS = 9,
    FIXTURE_COMPARISONS = 2
};

typedef struct fixture {
    cb_catalogue_kernel kernels[6];
    cb_catalogue_absence absences[1];
    cb_catalogue_entry entries[FIXTURE_ENTRIES];
    cb_catalogue catalogue;
    cb_contestant contestants[FIXTURE_CONTESTANTS];
    cb_seat seats[FIXTURE_ROWS];
    cb_group groups[FIXTURE_GROUPS];
    cb_plan plan;
    uint64_t round_ns[3], control_ns[3];
    uint8_t flags[3];
    cb_block blocks[2];
    cb_row_samples samples[FIXTURE_ROWS];
    cb_environment environment;
    cb_result_row rows[FIXTURE_ROWS];
    cb_result_comparison comparisons[FIXTURE_COMPARISONS];
    cb_result result;
} fixture;

/* Fills the fixture, which owns nothing but itself, and sets HOME to /home/ann so that the paths in it are
 * private ones. Rows: 0 openssl and 1 libsodium at encrypt/64; 2 and 3 at encrypt/16384; 4 (crashed) and 5 at
 * chacha20-poly1305/encrypt/0; 6 and 7 (absent) at decrypt/1024 with 16 bytes of AAD; 8 libsodium alone. */
void fixture_make(fixture *f);

/* What the reporter writes about f->result: terminated, *n bytes. The caller frees it; NULL when it fails. */
char *fixture_render(const fixture *f, const cb_reporter *reporter, const cb_report_style *style, size_t *n);

#endif
