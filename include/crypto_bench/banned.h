/* Calls that overflow, truncate in silence or keep hidden state. The build includes this header in every
 * translation unit of ours (-include), so that using one of them does not compile. */
#ifndef CRYPTO_BENCH_BANNED_H
#define CRYPTO_BENCH_BANNED_H

/* The headers that declare them come first: poisoned names may not appear in what follows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison sprintf vsprintf strcpy strcat strncpy strncat gets atoi atol atoll atof strtok

#endif
