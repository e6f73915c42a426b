/* Compute the lengths of a box that a mean strain deforms, as functions of time. */
#include "solvers/staggered/plain/strain.h"

#include <math.h>

void triad_staggered_strain_read(triad_staggered_strain *s, const triad_case *given)
{
  *s = (triad_staggered_strain){.start = triad_case_real(given, "strain.start"),
                                .end = triad_case_real(given, "strain.end")};
  triad_case_reals(given, "strain.rates", s->rate, 3);
  triad_case_reals(given, "grid.length", s->length, 3);
  for (int i = 0; i < 3; i++) s->strains |= fabs(s->rate[i]) > 0;
}

void triad_staggered_strain_lengths(const triad_staggered_strain *s, double t, double length[3])
{
  double since = fmax(fmin(t, s->end) - s->start, 0);
  for (int i = 0; i < 3; i++) length[i] = s->length[i] * exp(s->rate[i] * since);
}

/* A step that ends at a change does so up to rounding. */
static int is_before(double t, double change) { return t < change - 1e-12 * fabs(change); }

double triad_staggered_strain_until(const triad_staggered_strain *s, double t)
{
  if (!s->strains) return INFINITY;
  if (is_before(t, s->start)) return s->start;
  return is_before(t, s->end) ? s->end : INFINITY;
}

double triad_staggered_strain_rate(const triad_staggered_strain *s, int axis, double t)
{
  return !is_before(t, s->start) && is_before(t, s->end) ? s->rate[axis] : 0;
}
