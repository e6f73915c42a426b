/* Bounds of rounding errors: relative errors of products add, those of an inverse or a root are divided by the value
 * that it is of, and an error E of a matrix A is A^-1 E A^-1 of its inverse. */
#include "solvers/spectral/text/compile/rounding.h"
#include "solvers/spectral/text/compile/matrix_points.h"

#include <math.h>

int triad_text_system_inverse(const triad_text_system *m, const double complex *value, triad_value *out)
{
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++) {
      const double complex element = m->element[i][j].c * value[m->element[i][j].node];
      out[i * m->n + j] = triad_value_of(creal(element), cimag(element));
    }
  return triad_text_invert(m->n, out);
}

static triad_text_bound bound_of_product(double complex p, triad_text_bound a, double complex q, triad_text_bound b)
{
  return (triad_text_bound){
    triad_text_product_size(creal(p), a.re, creal(q), b.re) + triad_text_product_size(cimag(p), a.im, cimag(q), b.im),
    triad_text_product_size(creal(p), a.re, cimag(q), b.im) + triad_text_product_size(cimag(p), a.im, creal(q), b.re)};
}

static triad_text_bound bound_of_inverse(double complex inverse, triad_text_bound of)
{
  const double re = fabs(creal(inverse * inverse)), im = fabs(cimag(inverse * inverse));
  return (triad_text_bound){re * of.re + im * of.im, re * of.im + im * of.re};
}

/* A root of what is 0 to rounding is that of a rounding error. */
static double bound_of_root(double root, double of)
{
  const double largest = sqrt(of / TRIAD_TEXT_EQUAL);
  return root * largest > of ? of / root : largest;
}

static triad_text_bound bound_of_entry(const triad_text_operators *o, const triad_text_node *x,
                                       const double complex *value, double complex here, const triad_text_bound *bound)
{
  const triad_text_system *m = &o->system[x->a];
  triad_value inverse[TRIAD_TEXT_MATRIX * TRIAD_TEXT_MATRIX];
  double sum = cabs(here);
  if (!triad_text_system_inverse(m, value, inverse)) return (triad_text_bound){0, 0};
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++) {
      const triad_text_scaled e = m->element[i][j];
      sum += triad_value_size(inverse[x->row * m->n + i]) * e.size * triad_text_bound_size(&bound[e.node]) *
             triad_value_size(inverse[j * m->n + x->column]);
    }
  /* real and imaginary elements leave a part of each element of the inverse at 0 */
  const int is_real = !(fabs(cimag(here)) > 0), is_imaginary = !(fabs(creal(here)) > 0);
  return (triad_text_bound){is_imaginary && !is_real ? 0 : sum, is_real && !is_imaginary ? 0 : sum};
}

triad_text_bound triad_text_bound_of(const triad_text_operators *o, const triad_text_node *x, const double k[3],
                                     const double complex *value, double complex here, const triad_text_bound *bound)
{
  switch (x->kind) {
  case TRIAD_TEXT_ZERO: break;
  case TRIAD_TEXT_ONE: return (triad_text_bound){1, 0};
  case TRIAD_TEXT_WAVE: return (triad_text_bound){0, fabs(k[x->a])};
  case TRIAD_TEXT_SUM:
    return (triad_text_bound){x->sa * bound[x->a].re + x->sb * bound[x->b].re,
                              x->sa * bound[x->a].im + x->sb * bound[x->b].im};
  case TRIAD_TEXT_PRODUCT: return bound_of_product(value[x->a], bound[x->a], value[x->b], bound[x->b]);
  case TRIAD_TEXT_INVERSE: return bound_of_inverse(here, bound[x->a]);
  case TRIAD_TEXT_ROOT: return (triad_text_bound){bound_of_root(creal(here), bound[x->a].re), 0};
  case TRIAD_TEXT_ENTRY: return bound_of_entry(o, x, value, here, bound);
  }
  return (triad_text_bound){0, 0};
}

void triad_text_bounds(const triad_text_operators *o, const double k[3], const char *needed,
                       const double complex *value, triad_text_bound *bound)
{
  for (int i = 0; i < o->n; i++)
    if (!needed || needed[i]) bound[i] = triad_text_bound_of(o, &o->node[i], k, value, value[i], bound);
}
