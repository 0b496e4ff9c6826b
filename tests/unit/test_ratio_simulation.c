#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_samples.h"
#include "stats/statistics.h"

#include <math.h>

/* What a run may see: rounds drift together by 5 % and scatter by 1 %, every replicate's layout shifts each
 * side by 0.05 %, and the share `wild` of replicates by 3 %. */
static void simulate(cb_row_samples *row, cb_row_samples *reference, double ratio, double wild,
                     uint64_t *random)
{
    *row = fixture_row(8, 100, 25, 0);
    *reference = fixture_row(8, 100, 25, 0);
    for (size_t i = 0; i < 8; i++) {
        double layout = 0.0005 * (fixture_normal(random) + fixture_normal(random));
        if (fixture_uniform(random) < wild)
            layout += 0.03 * fixture_normal(random);
        for (size_t k = 0; k < 25; k++) {
            double common = 100000 * exp(0.05 * fixture_normal(random));
            double own = exp(layout + 0.01 * fixture_normal(random));
            row->blocks[i].round_ns[k] = (uint64_t)llround(common * ratio * own);
            reference->blocks[i].round_ns[k] = (uint64_t)llround(common * exp(0.01 * fixture_normal(random)));
        }
    }
}

typedef struct tally {
    size_t verdicts[CB_INCONCLUSIVE + 1], covered;
} tally;

#define SIMULATIONS 500

static tally simulations(double true_ratio, double wild, uint64_t random)
{
    tally t = {.covered = 0};
    for (size_t i = 0; i < SIMULATIONS; i++) {
        cb_row_samples row, reference;
        simulate(&row, &reference, true_ratio, wild, &random);
        cb_ratio r;
        assert_int_equal(cb_ratio_make(&r, &row, &reference, NULL), CB_OK);
        t.verdicts[r.verdict]++;
        t.covered += r.ratio.low <= true_ratio && true_ratio <= r.ratio.high;
        cb_row_samples_free(&row);
        cb_row_samples_free(&reference);
    }
    return t;
}

static void equal_contestants_are_never_told_apart(void **state)
{
    (void)state;
    const double wild[] = {0, 0.05};
    for (size_t i = 0; i < 2; i++) {
        tally t = simulations(1, wild[i], 20240301 + 10 * i);
        assert_int_equal(t.verdicts[CB_FASTER] + t.verdicts[CB_SLOWER], 0);
        assert_in_range(t.covered, SIMULATIONS * 93 / 100, SIMULATIONS);
    }
}

static void planted_differences_are_found(void **state)
{
    (void)state;
    tally slower = simulations(1.02, 0, 20240302), faster = simulations(1 / 1.02, 0, 20240303);
    assert_in_range(slower.verdicts[CB_SLOWER], SIMULATIONS * 99 / 100, SIMULATIONS);
    assert_in_range(faster.verdicts[CB_FASTER], SIMULATIONS * 99 / 100, SIMULATIONS);
}

/* A difference of exactly the margin: either claim is an error, allowed 5 times in 100 (equivalent) and 2.5
 * times (slower). */
static void at_the_margin_claims_are_rare(void **state)
{
    (void)state;
    tally t = simulations(1 + CB_VERDICT_MARGIN, 0, 20240321);
    assert_in_range(t.verdicts[CB_EQUIVALENT], 0, SIMULATIONS * 5 / 100);
    assert_in_range(t.verdicts[CB_SLOWER], 0, SIMULATIONS * 25 / 1000);
    assert_int_equal(t.verdicts[CB_FASTER], 0);
}

/* Two wild replicates of 8 on one side leave one after trimming: a wider interval, seldom a lost verdict. */
static void wild_replicates_seldom_cost_the_verdict(void **state)
{
    (void)state;
    tally slower = simulations(1.02, 0.05, 20240312), faster = simulations(1 / 1.02, 0.05, 20240313);
    assert_in_range(slower.verdicts[CB_SLOWER], SIMULATIONS * 98 / 100, SIMULATIONS);
    assert_in_range(faster.verdicts[CB_FASTER], SIMULATIONS * 98 / 100, SIMULATIONS);
    assert_int_equal(slower.verdicts[CB_FASTER] + faster.verdicts[CB_SLOWER], 0);
    assert_in_range(slower.covered, SIMULATIONS * 93 / 100, SIMULATIONS);
    assert_in_range(faster.covered, SIMULATIONS * 93 / 100, SIMULATIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_contestants_are_never_told_apart),
        cmocka_unit_test(planted_differences_are_found),
        cmocka_unit_test(at_the_margin_claims_are_rare),
        cmocka_unit_test(wild_replicates_seldom_cost_the_verdict),
    };
    return cmocka_run_group_tests_name("ratio, simulated", tests, NULL, NULL);
}
