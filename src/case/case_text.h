/* The value of a key as TOML text. */
#ifndef TRIAD_CASE_CASE_TEXT_H
#define TRIAD_CASE_CASE_TEXT_H

#include "case/case_internal.h"

/* The value of a key as TOML, also of a void one: to a file, or malloc'd, NULL without memory. */
void triad_case_write_value(FILE *file, const triad_key *key, const triad_case_slot *slot);
char *triad_case_slot_text(const triad_case *c, const triad_key *key);

#endif
