/* Inputs of a schedule: factors at points, each a multiplier on a base; multiples of one another are one input. */
#include "solvers/spectral/text/compile/schedule.h"

#include "case/formula/formula_split.h"

#include <complex.h>
#include <math.h>

double complex triad_text_input_sample(const triad_text *t, triad_text_factor in, int f, int s)
{
  const double complex m = t->operators.node[in.node].sample[s];
  if (in.base < t->n_fields) return in.base == f ? m : 0;
  const triad_text_scaled solved = t->solved[in.base - t->n_fields][f];
  return m * solved.c * t->operators.node[solved.node].sample[s];
}

/* Is a = scale b, for all fields? */
static int is_multiple(const triad_text *t, triad_text_factor a, triad_text_factor b, double *scale)
{
  double complex ratio = 0;
  for (int f = 0; f < t->n_fields; f++)
    for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
      const double complex p = triad_text_input_sample(t, a, f, s), q = triad_text_input_sample(t, b, f, s);
      if (cabs(q) < 1e-200 && cabs(p) < 1e-200) continue;
      if (cabs(q) < 1e-200 || cabs(p) < 1e-200) return 0;
      const double complex here = p / q;
      if (fabs(cimag(here)) > 1e-12 * cabs(here)) return 0;
      if (ratio != 0 && cabs(here - ratio) > 1e-12 * cabs(ratio)) return 0;
      if (ratio == 0) ratio = creal(here);
    }
  *scale = creal(ratio);
  return ratio != 0;
}

int triad_text_find_input(const triad_text *t, triad_text_schedule *s, triad_text_factor f, double *scale)
{
  for (int i = 0; i < s->n_inputs; i++)
    if (is_multiple(t, f, s->input[i], scale)) return i;
  *scale = 1;
  if (s->n_inputs == TRIAD_TEXT_INPUTS) return -1;
  s->input[s->n_inputs] = f;
  return s->n_inputs++;
}

int triad_text_find_profile(triad_text_schedule *s, const triad_formula *f)
{
  if (!f) return -1;
  for (int i = 0; i < s->n_profiles; i++)
    if (s->profile[i] == f || triad_formula_is_same(s->profile[i], f)) return i;
  if (s->n_profiles == TRIAD_TEXT_PROFILES) return -2;
  s->profile[s->n_profiles] = f;
  return s->n_profiles++;
}
