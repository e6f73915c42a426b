/* Cells dealt by libraries: the graph that is made of slices is that of the whole mesh; METIS and PT-Scotch, where
 * they are built in, give every rank its share, the same twice; their failure is heard of by all.   ranks: 1 2 3 4 */
#include "test.h"
#include "mesh_chunks.h"

#include "mesh/parts/partition_internal.h"
#include "mesh/parts/partition_graph.h"
#include "mesh/sizes.h"
#include "solvers/unstructured/case/setup.h"

#include <stdlib.h>
#include <string.h>

/* ---- libraries that fail when they are told to ---- */

static int failing;

#ifdef TRIAD_METIS
#include <metis.h>
int __real_METIS_PartGraphKway(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, real_t *,
                               real_t *, idx_t *, idx_t *, idx_t *);
int __wrap_METIS_PartGraphKway(idx_t *n, idx_t *constraints, idx_t *begin, idx_t *next, idx_t *weight, idx_t *size,
                               idx_t *of_edge, idx_t *parts, real_t *share, real_t *balance, idx_t *options, idx_t *cut,
                               idx_t *part)
{
  if (failing) return METIS_ERROR_MEMORY;
  return __real_METIS_PartGraphKway(n, constraints, begin, next, weight, size, of_edge, parts, share, balance, options,
                                    cut, part);
}
#endif

#ifdef TRIAD_SCOTCH
#include <scotch.h>
#include <ptscotch.h>
int __real_SCOTCH_dgraphPart(SCOTCH_Dgraph *, SCOTCH_Num, SCOTCH_Strat *, SCOTCH_Num *);
int __wrap_SCOTCH_dgraphPart(SCOTCH_Dgraph *graph, SCOTCH_Num parts, SCOTCH_Strat *strat, SCOTCH_Num *part)
{
  const int said = __real_SCOTCH_dgraphPart(graph, parts, strat, part);
  return failing && triad_test_comm()->rank == triad_test_comm()->size - 1 ? 1 : said;
}
#endif

/* ---- the graph ---- */

static const triad_mesh_generator box = {.cells = TRIAD_MESH_TETS, .n = {7, 6, 5}, .length = {1, 1.5, 0.75}};
static const triad_mesh_generator jet = {.cells = TRIAD_MESH_JET,
                                         .form = TRIAD_MESH_NOZZLE,
                                         .n = {16, 10, 10},
                                         .length = {6, 4, 4},
                                         .nozzle = {1, 1.5, 1, 1},
                                         .lip = 0.1,
                                         .across = 4,
                                         .joint = 1};

/* Which of two cells of the whole share a side: are[a * n + b]. */
static uint8_t *neighbours_of(const triad_mesh *whole)
{
  uint8_t *are = calloc((size_t)(whole->n_cells * whole->n_cells), 1);
  for (int64_t f = 0; are && f < whole->n_inner; f++)
    for (int k = 0; k < 2; k++) are[whole->cell[f][k] * whole->n_cells + whole->cell[f][1 - k]] = 1;
  return are;
}

static void compare_graph(const triad_graph *g, const triad_mesh *whole)
{
  uint8_t *are = neighbours_of(whole);
  int64_t wrong = 0, found = 0, wanted = 0, unordered = 0;
  TRIAD_EQUAL(g->n_all, whole->n_cells, "cells");
  for (int64_t v = 0; v < g->n; v++) {
    const int64_t c = g->first + v;
    for (int64_t i = 0; i < whole->n_cells; i++) wanted += are[c * whole->n_cells + i];
    for (int64_t i = g->begin[v]; i < g->begin[v + 1]; i++) {
      found += are[c * whole->n_cells + g->next[i]];
      wrong += !are[c * whole->n_cells + g->next[i]];
      unordered += i > g->begin[v] && g->next[i] <= g->next[i - 1];
    }
    wrong += g->weight[v] != triad_mesh_sides(whole, c);
  }
  TRIAD_EQUAL(found, wanted, "neighbours of the own cells that share a side");
  TRIAD_EQUAL(wrong, 0, "others, and costs that are not how many sides there are");
  TRIAD_EQUAL(unordered, 0, "neighbours that do not rise");
  free(are);
}

static void check_made(triad_mesh_generator made)
{
  const triad_unstructured_setup setup = {.source.made = made, .gamma = 1.4};
  triad_memory *memory = triad_test_context()->memory;
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  triad_mesh_partition k = {.context = triad_test_context()};
  triad_mesh *whole = NULL;
  triad_graph g;
  const int64_t before = triad_memory_held(memory);
  TRIAD_CHECK(triad_unstructured_setup_mesh(&setup, memory, &whole, rules));
  TRIAD_CHECK(triad_mesh_slices_create(&k.slices, triad_test_context(), &setup.source));
  TRIAD_CHECK(triad_mesh_partition_graph(&k, &g));
  compare_graph(&g, whole);
  triad_graph_free(&g, memory);
  triad_mesh_slices_free(&k.slices);
  triad_mesh_destroy(&whole);
  TRIAD_EQUAL(triad_memory_held(memory), before, "bytes that are held in the end");
}

TRIAD_TEST(cells_that_share_a_side_are_neighbours_on_every_kind_of_mesh)
{
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_POLYHEDRA; kind++) {
    triad_mesh_generator g = box;
    g.cells = (triad_mesh_cells)kind;
    check_made(g);
    g.n[1] = g.n[2] = 1; /* slices without cells */
    if (kind != TRIAD_MESH_HYBRID) check_made(g);
  }
  check_made(jet);
}

/* A hexahedron, cell 0, and before each of its sides two tetrahedra, which part it along either diagonal and have a
 * point of their own in common; `number` of each of the 14 points. */
static void put_cells(triad_mesh *m, const int32_t *number, const int *diagonal, int64_t first)
{
  const triad_mesh_shape_info *hex = &triad_mesh_shapes[TRIAD_MESH_HEX];
  for (int64_t c = 0; c < m->n_cells; c++) {
    const int64_t cell = first + c;
    int32_t *to = m->corner + m->first[c];
    m->shape[c] = cell == 0 ? TRIAD_MESH_HEX : TRIAD_MESH_TET;
    m->first[c + 1] = m->first[c] + (cell == 0 ? 8 : 4);
    for (int i = 0; i < 8 && cell == 0; i++) to[i] = number[i];
    if (cell == 0) continue;
    const int64_t side = (cell - 1) / 2, at = diagonal[side] + 2 * ((cell - 1) % 2);
    for (int i = 0; i < 3; i++) to[i] = number[hex->side[side][(at + i) % 4]];
    to[3] = number[8 + side];
  }
}

static void shuffle(int32_t *list, int n)
{
  for (int i = 0; i < n; i++) list[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int k = rand() % (i + 1);
    const int32_t swapped = list[i];
    list[i] = list[k];
    list[k] = swapped;
  }
}

TRIAD_TEST(a_side_meets_its_halves_whatever_their_points_are_called)
{
  enum { CELLS = 13, POINTS = 14 };
  const triad_comm *comm = triad_test_comm();
  triad_memory *memory = triad_test_context()->memory;
  const int64_t begin = triad_mesh_share_begin(CELLS, comm->rank, comm->size),
                end = triad_mesh_share_begin(CELLS, comm->rank + 1, comm->size);
  srand(17);
  for (int trial = 0; trial < 100; trial++) {
    int32_t number[POINTS];
    int diagonal[6], wrong = 0;
    triad_graph g;
    triad_mesh_partition k = {
      .context = triad_test_context(),
      .slices = {.context = triad_test_context(), .n_cells = CELLS, .n_points = POINTS, .first = begin}};
    shuffle(number, POINTS);
    for (int i = 0; i < 6; i++) diagonal[i] = rand() % 2;
    TRIAD_CHECK(triad_mesh_create(&k.slices.cells, memory, 0, end - begin, 8 + 4 * (end - begin)));
    put_cells(k.slices.cells, number, diagonal, begin);
    TRIAD_CHECK(triad_mesh_partition_graph(&k, &g));
    for (int64_t c = begin; c < end; c++) {
      const int64_t n = g.begin[c - begin + 1] - g.begin[c - begin];
      const int32_t *next = g.next + g.begin[c - begin];
      if (c == 0) wrong += n != 12;
      for (int64_t i = 0; i < n && c == 0; i++) wrong += next[i] != i + 1;
      if (c > 0) wrong += n != 2 || next[0] != 0 || next[1] != (c - 1) / 2 * 2 + 1 + c % 2;
    }
    TRIAD_HOLDS(wrong == 0, "trial %d: %d neighbours are others", trial, wrong);
    triad_graph_free(&g, memory);
    triad_mesh_slices_free(&k.slices);
  }
}

/* ---- the libraries ---- */

static const triad_graph_library *const libraries[] = {&triad_graph_metis, &triad_graph_scotch};

/* Of all ranks: cost of each that is to be, and pairs on different ones. */
static void count_dealt(const triad_graph *g, const int32_t *rank_of, int64_t *cost, int64_t *cut)
{
  const triad_comm *comm = triad_test_comm();
  int32_t *all = calloc((size_t)g->n_all, sizeof *all);
  *cut = 0;
  for (int r = 0; r < comm->size; r++) cost[r] = 0;
  for (int64_t v = 0; v < g->n; v++) {
    cost[rank_of[v]] += g->weight[v];
    all[g->first + v] = rank_of[v];
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, all, (int)g->n_all, MPI_INT32_T, MPI_SUM, comm->mpi)));
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, cost, comm->size, MPI_INT64_T, MPI_SUM, comm->mpi)));
  for (int64_t v = 0; v < g->n; v++)
    for (int64_t i = g->begin[v]; i < g->begin[v + 1]; i++)
      *cut += g->next[i] > g->first + v && all[g->next[i]] != rank_of[v];
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, cut, 1, MPI_INT64_T, MPI_SUM, comm->mpi)));
  free(all);
}

/* Planes that part a cube of n^3 cubes of tetrahedra cut 2 n^2 of their sides each. */
static void check_dealt(const triad_graph_library *library, const triad_graph *g, int64_t n)
{
  const int size = triad_test_comm()->size;
  int32_t *rank_of = calloc((size_t)g->n + 1, sizeof *rank_of), *again = calloc((size_t)g->n + 1, sizeof *again);
  int64_t cost[64], cut, all = 0, others = 0;
  TRIAD_CHECK(triad_graph_deal(library, triad_test_context(), g, rank_of));
  TRIAD_CHECK(triad_graph_deal(library, triad_test_context(), g, again));
  for (int64_t v = 0; v < g->n; v++) others += again[v] != rank_of[v] || rank_of[v] < 0 || rank_of[v] >= size;
  TRIAD_EQUAL(others, 0, "cells that are dealt otherwise the second time, or to no rank");
  count_dealt(g, rank_of, cost, &cut);
  for (int r = 0; r < size; r++) all += cost[r];
  TRIAD_EQUAL(all, 4 * g->n_all, "cost of all ranks");
  for (int r = 0; r < size; r++)
    TRIAD_HOLDS(fabs((double)cost[r] * size / (double)all - 1) < 0.05, "rank %d has cost %lld of %lld", r,
                (long long)cost[r], (long long)all);
  TRIAD_HOLDS(cut <= 2 * n * n * 2 * (size - 1), "%s cuts %lld sides", library->name, (long long)cut);
  free(rank_of);
  free(again);
}

TRIAD_TEST(libraries_give_each_rank_its_share_and_the_same_twice)
{
  const triad_mesh_generator cube = {.cells = TRIAD_MESH_TETS, .n = {12, 12, 12}, .length = {1, 1, 1}};
  const triad_unstructured_setup setup = {.source.made = cube, .gamma = 1.4};
  triad_mesh_partition k = {.context = triad_test_context()};
  triad_graph g;
  int n = 0;
  for (int i = 0; i < 2; i++) n += libraries[i]->deal != NULL;
  if (n == 0) TRIAD_SKIP("a build with neither METIS nor PT-Scotch");
  TRIAD_CHECK(triad_mesh_slices_create(&k.slices, triad_test_context(), &setup.source));
  TRIAD_CHECK(triad_mesh_partition_graph(&k, &g));
  for (int i = 0; i < 2; i++)
    if (libraries[i]->deal) check_dealt(libraries[i], &g, 12);
  triad_graph_free(&g, triad_test_context()->memory);
  triad_mesh_slices_free(&k.slices);
}

static int part(const triad_unstructured_setup *setup, int expected)
{
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  triad_mesh_partition *partition = NULL;
  triad_mesh *mesh = NULL, *whole = NULL;
  triad_memory *memory = triad_test_context()->memory;
  const int64_t before = triad_memory_held(memory);
  uint64_t checksum = 0;
  double seconds = 0;
  const int st =
    triad_unstructured_setup_part(&partition, triad_test_context(), setup, &mesh, rules, &checksum, &seconds);
  TRIAD_EQUAL(st, expected, "status of a mesh being cut");
  if (st == TRIAD_OK) {
    TRIAD_CHECK(triad_unstructured_setup_mesh(setup, memory, &whole, rules));
    TRIAD_CHECK(triad_mesh_measure(whole));
    TRIAD_EQUAL(mesh->all_faces, whole->n_faces, "faces");
    TRIAD_EQUAL(mesh->all_inner, whole->n_inner, "faces between cells");
    TRIAD_NEAR(mesh->all_volume, whole->all_volume, 1e-13, "volume");
    check_chunks(whole, partition, mesh, 50);
  }
  triad_mesh_destroy(&whole);
  triad_mesh_destroy(&mesh);
  triad_mesh_partition_destroy(&partition);
  TRIAD_EQUAL(triad_memory_held(memory), before, "bytes that are held in the end");
  return st;
}

/* 1260 tetrahedra have 5040 sides: METIS needs 60 and 19 bytes of each, one more than it may have. */
TRIAD_TEST(metis_gives_way_where_its_graph_does_not_fit)
{
  const triad_graph_library *const place = triad_graph_scotch.deal ? &triad_graph_scotch : NULL;
  const int64_t bytes = 1260 * 60 + 5040 * 19;
  if (!triad_graph_metis.deal) TRIAD_SKIP("a build without METIS");
  for (int fits = 0; fits < 2; fits++) {
    triad_unstructured_setup setup = {.source.made = box, .gamma = 1.4, .source.partitioner = &triad_graph_metis};
    triad_mesh_partition *partition = NULL;
    triad_mesh *mesh = NULL;
    uint64_t checksum;
    int64_t needed, available;
    double seconds;
    triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
    setup.source.most = bytes - 1 + fits;
    TRIAD_CHECK(
      triad_unstructured_setup_part(&partition, triad_test_context(), &setup, &mesh, rules, &checksum, &seconds));
    const int gives_way = !fits && triad_test_comm()->size > 1;
    TRIAD_HOLDS(triad_mesh_partition_dealer(partition, &needed, &available) == (gives_way ? place : &triad_graph_metis),
                "which library assigned the cells");
    TRIAD_EQUAL(needed, gives_way ? bytes : 0, "bytes that METIS needs and cannot have");
    TRIAD_EQUAL(available, gives_way ? bytes - 1 : 0, "bytes that it may have");
    triad_mesh_destroy(&mesh);
    triad_mesh_partition_destroy(&partition);
    part(&setup, TRIAD_OK);
  }
}

TRIAD_TEST(parts_by_libraries_make_up_the_whole)
{
  for (int i = 0; i < 2; i++)
    for (int kind = TRIAD_MESH_TETS; kind <= (libraries[i]->deal ? TRIAD_MESH_POLYHEDRA : TRIAD_MESH_TETS); kind++) {
      triad_unstructured_setup setup = {
        .source.made = box, .gamma = 1.4, .source.structured = 1, .source.partitioner = libraries[i]};
      setup.source.made.cells = (triad_mesh_cells)kind;
      (void)part(&setup, libraries[i]->deal ? TRIAD_OK : TRIAD_ERR_FEATURE);
      triad_message_clear();
    }
}

TRIAD_TEST(all_ranks_hear_of_a_library_that_fails)
{
  static const int status[2] = {TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL};
  for (int i = 0; i < 2; i++) {
    const triad_unstructured_setup setup = {.source.made = box, .gamma = 1.4, .source.partitioner = libraries[i]};
    failing = 1;
    const int expected = !libraries[i]->deal ? TRIAD_ERR_FEATURE : triad_test_comm()->size > 1 ? status[i] : TRIAD_OK;
    const int st = part(&setup, expected);
    failing = 0;
    int told = strstr(triad_message(), libraries[i]->name) != NULL;
    triad_message_clear();
    TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &told, 1, MPI_INT, MPI_SUM, triad_test_comm()->mpi)));
    TRIAD_HOLDS(told == (st != TRIAD_OK), "ranks that tell it: %d", told);
  }
}

TRIAD_MAIN
