/* Assign each cell of a slice to a rank by its position: by planes or along Hilbert's curve. */
#include "mesh/parts/partition_deal.h"
#include "mesh/parts/bisect.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/parts/bisect_spots.h"
#include "mesh/parts/partition_curve.h"
#include "mesh/sizes.h"
#include "mesh/point_set.h"

#include <math.h>

/* ---- centres of the slice's cells ---- */

/* The slice with points of its own, for as long as centres are found. */
static int place_points(const triad_mesh_partition *k, triad_mesh *m, const triad_mesh_point_set *points,
                        int32_t **list)
{
  triad_memory *memory = k->context->memory;
  int st = TRIAD_ALLOC(memory, "the mesh partition", points->n, list);
  if (st == TRIAD_OK) {
    TRIAD_FREE(memory, &m->x);
    st = TRIAD_ALLOC(memory, "the mesh partition", points->n, &m->x);
  }
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the mesh partition", m->n_cells, &m->centre);
  TRIAD_TRY(triad_agree(&k->context->comm, st));
  triad_mesh_point_set_list(points, *list);
  return triad_mesh_slices_points(&k->slices, *list, points->n, m->x);
}

/* And how far cells reach, where spots are asked for. */
static int find_centres(const triad_mesh_partition *k, triad_mesh *m, triad_mesh_spot *spot)
{
  triad_memory *memory = k->context->memory;
  triad_mesh_point_set points;
  int32_t *list = NULL;
  int st = triad_agree(&k->context->comm, triad_mesh_point_set_create(&points, memory, k->slices.n_points));
  if (st == TRIAD_OK) {
    const int64_t n = m->first[m->n_cells], n_loop = triad_mesh_loop_points(m);
    for (int64_t i = 0; i < n; i++) triad_mesh_point_set_add(&points, m->corner[i]);
    triad_mesh_point_set_count(&points);
    st = place_points(k, m, &points, &list);
    for (int64_t i = 0; i < n && st == TRIAD_OK; i++) m->corner[i] = triad_mesh_point_set_place(&points, m->corner[i]);
    for (int64_t i = 0; i < n_loop && st == TRIAD_OK; i++) m->loop[i] = triad_mesh_point_set_place(&points, m->loop[i]);
    for (int64_t c = 0; c < m->n_cells && st == TRIAD_OK; c++) {
      triad_mesh_middle(m, c, m->centre[c]);
      if (spot) triad_mesh_spot_reach(&spot[c], m, c);
    }
    for (int64_t i = 0; i < n && st == TRIAD_OK; i++) m->corner[i] = list[m->corner[i]];
    for (int64_t i = 0; i < n_loop && st == TRIAD_OK; i++) m->loop[i] = list[m->loop[i]];
  }
  TRIAD_FREE(memory, &m->x);
  TRIAD_FREE(memory, &list);
  triad_mesh_point_set_free(&points, memory);
  return st;
}

/* The box of all centres, as a cube. */
static int find_box(const triad_comm *comm, triad_mesh *m)
{
  double most[6] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
  for (int64_t c = 0; c < m->n_cells; c++)
    for (int a = 0; a < 3; a++) {
      most[a] = fmax(most[a], m->centre[c][a]);
      most[3 + a] = fmax(most[3 + a], -m->centre[c][a]);
    }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, most, 6, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  m->box[3] = 0;
  for (int a = 0; a < 3; a++) {
    m->box[a] = -most[3 + a];
    m->box[3] = fmax(m->box[3], most[a] - m->box[a]);
  }
  if (!(m->box[3] > 0)) m->box[3] = 1;
  return TRIAD_OK;
}

/* ---- by planes ---- */

static int bisect(const triad_mesh_partition *k, triad_mesh *m, triad_mesh_spot *spot, int32_t *rank_of)
{
  const triad_comm *comm = &k->context->comm;
  for (int64_t c = 0; c < m->n_cells; c++) triad_mesh_spot_place(&spot[c], m->centre[c], m->box);
  TRIAD_FREE(k->context->memory, &m->centre);
  return triad_mesh_bisect(comm, k->context->memory, spot, k->slices.first, m->n_cells, comm->size, rank_of);
}

int triad_mesh_partition_assign(triad_mesh_partition *k, int32_t *rank_of)
{
  triad_memory *memory = k->context->memory;
  triad_mesh *m = k->slices.cells;
  triad_mesh_spot *spot = NULL;
  const int curve = k->slices.source->curve;
  int st =
    triad_agree(&k->context->comm, curve ? TRIAD_OK : TRIAD_ALLOC(memory, "the mesh partition", m->n_cells, &spot));
  if (st == TRIAD_OK) st = find_centres(k, m, spot);
  if (st == TRIAD_OK) st = find_box(&k->context->comm, m);
  if (st == TRIAD_OK) st = curve ? triad_mesh_partition_assign_along_curve(k, rank_of) : bisect(k, m, spot, rank_of);
  TRIAD_FREE(memory, &spot);
  TRIAD_FREE(memory, &m->centre);
  return st;
}
