/* Shell spectra of a periodic box without solids, by the distributed transform (docs/outputs.md): E of the velocity on
 * faces, which sums to the energy of the series, and the variance of the pressure. */
#include "fft/transform.h"
#include "grid/shells.h"
#include "grid/slab.h"
#include "parallel/sum.h"
#include "solvers/staggered/flow.h"
#include "store/spectrafile.h"

#include <math.h>

enum { E, P_VARIANCE, SPECTRA };

static const triad_column_info names[SPECTRA] = {
    [E] = {"E", "U^2", "kinetic energy per shell, of velocities on faces"},
    [P_VARIANCE] = {"p_variance", "U^4", "variance of the pressure per shell"},
};

typedef struct work {
  triad_staggered_flow *flow;
  triad_layout *layout;
  triad_slab *slab;
  triad_pass *pass;
  triad_real *planes; /* a field, [z_local][y][x] */
  triad_cplx *modes;
  int64_t shells;
  triad_sum *sums;          /* [threads][SPECTRA][shells] */
  triad_contents *contents; /* k, then                    */
  double *values;           /* [SPECTRA][shells]          */
} work;

int triad_staggered_has_spectra(const triad_staggered_setup *s)
{
  for (int i = 0; i < 3; i++)
    if (s->n[i] > 1 && (s->side[i][0] != TRIAD_STAGGERED_PERIODIC || s->stretch[i] > 0)) return 0;
  return 1;
}

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
  w->shells = triad_shell_count(&w->layout->grid);
  TRIAD_TRY(TRIAD_ALLOC(m, "spectra", triad_slab_count(w->slab) * triad_slab_reals(w->slab), &w->planes));
  TRIAD_TRY(TRIAD_ALLOC(m, "spectra", w->layout->modes, &w->modes));
  TRIAD_TRY(TRIAD_ALLOC(m, "shell sums", w->flow->context->threads * SPECTRA * w->shells, &w->sums));
  TRIAD_TRY(triad_contents_create(&w->contents, m, SPECTRA + 1, (SPECTRA + 1) * w->shells));
  triad_contents_scale(w->contents, "k", "1/L", "wavenumber of the shell", w->shells,
                       triad_grid_k_min(&w->layout->grid));
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
  TRIAD_FREE(m, &w->planes);
  TRIAD_FREE(m, &w->modes);
  TRIAD_FREE(m, &w->sums);
  triad_contents_destroy(&w->contents);
  triad_pass_destroy(&w->pass);
  triad_slab_destroy(&w->slab);
  triad_layout_destroy(&w->layout);
}

/* factor |mode|^2 of columns begin .. end - 1; mean: that of k = 0 too. */
static void add_columns(work *w, double factor, int mean, int64_t begin, int64_t end, triad_sum *sums)
{
  const triad_layout *l = w->layout;
  for (int64_t c = begin; c < end; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
      if (!mean && l->kx[c] == 0 && l->ky[c] == 0 && l->kz[j] == 0) continue;
      const double k[3] = {l->wx[c], l->wy[c], l->wz[j]};
      triad_cplx a = w->modes[triad_layout_place(l, c, j)];
      double square = (double)a.re * (double)a.re + (double)a.im * (double)a.im;
      triad_sum_add(&sums[triad_shell(&l->grid, k)], factor * l->weight[c] * square);
    }
}

static int add_field(work *w, const triad_real *field, int spectrum, double factor)
{
  int threads = w->flow->context->threads, mean = spectrum == E;
  int64_t columns = w->layout->n_columns;
  TRIAD_TRY(triad_slab_gather(w->slab, field, w->planes));
  const triad_real *from[1] = {w->planes};
  TRIAD_TRY(triad_forward(w->pass, w->layout, 1, from, &w->modes));
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++)
    add_columns(w, factor, mean, triad_deal(columns, t, threads), triad_deal(columns, t + 1, threads),
                w->sums + (t * SPECTRA + spectrum) * w->shells);
  return TRIAD_OK;
}

static int measure(work *w)
{
  triad_staggered_flow *f = w->flow;
  for (int64_t i = 0; i < f->context->threads * SPECTRA * w->shells; i++) triad_sum_clear(&w->sums[i]);
  for (int a = 0; a < 3; a++) TRIAD_TRY(add_field(w, f->u[0][a], E, 0.5));
  TRIAD_TRY(add_field(w, f->p, P_VARIANCE, 1));
  return triad_sum_threads(&f->context->comm, w->sums, SPECTRA * w->shells, f->context->threads, w->values);
}

/* Parseval: E sums to the energy, but for some roundings a factor of two of the transform's size. */
static int check_sum(const work *w, double energy)
{
  double sum = 0, factors = log2((double)triad_grid_points(&w->layout->grid));
  for (int64_t s = 0; s < w->shells; s++) sum += w->values[s];
  if (fabs(sum - energy) <= (16 + 4 * factors) * TRIAD_EPSILON * energy) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the spectrum sums to %.17g but the energy is %.17g", sum, energy);
}

static int write_spectra(triad_staggered_flow *f, const char *run_dir, const double *columns, const triad_notes *notes)
{
  const triad_space space = triad_staggered_space(f->mesh, 3, 0);
  const triad_pass_options options = {.planning = f->setup.reproducible ? TRIAD_PLAN_ESTIMATED : TRIAD_PLAN_MEASURED,
                                      .wisdom = run_dir};
  work w = {.flow = f};
  int st = triad_agree(&f->context->comm, make_layout(&w));
  if (st == TRIAD_OK) st = triad_slab_create(&w.slab, f->context, &space);
  if (st == TRIAD_OK) st = triad_agree(&f->context->comm, take(&w));
  if (st == TRIAD_OK) st = triad_pass_create(&w.pass, f->context, w.layout, 0, 1, &options);
  if (st == TRIAD_OK) st = measure(&w);
  if (st == TRIAD_OK) st = triad_agree(&f->context->comm, check_sum(&w, columns[0]));
  if (st == TRIAD_OK)
    st = triad_spectrafile_write(f->context, run_dir, f->at.step, f->at.t, w.contents->n, w.contents->list, notes);
  give(&w);
  return st;
}

int triad_staggered_spectra(void *flow, const char *run_dir, const double *columns, const triad_notes *notes)
{
  triad_staggered_flow *f = flow;
  TRIAD_TRY(triad_staggered_to_host(f));
  TRIAD_TRY(triad_staggered_profiles_write(f->profiles, run_dir, f->at.step, f->at.t));
  return triad_staggered_has_spectra(&f->setup) && !f->mesh->solids ? write_spectra(f, run_dir, columns, notes)
                                                                    : TRIAD_OK;
}
