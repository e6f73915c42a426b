#include "solvers/staggered/transform.h"

#include "fft/transform.h"
#include "grid/slab.h"

#include <stdlib.h>

struct triad_staggered_transform {
  const triad_staggered_mesh *m;
  triad_layout *layout;
  triad_slab *slab;
  triad_pass *pass;
  triad_real *planes;   /* [z_local][y][x] */
  triad_cplx *modes;
  double *value[3];     /* V 4 sin^2(k h/2)/h^2 by wavenumber, |k| = 0 .. n/2 */
};

void triad_staggered_transform_renew(triad_staggered_transform *t)
{
  const triad_staggered_setup *setup = &t->m->setup;
  double volume = 1;
  for (int i = 0; i < 3; i++) volume *= setup->length[i] / (double)setup->n[i];
  for (int i = 0; i < 3; i++)
    for (int64_t k = 0; k <= setup->n[i] / 2; k++) {
      double h = setup->length[i] / (double)setup->n[i];
      double s = 2 / h * sin(3.14159265358979323846 * (double)k / (double)setup->n[i]);
      t->value[i][k] = volume * s * s;
    }
}

static int prepare(triad_staggered_transform *t)
{
  const triad_staggered_setup *setup = &t->m->setup;
  const triad_comm *comm = &t->m->context->comm;
  triad_grid grid;
  TRIAD_TRY(triad_grid_init(&grid, setup->n, setup->length, TRIAD_NONE));
  TRIAD_TRY(triad_layout_create(&t->layout, &grid, comm->rank, comm->size, TRIAD_LANES));
  for (int i = 0; i < 3; i++)
    TRIAD_TRY(TRIAD_ALLOC(t->m->context->memory, "eigenvalues", setup->n[i] / 2 + 1, &t->value[i]));
  triad_staggered_transform_renew(t);
  return TRIAD_OK;
}

static int take(triad_staggered_transform *t)
{
  triad_memory *memory = t->m->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(memory, "pressure's planes", triad_slab_count(t->slab) * triad_slab_reals(t->slab), &t->planes));
  return TRIAD_ALLOC(memory, "pressure's modes", t->layout->modes, &t->modes);
}

int triad_staggered_transform_create(triad_staggered_transform **out, const triad_staggered_mesh *m, const char *wisdom)
{
  const triad_comm *comm = &m->context->comm;
  const triad_space space = triad_staggered_space(m, 3, 0);
  const triad_pass_options options = {.planning = m->setup.reproducible ? TRIAD_PLAN_ESTIMATED : TRIAD_PLAN_MEASURED,
                                      .wisdom = wisdom};
  triad_staggered_transform *t = *out = calloc(1, sizeof *t);
  int st = t ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure's transform");
  if (t) {
    t->m = m;
    st = prepare(t);
  }
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = triad_slab_create(&t->slab, m->context, &space);
  if (st == TRIAD_OK) st = triad_agree(comm, take(t));
  if (st == TRIAD_OK) st = triad_pass_create(&t->pass, m->context, t->layout, 1, 1, &options);
  if (st != TRIAD_OK) triad_staggered_transform_destroy(out);
  return st;
}

void triad_staggered_transform_destroy(triad_staggered_transform **transform)
{
  triad_staggered_transform *t = *transform;
  if (!t) return;
  triad_memory *memory = t->m->context->memory;
  TRIAD_FREE(memory, &t->planes);
  TRIAD_FREE(memory, &t->modes);
  for (int i = 0; i < 3; i++) TRIAD_FREE(memory, &t->value[i]);
  triad_pass_destroy(&t->pass);
  triad_slab_destroy(&t->slab);
  triad_layout_destroy(&t->layout);
  free(t);
  *transform = NULL;
}

static void divide(triad_staggered_transform *t)
{
  const triad_layout *l = t->layout;
#pragma omp parallel for schedule(static) num_threads(t->m->context->threads)
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      double value = t->value[0][abs(l->kx[c])] + t->value[1][abs(l->ky[c])] + t->value[2][abs(l->kz[j])];
      triad_real part = value > 0 ? (triad_real)(1 / value) : 0;
      triad_cplx *mode = &t->modes[triad_layout_place(l, c, j)];
      mode->re *= part;
      mode->im *= part;
    }
}

int triad_staggered_transform_solve(triad_staggered_transform *t, const triad_real *r, triad_real *q)
{
  const triad_partition *b = &t->m->blocks;
  TRIAD_TRY(triad_slab_gather(t->slab, r, t->planes));
  const triad_real *from[1] = {t->planes};
  TRIAD_TRY(triad_forward(t->pass, t->layout, 1, from, &t->modes));
  divide(t);
  const triad_cplx *modes[1] = {t->modes};
  TRIAD_TRY(triad_backward(t->pass, t->layout, 1, modes, &t->planes));
  TRIAD_TRY(triad_slab_scatter(t->slab, t->planes, q));
  if (!t->m->solids) return TRIAD_OK;
#pragma omp parallel for schedule(static) num_threads(t->m->context->threads)
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t at = triad_partition_at(b, 0, y, z); at < triad_partition_at(b, b->local[0], y, z); at++)
        if (t->m->open[at] & TRIAD_STAGGERED_SOLID) q[at] = 0;
  return TRIAD_OK;
}
