#include "stats/samples.h"

#include <stdlib.h>

void cb_row_samples_free(cb_row_samples *row)
{
    if (row == NULL)
        return;
    for (size_t i = 0; i < row->n_blocks; i++) {
        free(row->blocks[i].round_ns);
        free(row->blocks[i].control_ns);
        free(row->blocks[i].flags);
    }
    free(row->blocks);
    row->blocks = NULL;
    row->n_blocks = 0;
    row->iterations = 0;
}

cb_status cb_row_samples_add(cb_row_samples *row, const cb_block *block)
{
    cb_block *blocks = reallocarray(row->blocks, row->n_blocks + 1, sizeof *blocks);
    if (blocks == NULL)
        return CB_OUT_OF_MEMORY;
    blocks[row->n_blocks] = *block;
    row->blocks = blocks;
    row->n_blocks++;
    row->iterations += block->batch * block->rounds;
    return CB_OK;
}
