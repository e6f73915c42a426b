/* The rule between keys of a closure and the grid. */
#include "solvers/closure/keys.h"

#include "case/part.h"

void triad_closure_rule(triad_case *c)
{
  int64_t n[3];
  if (!triad_case_applies(c, "closure.model") || !triad_case_good(c, "closure.model") || !triad_case_good(c, "grid.n"))
    return;
  triad_case_integers(c, "grid.n", n, 3);
  const int plane = n[0] == 1 || n[1] == 1 || n[2] == 1;
  if (plane && triad_case_is(c, "closure.model", "sigma"))
    triad_case_error_of(c, "closure.model",
                        "closure.model = \"sigma\" is 0 everywhere in a plane flow: use another model, or a grid with "
                        "more than one point along each axis");
  if (plane && triad_case_is(c, "closure.model", "spectral"))
    triad_case_error_of(c, "closure.model",
                        "closure.model = \"spectral\" is for turbulence in three dimensions: use another model, or a "
                        "grid with more than one point along each axis");
}
