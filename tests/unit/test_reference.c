#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* needs what stands above */

#include <crypto_bench/backend.h>

#include "reference/aes_gcm.h"

/* Key lengths and nonce lengths that no row of the backend has yet. D. McGrew and J. Viega, "The
 * Galois/Counter Mode of Operation (GCM)", appendix B: its longer cases share plaintext, AAD and nonces. The
 * Wycheproof tests have nonces of 1, 16 and 257 bytes, those of 16 bytes so that the 32-bit counter wraps. */
#define KEY_HALF "feffe9928665731c6d6a8f9467308308"
#define NONCE_8  "cafebabefacedbad"
#define NONCE_12 "cafebabefacedbaddecaf888"
#define NONCE_60                                                                                             \
    "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"                                       \
    "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
#define SPEC_AAD "feedfacedeadbeeffeedfacedeadbeefabaddad2"
#define SPEC_PLAINTEXT                                                                                       \
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"                                       \
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"

static const struct gcm_case {
    const char *source, *key, *nonce, *aad, *plaintext, *ciphertext, *tag;
} gcm_cases[] = {
    {"GCM specification, test case 4", KEY_HALF, NONCE_12, SPEC_AAD, SPEC_PLAINTEXT,
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
     "5bc94fbc3221a5db94fae95ae7121a47"},
    {"GCM specification, test case 5", KEY_HALF, NONCE_8, SPEC_AAD, SPEC_PLAINTEXT,
     "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
     "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
     "3612d2e79e3b0785561be14aaca2fccb"},
    {"GCM specification, test case 6", KEY_HALF, NONCE_60, SPEC_AAD, SPEC_PLAINTEXT,
     "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7"
     "01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5",
     "619cc5aefffe0bfa462af43c1699d050"},
    {"GCM specification, test case 10", KEY_HALF "feffe9928665731c", NONCE_12, SPEC_AAD, SPEC_PLAINTEXT,
     "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c"
     "7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
     "2519498e80f1478f37ba55bd6d27618c"},
    {"GCM specification, test case 11", KEY_HALF "feffe9928665731c", NONCE_8, SPEC_AAD, SPEC_PLAINTEXT,
     "0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057"
     "fddc29df9a471f75c66541d4d4dad1c9e93a19a58e8b473fa0f062f7",
     "65dcc57fcf623a24094fcca40d3533f8"},
    {"GCM specification, test case 12", KEY_HALF "feffe9928665731c", NONCE_60, SPEC_AAD, SPEC_PLAINTEXT,
     "d27e88681ce3243c4830165a8fdcf9ff1de9a1d8e6b447ef6ef7b79828666e45"
     "81e79012af34ddd9e2f037589b292db3e67c036745fa22e7e9b7373b",
     "dcf566ff291c25bbb8568fc3d376a6d9"},
    {"GCM specification, test case 16", KEY_HALF KEY_HALF, NONCE_12, SPEC_AAD, SPEC_PLAINTEXT,
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
     "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
     "76fc6ece0f4e1768cddf8853bb2d551b"},
    {"GCM specification, test case 17", KEY_HALF KEY_HALF, NONCE_8, SPEC_AAD, SPEC_PLAINTEXT,
     "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0"
     "feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
     "3a337dbf46a792c45e454913fe2ea8f2"},
    {"GCM specification, test case 18", KEY_HALF KEY_HALF, NONCE_60, SPEC_AAD, SPEC_PLAINTEXT,
     "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf4"
     "0fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f",
     "a44a8266ee1c8eb0c8b5d4cf5ae9f19a"},
    {"Wycheproof aes_gcm_test.json, tcId 242",
     "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f", "ce20a7e870696a5e68533c465bad2ba1",
     "",
     "0000000000000000000000000000000000000000000000000000000000000000"
     "0000000000000000",
     "4f4350565d91d9aa8c5f4048550492ad6d6fdabf66da5d1e2af7bfe1a8aadaa0"
     "baa3de38a41d9713",
     "155da6441ec071ef2d8e6cffbacc1c7c"},
    {"Wycheproof aes_gcm_test.json, tcId 245",
     "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f", "ecd52120af240e9b4bf3b9d1eeb49434",
     "",
     "0000000000000000000000000000000000000000000000000000000000000000"
     "0000000000000000",
     "36b3fbecd09178d04527fb37544f5579d20d60a41266f685c48098e1a52804ca"
     "387d90709d3268dd",
     "033e0ef2953ebfd8425737c7d393f89a"},
    {"Wycheproof aes_gcm_test.json, tcId 247",
     "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f", "538816c3f849067cf8576cd62b90b99c",
     "",
     "0000000000000000000000000000000000000000000000000000000000000000"
     "0000000000000000",
     "6d3faefaf691d58163846f8d4b9ffd5916929b773051f12b0adac95f65e21a7f"
     "36b3fbecd09178d0",
     "84f49740e6757f63dd0df7cb7656d0ef"},
    {"Wycheproof aes_gcm_test.json, tcId 299",
     "8f9a38c1014966e4d9ae736139c5e79b99345874f42d4c7d2c81aa6797c417c0", "a9", "", "", "",
     "2a268bf3a75fd7b00ba230b904bbb014"},
    {"Wycheproof aes_gcm_test.json, tcId 276",
     "3bc3bf39d0d5ffd94cca2b45c678a2d049151ed2babc713be53cb66f54a16337",
     "92c2cee7e9138b186da51f146fb21fd5b491f1a19eef61d4ed14ce6b21b04fdb"
     "6ff8ebb60fddc55926e7bda2a8f35c610bb795232412739d6c2d74458ef5a1a1"
     "cde9bf17e47e3b00db0b0504d56dc8b8d3de23f7c3a5d52e8d0aab1e64405aaa"
     "852ec2dd667ed9c1fd8dc1fdbbc8712c7a38f30faeab594f33897b41b1720f3c"
     "2f954ed91ca450d82c3dcd35858c608ad42f36832e56b04821a132f72e0da7b6"
     "2cbd3925250f64fbb3f5c4783495893097adc09a32d776e04bf72558d37830b3"
     "72341f6536d8ee9df4a82e4074e7774ab6917a04fa8c499eb4b46a92def365da"
     "8b5eb1e0b438779507d1f5272a6e8629a3f9c7bd4862c5691ee8b56bfe292deb"
     "4e",
     "", "8125ee7637d7d0e03bbacf35", "5496ae94c3322ebf959ea9a9", "70717cc00fd1ffa59bb04329226a0c0a"},
};

/* The longest field above, in bytes, with room to spare. */
#define FIELD_MAX 320

typedef struct field {
    uint8_t bytes[FIELD_MAX];
    size_t n;
} field;

static cb_span span_of(const field *f)
{
    return (cb_span){f->bytes, f->n};
}

static field from_hex(const char *hex)
{
    field f = {.n = strlen(hex) / 2};
    assert_true(f.n <= FIELD_MAX);
    for (size_t i = 0; i < f.n; i++) {
        const char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        f.bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return f;
}

static void test_gcm_keys_and_nonces_of_all_lengths(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof gcm_cases / sizeof gcm_cases[0]; i++) {
        const struct gcm_case *c = &gcm_cases[i];
        const field key = from_hex(c->key);
        const field nonce = from_hex(c->nonce);
        const field aad = from_hex(c->aad);
        const field plaintext = from_hex(c->plaintext);
        const field ciphertext = from_hex(c->ciphertext);
        const field tag = from_hex(c->tag);
        reference_aes_gcm k;
        uint8_t out[FIELD_MAX];
        uint8_t out_tag[REFERENCE_AES_GCM_TAG_BYTES];
        print_message("%s\n", c->source);
        assert_true(reference_aes_gcm_set_key(&k, span_of(&key)));
        assert_int_equal(plaintext.n, ciphertext.n);
        reference_aes_gcm_crypt(&k, span_of(&nonce), span_of(&plaintext), out);
        assert_memory_equal(out, ciphertext.bytes, ciphertext.n);
        reference_aes_gcm_tag(&k, span_of(&nonce), span_of(&aad), span_of(&ciphertext), out_tag);
        assert_int_equal(tag.n, sizeof out_tag);
        assert_memory_equal(out_tag, tag.bytes, tag.n);
    }
}

/* FIPS 197, figure 7: corners of the S-box, and values that the affine part alone decides. */
static void test_sbox(void **unused)
{
    (void)unused;
    static const uint8_t zero_key[16];
    static const uint8_t expected[][2] = {{0x00, 0x63}, {0x01, 0x7c}, {0x53, 0xed}, {0x80, 0xcd},
                                          {0x9a, 0xb8}, {0xf0, 0x8c}, {0x52, 0x00}, {0xff, 0x16}};
    reference_aes_gcm k;
    assert_true(reference_aes_gcm_set_key(&k, (cb_span){zero_key, sizeof zero_key}));
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(k.sbox[expected[i][0]], expected[i][1]);
}

static void test_gcm_refuses_other_key_lengths(void **unused)
{
    (void)unused;
    static const uint8_t bytes[33];
    reference_aes_gcm k;
    for (size_t n = 0; n <= sizeof bytes; n++)
        assert_int_equal(reference_aes_gcm_set_key(&k, (cb_span){bytes, n}), n == 16 || n == 24 || n == 32);
}

/* The contract, for every row. */

#define MESSAGE_BYTES 37
#define TAG_BYTES     16
#define FILLER        0x5a

static const uint8_t key_bytes[32] = {1, 2, 3};
static const uint8_t nonce_bytes[12] = {4, 5, 6};
static const uint8_t aad_bytes[5] = {7, 8, 9};

/* What decryption gets: a ciphertext with its tag behind it. */
typedef struct sealed {
    const cb_kernel *encrypt, *decrypt;
    uint8_t bytes[MESSAGE_BYTES + TAG_BYTES];
    cb_input input;
} sealed;

static cb_input base_input(void)
{
    return (cb_input){.key = {key_bytes, sizeof key_bytes},
                      .nonce = {nonce_bytes, sizeof nonce_bytes},
                      .aad = {aad_bytes, sizeof aad_bytes}};
}

static cb_status run_kernel(const cb_kernel *kernel, const cb_input *input, cb_buf *out)
{
    void *state = NULL;
    cb_err err = {0};
    assert_int_equal(kernel->bind(NULL, kernel, input, &state, &err), CB_OK);
    cb_status status = kernel->run(state, input, out);
    kernel->unbind(state);
    return status;
}

/* Encrypts a message of zeros with the pair of rows that starts at number `first`, in place. */
static void seal(sealed *s, size_t first)
{
    const cb_backend *backend = cb_backend_get();
    memset(s, 0, sizeof *s);
    s->encrypt = &backend->kernels[first];
    s->decrypt = &backend->kernels[first + 1];
    s->input = base_input();
    s->input.msg = (cb_span){s->bytes, MESSAGE_BYTES};
    cb_buf out = {s->bytes, 0, sizeof s->bytes};
    assert_int_equal(run_kernel(s->encrypt, &s->input, &out), CB_OK);
    assert_int_equal(out.n, sizeof s->bytes);
    s->input.aux = (cb_span){s->bytes + MESSAGE_BYTES, TAG_BYTES};
}

static void expect_bad_argument(const cb_kernel *kernel, const cb_input *input, size_t cap)
{
    uint8_t room[MESSAGE_BYTES + TAG_BYTES];
    memset(room, FILLER, sizeof room);
    cb_buf out = {room, 99, cap};
    assert_int_equal(run_kernel(kernel, input, &out), CB_BAD_ARGUMENT);
    assert_int_equal(out.n, 0);
    for (size_t i = 0; i < sizeof room; i++)
        assert_int_equal(room[i], FILLER);
}

static void test_identity(void **unused)
{
    (void)unused;
    const cb_backend *backend = cb_backend_get();
    assert_int_equal(backend->abi, CB_BACKEND_ABI);
    assert_string_equal(backend->name, "reference");
    assert_true(backend->witness);
    assert_int_equal(backend->n_kernels % 2, 0);
    for (size_t i = 0; i < backend->n_kernels; i += 2) {
        assert_non_null(strstr(backend->kernels[i].op, "/encrypt"));
        assert_non_null(strstr(backend->kernels[i + 1].op, "/decrypt"));
    }
}

static void test_decrypts_what_it_encrypted(void **unused)
{
    (void)unused;
    static const uint8_t zeros[MESSAGE_BYTES];
    for (size_t i = 0; i < cb_backend_get()->n_kernels; i += 2) {
        sealed s;
        uint8_t room[MESSAGE_BYTES];
        seal(&s, i);
        cb_buf out = {room, 0, sizeof room};
        assert_int_equal(run_kernel(s.decrypt, &s.input, &out), CB_OK);
        assert_int_equal(out.n, MESSAGE_BYTES);
        assert_memory_equal(room, zeros, sizeof zeros);
    }
}

static void test_forgery_leaves_no_plaintext(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < cb_backend_get()->n_kernels; i += 2) {
        sealed s;
        seal(&s, i);
        for (size_t bit = 0; bit < 8 * sizeof s.bytes; bit++) {
            uint8_t room[MESSAGE_BYTES];
            memset(room, FILLER, sizeof room);
            cb_buf out = {room, 99, sizeof room};
            s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_int_equal(run_kernel(s.decrypt, &s.input, &out), CB_REJECTED);
            s.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_int_equal(out.n, 0);
            for (size_t k = 0; k < sizeof room; k++)
                assert_int_equal(room[k], FILLER);
        }
    }
}

static void test_run_checks_lengths(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < cb_backend_get()->n_kernels; i += 2) {
        sealed s;
        seal(&s, i);
        expect_bad_argument(s.encrypt, &s.input, MESSAGE_BYTES + TAG_BYTES - 1);
        expect_bad_argument(s.encrypt, &s.input, TAG_BYTES - 1);
        expect_bad_argument(s.decrypt, &s.input, MESSAGE_BYTES - 1);
        s.input.aux.n = TAG_BYTES - 1;
        expect_bad_argument(s.decrypt, &s.input, MESSAGE_BYTES);
        s.input.aux.n = TAG_BYTES;
        s.input.nonce.n = 0;
        expect_bad_argument(s.encrypt, &s.input, sizeof s.bytes);
        expect_bad_argument(s.decrypt, &s.input, sizeof s.bytes);
    }
}

static void test_chacha_takes_nonces_of_12_bytes_only(void **unused)
{
    (void)unused;
    static const uint8_t longer[13];
    sealed s;
    seal(&s, 2);
    assert_string_equal(s.encrypt->op, "aead/chacha20-poly1305/encrypt");
    for (size_t n = 0; n <= sizeof longer; n++) {
        s.input.nonce = (cb_span){longer, n};
        if (n == 12)
            continue;
        expect_bad_argument(s.encrypt, &s.input, sizeof s.bytes);
        expect_bad_argument(s.decrypt, &s.input, sizeof s.bytes);
    }
}

static void test_bind_checks_the_key(void **unused)
{
    (void)unused;
    const cb_backend *backend = cb_backend_get();
    for (size_t i = 0; i < backend->n_kernels; i++)
        for (size_t n = 0; n < sizeof key_bytes; n++) {
            cb_input input = base_input();
            void *state = NULL;
            cb_err err = {0};
            input.key.n = n;
            assert_int_equal(backend->kernels[i].bind(NULL, &backend->kernels[i], &input, &state, &err),
                             CB_BAD_ARGUMENT);
            assert_int_equal(err.code, CB_BAD_ARGUMENT);
            assert_null(state);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gcm_keys_and_nonces_of_all_lengths),
        cmocka_unit_test(test_sbox),
        cmocka_unit_test(test_gcm_refuses_other_key_lengths),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_decrypts_what_it_encrypted),
        cmocka_unit_test(test_forgery_leaves_no_plaintext),
        cmocka_unit_test(test_run_checks_lengths),
        cmocka_unit_test(test_chacha_takes_nonces_of_12_bytes_only),
        cmocka_unit_test(test_bind_checks_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
