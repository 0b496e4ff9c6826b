/* Shows a value from outside inside a message, whatever bytes it holds. */
#ifndef CB_CLI_QUOTE_H
#define CB_CLI_QUOTE_H

#define CB_QUOTE_TEXT_MAX 40                          /* characters shown before a value is shortened */
#define CB_QUOTE_BYTES    (CB_QUOTE_TEXT_MAX + 2 + 4) /* quotes; "..." and the terminator */

/* Writes text in double quotes and returns quoted. Printable ASCII stands for itself; quotes and backslashes
 * get a backslash; every other byte becomes \n, \r, \t or \xNN. What does not fit is cut between characters,
 * with "..." behind the closing quote. */
const char *cb_quote(const char *text, char quoted[CB_QUOTE_BYTES]);

#endif
