#include "stats/rounds.h"

#include "stats/quantile.h"
#include "stats/statistics.h"

#include <math.h>
#include <stdlib.h>

size_t cb_block_rounds(const cb_block *block)
{
    return block->batch > 0 ? block->rounds : 0;
}

size_t cb_round_count(const cb_row_samples *row)
{
    size_t rounds = 0;
    for (size_t i = 0; i < row->n_blocks; i++)
        rounds += cb_block_rounds(&row->blocks[i]);
    return rounds;
}

double cb_round_per_call_ns(const cb_block *block, size_t round)
{
    double call_ns = (double)block->round_ns[round] / (double)block->batch;
    double loop_ns = block->loop_ns > 0 ? block->loop_ns : 0;
    return call_ns > loop_ns ? call_ns - loop_ns : 0;
}

double cb_call_log(double call_ns)
{
    return log(fmax(call_ns, CB_LOG_FLOOR_NS));
}

static size_t controls_copy(double *controls, const cb_row_samples *row)
{
    size_t n = 0;
    for (size_t i = 0; i < row->n_blocks; i++) {
        const cb_block *block = &row->blocks[i];
        for (size_t j = 0; j < cb_block_rounds(block); j++)
            controls[n++] = (double)block->control_ns[j];
    }
    return n;
}

cb_status cb_control_level(double *level_ns, const cb_row_samples *const *rows, size_t n_rows, cb_err *err)
{
    size_t total = 0, n = 0;
    for (size_t i = 0; i < n_rows; i++)
        total += cb_round_count(rows[i]);
    if (total == 0)
        return cb_fail(err, CB_UNSUPPORTED, "no rounds were measured");
    if (rows[0]->control_level_ns > 0) {
        *level_ns = rows[0]->control_level_ns;
        return CB_OK;
    }
    double *controls = calloc(total, sizeof *controls);
    if (controls == NULL)
        return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for the controls of %zu rounds", total);
    for (size_t i = 0; i < n_rows; i++)
        n += controls_copy(controls + n, rows[i]);
    cb_sort_doubles(controls, n);
    *level_ns = cb_quantile_sorted(controls, n, CB_CONTROL_FAST_QUANTILE);
    free(controls);
    return CB_OK;
}

bool cb_round_contended(const cb_block *block, size_t round, double level_ns)
{
    return (double)block->control_ns[round] > (1 + CB_CONTROL_TOLERANCE) * level_ns;
}

/* Long calls leave a replicate with 2 or 3 rounds, of which 5 cannot be asked. */
bool cb_rounds_suffice(size_t kept, size_t rounds)
{
    size_t least = rounds < CB_UNCONTENDED_ROUNDS ? rounds : CB_UNCONTENDED_ROUNDS;
    return kept > 0 && kept >= least && (double)kept >= CB_UNCONTENDED_SHARE * (double)rounds;
}
