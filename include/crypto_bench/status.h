/* One list of outcomes for the whole project, and the one error type that carries a sentence. */
#ifndef CRYPTO_BENCH_STATUS_H
#define CRYPTO_BENCH_STATUS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

typedef enum cb_status {
    CB_OK = 0,
    CB_REJECTED,      /* a negative case was refused, as it should be (a forged tag, say) */
    CB_UNSUPPORTED,   /* this build, version or CPU lacks it; the message says what is missing */
    CB_BAD_ARGUMENT,  /* the caller asked for something outside the documented range */
    CB_OUT_OF_MEMORY, /* an allocation failed */
    CB_LIBRARY_ERROR, /* the library reported a failure; the message has its code and text */
    CB_WRONG_OUTPUT,  /* the library reported success and returned the wrong bytes */
    CB_IO,            /* a file, pipe or message could not be read or written */
    CB_TIMEOUT,       /* no answer within the time limit */
    CB_CRASHED,       /* the process ended by a signal or left early */
    CB_STATUS_COUNT
} cb_status;

/* An outcome with the sentence that explains it. The caller owns it; msg is always terminated. */
typedef struct cb_err {
    cb_status code;
    char msg[160];
} cb_err;

/* The lower-case word for a status, as result files and tables print it. Never NULL. */
static inline const char *cb_status_word(cb_status status)
{
    static const char *const words[CB_STATUS_COUNT] = {
        [CB_OK] = "ok",
        [CB_REJECTED] = "rejected",
        [CB_UNSUPPORTED] = "unsupported",
        [CB_BAD_ARGUMENT] = "bad_argument",
        [CB_OUT_OF_MEMORY] = "out_of_memory",
        [CB_LIBRARY_ERROR] = "library_error",
        [CB_WRONG_OUTPUT] = "wrong_output",
        [CB_IO] = "io",
        [CB_TIMEOUT] = "timeout",
        [CB_CRASHED] = "crashed",
    };
    return (unsigned)status < CB_STATUS_COUNT ? words[status] : "unknown";
}

/* Fills *err (which may be NULL) and returns code, so that a failing path is one statement. */
__attribute__((format(printf, 3, 4))) static inline cb_status cb_fail(cb_err *err, cb_status code,
                                                                      const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        err->code = code;
        (void)vsnprintf(err->msg, sizeof err->msg, format, args);
        va_end(args);
    }
    return code;
}

#endif
