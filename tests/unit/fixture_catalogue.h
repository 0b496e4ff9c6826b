/* A catalogue that stands in for an installation: one library with everything, one with half, one that lacks
 * a row for a reason, one that is not there, and a witness. Const data, nothing to free. */
#ifndef CB_FIXTURE_CATALOGUE_H
#define CB_FIXTURE_CATALOGUE_H

#include "plan/catalogue.h"

#define FIXTURE_GCM_ENC    "aead/aes-256-gcm/encrypt"
#define FIXTURE_GCM_DEC    "aead/aes-256-gcm/decrypt"
#define FIXTURE_CHACHA_ENC "aead/chacha20-poly1305/encrypt"
#define FIXTURE_CHACHA_DEC "aead/chacha20-poly1305/decrypt"

/* Sorted by name: alpha 1.0 (all four rows), beta 2.0 (GCM, with reasons for the rest), gamma (not found),
 * half 3.0 (ChaCha encrypt, without reasons), referee (a witness, all four). */
cb_catalogue fixture_catalogue(void);

#endif
