/* Zones of bricks by the kernels that read nothing of faces, on the host (tests/help/fake): the same flow as on the
 * CPU, of many tiles and slabs, beside tetrahedra, with joined sides, in windows of some layers, with axes that are
 * turned; which sides take lists.
 *   ranks: 1 2 3   timeout: 400 */
#include "unstructured_gpu.h"

#include <stdio.h>
#include <unistd.h>

TRIAD_TEST(bricks) { BRICKS("grid.kind=\"hexes\"", "grid.n=[12,9,8]"); }
TRIAD_TEST(bricks_of_many_tiles_and_slabs)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("cut among ranks, such boxes have no long zones");
  BRICKS("grid.kind=\"hexes\"", "grid.n=[70,6,5]");
  BRICKS("grid.kind=\"hexes\"", "grid.n=[5,6,70]");
}

/* How many sides of zones of bricks are of outer faces, on one rank; the others are of seams, with peeled cells of
 * the mesh of cells. */
static int outer_sides(const char *const *sets, int64_t peeled)
{
  test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
  const triad_unstructured_domain *d = gpu.flow->domain;
  int64_t seams = 0;
  int n = 0;
  for (int z = 0; z < d->n_boxes; z++)
    for (int s = 0; s < TRIAD_MESH_ZONE_SIDES; s++) {
      const int64_t faces = d->zone[z].cells / d->zone[z].n[s >> 1];
      int64_t outer = 0;
      for (int64_t i = 0; i < faces; i++) outer += d->box[z].outer[s][i] >= d->n_inner;
      TRIAD_HOLDS(outer == 0 || outer == faces, "a side of two kinds");
      seams += faces - outer;
      n += outer > 0;
    }
  TRIAD_EQUAL(d->n_seams, seams, "seams");
  if (peeled >= 0) TRIAD_EQUAL(d->n_cells - d->n_bricks, peeled, "cells that go by lists");
  TRIAD_EQUAL(d->n_slots, d->n_faces, "faces that are kept");
  drop(&gpu);
  return n;
}

TRIAD_TEST(sides_of_outer_faces_need_no_lists)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("ranks cut the box");
  TRIAD_EQUAL(outer_sides((const char *const[]){HEXES, NULL}, 0), 6, "sides");
  TRIAD_EQUAL(
    outer_sides((const char *const[]){HEXES, "boundaries.patches=[\"ymin: periodic\",\"ymax: periodic\"]", NULL},
                (int64_t)12 * 8 * 2),
    4, "sides of a box whose others are joined");
  const int beside = outer_sides((const char *const[]){"grid.shake=0", NULL}, -1);
  TRIAD_HOLDS(beside > 0 && beside < 6, "%d sides beside tetrahedra", beside);
}

TRIAD_TEST(bricks_with_joined_sides)
{
  BRICKS(HEXES,
         "boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"zmin: total, pressure=3, temperature=1\"]");
  BRICKS(HEXES, "boundaries.patches=[\"ymin: periodic\",\"ymax: periodic\"]");
}

TRIAD_TEST(bricks_beside_tetrahedra) { BRICKS(ALONG, "equations.low_order=\"hllc\""); }
TRIAD_TEST(low_order_fluxes_of_any_kind) { BRICKS(ALONG, "equations.low_order=\"steger-warming\""); }
TRIAD_TEST(bricks_by_colours) { BRICKS(ALONG, "grid.loops=\"colours\"", "equations.limited=[\"density\"]"); }
TRIAD_TEST(bricks_without_a_limiter)
{
  BRICKS(ALONG, "equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3", "grid.kind=\"hexes\"");
}

/* Stages kept of some layers at a time: windows of three layers and those that are kept, which go through the zone
 * in slabs. */
TRIAD_TEST(bricks_in_windows)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("ranks cut the box");
  test_mesh whole = make((const char *const[]){"grid.shake=0", "grid.kind=\"hexes\"", "grid.n=[6,7,20]", NULL},
                         "parallel.device=\"gpu\"");
  const char *const layers[] = {"3", "4", "12", "16"};
  TRIAD_EQUAL(whole.flow->gpu->window, 6 * 7 * 20, "all layers of a zone that is small");
  advance(&whole, STEPS);
  for (int i = 0; i < 4; i++) {
    char key[32];
    (void)snprintf(key, sizeof key, "grid.layers=%s", layers[i]);
    test_mesh some = make((const char *const[]){"grid.shake=0", "grid.kind=\"hexes\"", "grid.n=[6,7,20]", key, NULL},
                          "parallel.device=\"gpu\"");
    TRIAD_EQUAL(some.flow->gpu->window, 6 * 7 * (atoi(layers[i]) + 3), "cells of a window");
    advance(&some, STEPS);
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
      TRIAD_HOLDS(memcmp(whole.flow->u[k], some.flow->u[k], (size_t)some.flow->domain->n_cells * sizeof(triad_real)) ==
                    0,
                  "other bits by windows of %s layers", layers[i]);
    TRIAD_EQUAL(some.flow->limited, whole.flow->limited, "faces that are limited");
    TRIAD_EQUAL(memcmp(some.flow->crossed, whole.flow->crossed, sizeof some.flow->crossed), 0,
                "what has crossed the patches");
    drop(&some);
  }
  drop(&whole);
  BRICKS("grid.kind=\"hexes\"", "grid.n=[6,7,20]", "grid.layers=3");
  BRICKS("grid.kind=\"hexes\"", "grid.n=[6,7,20]", "grid.layers=5", "equations.low_order=\"hllc\"",
         "grid.loops=\"colours\"");
  BRICKS("equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3", "grid.kind=\"hexes\"",
         "grid.n=[6,7,20]", "grid.layers=3");
}

/* The same of zones with seams, whose parts bricks and lists both write. */
TRIAD_TEST(bricks_with_seams_in_windows)
{
  BRICKS("grid.kind=\"hexes\"", "grid.n=[12,11,20]", "grid.layers=3",
         "boundaries.patches=[\"zmin: periodic\",\"zmax: periodic\"]");
  BRICKS("grid.kind=\"hexes\"", "grid.n=[12,11,20]", "grid.layers=4",
         "boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"ymin: periodic\",\"ymax: periodic\",\"zmin: "
         "periodic\",\"zmax: periodic\"]");
  BRICKS("grid.n=[24,10,12]", "grid.layers=3", "equations.low_order=\"hllc\"");
  BRICKS("grid.n=[24,10,12]", "grid.layers=3", "grid.loops=\"atomics\"", "equations.limited=[\"density\"]");
}

TRIAD_TEST(cells_that_are_no_bricks_go_by_their_faces)
{
  agree_of_bricks(0, (const char *const[]){ALONG, "grid.shake=0.001", "grid.kind=\"hexes\"", NULL});
}

/* ---- layers of many lengths ---- */

/* Layers of lengths of their own along each axis, and a first cell whose sides lie so that the zone's axes are y,
 * -x, z. */
enum { LX = 8, LY = 7, LZ = 6, POINTS = (LX + 1) * (LY + 1) * (LZ + 1) };

static int point(int i, int j, int k) { return 1 + i + (LX + 1) * (j + (LY + 1) * k); }

/* The sides of all cells that lie outside, as quadrilaterals 1, 2, .. of patch `all`; NULL: how many. */
static int write_sides(FILE *f, int n)
{
  static const int lattice[3] = {LX, LY, LZ};
  for (int a = 0; a < 3; a++)
    for (int end = 0; end < 2; end++)
      for (int j = 0; j < lattice[(a + 1) % 3]; j++)
        for (int k = 0; k < lattice[(a + 2) % 3]; k++, n++) {
          static const int round[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
          if (f) (void)fprintf(f, "%d 3 2 1 1", n);
          for (int corner = 0; corner < 4 && f; corner++) {
            int at[3];
            at[a] = end ? lattice[a] : 0;
            at[(a + 1) % 3] = j + round[corner][0];
            at[(a + 2) % 3] = k + round[corner][1];
            (void)fprintf(f, " %d", point(at[0], at[1], at[2]));
          }
          if (f) (void)fprintf(f, "\n");
        }
  return n;
}

static void write_layers(const char *path)
{
  FILE *f = fopen(path, "w");
  TRIAD_HOLDS(f, "%s", path);
  (void)fprintf(
    f, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"all\"\n3 2 \"gas\"\n$EndPhysicalNames\n");
  (void)fprintf(f, "$Nodes\n%d\n", POINTS);
  for (int k = 0; k <= LZ; k++)
    for (int j = 0; j <= LY; j++)
      for (int i = 0; i <= LX; i++)
        (void)fprintf(f, "%d %.17g %.17g %.17g\n", point(i, j, k), 0.11 * i + 0.003 * i * i, 0.13 * j - 0.004 * j * j,
                      0.12 * k + 0.005 * (k % 2));
  const int sides = write_sides(NULL, 1);
  (void)fprintf(f, "$EndNodes\n$Elements\n%d\n", sides - 1 + LX * LY * LZ);
  int n = write_sides(f, 1);
  for (int k = 0; k < LZ; k++)
    for (int j = 0; j < LY; j++)
      for (int i = 0; i < LX; i++, n++) {
        (void)fprintf(f, "%d 5 2 2 1", n);
        for (int up = 0; up < 2; up++)
          (void)fprintf(f, " %d %d %d %d", point(i + 1, j, k + up), point(i + 1, j + 1, k + up),
                        point(i, j + 1, k + up), point(i, j, k + up));
        (void)fprintf(f, "\n");
      }
  (void)fprintf(f, "$EndElements\n");
  TRIAD_EQUAL(fclose(f), 0, "the mesh is written");
}

TRIAD_TEST(bricks_of_many_lengths_whose_axes_are_turned)
{
  char path[64], file[96];
  (void)snprintf(path, sizeof path, "/tmp/test_unstructured_gpu_bricks-%d.msh", (int)getpid());
  write_layers(path);
  (void)snprintf(file, sizeof file, "grid.file=\"%s\"", path);
  const char *const sets[] = {file, "boundaries.patches=[\"all: farfield, pressure=1\"]", NULL};
  if (triad_test_comm()->size == 1) {
    test_mesh gpu = make(sets, "parallel.device=\"gpu\"");
    const triad_unstructured_box *box = gpu.flow->gpu->box;
    TRIAD_HOLDS(box && box->layer[0], "no bricks");
    TRIAD_EQUAL(box->axis[0], 1, "x goes along the second axis");
    TRIAD_NEAR((double)box->sign[0], -1, 0, "against it");
    TRIAD_EQUAL(box->axis[1], 0, "y goes along the first axis");
    drop(&gpu);
  }
  agree_of_bricks(1, sets);
  (void)unlink(path);
}

TRIAD_MAIN
