/* Transform fields of a periodic box to modes by the distributed transform, and sum the contribution of each mode to
 * the shell spectra. */
#include "solvers/box/box_spectra.h"
#include "fft/pass/pass_create.h"

#include "fft/pass/transform.h"
#include "grid/shells.h"
#include "grid/fields/slab.h"
#include "parallel/sum.h"
#include "store/formats/spectrafile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct triad_box_spectra {
  triad_context *context;
  triad_layout *layout; /* of the transform: its planes are those of the slab */
  triad_slab *slab;
  triad_pass *pass;
  triad_real *planes; /* a field, [z_local][y][x] */
  int n_modes, n;     /* fields of modes, spectra */
  triad_cplx *modes[TRIAD_BOX_MODES];
  int64_t shells;
  triad_sum *sums;          /* [threads][n][shells] */
  triad_contents *contents; /* k, then              */
  double *values;           /* [n][shells]          */
};

/* The transform is of a periodic grid, whole. */
static int make_layout(triad_box_spectra *w, const triad_box_spectra_plan *plan)
{
  const triad_comm *comm = &w->context->comm;
  triad_grid grid;
  TRIAD_TRY(triad_grid_init(&grid, plan->n, plan->length, TRIAD_NONE));
  return triad_layout_create(&w->layout, &grid, comm->rank, comm->size, TRIAD_LANES);
}

static int allocate(triad_box_spectra *w, const triad_column_info *names)
{
  triad_memory *m = w->context->memory;
  const triad_layout *l = w->layout;
  w->shells = triad_shell_count(&l->grid);
  TRIAD_TRY(TRIAD_ALLOC(m, "spectra", triad_slab_count(w->slab) * triad_slab_reals(w->slab), &w->planes));
  for (int i = 0; i < w->n_modes; i++) TRIAD_TRY(TRIAD_ALLOC(m, "spectra", l->modes, &w->modes[i]));
  TRIAD_TRY(TRIAD_ALLOC(m, "shell sums", w->context->threads * w->n * w->shells, &w->sums));
  for (int64_t i = 0; i < w->context->threads * w->n * w->shells; i++) triad_sum_clear(&w->sums[i]);
  TRIAD_TRY(triad_contents_create(&w->contents, m, w->n + 1, (w->n + 1) * w->shells));
  triad_contents_scale(w->contents, "k", "1/L", "wavenumber of the shell", w->shells, triad_grid_k_min(&l->grid));
  w->values = w->contents->next;
  for (int i = 0; i < w->n; i++)
    (void)triad_contents_add(w->contents, (triad_spectrum){.name = names[i].name,
                                                           .units = names[i].unit,
                                                           .long_name = names[i].formula,
                                                           .n_dims = 1,
                                                           .dims = {w->shells},
                                                           .scale = {"k"}});
  return TRIAD_OK;
}

int64_t triad_box_spectra_bytes(const int64_t n[3], int ranks, int modes)
{
  const int64_t columns = ((n[0] / 2 + 1) * n[1] + ranks - 1) / ranks, planes = (n[2] + ranks - 1) / ranks;
  return planes * n[1] * n[0] * (int64_t)sizeof(triad_real) +
         (modes + 1) * columns * n[2] * (int64_t)sizeof(triad_cplx);
}

int triad_box_spectra_create(triad_box_spectra **out, triad_context *context, const triad_box_spectra_plan *plan)
{
  const triad_pass_options options = {.planning = plan->reproducible ? TRIAD_PLAN_ESTIMATED : TRIAD_PLAN_MEASURED,
                                      .wisdom = plan->run_dir};
  triad_box_spectra *w = *out = calloc(1, sizeof *w);
  int st = triad_agree(&context->comm, w ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "no memory for spectra"));
  if (st != TRIAD_OK) {
    free(w);
    *out = NULL;
    return st;
  }
  w->context = context;
  w->n = plan->spectra;
  w->n_modes = plan->modes;
  st = triad_agree(&context->comm, make_layout(w, plan));
  if (st == TRIAD_OK) st = triad_slab_create(&w->slab, context, plan->space);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, allocate(w, plan->names));
  if (st == TRIAD_OK) st = triad_pass_create(&w->pass, context, w->layout, 0, 1, &options);
  if (st != TRIAD_OK) triad_box_spectra_destroy(out);
  return st;
}

void triad_box_spectra_destroy(triad_box_spectra **spectra)
{
  triad_box_spectra *w = *spectra;
  if (!w) return;
  triad_memory *m = w->context->memory;
  TRIAD_FREE(m, &w->planes);
  for (int i = 0; i < w->n_modes; i++) TRIAD_FREE(m, &w->modes[i]);
  TRIAD_FREE(m, &w->sums);
  triad_contents_destroy(&w->contents);
  triad_pass_destroy(&w->pass);
  triad_slab_destroy(&w->slab);
  triad_layout_destroy(&w->layout);
  free(w);
  *spectra = NULL;
}

int triad_box_spectra_transform(triad_box_spectra *w, const triad_real *points, int into)
{
  TRIAD_TRY(triad_slab_gather(w->slab, points, w->planes));
  const triad_real *from[1] = {w->planes};
  return triad_forward(w->pass, w->layout, 1, from, &w->modes[into]);
}

static void add_columns(const triad_box_spectra *w, triad_box_density *density, int64_t begin, int64_t end,
                        triad_sum *sums)
{
  const triad_layout *l = w->layout;
  for (int64_t c = begin; c < end; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
      const int64_t at = triad_layout_place(l, c, j);
      double size[3];
      triad_box_mode mode = {.weight = l->weight[c], .mean = l->kx[c] == 0 && l->ky[c] == 0 && l->kz[j] == 0};
      for (int i = 0; i < w->n_modes; i++) mode.a[i] = w->modes[i][at];
      triad_layout_derivative(l, c, j, mode.k);
      triad_layout_size(l, c, j, size);
      const int64_t shell = triad_shell(&l->grid, size);
      double out[TRIAD_BOX_SPECTRA] = {0};
      density(&mode, out);
      for (int i = 0; i < w->n; i++)
        if (out[i] != 0) triad_sum_add(&sums[i * w->shells + shell], out[i]);
    }
}

void triad_box_spectra_add(triad_box_spectra *w, triad_box_density *density)
{
  const int threads = w->context->threads;
  const int64_t columns = w->layout->n_columns;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++)
    add_columns(w, density, triad_deal(columns, t, threads), triad_deal(columns, t + 1, threads),
                w->sums + t * w->n * w->shells);
}

int triad_box_spectra_sums(triad_box_spectra *w, double *values)
{
  TRIAD_TRY(triad_sum_threads(&w->context->comm, w->sums, w->n * w->shells, w->context->threads, values));
  for (int64_t i = 0; i < w->context->threads * w->n * w->shells; i++) triad_sum_clear(&w->sums[i]);
  return TRIAD_OK;
}

int64_t triad_box_spectra_shells(const triad_box_spectra *w) { return w->shells; }

static int check_sum(const triad_box_spectra *w, double energy)
{
  double sum = 0, factors = log2((double)triad_grid_points(&w->layout->grid));
  for (int64_t s = 0; s < w->shells; s++) sum += w->values[s];
  if (fabs(sum - energy) <= (16 + 4 * factors) * TRIAD_EPSILON * energy) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the spectrum sums to %.17g but the energy is %.17g", sum, energy);
}

int triad_box_spectra_write(triad_box_spectra *w, double energy, int64_t step, double t, const char *run_dir,
                            const triad_notes *notes)
{
  const triad_comm *comm = &w->context->comm;
  TRIAD_TRY(triad_box_spectra_sums(w, w->values));
  TRIAD_TRY(triad_agree(comm, check_sum(w, energy)));
  return triad_spectrafile_write(w->context, run_dir, step, t, w->contents->n, w->contents->list, notes);
}

int triad_box_spectra_take(triad_box_spectra *w, double energy, triad_contents *into)
{
  const triad_comm *comm = &w->context->comm;
  TRIAD_TRY(triad_sum_threads(comm, w->sums, w->n * w->shells, w->context->threads, w->values));
  TRIAD_TRY(triad_agree(comm, check_sum(w, energy)));
  for (int i = 0; i < w->contents->n; i++) {
    triad_spectrum s = w->contents->list[i];
    const double *from = s.values;
    s.name = triad_contents_text(into, "%s", s.name);
    memcpy(triad_contents_add(into, s), from, (size_t)w->shells * sizeof *from);
  }
  return TRIAD_OK;
}

int triad_box_spectra_size(const int64_t n[3], const double length[3], int spectra, int *arrays, int64_t *values)
{
  triad_grid grid;
  TRIAD_TRY(triad_grid_init(&grid, n, length, TRIAD_NONE));
  *arrays = spectra + 1;
  *values = (spectra + 1) * triad_shell_count(&grid);
  return TRIAD_OK;
}
