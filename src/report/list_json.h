/* `crypto_bench list -f json`. */
#ifndef CB_REPORT_LIST_JSON_H
#define CB_REPORT_LIST_JSON_H

#include "report/listing.h"

#include <stdio.h>

/* One object: schema "crypto_bench/list/1"; operations [{id, family, algorithm, operation, work, sizes[],
 * contestants [{contestant, available, version, licence, since, limits, reason}]}]; libraries [{contestant,
 * backend, version, build, licence, path, witness, status, message}]. What does not exist is null. */
cb_status cb_list_json_write(FILE *stream, const cb_listing *listing, cb_err *err);

#endif
