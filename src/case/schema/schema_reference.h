/* Keys of a case as the Markdown page docs/case.md. */
#ifndef TRIAD_CASE_SCHEMA_SCHEMA_REFERENCE_H
#define TRIAD_CASE_SCHEMA_SCHEMA_REFERENCE_H

#include "case/schema.h"

/* The reference page in Markdown, docs/case.md: a section for each table, a row for each key. */
int triad_schema_write_reference(FILE *file);

#endif
