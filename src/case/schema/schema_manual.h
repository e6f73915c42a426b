/* Keys of a case as a manual page and as words for shell completion. */
#ifndef TRIAD_CASE_SCHEMA_SCHEMA_MANUAL_H
#define TRIAD_CASE_SCHEMA_SCHEMA_MANUAL_H

#include "case/schema.h"

/* The manual page triad-case(5), in man(7). */
int triad_schema_write_manual(FILE *file);

/* Branches of a shell's `case`, one a key: `grid.truncation=) echo sphere box none ;;`; and every key with a = behind
 * it, separated by blanks. */
int triad_schema_write_words(FILE *file);
int triad_schema_write_names(FILE *file);

#endif
