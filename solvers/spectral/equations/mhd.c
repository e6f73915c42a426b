/* Incompressible magnetohydrodynamics in Alfven units, B = B0 + b (docs/numerics.md eq. 19):
 *   du/dt + u.grad u + 2 Omega x u = -grad P + B.grad B + viscosity lap u + f,   div u = 0
 *   db/dt = curl((u - d_i curl b) x B) + resistivity lap b,                      div b = 0
 * Six fields out (nine with the Hall term, which needs curl b), eight products back each stage. b changes by curls
 * only, so it stays divergence-free. */
#include "solvers/spectral/equations/mhd.h"

#include "fft/transform.h"
#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/equations/mhd_points.h"

#include <math.h>
#include <stdlib.h>

typedef triad_mhd mhd;

enum { B = TRIAD_MHD_B, CURRENT = TRIAD_MHD_CURRENT };
enum { SUM_MAGNETIC = TRIAD_VELOCITY_SUMS, SUM_CURRENT, SUM_JOULE, SUM_CROSS, SUM_MAGNETIC_HELICITY, SUM_DIV_B, N_SUMS };
enum { KINETIC = TRIAD_VELOCITY_COLUMNS, MAGNETIC, CROSS, MAGNETIC_HELICITY, CURRENT2, VISCOUS, JOULE, DIV_B,
       PRODUCTION };

static const triad_field_info fields[] = {
    {"bx", "magnetic field along x, without the mean field", "U", TRIAD_COMPONENT("magnetic field", 0, 1)},
    {"by", "magnetic field along y, without the mean field", "U", TRIAD_COMPONENT("magnetic field", 1, 1)},
    {"bz", "magnetic field along z, without the mean field", "U", TRIAD_COMPONENT("magnetic field", 2, 1)}};

static const triad_column_info columns[] = {
    {"kinetic_energy", "U^2", "mean(|u|^2)/2"},
    {"magnetic_energy", "U^2", "mean(|b|^2)/2, without the mean field"},
    {"cross_helicity", "U^2", "mean(u.b)"},
    {"magnetic_helicity", "U^2 L", "mean(a.b), b = curl a, div a = 0"},
    {"current_squared", "U^2/L^2", "mean(|curl b|^2)/2"},
    {"viscous_dissipation", "U^2/T", "sum_k lambda_u(k) |u_k|^2"},
    {"joule_dissipation", "U^2/T", "sum_k lambda_b(k) |b_k|^2"},
    {"divergence_b", "U/L", "rms of div b"},
    {"magnetic_production", "U^2/T",
     "mean(curl b.(u x B)), what the flow gives the field: d(magnetic_energy)/dt = magnetic_production - "
     "joule_dissipation if the field is not forced"}};

static const triad_column_info spectra[] = {{"E_kinetic", "U^2", "sum over the shell of |u_k|^2/2"},
                                            {"E_magnetic", "U^2", "sum over the shell of |b_k|^2/2"},
                                            {"H_cross", "U^2", "sum over the shell of Re conj(u_k).b_k"},
                                            {"H_magnetic", "U^2 L", "sum over the shell of Re conj(a_k).b_k"}};

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  double mean[3];
  mhd *m = *self = calloc(1, sizeof *m);
  if (!m) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the mhd solver");
  triad_velocity_create(&m->velocity, grid, given);
  m->decay = (triad_decay){.viscosity = triad_case_real(given, "equations.resistivity"),
                           .hyperviscosity = triad_case_real(given, "equations.hyperresistivity"),
                           .order = m->velocity.decay.order};
  triad_case_reals(given, "equations.mean_field", mean, 3);
  const double pi = 3.141592653589793238462643383280;
  double corner = 0, axis = 0; /* largest |k| of a box of modes, and of an ellipsoid */
  for (int i = 0; i < 3; i++) {
    double k = 2 * pi * (double)grid->kmax[i] / grid->length[i];
    m->mean_field[i] = (triad_real)mean[i];
    corner = hypot(corner, k);
    axis = fmax(axis, k);
  }
  m->hall = (triad_real)triad_case_real(given, "equations.hall");
  m->whistler = 1 + m->hall * (triad_real)(grid->truncation == TRIAD_SPHERE ? axis : corner);
  m->law = (triad_mhd_law){.hall = m->hall, .whistler = m->whistler, .decay = m->velocity.decay, .decay_b = m->decay};
  for (int i = 0; i < 3; i++) {
    m->law.per_spacing[i] = m->velocity.per_spacing[i];
    m->law.rotation[i] = m->velocity.rotation[i];
    m->law.mean_field[i] = m->mean_field[i];
  }
  TRIAD_TRY(triad_velocity_shape(shape));
  TRIAD_TRY(triad_shape_add_fields(shape, 3, fields));
  TRIAD_TRY(triad_shape_add_columns(shape, sizeof columns / sizeof *columns, columns));
  TRIAD_TRY(triad_shape_add_spectra(shape, sizeof spectra / sizeof *spectra, spectra));
  TRIAD_TRY(triad_mhd_shape_transfers(m, shape));
  shape->n_sums = N_SUMS;
  shape->columns[TRIAD_COLUMN_ENERGY].formula = "kinetic_energy + magnetic_energy";
  shape->columns[TRIAD_COLUMN_DISSIPATION].formula =
      "viscous_dissipation + joule_dissipation: dE/dt = injection - dissipation";
  shape->columns[TRIAD_COLUMN_CFL].formula = "dt max sum_i |u_i|/dx_i; the step also heeds Alfven waves and whistlers";
  shape->spectra[0].formula = "total energy in the shell, E_kinetic + E_magnetic";
  shape->n_passes = 1;
  shape->pass[0].n_in = m->hall != 0 ? 9 : 6;
  shape->pass[0].n_out = 8;
  return TRIAD_OK;
}

static void destroy(void **self)
{
  free(*self);
  *self = NULL;
}

static int prepare(void *self, triad_context *context, const triad_layout *layout)
{
  mhd *m = self;
  (void)layout;
  m->comm = &context->comm;
  return TRIAD_OK;
}

static void source(void *self, int pass, const triad_batch *block, const triad_cplx *const *u, triad_cplx *const *in)
{
  const mhd *m = self;
  const triad_layout *l = block->layout;
  (void)pass;
  for (int f = 0; f < 6; f++) triad_batch_put(block, u[f], in[f]);
  for (int64_t j = 0; m->hall != 0 && j < l->nkz; j++) {
    triad_cplx *row[6];
    for (int i = 0; i < 6; i++) row[i] = triad_batch_row(block, in[B + i], j);
    for (int i = 0; i < TRIAD_LANES; i++) {
      int64_t c = block->block * TRIAD_LANES + i;
      const triad_real k[3] = {(triad_real)l->wx[c], (triad_real)l->wy[c], (triad_real)l->wz[j]};
      const triad_cplx b[3] = {row[0][i], row[1][i], row[2][i]};
      triad_cplx current[3];
      triad_mhd_curl(k, b, current);
      for (int c3 = 0; c3 < 3; c3++) row[3 + c3][i] = current[c3];
    }
  }
}

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  const mhd *m = self;
  const triad_real *u = in[0], *v = in[1], *w = in[2], *bx = in[B], *by = in[B + 1], *bz = in[B + 2];
  const int has_hall = m->hall != 0;
  const triad_real *jx = has_hall ? in[CURRENT] : u, *jy = has_hall ? in[CURRENT + 1] : u,
                   *jz = has_hall ? in[CURRENT + 2] : u;
  triad_real *t0 = out[0], *t1 = out[1], *t2 = out[2], *t3 = out[3], *t4 = out[4], *t5 = out[5], *t6 = out[6],
             *t7 = out[7];
  const triad_real hall = m->hall, q = m->whistler;
  const triad_real zero[3] = {m->mean_field[0], m->mean_field[1], m->mean_field[2]};
  const triad_real *a = m->velocity.per_spacing;
  triad_real ax = a[0], ay = a[1], az = a[2], fastest = 0, finite = 0;
  (void)pass;
#pragma omp simd reduction(max : fastest) reduction(+ : finite)
  for (int64_t i = 0; i < at->n; i++) {
    const triad_real here[3] = {u[i], v[i], w[i]}, b[3] = {bx[i] + zero[0], by[i] + zero[1], bz[i] + zero[2]};
    const triad_real e[3] = {u[i] - hall * jx[i], v[i] - hall * jy[i], w[i] - hall * jz[i]};
    triad_real t[8];
    triad_mhd_products(here, e, b, t);
    t0[i] = t[0];
    t1[i] = t[1];
    t2[i] = t[2];
    t3[i] = t[3];
    t4[i] = t[4];
    t5[i] = t[5];
    t6[i] = t[6];
    t7[i] = t[7];
    /* |k.B| (1 + d_i |k|) bounds the frequency of a whistler, which u and the current carry along */
    triad_real rx = (triad_real)fabs(u[i]) + hall * (triad_real)fabs(jx[i]) + q * (triad_real)fabs(b[0]);
    triad_real ry = (triad_real)fabs(v[i]) + hall * (triad_real)fabs(jy[i]) + q * (triad_real)fabs(b[1]);
    triad_real rz = (triad_real)fabs(w[i]) + hall * (triad_real)fabs(jz[i]) + q * (triad_real)fabs(b[2]);
    triad_real rate = ax * rx + ay * ry + az * rz;
    fastest = rate > fastest ? rate : fastest;
    finite += rate * 0; /* as in velocity_rates.c */
  }
  double peak = (double)(fastest + finite);
  if (peak > peaks[TRIAD_PEAK_ADVECTION] || isnan(peak)) peaks[TRIAD_PEAK_ADVECTION] = peak;
}

static void rates(const void *self, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const mhd *m = self;
  const triad_layout *l = block->layout;
  const double *wx = l->wx + block->block * TRIAD_LANES, *wy = l->wy + block->block * TRIAD_LANES;
  const triad_real wz = (triad_real)l->wz[j];
  triad_velocity_rates(&m->velocity, block, j, u, t, NULL, r);
#pragma omp simd
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], wz};
    const triad_cplx e[3] = {t[5][i], t[6][i], t[7][i]};
    triad_cplx d[3];
    triad_mhd_curl(k, e, d);
    r[B][i] = d[0];
    r[B + 1][i] = d[1];
    r[B + 2][i] = d[2];
  }
}

static triad_decay decay(const void *self, int field)
{
  const mhd *m = self;
  return field < B ? m->velocity.decay : m->decay;
}

static double frequency(const void *self) { return triad_velocity_frequency(&((const mhd *)self)->velocity); }

#ifdef TRIAD_CUDA
extern const triad_gpu_set triad_gpu_set_mhd, triad_gpu_set_hall;
#endif

static const triad_gpu_set *gpu(const void *self, const void **law)
{
  const mhd *m = self;
  *law = &m->law;
#ifdef TRIAD_CUDA
  return m->hall != 0 ? &triad_gpu_set_hall : &triad_gpu_set_mhd;
#else
  return NULL;
#endif
}

static void extremes(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  (void)out;
  triad_velocity_extremes(((const mhd *)self)->velocity.per_spacing, at, in, peaks);
}

static double cross(const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u)
{
  int64_t at = triad_layout_place(l, column, j);
  double h = 0;
  for (int i = 0; i < 3; i++)
    h += (double)u[i][at].re * (double)u[B + i][at].re + (double)u[i][at].im * (double)u[B + i][at].im;
  return h;
}

/* b has the sums that a velocity has: its enstrophy is the squared current, its helicity over k^2 that of a. */
static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *s)
{
  const mhd *m = self;
  double field[TRIAD_VELOCITY_SUMS], density[TRIAD_VELOCITY_SPECTRA], c = 0, h = 0;
  triad_velocity_sums(l, &m->velocity.decay, column, u, s);
  triad_velocity_sums(l, &m->decay, column, u + B, field);
  for (int64_t j = 0; j < l->nkz; j++) {
    double k2 = l->wx[column] * l->wx[column] + l->wy[column] * l->wy[column] + l->wz[j] * l->wz[j];
    triad_velocity_densities(l, column, j, u + B, density);
    if (k2 > 0) h += density[1] / k2;
    c += cross(l, column, j, u);
  }
  s[SUM_MAGNETIC] = field[TRIAD_SUM_ENERGY];
  s[SUM_CURRENT] = field[TRIAD_SUM_ENSTROPHY];
  s[SUM_JOULE] = field[TRIAD_SUM_DISSIPATION];
  s[SUM_CROSS] = l->weight[column] * c;
  s[SUM_MAGNETIC_HELICITY] = h;
  s[SUM_DIV_B] = field[TRIAD_SUM_DIVERGENCE];
}

static void series(const void *self, const double *s, const triad_series_inputs *moment, double *c)
{
  const mhd *m = self;
  triad_velocity_series(&m->velocity.grid, m->velocity.decay.viscosity, s, moment, c);
  c[KINETIC] = s[TRIAD_SUM_ENERGY];
  c[MAGNETIC] = s[SUM_MAGNETIC];
  c[CROSS] = s[SUM_CROSS];
  c[MAGNETIC_HELICITY] = s[SUM_MAGNETIC_HELICITY];
  c[CURRENT2] = s[SUM_CURRENT];
  c[VISCOUS] = s[TRIAD_SUM_DISSIPATION];
  c[JOULE] = s[SUM_JOULE];
  c[DIV_B] = sqrt(s[SUM_DIV_B]);
  c[PRODUCTION] = s[N_SUMS];
  c[TRIAD_COLUMN_ENERGY] = c[KINETIC] + c[MAGNETIC];
  c[TRIAD_COLUMN_DISSIPATION] = c[VISCOUS] + c[JOULE];
}

static void densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                      double *d)
{
  (void)self;
  double k2 = l->wx[column] * l->wx[column] + l->wy[column] * l->wy[column] + l->wz[j] * l->wz[j];
  double field[TRIAD_VELOCITY_SPECTRA];
  triad_velocity_densities(l, column, j, u, d);
  triad_velocity_densities(l, column, j, u + B, field);
  d[2] = d[0];
  d[3] = field[0];
  d[4] = l->weight[column] * cross(l, column, j, u);
  d[5] = k2 > 0 ? field[1] / k2 : 0;
  d[0] += d[3];
}

const triad_equations triad_equations_mhd = {
    .name = "mhd",
    .about = "incompressible magnetohydrodynamics",
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .source = source,
    .points = points,
    .rates = rates,
    .decay = decay,
    .gpu = gpu,
    .frequency = frequency,
    .extremes = extremes,
    .sums = sums,
    .observe = triad_mhd_observe,
    .series = series,
    .densities = densities,
    .transfers = triad_mhd_transfers,
};
