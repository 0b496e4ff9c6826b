#include "wycheproof.h"

#include <jansson.h>
#include <stdbool.h>

const cb_wycheproof_file cb_wycheproof_files[] = {
    {.name = "aes_gcm_test.json",
     .algorithm = "AES-GCM",
     .op = "aead/aes-256-gcm/decrypt",
     .key_bits = 256,
     .nonce_bits = 96,
     .tag_bits = 128},
    {.name = "chacha20_poly1305_test.json",
     .algorithm = "CHACHA20-POLY1305",
     .op = "aead/chacha20-poly1305/decrypt",
     .key_bits = 256,
     .nonce_bits = 96,
     .tag_bits = 128},
};
const size_t cb_wycheproof_file_count = sizeof cb_wycheproof_files / sizeof cb_wycheproof_files[0];

static cb_status parse_result(const char *word, cb_vector_result *result, cb_err *err)
{
    static const char *const words[] = {
        [CB_VECTOR_VALID] = "valid", [CB_VECTOR_INVALID] = "invalid", [CB_VECTOR_ACCEPTABLE] = "acceptable"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0) {
            *result = (cb_vector_result)i;
            return CB_OK;
        }
    return cb_fail(err, CB_BAD_ARGUMENT, "unknown result word \"%.40s\"", word);
}

static cb_status check_bits(const char *name, const char *hex, int bits, cb_err *err)
{
    if (strlen(hex) * 4 != (size_t)bits)
        return cb_fail(err, CB_BAD_ARGUMENT, "%s has %zu bits in a group of %d", name, strlen(hex) * 4, bits);
    return CB_OK;
}

/* An invalid test's msg is what was encrypted before the forging; there is no right output. */
static cb_status read_test(json_t *test, const cb_wycheproof_file *file, bool in_scope, cb_vector_list *list,
                           cb_err *err)
{
    json_int_t id = 0;
    char source[96];
    const char *word = NULL;
    const char *plaintext = NULL;
    cb_vector_text text = {.op = file->op, .source = source, .out = ""};
    if (json_unpack(test, "{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "tcId", &id, "key", &text.key, "iv",
                    &text.nonce, "aad", &text.aad, "msg", &plaintext, "ct", &text.msg, "tag", &text.aux,
                    "result", &word) != 0)
        return cb_fail(err, CB_BAD_ARGUMENT, "a test lacks a field, or one has another type");
    (void)snprintf(source, sizeof source, "Wycheproof %s, tcId %lld", file->name, (long long)id);
    cb_status status = parse_result(word, &text.result, err);
    if (status != CB_OK || !in_scope)
        return status;
    if (text.result != CB_VECTOR_INVALID)
        text.out = plaintext;
    status = check_bits("key", text.key, file->key_bits, err);
    if (status == CB_OK)
        status = check_bits("iv", text.nonce, file->nonce_bits, err);
    if (status == CB_OK)
        status = check_bits("tag", text.aux, file->tag_bits, err);
    return status == CB_OK ? cb_vector_list_add(list, &text, err) : status;
}

/* The counter that a group of these sizes belongs to. */
static size_t *count_for(cb_wycheproof_counts *counts, const cb_wycheproof_file *file, int key_bits,
                         int nonce_bits, int tag_bits)
{
    if (key_bits != file->key_bits)
        return &counts->other_key_size;
    if (nonce_bits != file->nonce_bits)
        return &counts->other_nonce_size;
    if (tag_bits != file->tag_bits)
        return &counts->other_tag_size;
    return &counts->taken;
}

static cb_status read_group(json_t *group, const cb_wycheproof_file *file, cb_vector_list *list,
                            cb_wycheproof_counts *counts, cb_err *err)
{
    const char *type = NULL;
    int key_bits = 0;
    int nonce_bits = 0;
    int tag_bits = 0;
    json_t *tests = NULL;
    if (json_unpack(group, "{s:s, s:i, s:i, s:i, s:o}", "type", &type, "keySize", &key_bits, "ivSize",
                    &nonce_bits, "tagSize", &tag_bits, "tests", &tests) != 0 ||
        !json_is_array(tests))
        return cb_fail(err, CB_BAD_ARGUMENT, "a group lacks a field, or one has another type");
    if (strcmp(type, "AeadTest") != 0)
        return cb_fail(err, CB_BAD_ARGUMENT, "unknown group type \"%.40s\"", type);
    size_t *count = count_for(counts, file, key_bits, nonce_bits, tag_bits);
    size_t index;
    json_t *test;
    json_array_foreach(tests, index, test)
    {
        cb_status status = read_test(test, file, count == &counts->taken, list, err);
        if (status != CB_OK)
            return status;
        (*count)++;
    }
    return CB_OK;
}

static cb_status read_document(json_t *document, const cb_wycheproof_file *file, cb_vector_list *list,
                               cb_wycheproof_counts *counts, cb_err *err)
{
    const char *schema = NULL;
    const char *algorithm = NULL;
    json_int_t expected = 0;
    json_t *groups = NULL;
    if (json_unpack(document, "{s:s, s:s, s:I, s:o}", "schema", &schema, "algorithm", &algorithm,
                    "numberOfTests", &expected, "testGroups", &groups) != 0 ||
        !json_is_array(groups))
        return cb_fail(err, CB_BAD_ARGUMENT, "the file lacks a field, or one has another type");
    if (strcmp(schema, "aead_test_schema_v1.json") != 0)
        return cb_fail(err, CB_BAD_ARGUMENT, "unknown schema \"%.60s\"", schema);
    if (strcmp(algorithm, file->algorithm) != 0)
        return cb_fail(err, CB_BAD_ARGUMENT, "algorithm is \"%.40s\", not %s", algorithm, file->algorithm);
    size_t index;
    json_t *group;
    json_array_foreach(groups, index, group)
    {
        cb_status status = read_group(group, file, list, counts, err);
        if (status != CB_OK)
            return status;
    }
    const size_t found =
        counts->taken + counts->other_key_size + counts->other_nonce_size + counts->other_tag_size;
    if (expected < 0 || (uint64_t)expected != found)
        return cb_fail(err, CB_BAD_ARGUMENT, "%zu tests, but numberOfTests is %lld", found,
                       (long long)expected);
    return CB_OK;
}

cb_status cb_wycheproof_read(const char *path, const cb_wycheproof_file *file, cb_vector_list *list,
                             cb_wycheproof_counts *counts, cb_err *err)
{
    json_error_t where;
    cb_err cause = {0};
    *counts = (cb_wycheproof_counts){0};
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    if (document == NULL)
        return cb_fail(err, CB_IO, "%s:%d: %s", path, where.line, where.text);
    cb_status status = read_document(document, file, list, counts, &cause);
    json_decref(document);
    return status == CB_OK ? CB_OK : cb_fail(err, status, "%s: %s", path, cause.msg);
}
