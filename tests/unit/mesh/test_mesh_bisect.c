/* Cells dealt by planes: how much each part gets, where planes lie, and that it does not matter who has which cells.
 * ranks: 1 3 quick: 1 */
#include "test.h"

#include "mesh/parts/bisect.h"
#include "mesh/parts/bisect_spots.h"
#include "mesh/sizes.h"
#include "mesh/make/generate.h"
#include "mesh/order.h"

#include <math.h>
#include <stdlib.h>

static const triad_comm alone = {.mpi = MPI_COMM_SELF, .size = 1};

static triad_mesh *make(const triad_mesh_generator *g)
{
  triad_mesh *m = NULL;
  TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, g));
  TRIAD_CHECK(triad_mesh_measure(m));
  return m;
}

static int64_t faces_between(const triad_mesh *m, const int32_t *part)
{
  int64_t n = 0;
  for (int64_t f = 0; f < m->n_inner; f++) n += part[m->cell[f][0]] != part[m->cell[f][1]];
  return n;
}

static int64_t faces_of_planes(const triad_mesh *m, int parts)
{
  int32_t *part = malloc((size_t)m->n_cells * sizeof *part);
  TRIAD_CHECK(triad_mesh_bisect_whole(m, parts, part));
  const int64_t n = faces_between(m, part);
  free(part);
  return n;
}

static int64_t faces_of_curve(const triad_mesh *m, int parts)
{
  triad_mesh_curve_place *place = malloc((size_t)m->n_cells * sizeof *place);
  int32_t *part = malloc((size_t)m->n_cells * sizeof *part);
  int64_t all = 0, before = 0;
  triad_mesh_sort_along_curve(m, NULL, m->n_cells, place);
  for (int64_t c = 0; c < m->n_cells; c++) all += triad_mesh_sides(m, c);
  for (int64_t i = 0; i < m->n_cells; before += triad_mesh_sides(m, place[i++].cell))
    part[place[i].cell] = (int32_t)(before * parts / all);
  const int64_t n = faces_between(m, part);
  free(place);
  free(part);
  return n;
}

TRIAD_TEST(planes_halve_boxes_of_cubes)
{
  triad_mesh *cube = make(&(triad_mesh_generator){.cells = TRIAD_MESH_HEXES, .n = {12, 12, 12}, .length = {1, 1, 1}});
  /* parts, how many planes through the cube */
  static const int planes[][2] = {{1, 0}, {2, 1}, {4, 2}, {8, 3}, {16, 5}, {64, 9}};
  for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
    TRIAD_EQUAL(faces_of_planes(cube, planes[i][0]), 144 * planes[i][1], "faces between parts of a cube");
  triad_mesh_destroy(&cube);
  triad_mesh *sheet = make(&(triad_mesh_generator){.cells = TRIAD_MESH_HEXES, .n = {12, 1, 8}, .length = {1, 1, 1}});
  TRIAD_EQUAL(faces_of_planes(sheet, 4), 8 + 12, "faces between parts of a sheet");
  triad_mesh_destroy(&sheet);
}

/* Across the longest side of the box 256 faces would lie. */
TRIAD_TEST(long_cells_are_parted_across_few_faces)
{
  for (int axis = 0; axis < 3; axis++) {
    triad_mesh_generator g = {.cells = TRIAD_MESH_HEXES, .n = {16, 16, 16}, .length = {16, 16, 16}};
    g.n[axis] = 4;
    g.length[axis] = 400;
    triad_mesh *m = make(&g);
    TRIAD_EQUAL(faces_of_planes(m, 2), 64, "faces between two parts");
    TRIAD_EQUAL(faces_of_planes(m, 4), 128, "faces between four parts");
    triad_mesh_destroy(&m);
  }
}

/* Planes lie where cells are small, which the curve does not know. */
TRIAD_TEST(parts_of_a_jet_have_half_the_faces_that_the_curve_leaves)
{
  triad_mesh *jet = make(&(triad_mesh_generator){.cells = TRIAD_MESH_JET,
                                                 .form = TRIAD_MESH_NOZZLE,
                                                 .n = {40, 20, 20},
                                                 .length = {18, 12, 12},
                                                 .nozzle = {1, 1.5, 1, 1},
                                                 .lip = 0.05,
                                                 .across = 8,
                                                 .joint = 3});
  int64_t all[2] = {0};
  for (int parts = 2; parts <= 16; parts++) {
    const int64_t planes = faces_of_planes(jet, parts), curve = faces_of_curve(jet, parts);
    TRIAD_HOLDS(planes < curve, "%d parts: %lld faces, %lld along the curve", parts, (long long)planes,
                (long long)curve);
    all[0] += planes;
    all[1] += curve;
  }
  TRIAD_HOLDS(2 * all[0] < all[1], "2 to 16 parts: %lld faces together, %lld along the curve", (long long)all[0],
              (long long)all[1]);
  triad_mesh_destroy(&jet);
}

/* Spots on a coarse lattice, of which many are in one place, with costs of 4 to 6. */
static triad_mesh_spot *scatter(int64_t first, int64_t n)
{
  triad_mesh_spot *spot = calloc((size_t)n + 1, sizeof *spot);
  for (int64_t i = 0; i < n; i++) {
    for (uint64_t a = 0; a < 3; a++)
      spot[i].at[a] = (int32_t)triad_test_below(a, (uint64_t)(first + i), 9) << (TRIAD_MESH_SPOT_BITS - 4);
    spot[i].cost = 4 + (int32_t)triad_test_below(3, (uint64_t)(first + i), 3);
    for (int a = 0; a < 3; a++) spot[i].half[a] = 1e7f * (float)(1 + a);
  }
  return spot;
}

enum { SPOTS = 5000 };

/* A plane gives those below one cell too much at most, 6. Of n parts no side has more than 2/3, and that much of
 * what was wrong before: no part is wrong by 6 (1 + 2/3 + 4/9 + ..) = 18. */
TRIAD_TEST(parts_cost_alike_to_three_cells)
{
  triad_mesh_spot *spot = scatter(0, SPOTS);
  int32_t part[SPOTS];
  int64_t all = 0;
  for (int i = 0; i < SPOTS; i++) all += spot[i].cost;
  for (int parts = 1; parts < 100; parts += parts < 20 ? 1 : 13) {
    int64_t cost[100] = {0};
    TRIAD_CHECK(triad_mesh_bisect(&alone, triad_test_context()->memory, spot, 0, SPOTS, parts, part));
    for (int i = 0; i < SPOTS; i++) cost[part[i]] += spot[i].cost;
    for (int p = 0; p < parts; p++)
      TRIAD_HOLDS(fabs((double)cost[p] - (double)all / parts) < 18, "part %d of %d costs %lld of %lld", p, parts,
                  (long long)cost[p], (long long)all);
  }
  free(spot);
}

/* Is every cell of the first part before every cell of the second, by the coordinates from `axis` on and then by
 * numbers? */
static int are_in_order(const triad_mesh_spot *spot, const int32_t *part, int axis)
{
  int64_t last = -1, first = INT64_MAX;
  for (int64_t i = 0; i < SPOTS; i++) {
    int64_t place = 0;
    for (int k = 0; k < 3; k++) place = 16 * place + (spot[i].at[(axis + k) % 3] >> (TRIAD_MESH_SPOT_BITS - 4));
    place = SPOTS * place + i;
    if (part[i] == 0 && place > last) last = place;
    if (part[i] == 1 && place < first) first = place;
  }
  return last < first;
}

TRIAD_TEST(in_a_plane_lower_coordinates_and_then_lower_numbers_are_below)
{
  triad_mesh_spot *spot = scatter(0, SPOTS);
  int32_t part[SPOTS];
  for (int axis = 0; axis < 3; axis++) {
    for (int64_t i = 0; i < SPOTS; i++)
      for (int a = 0; a < 3; a++) spot[i].half[a] = a == axis ? 1 : 1e9f; /* fewest cells are cut across it */
    TRIAD_CHECK(triad_mesh_bisect(&alone, triad_test_context()->memory, spot, 0, SPOTS, 2, part));
    for (int a = 0; a < 3; a++) TRIAD_EQUAL(are_in_order(spot, part, a), a == axis, "cells in order of an axis");
  }
  free(spot);
}

TRIAD_TEST(as_many_cells_as_parts_are_one_each)
{
  triad_mesh_spot *spot = scatter(0, 37);
  int32_t part[37];
  int64_t cells[37] = {0};
  for (int i = 0; i < 37; i++) spot[i].cost = 4;
  TRIAD_CHECK(triad_mesh_bisect(&alone, triad_test_context()->memory, spot, 0, 37, 37, part));
  for (int i = 0; i < 37; i++) cells[part[i]]++;
  for (int p = 0; p < 37; p++) TRIAD_EQUAL(cells[p], 1, "cells of a part");
  free(spot);
}

/* Below lies what is wanted there, at least: of 7 cells on 2 parts 4, on 3 parts 3 and then half of the 4 that are
 * left. */
TRIAD_TEST(what_does_not_divide_lies_below)
{
  triad_mesh_spot spot[7] = {0};
  int32_t part[7];
  for (int i = 0; i < 7; i++)
    spot[i] = (triad_mesh_spot){.at = {i << 20, 0, 0}, .cost = 1, .half = {1 << 19, 1 << 19, 1 << 19}};
  static const int32_t two[7] = {0, 0, 0, 0, 1, 1, 1}, three[7] = {0, 0, 0, 1, 1, 2, 2};
  TRIAD_CHECK(triad_mesh_bisect(&alone, triad_test_context()->memory, spot, 0, 7, 2, part));
  TRIAD_EQUAL(memcmp(part, two, sizeof two), 0, "of two parts");
  TRIAD_CHECK(triad_mesh_bisect(&alone, triad_test_context()->memory, spot, 0, 7, 3, part));
  TRIAD_EQUAL(memcmp(part, three, sizeof three), 0, "of three parts");
}

/* 4 x 4 cells, of which those of the columns beside the plane across x end in it but for rounding, so that it cuts
 * 12; the plane across y cuts 8, of its own row and of the one below. */
TRIAD_TEST(cells_that_end_in_a_plane_are_cut_by_it_whatever_rounding_says)
{
  enum { STEP = 1 << 24 };
  for (int way = -1; way <= 1; way++) {
    triad_mesh_spot spot[16];
    int32_t part[16];
    for (int i = 0; i < 16; i++) {
      const int x = i % 4, y = i / 4;
      spot[i] = (triad_mesh_spot){.at = {x * STEP, y * STEP, 0},
                                  .cost = 1,
                                  .half = {(float)(STEP + 8 * way), y == 0 ? 2 * STEP : STEP / 2, 4 * STEP}};
    }
    TRIAD_CHECK(triad_mesh_bisect(&alone, triad_test_context()->memory, spot, 0, 16, 2, part));
    for (int i = 0; i < 16; i++) TRIAD_EQUAL(part[i], i / 8, "the part, by y");
  }
}

/* Ranks have unequal slices, the first one none. */
TRIAD_TEST(parts_are_the_same_whoever_has_which_cells)
{
  const triad_comm *comm = triad_test_comm();
  triad_memory *memory = triad_test_context()->memory;
  const int64_t held = triad_memory_held(memory), square = (int64_t)comm->size * comm->size - 1;
  const int64_t begin = comm->size > 1 ? SPOTS * ((int64_t)comm->rank * comm->rank - (comm->rank > 0)) / square : 0;
  const int64_t end = comm->size > 1 ? SPOTS * ((int64_t)(comm->rank + 1) * (comm->rank + 1) - 1) / square : SPOTS;
  triad_mesh_spot *all = scatter(0, SPOTS), *own = scatter(begin, end - begin);
  int32_t whole[SPOTS], part[SPOTS];
  for (int parts = 1; parts <= 17; parts += 4) {
    int64_t wrong = 0;
    TRIAD_CHECK(triad_mesh_bisect(&alone, memory, all, 0, SPOTS, parts, whole));
    TRIAD_CHECK(triad_mesh_bisect(comm, memory, own, begin, end - begin, parts, part));
    for (int64_t i = begin; i < end; i++) wrong += part[i - begin] != whole[i];
    TRIAD_EQUAL(wrong, 0, "cells in another part");
  }
  TRIAD_EQUAL(triad_memory_held(memory), held, "bytes that are held in the end");
  free(all);
  free(own);
}

TRIAD_MAIN
