/* Makes one call of a library misbehave, by LD_PRELOAD:
 *
 *   CB_SHIM_CALL=EVP_EncryptUpdate CB_SHIM_FAULT=flip:1000
 *
 * segv, abort, kill, exit, hang and spin happen in place of the call; fail answers what the call answers on
 * failure; flip changes the last byte of its output, short shortens the length it reports, and accept turns a
 * refusal into success. ":N" lets the first N - 1 calls of a process, and every further N - 1, go through. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <openssl/evp.h>
#include <signal.h>
#include <sodium.h>
#include <unistd.h>

/* What comes of the call; FAULT_IN_PLACE does not return. */
typedef enum fault { FAULT_NONE, FAULT_FAIL, FAULT_FLIP, FAULT_SHORT, FAULT_ACCEPT, FAULT_IN_PLACE } fault;

static void do_segv(void)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

static void do_kill(void)
{
    (void)raise(SIGKILL);
}

static void do_exit(void)
{
    exit(0);
}

static void do_hang(void)
{
    for (;;)
        (void)pause();
}

static void do_spin(void)
{
    for (volatile unsigned i = 0;; i++)
        continue;
}

typedef struct fault_word {
    const char *word;
    fault kind;
    void (*in_place)(void);
} fault_word;

static const fault_word fault_words[] = {
    {"segv", FAULT_IN_PLACE, do_segv}, {"abort", FAULT_IN_PLACE, abort},  {"kill", FAULT_IN_PLACE, do_kill},
    {"exit", FAULT_IN_PLACE, do_exit}, {"hang", FAULT_IN_PLACE, do_hang}, {"spin", FAULT_IN_PLACE, do_spin},
    {"fail", FAULT_FAIL, NULL},        {"flip", FAULT_FLIP, NULL},        {"short", FAULT_SHORT, NULL},
    {"accept", FAULT_ACCEPT, NULL},
};

static _Noreturn void refuse(const char *what, const char *value)
{
    (void)fprintf(stderr, "shim: %s %s is unknown\n", what, value);
    _exit(99);
}

static const fault_word *find_word(const char *text, size_t n)
{
    for (size_t i = 0; i < sizeof fault_words / sizeof fault_words[0]; i++)
        if (strlen(fault_words[i].word) == n && memcmp(fault_words[i].word, text, n) == 0)
            return &fault_words[i];
    refuse("CB_SHIM_FAULT", text);
}

/* Counts a call and says what shall come of it. */
static fault next_fault(const char *call)
{
    static unsigned long calls;
    const char *chosen = getenv("CB_SHIM_CALL");
    const char *text = getenv("CB_SHIM_FAULT");
    if (chosen == NULL || text == NULL || strcmp(chosen, call) != 0)
        return FAULT_NONE;
    size_t n = strcspn(text, ":");
    unsigned long every = text[n] == ':' ? strtoul(text + n + 1, NULL, 10) : 1;
    if (every == 0)
        refuse("CB_SHIM_FAULT", text);
    if (++calls % every != 0)
        return FAULT_NONE;
    const fault_word *word = find_word(text, n);
    if (word->in_place != NULL)
        word->in_place();
    return word->kind;
}

typedef struct search {
    const char *name;
    const void *own;
    void *found;
} search;

static int look_into(struct dl_phdr_info *object, size_t size, void *user)
{
    (void)size;
    search *s = user;
    if (object->dlpi_name == NULL || object->dlpi_name[0] == '\0')
        return 0;
    void *handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = handle != NULL ? dlsym(handle, s->name) : NULL;
    if (handle != NULL)
        (void)dlclose(handle);
    if (symbol == NULL || symbol == s->own)
        return 0;
    s->found = symbol;
    return 1;
}

/* The function that the call stands for. RTLD_NEXT does not see libraries that came in with a module. */
static void *find_real(const char *name, const void *own)
{
    search s = {name, own, NULL};
    (void)dl_iterate_phdr(look_into, &s);
    if (s.found == NULL)
        refuse("the call", name);
    return s.found;
}

/* Declares `real`, the function that this one shadows. */
#define REAL(name)                                                                                           \
    static __typeof__(&(name)) real;                                                                         \
    if (real == NULL) {                                                                                      \
        __typeof__(&(name)) own = (name);                                                                    \
        void *address = NULL;                                                                                \
        memcpy(&address, &own, sizeof address);                                                              \
        address = find_real(#name, address);                                                                 \
        memcpy(&real, &address, sizeof address);                                                             \
    }

static void flip_last(fault f, unsigned char *p, size_t n)
{
    if (f == FAULT_FLIP && p != NULL && n > 0)
        p[n - 1] ^= 1;
}

EVP_CIPHER *EVP_CIPHER_fetch(OSSL_LIB_CTX *ctx, const char *algorithm, const char *properties)
{
    REAL(EVP_CIPHER_fetch)
    return next_fault("EVP_CIPHER_fetch") == FAULT_FAIL ? NULL : real(ctx, algorithm, properties);
}

int EVP_CipherInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key,
                       const unsigned char *iv, int enc, const OSSL_PARAM params[])
{
    REAL(EVP_CipherInit_ex2)
    return next_fault("EVP_CipherInit_ex2") == FAULT_FAIL ? 0 : real(ctx, cipher, key, iv, enc, params);
}

int EVP_EncryptInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key,
                        const unsigned char *iv, const OSSL_PARAM params[])
{
    REAL(EVP_EncryptInit_ex2)
    return next_fault("EVP_EncryptInit_ex2") == FAULT_FAIL ? 0 : real(ctx, cipher, key, iv, params);
}

/* The two updates fail, flip and shorten alike. */
#define EVP_UPDATE(name)                                                                                     \
    int name(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_n, const unsigned char *in, int in_n)         \
    {                                                                                                        \
        REAL(name)                                                                                           \
        fault f = next_fault(#name);                                                                         \
        if (f == FAULT_FAIL)                                                                                 \
            return 0;                                                                                        \
        int ok = real(ctx, out, out_n, in, in_n);                                                            \
        flip_last(f, out, (size_t)*out_n);                                                                   \
        *out_n -= f == FAULT_SHORT;                                                                          \
        return ok;                                                                                           \
    }

EVP_UPDATE(EVP_EncryptUpdate)
EVP_UPDATE(EVP_DecryptUpdate)

int EVP_EncryptFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_n)
{
    REAL(EVP_EncryptFinal_ex)
    return next_fault("EVP_EncryptFinal_ex") == FAULT_FAIL ? 0 : real(ctx, out, out_n);
}

int EVP_DecryptFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_n)
{
    REAL(EVP_DecryptFinal_ex)
    fault f = next_fault("EVP_DecryptFinal_ex");
    int ok = f == FAULT_FAIL ? 0 : real(ctx, out, out_n);
    return f == FAULT_ACCEPT ? 1 : ok;
}

int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *ctx, int type, int number, void *p)
{
    REAL(EVP_CIPHER_CTX_ctrl)
    return next_fault("EVP_CIPHER_CTX_ctrl") == FAULT_FAIL ? 0 : real(ctx, type, number, p);
}

int sodium_init(void)
{
    REAL(sodium_init)
    return next_fault("sodium_init") == FAULT_FAIL ? -1 : real();
}

#define SODIUM_ENCRYPT(name, key_type)                                                                       \
    int name(unsigned char *out, unsigned char *tag, unsigned long long *tag_n, const unsigned char *msg,    \
             unsigned long long msg_n, const unsigned char *aad, unsigned long long aad_n,                   \
             const unsigned char *secret_nonce, const unsigned char *nonce, key_type key)                    \
    {                                                                                                        \
        REAL(name)                                                                                           \
        fault f = next_fault(#name);                                                                         \
        if (f == FAULT_FAIL)                                                                                 \
            return -1;                                                                                       \
        int status = real(out, tag, tag_n, msg, msg_n, aad, aad_n, secret_nonce, nonce, key);                \
        flip_last(f, out, (size_t)msg_n);                                                                    \
        *tag_n -= f == FAULT_SHORT;                                                                          \
        return status;                                                                                       \
    }

SODIUM_ENCRYPT(crypto_aead_aes256gcm_encrypt_detached_afternm, const crypto_aead_aes256gcm_state *)
SODIUM_ENCRYPT(crypto_aead_chacha20poly1305_ietf_encrypt_detached, const unsigned char *)

#define SODIUM_DECRYPT(name, key_type)                                                                       \
    int name(unsigned char *out, unsigned char *secret_nonce, const unsigned char *msg,                      \
             unsigned long long msg_n, const unsigned char *tag, const unsigned char *aad,                   \
             unsigned long long aad_n, const unsigned char *nonce, key_type key)                             \
    {                                                                                                        \
        REAL(name)                                                                                           \
        fault f = next_fault(#name);                                                                         \
        if (f == FAULT_FAIL)                                                                                 \
            return -1;                                                                                       \
        int status = real(out, secret_nonce, msg, msg_n, tag, aad, aad_n, nonce, key);                       \
        flip_last(f, out, (size_t)msg_n);                                                                    \
        return f == FAULT_ACCEPT ? 0 : status;                                                               \
    }

SODIUM_DECRYPT(crypto_aead_aes256gcm_decrypt_detached_afternm, const crypto_aead_aes256gcm_state *)
SODIUM_DECRYPT(crypto_aead_chacha20poly1305_ietf_decrypt_detached, const unsigned char *)

/* The last steps of writing a file. */
int fsync(int fd)
{
    REAL(fsync)
    if (next_fault("fsync") != FAULT_FAIL)
        return real(fd);
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    REAL(rename)
    if (next_fault("rename") != FAULT_FAIL)
        return real(from, to);
    errno = EIO;
    return -1;
}
