/* What one family of solvers adds to a case: its solvers, keys, words, rules and quantities, as plain const data.
 *
 * The engine of the case knows no solver by name. It asks the linker: triad_case_parts is defined by the one place that
 * lists the families, solvers/list.c. */
#ifndef TRIAD_CASE_PART_H
#define TRIAD_CASE_PART_H

#include "case/case.h"
#include "case/key.h"
#include "case/slice.h"

typedef struct triad_solver_row {
  triad_word word;  /* name and about */
  const char *mark; /* a dataset that tells its files of fields from those of solvers before it in the list, where
                     * `triad spectra` may read them; or NULL */
  const char *rest; /* a word of initial.kind that asks for no other key */
} triad_solver_row;

typedef struct triad_case_part triad_case_part;

struct triad_case_part {
  const char *family;
  const triad_solver_row *solvers; /* ended by one without a name */

  /* What single solvers of the family add, a part of theirs each, ended by NULL: their keys, rules and quantities come
   * behind the family's, which then hold for the solvers of these parts too. NULL: none. */
  const triad_case_part *const *sets;

  /* Ended by one without a name. A row of the name of a common key (triad_common_keys) stands in its place, and another
   * family may have a row of the same name. Keys of a table stand together; a table that is not among the common ones
   * comes before the next one that is. */
  const triad_key *keys;

  /* What no single key can tell: called for a case of this family, with triad_case_good and triad_case_error_of. May be
   * NULL. */
  void (*rules)(triad_case *c);

  const triad_quantity *quantities; /* what slices may show; ended by one without a name */
};

/* Of the families, ended by NULL. */
extern const triad_case_part *const triad_case_parts[];

/* The keys of every solver, in the order in which tables are shown. Ended by one without a name. */
extern const triad_key triad_common_keys[];

/* Solver number i of all families, NULL behind the last; and as a word of equations.solver. */
const triad_solver_row *triad_solver_row_at(int i);
const triad_word *triad_solver_word(int i);

/* Part number i: each family's, and behind it those of its sets. NULL behind the last. */
const triad_case_part *triad_case_part_at(int i);

/* Does a part speak for a solver: its own, or one of its sets'? With solver NULL (not known): yes. */
int triad_case_part_has(const triad_case_part *part, const char *solver);

/* ---- for rules ---- */

/* Has the key of this case a good value, given or its default? Others must not be asked for. 0 for keys that do not
 * apply. */
int triad_case_good(const triad_case *c, const char *key);

/* Note an error where the key stands, or value i of it. Formats take clean text only. */
void triad_case_error_of(triad_case *c, const char *key, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
void triad_case_error_of_value(triad_case *c, const char *key, int i, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

#endif
