/* Keys without effect in a case, and the warnings about them. */
#ifndef TRIAD_CASE_CASE_VOID_H
#define TRIAD_CASE_CASE_VOID_H

#include "case/case_internal.h"

/* Is the key of this case without effect, and by which values, "grid.file = \"a.msh\"" (why may be
 * NULL)? A warning for each such key that the user gives. */
int triad_case_is_void(const triad_case *c, const triad_key *key, char *why, size_t size);
void triad_case_warn_void(triad_case *c);
void triad_case_free_warnings(triad_case *c);

#endif
