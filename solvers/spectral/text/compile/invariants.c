/* The values of bases and invariants at one mode. */
#include "solvers/spectral/text/compile/invariants.h"

void triad_text_fill_bases(const triad_text *t, const double complex *value, double complex *base)
{
  for (int l = 0; l < t->n_lets; l++) {
    double complex sum = 0;
    for (int f = 0; f < t->n_fields; f++)
      if (t->solved[l][f].node != TRIAD_TEXT_ZERO) sum += t->solved[l][f].c * value[t->solved[l][f].node] * base[f];
    base[t->n_fields + l] = sum;
  }
}

double triad_text_part_of(const triad_text_invariant *v, const double complex *value, const double complex *a,
                          const double complex *b, int is_mean)
{
  double sum = 0;
  for (int i = 0; i < v->sum.n; i++) {
    const triad_text_term *x = &v->sum.term[i];
    double complex f[2] = {1, 1};
    if (x->n < 2 && !is_mean) continue;
    for (int k = 0; k < x->n; k++) f[k] = value[x->factor[k].node] * (k == 0 ? a : b)[x->factor[k].base];
    sum += x->c * creal(value[x->outer]) * (x->n == 2 ? creal(conj(f[0]) * f[1]) : creal(f[0]));
  }
  return sum;
}

double triad_text_form_rate(const triad_text *t, int invariant, const double complex *value, const double complex *u,
                            const double complex *n)
{
  double sum = 0;
  if (invariant >= 0) {
    const triad_text_invariant *v = &t->invariant[invariant];
    return triad_text_part_of(v, value, n, u, 0) + triad_text_part_of(v, value, u, n, 0);
  }
  for (int f = 0; f < t->n_fields; f++) sum += creal(conj(u[f]) * n[f]);
  return sum;
}
