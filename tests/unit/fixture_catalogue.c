#include "fixture_catalogue.h"

cb_catalogue fixture_catalogue(void)
{
    static cb_catalogue_kernel all[] = {{.op = FIXTURE_GCM_ENC},
                                        {.op = FIXTURE_GCM_DEC},
                                        {.op = FIXTURE_CHACHA_ENC},
                                        {.op = FIXTURE_CHACHA_DEC}};
    static cb_catalogue_absence absences[] = {{"aead/chacha*/encrypt", "beta never encrypts ChaCha"},
                                              {"aead/*", "beta has GCM only"}};
    static cb_catalogue_entry entries[] = {
        {.name = "alpha", .backend = "alpha", .version = "1.0", .kernels = all, .n_kernels = 4},
        {.name = "beta",
         .backend = "beta",
         .version = "2.0",
         .kernels = all,
         .n_kernels = 2,
         .absences = absences,
         .n_absences = 2},
        {.name = "gamma", .absent = {CB_UNSUPPORTED, "gamma was not found when this was built"}},
        {.name = "half", .backend = "half", .version = "3.0", .kernels = all + 2, .n_kernels = 1},
        {.name = "referee", .backend = "referee", .witness = true, .kernels = all, .n_kernels = 4},
    };
    return (cb_catalogue){.entries = entries, .n = sizeof entries / sizeof entries[0]};
}
