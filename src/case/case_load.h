/* Read a case file into memory. */
#ifndef TRIAD_CASE_CASE_LOAD_H
#define TRIAD_CASE_CASE_LOAD_H

#include "case/case.h"

/* Read a case file. *text is malloc'd, *length bytes and a closing NUL; the caller frees it. TRIAD_ERR_INPUT: missing;
 * TRIAD_ERR_CASE: a directory, a device, longer than 1 MiB, or holding NUL bytes; TRIAD_ERR_IO; TRIAD_ERR_MEMORY.
 * Not collective. */
int triad_case_load_text(const char *path, char **text, size_t *length);

#endif
