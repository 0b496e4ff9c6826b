/* Workers that do what a test writes down, a record of all they were told, and a plan to run them by.
 * Contestants and witnesses have names of one letter, a to z. */
#ifndef CB_UNIT_SCRIPTED_WORKER_H
#define CB_UNIT_SCRIPTED_WORKER_H

#include "measure/runner.h"

typedef enum scripted_step {
    SCRIPTED_START,
    SCRIPTED_PREPARE,
    SCRIPTED_BEGIN,
    SCRIPTED_TURN,
    SCRIPTED_FINISH,
    SCRIPTED_STOP,
    SCRIPTED_STEPS
} scripted_step;

/* What happens at a step of one letter's: a failure, a signal to this process, or both. */
typedef struct scripted_deed {
    char name;
    scripted_step step;
    unsigned nth; /* of this letter's steps of this kind, from 1 */
    cb_status status;
    const char *msg;
    int signal; /* raised first; 0: none */
} scripted_deed;

/* One call that came, in order. */
typedef struct scripted_event {
    char name;
    scripted_step step;
    unsigned worker;  /* number of the worker in order of starting, from 1 */
    double timeout_s; /* START */
    cb_task task;     /* PREPARE */
    size_t rounds;    /* BEGIN, FINISH */
} scripted_event;

#define SCRIPTED_EVENTS_MAX 4096
#define SCRIPTED_BATCH_NS   100000
#define SCRIPTED_CALLS      1000

typedef struct scripted_actor {
    uint64_t says;      /* letters that say the same agree */
    uint64_t round_ns;  /* duration of every round; 0 stands for SCRIPTED_BATCH_NS */
    uint64_t wobble_ns; /* added in every second block */
    unsigned counts[SCRIPTED_STEPS];
} scripted_actor;

typedef struct scripted_cast {
    const scripted_deed *deeds;
    size_t n_deeds;
    scripted_actor actors[26];
    scripted_event events[SCRIPTED_EVENTS_MAX];
    size_t n_events;
    unsigned started, live;
} scripted_cast;

cb_worker_source scripted_source(scripted_cast *cast);
scripted_actor *scripted_actor_of(scripted_cast *cast, char name);

/* The event number `nth` (from 0) of a step; of any letter when name is 0. Fails the test when there is none.
 */
const scripted_event *scripted_event_at(const scripted_cast *cast, scripted_step step, char name, size_t nth);

enum { SCRIPTED_ENTRIES_MAX = 8, SCRIPTED_GROUPS_MAX = 3 };

/* A catalogue and a plan without any machine behind them: groups of aes-256-gcm encryption. */
typedef struct scripted_stage {
    char names[SCRIPTED_ENTRIES_MAX][2];
    cb_catalogue_entry entries[SCRIPTED_ENTRIES_MAX];
    cb_catalogue catalogue;
    cb_contestant contestants[SCRIPTED_ENTRIES_MAX];
    cb_seat seats[SCRIPTED_GROUPS_MAX][SCRIPTED_ENTRIES_MAX];
    cb_group groups[SCRIPTED_GROUPS_MAX];
    cb_plan plan;
    scripted_cast cast;
    cb_interrupt interrupt;
    cb_runner_settings settings;
    cb_measurement measurement;
    cb_err err;
} scripted_stage;

#define SCRIPTED_ROUNDS     4
#define SCRIPTED_REPLICATES 3

/* contestants and further: letters, in the order of the catalogue; a capital letter of `further` is a
 * reference (its name is the small one). Every library has its own name. Each group has all contestants,
 * SCRIPTED_ROUNDS rounds and SCRIPTED_REPLICATES replicates, all of which run. The stage must stay where it
 * is. */
void scripted_stage_make(scripted_stage *stage, const char *contestants, const char *further,
                         size_t n_groups);

/* The deeds are borrowed until the stage has run. */
void scripted_stage_script(scripted_stage *stage, const scripted_deed *deeds, size_t n);

/* Runs the plan, which must succeed; afterwards no worker may be left. */
void scripted_stage_run(scripted_stage *stage);
void scripted_stage_free(scripted_stage *stage);

/* The row of a letter in a group. */
const cb_row_samples *scripted_row_of(const scripted_stage *stage, size_t group, char name);
/* It has this status with these words (none for CB_OK) and this number of blocks. */
void scripted_assert_row(const scripted_stage *stage, size_t group, char name, cb_status status,
                         const char *msg, size_t blocks);

/* How often a letter has come to a step. */
unsigned scripted_count(scripted_stage *stage, char name, scripted_step step);

#endif
