/* Load a case file, find all syntax errors by blanking each bad line and parsing again, and pass its keys on. */
#ifndef TRIAD_CASE_READ_CASE_READ_H
#define TRIAD_CASE_READ_CASE_READ_H

#include "case/case_internal.h"

/* The file's items. *broken: the file has syntax errors, so that nothing can be said of keys that were not
 * seen; *doc may be NULL then. */
int triad_case_parse_file(triad_case *c, const char *text, size_t length, triad_toml **doc, int *broken);
void triad_case_read_items(triad_case *c, const triad_toml *doc, triad_case_reader *read);
void triad_case_read_item(triad_case *c, const triad_toml_item *item, triad_case_place place);

#endif
