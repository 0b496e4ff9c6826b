#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripted_worker.h"

#include <math.h>
#include <string.h>

static void steps_without_turns(const scripted_stage *s, char *text, size_t size)
{
    static const char letters[] = "SPBTFX";
    size_t n = 0;
    for (size_t i = 0; i < s->cast.n_events; i++) {
        const scripted_event *event = &s->cast.events[i];
        if (event->step == SCRIPTED_TURN)
            continue;
        assert_true(n + 3 < size);
        text[n++] = letters[event->step];
        text[n++] = event->name;
    }
    text[n] = '\0';
}

static void test_replicates_go_through_all_groups(void **unused)
{
    (void)unused;
    static const char one_replicate[] = "SaPaSbPbBaBbFaFb" /* the first group starts the workers */
                                        "PaPbBaBbFaFb"
                                        "XaXb";
    scripted_stage s;
    char expected[200], steps[200];
    scripted_stage_make(&s, "ab", "", 2);
    scripted_stage_run(&s);
    (void)snprintf(expected, sizeof expected, "%s%s%s", one_replicate, one_replicate, one_replicate);
    steps_without_turns(&s, steps, sizeof steps);
    assert_string_equal(steps, expected);
    for (size_t i = 0; i < 4 * SCRIPTED_REPLICATES; i++)
        assert_int_equal(scripted_event_at(&s.cast, SCRIPTED_PREPARE, 0, i)->task.ring.msg_bytes,
                         i / 2 % 2 == 0 ? 64 : 128);
    scripted_stage_free(&s);
}

static void test_turns_alternate_round_by_round(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "abc", "", 1);
    scripted_stage_run(&s);
    for (size_t i = 0; i < SCRIPTED_REPLICATES * SCRIPTED_ROUNDS; i++) {
        unsigned seen = 0;
        for (size_t k = 0; k < 3; k++)
            seen |= 1u << (scripted_event_at(&s.cast, SCRIPTED_TURN, 0, 3 * i + k)->name - 'a');
        assert_int_equal(seen, 7);
    }
    assert_int_equal(scripted_count(&s, 'b', SCRIPTED_TURN), SCRIPTED_REPLICATES * SCRIPTED_ROUNDS);
    for (size_t i = 0, busy = 0; i < s.cast.n_events; i++) {
        const scripted_step step = s.cast.events[i].step;
        busy += step == SCRIPTED_BEGIN;
        busy -= step == SCRIPTED_FINISH;
        if (step == SCRIPTED_TURN)
            assert_int_equal(busy, 3);
    }
    scripted_stage_free(&s);
}

static void test_blocks_are_kept(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 2);
    scripted_actor_of(&s.cast, 'b')->round_ns = 120000;
    scripted_stage_run(&s);
    assert_int_equal(s.measurement.n_groups, 2);
    assert_int_equal(s.measurement.signal, 0);
    for (size_t g = 0; g < 2; g++) {
        const cb_group_samples *samples = &s.measurement.groups[g];
        assert_int_equal(samples->n_rows, 2);
        assert_int_equal(samples->replicates, SCRIPTED_REPLICATES);
        assert_true(samples->done);
        assert_true(fabs(samples->measured_s - SCRIPTED_REPLICATES * SCRIPTED_ROUNDS * 220e-6) < 1e-9);
        scripted_assert_row(&s, g, 'a', CB_OK, "", SCRIPTED_REPLICATES);
        scripted_assert_row(&s, g, 'b', CB_OK, "", SCRIPTED_REPLICATES);
        assert_int_equal(samples->rows[1].blocks[2].round_ns[3], 120000);
        assert_int_equal(samples->rows[1].blocks[2].rounds, SCRIPTED_ROUNDS);
        assert_int_equal(samples->rows[1].iterations, SCRIPTED_REPLICATES * SCRIPTED_ROUNDS * SCRIPTED_CALLS);
    }
    scripted_stage_free(&s);
}

static void test_seeds(void **unused)
{
    (void)unused;
    uint64_t seeds[2][SCRIPTED_REPLICATES];
    for (size_t run_index = 0; run_index < 2; run_index++) {
        scripted_stage s;
        scripted_stage_make(&s, "ab", "", 2);
        scripted_stage_run(&s);
        for (size_t r = 0; r < SCRIPTED_REPLICATES; r++) {
            seeds[run_index][r] = scripted_row_of(&s, 0, 'a')->blocks[r].seed;
            for (size_t i = 4 * r; i < 4 * r + 4; i++)
                assert_true(scripted_event_at(&s.cast, SCRIPTED_PREPARE, 0, i)->task.ring.seed ==
                            seeds[run_index][r]);
            for (size_t other = 0; other < r; other++)
                assert_true(seeds[run_index][other] != seeds[run_index][r]);
        }
        scripted_stage_free(&s);
    }
    assert_memory_equal(seeds[0], seeds[1], sizeof seeds[0]);
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 1);
    s.plan.schedule.seed++;
    scripted_stage_run(&s);
    assert_true(scripted_row_of(&s, 0, 'a')->blocks[0].seed != seeds[0][0]);
    scripted_stage_free(&s);
}

static void test_tasks_are_those_of_the_group(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "a", "", 1);
    s.groups[0].aad_bytes = 13;
    s.groups[0].params.chunk = 9;
    scripted_stage_run(&s);
    const cb_task *task = &scripted_event_at(&s.cast, SCRIPTED_PREPARE, 'a', 0)->task;
    assert_ptr_equal(task->ring.op, s.groups[0].op);
    assert_int_equal(task->ring.msg_bytes, 64);
    assert_int_equal(task->ring.aad_bytes, 13);
    assert_int_equal(task->ring.params.chunk, 9);
    assert_int_equal(task->batch_target_ns, SCRIPTED_BATCH_NS);
    assert_false(task->witness);
    assert_int_equal(scripted_event_at(&s.cast, SCRIPTED_BEGIN, 'a', 0)->rounds, SCRIPTED_ROUNDS);
    assert_int_equal(scripted_event_at(&s.cast, SCRIPTED_FINISH, 'a', 0)->rounds, SCRIPTED_ROUNDS);
    scripted_stage_free(&s);
}

static void test_layout_varies_only_when_it_is_to(void **unused)
{
    (void)unused;
    for (int vary = 0; vary <= 1; vary++) {
        scripted_stage s;
        size_t different = 0, before = SIZE_MAX;
        scripted_stage_make(&s, "ab", "", 1);
        s.plan.schedule.vary_layout = vary != 0;
        s.groups[0].max_replicates = 20;
        scripted_stage_run(&s);
        for (size_t r = 0; r < 20; r++) {
            const size_t a = scripted_event_at(&s.cast, SCRIPTED_PREPARE, 'a', r)->task.ring.page_offset;
            const size_t b = scripted_event_at(&s.cast, SCRIPTED_PREPARE, 'b', r)->task.ring.page_offset;
            assert_int_equal(a, b);
            assert_int_equal(a % 64, 0);
            assert_true(a < 4096);
            assert_true(vary != 0 || a == 0);
            different += r > 0 && a != before;
            before = a;
        }
        assert_true(vary == 0 ? different == 0 : different > 10);
        scripted_stage_free(&s);
    }
}

static unsigned replicates_taken(uint64_t wobble_ns, bool fixed, double budget_s)
{
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 1);
    s.plan.schedule.fixed = fixed;
    s.plan.schedule.n_looks = 3;
    memcpy(s.plan.schedule.looks, (const unsigned[]){3, 5, 8}, 3 * sizeof(unsigned));
    s.groups[0].max_replicates = 8;
    s.groups[0].budget_s = budget_s;
    scripted_actor_of(&s.cast, 'b')->wobble_ns = wobble_ns;
    scripted_stage_run(&s);
    const unsigned replicates = s.measurement.groups[0].replicates;
    scripted_assert_row(&s, 0, 'a', CB_OK, "", replicates);
    scripted_assert_row(&s, 0, 'b', CB_OK, "", replicates);
    scripted_stage_free(&s);
    return replicates;
}

static void test_when_a_group_stops(void **unused)
{
    (void)unused;
    const double block_s = 2 * SCRIPTED_ROUNDS * SCRIPTED_BATCH_NS * 1e-9;
    assert_int_equal(replicates_taken(0, false, 1), 3);           /* narrow at the first look */
    assert_int_equal(replicates_taken(20000, false, 1), 8);       /* never narrow */
    assert_int_equal(replicates_taken(0, true, 1), 8);            /* all were asked for */
    assert_int_equal(replicates_taken(20000, false, block_s), 3); /* over budget: at least three */
    assert_int_equal(replicates_taken(20000, false, 5 * block_s), 6);
    assert_int_equal(replicates_taken(20000, true, block_s), 8);
}

static void test_groups_stop_one_by_one(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 3);
    s.groups[0].max_replicates = 1;
    s.groups[2].max_replicates = 2;
    scripted_stage_run(&s);
    assert_int_equal(s.measurement.groups[0].replicates, 1);
    assert_int_equal(s.measurement.groups[1].replicates, SCRIPTED_REPLICATES);
    assert_int_equal(s.measurement.groups[2].replicates, 2);
    assert_int_equal(scripted_count(&s, 'a', SCRIPTED_PREPARE), 1 + SCRIPTED_REPLICATES + 2);
    scripted_stage_free(&s);
}

static void test_absent_seats_are_rows_with_a_reason(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "abc", "", 1);
    s.seats[0][0].absent = s.seats[0][2].absent = true;
    (void)snprintf(s.seats[0][0].reason, sizeof s.seats[0][0].reason, "a never encrypts");
    (void)snprintf(s.seats[0][2].reason, sizeof s.seats[0][2].reason, "SIGSEGV during loading");
    (void)cb_fail(&s.entries[2].absent, CB_CRASHED, "SIGSEGV during loading");
    scripted_stage_run(&s);
    scripted_assert_row(&s, 0, 'a', CB_UNSUPPORTED, "a never encrypts", 0);
    scripted_assert_row(&s, 0, 'b', CB_OK, "", SCRIPTED_REPLICATES);
    scripted_assert_row(&s, 0, 'c', CB_CRASHED, "SIGSEGV during loading", 0);
    assert_int_equal(scripted_count(&s, 'a', SCRIPTED_START) + scripted_count(&s, 'c', SCRIPTED_START), 0);
    scripted_stage_free(&s);
}

static void test_a_group_of_absent_seats_is_passed_over(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "ab", "", 2);
    s.seats[0][0].absent = s.seats[0][1].absent = true;
    s.groups[0].max_replicates = 0;
    s.groups[0].block_s = 0;
    scripted_stage_run(&s);
    assert_true(s.measurement.groups[0].done);
    scripted_assert_row(&s, 0, 'a', CB_UNSUPPORTED, "", 0);
    scripted_assert_row(&s, 1, 'a', CB_OK, "", SCRIPTED_REPLICATES);
    assert_int_equal(scripted_count(&s, 'a', SCRIPTED_PREPARE), SCRIPTED_REPLICATES);
    scripted_stage_free(&s);
}

static void test_an_empty_plan(void **unused)
{
    (void)unused;
    scripted_stage s;
    scripted_stage_make(&s, "", "", 0);
    scripted_stage_run(&s);
    assert_int_equal(s.measurement.n_groups, 0);
    assert_int_equal(s.cast.n_events, 0);
    scripted_stage_free(&s);
}

typedef struct progress_log {
    size_t calls;
    double last;
} progress_log;

static void log_progress(void *user, double done, unsigned replicate, unsigned replicates,
                         const char *case_id)
{
    progress_log *log = user;
    assert_true(done >= log->last && done < 1);
    assert_true(fabs(done - (double)log->calls / (2 * SCRIPTED_REPLICATES)) < 1e-9);
    assert_int_equal(replicate, log->calls / 2 + 1);
    assert_int_equal(replicates, SCRIPTED_REPLICATES);
    assert_string_equal(case_id,
                        log->calls % 2 == 0 ? "aead/aes-256-gcm/encrypt/64" : "aead/aes-256-gcm/encrypt/128");
    log->last = done;
    log->calls++;
}

static void test_progress_is_reported_before_every_group(void **unused)
{
    (void)unused;
    scripted_stage s;
    progress_log log = {0};
    scripted_stage_make(&s, "ab", "", 2);
    s.settings.progress = log_progress;
    s.settings.user = &log;
    scripted_stage_run(&s);
    assert_int_equal(log.calls, 2 * SCRIPTED_REPLICATES);
    scripted_stage_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replicates_go_through_all_groups),
        cmocka_unit_test(test_turns_alternate_round_by_round),
        cmocka_unit_test(test_blocks_are_kept),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_tasks_are_those_of_the_group),
        cmocka_unit_test(test_layout_varies_only_when_it_is_to),
        cmocka_unit_test(test_when_a_group_stops),
        cmocka_unit_test(test_groups_stop_one_by_one),
        cmocka_unit_test(test_absent_seats_are_rows_with_a_reason),
        cmocka_unit_test(test_a_group_of_absent_seats_is_passed_over),
        cmocka_unit_test(test_an_empty_plan),
        cmocka_unit_test(test_progress_is_reported_before_every_group),
    };
    return cmocka_run_group_tests_name("runner", tests, NULL, NULL);
}
