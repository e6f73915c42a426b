/* Gross-Pitaevskii equation of a superfluid (docs/numerics.md eq. 20), psi = psi_re + i psi_im:
 *   dpsi/dt = i (mu psi - beta P[|psi|^2] psi + alpha lap psi)
 * or, in imaginary time, dpsi/dt = mu psi - beta P[|psi|^2] psi + alpha lap psi, which relaxes to a state of least
 * energy. The cubic term takes two quadratic steps, each dealiased by the truncation P, so that mass, energy and
 * momentum are kept (Krstulovic and Brachet 2011, Phys. Rev. E 83, 066311). A stage is two passes: psi out and the density
 * back, then the density out and its products with psi back; psi's values at the points are kept from the first to the
 * second. Six real transforms. */
#include "solvers/spectral/gpe.h"

#include "fft/transform.h"
#include "solvers/spectral/gpe_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RE = TRIAD_GPE_RE, IM = TRIAD_GPE_IM };
enum { SUM_MASS, SUM_KINETIC, SUM_MOMENTUM, N_SUMS = SUM_MOMENTUM + 3 };

typedef struct gpe {
  triad_gpe_constants constant;
  int imaginary_time;
  double k_max2;
  triad_context *context;
  const triad_layout *layout;
  triad_cplx *density;             /* P[|psi|^2] of the stage at hand                */
  triad_real *points_re, *points_im; /* psi at this rank's points, [z_local][y][x]   */
} gpe;

triad_gpe_constants triad_gpe_from_case(const triad_case *given)
{
  double c = triad_case_real(given, "equations.sound_speed"), xi = triad_case_real(given, "equations.healing_length");
  double rho = triad_case_real(given, "equations.density");
  return (triad_gpe_constants){.alpha = c * xi / sqrt(2),
                               .beta = c / (xi * sqrt(2) * rho),
                               .mu = c / (xi * sqrt(2)),
                               .sound_speed = c,
                               .healing_length = xi,
                               .density = rho};
}

static const triad_field_info fields[] = {{"psi_re", "real part of the wave function", "sqrt(rho)"},
                                          {"psi_im", "imaginary part of the wave function", "sqrt(rho)"}};

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  gpe *g = *self = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the gpe solver");
  g->constant = triad_gpe_from_case(given);
  g->imaginary_time = triad_case_flag(given, "equations.imaginary_time");
  for (int i = 0; i < 3; i++) {
    double k = triad_grid_wavenumber(grid, i, grid->kmax[i]);
    g->k_max2 = fmax(g->k_max2, k * k);
  }
  memset(shape, 0, sizeof *shape);
  for (int i = 0; i < 2; i++) shape->fields[shape->n_fields++] = fields[i];
  shape->n_passes = 2;
  shape->pass[0].n_in = 2;
  shape->pass[0].n_out = 1;
  shape->pass[1].n_in = 1;
  shape->pass[1].n_out = 2;
  return TRIAD_OK;
}

static void destroy(void **self)
{
  gpe *g = *self;
  if (g->context) {
    TRIAD_GIVE(g->context->memory, &g->density);
    TRIAD_GIVE(g->context->memory, &g->points_re);
    TRIAD_GIVE(g->context->memory, &g->points_im);
  }
  free(*self);
  *self = NULL;
}

static int prepare(void *self, triad_context *context, const triad_layout *l)
{
  gpe *g = self;
  int64_t points = l->n_planes * l->grid.n[1] * l->grid.n[0];
  g->context = context;
  g->layout = l;
  TRIAD_TRY(TRIAD_TAKE(context->memory, "density", l->modes, &g->density));
  TRIAD_TRY(TRIAD_TAKE(context->memory, "psi at points", points, &g->points_re));
  return TRIAD_TAKE(context->memory, "psi at points", points, &g->points_im);
}

static void source(void *self, int pass, const triad_block *block, const triad_cplx *const *u, triad_cplx *const *in)
{
  const gpe *g = self;
  if (pass == 1) {
    triad_block_put(block, g->density, in[0]);
    return;
  }
  triad_block_put(block, u[RE], in[RE]);
  triad_block_put(block, u[IM], in[IM]);
}

static void density_points(gpe *g, const triad_patch *at, triad_real *const *in, triad_real *density, double *peaks)
{
  const triad_layout *l = g->layout;
  int64_t row = ((at->z - l->plane_begin[l->rank]) * l->grid.n[1] + at->y) * l->grid.n[0];
  triad_real *re = g->points_re + row, *im = g->points_im + row, most = 0, finite = 0;
#pragma omp simd reduction(max : most) reduction(+ : finite)
  for (int64_t i = 0; i < at->n; i++) {
    triad_real a = in[RE][i], b = in[IM][i], rho = a * a + b * b;
    re[i] = a;
    im[i] = b;
    density[i] = rho;
    most = rho > most ? rho : most;
    finite += rho * 0; /* as in velocity_rates.c */
  }
  double peak = g->constant.beta * (double)(most + finite);
  if (peak > peaks[TRIAD_PEAK_ADVECTION] || isnan(peak)) peaks[TRIAD_PEAK_ADVECTION] = peak;
}

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  gpe *g = self;
  if (pass == 0) {
    density_points(g, at, in, out[0], peaks);
    return;
  }
  const triad_layout *l = g->layout;
  int64_t row = ((at->z - l->plane_begin[l->rank]) * l->grid.n[1] + at->y) * l->grid.n[0];
  const triad_real *re = g->points_re + row, *im = g->points_im + row, *rho = in[0];
  triad_real *t0 = out[0], *t1 = out[1];
#pragma omp simd
  for (int64_t i = 0; i < at->n; i++) {
    t0[i] = rho[i] * re[i];
    t1[i] = rho[i] * im[i];
  }
}

static void keep(void *self, int pass, const triad_block *block, triad_cplx *const *out)
{
  (void)pass;
  triad_block_keep(block, out[0], ((gpe *)self)->density);
}

static void rates(const void *self, const triad_block *block, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const gpe *g = self;
  triad_real beta = (triad_real)g->constant.beta, mu = (triad_real)g->constant.mu;
  (void)block;
  (void)j;
  for (int i = 0; i < TRIAD_LANES; i++) {
    if (g->imaginary_time) {
      r[RE][i] = (triad_cplx){mu * u[RE][i].re - beta * t[RE][i].re, mu * u[RE][i].im - beta * t[RE][i].im};
      r[IM][i] = (triad_cplx){mu * u[IM][i].re - beta * t[IM][i].re, mu * u[IM][i].im - beta * t[IM][i].im};
    } else { /* -i beta rho psi; the rest turns exactly */
      r[RE][i] = (triad_cplx){beta * t[IM][i].re, beta * t[IM][i].im};
      r[IM][i] = (triad_cplx){-beta * t[RE][i].re, -beta * t[RE][i].im};
    }
  }
}

static triad_decay decay(const void *self, int field)
{
  const gpe *g = self;
  (void)field;
  return (triad_decay){.viscosity = g->imaginary_time ? g->constant.alpha : 0};
}

static triad_turn turn(const void *self)
{
  const gpe *g = self;
  if (g->imaginary_time) return (triad_turn){0, 0};
  return (triad_turn){g->constant.alpha, g->constant.mu};
}

/* The linear term is exact, but its coupling to the nonlinear one is not: a step must see its fastest turn. */
static double frequency(const void *self)
{
  const gpe *g = self;
  return g->imaginary_time ? g->constant.mu : g->constant.alpha * g->k_max2 + g->constant.mu;
}

static void split(void *self, double dt, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                  double *peaks)
{
  const gpe *g = self;
  double beta = g->constant.beta;
  for (int64_t i = 0; i < at->n; i++) {
    triad_real re = in[RE][i], im = in[IM][i];
    double rho = (double)re * (double)re + (double)im * (double)im, rate = beta * rho;
    triad_gpe_rotate(rate * dt, &re, &im);
    out[RE][i] = re;
    out[IM][i] = im;
    if (rate > peaks[TRIAD_PEAK_ADVECTION] || isnan(rate)) peaks[TRIAD_PEAK_ADVECTION] = rate;
  }
}

/* mean |psi|^2; 2 alpha^2 mean |grad psi|^2; momentum 2 alpha mean Im conj(psi) grad psi = mean(re grad im - im grad re),
 * of which a mode gives k (2 Im re Re im - 2 Re re Im im). */
static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *s)
{
  const triad_gpe_constants *q = &((const gpe *)self)->constant;
  for (int i = 0; i < N_SUMS; i++) s[i] = 0;
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = triad_layout_place(l, column, j);
    double a = (double)u[RE][at].re, b = (double)u[RE][at].im, c = (double)u[IM][at].re, d = (double)u[IM][at].im;
    const double k[3] = {l->wx[column], l->wy[column], l->wz[j]};
    double square = a * a + b * b + c * c + d * d, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    s[SUM_MASS] += square;
    s[SUM_KINETIC] += 2 * q->alpha * q->alpha * k2 * square;
    for (int i = 0; i < 3; i++) s[SUM_MOMENTUM + i] += 2 * q->alpha * k[i] * 2 * (b * c - a * d);
  }
  for (int i = 0; i < N_SUMS; i++) s[i] *= l->weight[column];
}
