#include "system/redact.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A folder to hide and what stands in its place. */
typedef struct secret {
    const char *path;
    size_t n; /* bytes of path without trailing slashes; 0 = nothing to hide */
    const char *name;
} secret;

/* A relative folder would match in the middle of ordinary words, and "/" in every path. */
static secret secret_make(const char *path, const char *name)
{
    size_t n = path != NULL && path[0] == '/' ? strlen(path) : 0;
    while (n > 0 && path[n - 1] == '/') {
        n--;
    }
    return (secret){.path = path, .n = n, .name = name};
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || (c != '\0' && strchr("_-+~@%#", c) != NULL);
}

/* Whether a path component ends before rest. Dots go on with a name only when a name follows: "/home/ann."
 * may close a sentence. */
static bool component_ends(const char *rest)
{
    return !in_name(rest[strspn(rest, ".")]);
}

/* On the left nothing is asked: a folder begins with a slash, so it begins a component, and /mnt/home/ann
 * tells the name as well as /home/ann does. */
static bool secret_at(const secret *hidden, const char *text)
{
    return hidden->n > 0 && strncmp(text, hidden->path, hidden->n) == 0 && component_ends(text + hidden->n);
}

/* The longest secret that begins at text, or NULL. */
static const secret *find_secret(const secret *secrets, size_t n, const char *text)
{
    const secret *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if (secret_at(&secrets[i], text) && (found == NULL || secrets[i].n > found->n)) {
            found = &secrets[i];
        }
    }
    return found;
}

/* Writes the redacted text to out, or only counts when out is NULL. Returns its length. */
static size_t redact_into(char *out, const char *text, const secret *secrets, size_t n)
{
    size_t used = 0;
    while (*text != '\0') {
        const secret *found = find_secret(secrets, n, text);
        const char *piece = found != NULL ? found->name : text;
        const size_t length = found != NULL ? strlen(found->name) : 1;
        if (out != NULL) {
            memcpy(out + used, piece, length);
        }
        used += length;
        text += found != NULL ? found->n : 1;
    }
    return used;
}

/* home/.cache, or NULL when there is no memory for it. */
static char *default_cache(const char *home)
{
    static const char suffix[] = "/.cache";
    const size_t n = secret_make(home, "").n;
    char *cache = malloc(n + sizeof suffix);
    if (cache != NULL) {
        memcpy(cache, home, n);
        memcpy(cache + n, suffix, sizeof suffix);
    }
    return cache;
}

static char *redact_both(const char *text, const char *cache, const char *home)
{
    const secret secrets[] = {secret_make(cache, "$XDG_CACHE_HOME"), secret_make(home, "$HOME")};
    const size_t n = sizeof secrets / sizeof secrets[0];
    const size_t length = redact_into(NULL, text, secrets, n);
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        (void)redact_into(copy, text, secrets, n);
        copy[length] = '\0';
    }
    return copy;
}

char *cb_redact(const char *text, const char *cache, const char *home)
{
    if (cache != NULL || secret_make(home, "").n == 0) {
        return redact_both(text, cache, home);
    }
    char *fallback = default_cache(home);
    if (fallback == NULL) {
        return NULL;
    }
    char *copy = redact_both(text, fallback, home);
    free(fallback);
    return copy;
}

char *cb_redact_environment(const char *text)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    /* The XDG base directory specification: unset, empty and relative all mean the default. */
    return cb_redact(text, cache != NULL && cache[0] == '/' ? cache : NULL, getenv("HOME"));
}
