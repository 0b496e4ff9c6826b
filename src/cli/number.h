/* Numbers from the command line, strictly: the whole string is the number, in plain decimal digits without
 * sign, blank or exponent. Each function names the option, the value and the accepted range in err->msg when
 * it returns CB_BAD_ARGUMENT, and then leaves *value alone. option: the long name without dashes. */
#ifndef CB_CLI_NUMBER_H
#define CB_CLI_NUMBER_H

#include <crypto_bench/status.h>

#include <stdint.h>

/* A whole number from min to max. */
cb_status cb_number_whole(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
                          cb_err *err);

/* "2", "0.5" or ".5", from min to max. */
cb_status cb_number_decimal(const char *option, const char *text, double min, double max, double *value,
                            cb_err *err);

/* A size in bytes from 0 to max: "64", "16K" or "16KiB"; K, M and G (either case) count in powers of 1024. */
cb_status cb_number_size(const char *option, const char *text, uint64_t max, size_t *value, cb_err *err);

#define CB_NUMBER_SIZE_BYTES 24

/* The shortest exact form that cb_number_size() reads back: 16384 -> "16K", 1000 -> "1000". Returns text. */
const char *cb_number_size_text(uint64_t bytes, char text[CB_NUMBER_SIZE_BYTES]);

#endif
