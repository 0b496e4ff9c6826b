/* Where this program and its modules are. */
#ifndef CB_SYSTEM_PLACE_H
#define CB_SYSTEM_PLACE_H

#include <crypto_bench/status.h>

/* Absolute path of the running program. The caller frees *path. */
cb_status cb_place_executable(char **path, cb_err *err);

/* The folder of backend modules: CRYPTO_BENCH_BACKENDS where it is set; beside the program (a build); or
 * ../lib/crypto_bench (an installation). The caller frees *path. CB_IO naming the places when there is none.
 */
cb_status cb_place_backends(const char *executable, char **path, cb_err *err);

#endif
