#include "store/points.h"

#include <stdlib.h>

static int deal(triad_points *p, const triad_partition *blocks, const double length[3])
{
  triad_grid grid;
  const triad_comm *comm = &p->context->comm;
  TRIAD_TRY(triad_grid_init(&grid, blocks->n, length, TRIAD_NONE));
  TRIAD_TRY(triad_layout_create(&p->layout, &grid, comm->rank, comm->size, TRIAD_LANES));
  return TRIAD_TAKE(p->context->memory, "planes of a field", p->layout->n_planes * blocks->n[1] * blocks->n[0], &p->planes);
}

/* Rows of whole planes. */
static int make_rows(triad_points *p, const triad_partition *blocks)
{
  int size = p->context->comm.size;
  int64_t *first = calloc((size_t)size + 1, sizeof *first);
  int st = first ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of %d ranks", size);
  for (int r = 0; first && r <= size; r++) first[r] = p->layout->plane_begin[r] * blocks->n[1];
  st = triad_agree(&p->context->comm, st);
  if (st == TRIAD_OK) st = triad_rows_create(&p->rows, p->context, blocks, first);
  free(first);
  return st;
}

int triad_points_create(triad_points **out, const triad_context *context, const triad_partition *blocks,
                        const double length[3])
{
  triad_points *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the planes of a field");
  if (p) {
    p->context = context;
    p->blocks = *blocks;
    st = deal(p, blocks, length);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = make_rows(p, blocks);
  if (st != TRIAD_OK) triad_points_destroy(out);
  return st;
}

void triad_points_destroy(triad_points **points)
{
  if (!points || !*points) return;
  triad_points *p = *points;
  triad_rows_destroy(&p->rows);
  TRIAD_GIVE(p->context->memory, &p->planes);
  triad_layout_destroy(&p->layout);
  free(p);
  *points = NULL;
}
