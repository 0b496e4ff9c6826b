#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* needs what stands above */

#include "vector_file.h"
#include "wycheproof.h"

#include <unistd.h>

/* Our own format. */

#define HEAD   "op = aead/x/decrypt\nsource = somewhere, 1\nkey = 00ff\nnonce = 01\n"
#define MIDDLE "aad =\nmsg = 1234\naux = 56\n"
#define RECORD HEAD MIDDLE "out = 78\nresult = valid\n"

static cb_status read_text(const char *text, size_t n, cb_vector_list *list, cb_err *err)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, n, "r");
    assert_non_null(in);
    cb_status status = cb_vector_file_read(in, "a.txt", list, err);
    assert_int_equal(fclose(in), 0);
    return status;
}

static void test_a_record_is_decoded(void **unused)
{
    (void)unused;
    static const char text[] = "# a comment\n\n" RECORD;
    cb_vector_list list = {0};
    cb_err err = {0};
    assert_int_equal(read_text(text, strlen(text), &list, &err), CB_OK);
    assert_int_equal(list.n, 1);
    const cb_vector *v = &list.items[0];
    assert_string_equal(v->op, "aead/x/decrypt");
    assert_string_equal(v->source, "somewhere, 1");
    assert_int_equal(v->result, CB_VECTOR_VALID);
    assert_int_equal(v->input.key.n, 2);
    assert_memory_equal(v->input.key.p, "\x00\xff", 2);
    assert_int_equal(v->input.nonce.n, 1);
    assert_int_equal(v->input.aad.n, 0);
    assert_int_equal(v->input.msg.n, 2);
    assert_memory_equal(v->input.msg.p, "\x12\x34", 2);
    assert_ptr_equal(v->input.aux.p, v->input.msg.p + v->input.msg.n);
    assert_int_equal(v->input.aux.n, 1);
    assert_int_equal(v->out.n, 1);
    assert_int_equal(v->out.p[0], 0x78);
    cb_vector_list_free(&list);
}

static void test_records_may_follow_each_other(void **unused)
{
    (void)unused;
    static const char text[] = RECORD RECORD "\n# between\n" HEAD MIDDLE "out =\nresult = invalid\n";
    cb_vector_list list = {0};
    cb_err err = {0};
    assert_int_equal(read_text(text, strlen(text), &list, &err), CB_OK);
    assert_int_equal(list.n, 3);
    assert_int_equal(list.items[2].result, CB_VECTOR_INVALID);
    assert_int_equal(list.items[2].out.n, 0);
    cb_vector_list_free(&list);
}

static void test_departures_name_their_line(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"# nothing\n", "a.txt: no records"},
        {RECORD "\nop = x\n", "a.txt:11: the record is cut off at the end of the file"},
        {"source = x\n", "a.txt:1: expected \"op = ...\""},
        {HEAD "msg = 00\n", "a.txt:5: expected \"aad = ...\""},
        {HEAD "\n" MIDDLE, "a.txt:5: expected \"aad = ...\""},
        {HEAD "# no\n", "a.txt:5: expected \"aad = ...\""},
        {"op=x\n", "a.txt:1: expected \"op = ...\""},
        {"op =x\n", "a.txt:1: expected \"op = ...\""},
        {"opx = x\n", "a.txt:1: expected \"op = ...\""},
        {"op = x \n", "a.txt:1: blank space at the end of the line"},
        {"op = x\r\n", "a.txt:1: blank space at the end of the line"},
        {"op = x", "a.txt:1: the last line has no newline"},
        {"op =\nsource = s\nkey =\nnonce =\n" MIDDLE "out =\nresult = valid\n",
         "a.txt:1: op or source is empty"},
        {HEAD MIDDLE "out = 78\nresult = acceptable\n", "a.txt:9: result is neither valid nor invalid"},
        {HEAD MIDDLE "out = 78\nresult = invalid\n", "a.txt:1: an invalid record has an output"},
        {HEAD "aad = 0\nmsg =\naux =\nout =\nresult = valid\n",
         "a.txt:1: aad has an odd number of hex digits"},
        {HEAD MIDDLE "out = 7A\nresult = valid\n",
         "a.txt:1: out has something other than lower-case hex at digit 1"},
        {HEAD MIDDLE "out =  7\nresult = valid\n",
         "a.txt:1: out has something other than lower-case hex at digit 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_vector_list list = {0};
        cb_err err = {0};
        assert_int_equal(read_text(cases[i].text, strlen(cases[i].text), &list, &err), CB_BAD_ARGUMENT);
        assert_string_equal(err.msg, cases[i].message);
        cb_vector_list_free(&list);
    }
}

static void test_zero_byte_is_refused(void **unused)
{
    (void)unused;
    static const char text[] = "op = x\0y\n";
    cb_vector_list list = {0};
    cb_err err = {0};
    assert_int_equal(read_text(text, sizeof text - 1, &list, &err), CB_BAD_ARGUMENT);
    assert_string_equal(err.msg, "a.txt:1: a zero byte");
    cb_vector_list_free(&list);
}

/* Wycheproof's format, with sizes of 8, 8 and 16 bits. */

static const cb_wycheproof_file toy = {.name = "toy.json",
                                       .algorithm = "TOY",
                                       .op = "aead/toy/decrypt",
                                       .key_bits = 8,
                                       .nonce_bits = 8,
                                       .tag_bits = 16};

#define DOCUMENT(schema, algorithm, number, groups)                                                          \
    "{\"schema\": \"" schema "\", \"algorithm\": \"" algorithm "\", \"numberOfTests\": " number              \
    ", \"unknown\": {}, \"testGroups\": [" groups "]}"
#define TOY_DOCUMENT(number, groups) DOCUMENT("aead_test_schema_v1.json", "TOY", number, groups)
#define GROUP(type, key, iv, tag, tests)                                                                     \
    "{\"type\": \"" type "\", \"keySize\": " key ", \"ivSize\": " iv ", \"tagSize\": " tag                   \
    ", \"tests\": [" tests "]}"
#define TEST(id, key, tag, result)                                                                           \
    "{\"tcId\": " id ", \"comment\": \"\", \"key\": \"" key                                                  \
    "\", \"iv\": \"02\", \"aad\": \"03\", \"msg\": \"0405\", \"ct\": \"0607\", \"tag\": \"" tag              \
    "\", \"result\": \"" result "\", \"flags\": []}"
#define GOOD(tests) GROUP("AeadTest", "8", "8", "16", tests)

static cb_status read_json(const char *json, cb_vector_list *list, cb_wycheproof_counts *counts, cb_err *err)
{
    char path[] = "/tmp/test_vector_readers.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    const size_t n = strlen(json);
    assert_int_equal(write(fd, json, n), n);
    assert_int_equal(close(fd), 0);
    cb_status status = cb_wycheproof_read(path, &toy, list, counts, err);
    assert_int_equal(unlink(path), 0);
    return status;
}

static void test_wycheproof_is_read(void **unused)
{
    (void)unused;
    static const char json[] = TOY_DOCUMENT(
        "6",
        GOOD(TEST("1", "01", "0809", "valid") "," TEST("2", "01", "0000", "invalid") "," TEST(
            "3", "01", "0809",
            "acceptable")) "," GROUP("AeadTest", "16", "8", "16",
                                     TEST("4", "0101", "0809",
                                          "valid")) "," GROUP("AeadTest", "8", "16", "16",
                                                              TEST("5", "01", "0809",
                                                                   "valid")) "," GROUP("AeadTest", "8", "8",
                                                                                       "8",
                                                                                       TEST("6", "01", "08",
                                                                                            "valid")));
    cb_vector_list list = {0};
    cb_wycheproof_counts counts;
    cb_err err = {0};
    assert_int_equal(read_json(json, &list, &counts, &err), CB_OK);
    assert_int_equal(counts.taken, 3);
    assert_int_equal(counts.other_key_size, 1);
    assert_int_equal(counts.other_nonce_size, 1);
    assert_int_equal(counts.other_tag_size, 1);
    assert_int_equal(list.n, 3);
    const cb_vector *v = &list.items[0];
    assert_string_equal(v->op, "aead/toy/decrypt");
    assert_string_equal(v->source, "Wycheproof toy.json, tcId 1");
    assert_int_equal(v->result, CB_VECTOR_VALID);
    assert_memory_equal(v->input.msg.p, "\x06\x07\x08\x09", 4);
    assert_memory_equal(v->out.p, "\x04\x05", 2);
    assert_int_equal(list.items[1].result, CB_VECTOR_INVALID);
    assert_int_equal(list.items[1].out.n, 0);
    assert_int_equal(list.items[2].result, CB_VECTOR_ACCEPTABLE);
    assert_int_equal(list.items[2].out.n, 2);
    cb_vector_list_free(&list);
}

static void test_wycheproof_departures(void **unused)
{
    (void)unused;
    static const struct {
        const char *json, *message;
        cb_status status;
    } cases[] = {
        {"{", "'}'", CB_IO},
        {"{\"schema\": \"s\", \"schema\": \"s\"}", "duplicate", CB_IO},
        {"[]", "lacks a field", CB_BAD_ARGUMENT},
        {DOCUMENT("aead_test_schema_v2.json", "TOY", "0", ""), "unknown schema", CB_BAD_ARGUMENT},
        {DOCUMENT("aead_test_schema_v1.json", "OTHER", "0", ""), "algorithm is", CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("2", GOOD(TEST("1", "01", "0809", "valid"))), "1 tests, but numberOfTests is 2",
         CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("0", GOOD(TEST("1", "01", "0809", "valid"))), "1 tests, but numberOfTests is 0",
         CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("1", GOOD(TEST("1", "01", "0809", "perhaps"))), "unknown result word", CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("1", GROUP("AeadTest", "16", "8", "16", TEST("1", "0101", "0809", "perhaps"))),
         "unknown result word", CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("1", GROUP("OtherTest", "8", "8", "16", TEST("1", "01", "0809", "valid"))),
         "unknown group type", CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("1", GOOD(TEST("1", "0101", "0809", "valid"))), "key has 16 bits in a group of 8",
         CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("1", GOOD(TEST("1", "01", "08", "valid"))), "tag has 8 bits in a group of 16",
         CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("1", GOOD("{\"tcId\": 1}")), "a test lacks a field", CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("0", "{\"type\": \"AeadTest\"}"), "a group lacks a field", CB_BAD_ARGUMENT},
        {TOY_DOCUMENT("1", GOOD(TEST("1", "0g", "0809", "valid"))), "lower-case hex", CB_BAD_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cb_vector_list list = {0};
        cb_wycheproof_counts counts;
        cb_err err = {0};
        assert_int_equal(read_json(cases[i].json, &list, &counts, &err), cases[i].status);
        if (strstr(err.msg, cases[i].message) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", err.msg, cases[i].message);
        cb_vector_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_record_is_decoded),
        cmocka_unit_test(test_records_may_follow_each_other),
        cmocka_unit_test(test_departures_name_their_line),
        cmocka_unit_test(test_zero_byte_is_refused),
        cmocka_unit_test(test_wycheproof_is_read),
        cmocka_unit_test(test_wycheproof_departures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
