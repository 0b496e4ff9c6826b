/* Keeps private paths out of result files. */
#ifndef CB_SYSTEM_REDACT_H
#define CB_SYSTEM_REDACT_H

/* A copy of text in which the cache folder and the home folder are replaced by $XDG_CACHE_HOME and $HOME.
 * cache and home may be NULL or empty (then nothing is replaced for them); when cache is NULL it is
 * home/.cache. The caller frees the copy; NULL when out of memory. Only whole path components match:
 * /home/ann does not match in /home/anna. */
char *cb_redact(const char *text, const char *cache, const char *home);

/* The same with XDG_CACHE_HOME and HOME from the environment. */
char *cb_redact_environment(const char *text);

#endif
