/* Who computed the right bytes? Pure: from the answers of all voices to who is believed. */
#ifndef CB_MEASURE_AGREEMENT_H
#define CB_MEASURE_AGREEMENT_H

#include "worker/session.h"

/* One answer to a task: a contestant's or a witness's. */
typedef struct cb_voice {
    const char *name;          /* contestant or witness, for messages */
    const char *library;       /* voices of one library count once, whatever its builds */
    const cb_prepared *answer; /* borrowed */
    size_t owner;              /* the caller's own index */
    bool wrong;                /* result */
    char reason[160];          /* result: why, when wrong */
} cb_voice;

typedef enum cb_agreement {
    CB_AGREEMENT_ALL,     /* every voice says the same */
    CB_AGREEMENT_SETTLED, /* more libraries say one thing than any other; the other voices are wrong */
    CB_AGREEMENT_OPEN     /* as many libraries say one thing as another: nobody is marked, ask more voices */
} cb_agreement;

/* Compares inputs and outputs slot by slot. One voice alone agrees with itself. */
cb_agreement cb_agreement_find(cb_voice *voices, size_t n);

/* Marks every voice as wrong: they disagree and nobody is left to ask. */
void cb_agreement_give_up(cb_voice *voices, size_t n);

#endif
