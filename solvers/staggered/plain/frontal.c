/* The shadow of the solids on a plane: a rank marks the columns of cells in which it has solids, and all marks are
 * joined. */
#include "solvers/staggered/plain/frontal.h"

#include <math.h>
#include <stdlib.h>

/* 1 in shadow[c][b] where a column along axis a has solids; in layer[axis][] where a layer across the axis has. */
static void mark(const triad_staggered_mesh *m, int a, uint8_t *shadow, uint8_t *const layer[3])
{
  const triad_partition *p = &m->blocks;
  const int b = a == 0 ? 1 : 0, c = 3 - a - b;
  for (int64_t z = 0; z < p->local[2]; z++)
    for (int64_t y = 0; y < p->local[1]; y++)
      for (int64_t x = 0; x < p->local[0]; x++) {
        const int64_t at[3] = {p->begin[0] + x, p->begin[1] + y, p->begin[2] + z};
        if (!(m->open[triad_partition_at(p, x, y, z)] & TRIAD_STAGGERED_SOLID)) continue;
        shadow[at[c] * p->n[b] + at[b]] = 1;
        for (int i = 0; i < 3; i++) layer[i][at[i]] = 1;
      }
}

static double area_of(const triad_staggered_mesh *m, int a, const uint8_t *shadow)
{
  const int b = a == 0 ? 1 : 0, c = 3 - a - b;
  double area = 0;
  for (int64_t k = 0; k < m->blocks.n[c]; k++)
    for (int64_t j = 0; j < m->blocks.n[b]; j++)
      if (shadow[k * m->blocks.n[b] + j])
        area += (m->face[c][k + 1] - m->face[c][k]) * (m->face[b][j + 1] - m->face[b][j]);
  return area;
}

/* First and last position of the solids along an axis; 0 without solids. */
static void ends_of(const triad_staggered_mesh *m, int axis, const uint8_t *layer, double ends[2])
{
  int64_t first = -1, last = -1;
  for (int64_t i = 0; i < m->blocks.n[axis]; i++) {
    if (!layer[i]) continue;
    if (first < 0) first = i;
    last = i;
  }
  ends[0] = first < 0 ? 0 : m->face[axis][first];
  ends[1] = first < 0 ? 0 : m->face[axis][last + 1];
}

int triad_staggered_size_solids(const triad_staggered_mesh *m, triad_body_reference *r)
{
  int a = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(r->velocity[i]) > fabs(r->velocity[a])) a = i;
  const int64_t *n = m->blocks.n, size = n[0] * n[1] * n[2] / n[a], marks = size + n[0] + n[1] + n[2];
  const int fits = marks <= INT32_MAX; /* one message */
  uint8_t *mine = fits ? calloc((size_t)marks, 1) : NULL, *all = fits ? calloc((size_t)marks, 1) : NULL;
  int st =
    triad_agree(&m->context->comm, mine && all ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the shadow of the solids"));
  if (st == TRIAD_OK) {
    mark(m, a, mine, (uint8_t *const[3]){mine + size, mine + size + n[0], mine + size + n[0] + n[1]});
    st = TRIAD_MPI(MPI_Allreduce(mine, all, (int)marks, MPI_UINT8_T, MPI_MAX, m->context->comm.mpi));
  }
  if (st == TRIAD_OK && !(r->area > 0)) r->area = area_of(m, a, all);
  for (int64_t i = 0, layer = size; st == TRIAD_OK && i < 3; layer += n[i++]) {
    double ends[2];
    ends_of(m, (int)i, all + layer, ends);
    if (i == r->up && !(r->length > 0)) r->length = ends[1] - ends[0];
    if (isnan(r->centre[i])) r->centre[i] = (ends[0] + ends[1]) / 2;
  }
  free(mine);
  free(all);
  return st;
}
