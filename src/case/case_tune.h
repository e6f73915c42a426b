/* Set a key of a case from the program. */
#ifndef TRIAD_CASE_CASE_TUNE_H
#define TRIAD_CASE_CASE_TUNE_H

#include "case/case.h"

/* Replace the value of a key; `value` is text as for --set. triad_case_origin returns `origin` for it from then on; all
 * such keys have the same one. TRIAD_ERR_CASE if the schema does not allow the value; triad_case_errors has the
 * messages. Not collective. */
int triad_case_tune(triad_case *c, const char *key, const char *value, const char *origin);

#endif
