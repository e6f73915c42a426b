/* Inputs of a schedule: factors at points, each a multiplier on a base; multiples of one another are one input. */
#include "solvers/spectral/text/compile/polynomials.h"
#include "solvers/spectral/text/compile/schedule.h"

#include "case/formula/formula_split.h"

#include <math.h>

/* An input as a multiplier on field f: p. 0: it is too long. */
static int input_of(const triad_text *t, triad_text_factor in, int f, triad_text_polynomial *p)
{
  const triad_text_scaled of =
    in.base < t->n_fields ? triad_text_number(f == in.base) : t->solved[in.base - t->n_fields][f];
  p->n = 0;
  if (!triad_text_polynomial_add(&t->operators, p, of, -1, in.node)) return 0;
  triad_text_polynomial_tidy(p);
  return 1;
}

/* Is a = scale b, for all fields? */
static int is_multiple(const triad_text *t, triad_text_factor a, triad_text_factor b, double *scale)
{
  int any = 0;
  *scale = 1;
  if (a.base == b.base && a.node == b.node) return 1;
  if (a.base < t->n_fields && b.base < t->n_fields) return 0;
  for (int f = 0; f < t->n_fields; f++) {
    triad_text_polynomial p, q;
    double here;
    if (!input_of(t, a, f, &p) || !input_of(t, b, f, &q)) return 0;
    if (p.n == 0 && q.n == 0) continue;
    if (!triad_text_polynomial_ratio(&p, &q, &here)) return 0;
    if (any && !(fabs(here - *scale) <= TRIAD_TEXT_EQUAL * fabs(here))) return 0;
    *scale = any ? *scale : here;
    any = 1;
  }
  return any;
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
