#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/witness.h"
#include "scripted_worker.h"

#include <string.h>

/* Puts the voices of the stage's contestants on the bench; `sayings` has one letter per contestant. */
typedef struct hearing {
    scripted_stage stage;
    uint64_t digests[SCRIPTED_ENTRIES_MAX][4];
    cb_prepared answers[SCRIPTED_ENTRIES_MAX];
    cb_bench bench;
    cb_task task;
} hearing;

/* Contestants say 0 unless their letter is in `wrong`; what others say is set in the stage's cast. */
static void hearing_make(hearing *h, const char *contestants, const char *wrong, const char *further)
{
    scripted_stage_make(&h->stage, contestants, further, 1);
    h->task = (cb_task){.ring = {.op = h->stage.groups[0].op, .seed = 1000}, .batch_target_ns = 1};
    assert_int_equal(cb_bench_open(&h->bench, SCRIPTED_ENTRIES_MAX, NULL), CB_OK);
    for (size_t i = 0; contestants[i] != '\0'; i++) {
        for (size_t k = 0; k < 4; k++)
            h->digests[i][k] = 1000 + k;
        h->digests[i][3] += strchr(wrong, contestants[i]) != NULL;
        h->answers[i] = (cb_prepared){.inputs_digest = 1000, .digests = h->digests[i], .slots = 4};
        h->bench.voices[h->bench.n++] = (cb_voice){.name = h->stage.names[i],
                                                   .library = h->stage.entries[i].backend,
                                                   .answer = &h->answers[i],
                                                   .owner = i};
    }
}

/* Decides; checks who was heard, in order, and who is wrong, and closes everything. */
static void decide(hearing *h, bool check_lone, const char *heard, const char *wrong)
{
    char got[SCRIPTED_ENTRIES_MAX + 1] = "";
    size_t n = 0;
    cb_bench_decide(&h->bench, &h->stage.settings, &h->task, check_lone);
    assert_int_equal(h->bench.n_contestants, h->stage.plan.n_contestants);
    assert_int_equal(h->stage.cast.live, 0);
    for (size_t i = 0; i < h->stage.cast.n_events; i++)
        if (h->stage.cast.events[i].step == SCRIPTED_START)
            got[n++] = h->stage.cast.events[i].name;
    assert_string_equal(got, heard);
    for (size_t i = 0; i < h->bench.n_contestants; i++)
        assert_int_equal(h->bench.voices[i].wrong, strchr(wrong, h->bench.voices[i].name[0]) != NULL);
    cb_bench_close(&h->bench);
}

static void test_nobody_is_asked_where_all_agree(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "ab", "", "wR");
    decide(&h, true, "", "");
}

static void test_nobody_is_asked_where_most_libraries_agree(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "abc", "b", "wR");
    decide(&h, true, "", "b");
}

static void test_a_lone_voice_is_compared_with_one_library(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "a", "", "vwR");
    decide(&h, true, "v", "");
}

static void test_two_builds_of_one_library_stand_alone(void **unused)
{
    (void)unused;
    char library[] = "a";
    hearing h;
    hearing_make(&h, "ab", "", "vw");
    h.bench.voices[1].library = library;
    decide(&h, true, "v", "");
    hearing_make(&h, "ab", "ab", "vw");
    h.bench.voices[1].library = library;
    decide(&h, true, "vw", "ab");
}

static void test_a_lone_voice_is_not_checked_twice(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "a", "a", "vwR");
    decide(&h, false, "", "");
}

static void test_real_libraries_are_heard_before_references(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "a", "", "RSw");
    decide(&h, true, "w", "");
    hearing_make(&h, "a", "", "RS");
    decide(&h, true, "r", "");
    hearing_make(&h, "ab", "a", "RwSv");
    decide(&h, true, "wvrs", "a");
}

/* One against one is open: everyone else is asked, and the lone voice can lose or win. */
static void test_a_lone_voice_that_is_contradicted_has_all_asked(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "a", "a", "vwR");
    decide(&h, true, "vwr", "a");
    hearing_make(&h, "a", "", "vwR");
    scripted_actor_of(&h.stage.cast, 'v')->says = 5;
    decide(&h, true, "vwr", "");
}

static void test_without_anyone_else_a_contradiction_marks_all(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "a", "a", "v");
    decide(&h, true, "v", "a");
    hearing_make(&h, "ab", "a", "");
    decide(&h, true, "", "ab");
}

static void test_a_lone_voice_without_anyone_else_is_believed(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "a", "", "");
    decide(&h, true, "", "");
}

/* A witness that fails says nothing; the next one is asked in its place. */
static void test_a_witness_that_fails_says_nothing(void **unused)
{
    (void)unused;
    static const scripted_deed deeds[] = {{'u', SCRIPTED_START, 1, CB_CRASHED, "SIGSEGV", 0},
                                          {'v', SCRIPTED_PREPARE, 1, CB_TIMEOUT, "no answer", 0}};
    hearing h;
    hearing_make(&h, "a", "", "uvw");
    h.stage.cast.deeds = deeds;
    h.stage.cast.n_deeds = 2;
    decide(&h, true, "uvw", "");
}

static void test_who_cannot_be_a_witness(void **unused)
{
    (void)unused;
    static cb_catalogue_kernel other = {.op = "aead/aes-256-gcm/decrypt"};
    char library[] = "a";
    hearing h;
    hearing_make(&h, "ab", "b", "uvwx");
    h.stage.entries[2].backend = library;            /* another build of a's library */
    h.stage.entries[3].kernels = &other;             /* has no such operation */
    h.stage.entries[4].absent.code = CB_UNSUPPORTED; /* cannot be used */
    decide(&h, true, "x", "b");
}

/* A contestant whose row has failed is no witness either: it is in the plan, but has no voice. */
static void test_a_contestant_without_a_voice_is_not_heard(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "ab", "", "w");
    h.bench.n = 1;
    cb_bench_decide(&h.bench, &h.stage.settings, &h.task, true);
    assert_int_equal(scripted_actor_of(&h.stage.cast, 'b')->counts[SCRIPTED_START], 0);
    assert_int_equal(scripted_actor_of(&h.stage.cast, 'w')->counts[SCRIPTED_START], 1);
    cb_bench_close(&h.bench);
}

static void test_witnesses_get_the_task_for_outputs_only(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "a", "", "w");
    decide(&h, true, "w", "");
    const scripted_event *event = scripted_event_at(&h.stage.cast, SCRIPTED_PREPARE, 'w', 0);
    assert_true(event->task.witness);
    assert_int_equal(event->task.ring.seed, 1000);
    assert_false(h.task.witness);
    assert_true(scripted_event_at(&h.stage.cast, SCRIPTED_START, 'w', 0)->timeout_s == 10);
}

static void test_an_empty_bench_decides_nothing(void **unused)
{
    (void)unused;
    hearing h;
    hearing_make(&h, "", "", "w");
    decide(&h, true, "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_is_asked_where_all_agree),
        cmocka_unit_test(test_nobody_is_asked_where_most_libraries_agree),
        cmocka_unit_test(test_a_lone_voice_is_compared_with_one_library),
        cmocka_unit_test(test_two_builds_of_one_library_stand_alone),
        cmocka_unit_test(test_a_lone_voice_is_not_checked_twice),
        cmocka_unit_test(test_real_libraries_are_heard_before_references),
        cmocka_unit_test(test_a_lone_voice_that_is_contradicted_has_all_asked),
        cmocka_unit_test(test_without_anyone_else_a_contradiction_marks_all),
        cmocka_unit_test(test_a_lone_voice_without_anyone_else_is_believed),
        cmocka_unit_test(test_a_witness_that_fails_says_nothing),
        cmocka_unit_test(test_who_cannot_be_a_witness),
        cmocka_unit_test(test_a_contestant_without_a_voice_is_not_heard),
        cmocka_unit_test(test_witnesses_get_the_task_for_outputs_only),
        cmocka_unit_test(test_an_empty_bench_decides_nothing),
    };
    return cmocka_run_group_tests_name("witness", tests, NULL, NULL);
}
