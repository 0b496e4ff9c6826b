#include "report/table_notes.h"

#include "report/text.h"
#include "report/units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NOTEWORTHY_SHARE 0.05
#define SENTENCE_BYTES   512

/* Prints a paragraph; further lines are indented by two. */
__attribute__((format(printf, 3, 4))) static void say(FILE *stream, const cb_report_style *style,
                                                      const char *format, ...)
{
    char sentence[SENTENCE_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    cb_text_wrap(stream, sentence, &(cb_text_place){.width = style->width, .indent = 2});
    (void)fputc('\n', stream);
}

/* Fewest and most replicates of the measured rows. */
static void count_replicates(const cb_result *result, size_t *fewest, size_t *most)
{
    *fewest = SIZE_MAX;
    *most = 0;
    for (size_t i = 0; i < result->n_rows; i++) {
        if (!result->rows[i].measured)
            continue;
        size_t n = result->rows[i].summary.replicates;
        *fewest = n < *fewest ? n : *fewest;
        *most = n > *most ? n : *most;
    }
}

void cb_table_intro(FILE *stream, const cb_result *result, const cb_report_style *style)
{
    const cb_environment *e = result->environment;
    char cpu[32] = "", replicates[64];
    size_t fewest, most;
    if (e->measuring_cpu >= 0)
        (void)snprintf(cpu, sizeof cpu, ", measured on CPU %d", e->measuring_cpu);
    count_replicates(result, &fewest, &most);
    if (most == 0)
        (void)snprintf(replicates, sizeof replicates, "nothing measured");
    else if (fewest == most)
        (void)snprintf(replicates, sizeof replicates, "%zu replicate%s", most, most == 1 ? "" : "s");
    else
        (void)snprintf(replicates, sizeof replicates, "%zu to %zu replicates", fewest, most);
    say(stream, style, "%s%s, %s%s", e->cpu[0] != '\0' ? e->cpu : "unknown processor", cpu, replicates,
        result->complete ? "" : ", INCOMPLETE");
}

void cb_table_libraries(FILE *stream, const cb_result *result, const cb_report_style *style)
{
    bool first = true;
    for (size_t i = 0; i < result->plan->n_contestants; i++) {
        const cb_contestant *c = &result->plan->contestants[i];
        if (c->entry->absent.code != CB_OK)
            continue;
        (void)fputs(first ? "" : style->verbose ? "\n" : ", ", stream);
        cb_text_print(stream, c->name);
        (void)fputc(' ', stream);
        cb_text_print(stream, c->entry->version);
        if (style->verbose) {
            (void)fputs(": ", stream);
            cb_text_print(stream, c->entry->build);
        }
        first = false;
    }
    (void)fputs(first ? "" : "\n", stream);
}

/* Never wrapped: a line break inside would spoil the command for whoever copies it. */
static void print_repeat(FILE *stream, const cb_result *result)
{
    if (result->command == NULL)
        return;
    (void)fputs("Repeat with: ", stream);
    cb_text_print(stream, result->command);
    if (strstr(result->command, "--seed") == NULL)
        (void)fprintf(stream, " --seed %" PRIu64, result->plan->schedule.seed);
    (void)fputc('\n', stream);
}

static size_t groups_with_rows(const cb_result *result)
{
    size_t n = 0;
    for (size_t i = 0; i < result->n_rows; i++)
        n += i == 0 || result->rows[i].group != result->rows[i - 1].group;
    return n;
}

static void say_incomplete(FILE *stream, const cb_result *result, const cb_report_style *style)
{
    if (!result->complete)
        say(stream, style,
            "- The run was ended early: %zu of %zu groups have rows, and rows may have fewer replicates than "
            "planned. Run it to the end for the full table.",
            groups_with_rows(result), result->plan->n_groups);
}

static void say_disturbed(FILE *stream, const cb_result *result, const cb_report_style *style)
{
    size_t rounds = 0, contended = 0, flagged = 0;
    for (size_t i = 0; i < result->n_rows; i++) {
        const cb_summary *s = &result->rows[i].summary;
        bool measured = result->rows[i].measured;
        rounds += measured ? s->rounds : 0;
        contended += measured ? s->contended_rounds : 0;
        flagged += measured ? s->flagged_rounds : 0;
    }
    if ((double)contended > NOTEWORTHY_SHARE * (double)rounds)
        say(stream, style,
            "- %.1f %% of the rounds ran while the core was slow: a neighbour on it, or a lower clock. "
            "Medians and "
            "comparisons leave them out where enough others remain; a machine or core without neighbours "
            "narrows the intervals.",
            100 * (double)contended / (double)rounds);
    if ((double)flagged > NOTEWORTHY_SHARE * (double)rounds)
        say(stream, style,
            "- %.1f %% of the rounds were interrupted or moved to another CPU. End other programs, or choose "
            "a "
            "quieter CPU with --cpu.",
            100 * (double)flagged / (double)rounds);
}

/* The half-width that decides whether the group is done: of its widest comparison, or of its only row. -1 for
 * a group without a number. */
static double group_width(const cb_result *result, size_t group)
{
    double widest = -1;
    for (size_t i = 0; i < result->n_comparisons; i++)
        if (result->comparisons[i].group == group)
            widest = fmax(widest, cb_ratio_half_width(&result->comparisons[i].ratio));
    for (size_t i = 0; widest < 0 && i < result->n_rows; i++)
        if (result->rows[i].group == group && result->rows[i].measured)
            widest = cb_summary_half_width(&result->rows[i].summary);
    return widest;
}

/* Rows of which too few undisturbed rounds were left to speak for them. */
static void say_slow(FILE *stream, const cb_result *result, const cb_report_style *style)
{
    size_t slow = 0;
    for (size_t i = 0; i < result->n_rows; i++) {
        const cb_summary *s = &result->rows[i].summary;
        slow += result->rows[i].measured && !s->uncontended && 2 * s->contended_rounds > s->rounds;
    }
    if (slow > 0)
        say(stream, style,
            "- %zu row%s measured while the core was slower than in the rest of the run: the time%s too "
            "high. "
            "Measure again, or longer (--time).",
            slow, slow == 1 ? " was" : "s were", slow == 1 ? " is" : "s are");
}

static void say_wide(FILE *stream, const cb_result *result, const cb_report_style *style)
{
    size_t wide = 0, unknown = 0, widest_group = 0;
    double target = result->plan->schedule.target_ci, widest = target;
    for (size_t group = 0; group < result->plan->n_groups; group++) {
        double width = group_width(result, group);
        if (!isfinite(width))
            unknown++;
        if (!isfinite(width) || width <= target)
            continue;
        wide++;
        widest_group = width > widest ? group : widest_group;
        widest = fmax(width, widest);
    }
    char goal[CB_CELL_BYTES], most[CB_CELL_BYTES];
    cb_units_percent(goal, target);
    cb_units_percent(most, widest);
    if (wide > 0)
        say(stream, style,
            "- %zu group%s wider than the target of +-%s; the widest is %s with +-%s. More time (--time) or "
            "a "
            "quieter machine narrows the intervals.",
            wide, wide == 1 ? " is" : "s are", goal, result->plan->groups[widest_group].id, most);
    if (unknown > 0)
        say(stream, style,
            "- %zu group%s fewer than 3 replicates, too few for an interval. Give more time (--time) or "
            "--replicates 4 or more.",
            unknown, unknown == 1 ? " has" : "s have");
}

/* -1 faster, 1 slower, 0 neither, by the interval alone. */
static int side(const cb_estimate *ratio)
{
    return (ratio->low > 1 + CB_VERDICT_MARGIN) - (ratio->high < 1 - CB_VERDICT_MARGIN);
}

static void say_contradictions(FILE *stream, const cb_result *result, const cb_report_style *style)
{
    size_t n = 0;
    for (size_t i = 0; i < result->n_comparisons; i++) {
        const cb_ratio *ratio = &result->comparisons[i].ratio;
        n += ratio->uncontended && side(&ratio->ratio) != side(&ratio->all_rounds);
    }
    if (n > 0)
        say(stream, style,
            "- %zu comparison%s otherwise when disturbed rounds are counted in: see all_rounds in the JSON "
            "report.",
            n, n == 1 ? " ends" : "s end");
}

static void say_findings(FILE *stream, const cb_environment *environment, const cb_report_style *style)
{
    for (size_t i = 0; i < environment->n_findings; i++) {
        const cb_finding *finding = &environment->findings[i];
        say(stream, style, "- %s%s%s", finding->what, finding->remedy[0] != '\0' ? "; remedy: " : "",
            finding->remedy);
    }
}

void cb_table_notes(FILE *stream, const cb_result *result, const cb_report_style *style)
{
    (void)fputc('\n', stream);
    say(stream, style,
        "Times are medians of one call; +- is the half-width of the 95 %% interval within this run. Another "
        "moment can be slower or faster as a whole: trust the comparisons, which pair neighbouring rounds. "
        "1 KiB is 1024 bytes.");
    if (result->plan->schedule.vary_layout)
        say(stream, style,
            "Buffers stood at other page offsets in every replicate, so that the intervals cover the effect "
            "of layout.");
    say(stream, style, "Seed %" PRIu64 ", %.1f s measured.", result->plan->schedule.seed, result->measured_s);
    print_repeat(stream, result);
    say_incomplete(stream, result, style);
    say_disturbed(stream, result, style);
    say_slow(stream, result, style);
    say_wide(stream, result, style);
    say_contradictions(stream, result, style);
    say_findings(stream, result->environment, style);
}
