/* Find the patch of an outer face from the side of the lattice on which its points are. */
#include "mesh/make/generate_patches.h"
#include "mesh/make/generate.h"

enum { CUT = 6, INLET = 7 };

static int64_t point_of(const triad_mesh *m, int64_t f, int i)
{
  return triad_mesh_point_number(m, triad_mesh_face(m, f)[i]);
}

static int side_of(const triad_mesh *m, const triad_mesh_generator *g, int64_t f)
{
  for (int a = 0; a < 3; a++)
    for (int upper = 0; upper < 2; upper++) {
      int all = 1;
      for (int i = 0; i < m->points[f]; i++) {
        int64_t at[3];
        if (point_of(m, f, i) >= triad_mesh_lattice_points(g)) return CUT;
        triad_mesh_lattice_place(g, point_of(m, f, i), at);
        all = all && at[a] == (upper ? g->n[a] : 0);
      }
      if (all) return 2 * a + upper;
    }
  return CUT;
}

/* Is a face of the first layer within the nozzle? */
static int is_inlet(const triad_mesh *m, const triad_mesh_generator *g, int64_t f)
{
  for (int i = 0; i < m->points[f]; i++) {
    int64_t at[3];
    triad_mesh_lattice_place(g, point_of(m, f, i), at);
    for (int a = 1; a < 3; a++)
      if (2 * at[a] < g->n[a] - g->across || 2 * at[a] > g->n[a] + g->across) return 0;
  }
  return 1;
}

int triad_mesh_generated_side(const triad_mesh *m, const triad_mesh_generator *g, int64_t f)
{
  const int side = side_of(m, g, f);
  return g->form == TRIAD_MESH_NOZZLE && side == 0 && is_inlet(m, g, f) ? INLET : side;
}

const char *triad_mesh_generated_name(const triad_mesh_generator *g, int side)
{
  static const char *const sides[TRIAD_MESH_GENERATED_SIDES] = {"xmin", "xmax", "ymin", "ymax",
                                                                "zmin", "zmax", "cut",  "inlet"};
  static const char *const of_jet[TRIAD_MESH_GENERATED_SIDES] = {"ambient", "outlet",  "ambient", "ambient",
                                                                 "ambient", "ambient", "nozzle",  "inlet"};
  return g->form == TRIAD_MESH_NOZZLE ? of_jet[side] : sides[side];
}

void triad_mesh_generate_names(triad_mesh *m, const triad_mesh_generator *g)
{
  for (int i = 0; i < CUT && g->form != TRIAD_MESH_NOZZLE; i++)
    (void)triad_mesh_patch(m, triad_mesh_generated_name(g, i));
}

void triad_mesh_generate_patches(triad_mesh *m, const triad_mesh_generator *g)
{
  triad_mesh_generate_names(m, g);
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    m->patch[f] = (int16_t)triad_mesh_patch(m, triad_mesh_generated_name(g, triad_mesh_generated_side(m, g, f)));
}
