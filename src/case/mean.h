/* The entries of output.means: "spectra", "moments", "pdfs", "profiles z", "quantities". */
#ifndef TRIAD_CASE_MEAN_H
#define TRIAD_CASE_MEAN_H

#include "case/case.h"

#include <stddef.h>

enum { TRIAD_MEANS = 7 /* entries at most: three profiles */ };

typedef struct triad_mean_list {
  int any, spectra, moments, pdfs;
  int quantities;  /* those, and profiles, of the case's own too */
  int profiles[3]; /* along x, y, z */
} triad_mean_list;

/* Add an entry to a list that begins as {0}. Returns 0 if the entry is invalid or a duplicate, with the reason in
 * why[size] as clean text. `text` is UTF-8 without NUL. */
int triad_mean_take(triad_mean_list *list, const char *text, char *why, size_t size);

/* What a case whose output.means has been checked asks for. */
triad_mean_list triad_mean_asked(const triad_case *given);

/* For the rules of a family that has the key: report invalid entries at their position. */
void triad_mean_rule(triad_case *c);

/* The same for a family without [[output.quantities]], which refuses "quantities". */
void triad_mean_rule_of_fields(triad_case *c);

#endif
