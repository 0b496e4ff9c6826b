#include "measure/order.h"

/* Fisher-Yates over an identity. */
static void draw_permutation(cb_rng *rng, size_t n, size_t *items)
{
    for (size_t i = 0; i < n; i++)
        items[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)cb_rng_below(rng, i);
        size_t kept = items[i - 1];
        items[i - 1] = items[k];
        items[k] = kept;
    }
}

/* The cyclic square of a random permutation, starting at a random row: row r is the permutation shifted by r.
 */
void cb_order_draw(cb_rng *rng, size_t n, size_t rounds, size_t *order)
{
    size_t first_row = 0;
    for (size_t round = 0; round < rounds; round++) {
        size_t *row = order + round * n;
        if (round % n == 0) {
            /* The base permutation is drawn into this row and shifted below. */
            draw_permutation(rng, n, row);
            first_row = round;
            continue;
        }
        const size_t *base = order + first_row * n;
        for (size_t i = 0; i < n; i++)
            row[i] = base[(i + round - first_row) % n];
    }
}
