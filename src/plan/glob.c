#include "plan/glob.h"

bool cb_glob_is(const char *pattern)
{
    return strpbrk(pattern, "*?[") != NULL;
}

/* open: just behind '['. Returns the ']' that ends the set, or NULL. */
static const char *set_end(const char *open)
{
    if (*open == '!' || *open == '^')
        open++;
    return *open == '\0' ? NULL : strchr(open + 1, ']');
}

static bool set_has(const char *member, const char *end, unsigned char c)
{
    bool inverted = *member == '!' || *member == '^';
    bool found = false;
    for (member += inverted; member < end; member++) {
        unsigned char low = (unsigned char)*member;
        unsigned char high = low;
        if (end - member > 2 && member[1] == '-') {
            high = (unsigned char)member[2];
            member += 2;
        }
        found = found || (low <= c && c <= high);
    }
    return found != inverted;
}

/* Matches one character, which is not the terminator. *next: where the pattern goes on. */
static bool match_one(const char *pattern, char c, const char **next)
{
    *next = pattern + 1;
    if (*pattern == '?')
        return true;
    if (*pattern == '[') {
        const char *end = set_end(pattern + 1);
        if (end != NULL) {
            *next = end + 1;
            return set_has(pattern + 1, end, (unsigned char)c);
        }
    }
    return *pattern == c;
}

/* On a mismatch only the last `*` takes one character more: what earlier ones took can stay, as the last one
 * can make up for it. */
bool cb_glob_match(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    while (*text != '\0') {
        const char *next;
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (match_one(pattern, *text, &next)) {
            pattern = next;
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}
