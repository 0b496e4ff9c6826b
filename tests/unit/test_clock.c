#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "system/affinity.h"
#include "system/clock.h"
#include "system/counter.h"

#include <math.h>
#include <string.h>

static void test_clocks_never_run_backwards(void **state)
{
    (void)state;
    const cb_clock clock = cb_clock_system();
    uint64_t wall = clock.wall_ns(clock.user), cpu = clock.cpu_ns(clock.user);
    assert_true(wall > 0 && cpu > 0);
    for (int i = 0; i < 1000; i++) {
        const uint64_t next_wall = clock.wall_ns(clock.user), next_cpu = clock.cpu_ns(clock.user);
        assert_true(next_wall >= wall);
        assert_true(next_cpu >= cpu);
        wall = next_wall;
        cpu = next_cpu;
    }
}

static void test_cpu_time_grows_with_work(void **state)
{
    (void)state;
    const cb_clock clock = cb_clock_system();
    const uint64_t start = clock.cpu_ns(clock.user);
    volatile uint64_t work = 0;
    for (int i = 0; i < 100000; i++) {
        work = work + 1;
    }
    assert_true(clock.cpu_ns(clock.user) > start);
}

static void test_switches_never_fall(void **state)
{
    (void)state;
    const cb_clock clock = cb_clock_system();
    const uint64_t first = clock.switches(clock.user);
    assert_true(clock.switches(clock.user) >= first);
}

/* A clock that goes on by `step` at every reading. */
static uint64_t scripted_ns(void *user)
{
    uint64_t *script = user;
    script[0] += script[1];
    return script[0];
}

static void test_read_cost_is_the_step_of_a_scripted_clock(void **state)
{
    (void)state;
    uint64_t script[2] = {5000, 42};
    const cb_clock clock = {.wall_ns = scripted_ns, .user = script};
    assert_true(cb_counter_read_cost_ns(&clock) == 42.0);
}

static void test_counter_has_a_plausible_rate(void **state)
{
    (void)state;
    const double ghz = cb_counter_ghz();
#if defined(__x86_64__) || defined(__aarch64__)
    assert_true(ghz > 0.001 && ghz < 20.0);
#else
    assert_true(isnan(ghz));
#endif
}

static void test_pinned_thread_runs_on_the_chosen_cpu(void **state)
{
    (void)state;
    cb_err err = {0};
    int cpu = -1, same = -1;
    assert_int_equal(cb_affinity_choose(-1, &cpu, &err), CB_OK);
    assert_true(cpu >= 0);
    assert_int_equal(cb_affinity_choose(cpu, &same, &err), CB_OK);
    assert_int_equal(same, cpu);
    assert_true(cb_affinity_count() >= 1);

    assert_int_equal(cb_affinity_pin(cpu, &err), CB_OK);
    const cb_clock clock = cb_clock_system();
    assert_int_equal(clock.cpu(clock.user), cpu);
    assert_int_equal(cb_affinity_count(), 1);
}

static void test_a_refused_cpu_names_the_allowed_ones(void **state)
{
    (void)state;
    cb_err err = {0};
    int chosen = -1, refused = -7;
    assert_int_equal(cb_affinity_choose(-1, &chosen, &err), CB_OK);
    assert_int_equal(cb_affinity_pin(chosen, &err), CB_OK);
    assert_int_equal(cb_affinity_choose(chosen + 1, &refused, &err), CB_BAD_ARGUMENT);
    assert_int_equal(refused, -7);
    assert_int_equal(err.code, CB_BAD_ARGUMENT);
    char allowed[32];
    (void)snprintf(allowed, sizeof allowed, "allowed: %d", chosen);
    assert_non_null(strstr(err.msg, allowed));
    assert_int_equal(cb_affinity_choose(1 << 20, &refused, &err), CB_BAD_ARGUMENT);
    assert_int_equal(cb_affinity_pin(1 << 20, &err), CB_BAD_ARGUMENT);
    assert_int_equal(cb_affinity_pin(-1, &err), CB_BAD_ARGUMENT);
}

int main(void)
{
    /* The two affinity tests come last: they bind this process to one CPU. */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clocks_never_run_backwards),
        cmocka_unit_test(test_cpu_time_grows_with_work),
        cmocka_unit_test(test_switches_never_fall),
        cmocka_unit_test(test_read_cost_is_the_step_of_a_scripted_clock),
        cmocka_unit_test(test_counter_has_a_plausible_rate),
        cmocka_unit_test(test_pinned_thread_runs_on_the_chosen_cpu),
        cmocka_unit_test(test_a_refused_cpu_names_the_allowed_ones),
    };
    return cmocka_run_group_tests_name("clock and affinity", tests, NULL, NULL);
}
