#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/agreement.h"

#include <string.h>

enum { SLOTS = 3 };

/* An answer that says `value` in its last slot. */
typedef struct answer {
    uint64_t digests[SLOTS];
    cb_prepared prepared;
} answer;

static void answer_make(answer *a, uint64_t inputs, uint64_t value)
{
    *a = (answer){.digests = {10, 20, value}};
    a->prepared = (cb_prepared){.inputs_digest = inputs, .digests = a->digests, .slots = SLOTS};
}

/* Voices a, b, c ... that say the letters of `sayings` ("xxy") for the libraries of `libraries` ("112"). */
typedef struct panel {
    answer answers[8];
    char names[8][2], libraries[8][2];
    cb_voice voices[8];
    size_t n;
} panel;

static void panel_make(panel *p, const char *sayings, const char *libraries)
{
    *p = (panel){.n = strlen(sayings)};
    assert_int_equal(strlen(libraries), p->n);
    for (size_t i = 0; i < p->n; i++) {
        answer_make(&p->answers[i], 1, (uint64_t)sayings[i]);
        p->names[i][0] = (char)('a' + (char)i);
        p->libraries[i][0] = libraries[i];
        p->voices[i] =
            (cb_voice){.name = p->names[i], .library = p->libraries[i], .answer = &p->answers[i].prepared};
    }
}

static void assert_wrong(const panel *p, const char *wrong)
{
    for (size_t i = 0; i < p->n; i++) {
        assert_int_equal(p->voices[i].wrong, strchr(wrong, p->names[i][0]) != NULL);
        assert_int_equal(p->voices[i].reason[0] != '\0', p->voices[i].wrong);
    }
}

static void test_who_is_believed(void **unused)
{
    (void)unused;
    static const struct {
        const char *sayings, *libraries;
        cb_agreement agreement;
        const char *wrong;
    } cases[] = {
        {"x", "1", CB_AGREEMENT_ALL, ""},
        {"xx", "12", CB_AGREEMENT_ALL, ""},
        {"xxxx", "1234", CB_AGREEMENT_ALL, ""},
        {"xy", "12", CB_AGREEMENT_OPEN, ""},
        {"xyz", "123", CB_AGREEMENT_OPEN, ""},
        {"xxyy", "1234", CB_AGREEMENT_OPEN, ""},
        {"xxy", "123", CB_AGREEMENT_SETTLED, "c"},
        {"yxx", "123", CB_AGREEMENT_SETTLED, "a"},
        {"xyx", "123", CB_AGREEMENT_SETTLED, "b"},
        {"xyzx", "1234", CB_AGREEMENT_SETTLED, "bc"},
        {"xxyyy", "12345", CB_AGREEMENT_SETTLED, "ab"},
        /* Builds of one library count once for what they say. */
        {"xxy", "112", CB_AGREEMENT_OPEN, ""},
        {"xxxy", "1112", CB_AGREEMENT_OPEN, ""},
        {"xxxyy", "11123", CB_AGREEMENT_SETTLED, "abc"},
        {"xyx", "121", CB_AGREEMENT_OPEN, ""},
        /* Two builds that contradict one another: another library decides between them. */
        {"xy", "11", CB_AGREEMENT_OPEN, ""},
        {"xyx", "112", CB_AGREEMENT_SETTLED, "b"},
        {"xyxy", "1123", CB_AGREEMENT_OPEN, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        panel p;
        print_message("%s by %s\n", cases[i].sayings, cases[i].libraries);
        panel_make(&p, cases[i].sayings, cases[i].libraries);
        assert_int_equal(cb_agreement_find(p.voices, p.n), cases[i].agreement);
        assert_wrong(&p, cases[i].wrong);
    }
}

static void test_the_first_slot_that_differs_is_named(void **unused)
{
    (void)unused;
    panel p;
    panel_make(&p, "xxx", "123");
    p.answers[1].digests[1]++;
    p.answers[1].digests[2]++;
    assert_int_equal(cb_agreement_find(p.voices, p.n), CB_AGREEMENT_SETTLED);
    assert_string_equal(p.voices[1].reason, "its output of slot 1 differs from that of a");
}

/* Other inputs give other outputs; the cause is what must be named. */
static void test_inputs_that_differ_are_named_before_outputs(void **unused)
{
    (void)unused;
    for (int outputs = 0; outputs <= 1; outputs++) {
        panel p;
        panel_make(&p, outputs != 0 ? "yxx" : "xxx", "123");
        p.answers[0].prepared.inputs_digest = 2;
        assert_int_equal(cb_agreement_find(p.voices, p.n), CB_AGREEMENT_SETTLED);
        assert_wrong(&p, "a");
        assert_string_equal(p.voices[0].reason, "its inputs differ from those that b made");
    }
}

static void test_an_answer_with_fewer_slots_differs(void **unused)
{
    (void)unused;
    panel p;
    panel_make(&p, "xxx", "123");
    p.answers[2].prepared.slots = 2;
    assert_int_equal(cb_agreement_find(p.voices, p.n), CB_AGREEMENT_SETTLED);
    assert_wrong(&p, "c");
}

static void test_a_long_name_does_not_overflow(void **unused)
{
    (void)unused;
    char name[400];
    panel p;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    panel_make(&p, "xxy", "123");
    p.voices[0].name = name;
    assert_int_equal(cb_agreement_find(p.voices, p.n), CB_AGREEMENT_SETTLED);
    assert_true(strlen(p.voices[2].reason) < sizeof p.voices[2].reason - 1);
}

static void test_giving_up_marks_everyone(void **unused)
{
    (void)unused;
    panel p;
    panel_make(&p, "xy", "12");
    cb_agreement_give_up(p.voices, p.n);
    assert_wrong(&p, "ab");
    assert_string_equal(p.voices[0].reason, "the libraries disagree and no further one can say who is right");
    assert_string_equal(p.voices[1].reason, p.voices[0].reason);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_is_believed),
        cmocka_unit_test(test_the_first_slot_that_differs_is_named),
        cmocka_unit_test(test_inputs_that_differ_are_named_before_outputs),
        cmocka_unit_test(test_an_answer_with_fewer_slots_differs),
        cmocka_unit_test(test_a_long_name_does_not_overflow),
        cmocka_unit_test(test_giving_up_marks_everyone),
    };
    return cmocka_run_group_tests_name("agreement", tests, NULL, NULL);
}
