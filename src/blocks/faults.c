/* Check the cells and faces of a grid of blocks: cells without volume, and faces with neither a join nor a boundary.
 * All errors are gathered and reported together. */
#include "blocks/faults.h"

#include "blocks/geometry.h"
#include "blocks/map.h"

#include <math.h>
#include <stdlib.h>

/* ---- faces ---- */

/* The face of a cell: its middle; 0 where it is a line or a point, which lets nothing through. */
static int is_wide(const triad_blocks_grid *g, int zone, const int64_t c[3], int axis, int upper, double middle[3])
{
  double corner[4][3], area[3];
  triad_blocks_face_corners(g, zone, c, axis, upper, corner, middle);
  triad_blocks_quad_area(corner[0], corner[1], corner[2], corner[3], area);
  return sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]) >
         1e-9 * pow(fabs(triad_blocks_cell_volume(g, zone, c)), 2. / 3);
}

/* Record a face that is joined to nothing, once for each patch. */
static void open_face(triad_faults *f, const triad_blocks_grid *g, triad_blocks_patch_mark *mark, char *told, int zone,
                      const int64_t c[3], int side)
{
  const int patch = triad_blocks_grid_patch(g, zone, side / 2, side % 2, c);
  double middle[3], gap = -1;
  if (told[patch] || (mark[patch].named && !g->map && mark[patch].has_faces)) return;
  if (!is_wide(g, zone, c, side / 2, side % 2, middle)) return;
  mark[patch].has_faces = 1;
  if (g->map) gap = triad_blocks_file_gap(g, patch, middle);
  if (gap >= 0)
    triad_fault(f,
                "grid.map joins face %s of block %d to another face, but at (%g, %g, %g) their nodes do not coincide: "
                "face centres are %.3g apart there",
                triad_blocks_side_name[side], zone + 1, middle[0], middle[1], middle[2], gap);
  told[patch] = gap >= 0 ? 2 : !mark[patch].named;
}

static void visit_side(triad_faults *f, const triad_blocks_grid *g, const triad_zones *zones,
                       triad_blocks_patch_mark *mark, char *told, int zone, int side)
{
  const int axis = side / 2, upper = side % 2;
  int t[2];
  triad_blocks_tangents(axis, t);
  if (axis == g->flat[zone]) return;
  int64_t c[3];
  c[axis] = upper ? g->cells[zone][axis] - 1 : 0;
  for (c[t[1]] = 0; c[t[1]] < g->cells[zone][t[1]]; c[t[1]]++)
    for (c[t[0]] = 0; c[t[0]] < g->cells[zone][t[0]]; c[t[0]]++)
      if (triad_blocks_face_is_open(zones, zone, c, axis, upper)) open_face(f, g, mark, told, zone, c, side);
}

int triad_blocks_check_faces(triad_faults *f, const triad_blocks_grid *g, const triad_zones *zones,
                             triad_blocks_patch_mark *mark)
{
  char *told = calloc((size_t)g->n_patches + 1, 1);
  triad_names names = {0};
  if (!told) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "names of patches");
  for (int side = 0; side < 6 * g->n; side++) visit_side(f, g, zones, mark, told, side / 6, side % 6);
  for (int i = 0; i < g->n_patches; i++)
    if (told[i] == 1) triad_names_add(&names, g->patch[i]);
  free(told);
  if (names.n > 0)
    triad_fault(f, "boundaries.patches does not name these unconnected faces: %s", triad_names_text(&names));
  return TRIAD_OK;
}

/* ---- cells ---- */

void triad_blocks_check_cells(triad_faults *f, const triad_blocks_grid *g, const char *name, int threads)
{
  for (int z = 0; z < g->n && !g->shape; z++) {
    const int64_t *n = g->cells[z], all = n[0] * n[1] * n[2];
    int64_t bad = 0, first = all;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : bad) reduction(min : first)
    for (int64_t l = 0; l < all; l++) {
      const int64_t c[3] = {l % n[0], l / n[0] % n[1], l / n[0] / n[1]};
      if (triad_blocks_cell_volume(g, z, c) > 0) continue;
      bad++;
      first = l < first ? l : first;
    }
    if (bad == 0) continue;
    const int64_t c[3] = {first % n[0], first / n[0] % n[1], first / n[0] / n[1]};
    triad_fault(f,
                "%s: block %d is %s: %lld of %lld cells have a volume that is not positive, the first (%lld, %lld, "
                "%lld) with %.3g",
                name, z + 1, bad == all ? "left-handed (exchange two of its axes)" : "folded", (long long)bad,
                (long long)all, (long long)c[0] + 1, (long long)c[1] + 1, (long long)c[2] + 1,
                triad_blocks_cell_volume(g, z, c));
  }
}
