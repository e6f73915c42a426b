/* Shell spectra of a compressible flow by the distributed transform (docs/outputs.md):
 *   E              of sqrt(rho) u: sums to the kinetic energy mean(rho |u|^2)/2
 *   E_u            of u, mean(|u|^2)/2; E_u = E_solenoidal + E_dilatational, the parts across and along k
 *   rho_variance, p_variance    of density and pressure about their means
 * Fields go from blocks to planes one at a time. All sums are exact, the same on any number of ranks and threads. */
#include "fft/transform.h"
#include "grid/slab.h"
#include "parallel/sum.h"
#include "solvers/weno/budget_points.h"
#include "solvers/weno/flow.h"
#include "grid/shells.h"
#include "store/spectrafile.h"

#include <math.h>

enum { E, E_U, E_SOLENOIDAL, E_DILATATIONAL, RHO_VARIANCE, P_VARIANCE, SPECTRA };

static const triad_column_info names[SPECTRA] = {
    [E] = {"E", "M U^2/L^3", "kinetic energy per shell, of sqrt(rho) u"},
    [E_U] = {"E_u", "U^2", "half the variance of the velocity per shell"},
    [E_SOLENOIDAL] = {"E_solenoidal", "U^2", "of the part of the velocity without divergence"},
    [E_DILATATIONAL] = {"E_dilatational", "U^2", "of the part of the velocity without vorticity"},
    [RHO_VARIANCE] = {"rho_variance", "M^2/L^6", "variance of the density per shell"},
    [P_VARIANCE] = {"p_variance", "M^2/(L^2 T^4)", "variance of the pressure per shell"},
};

/* What taking spectra works with. */
typedef struct work {
  triad_gas_flow *flow;
  triad_layout *layout;     /* of the transform: its planes are those of the slab */
  triad_slab *slab;
  triad_pass *pass;
  int64_t points;           /* of this rank's block */
  triad_real *own, *weight; /* a field and sqrt(rho), by blocks without halos */
  triad_real *planes;       /* a field, [z_local][y][x] */
  triad_cplx *modes[3];
  int64_t shells;
  triad_sum *sums;          /* [threads][SPECTRA][shells]                     */
  triad_contents *contents; /* k, then                                        */
  double *values;           /* [SPECTRA][shells]                              */
} work;

int triad_gas_has_spectra(const triad_weno_setup *setup)
{
  int periodic[3], all = 1;
  triad_weno_periodic(setup, periodic);
  for (int i = 0; i < 3; i++) all = all && (periodic[i] || setup->n[i] == 1);
  return all;
}

/* The transform is of a periodic grid, whole: spectra are taken where all axes are such (has_spectra). */
static int make_layout(work *w)
{
  const triad_comm *comm = &w->flow->context->comm;
  triad_grid grid;
  TRIAD_TRY(triad_grid_init(&grid, w->flow->setup.n, w->flow->setup.length, TRIAD_NONE));
  return triad_layout_create(&w->layout, &grid, comm->rank, comm->size, TRIAD_LANES);
}

static int take(work *w)
{
  triad_memory *m = w->flow->context->memory;
  const triad_layout *l = w->layout;
  w->shells = triad_shell_count(&l->grid);
  TRIAD_TRY(TRIAD_ALLOC(m, "spectra", w->points, &w->own));
  TRIAD_TRY(TRIAD_ALLOC(m, "spectra", w->points, &w->weight));
  TRIAD_TRY(TRIAD_ALLOC(m, "spectra", triad_slab_count(w->slab) * triad_slab_reals(w->slab), &w->planes));
  for (int i = 0; i < 3; i++) TRIAD_TRY(TRIAD_ALLOC(m, "spectra", l->modes, &w->modes[i]));
  TRIAD_TRY(TRIAD_ALLOC(m, "shell sums", w->flow->context->threads * SPECTRA * w->shells, &w->sums));
  TRIAD_TRY(triad_contents_create(&w->contents, m, SPECTRA + 1, (SPECTRA + 1) * w->shells));
  triad_contents_scale(w->contents, "k", "1/L", "wavenumber of the shell", w->shells, triad_grid_k_min(&l->grid));
  w->values = w->contents->next;
  for (int i = 0; i < SPECTRA; i++)
    (void)triad_contents_add(w->contents, (triad_spectrum){.name = names[i].name, .units = names[i].unit,
                                                           .long_name = names[i].formula, .n_dims = 1,
                                                           .dims = {w->shells}, .scale = {"k"}});
  return TRIAD_OK;
}

static void give(work *w)
{
  triad_memory *m = w->flow->context->memory;
  TRIAD_FREE(m, &w->own);
  TRIAD_FREE(m, &w->weight);
  TRIAD_FREE(m, &w->planes);
  for (int i = 0; i < 3; i++) TRIAD_FREE(m, &w->modes[i]);
  TRIAD_FREE(m, &w->sums);
  triad_contents_destroy(&w->contents);
  triad_pass_destroy(&w->pass);
  triad_slab_destroy(&w->slab);
  triad_layout_destroy(&w->layout);
}

/* Primitive f, times sqrt(rho) where asked, to modes. Collective. */
static int transform(work *w, int f, int weighted, triad_cplx *out)
{
  TRIAD_TRY(triad_agree(&w->flow->context->comm, triad_weno_get(w->flow->weno, f, w->own)));
  if (weighted)
#pragma omp parallel for simd schedule(static)
    for (int64_t i = 0; i < w->points; i++) w->own[i] *= w->weight[i];
  TRIAD_TRY(triad_slab_gather(w->slab, w->own, w->planes));
  const triad_real *from[1] = {w->planes};
  return triad_forward(w->pass, w->layout, 1, from, &out);
}

/* A mode: its place in fields, its wavenumber (0 for a Nyquist mode, too), whether it is the mean, and its weight. */
typedef struct mode {
  int64_t at;
  double k[3], weight;
  int mean;
} mode;

/* What a mode adds: densities of the spectra that the fields at hand are for. */
typedef void (*density)(const work *w, const mode *m, double out[SPECTRA]);

static double square(triad_cplx a) { return (double)a.re * (double)a.re + (double)a.im * (double)a.im; }

static double energy(const work *w, const mode *m)
{
  return m->weight / 2 * (square(w->modes[0][m->at]) + square(w->modes[1][m->at]) + square(w->modes[2][m->at]));
}

static void of_momentum(const work *w, const mode *m, double out[SPECTRA]) { out[E] = energy(w, m); }

static void of_velocity(const work *w, const mode *m, double out[SPECTRA])
{
  const double *k = m->k;
  double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2], re = 0, im = 0;
  for (int i = 0; i < 3; i++) {
    re += k[i] * (double)w->modes[i][m->at].re;
    im += k[i] * (double)w->modes[i][m->at].im;
  }
  out[E_U] = energy(w, m);
  out[E_DILATATIONAL] = k2 > 0 ? m->weight / 2 * (re * re + im * im) / k2 : 0;
  out[E_SOLENOIDAL] = out[E_U] - out[E_DILATATIONAL];
}

static void of_state(const work *w, const mode *m, double out[SPECTRA])
{
  if (m->mean) return;
  out[RHO_VARIANCE] = m->weight * square(w->modes[0][m->at]);
  out[P_VARIANCE] = m->weight * square(w->modes[1][m->at]);
}

static void add_columns(work *w, density f, int64_t begin, int64_t end, triad_sum *sums)
{
  const triad_layout *l = w->layout;
  for (int64_t c = begin; c < end; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
      const mode m = {.at = triad_layout_place(l, c, j), .k = {l->wx[c], l->wy[c], l->wz[j]}, .weight = l->weight[c],
                      .mean = l->kx[c] == 0 && l->ky[c] == 0 && l->kz[j] == 0};
      int64_t shell = triad_shell(&l->grid, m.k);
      double out[SPECTRA] = {0};
      f(w, &m, out);
      for (int i = 0; i < SPECTRA; i++)
        if (out[i] != 0) triad_sum_add(&sums[i * w->shells + shell], out[i]);
    }
}

static void add_modes(work *w, density f)
{
  int threads = w->flow->context->threads;
  int64_t columns = w->layout->n_columns;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++)
    add_columns(w, f, triad_deal(columns, t, threads), triad_deal(columns, t + 1, threads),
                w->sums + t * SPECTRA * w->shells);
}

static int measure(work *w)
{
  TRIAD_TRY(triad_agree(&w->flow->context->comm, triad_weno_get(w->flow->weno, 0, w->weight)));
  for (int64_t i = 0; i < w->points; i++) w->weight[i] = (triad_real)sqrt((double)w->weight[i]);
  for (int i = 0; i < 3; i++) TRIAD_TRY(transform(w, 1 + i, 1, w->modes[i]));
  add_modes(w, of_momentum);
  for (int i = 0; i < 3; i++) TRIAD_TRY(transform(w, 1 + i, 0, w->modes[i]));
  add_modes(w, of_velocity);
  TRIAD_TRY(transform(w, 0, 0, w->modes[0]));
  TRIAD_TRY(transform(w, 4, 0, w->modes[1]));
  add_modes(w, of_state);
  return triad_sum_threads(&w->flow->context->comm, w->sums, SPECTRA * w->shells, w->flow->context->threads, w->values);
}

/* Parseval: the sum of E is the kinetic energy, which the budget took from the points. Each mode of E carries the rounding
 * of sqrt(rho) u and of a transform, some units a factor of two of its size. */
static int check_sum(const work *w, double kinetic)
{
  const triad_grid *g = &w->layout->grid;
  double sum = 0, factors = log2((double)triad_grid_points(g)), tolerance = (16 + 4 * factors) * TRIAD_EPSILON * kinetic;
  for (int64_t s = 0; s < w->shells; s++) sum += w->values[s];
  if (fabs(sum - kinetic) <= tolerance) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the spectrum sums to %.17g but the kinetic energy is %.17g", sum, kinetic);
}

int triad_gas_spectra(void *flow, const char *run_dir, const double *columns, const triad_notes *notes)
{
  triad_gas_flow *f = flow;
  const triad_space space = triad_gas_bare_space(f);
  work w = {.flow = f, .points = space.memory};
  if (!triad_gas_has_spectra(&f->setup)) return TRIAD_OK;
  triad_pass_options options = {
      .planning = triad_case_flag(f->given, "parallel.reproducible") ? TRIAD_PLAN_ESTIMATED : TRIAD_PLAN_MEASURED,
      .wisdom = f->run_dir};
  int st = triad_agree(&f->context->comm, make_layout(&w));
  if (st == TRIAD_OK) st = triad_slab_create(&w.slab, f->context, &space);
  if (st == TRIAD_OK) st = triad_agree(&f->context->comm, take(&w));
  if (st == TRIAD_OK) st = triad_pass_create(&w.pass, f->context, w.layout, 0, 1, &options);
  if (st == TRIAD_OK) st = measure(&w);
  if (st == TRIAD_OK) st = triad_agree(&f->context->comm, check_sum(&w, columns[TRIAD_WENO_KINETIC]));
  if (st == TRIAD_OK)
    st = triad_spectrafile_write(f->context, run_dir, f->at.step, f->at.t, w.contents->n, w.contents->list, notes);
  give(&w);
  return st;
}
