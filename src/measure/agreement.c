#include "measure/agreement.h"

#include <string.h>

static bool same_answer(const cb_prepared *a, const cb_prepared *b)
{
    return a->inputs_digest == b->inputs_digest && a->slots == b->slots &&
           memcmp(a->digests, b->digests, a->slots * sizeof *a->digests) == 0;
}

/* True when an earlier voice of the same library says the same: it has been counted. */
static bool counted_before(const cb_voice *voices, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(voices[i].library, voices[index].library) == 0 &&
            same_answer(voices[i].answer, voices[index].answer))
            return true;
    return false;
}

/* Number of libraries that say what voice `index` says. */
static size_t support(const cb_voice *voices, size_t n, size_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (same_answer(voices[i].answer, voices[index].answer) && !counted_before(voices, i))
            count++;
    return count;
}

/* The voice with the most support, or n when another answer has as much. */
static size_t find_leader(const cb_voice *voices, size_t n)
{
    size_t leader = 0;
    size_t best = 0;
    bool tied = false;
    for (size_t i = 0; i < n; i++) {
        size_t count = support(voices, n, i);
        if (count > best) {
            best = count;
            leader = i;
            tied = false;
        } else if (count == best && !same_answer(voices[i].answer, voices[leader].answer)) {
            tied = true;
        }
    }
    return tied ? n : leader;
}

static void explain_difference(cb_voice *wrong, const cb_voice *right)
{
    const cb_prepared *a = wrong->answer;
    const cb_prepared *b = right->answer;
    size_t slot = 0;
    while (slot < a->slots && slot < b->slots && a->digests[slot] == b->digests[slot])
        slot++;
    if (a->inputs_digest != b->inputs_digest || slot == a->slots || slot == b->slots)
        (void)snprintf(wrong->reason, sizeof wrong->reason, "its inputs differ from those that %.40s made",
                       right->name);
    else
        (void)snprintf(wrong->reason, sizeof wrong->reason,
                       "its output of slot %zu differs from that of %.40s", slot, right->name);
}

cb_agreement cb_agreement_find(cb_voice *voices, size_t n)
{
    bool all = true;
    for (size_t i = 1; i < n; i++)
        all = all && same_answer(voices[0].answer, voices[i].answer);
    if (all)
        return CB_AGREEMENT_ALL;
    size_t leader = find_leader(voices, n);
    if (leader == n)
        return CB_AGREEMENT_OPEN;
    for (size_t i = 0; i < n; i++) {
        voices[i].wrong = !same_answer(voices[i].answer, voices[leader].answer);
        if (voices[i].wrong)
            explain_difference(&voices[i], &voices[leader]);
    }
    return CB_AGREEMENT_SETTLED;
}

void cb_agreement_give_up(cb_voice *voices, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        voices[i].wrong = true;
        (void)snprintf(voices[i].reason, sizeof voices[i].reason,
                       "the libraries disagree and no further one can say who is right");
    }
}
