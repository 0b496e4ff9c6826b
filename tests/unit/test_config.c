#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/config.h"
#include "cli/options.h"

/* The arguments behind the program's name as a list for parse(). */
#define ARGS(...)                                                                                            \
    (char *[])                                                                                               \
    {                                                                                                        \
        "crypto_bench", __VA_ARGS__, NULL                                                                    \
    }

static cb_status parse(cb_config *config, char *const argv[], cb_err *err)
{
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    return cb_config_parse(config, argc, argv, err);
}

static void assert_parsed(cb_config *config, char *const argv[])
{
    cb_err err = {0};
    if (parse(config, argv, &err) != CB_OK)
        fail_msg("refused: %s", err.msg);
}

static void assert_refused(char *const argv[], const char *message)
{
    cb_config config;
    cb_err err = {0};
    assert_int_equal(parse(&config, argv, &err), CB_BAD_ARGUMENT);
    assert_int_equal(err.code, CB_BAD_ARGUMENT);
    assert_string_equal(err.msg, message);
    assert_null(config.filters.items);
    assert_null(config.backends.items);
}

static void no_arguments_mean_run_with_defaults(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, (char *[]){"crypto_bench", NULL});
    assert_int_equal(config.command, CB_COMMAND_RUN);
    assert_int_equal(config.topic, CB_COMMAND_RUN);
    assert_int_equal(config.effort, CB_EFFORT_DEFAULT);
    assert_int_equal(config.filters.n + config.backends.n + config.primitives.n + config.ops.n, 0);
    assert_int_equal(config.outputs.n + config.sizes.n + config.aad_bytes, 0);
    assert_true(config.sampling.time_s == 0);
    assert_true(config.sampling.target_ci_pct == 0);
    assert_true(config.sampling.timeout_s == 10);
    assert_int_equal(config.sampling.replicates, 0);
    assert_false(config.sampling.has_seed);
    assert_int_equal(config.sampling.cpu, -1);
    assert_int_equal(config.format, CB_FORMAT_AUTO);
    assert_int_equal(config.color, CB_COLOR_AUTO);
    assert_false(config.in_process || config.no_progress || config.quiet);
    assert_int_equal(config.verbosity, 0);
    cb_config_free(&config);
}

static void an_empty_argv_means_run(void **state)
{
    (void)state;
    cb_config config;
    assert_int_equal(cb_config_parse(&config, 0, (char *[]){NULL}, NULL), CB_OK);
    assert_int_equal(config.command, CB_COMMAND_RUN);
    cb_config_free(&config);
}

static void every_option_sets_its_field(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, ARGS("--backend=openssl", "--primitive=aead", "--op=encrypt", "--size=4K,64",
                                "--aad=16", "--rigorous", "--time=2.5", "--target-ci=0.1", "--replicates=9",
                                "--seed=18446744073709551615", "--cpu=3", "--timeout=0.5", "--format=csv",
                                "--output=a.csv", "--in-process", "--no-progress", "--color=never", "--quiet",
                                "--verbose", "gcm"));
    assert_string_equal(config.backends.items[0], "openssl");
    assert_string_equal(config.primitives.items[0], "aead");
    assert_string_equal(config.ops.items[0], "encrypt");
    assert_int_equal(config.sizes.n, 2);
    assert_int_equal(config.sizes.items[0], 64);
    assert_int_equal(config.sizes.items[1], 4096);
    assert_int_equal(config.aad_bytes, 16);
    assert_int_equal(config.effort, CB_EFFORT_RIGOROUS);
    assert_true(config.sampling.time_s == 2.5);
    assert_true(config.sampling.target_ci_pct == 0.1);
    assert_int_equal(config.sampling.replicates, 9);
    assert_true(config.sampling.has_seed && config.sampling.seed == UINT64_MAX);
    assert_int_equal(config.sampling.cpu, 3);
    assert_true(config.sampling.timeout_s == 0.5);
    assert_int_equal(config.format, CB_FORMAT_CSV);
    assert_string_equal(config.outputs.items[0], "a.csv");
    assert_true(config.in_process && config.no_progress && config.quiet);
    assert_int_equal(config.color, CB_COLOR_NEVER);
    assert_int_equal(config.verbosity, 1);
    assert_string_equal(config.filters.items[0], "gcm");
    cb_config_free(&config);
}

static void values_may_stand_apart_or_together(void **state)
{
    (void)state;
    static char *forms[][4] = {{"crypto_bench", "--size=64", NULL}, {"crypto_bench", "--size", "64", NULL},
                               {"crypto_bench", "-s64", NULL},      {"crypto_bench", "-s", "64", NULL},
                               {"crypto_bench", "-qs64", NULL},     {"crypto_bench", "-vqs", "64", NULL}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        cb_config config;
        assert_parsed(&config, forms[i]);
        assert_int_equal(config.sizes.n, 1);
        assert_int_equal(config.sizes.items[0], 64);
        assert_int_equal(config.filters.n, 0);
        cb_config_free(&config);
    }
}

static void letters_bundle(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, ARGS("-qvv", "-v"));
    assert_true(config.quiet);
    assert_int_equal(config.verbosity, 3);
    cb_config_free(&config);
}

static void lists_accumulate_and_merge(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, ARGS("-b", "openssl,^nss", "-b", "libsodium,openssl", "-s", "1K", "-s64,1024",
                                "-o", "a,b.json", "-o", "c.csv", "-o", "a,b.json", "gcm", "gcm"));
    assert_int_equal(config.backends.n, 3);
    assert_string_equal(config.backends.items[0], "openssl");
    assert_string_equal(config.backends.items[1], "^nss");
    assert_string_equal(config.backends.items[2], "libsodium");
    assert_int_equal(config.sizes.n, 2);
    assert_int_equal(config.sizes.items[0], 64);
    assert_int_equal(config.sizes.items[1], 1024);
    assert_int_equal(config.outputs.n, 2);
    assert_string_equal(config.outputs.items[0], "a,b.json");
    assert_int_equal(config.filters.n, 1);
    cb_config_free(&config);
}

static void the_first_word_may_be_a_command(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, ARGS("list", "list"));
    assert_int_equal(config.command, CB_COMMAND_LIST);
    assert_int_equal(config.topic, CB_COMMAND_LIST);
    assert_int_equal(config.filters.n, 1);
    cb_config_free(&config);
    assert_parsed(&config, ARGS("-f", "json", "doctor"));
    assert_int_equal(config.command, CB_COMMAND_DOCTOR);
    cb_config_free(&config);
    assert_parsed(&config, ARGS("run", "--quick"));
    assert_int_equal(config.command, CB_COMMAND_RUN);
    assert_int_equal(config.filters.n, 0);
    cb_config_free(&config);
    assert_parsed(&config, ARGS("gcm", "list"));
    assert_int_equal(config.command, CB_COMMAND_RUN);
    assert_int_equal(config.filters.n, 2);
    cb_config_free(&config);
}

static void behind_two_dashes_are_only_filters(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, ARGS("--quick", "--", "list", "--seed", "-"));
    assert_int_equal(config.command, CB_COMMAND_RUN);
    assert_int_equal(config.filters.n, 3);
    assert_string_equal(config.filters.items[0], "list");
    assert_string_equal(config.filters.items[1], "--seed");
    cb_config_free(&config);
}

static void a_value_may_begin_with_dashes(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, ARGS("-o", "--odd-name", "-o-"));
    assert_string_equal(config.outputs.items[0], "--odd-name");
    assert_string_equal(config.outputs.items[1], "-");
    cb_config_free(&config);
}

static void help_and_version_win(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, ARGS("list", "--help"));
    assert_int_equal(config.command, CB_COMMAND_HELP);
    assert_int_equal(config.topic, CB_COMMAND_LIST);
    cb_config_free(&config);
    assert_parsed(&config, ARGS("-h", "doctor", "--quick"));
    assert_int_equal(config.command, CB_COMMAND_HELP);
    assert_int_equal(config.topic, CB_COMMAND_DOCTOR);
    cb_config_free(&config);
    assert_parsed(&config, ARGS("-qVh"));
    assert_int_equal(config.command, CB_COMMAND_VERSION);
    cb_config_free(&config);
    assert_parsed(&config, ARGS("-hh"));
    assert_int_equal(config.command, CB_COMMAND_HELP);
    assert_int_equal(config.topic, CB_COMMAND_RUN);
    cb_config_free(&config);
}

static void unknown_options_name_the_nearest(void **state)
{
    (void)state;
    assert_refused(ARGS("--qiuck"), "unknown option \"--qiuck\"; did you mean --quick?");
    assert_refused(ARGS("-quick"), "unknown option \"-quick\"; did you mean --quick?");
    assert_refused(ARGS("--bckend=openssl"), "unknown option \"--bckend\"; did you mean --backend?");
    assert_refused(ARGS("--bogus"), "unknown option \"--bogus\"; 'crypto_bench --help' shows all");
    assert_refused(ARGS("-x"), "unknown option \"-x\"; 'crypto_bench --help' shows all");
    assert_refused(ARGS("--=x"), "unknown option \"--\"; 'crypto_bench --help' shows all");
    assert_refused(ARGS("---"), "unknown option \"---\"; 'crypto_bench --help' shows all");
    assert_refused(ARGS("-q\xc3\xa9"), "unknown option \"-q\\xc3\\xa9\"; 'crypto_bench --help' shows all");
}

static void a_beginning_of_an_option_is_not_enough(void **state)
{
    (void)state;
    assert_refused(ARGS("--prim", "aead"), "unknown option \"--prim\"; did you mean --primitive?");
    assert_refused(ARGS("--rig"), "unknown option \"--rig\"; did you mean --rigorous?");
}

static void missing_and_surplus_values_are_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("--seed"), "--seed needs a value: --seed N");
    assert_refused(ARGS("-qs"), "--size needs a value: --size LIST");
    assert_refused(ARGS("--quick=yes"), "--quick takes no value, but got \"yes\"");
    assert_refused(ARGS("--quick="), "--quick takes no value, but got \"\"");
}

static void an_option_is_given_once(void **state)
{
    (void)state;
    assert_refused(ARGS("--seed=1", "--seed", "1"), "--seed is given twice; give it once");
    assert_refused(ARGS("--quick", "--quick"), "--quick is given twice; give it once");
    assert_refused(ARGS("-qq"), "--quiet is given twice; give it once");
    assert_refused(ARGS("-f", "json", "--format=csv"), "--format is given twice; give it once");
}

static void quick_and_rigorous_conflict(void **state)
{
    (void)state;
    static const char message[] = "--quick and --rigorous exclude each other; give one of them";
    assert_refused(ARGS("--quick", "--rigorous"), message);
    assert_refused(ARGS("--rigorous", "--quick"), message);
}

static void replicates_and_target_ci_go_together(void **state)
{
    (void)state;
    cb_config config;
    assert_parsed(&config, ARGS("--replicates", "5", "--target-ci", "1"));
    assert_int_equal(config.sampling.replicates, 5);
    cb_config_free(&config);
}

static void numbers_outside_their_range_are_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("--time", "0"), "--time: \"0\" is not a number from 0.001 to 86400");
    assert_refused(ARGS("--time=86400.1"), "--time: \"86400.1\" is not a number from 0.001 to 86400");
    assert_refused(ARGS("--timeout=0.09"), "--timeout: \"0.09\" is not a number from 0.1 to 86400");
    assert_refused(ARGS("--target-ci=nan"), "--target-ci: \"nan\" is not a number from 0.01 to 100");
    assert_refused(ARGS("--target-ci=100.5"), "--target-ci: \"100.5\" is not a number from 0.01 to 100");
    assert_refused(ARGS("--replicates=0"), "--replicates: \"0\" is not a whole number from 1 to 10000");
    assert_refused(ARGS("--replicates=10001"),
                   "--replicates: \"10001\" is not a whole number from 1 to 10000");
    assert_refused(ARGS("--cpu=4096"), "--cpu: \"4096\" is not a whole number from 0 to 4095");
    assert_refused(ARGS("--cpu=-1"), "--cpu: \"-1\" is not a whole number from 0 to 4095");
    assert_refused(ARGS("--seed="), "--seed: \"\" is not a whole number from 0 to 18446744073709551615");
    assert_refused(ARGS("--seed", "--quick"),
                   "--seed: \"--quick\" is not a whole number from 0 to 18446744073709551615");
    assert_refused(ARGS("-s", "64,2G"), "--size: \"2G\" is not a size from 0 to 1G (bytes, or 16K, 1M, 1G)");
    assert_refused(ARGS("--aad=2M"), "--aad: \"2M\" is not a size from 0 to 1M (bytes, or 16K, 1M, 1G)");
}

static void choices_outside_their_set_are_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("-f", "xml"), "--format: \"xml\" is none of table, json, csv");
    assert_refused(ARGS("-fJSON"), "--format: \"JSON\" is none of table, json, csv");
    assert_refused(ARGS("--color=maybe"), "--color: \"maybe\" is none of auto, always, never");
}

static void empty_things_are_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("-b", "openssl,,nss"), "--backend: \"openssl,,nss\" has an empty item");
    assert_refused(ARGS("--op="), "--op: \"\" has an empty item");
    assert_refused(ARGS("-s", "64,"), "--size: \"64,\" has an empty item");
    assert_refused(ARGS("-p", "aead,^"), "--primitive: \"aead,^\" has a ^ with no name behind it");
    assert_refused(ARGS("-o", ""), "--output: \"\" is not a file name");
    assert_refused(ARGS(""), "an empty filter would match every case; leave it out");
}

static void what_does_not_apply_to_a_command_is_refused(void **state)
{
    (void)state;
    assert_refused(ARGS("list", "--quick"),
                   "--quick does not apply to list; 'crypto_bench list --help' shows what does");
    assert_refused(ARGS("--seed=1", "doctor"),
                   "--seed does not apply to doctor; 'crypto_bench doctor --help' shows what does");
    assert_refused(ARGS("list", "-o", "x.json"),
                   "--output does not apply to list; 'crypto_bench list --help' shows what does");
    assert_refused(ARGS("doctor", "gcm"), "doctor takes no filter, but got \"gcm\"");
    assert_refused(ARGS("list", "-f", "csv"), "--format: list takes table or json, not csv");
    assert_refused(ARGS("doctor", "-fcsv"), "--format: doctor takes table or json, not csv");
}

/* Every option with a value that is long, hostile, and begins with a valid one: whatever is refused is
 * refused in a whole, printable sentence. */
static void hostile_values_give_whole_printable_sentences(void **state)
{
    (void)state;
    size_t n_options, size = (size_t)1 << 20;
    const cb_option *options = cb_options(&n_options);
    char *value = malloc(size + 1);
    assert_non_null(value);
    memset(value, '\xff', size);
    memcpy(value, "1\n\x1b[2J\"", 7);
    value[size] = '\0';
    for (size_t i = 0; i < n_options; i++) {
        char *argument = NULL;
        assert_true(asprintf(&argument, "--%s=%s", options[i].name, value) > 0);
        cb_config config;
        cb_err err = {0};
        if (parse(&config, ARGS(argument), &err) == CB_OK) {
            assert_true(options[i].argument != NULL && options[i].repeatable);
            cb_config_free(&config);
        } else {
            assert_in_range(strlen(err.msg), 20, sizeof err.msg - 2);
            for (const char *c = err.msg; *c != '\0'; c++)
                assert_in_range(*c, 0x20, 0x7e);
        }
        free(argument);
    }
    free(value);
}

static void a_mebibyte_of_items_is_read(void **state)
{
    (void)state;
    size_t n = (size_t)1 << 19;
    char *value = malloc(2 * n);
    assert_non_null(value);
    for (size_t i = 0; i < n; i++)
        memcpy(value + 2 * i, (i & 1) != 0 ? "1," : "2,", 2);
    value[2 * n - 1] = '\0';
    cb_config config;
    assert_parsed(&config, ARGS("-s", value, "-b", value));
    assert_int_equal(config.sizes.n, 2);
    assert_int_equal(config.backends.n, 2);
    cb_config_free(&config);
    free(value);
}

static void a_hundred_thousand_arguments_are_read(void **state)
{
    (void)state;
    enum { N = 100000 };
    char(*texts)[8] = calloc(N, sizeof *texts);
    char **argv = calloc(N + 1, sizeof *argv);
    assert_true(texts != NULL && argv != NULL);
    for (unsigned i = 0; i < N; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "%u", i);
        argv[i] = texts[i];
    }
    cb_config config;
    assert_parsed(&config, argv);
    assert_int_equal(config.filters.n, N - 1);
    assert_string_equal(config.filters.items[N - 2], "99999");
    cb_config_free(&config);
    free(argv);
    free(texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_arguments_mean_run_with_defaults),
        cmocka_unit_test(an_empty_argv_means_run),
        cmocka_unit_test(every_option_sets_its_field),
        cmocka_unit_test(values_may_stand_apart_or_together),
        cmocka_unit_test(letters_bundle),
        cmocka_unit_test(lists_accumulate_and_merge),
        cmocka_unit_test(the_first_word_may_be_a_command),
        cmocka_unit_test(behind_two_dashes_are_only_filters),
        cmocka_unit_test(a_value_may_begin_with_dashes),
        cmocka_unit_test(help_and_version_win),
        cmocka_unit_test(unknown_options_name_the_nearest),
        cmocka_unit_test(a_beginning_of_an_option_is_not_enough),
        cmocka_unit_test(missing_and_surplus_values_are_refused),
        cmocka_unit_test(an_option_is_given_once),
        cmocka_unit_test(quick_and_rigorous_conflict),
        cmocka_unit_test(replicates_and_target_ci_go_together),
        cmocka_unit_test(numbers_outside_their_range_are_refused),
        cmocka_unit_test(choices_outside_their_set_are_refused),
        cmocka_unit_test(empty_things_are_refused),
        cmocka_unit_test(what_does_not_apply_to_a_command_is_refused),
        cmocka_unit_test(hostile_values_give_whole_printable_sentences),
        cmocka_unit_test(a_mebibyte_of_items_is_read),
        cmocka_unit_test(a_hundred_thousand_arguments_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
