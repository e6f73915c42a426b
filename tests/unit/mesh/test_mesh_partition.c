/* Meshes cut into the parts of ranks: what each rank works on is, number by number, what it is of the whole mesh;
 * nobody holds the whole; a rank that runs out of memory is heard of by all.   ranks: 1 3 */
#include "test.h"
#include "families.h"

#include "folder.h"
#include "inject.h"
#include "mesh_chunks.h"

#include "solvers/unstructured/state/domain.h"
#include "solvers/unstructured/state/flow.h"
#include "solvers/unstructured/case/check.h"
#include "mesh/parts/partition.h"
#include "mesh/sizes.h"

#include <math.h>
#include <stdlib.h>

static const triad_mesh_generator box = {
  .cells = TRIAD_MESH_TETS, .n = {7, 6, 5}, .length = {1, 1.5, 0.75}, .shake = 0.2};
static const triad_mesh_generator jet = {.cells = TRIAD_MESH_JET,
                                         .form = TRIAD_MESH_NOZZLE,
                                         .n = {16, 10, 10},
                                         .length = {6, 4, 4},
                                         .nozzle = {1, 1.5, 1, 1},
                                         .lip = 0.1,
                                         .across = 4,
                                         .joint = 1};

/* A setup whose sides are periodic along the axes of `periodic`, as bits; all else slip walls. */
static triad_unstructured_setup setup_of(triad_mesh_generator g, int periodic)
{
  static const char *const names[6] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  triad_unstructured_setup s = {.source.made = g, .gamma = 1.4};
  for (int i = 0; i < 6; i++)
    if (periodic >> i / 2 & 1) {
      char why[TRIAD_UNSTRUCTURED_WHY], text[TRIAD_MESH_NAME];
      (void)snprintf(text, sizeof text, "%s: periodic", names[i]);
      TRIAD_HOLDS(triad_unstructured_patch_read(&s.patch[s.n_patches++], text, why), "a patch");
    }
  return s;
}

/* The domains of a whole mesh and of a part: cells in the same order under the same numbers, the same faces.
 * Round-off: of a mesh with periodic ends outer faces, and so the sums over them, stand in another order. */
static void compare_domains(const triad_mesh *whole, const triad_mesh *part, const triad_unstructured_layout layout)
{
  triad_unstructured_domain *a = NULL, *b = NULL;
  int64_t wrong = 0;
  TRIAD_CHECK(triad_unstructured_domain_create(&a, triad_test_context(), whole, layout));
  TRIAD_CHECK(triad_unstructured_domain_create(&b, triad_test_context(), part, layout));
  TRIAD_EQUAL(b->n_cells, a->n_cells, "own cells");
  TRIAD_EQUAL(b->n_inside, a->n_inside, "cells that see no ghost");
  TRIAD_EQUAL(b->n_ghosts, a->n_ghosts, "ghosts");
  TRIAD_EQUAL(b->n_faces, a->n_faces, "faces");
  TRIAD_EQUAL(b->n_inner, a->n_inner, "inner faces");
  TRIAD_EQUAL(b->n_own, a->n_own, "faces between own cells");
  TRIAD_EQUAL(b->n_zoned, a->n_zoned, "cells of zones");
  TRIAD_EQUAL(b->n_seen[1], a->n_seen[1], "cells that others see");
  for (int64_t c = 0; c < a->n_cells + a->n_ghosts; c++) {
    wrong += a->global[c] != b->global[c];
    TRIAD_NEAR(triad_unstructured_domain_volume(b, c), triad_unstructured_domain_volume(a, c), 1e-13, "volume");
    double at[2][3];
    triad_unstructured_domain_centre(a, c, at[0]);
    triad_unstructured_domain_centre(b, c, at[1]);
    for (int k = 0; k < 3; k++) TRIAD_WITHIN(at[1][k], at[0][k], 1e-13, "centre");
  }
  for (int64_t f = 0; f < a->n_inner; f++) {
    const triad_unstructured_face one = triad_unstructured_domain_face(a, f),
                                  two = triad_unstructured_domain_face(b, f);
    wrong += a->cell[f][0] != b->cell[f][0] || a->cell[f][1] != b->cell[f][1];
    for (int k = 0; k < 3; k++) TRIAD_WITHIN(two.n[k], one.n[k], 1e-13, "normal");
    TRIAD_NEAR(two.area, one.area, 1e-13, "area");
  }
  for (int64_t f = a->n_inner; f < a->n_faces; f++) wrong += a->cell[f][0] != b->cell[f][0];
  TRIAD_EQUAL(wrong, 0, "cells, and faces between them");
  triad_unstructured_domain_destroy(&a);
  triad_unstructured_domain_destroy(&b);
}

static void compare_patches(const triad_mesh *whole, const triad_mesh *part)
{
  const triad_comm *comm = triad_test_comm();
  int64_t count[2][TRIAD_MESH_PATCHES] = {{0}};
  TRIAD_EQUAL(part->n_patches, whole->n_patches, "patches");
  for (int p = 0; p < whole->n_patches; p++)
    TRIAD_HOLDS(strcmp(part->patch_name[p], whole->patch_name[p]) == 0, "%s is called %s", whole->patch_name[p],
                part->patch_name[p]);
  for (int64_t f = whole->n_inner; f < whole->n_faces; f++) count[0][whole->patch[f]]++;
  for (int64_t f = part->n_inner; f < part->n_faces; f++)
    if (part->owner[part->cell[f][0]] == comm->rank) count[1][part->patch[f]]++;
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, count[1], TRIAD_MESH_PATCHES, MPI_INT64_T, MPI_SUM, comm->mpi)));
  for (int p = 0; p < whole->n_patches; p++) TRIAD_EQUAL(count[1][p], count[0][p], "faces of a patch");
}

static void compare(const triad_unstructured_setup *setup, int structured)
{
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  triad_mesh *whole = NULL, *part = NULL;
  triad_mesh_partition *partition = NULL;
  triad_memory *memory = triad_test_context()->memory;
  uint64_t checksum = 0;
  double seconds = 0;
  TRIAD_CHECK(triad_unstructured_setup_mesh(setup, memory, &whole, rules));
  TRIAD_CHECK(triad_mesh_measure(whole));
  TRIAD_CHECK(
    triad_unstructured_setup_part(&partition, triad_test_context(), setup, &part, rules, &checksum, &seconds));
  TRIAD_EQUAL(checksum, triad_mesh_checksum(whole), "checksum");
  TRIAD_EQUAL(part->all_cells, whole->n_cells, "cells");
  TRIAD_EQUAL(part->all_faces, whole->n_faces, "faces");
  TRIAD_EQUAL(part->all_inner, whole->n_inner, "inner faces");
  TRIAD_NEAR(part->all_volume, whole->all_volume, 1e-13, "volume");
  compare_patches(whole, part);
  for (int numbering = TRIAD_MESH_RCM; numbering <= TRIAD_MESH_COALESCED; numbering++)
    compare_domains(whole, part,
                    (triad_unstructured_layout){.numbering = (triad_mesh_numbering)numbering,
                                                .coloured = 1,
                                                .structured = structured,
                                                .pointed = numbering == TRIAD_MESH_MORTON});
  check_chunks(whole, partition, part, INT32_MAX);
  check_chunks(whole, partition, part, 11);
  triad_mesh_destroy(&whole);
  triad_mesh_destroy(&part);
  triad_mesh_partition_destroy(&partition);
}

static void compare_made(triad_mesh_generator g, int periodic, int structured)
{
  const triad_unstructured_setup setup = setup_of(g, periodic);
  compare(&setup, structured);
}

TRIAD_TEST(parts_of_every_kind_of_mesh_are_those_of_the_whole)
{
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_POLYHEDRA; kind++) {
    triad_mesh_generator g = box;
    g.cells = (triad_mesh_cells)kind;
    compare_made(g, 0, 1);
    if (kind != TRIAD_MESH_HYBRID) compare_made(g, kind == TRIAD_MESH_TETS ? 7 : 2, 0);
  }
  compare_made(jet, 0, 1);
}

/* Each begins where as many sides lie before as it is due: of cells along the curve, of all of which the whole mesh
 * knows. */
static void compare_owners(const triad_mesh *whole, const triad_mesh *part)
{
  const int size = triad_test_comm()->size;
  triad_mesh_curve_place *place = malloc((size_t)whole->n_cells * sizeof *place);
  int32_t *owner = malloc((size_t)whole->n_cells * sizeof *owner);
  int64_t all = 0, before = 0, wrong = 0;
  triad_mesh_sort_along_curve(whole, NULL, whole->n_cells, place);
  for (int64_t c = 0; c < whole->n_cells; c++) all += triad_mesh_sides(whole, c);
  for (int64_t i = 0; i < whole->n_cells; before += triad_mesh_sides(whole, place[i++].cell))
    owner[place[i].cell] = (int32_t)(before * size / all);
  for (int64_t c = 0; c < part->n_cells; c++) wrong += part->owner[c] != owner[part->number[c]];
  TRIAD_EQUAL(wrong, 0, "cells that another rank should have");
  free(place);
  free(owner);
}

TRIAD_TEST(along_the_curve_ranks_have_what_sorting_all_cells_gives_them)
{
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_POLYHEDRA; kind++) {
    triad_unstructured_setup setup = setup_of(box, 0);
    triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
    triad_mesh *whole = NULL, *part = NULL;
    triad_mesh_partition *partition = NULL;
    uint64_t checksum;
    double seconds;
    setup.source.curve = 1;
    setup.source.made.cells = (triad_mesh_cells)kind;
    TRIAD_CHECK(triad_unstructured_setup_mesh(&setup, triad_test_context()->memory, &whole, rules));
    TRIAD_CHECK(triad_mesh_measure(whole));
    TRIAD_CHECK(
      triad_unstructured_setup_part(&partition, triad_test_context(), &setup, &part, rules, &checksum, &seconds));
    compare_owners(whole, part);
    triad_mesh_destroy(&whole);
    triad_mesh_destroy(&part);
    triad_mesh_partition_destroy(&partition);
  }
}

/* A mesh as a file of Gmsh 2.2, its patches as physical groups; by rank 0. */
static void write_file(const triad_mesh *m, const char *path)
{
  FILE *to = triad_test_comm()->rank == 0 ? fopen(path, "w") : NULL;
  int64_t n = 0;
  if (to) {
    (void)fprintf(to, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n", m->n_patches);
    for (int p = 0; p < m->n_patches; p++) (void)fprintf(to, "2 %d \"%s\"\n", p + 1, m->patch_name[p]);
    (void)fprintf(to, "$EndPhysicalNames\n$Nodes\n%lld\n", (long long)m->n_points);
    for (int64_t i = 0; i < m->n_points; i++)
      (void)fprintf(to, "%lld %.17g %.17g %.17g\n", (long long)i + 1, m->x[i][0], m->x[i][1], m->x[i][2]);
    (void)fprintf(to, "$EndNodes\n$Elements\n%lld\n", (long long)(m->n_cells + m->n_faces - m->n_inner));
    for (int64_t f = m->n_inner; f < m->n_faces; f++)
      (void)fprintf(to, "%lld 2 2 %d 0 %d %d %d\n", (long long)++n, m->patch[f] + 1, m->point[f][0] + 1,
                    m->point[f][1] + 1, m->point[f][2] + 1);
    for (int64_t c = 0; c < m->n_cells; c++) {
      const int32_t *p = m->corner + m->first[c];
      (void)fprintf(to, "%lld 4 2 99 0 %d %d %d %d\n", (long long)++n, p[0] + 1, p[1] + 1, p[2] + 1, p[3] + 1);
    }
    (void)fprintf(to, "$EndElements\n");
    TRIAD_EQUAL(fclose(to), 0, "the mesh is written");
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Barrier(triad_test_comm()->mpi)));
}

/* Tetrahedra of the box in a file, `sides` of whose sides are named. */
static triad_unstructured_setup setup_of_file(const char *folder, int sides)
{
  triad_unstructured_setup s = setup_of(box, 1);
  triad_mesh *m = NULL;
  char why[TRIAD_UNSTRUCTURED_WHY];
  static const char *const others[4] = {"ymin: slip", "ymax: slip", "zmin: slip", "zmax: slip"};
  for (int i = 0; i < 4; i++)
    TRIAD_HOLDS(triad_unstructured_patch_read(&s.patch[s.n_patches++], others[i], why), "a patch");
  TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &box));
  for (int64_t f = m->n_inner; f < m->n_faces; f++)
    if (m->patch[f] >= sides) m->patch[f] = -1;
  TRIAD_CHECK(triad_disk_path(s.source.file, "%s/box.msh", folder));
  write_file(m, s.source.file);
  triad_mesh_destroy(&m);
  return s;
}

TRIAD_TEST(parts_of_a_file_are_those_of_the_whole_and_a_side_without_a_name_is_told)
{
  char folder[TRIAD_PATH];
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  triad_mesh *part = NULL;
  triad_mesh_partition *partition = NULL;
  uint64_t checksum;
  double seconds = 0;
  folder_make(folder);
  const triad_unstructured_setup good = setup_of_file(folder, 6);
  compare(&good, 0);
  const triad_unstructured_setup bad = setup_of_file(folder, 5);
  const int st =
    triad_unstructured_setup_part(&partition, triad_test_context(), &bad, &part, rules, &checksum, &seconds);
  /* 2 x 7 x 6 triangles, of all ranks */
  int told = strstr(triad_message(), " 84 outer faces are in no patch of the file") != NULL;
  TRIAD_EQUAL(st, TRIAD_ERR_CASE, "status");
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &told, 1, MPI_INT, MPI_SUM, triad_test_comm()->mpi)));
  TRIAD_EQUAL(told, 1, "ranks that tell it");
  triad_mesh_destroy(&part);
  triad_mesh_partition_destroy(&partition);
  folder_delete(folder);
}

TRIAD_TEST(points_of_no_cell_and_layers_one_cell_thick_are_kept)
{
  triad_mesh_generator g = box;
  const double cut[6] = {0.3, 0.7, -1, 0.8, -1, 2};
  memcpy(g.cut, cut, sizeof cut);
  compare_made(g, 0, 0);
  g = (triad_mesh_generator){.cells = TRIAD_MESH_HEXES, .n = {6, 5, 1}, .length = {1, 1, 1}};
  compare_made(g, 4, 0);
  compare_made(g, 7, 1);
}

/* Of 4 ranks of a cube of 12^3 each has a quarter, and around it, at a depth of one cell, 6 x (12/4^(1/3))^2 cubes
 * at most. Parts have numbers, owners and places besides: 12 bytes a cell, 4 a point. */
TRIAD_TEST(a_rank_holds_its_part_alone)
{
  const triad_mesh_generator g = {.cells = TRIAD_MESH_TETS, .n = {12, 12, 12}, .length = {1, 1, 1}};
  const triad_unstructured_setup setup = setup_of(g, 0);
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  triad_mesh *whole = NULL, *part = NULL;
  triad_mesh_partition *partition = NULL;
  triad_memory *memory = triad_test_context()->memory;
  const int ranks = triad_test_comm()->size;
  uint64_t checksum;
  double seconds = 0;
  int64_t before = triad_memory_held(memory);
  TRIAD_CHECK(
    triad_unstructured_setup_part(&partition, triad_test_context(), &setup, &part, rules, &checksum, &seconds));
  const int64_t of_part = triad_memory_held(memory) - before;
  TRIAD_CHECK(triad_unstructured_setup_mesh(&setup, memory, &whole, rules));
  TRIAD_CHECK(triad_mesh_measure(whole));
  const int64_t of_whole = triad_memory_held(memory) - before - of_part;
  const double surface = ranks > 1 ? 6 * pow(12 / cbrt(ranks), 2) / 1728 : 0;
  const double numbered = (double)(of_whole + 12 * whole->n_cells + 4 * whole->n_points);
  TRIAD_HOLDS((double)of_part < (1. / ranks + surface) * 1.1 * numbered, "%lld bytes of a part, %lld of the whole",
              (long long)of_part, (long long)of_whole);
  triad_mesh_destroy(&whole);
  triad_mesh_destroy(&part);
  triad_mesh_partition_destroy(&partition);
  TRIAD_EQUAL(triad_memory_held(memory), before, "bytes that are held in the end");
}

/* What the check of a flow of this mesh needs, of ranks that count together or each for itself. */
static int check(const char *file, const triad_comm *ranks, triad_needs *needs)
{
  char text[TRIAD_PATH + 100];
  triad_case *given = NULL;
  *needs = (triad_needs){.ranks = ranks};
  (void)snprintf(
    text, sizeof text,
    "[equations]\nsolver = \"fct\"\n[grid]\nfile = \"%s\"\n[initial]\nkind = \"uniform\"\n[time]\nend = 1\n", file);
  TRIAD_CHECK(triad_case_parse(&given, "test", text, strlen(text), NULL, 0));
  const int st = triad_unstructured_check(given, triad_test_comm()->size, 1, needs);
  triad_case_destroy(&given);
  return st;
}

/* The file is there for rank 0 alone; and then for all but rank 0. */
TRIAD_TEST(one_rank_opens_a_file_for_all)
{
  const triad_comm *comm = triad_test_comm();
  char folder[TRIAD_PATH];
  const char *const nowhere = "/nowhere/box.msh";
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  triad_mesh_partition *partition = NULL;
  triad_mesh *part = NULL;
  triad_needs alone, together;
  uint64_t checksum;
  double seconds;
  folder_make(folder);
  triad_unstructured_setup setup = setup_of_file(folder, 6);
  TRIAD_CHECK(check(setup.source.file, NULL, &alone));
  TRIAD_CHECK(check(comm->rank == 0 ? setup.source.file : nowhere, comm, &together));
  TRIAD_EQUAL(together.rank.total, alone.rank.total, "bytes of a rank");
  TRIAD_EQUAL(together.fields_bytes, alone.fields_bytes, "bytes of fields");
  hush();
  TRIAD_EQUAL(triad_agree(comm, check(comm->rank > 0 ? setup.source.file : nowhere, comm, &together)), TRIAD_ERR_INPUT,
              "what all agree on");
  speak();
  if (comm->rank > 0) TRIAD_CHECK(triad_disk_path(setup.source.file, "%s", nowhere));
  TRIAD_CHECK(
    triad_unstructured_setup_part(&partition, triad_test_context(), &setup, &part, rules, &checksum, &seconds));
  TRIAD_EQUAL(part->all_cells, 6 * 7 * 6 * 5, "cells");
  triad_mesh_destroy(&part);
  triad_mesh_partition_destroy(&partition);
  folder_delete(folder);
}

/* Each allocation of it, on the last rank alone. */
static void fail_each(const triad_unstructured_setup *setup)
{
  const triad_comm *comm = triad_test_comm();
  const int64_t before = triad_memory_held(triad_test_context()->memory);
  int last = 0;
  hush();
  for (int k = 1; !last && k < 1000; k++) {
    triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
    triad_mesh_partition *partition = NULL;
    triad_mesh *part = NULL;
    uint64_t checksum;
    double seconds = 0;
    inject_arm(comm->rank == comm->size - 1 ? CALL_ALIGNED_ALLOC : -1, k);
    const int st =
      triad_unstructured_setup_part(&partition, triad_test_context(), setup, &part, rules, &checksum, &seconds);
    last = !inject_struck();
    inject_arm(-1, 0);
    TRIAD_CHECK(TRIAD_MPI(MPI_Bcast(&last, 1, MPI_INT, comm->size - 1, comm->mpi)));
    TRIAD_HOLDS(st == (last ? TRIAD_OK : TRIAD_ERR_MEMORY), "allocation %d: status %d", k, st);
    triad_mesh_destroy(&part);
    triad_mesh_partition_destroy(&partition);
    TRIAD_EQUAL(triad_memory_held(triad_test_context()->memory), before, "bytes that are held after a failure");
  }
  speak();
  TRIAD_HOLDS(last, "there is an end to them");
}

TRIAD_TEST(all_ranks_hear_of_one_that_has_no_memory)
{
  char folder[TRIAD_PATH];
  folder_make(folder);
  const triad_unstructured_setup setups[2] = {setup_of(box, 1), setup_of_file(folder, 6)};
  triad_unstructured_setup along = setups[0];
  const triad_graph_library *const libraries[2] = {&triad_graph_metis, &triad_graph_scotch};
  along.source.curve = 1;
  fail_each(&along);
  for (int i = 0; i < 2; i++) {
    triad_unstructured_setup dealt = setups[1 - i];
    fail_each(&setups[i]);
    dealt.source.partitioner = libraries[i];
    if (dealt.source.partitioner->deal) fail_each(&dealt);
  }
  folder_delete(folder);
}

TRIAD_MAIN
