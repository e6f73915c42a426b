/* Zones: cells found through joins of any orientation, parts that cover every cell once, halos filled with the cells
 * that lie there. ranks: 1 3 4   threads: 1 quick: 1 */
#include "grid/fields/halo.h"
#include "grid/zones.h"
#include "grid/zones_deal.h"
#include "grid/zones_plan.h"
#include "test.h"

/* A ring of zones along x, each of 4 x 3 x 2 cells; every second one has x and y exchanged and z turned round. */
enum { RING = 4, NX = 4, NY = 3, NZ = 2 };

static int is_turned(int z) { return z % 2; }

/* Cell (x, y, z) of the ring's z-th box, in the zone's own axes. */
static void own_cell(int z, const int64_t x[3], int64_t c[3])
{
  c[0] = is_turned(z) ? x[1] : x[0];
  c[1] = is_turned(z) ? x[0] : x[1];
  c[2] = is_turned(z) ? NZ - 1 - x[2] : x[2];
}

static triad_zones *make_ring(int size, int pieces)
{
  triad_zones *zones;
  int64_t cells[RING][3];
  triad_zone_join join[2 * RING];
  for (int z = 0; z < RING; z++) {
    const int64_t n[3] = {NX, NY, NZ};
    for (int a = 0; a < 3; a++) cells[z][a] = n[is_turned(z) && a < 2 ? 1 - a : a];
  }
  TRIAD_CHECK(triad_zones_create(&zones, RING, (const int64_t(*)[3])cells, NULL));
  for (int z = 0; z < RING; z++)
    for (int upper = 0; upper < 2; upper++) {
      int to = (z + (upper ? 1 : RING - 1)) % RING, axis = is_turned(z) ? 1 : 0, swap = is_turned(z) != is_turned(to);
      triad_zone_join *j = &join[2 * z + upper];
      *j = (triad_zone_join){.zone = z, .axis = axis, .upper = upper, .to = {.zone = to}};
      for (int a = 0; a < 3; a++) {
        j->low[a] = a == axis ? (upper ? cells[z][a] - 1 : 0) : 0;
        j->high[a] = a == axis ? j->low[a] + 1 : cells[z][a];
        j->to.turn.axis[a] = swap && a < 2 ? 1 - a : a;
        j->to.turn.reversed[a] = swap && a == 2;
      }
      j->to.offset[swap ? 1 - axis : axis] = upper ? -NX : NX;
      j->to.offset[2] = swap ? NZ - 1 : 0;
    }
  TRIAD_CHECK(triad_zones_join(zones, join, 2 * RING));
  TRIAD_CHECK(triad_zones_deal(zones, size, pieces, -1));
  return zones;
}

/* A number of a cell of the ring. */
static double number_of(int64_t x, int64_t y, int64_t z)
{
  int64_t round = ((x % (RING * NX)) + RING * NX) % (RING * NX);
  return (double)(round + 100 * y + 10000 * z);
}

TRIAD_TEST(cells_are_found_through_joins_of_any_orientation)
{
  triad_zones *zones = make_ring(1, 0);
  for (int z = 0; z < RING; z++)
    for (int64_t x = -6; x < NX + 6; x++) { /* through two joins */
      const int64_t at[3] = {x, 1, 1};
      int64_t c[3], d[3], expected[3], there = z * NX + x;
      triad_zone_map map;
      there = (there % (RING * NX) + RING * NX) % (RING * NX);
      const int64_t inside[3] = {there % NX, 1, 1};
      own_cell(z, at, c);
      own_cell((int)(there / NX), inside, expected);
      assert_int_equal(triad_zones_follow(zones, z, c, &map, d), 1);
      assert_int_equal(map.zone, there / NX);
      for (int a = 0; a < 3; a++) assert_int_equal(d[a], expected[a]);
      int64_t again[3];
      triad_zone_map_cell(&map, c, again);
      for (int a = 0; a < 3; a++) assert_int_equal(again[a], d[a]);
    }
  triad_zones_destroy(&zones);
}

/* Orientation number 0 .. 47: six orders of the axes, eight choices of which are reversed. */
static triad_zone_map map_of(int number, int64_t offset)
{
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  triad_zone_map m = {.zone = number};
  for (int a = 0; a < 3; a++) {
    m.turn.axis[a] = orders[number / 8][a];
    m.turn.reversed[a] = number >> a & 1;
    m.offset[a] = offset * (a + 1);
  }
  return m;
}

TRIAD_TEST(two_maps_in_one_are_one_after_the_other_in_all_48_orientations)
{
  const int64_t c[3] = {2, 5, 11};
  for (int i = 0; i < 48; i++)
    for (int j = 0; j < 48; j++) {
      triad_zone_map a = map_of(i, 7), b = map_of(j, -3), both = triad_zone_map_then(&a, &b);
      int64_t middle[3], end[3], at_once[3];
      triad_zone_map_cell(&a, c, middle);
      triad_zone_map_cell(&b, middle, end);
      triad_zone_map_cell(&both, c, at_once);
      TRIAD_EQUAL(both.zone, j, "zone");
      for (int d = 0; d < 3; d++) TRIAD_EQUAL(at_once[d], end[d], "a coordinate of the cell");
    }
}

TRIAD_TEST(behind_a_face_without_a_join_there_is_nothing)
{
  triad_zones *zones = make_ring(1, 0);
  const int64_t above[3] = {1, NY, 1}, corner[3] = {-1, NY, 1};
  int64_t d[3];
  triad_zone_map map;
  assert_int_equal(triad_zones_follow(zones, 0, above, &map, d), 0);
  assert_int_equal(map.zone, 0);
  assert_int_equal(triad_zones_follow(zones, 0, corner, &map, d), 0); /* as far as the next zone */
  assert_int_equal(map.zone, RING - 1);
  triad_zones_destroy(&zones);
}

TRIAD_TEST(without_joins_there_is_nothing_behind_any_face)
{
  triad_zones *zones = make_ring(1, 0);
  TRIAD_CHECK(triad_zones_join(zones, NULL, 0));
  TRIAD_EQUAL(zones->n_joins, 0, "joins");
  for (int f = 0; f <= 6 * RING; f++) TRIAD_EQUAL(zones->first_join[f], 0, "first join of a face");
  triad_zones_destroy(&zones);
}

TRIAD_TEST(parts_cover_every_cell_once)
{
  for (int size = 1; size <= 2 * RING; size++) /* they are too thin to be cut further */
    for (int pieces = 0; pieces < 4; pieces++) {
      triad_zones *zones = make_ring(size, pieces);
      int64_t cells = 0;
      for (int r = 0; r < size; r++) {
        cells += triad_zones_cells(zones, r);
        TRIAD_HOLDS(triad_zones_cells(zones, r) > 0, "rank %d of %d has no cells", r, size);
      }
      TRIAD_HOLDS(cells == RING * NX * NY * NZ, "%lld cells", (long long)cells);
      for (int z = 0; z < RING; z++)
        for (int64_t i = 0; i < NX * NY * NZ; i++) {
          const int64_t *n = zones->zone[z].n, c[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
          TRIAD_HOLDS(triad_zones_owner(zones, z, c) != NULL, "a cell of zone %d is nobody's", z);
        }
      triad_zones_destroy(&zones);
    }
  triad_zones *zones;
  const int64_t cells[1][3] = {{2, 2, 1}};
  TRIAD_CHECK(triad_zones_create(&zones, 1, cells, NULL));
  TRIAD_FAILS(triad_zones_deal(zones, 9, 0, -1), TRIAD_ERR_CASE, "too many");
  triad_zones_destroy(&zones);
}

/* Parts of zones that are cut along one axis are whole along the others. */
TRIAD_TEST(cuts_are_along_the_axis_that_is_asked_for)
{
  const int64_t cells[2][3] = {{40, 30, 20}, {24, 8, 12}};
  for (int along = 0; along < 3; along++) {
    triad_zones *zones;
    int cut = 0;
    TRIAD_CHECK(triad_zones_create(&zones, 2, cells, NULL));
    TRIAD_CHECK(triad_zones_deal(zones, 5, 0, along));
    for (int p = 0; p < zones->n_parts; p++)
      for (int a = 0; a < 3; a++) {
        const int whole = zones->part[p].n[a] == cells[zones->part[p].zone][a];
        if (a == along) cut |= !whole;
        else TRIAD_HOLDS(whole, "part %d is cut along axis %d, and not %d alone", p, a, along);
      }
    TRIAD_HOLDS(cut, "nothing is cut along axis %d", along);
    triad_zones_destroy(&zones);
  }
  triad_zones *zones;
  const int64_t flat[1][3] = {{40, 30, 1}};
  TRIAD_CHECK(triad_zones_create(&zones, 1, flat, NULL));
  TRIAD_FAILS(triad_zones_deal(zones, 4, 0, 2), TRIAD_ERR_CASE, "too many");
  triad_zones_destroy(&zones);
}

/* Uneven zones are cut finer: no rank has a tenth more than its share. */
TRIAD_TEST(uneven_zones_are_balanced)
{
  triad_zones *zones;
  const int64_t cells[3][3] = {{40, 40, 40}, {20, 10, 8}, {60, 20, 20}};
  for (int size = 2; size <= 8; size++) {
    TRIAD_CHECK(triad_zones_create(&zones, 3, cells, NULL));
    TRIAD_CHECK(triad_zones_deal(zones, size, 0, -1));
    int64_t most = 0;
    for (int r = 0; r < size; r++) most = triad_zones_cells(zones, r) > most ? triad_zones_cells(zones, r) : most;
    TRIAD_HOLDS((double)most < 1.15 * (double)zones->all / size, "%d ranks: %lld of %lld", size, (long long)most,
                (long long)zones->all);
    triad_zones_destroy(&zones);
  }
}

/* Vector loads of a CPU, and those of a GPU's warp, are of whole lines then. */
TRIAD_TEST(parts_begin_with_a_line_of_memory_and_lie_apart)
{
  for (int size = 1; size <= 3; size++) {
    triad_zones *zones = make_ring(size, 0);
    for (int rank = 0; rank < size; rank++) {
      int64_t end = 0;
      for (int i = 0; i < zones->n_parts; i++) {
        const triad_zone_part *p = &zones->part[i];
        int64_t first = p->origin, last = p->origin;
        if (p->rank != rank) continue;
        for (int a = 0; a < 3; a++) {
          first -= p->halo[a] * p->stride[a];
          last += (p->n[a] - 1 + p->halo[a]) * p->stride[a];
        }
        TRIAD_EQUAL(p->origin % 16, 0, "the first cell, in a line of 16 numbers");
        TRIAD_HOLDS(first >= end, "a part begins at %lld, the one before it ends at %lld", (long long)first,
                    (long long)end);
        end = last + 1;
      }
      TRIAD_EQUAL(triad_zones_memory(zones, rank), end, "memory");
    }
    triad_zones_destroy(&zones);
  }
}

/* Each own cell holds its number in the ring; halos must come out as the numbers that belong there, edges of one
 * layer too. */
static void fills(int pieces)
{
  const triad_context *context = triad_test_context();
  triad_zones *zones = make_ring(context->comm.size, pieces);
  triad_exchange_plan *plan;
  triad_halo *halo;
  int64_t(*left)[4], n_left;
  TRIAD_CHECK(triad_zones_plan(&plan, zones, &context->comm, 1, &left, &n_left));
  TRIAD_CHECK(triad_halo_create(&halo, context, &plan, 1));
  triad_real *field = calloc((size_t)triad_zones_memory(zones, context->comm.rank), sizeof *field);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < zones->n_parts; i++) {
      const triad_zone_part *p = &zones->part[i];
      if (p->rank != context->comm.rank) continue;
      for (int64_t k = -2; k < p->n[2] + 2; k++)
        for (int64_t j = -2; j < p->n[1] + 2; j++)
          for (int64_t l = -2; l < p->n[0] + 2; l++) {
            const int64_t c[3] = {p->low[0] + l, p->low[1] + j, p->low[2] + k};
            int64_t x[3] = {c[0], c[1], c[2]};
            if (is_turned(p->zone)) x[0] = c[1], x[1] = c[0], x[2] = NZ - 1 - c[2];
            int out = 0, deep = 0, here[3] = {(int)l, (int)j, (int)k};
            for (int a = 0; a < 3; a++) {
              int far = here[a] < 0 ? -here[a] : here[a] - (int)p->n[a] + 1;
              out += far > 0;
              deep |= far > 1;
            }
            if (x[1] < 0 || x[1] >= NY || x[2] < 0 || x[2] >= NZ) continue; /* beyond a boundary */
            triad_real *value = &field[triad_zone_part_at(p, c)];
            double expected = number_of(p->zone * NX + x[0], x[1], x[2]);
            if (pass == 0 && out == 0) *value = (triad_real)expected;
            if (pass == 1 && (out <= 1 || (out == 2 && !deep))) TRIAD_WITHIN(*value, expected, 0, "a cell of the halo");
          }
    }
    if (pass == 0) triad_halo_exchange(halo, &field, 1);
  }
  free(field);
  free(left);
  triad_halo_destroy(&halo);
  triad_zones_destroy(&zones);
}

TRIAD_TEST(halos_hold_the_cells_that_lie_there) { fills(0); }
TRIAD_TEST(halos_of_zones_cut_in_pieces_too) { fills(2); }

TRIAD_TEST(runs_of_the_space_cover_all_global_numbers)
{
  const triad_comm *comm = triad_test_comm();
  triad_zones *zones = make_ring(comm->size, 2);
  triad_space space;
  int64_t mine[2] = {0, 0}, all[2];
  TRIAD_CHECK(triad_space_zones(&space, zones, comm->rank));
  for (int64_t i = 0; i < space.n_runs; i++) {
    triad_space_run run;
    space.kind->run(&space, i, &run);
    mine[0] += run.count;
    for (int64_t l = 0; l < run.count; l++) mine[1] += run.global + l;
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, comm->mpi)));
  const int64_t n = RING * NX * NY * NZ;
  assert_int_equal(all[0], n);
  assert_int_equal(all[1], n * (n - 1) / 2);
  triad_space_zones_free(&space);
  triad_zones_destroy(&zones);
}

TRIAD_MAIN
