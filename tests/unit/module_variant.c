/* Modules that a loader must tell apart. VARIANT is 0 for a right one, 1 for one of another contract, 2 for
 * one without a table, 3 for one without a getter, 4 for one that needs what nobody has, 5 for one with a
 * library behind it. */
#include <crypto_bench/backend.h>

#define ABI (VARIANT == 1 ? CB_BACKEND_ABI + 1 : CB_BACKEND_ABI)

#if VARIANT == 4 || VARIANT == 5
const char *variant_library_text(void);
#else
static const char *variant_library_text(void)
{
    return "variant";
}
#endif

static const char *variant_text(void)
{
    return variant_library_text();
}

static cb_status variant_open(void **ctx, cb_err *err)
{
    (void)err;
    *ctx = NULL;
    return CB_OK;
}

static void variant_explain(void *ctx, cb_err *err)
{
    (void)ctx;
    (void)err;
}

static void variant_close(void *ctx)
{
    (void)ctx;
}

static const cb_absence absences[] = {{"aead/*", "a variant has no operation"}};

static const cb_backend variant = {
    .abi = ABI,
    .name = "variant",
    .licence = "MIT",
    .version = variant_text,
    .build = variant_text,
    .open = variant_open,
    .explain = variant_explain,
    .close = variant_close,
    .absences = absences,
    .n_absences = 1,
};

#if VARIANT == 3
CB_BACKEND_EXPORT const cb_backend *variant_get(void);
#define cb_backend_get variant_get
#endif

const cb_backend *cb_backend_get(void)
{
    return VARIANT == 2 ? NULL : &variant;
}
