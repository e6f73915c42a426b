/* The entries of output.fields: quantities; "modes 64", filtered to these modes and on no more points than they need;
 * "box 0 pi 0 2pi 1 2", the points from x = 0 to pi, y = 0 to 2 pi, z = 1 to 2. */
#ifndef TRIAD_CASE_FIELD_LIST_H
#define TRIAD_CASE_FIELD_LIST_H

#include "case/slice.h"

#include <stdint.h>

typedef struct triad_field_list {
  int n; /* 0: the fields of the state */
  triad_slice_quantity quantity[TRIAD_FIELD_LIST];
  int64_t modes; /* |k| up to so many of the smallest wavenumbers of the box; 0: all */
  int boxed;
  double box[6]; /* x, x, y, y, z, z */
} triad_field_list;

/* Add an entry to a list that begins as {0}; with solver NULL (not known) any quantity is accepted. Returns 0 if the
 * entry is invalid or a duplicate, with the reason in why[size] as clean text. `text` is UTF-8 without NUL. */
int triad_field_list_take(triad_field_list *list, const char *text, const char *solver, const triad_own_names *own,
                          char *why, size_t size);

#endif
