/* Store TOML values in keys of a case, with checks of type, range and shape. */
#ifndef TRIAD_CASE_READ_CASE_VALUE_H
#define TRIAD_CASE_READ_CASE_VALUE_H

#include "case/case_internal.h"

/* Room for n values of a key in an empty slot, 0 without memory; give back what a slot holds. */
int triad_case_room(triad_case_slot *slot, const triad_key *key, int n);
void triad_case_empty(triad_case_slot *slot);

/* Convert the value of a key into its slot. Errors are noted at `place`, or for a file at the value; the
 * slot then keeps its previous value. */
void triad_case_take(triad_case *c, int row, const triad_toml_item *item, triad_case_place place);
int triad_in_range(const triad_key *key, double value); /* false for NaN */
const triad_word *triad_find_word(const triad_key *key, const char *solver, const char *text, size_t length);

#endif
