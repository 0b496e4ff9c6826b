/* The order of turns. */
#ifndef CB_MEASURE_ORDER_H
#define CB_MEASURE_ORDER_H

#include "ops/rng.h"

/* Fills order[rounds * n]: in every round each of the n contestants once. Every n rounds form a Latin square
 * (each contestant stands once in every place), freshly drawn, so that neither a place in the round nor a
 * predecessor favours anyone. n >= 1. */
void cb_order_draw(cb_rng *rng, size_t n, size_t rounds, size_t *order);

#endif
