/* Shell patterns over case ids, in time proportional to pattern times text at worst. */
#ifndef CB_PLAN_GLOB_H
#define CB_PLAN_GLOB_H

#include <stdbool.h>

/* True when the pattern has one of * ? [. */
bool cb_glob_is(const char *pattern);

/* True when the pattern matches the whole text. `*` stands for any characters, also '/'; `?` for one; [a-z]
 * for one of a set, [!a-z] or [^a-z] for one outside it, where a ']' in first place is a member. A '['
 * without its ']' stands for itself. There is no escape character: ids hold none of these but '?'. */
bool cb_glob_match(const char *pattern, const char *text);

#endif
