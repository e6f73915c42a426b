/* Solve for the pressure of a periodic uniform box by dividing Fourier modes by 4 sin^2(k h/2)/h^2, summed over the
 * axes. */
#include "solvers/staggered/pressure/fourier.h"
#include "fft/pass/pass_create.h"

#include "fft/pass/transform.h"
#include "grid/fields/slab.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct triad_staggered_fourier {
  const triad_staggered_mesh *m;
  triad_layout *layout;
  triad_slab *slab;
  triad_pass *pass;
  triad_real *planes; /* [z_local][y][x]; NULL: the cells are whole planes where the transform has them */
  triad_cplx *modes;
  double *value[3]; /* V 4 sin^2(k h/2)/h^2 by wavenumber, |k| = 0 .. n/2 */
  /* what rows are worked with */
  const triad_real *from;
  triad_real *to;
};

void triad_staggered_fourier_renew(triad_staggered_fourier *t)
{
  const triad_staggered_setup *setup = &t->m->setup;
  double volume = 1;
  for (int i = 0; i < 3; i++) volume *= setup->length[i] / (double)setup->n[i];
  for (int i = 0; i < 3; i++)
    for (int64_t k = 0; k <= setup->n[i] / 2; k++) {
      double h = setup->length[i] / (double)setup->n[i];
      double s = 2 / h * sin(TRIAD_PI * (double)k / (double)setup->n[i]);
      t->value[i][k] = volume * s * s;
    }
}

static int prepare(triad_staggered_fourier *t)
{
  const triad_staggered_setup *setup = &t->m->setup;
  const triad_comm *comm = &t->m->context->comm;
  triad_grid grid;
  TRIAD_TRY(triad_grid_init(&grid, setup->n, setup->length, TRIAD_NONE));
  TRIAD_TRY(triad_layout_create(&t->layout, &grid, comm->rank, comm->size, TRIAD_LANES));
  for (int i = 0; i < 3; i++)
    TRIAD_TRY(TRIAD_ALLOC(t->m->context->memory, "eigenvalues", setup->n[i] / 2 + 1, &t->value[i]));
  triad_staggered_fourier_renew(t);
  return TRIAD_OK;
}

static int allocate_buffers(triad_staggered_fourier *t)
{
  triad_memory *memory = t->m->context->memory;
  int64_t planes = triad_slab_count(t->slab) * triad_slab_reals(t->slab);
  if (!triad_slab_is_direct(t->slab)) TRIAD_TRY(TRIAD_ALLOC(memory, "pressure's planes", planes, &t->planes));
  return TRIAD_ALLOC(memory, "pressure's modes", t->layout->modes, &t->modes);
}

int triad_staggered_fourier_create(triad_staggered_fourier **out, const triad_staggered_mesh *m, const char *wisdom)
{
  const triad_comm *comm = &m->context->comm;
  const triad_space space = triad_staggered_space(m, 3, 0);
  const triad_pass_options options = {.planning = m->setup.reproducible ? TRIAD_PLAN_ESTIMATED : TRIAD_PLAN_MEASURED,
                                      .wisdom = wisdom};
  triad_staggered_fourier *t = *out = calloc(1, sizeof *t);
  int st = t ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure transform");
  if (t) {
    t->m = m;
    st = prepare(t);
  }
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = triad_slab_create(&t->slab, m->context, &space);
  if (st == TRIAD_OK) st = triad_agree(comm, allocate_buffers(t));
  if (st == TRIAD_OK) st = triad_pass_create(&t->pass, m->context, t->layout, 1, 1, &options);
  if (st != TRIAD_OK) triad_staggered_fourier_destroy(out);
  return st;
}

void triad_staggered_fourier_destroy(triad_staggered_fourier **fourier)
{
  triad_staggered_fourier *t = *fourier;
  if (!t) return;
  triad_memory *memory = t->m->context->memory;
  TRIAD_FREE(memory, &t->planes);
  TRIAD_FREE(memory, &t->modes);
  for (int i = 0; i < 3; i++) TRIAD_FREE(memory, &t->value[i]);
  triad_pass_destroy(&t->pass);
  triad_slab_destroy(&t->slab);
  triad_layout_destroy(&t->layout);
  free(t);
  *fourier = NULL;
}

/* Where a row of the transform is in `planes`, or in a field with its halo. */
static int64_t row_place(const triad_staggered_fourier *t, const triad_patch *at)
{
  const triad_partition *b = &t->m->blocks;
  int64_t z = at->z - t->layout->plane_begin[t->layout->rank];
  return t->planes ? (z * b->n[1] + at->y) * b->n[0] : triad_partition_at(b, 0, at->y, z);
}

static void load_row(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_staggered_fourier *t = self;
  (void)in;
  (void)peaks;
  memcpy(out[0], t->from + row_place(t, at), (size_t)at->n * sizeof **out);
}

static void store_row(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_staggered_fourier *t = self;
  (void)out;
  (void)peaks;
  memcpy(t->to + row_place(t, at), in[0], (size_t)at->n * sizeof **in);
}

/* A block of columns over its eigenvalues; the mean counts as 0. */
static void divide(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const triad_staggered_fourier *t = self;
  const triad_layout *l = t->layout;
  const int64_t first = block->block * TRIAD_LANES;
  double across[TRIAD_LANES];
  for (int lane = 0; lane < TRIAD_LANES; lane++)
    across[lane] = t->value[0][abs(l->kx[first + lane])] + t->value[1][abs(l->ky[first + lane])];
  for (int64_t j = 0; j < l->nkz; j++) {
    const double along = t->value[2][abs(l->kz[j])];
    const triad_cplx *from = triad_batch_row(block, out[0], j);
    triad_cplx *to = t->modes + (block->block * l->nkz + j) * TRIAD_LANES;
    for (int lane = 0; lane < TRIAD_LANES; lane++) {
      const double value = across[lane] + along;
      const triad_real part = (triad_real)(1 / (value > 0 ? value : INFINITY));
      to[lane] = (triad_cplx){part * from[lane].re, part * from[lane].im};
    }
  }
  for (int lane = 0; lane < TRIAD_LANES; lane++)
    if (l->kz_extent[first + lane] < 0) /* no column */
      for (int64_t j = 0; j < l->nkz; j++)
        t->modes[(block->block * l->nkz + j) * TRIAD_LANES + lane] = (triad_cplx){0, 0};
}

static void put_columns(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_staggered_fourier *t = self;
  triad_batch_put(block, t->modes, in[0]);
}

int triad_staggered_fourier_solve(triad_staggered_fourier *t, const triad_real *r, triad_real *q)
{
  const triad_work forward = {.n_out = 1, .points = load_row, .sink = divide, .self = t};
  const triad_work backward = {.n_in = 1, .source = put_columns, .points = store_row, .self = t};
  if (t->planes) TRIAD_TRY(triad_slab_gather(t->slab, r, t->planes));
  t->from = t->planes ? t->planes : r;
  t->to = t->planes ? t->planes : q;
  TRIAD_TRY(triad_pass_run(t->pass, &forward));
  TRIAD_TRY(triad_pass_run(t->pass, &backward));
  return t->planes ? triad_slab_scatter(t->slab, t->planes, q) : TRIAD_OK;
}
