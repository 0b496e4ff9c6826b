#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture_catalogue.h"
#include "plan/plan.h"

/* The tests go from a command line to a plan, so that both stages are used as the program uses them. */
#define ARGS(...)                                                                                            \
    (char *[])                                                                                               \
    {                                                                                                        \
        "crypto_bench", __VA_ARGS__, NULL                                                                    \
    }

static cb_status make_from(cb_plan *plan, char *const argv[], const cb_catalogue *catalogue, cb_err *err)
{
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    cb_config config;
    assert_int_equal(cb_config_parse(&config, argc, argv, err), CB_OK);
    cb_status status = cb_plan_make(plan, &config, catalogue, err);
    cb_config_free(&config);
    return status;
}

static void assert_planned(cb_plan *plan, char *const argv[])
{
    cb_catalogue catalogue = fixture_catalogue();
    cb_err err = {0};
    if (make_from(plan, argv, &catalogue, &err) != CB_OK)
        fail_msg("refused: %s", err.msg);
}

static void assert_refused(char *const argv[], const char *message)
{
    cb_catalogue catalogue = fixture_catalogue();
    cb_plan plan;
    cb_err err = {0};
    assert_int_equal(make_from(&plan, argv, &catalogue, &err), CB_BAD_ARGUMENT);
    assert_string_equal(err.msg, message);
    assert_null(plan.groups);
    assert_null(plan.contestants);
}

/* The plan as one line per group: "<id>: alpha beta gamma(-)", (-) for absent. The caller frees it. */
static char *outline(const cb_plan *plan)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    assert_non_null(stream);
    for (size_t i = 0; i < plan->n_groups; i++) {
        const cb_group *group = &plan->groups[i];
        (void)fprintf(stream, "%s:", group->id);
        for (size_t k = 0; k < group->n_seats; k++)
            (void)fprintf(stream, " %s%s", plan->contestants[group->seats[k].contestant].name,
                          group->seats[k].absent ? "(-)" : "");
        (void)fputc('\n', stream);
    }
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void assert_outline(char *const argv[], const char *expected)
{
    cb_plan plan;
    assert_planned(&plan, argv);
    char *text = outline(&plan);
    assert_string_equal(text, expected);
    free(text);
    cb_plan_free(&plan);
}

static void by_default_all_libraries_meet_on_all_cases(void **state)
{
    (void)state;
    assert_outline((char *[]){"crypto_bench", NULL},
                   "aead/aes-256-gcm/encrypt/64: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/encrypt/256: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/encrypt/1024: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/encrypt/4096: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/encrypt/16384: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/decrypt/64: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/decrypt/256: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/decrypt/1024: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/decrypt/4096: alpha beta gamma(-)\n"
                   "aead/aes-256-gcm/decrypt/16384: alpha beta gamma(-)\n"
                   "aead/chacha20-poly1305/encrypt/64: alpha gamma(-) half\n"
                   "aead/chacha20-poly1305/encrypt/256: alpha gamma(-) half\n"
                   "aead/chacha20-poly1305/encrypt/1024: alpha gamma(-) half\n"
                   "aead/chacha20-poly1305/encrypt/4096: alpha gamma(-) half\n"
                   "aead/chacha20-poly1305/encrypt/16384: alpha gamma(-) half\n"
                   "aead/chacha20-poly1305/decrypt/64: alpha gamma(-)\n"
                   "aead/chacha20-poly1305/decrypt/256: alpha gamma(-)\n"
                   "aead/chacha20-poly1305/decrypt/1024: alpha gamma(-)\n"
                   "aead/chacha20-poly1305/decrypt/4096: alpha gamma(-)\n"
                   "aead/chacha20-poly1305/decrypt/16384: alpha gamma(-)\n");
}

static void named_libraries_come_in_their_order_with_their_gaps(void **state)
{
    (void)state;
    assert_outline(ARGS("-s64", "-b", "half,referee,beta"),
                   "aead/aes-256-gcm/encrypt/64: half(-) referee beta\n"
                   "aead/aes-256-gcm/decrypt/64: half(-) referee beta\n"
                   "aead/chacha20-poly1305/encrypt/64: half referee beta(-)\n"
                   "aead/chacha20-poly1305/decrypt/64: half(-) referee beta(-)\n");
}

static void a_group_of_absent_seats_stays(void **state)
{
    (void)state;
    assert_outline(ARGS("-s64", "--op=decrypt", "-b", "gamma,half"),
                   "aead/aes-256-gcm/decrypt/64: gamma(-) half(-)\n"
                   "aead/chacha20-poly1305/decrypt/64: gamma(-) half(-)\n");
}

static void a_group_without_seats_is_dropped(void **state)
{
    (void)state;
    assert_outline(ARGS("-s64", "-b", "^alpha,^gamma"), "aead/aes-256-gcm/encrypt/64: beta\n"
                                                        "aead/aes-256-gcm/decrypt/64: beta\n"
                                                        "aead/chacha20-poly1305/encrypt/64: half\n");
}

static void exclusions_apply_to_names_too(void **state)
{
    (void)state;
    assert_outline(ARGS("-s64", "-b", "^alpha,beta,alpha", "gcm"), "aead/aes-256-gcm/encrypt/64: beta\n"
                                                                   "aead/aes-256-gcm/decrypt/64: beta\n");
}

static void a_library_takes_part_once(void **state)
{
    (void)state;
    char *names[] = {"alpha", "alpha", "alpha", "alpha", "alpha", "alpha", "alpha"};
    const cb_config config = {.backends = {names, sizeof names / sizeof names[0]}};
    cb_catalogue catalogue = fixture_catalogue();
    cb_plan plan;
    assert_int_equal(cb_plan_make(&plan, &config, &catalogue, NULL), CB_OK);
    assert_int_equal(plan.n_contestants, 1);
    cb_plan_free(&plan);
}

static void contestants_know_whether_they_were_named(void **state)
{
    (void)state;
    cb_plan plan;
    assert_planned(&plan, ARGS("-b", "beta,alpha"));
    assert_int_equal(plan.n_contestants, 2);
    assert_string_equal(plan.contestants[0].name, "beta");
    assert_true(plan.contestants[0].named && plan.contestants[1].named);
    assert_string_equal(plan.contestants[1].entry->version, "1.0");
    cb_plan_free(&plan);
    assert_planned(&plan, ARGS("-b", "^beta"));
    assert_int_equal(plan.n_contestants, 3);
    assert_false(plan.contestants[0].named || plan.contestants[1].named || plan.contestants[2].named);
    cb_plan_free(&plan);
}

static void absent_seats_say_why(void **state)
{
    (void)state;
    cb_plan plan;
    assert_planned(&plan, ARGS("-s64", "-b", "gamma,beta,half", "chacha20-poly1305/decrypt"));
    assert_int_equal(plan.n_groups, 1);
    assert_string_equal(plan.groups[0].seats[0].reason, "gamma was not found when this was built");
    assert_string_equal(plan.groups[0].seats[1].reason, "beta has GCM only");
    assert_string_equal(plan.groups[0].seats[2].reason, "half 3.0 does not offer it");
    assert_true(plan.groups[0].budget_s == 0 && plan.groups[0].max_replicates == 0);
    cb_plan_free(&plan);
}

static void primitives_are_families_or_algorithms(void **state)
{
    (void)state;
    static const char gcm[] = "aead/aes-256-gcm/encrypt/64: alpha\naead/aes-256-gcm/decrypt/64: alpha\n";
    assert_outline(ARGS("-s64", "-balpha", "-p", "aes-256-gcm"), gcm);
    assert_outline(ARGS("-s64", "-balpha", "-p", "^chacha20-poly1305"), gcm);
    assert_outline(ARGS("-s64", "-balpha", "-p", "aead,^chacha20-poly1305"), gcm);
    assert_outline(ARGS("-s64", "-balpha", "-p", "aead", "--op=encrypt"),
                   "aead/aes-256-gcm/encrypt/64: alpha\naead/chacha20-poly1305/encrypt/64: alpha\n");
    assert_outline(ARGS("-s64", "-balpha", "-p", "aes-256-gcm", "--op=^encrypt"),
                   "aead/aes-256-gcm/decrypt/64: alpha\n");
}

static void sizes_ascend_and_aad_is_shown_where_it_is_not_the_default(void **state)
{
    (void)state;
    assert_outline(ARGS("-balpha", "-s", "1K,1G,0,1024", "--aad=16", "gcm/encrypt"),
                   "aead/aes-256-gcm/encrypt/0?aad=16: alpha\n"
                   "aead/aes-256-gcm/encrypt/1024?aad=16: alpha\n"
                   "aead/aes-256-gcm/encrypt/1073741824?aad=16: alpha\n");
    cb_plan plan;
    assert_planned(&plan, ARGS("-balpha", "-s", "1K", "--aad=16", "gcm/encrypt"));
    assert_int_equal(plan.groups[0].msg_bytes, 1024);
    assert_int_equal(plan.groups[0].aad_bytes, 16);
    assert_ptr_equal(plan.groups[0].op, cb_operation_find(FIXTURE_GCM_ENC));
    cb_plan_free(&plan);
}

static void filters_are_parts_of_ids(void **state)
{
    (void)state;
    assert_outline(ARGS("gcm/encrypt/4096"), "aead/aes-256-gcm/encrypt/4096: alpha beta gamma(-)\n");
    assert_outline(ARGS("gcm/encrypt/4096", "poly1305/decrypt/64"),
                   "aead/aes-256-gcm/encrypt/4096: alpha beta gamma(-)\n"
                   "aead/chacha20-poly1305/decrypt/64: alpha gamma(-)\n");
    assert_outline(ARGS("--aad=8", "-balpha", "gcm/encrypt/64?aad=8"),
                   "aead/aes-256-gcm/encrypt/64?aad=8: alpha\n");
}

static void globs_match_the_whole_id(void **state)
{
    (void)state;
    assert_outline(ARGS("-s64,640", "-balpha", "*/64"), "aead/aes-256-gcm/encrypt/64: alpha\n"
                                                        "aead/aes-256-gcm/decrypt/64: alpha\n"
                                                        "aead/chacha20-poly1305/encrypt/64: alpha\n"
                                                        "aead/chacha20-poly1305/decrypt/64: alpha\n");
    assert_outline(ARGS("-s64", "-balpha", "aead/[a]*/encrypt/??"), "aead/aes-256-gcm/encrypt/64: alpha\n");
    assert_outline(ARGS("-s64", "*gcm*@beta"), "aead/aes-256-gcm/encrypt/64: beta\n"
                                               "aead/aes-256-gcm/decrypt/64: beta\n");
}

static void a_filter_with_at_picks_seats(void **state)
{
    (void)state;
    assert_outline(ARGS("gcm/encrypt/4096@beta"), "aead/aes-256-gcm/encrypt/4096: beta\n");
    assert_outline(ARGS("gcm/encrypt/4096@beta", "gcm/encrypt/4096@gamma"),
                   "aead/aes-256-gcm/encrypt/4096: beta gamma(-)\n");
    assert_outline(ARGS("-s64", "@half"), "aead/chacha20-poly1305/encrypt/64: half\n");
}

static void unknown_libraries_are_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("-b", "alhpa"), "--backend: no library \"alhpa\"; did you mean alpha? 'crypto_bench "
                                        "list' has: alpha, beta, gamma, half, referee");
    assert_refused(ARGS("-b", "alpha,^xyz"), "--backend: no library \"xyz\"; 'crypto_bench list' has: alpha, "
                                             "beta, gamma, half, referee");
    assert_refused(ARGS("-b", "alpha,^alpha"), "--backend leaves no library; 'crypto_bench list' shows all");
}

static void unknown_primitives_and_operations_are_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("-p", "aes-265-gcm"), "--primitive: no family or algorithm \"aes-265-gcm\"; did you "
                                              "mean aes-256-gcm? 'crypto_bench list' shows all");
    assert_refused(ARGS("-p", "encrypt"),
                   "--primitive: no family or algorithm \"encrypt\"; 'crypto_bench list' shows all");
    assert_refused(ARGS("--op", "ecnrypt"),
                   "--op: no operation \"ecnrypt\"; did you mean encrypt? 'crypto_bench list' shows all");
    assert_refused(ARGS("--op", "^aead"), "--op: no operation \"aead\"; 'crypto_bench list' shows all");
    assert_refused(ARGS("-p", "aead,^aead"),
                   "--primitive and --op leave no operation; 'crypto_bench list' shows all");
}

static void filters_that_match_nothing_are_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("gcm", "gcm/encrypt/1000"),
                   "no case matches the filter \"gcm/encrypt/1000\"; 'crypto_bench list' shows all");
    assert_refused(ARGS("lsit"), "no case matches the filter \"lsit\"; did you mean the command list? "
                                 "'crypto_bench list' shows all");
    assert_refused(ARGS("gcm*"), "no case matches the filter \"gcm*\"; 'crypto_bench list' shows all");
    assert_refused(ARGS("chacha@beta"),
                   "no case matches the filter \"chacha@beta\"; 'crypto_bench list' shows all");
    assert_refused(ARGS("--op=encrypt", "decrypt"),
                   "no case matches the filter \"decrypt\"; 'crypto_bench list' shows all");
}

static void an_empty_plan_is_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("-b", "^alpha,^gamma,^beta", "--op=decrypt"),
                   "no library here has what was asked for; 'crypto_bench list' shows what there is");
}

static void hostile_words_give_whole_printable_sentences(void **state)
{
    (void)state;
    size_t size = (size_t)1 << 20;
    char *word = malloc(size + 1);
    assert_non_null(word);
    memset(word, '\xfe', size);
    memcpy(word, "[*\n\x1b", 4);
    word[size] = '\0';
    char *const commands[][4] = {{"crypto_bench", "-b", word, NULL},
                                 {"crypto_bench", "-p", word, NULL},
                                 {"crypto_bench", "--op", word, NULL},
                                 {"crypto_bench", word, NULL}};
    cb_catalogue catalogue = fixture_catalogue();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        cb_plan plan;
        cb_err err = {0};
        assert_int_equal(make_from(&plan, commands[i], &catalogue, &err), CB_BAD_ARGUMENT);
        assert_in_range(strlen(err.msg), 20, sizeof err.msg - 2);
        for (const char *c = err.msg; *c != '\0'; c++)
            assert_in_range(*c, 0x20, 0x7e);
    }
    free(word);
}

static void many_names_are_shown_as_far_as_they_fit(void **state)
{
    (void)state;
    static char names[40][24];
    static cb_catalogue_entry entries[40];
    for (unsigned i = 0; i < 40; i++) {
        (void)snprintf(names[i], sizeof names[i], "library-number-%u", i + 10);
        entries[i] = (cb_catalogue_entry){.name = names[i]};
    }
    const cb_catalogue catalogue = {entries, 40};
    cb_plan plan;
    cb_err err = {0};
    assert_int_equal(make_from(&plan, ARGS("-b", "zzzzzz"), &catalogue, &err), CB_BAD_ARGUMENT);
    assert_string_equal(err.msg,
                        "--backend: no library \"zzzzzz\"; 'crypto_bench list' has: library-number-10, "
                        "library-number-11, library-number-12, library-number-13, library-number-14, ...");
}

static void without_usable_libraries_all_seats_are_absent(void **state)
{
    (void)state;
    cb_catalogue all = fixture_catalogue();
    const cb_catalogue catalogue = {&all.entries[2], 1};
    cb_plan plan;
    cb_err err = {0};
    assert_int_equal(make_from(&plan, ARGS("-s64"), &catalogue, &err), CB_OK);
    assert_int_equal(plan.n_groups, 4);
    assert_true(plan.groups[0].n_seats == 1 && plan.groups[0].seats[0].absent);
    assert_true(cb_plan_seconds(&plan) == 0);
    cb_plan_free(&plan);
}

static void without_any_module_there_is_no_plan(void **state)
{
    (void)state;
    const cb_catalogue catalogue = {0};
    cb_plan plan;
    cb_err err = {0};
    assert_int_equal(make_from(&plan, ARGS("-s64"), &catalogue, &err), CB_BAD_ARGUMENT);
    assert_string_equal(err.msg, "no library module was found; the build puts them into backends/");
}

static void budgets_count_present_seats_only(void **state)
{
    (void)state;
    cb_plan plan;
    assert_planned(&plan, ARGS("gcm/encrypt/64"));
    assert_int_equal(plan.groups[0].n_seats, 3);
    assert_true(plan.groups[0].budget_s == 1.0);
    assert_int_equal(plan.groups[0].max_replicates, 10);
    assert_int_equal(plan.schedule.n_looks, 4);
    cb_plan_free(&plan);
}

static void a_size_the_operation_cannot_have_is_refused(void **state)
{
    (void)state;
    cb_catalogue catalogue = fixture_catalogue();
    size_t huge = SIZE_MAX / 2;
    const cb_config config = {.sizes = {&huge, 1}};
    cb_plan plan;
    cb_err err = {0};
    assert_int_equal(cb_plan_make(&plan, &config, &catalogue, &err), CB_BAD_ARGUMENT);
    assert_non_null(strstr(err.msg, "does not fit in memory"));
    assert_null(plan.groups);
}

static void a_hundred_thousand_filters_are_applied(void **state)
{
    (void)state;
    enum { N = 100000 };
    static char *items[N];
    for (unsigned i = 0; i < N; i++)
        items[i] = i % 2 == 0 ? "*gcm/encrypt/64*@*" : "gcm/encrypt/64";
    const cb_config config = {.filters = {items, N}};
    cb_catalogue catalogue = fixture_catalogue();
    cb_plan plan;
    assert_int_equal(cb_plan_make(&plan, &config, &catalogue, NULL), CB_OK);
    assert_int_equal(plan.n_groups, 1);
    cb_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_default_all_libraries_meet_on_all_cases),
        cmocka_unit_test(named_libraries_come_in_their_order_with_their_gaps),
        cmocka_unit_test(a_group_of_absent_seats_stays),
        cmocka_unit_test(a_group_without_seats_is_dropped),
        cmocka_unit_test(exclusions_apply_to_names_too),
        cmocka_unit_test(a_library_takes_part_once),
        cmocka_unit_test(contestants_know_whether_they_were_named),
        cmocka_unit_test(absent_seats_say_why),
        cmocka_unit_test(primitives_are_families_or_algorithms),
        cmocka_unit_test(sizes_ascend_and_aad_is_shown_where_it_is_not_the_default),
        cmocka_unit_test(filters_are_parts_of_ids),
        cmocka_unit_test(globs_match_the_whole_id),
        cmocka_unit_test(a_filter_with_at_picks_seats),
        cmocka_unit_test(unknown_libraries_are_refused),
        cmocka_unit_test(unknown_primitives_and_operations_are_refused),
        cmocka_unit_test(filters_that_match_nothing_are_refused),
        cmocka_unit_test(an_empty_plan_is_refused),
        cmocka_unit_test(hostile_words_give_whole_printable_sentences),
        cmocka_unit_test(many_names_are_shown_as_far_as_they_fit),
        cmocka_unit_test(without_usable_libraries_all_seats_are_absent),
        cmocka_unit_test(without_any_module_there_is_no_plan),
        cmocka_unit_test(budgets_count_present_seats_only),
        cmocka_unit_test(a_size_the_operation_cannot_have_is_refused),
        cmocka_unit_test(a_hundred_thousand_filters_are_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
