/* Choose between the Fourier and the cosine solver, and call the chosen one. */
#include "solvers/staggered/pressure/transform.h"
#include "solvers/staggered/plain/waves.h"

#include "solvers/staggered/pressure/cosines.h"
#include "solvers/staggered/pressure/fourier.h"

#include <stdlib.h>

struct triad_staggered_transform {
  const triad_staggered_mesh *m;
  triad_staggered_fourier *fourier; /* one of the two */
  triad_staggered_cosines *cosines;
};

void triad_staggered_transform_renew(triad_staggered_transform *t)
{
  if (t->fourier) triad_staggered_fourier_renew(t->fourier);
  if (t->cosines) triad_staggered_cosines_renew(t->cosines);
}

int triad_staggered_transform_create(triad_staggered_transform **out, const triad_staggered_mesh *m, const char *wisdom)
{
  triad_staggered_transform *t = *out = calloc(1, sizeof *t);
  int st = triad_agree(&m->context->comm, t ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure transform"));
  if (st == TRIAD_OK) {
    t->m = m;
    st = triad_staggered_line_axis(&m->setup) < 0 ? triad_staggered_fourier_create(&t->fourier, m, wisdom)
                                                  : triad_staggered_cosines_create(&t->cosines, m, wisdom);
  }
  if (st != TRIAD_OK) triad_staggered_transform_destroy(out);
  return st;
}

void triad_staggered_transform_destroy(triad_staggered_transform **transform)
{
  triad_staggered_transform *t = *transform;
  if (!t) return;
  triad_staggered_fourier_destroy(&t->fourier);
  triad_staggered_cosines_destroy(&t->cosines);
  free(t);
  *transform = NULL;
}

int triad_staggered_transform_solve(triad_staggered_transform *t, const triad_real *r, triad_real *q)
{
  return t->fourier ? triad_staggered_fourier_solve(t->fourier, r, q) : triad_staggered_cosines_solve(t->cosines, r, q);
}
