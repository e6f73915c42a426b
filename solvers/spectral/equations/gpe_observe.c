/* The parts of a superfluid's energy that are not quadratic in psi (Nore, Abid and Brachet 1997, Phys. Fluids 9, 2644).
 * With psi = sqrt(rho) exp(i phi) and u = 2 alpha grad phi, at every point
 *   2 alpha^2 |grad psi|^2 = 2 alpha^2 (re grad re + im grad im)^2/rho + 2 alpha^2 (re grad im - im grad re)^2/rho
 * where the first is 2 alpha^2 |grad sqrt(rho)|^2, the quantum part, and the second rho |u|^2/2. One pass for
 * |psi|^2, then one a direction, so that the passes stay small. */
#include "fft/transform.h"
#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/equations/gpe_points.h"

#include <omp.h>
#include <string.h>

enum { RE = TRIAD_GPE_RE, IM = TRIAD_GPE_IM };

typedef struct observation {
  triad_gpe *gpe;
  const triad_cplx *const *u;
  int direction; /* of the gradient at hand; -1: none */
} observation;

static triad_sum *sum_of(const observation *o, enum triad_gpe_observed which)
{
  return &o->gpe->sums[omp_get_thread_num() * TRIAD_GPE_OBSERVED + (int)which];
}

static double wavenumber(const triad_layout *l, int64_t column, int64_t j, int direction)
{
  return direction == 0 ? l->wx[column] : direction == 1 ? l->wy[column] : l->wz[j];
}

/* psi, and its derivative along the direction. */
static void source(void *self, const triad_batch *b, triad_cplx *const *in)
{
  const observation *o = self;
  const triad_layout *l = b->layout;
  for (int f = 0; f < 2; f++) triad_batch_put(b, o->u[f], in[f]);
  if (o->direction < 0) return;
  for (int f = 0; f < 2; f++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const triad_cplx *from = triad_batch_row(b, in[f], j);
      triad_cplx *to = triad_batch_row(b, in[2 + f], j);
      for (int i = 0; i < TRIAD_LANES; i++) {
        triad_real k = (triad_real)wavenumber(l, b->block * TRIAD_LANES + i, j, o->direction);
        to[i] = (triad_cplx){-k * from[i].im, k * from[i].re};
      }
    }
}

static void density_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                           double *peaks)
{
  (void)self;
  (void)peaks;
#pragma omp simd
  for (int64_t i = 0; i < at->n; i++) out[0][i] = in[RE][i] * in[RE][i] + in[IM][i] * in[IM][i];
}

static void gradient_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                            double *peaks)
{
  const observation *o = self;
  double alpha = o->gpe->constant.alpha, quantum = 0, hydrodynamic = 0;
  (void)peaks;
  for (int64_t i = 0; i < at->n; i++) {
    double along, across;
    triad_gpe_split_gradient((double)in[RE][i], (double)in[IM][i], (double)in[2 + RE][i], (double)in[2 + IM][i], &along,
                             &across);
    quantum += along * along;
    hydrodynamic += across * across;
    out[0][i] = (triad_real)(2 * alpha * across);
  }
  triad_sum_add(sum_of(o, TRIAD_GPE_QUANTUM), 2 * alpha * alpha * quantum);
  triad_sum_add(sum_of(o, TRIAD_GPE_HYDRODYNAMIC), 2 * alpha * alpha * hydrodynamic);
}

static void keep_density(void *self, const triad_batch *b, triad_cplx *const *out)
{
  const observation *o = self;
  const triad_layout *l = b->layout;
  double factor = o->gpe->constant.alpha * o->gpe->constant.beta;
  triad_batch_keep(b, out[0], o->gpe->density);
  for (int i = 0; i < TRIAD_LANES; i++) {
    int64_t column = b->block * TRIAD_LANES + i;
    double sum = 0;
    for (int64_t j = 0; j < l->nkz; j++) {
      triad_cplx rho = o->gpe->density[(b->block * l->nkz + j) * TRIAD_LANES + i];
      sum += (double)rho.re * (double)rho.re + (double)rho.im * (double)rho.im;
    }
    triad_sum_add(sum_of(o, TRIAD_GPE_INTERACTION), factor * l->weight[column] * sum);
  }
}

static void keep_component(void *self, const triad_batch *b, triad_cplx *const *out)
{
  const observation *o = self;
  const triad_layout *l = b->layout;
  const int32_t *extent = l->kz_extent + b->block * TRIAD_LANES;
  for (int64_t j = 0; j < l->nkz; j++) {
    const triad_cplx *w = triad_batch_row(b, out[0], j);
    int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    int64_t at = (b->block * l->nkz + j) * TRIAD_LANES;
    for (int i = 0; i < TRIAD_LANES; i++) {
      if (kz > extent[i]) continue;
      triad_real k = (triad_real)wavenumber(l, b->block * TRIAD_LANES + i, j, o->direction);
      o->gpe->flux[at + i].re += k * w[i].re;
      o->gpe->flux[at + i].im += k * w[i].im;
      o->gpe->square[at + i] += w[i].re * w[i].re + w[i].im * w[i].im;
    }
  }
}

/* |w_k|^2 of the solenoidal and of the compressive part of sqrt(rho) u; the mean is solenoidal. */
static double solenoidal(const triad_gpe *g, const triad_layout *l, int64_t column, int64_t j, double *k2,
                         double *compressive)
{
  int64_t at = triad_layout_place(l, column, j);
  double re = (double)g->flux[at].re, im = (double)g->flux[at].im;
  *k2 = l->wx[column] * l->wx[column] + l->wy[column] * l->wy[column] + l->wz[j] * l->wz[j];
  *compressive = *k2 > 0 ? (re * re + im * im) / *k2 : 0;
  return (double)g->square[at] - *compressive;
}

static void sum_solenoidal(const observation *o)
{
  const triad_gpe *g = o->gpe;
  const triad_layout *l = g->layout;
#pragma omp parallel for schedule(static) num_threads(g->context->threads)
  for (int64_t c = 0; c < l->n_columns; c++) {
    double energy = 0, enstrophy = 0, k2, compressive;
    for (int64_t j = 0; j < l->nkz; j++) {
      double part = solenoidal(g, l, c, j, &k2, &compressive);
      energy += part;
      enstrophy += k2 * part;
    }
    triad_sum_add(sum_of(o, TRIAD_GPE_INCOMPRESSIBLE), l->weight[c] * energy / 2);
    triad_sum_add(sum_of(o, TRIAD_GPE_ENSTROPHY), l->weight[c] * enstrophy / 2);
  }
}

int triad_gpe_observe(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed)
{
  triad_gpe *g = self;
  const triad_layout *l = g->layout;
  observation o = {.gpe = g, .u = u, .direction = -1};
  triad_work density = {.n_in = 2, .n_out = 1, .any_order = 1, .source = source, .points = density_points, .sink = keep_density,
                        .self = &o};
  triad_work gradient = {.n_in = 4, .n_out = 1, .any_order = 1, .source = source, .points = gradient_points, .sink = keep_component,
                         .self = &o};
  for (int i = 0; i < g->context->threads * TRIAD_GPE_OBSERVED; i++) triad_sum_clear(&g->sums[i]);
  memset(g->flux, 0, (size_t)l->modes * sizeof *g->flux);
  memset(g->square, 0, (size_t)l->modes * sizeof *g->square);
  TRIAD_TRY(triad_pass_run(pass, &density));
  for (o.direction = 0; o.direction < 3; o.direction++) TRIAD_TRY(triad_pass_run(pass, &gradient));
  sum_solenoidal(&o);
  for (int t = 1; t < g->context->threads; t++)
    for (int i = 0; i < TRIAD_GPE_OBSERVED; i++)
      triad_sum_merge(&g->sums[i], &g->sums[t * TRIAD_GPE_OBSERVED + i]);
  TRIAD_TRY(triad_sum_all(&g->context->comm, g->sums, TRIAD_GPE_OBSERVED, observed));
  observed[TRIAD_GPE_QUANTUM] /= (double)triad_grid_points(&l->grid);
  observed[TRIAD_GPE_HYDRODYNAMIC] /= (double)triad_grid_points(&l->grid);
  return TRIAD_OK;
}

/* Of the state that was observed last: the run measures before it writes spectra. */
void triad_gpe_densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                         double *d)
{
  const triad_gpe *g = self;
  int64_t at = triad_layout_place(l, column, j);
  double weight = l->weight[column], k2, compressive, incompressible = solenoidal(g, l, column, j, &k2, &compressive);
  double re = (double)g->density[at].re, im = (double)g->density[at].im, square = 0;
  for (int f = 0; f < 2; f++)
    square += (double)u[f][at].re * (double)u[f][at].re + (double)u[f][at].im * (double)u[f][at].im;
  d[1] = weight * 2 * g->constant.alpha * g->constant.alpha * k2 * square;
  d[2] = weight * g->constant.alpha * g->constant.beta * (re * re + im * im);
  d[0] = d[1] + d[2];
  d[3] = weight * square;
  d[4] = weight * incompressible / 2;
  d[5] = weight * compressive / 2;
}
