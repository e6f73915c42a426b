/* Positions of cells for recursive bisection; the partition of a whole mesh on one rank. */
#include "mesh/parts/bisect_spots.h"
#include "mesh/parts/bisect.h"
#include "mesh/order.h"

#include <math.h>
#include <string.h>

void triad_mesh_spot_reach(triad_mesh_spot *spot, const triad_mesh *m, int64_t cell)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int64_t i = m->first[cell]; i < m->first[cell + 1]; i++)
    for (int a = 0; a < 3; a++) {
      low[a] = fmin(low[a], m->x[m->corner[i]][a]);
      high[a] = fmax(high[a], m->x[m->corner[i]][a]);
    }
  for (int a = 0; a < 3; a++) spot->half[a] = (float)(0.5 * (high[a] - low[a]));
  spot->cost = triad_mesh_sides(m, cell);
}

/* Rounded, so that middles in a plane of a lattice, which differ by rounding, come to one place. */
void triad_mesh_spot_place(triad_mesh_spot *spot, const double centre[3], const double box[4])
{
  const double places = ((1 << TRIAD_MESH_SPOT_BITS) - 1) / box[3];
  for (int a = 0; a < 3; a++) {
    spot->at[a] = (int32_t)((centre[a] - box[a]) * places + 0.5);
    spot->half[a] = (float)((double)spot->half[a] * places);
  }
}

int triad_mesh_bisect_whole(const triad_mesh *m, int parts, int32_t *part)
{
  const triad_comm alone = {.mpi = MPI_COMM_SELF, .size = 1};
  triad_mesh_spot *spot = NULL;
  double box[4];
  if (parts == 1) {
    memset(part, 0, (size_t)m->n_cells * sizeof *part);
    return TRIAD_OK;
  }
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "the partition of cells", m->n_cells, &spot));
  triad_mesh_bounding_cube(m, box);
  for (int64_t c = 0; c < m->n_cells; c++) {
    triad_mesh_spot_reach(&spot[c], m, c);
    triad_mesh_spot_place(&spot[c], m->centre[c], box);
  }
  int st = triad_mesh_bisect(&alone, m->memory, spot, 0, m->n_cells, parts, part);
  TRIAD_FREE(m->memory, &spot);
  return st;
}
