/* The values of bases and invariants at one mode. */
#include "solvers/spectral/text/compile/invariants.h"
#include "solvers/spectral/text/compile/algebra.h"
#include "solvers/spectral/text/compile/rounding.h"

#include <math.h>

void triad_text_fill_bases(const triad_text *t, const double complex *value, double complex *base)
{
  for (int l = 0; l < t->n_lets; l++) {
    double complex sum = 0;
    for (int f = 0; f < t->n_fields; f++)
      if (t->solved[l][f].node != TRIAD_TEXT_ZERO) sum += t->solved[l][f].c * value[t->solved[l][f].node] * base[f];
    base[t->n_fields + l] = sum;
  }
}

/* The size of a number times a multiplier times a value. */
static double size_of_product(triad_text_scaled m, const double complex *value, const triad_text_bound *bound,
                              double complex of, double size)
{
  const double both = triad_text_product_size(m.c, m.size, cabs(value[m.node]), triad_text_bound_size(&bound[m.node]));
  return triad_text_product_size(m.c * cabs(value[m.node]), both, cabs(of), size);
}

void triad_text_fill_sizes(const triad_text *t, const double complex *value, const triad_text_bound *bound,
                           const double complex *base, double *size)
{
  for (int l = 0; l < t->n_lets; l++) {
    double sum = 0;
    for (int f = 0; f < t->n_fields; f++) sum += size_of_product(t->solved[l][f], value, bound, base[f], size[f]);
    size[t->n_fields + l] = sum;
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

/* Of one term of two factors: that of a, and that of b. */
static double size_of_term(const triad_text_term *x, const triad_text_bases *m, int one, int other)
{
  const triad_text_scaled c = {x->c, triad_text_size(x), x->outer};
  const triad_text_factor f = x->factor[one], g = x->factor[other];
  const double u = size_of_product(triad_text_of(1, f.node), m->value, m->bound, m->u[f.base], m->u_size[f.base]);
  const double n = size_of_product(triad_text_of(1, g.node), m->value, m->bound, m->rate[g.base], m->rate_size[g.base]);
  const double a = cabs(m->value[f.node] * m->u[f.base]), b = cabs(m->value[g.node] * m->rate[g.base]);
  return size_of_product(c, m->value, m->bound, a * b, triad_text_product_size(a, u, b, n));
}

double triad_text_form_size(const triad_text *t, int invariant, const triad_text_bases *m)
{
  double sum = 0;
  for (int f = 0; f < t->n_fields && invariant < 0; f++)
    sum += triad_text_product_size(cabs(m->u[f]), m->u_size[f], cabs(m->rate[f]), m->rate_size[f]);
  if (invariant < 0) return sum;
  const triad_text_sum *form = &t->invariant[invariant].sum;
  for (int i = 0; i < form->n; i++)
    if (form->term[i].n == 2) sum += size_of_term(&form->term[i], m, 0, 1) + size_of_term(&form->term[i], m, 1, 0);
  return sum;
}
