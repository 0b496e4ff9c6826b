#include "measure/witness.h"

#include <stdlib.h>
#include <string.h>

cb_status cb_bench_open(cb_bench *bench, size_t capacity, cb_err *err)
{
    *bench = (cb_bench){.capacity = capacity};
    bench->voices = calloc(capacity + 1, sizeof *bench->voices);
    bench->testimony = calloc(capacity + 1, sizeof *bench->testimony);
    if (bench->voices != NULL && bench->testimony != NULL)
        return CB_OK;
    cb_bench_close(bench);
    return cb_fail(err, CB_OUT_OF_MEMORY, "no memory for %zu voices", capacity);
}

void cb_bench_close(cb_bench *bench)
{
    for (size_t i = 0; i < bench->n_testimony; i++)
        cb_prepared_free(&bench->testimony[i]);
    free(bench->testimony);
    free(bench->voices);
    *bench = (cb_bench){0};
}

/* Another build of a library that has spoken is no further library. */
static bool has_voice(const cb_bench *bench, const char *library)
{
    for (size_t i = 0; i < bench->n; i++)
        if (strcmp(bench->voices[i].library, library) == 0)
            return true;
    return false;
}

/* A row that already failed is not called as a witness: its library has shown that it cannot be relied on
 * here. */
static bool is_contestant(const cb_runner_settings *settings, const cb_catalogue_entry *entry)
{
    for (size_t i = 0; i < settings->plan->n_contestants; i++)
        if (settings->plan->contestants[i].entry == entry)
            return true;
    return false;
}

static bool hear(cb_bench *bench, const cb_runner_settings *settings, const cb_task *task,
                 const cb_catalogue_entry *entry)
{
    cb_worker *worker = NULL;
    cb_task question = *task;
    cb_err unheard;
    question.witness = true;
    if (settings->witnesses.start(settings->witnesses.user, entry, settings->plan->schedule.timeout_s,
                                  &worker, &unheard) != CB_OK)
        return false;
    cb_prepared *answer = &bench->testimony[bench->n_testimony];
    bool heard = worker->vtable->prepare(worker, &question, answer, &unheard) == CB_OK;
    worker->vtable->stop(worker);
    if (heard) {
        bench->n_testimony++;
        bench->voices[bench->n++] =
            (cb_voice){.name = entry->name, .library = entry->backend, .answer = answer};
    }
    return heard;
}

/* Hears up to `most` further libraries, real ones before references. */
static void hear_more(cb_bench *bench, const cb_runner_settings *settings, const cb_task *task, size_t most)
{
    for (int reference = 0; reference <= 1; reference++)
        for (size_t i = 0; i < settings->catalogue->n && most > 0 && bench->n < bench->capacity; i++) {
            const cb_catalogue_entry *entry = &settings->catalogue->entries[i];
            if (entry->absent.code == CB_OK && entry->witness == (reference == 1) &&
                !has_voice(bench, entry->backend) && !is_contestant(settings, entry) &&
                cb_catalogue_find_kernel(entry, task->ring.op->id) != NULL &&
                hear(bench, settings, task, entry))
                most--;
        }
}

/* Builds of one library confirm one another's mistakes. */
static bool is_one_library(const cb_bench *bench)
{
    for (size_t i = 1; i < bench->n; i++)
        if (strcmp(bench->voices[i].library, bench->voices[0].library) != 0)
            return false;
    return bench->n > 0;
}

void cb_bench_decide(cb_bench *bench, const cb_runner_settings *settings, const cb_task *task,
                     bool check_lone)
{
    bench->n_contestants = bench->n;
    if (check_lone && is_one_library(bench))
        hear_more(bench, settings, task, 1);
    if (bench->n == 0 || cb_agreement_find(bench->voices, bench->n) != CB_AGREEMENT_OPEN)
        return;
    hear_more(bench, settings, task, SIZE_MAX);
    if (cb_agreement_find(bench->voices, bench->n) == CB_AGREEMENT_OPEN)
        cb_agreement_give_up(bench->voices, bench->n);
}
