/* Which quadratic forms the nonlinear terms keep, and which the linear ones: their rates, summed over some random modes
 * whose products are all counted. A form that is kept triad by triad is kept by any truncation that is the same for k
 * and -k. */
#include "solvers/spectral/text/compile/kept.h"
#include "solvers/spectral/text/compile/invariants.h"
#include "solvers/spectral/text/compile/rounding.h"

#include "base/cmplx.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODES = 64, SEED = 20 };

typedef struct lattice {
  const triad_text_set *set;
  int n, m[3], k[MODES][3]; /* modes -m .. m along each axis */
  double wave[MODES][3];
  double complex u[MODES][TRIAD_TEXT_BASES], rate[MODES][TRIAD_TEXT_BASES], value[MODES][TRIAD_TEXT_OPERATORS];
  /* absolute values: of fields, and of all products that rates are made of */
  double u_size[MODES][TRIAD_TEXT_BASES], rate_size[MODES][TRIAD_TEXT_BASES];
  triad_text_bound bound[MODES][TRIAD_TEXT_OPERATORS];
} lattice;

static int find(const lattice *x, const int k[3])
{
  int i = 0;
  for (int a = 2; a >= 0; a--) {
    if (abs(k[a]) > x->m[a]) return -1;
    i = i * (2 * x->m[a] + 1) + k[a] + x->m[a];
  }
  return i;
}

/* Random values, those of -k the conjugates of those of k. */
static void fill_mode(lattice *x, int i)
{
  const triad_text *t = x->set->text;
  const int *k = x->k[i], sign = k[0] != 0 ? k[0] : k[1] != 0 ? k[1] : k[2];
  const int one = sign < 0 ? -1 : 1;
  const uint64_t key = triad_random_key(SEED, TRIAD_STREAM_INITIAL);
  double largest = 1;
  for (int f = 0; f < t->n_fields; f++) {
    double re, im;
    triad_random_normals(triad_random_bits(key, one * k[0], one * k[1], one * k[2], (uint32_t)f), &re, &im);
    x->u[i][f] = CMPLX(re, sign == 0 ? 0 : one * im);
  }
  triad_text_evaluate(&t->operators, x->wave[i], NULL, x->value[i], NULL);
  triad_text_bounds(&t->operators, x->wave[i], NULL, x->value[i], x->bound[i]);
  triad_text_project(t, x->wave[i], x->u[i]);
  triad_text_fill_bases(t, x->value[i], x->u[i]);
  /* a mode that an inverse is large for, such as the mean, does not hide the rates of smaller ones */
  for (int f = 0; f < t->n_fields + t->n_lets; f++) largest = fmax(largest, cabs(x->u[i][f]));
  for (int f = 0; f < t->n_fields + t->n_lets; f++) x->u[i][f] /= largest;
  for (int f = 0; f < t->n_fields; f++) x->u_size[i][f] = cabs(x->u[i][f]);
  triad_text_fill_sizes(t, x->value[i], x->bound[i], x->u[i], x->u_size[i]);
}

/* reach: 0, modes of the box; 1, the same numbers of modes spread over the wavenumbers of the grid, where terms of
 * high order are largest. */
static void take_modes(lattice *x, int reach)
{
  const triad_text *t = x->set->text;
  const int axes = !t->flat[0] + !t->flat[1] + !t->flat[2];
  const int most = axes == 1 ? 8 : axes == 2 && t->degree < 3 ? 3 : 1;
  int k[3];
  for (int a = 0; a < 3; a++) x->m[a] = t->flat[a] ? 0 : most;
  for (k[2] = -x->m[2]; k[2] <= x->m[2]; k[2]++)
    for (k[1] = -x->m[1]; k[1] <= x->m[1]; k[1]++)
      for (k[0] = -x->m[0]; k[0] <= x->m[0]; k[0]++, x->n++) {
        memcpy(x->k[x->n], k, sizeof k);
        for (int a = 0; a < 3; a++)
          x->wave[x->n][a] = k[a] * (reach && x->m[a] ? triad_grid_reach(&x->set->grid, a) / x->m[a]
                                                      : 2 * TRIAD_PI / x->set->grid.length[a]);
      }
  for (int i = 0; i < x->n; i++) fill_mode(x, i);
}

/* Factor number f of a term, in a mode. */
static double complex factor_of(const lattice *x, const triad_text_term *term, int f, int mode)
{
  return x->value[mode][term->factor[f].node] * x->u[mode][term->factor[f].base];
}

static double size_of(const lattice *x, int node, int mode) { return triad_text_bound_size(&x->bound[mode][node]); }

/* The size of a product, of a value times factor number f of a term. */
static double size_with(const lattice *x, const triad_text_term *term, int f, int mode, double complex product,
                        double size)
{
  const triad_text_factor m = term->factor[f];
  const double factor = triad_text_product_size(cabs(x->value[mode][m.node]), size_of(x, m.node, mode),
                                                cabs(x->u[mode][m.base]), x->u_size[mode][m.base]);
  return triad_text_product_size(cabs(product), size, cabs(factor_of(x, term, f, mode)), factor);
}

/* Products of factors first .. n - 1 of all modes, times `product` of those before, go to the mode that the wavenumbers
 * add up to, k of those before. size: of the product, as of a number with parts. */
static void add_products(lattice *x, int field, const triad_text_term *term, int first, const int k[3],
                         double complex product, double size)
{
  if (first >= term->n || first >= TRIAD_TEXT_FACTORS) {
    const int to = find(x, k);
    if (to < 0) return;
    x->rate[to][field] += term->c * x->value[to][term->outer] * product;
    x->rate_size[to][field] +=
      fabs(term->c) *
      triad_text_product_size(cabs(x->value[to][term->outer]), size_of(x, term->outer, to), cabs(product), size);
    return;
  }
  for (int i = 0; i < x->n; i++) {
    const int sum[3] = {k[0] + x->k[i][0], k[1] + x->k[i][1], k[2] + x->k[i][2]};
    add_products(x, field, term, first + 1, sum, product * factor_of(x, term, first, i),
                 size_with(x, term, first, i, product, size));
  }
}

static void nonlinear_rates(lattice *x)
{
  static const int zero[3] = {0, 0, 0};
  const triad_text *t = x->set->text;
  memset(x->rate, 0, sizeof x->rate);
  memset(x->rate_size, 0, sizeof x->rate_size);
  for (int f = 0; f < t->n_fields; f++)
    for (int i = 0; i < t->other[f].n; i++)
      if (t->other[f].term[i].n > 1 && !t->other[f].term[i].profile)
        add_products(x, f, &t->other[f].term[i], 0, zero, 1, 1);
}

static void linear_rates(lattice *x)
{
  const triad_text *t = x->set->text;
  memset(x->rate, 0, sizeof x->rate);
  memset(x->rate_size, 0, sizeof x->rate_size);
  for (int i = 0; i < x->n; i++)
    for (int a = 0; a < t->n_fields; a++)
      for (int f = 0; f < t->n_fields; f++) {
        const triad_text_scaled m = t->linear[a][f];
        x->rate[i][a] += m.c * x->value[i][m.node] * x->u[i][f];
        x->rate_size[i][a] += m.size * triad_text_product_size(cabs(x->value[i][m.node]), size_of(x, m.node, i),
                                                               cabs(x->u[i][f]), x->u_size[i][f]);
      }
}

/* A projection moves parts between components. */
static void project_sizes(lattice *x, int i)
{
  const triad_text *t = x->set->text;
  double *size = x->rate_size[i];
  for (int f = 0; f < t->n_fields; f++) {
    if (!t->field[f].solenoidal || t->field[f].axis != 0) continue;
    const double sum = size[f] + size[f + 1] + size[f + 2];
    for (int a = 0; a < 3; a++) size[f + a] = sum;
  }
}

/* The rate of the terms of one field, which the mean alone has. Adds its absolute values to *size. */
static double mean_rate(const lattice *x, int invariant, int i, double *size)
{
  const int *k = x->k[i];
  double sum = 0;
  if (invariant < 0 || k[0] || k[1] || k[2]) return 0;
  const triad_text_sum *form = &x->set->text->invariant[invariant].sum;
  for (int t = 0; t < form->n; t++) {
    const triad_text_term *term = &form->term[t];
    if (term->n != 1) continue;
    const triad_text_factor f = term->factor[0];
    const double here = term->c * creal(x->value[i][f.node] * x->rate[i][f.base]);
    sum += here;
    *size += fabs(term->c) * triad_text_product_size(cabs(x->value[i][f.node]), size_of(x, f.node, i),
                                                     cabs(x->rate[i][f.base]), x->rate_size[i][f.base]);
  }
  return sum;
}

/* The sum of the rates of a form over all modes, divided by that of the absolute values of the products in it. */
static double share(lattice *x, int invariant)
{
  const triad_text *t = x->set->text;
  double sum = 0, size = 0;
  for (int i = 0; i < x->n; i++) {
    triad_text_project(t, x->wave[i], x->rate[i]);
    project_sizes(x, i);
    triad_text_fill_bases(t, x->value[i], x->rate[i]);
    triad_text_fill_sizes(t, x->value[i], x->bound[i], x->rate[i], x->rate_size[i]);
    const triad_text_bases mode = {x->value[i], x->u[i], x->rate[i], x->bound[i], x->u_size[i], x->rate_size[i]};
    sum += triad_text_form_rate(t, invariant, x->value[i], x->u[i], x->rate[i]);
    sum += mean_rate(x, invariant, i, &size);
    size += triad_text_form_size(t, invariant, &mode);
  }
  return size > 0 ? fabs(sum) / size : 0;
}

triad_text_kept triad_text_kept_of(const triad_text_set *s, int invariant)
{
  lattice *x = calloc(1, sizeof *x);
  if (!x) return (triad_text_kept){-1, -1};
  triad_text_kept kept = {0, 0};
  for (int reach = 0; reach < 2; reach++) {
    memset(x, 0, sizeof *x);
    x->set = s;
    take_modes(x, reach);
    nonlinear_rates(x);
    kept.nonlinear = fmax(kept.nonlinear, share(x, invariant));
    linear_rates(x);
    kept.linear = fmax(kept.linear, share(x, invariant));
  }
  free(x);
  return kept;
}
