/* Shell spectra of a compressible flow by the distributed transform (docs/reference/spectra.md):
 *   E              of sqrt(rho) u: sums to the kinetic energy mean(rho |u|^2)/2
 *   E_u            of u, mean(|u|^2)/2; E_u = E_solenoidal + E_dilatational, the parts across and along k
 *   rho_variance, p_variance    of density and pressure about their means */
#include "solvers/box/box_spectra.h"
#include "solvers/compressible/points/budget_points.h"
#include "solvers/compressible/measure/spectra.h"

#include <math.h>

enum { E, E_U, E_SOLENOIDAL, E_DILATATIONAL, RHO_VARIANCE, P_VARIANCE, SPECTRA };

static const triad_column_info names[SPECTRA] = {
  [E] = {"E", "M U^2/L^3", "kinetic energy in the shell, of sqrt(rho) u"},
  [E_U] = {"E_u", "U^2", "half the variance of the velocity in the shell"},
  [E_SOLENOIDAL] = {"E_solenoidal", "U^2", "kinetic energy in the shell, of the solenoidal part of the velocity"},
  [E_DILATATIONAL] = {"E_dilatational", "U^2", "kinetic energy in the shell, of the compressive part of the velocity"},
  [RHO_VARIANCE] = {"rho_variance", "M^2/L^6", "variance of the density in the shell"},
  [P_VARIANCE] = {"p_variance", "M^2/(L^2 T^4)", "variance of the pressure in the shell"},
};

/* Primitives of triad_compressible_get. */
enum { RHO, U, P = U + 3 };

/* What taking spectra works with. */
typedef struct work {
  triad_gas_flow *flow;
  triad_box_spectra *spectra;
  int64_t points;           /* of this rank's block */
  triad_real *own, *weight; /* a field and sqrt(rho), by blocks without halos */
} work;

int triad_gas_has_spectra(const triad_compressible_setup *setup)
{
  int periodic[3], all = 1;
  triad_compressible_periodic(setup, periodic);
  for (int i = 0; i < 3; i++) all = all && (periodic[i] || setup->n[i] == 1);
  return all;
}

static double energy(const triad_box_mode *m)
{
  return m->weight / 2 * (triad_box_square(m->a[0]) + triad_box_square(m->a[1]) + triad_box_square(m->a[2]));
}

static void of_momentum(const triad_box_mode *m, double *out) { out[E] = energy(m); }

static void of_velocity(const triad_box_mode *m, double *out)
{
  const double *k = m->k;
  double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2], re = 0, im = 0;
  for (int i = 0; i < 3; i++) {
    re += k[i] * (double)m->a[i].re;
    im += k[i] * (double)m->a[i].im;
  }
  out[E_U] = energy(m);
  out[E_DILATATIONAL] = k2 > 0 ? m->weight / 2 * (re * re + im * im) / k2 : 0;
  out[E_SOLENOIDAL] = out[E_U] - out[E_DILATATIONAL];
}

static void of_state(const triad_box_mode *m, double *out)
{
  if (m->mean) return;
  out[RHO_VARIANCE] = m->weight * triad_box_square(m->a[0]);
  out[P_VARIANCE] = m->weight * triad_box_square(m->a[1]);
}

/* Primitive f, times sqrt(rho) where asked, to a field of modes. Collective. */
static int transform(work *w, int f, int weighted, int into)
{
  TRIAD_TRY(triad_agree(&w->flow->context->comm, triad_compressible_get(w->flow->weno, f, w->own)));
  if (weighted)
#pragma omp parallel for simd schedule(static)
    for (int64_t i = 0; i < w->points; i++) w->own[i] *= w->weight[i];
  return triad_box_spectra_transform(w->spectra, w->own, into);
}

static int allocate(work *w)
{
  triad_memory *m = w->flow->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(m, "spectra", w->points, &w->own));
  TRIAD_TRY(TRIAD_ALLOC(m, "spectra", w->points, &w->weight));
  TRIAD_TRY(triad_compressible_get(w->flow->weno, RHO, w->weight));
  for (int64_t i = 0; i < w->points; i++) w->weight[i] = (triad_real)sqrt((double)w->weight[i]);
  return TRIAD_OK;
}

static int measure(work *w)
{
  TRIAD_TRY(triad_agree(&w->flow->context->comm, allocate(w)));
  for (int i = 0; i < 3; i++) TRIAD_TRY(transform(w, U + i, 1, i));
  triad_box_spectra_add(w->spectra, of_momentum);
  for (int i = 0; i < 3; i++) TRIAD_TRY(transform(w, U + i, 0, i));
  triad_box_spectra_add(w->spectra, of_velocity);
  TRIAD_TRY(transform(w, RHO, 0, 0));
  TRIAD_TRY(transform(w, P, 0, 1));
  triad_box_spectra_add(w->spectra, of_state);
  return TRIAD_OK;
}

/* Those of the state; *out is to be destroyed, also after a failure. */
static int sum_spectra(triad_gas_flow *f, triad_box_spectra **out)
{
  const triad_space space = triad_gas_bare_space(f);
  work w = {.flow = f, .points = space.memory};
  TRIAD_TRY(triad_box_spectra_create(
    out, f->context,
    &(triad_box_spectra_plan){.space = &space,
                              .n = f->setup.n,
                              .length = f->setup.length,
                              .names = names,
                              .spectra = SPECTRA,
                              .modes = 3,
                              .reproducible = triad_case_flag(f->given, "parallel.reproducible"),
                              .run_dir = f->run_dir}));
  w.spectra = *out;
  const int st = measure(&w);
  TRIAD_FREE(f->context->memory, &w.own);
  TRIAD_FREE(f->context->memory, &w.weight);
  return st;
}

/* The sum of E is compared with the kinetic energy of the series; they differ by the rounding of sqrt(rho) u. */
int triad_gas_spectra(void *flow, const char *run_dir, const double *columns, const triad_notes *notes)
{
  triad_gas_flow *f = flow;
  triad_box_spectra *spectra = NULL;
  if (!triad_gas_has_spectra(&f->setup)) return TRIAD_OK;
  int st = sum_spectra(f, &spectra);
  if (st == TRIAD_OK)
    st = triad_box_spectra_write(spectra, columns[TRIAD_COMPRESSIBLE_KINETIC], f->at.step, f->at.t, run_dir, notes);
  triad_box_spectra_destroy(&spectra);
  return st;
}

int triad_gas_spectra_take(triad_gas_flow *f, double kinetic, triad_contents *into)
{
  triad_box_spectra *spectra = NULL;
  int st = sum_spectra(f, &spectra);
  if (st == TRIAD_OK) st = triad_box_spectra_take(spectra, kinetic, into);
  triad_box_spectra_destroy(&spectra);
  return st;
}

int triad_gas_spectra_size(const triad_compressible_setup *s, int *arrays, int64_t *values)
{
  return triad_box_spectra_size(s->n, s->length, SPECTRA, arrays, values);
}
