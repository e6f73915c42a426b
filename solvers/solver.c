/* List the families of solvers and find the one of a case. */
#include "solvers/solver.h"

#include "solvers/list.h"

#define DECLARE(family) extern const triad_solver triad_solver_##family, triadf_solver_##family;
#define ENTRY(family) {&triad_solver_##family, &triadf_solver_##family},
TRIAD_SOLVERS(DECLARE)

static const triad_solver *const all[][2] = {TRIAD_SOLVERS(ENTRY)};
enum { FAMILIES = sizeof all / sizeof *all };

int triad_solver_find(const triad_solver **out, const triad_case *given)
{
  const char *solver = triad_case_word(given, "equations.solver");
  int single = triad_case_is(given, "precision", "single");
  for (int i = 0; i < FAMILIES; i++) {
    *out = all[i][single];
    if (triad_case_part_has((*out)->part, solver)) return TRIAD_OK;
  }
  *out = NULL;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s is not built in", solver);
}

const triad_solver *triad_solver_family(int i) { return i < FAMILIES ? all[i][0] : NULL; }
