/* The lattice of points and cubes from which meshes are generated. */
#include "mesh/make/generate.h"

int64_t triad_mesh_lattice_points(const triad_mesh_generator *g)
{
  return (g->n[0] + 1) * (g->n[1] + 1) * (g->n[2] + 1);
}

void triad_mesh_lattice_place(const triad_mesh_generator *g, int64_t point, int64_t at[3])
{
  at[0] = point % (g->n[0] + 1);
  at[1] = point / (g->n[0] + 1) % (g->n[1] + 1);
  at[2] = point / (g->n[0] + 1) / (g->n[1] + 1);
}

int triad_mesh_lattice_is_cut(const triad_mesh_generator *g, const double at[3])
{
  for (int a = 0; a < 3; a++) {
    double x = at[a] * g->length[a] / (double)g->n[a];
    if (!(x > g->cut[2 * a] && x < g->cut[2 * a + 1])) return 0;
  }
  return 1;
}
