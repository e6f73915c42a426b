/* Domains of ranks hold each cell once and each face as its neighbour does; colours; zones; what is exchanged;
 * numberings. ranks: 1 3 precision: both quick: 1 */
#include "mesh_box.h"
#include "mesh/join.h"
#include "mesh/sizes.h"

#include "solvers/unstructured/state/domain.h"
#include "solvers/unstructured/state/domain_rows.h"

static void check_colours(const triad_unstructured_domain *d)
{
  int64_t *last = calloc((size_t)(d->n_cells + d->n_ghosts) + 1, sizeof *last), clashes = 0;
  for (int g = 0; g < d->n_groups; g++)
    for (int64_t f = d->group[g]; f < d->group[g + 1]; f++)
      for (int s = 0; s < 2; s++) {
        int32_t c = d->cell[f][s];
        if (c < 0 || (s == 1 && c == d->cell[f][0])) continue;
        clashes += last[c] == g + 1;
        last[c] = g + 1;
      }
  TRIAD_EQUAL(clashes, 0, "cells that a colour has twice");
  TRIAD_EQUAL(d->group[d->n_groups], d->n_faces, "faces in groups");
  free(last);
}

/* A view of a domain's lists. */
static triad_unstructured_view view_of(const triad_unstructured_domain *d)
{
  return (triad_unstructured_view){.n_cells = d->n_cells,
                                   .n_seen = d->n_cells + d->n_ghosts,
                                   .n_inner = d->n_inner,
                                   .cell = (const int32_t(*)[2])d->cell,
                                   .near = d->near,
                                   .side = d->side,
                                   .start = d->start,
                                   .sides = d->sides};
}

/* Areas of a cell's faces close it, seen from the domain: 2^-24 or 2^-53 a face. A side knows its cell, its
 * neighbour knows it. */
static void check_cells(const triad_unstructured_domain *d)
{
  const triad_unstructured_view v = view_of(d);
  for (int64_t c = 0; c < d->n_cells; c++) {
    const triad_mesh_zone *zone;
    int sides;
    const int64_t at = triad_unstructured_domain_place(d, c, &zone, &sides);
    double sum[3] = {0, 0, 0}, size = 0;
    TRIAD_HOLDS(sides >= 4, "%d sides", sides);
    for (int s = 0; s < sides; s++) {
      triad_real sign;
      const int64_t f = triad_unstructured_face_at(&v, zone, at, s, &sign),
                    near = triad_unstructured_near(&v, zone, at, s);
      const triad_unstructured_face face = triad_unstructured_domain_face(d, f);
      if (f < d->n_faces) {
        TRIAD_EQUAL(d->cell[f][sign < 0], c, "cell of a side");
        TRIAD_EQUAL(f < d->n_inner ? d->cell[f][sign > 0] : v.n_seen + f - d->n_inner, near, "cell across a side");
      }
      for (int a = 0; a < 3; a++) {
        sum[a] += (double)sign * (double)face.n[a] * (double)face.area;
        if (near >= v.n_seen || (f < d->n_inner && d->mesh->n_pairs > 0)) continue;
        const double *own = d->mesh->centre[d->global[c]], *other = d->mesh->centre[d->global[near]];
        const double across = (double)sign * (double)(face.from[0][a] - face.from[1][a]);
        TRIAD_WITHIN(across, other[a] - own[a], 8 * TRIAD_EPSILON, "centre of the cell across");
      }
      size += (double)face.area;
    }
    for (int a = 0; a < 3; a++) TRIAD_WITHIN(sum[a], 0, 4 * TRIAD_EPSILON * size, "area of a closed cell");
  }
}

TRIAD_TEST(domains_hold_each_cell_once_and_colours_no_cell_twice)
{
  const triad_comm *comm = &triad_test_context()->comm;
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_POLYHEDRA; kind++)
    for (int numbering = TRIAD_MESH_RCM; numbering <= TRIAD_MESH_COALESCED; numbering++) {
      if (kind == TRIAD_MESH_JET) continue;
      triad_mesh *m = make((triad_mesh_cells)kind, kind == TRIAD_MESH_TETS);
      triad_unstructured_domain *d = NULL;
      TRIAD_CHECK(triad_unstructured_domain_create(
        &d, triad_test_context(), m,
        (triad_unstructured_layout){.numbering = (triad_mesh_numbering)numbering, .coloured = 1}));
      int64_t *mine = calloc((size_t)m->n_cells, sizeof *mine), *all = calloc((size_t)m->n_cells, sizeof *all),
              wrong = 0;
      for (int64_t c = 0; c < d->n_cells; c++) mine[d->global[c]]++;
      TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, all, (int)m->n_cells, MPI_INT64_T, MPI_SUM, comm->mpi)));
      for (int64_t c = 0; c < m->n_cells; c++) wrong += all[c] != 1;
      TRIAD_EQUAL(wrong, 0, "cells that no rank holds, or several");
      for (int64_t f = 0; f < d->n_own; f++)
        for (int s = 0; s < 2; s++) wrong += d->cell[f][s] >= d->n_cells;
      for (int64_t f = d->n_own; f < d->n_inner; f++)
        for (int s = 0; s < 2; s++) wrong += d->cell[f][s] < d->n_inside;
      TRIAD_EQUAL(wrong, 0, "faces to ghosts among the others");
      check_colours(d);
      check_cells(d);
      free(mine);
      free(all);
      triad_unstructured_domain_destroy(&d);
      triad_mesh_destroy(&m);
    }
}

/* ---- faces between tetrahedra ---- */

static triad_unstructured_domain *domain_of(const triad_mesh *m, int pointed, int structured)
{
  triad_unstructured_domain *d = NULL;
  TRIAD_CHECK(triad_unstructured_domain_create(
    &d, triad_test_context(), m,
    (triad_unstructured_layout){.numbering = TRIAD_MESH_MORTON, .pointed = pointed, .structured = structured}));
  return d;
}

/* Faces of two tetrahedra that no shift lies between: all that corners can tell. */
static int64_t between_tets(const triad_mesh *m)
{
  int64_t n = 0;
  for (int64_t f = 0; f < m->n_inner; f++)
    n += m->shape[m->cell[f][0]] == TRIAD_MESH_TET && m->shape[m->cell[f][1]] == TRIAD_MESH_TET && m->patch[f] < 0;
  return n;
}

/* A number that differs where one bit does. */
static uint64_t sum_of_bits(const triad_real *numbers)
{
  uint64_t sum = 0;
  for (int k = 0; k < TRIAD_UNSTRUCTURED_GEOMETRY; k++) {
    uint64_t bits = 0;
    memcpy(&bits, &numbers[k], sizeof numbers[k]);
    sum = (sum ^ bits) * 0x9e3779b97f4a7c15u + (sum >> 29);
  }
  return sum;
}

/* What corners tell of a face is what was measured; ranks on both its sides find the same bits. */
static void check_pointed(const triad_mesh *m, int structured)
{
  const triad_comm *comm = &triad_test_context()->comm;
  triad_unstructured_domain *kept = domain_of(m, 0, structured), *d = domain_of(m, 1, structured);
  uint64_t seen = 0, all = 0;
  int64_t none = 0;
  TRIAD_EQUAL(kept->n_pointed, 0, "faces without numbers, where they are not asked for");
  if (comm->size == 1) TRIAD_EQUAL(d->n_pointed, between_tets(m), "faces without numbers");
  TRIAD_HOLDS(d->n_pointed > 0, "no face without numbers");
  for (int64_t f = 0; f <= d->n_slots; f++) {
    triad_real one[TRIAD_UNSTRUCTURED_GEOMETRY], two[TRIAD_UNSTRUCTURED_GEOMETRY];
    const int64_t slot = triad_unstructured_domain_slot(d, f);
    triad_unstructured_domain_geometry(kept, f, one);
    triad_unstructured_domain_geometry(d, f, two);
    none += slot < 0;
    TRIAD_HOLDS(slot < d->geometry.pitch, "a face's place");
    for (int k = 0; k < TRIAD_UNSTRUCTURED_GEOMETRY; k++)
      TRIAD_WITHIN((double)two[k], (double)one[k], slot < 0 ? 4 * TRIAD_EPSILON : 0, "a face's number");
    if (f >= d->n_own && f < d->n_inner) seen ^= sum_of_bits(two);
  }
  TRIAD_EQUAL(none, d->n_pointed, "faces that have no place");
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(&seen, &all, 1, MPI_UINT64_T, MPI_BXOR, comm->mpi)));
  TRIAD_HOLDS(all == 0 && (comm->size == 1) == (seen == 0), "faces that two ranks see otherwise");
  check_cells(d);
  triad_unstructured_domain_destroy(&kept);
  triad_unstructured_domain_destroy(&d);
}

TRIAD_TEST(corners_of_tetrahedra_tell_of_their_faces)
{
  for (int periodic = 0; periodic < 2; periodic++) {
    triad_mesh *m = make(TRIAD_MESH_TETS, periodic);
    check_pointed(m, 0);
    triad_mesh_destroy(&m);
  }
  for (int structured = 0; structured < 2; structured++) {
    triad_mesh *m = make(TRIAD_MESH_HYBRID, 0);
    check_pointed(m, structured);
    triad_mesh_destroy(&m);
  }
}

/* Two that a periodic face joins may have three corners in common at another one. */
TRIAD_TEST(corners_do_not_tell_of_periodic_faces_of_thin_layers)
{
  triad_mesh *m = NULL;
  const triad_mesh_generator g = {.cells = TRIAD_MESH_TETS, .n = {6, 5, 1}, .length = {1, 1, 0.2}};
  TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
  TRIAD_CHECK(triad_mesh_periodic(m, 4, 5));
  TRIAD_CHECK(triad_mesh_measure(m));
  check_pointed(m, 0);
  triad_mesh_destroy(&m);
}

TRIAD_TEST(of_other_cells_all_faces_have_numbers)
{
  triad_mesh *m = make(TRIAD_MESH_HEXES, 0);
  triad_unstructured_domain *d = domain_of(m, 1, 0);
  TRIAD_HOLDS(d->n_pointed == 0 && !d->kept_words, "faces without numbers");
  triad_unstructured_domain_destroy(&d);
  triad_mesh_destroy(&m);
}

/* 65 faces of one cell want 65 colours. */
TRIAD_TEST(where_colours_are_not_enough_it_is_told)
{
  int32_t cell[TRIAD_MESH_COLOURS + 1][2];
  uint8_t colour[TRIAD_MESH_COLOURS + 1];
  for (int n = TRIAD_MESH_COLOURS; n <= TRIAD_MESH_COLOURS + 1; n++) {
    uint64_t taken[TRIAD_MESH_COLOURS + 2] = {0};
    for (int i = 0; i < n; i++) {
      cell[i][0] = 0;
      cell[i][1] = i + 1;
    }
    TRIAD_EQUAL(triad_mesh_colour_faces((const int32_t(*)[2])cell, n, taken, colour), n, "colours");
  }
}

/* Across a periodic layer one cell thick a cell is its own neighbour. */
TRIAD_TEST(a_periodic_layer_one_cell_thick_is_put_in_the_coalescing_order)
{
  triad_mesh *m = NULL;
  triad_unstructured_domain *d = NULL;
  const triad_mesh_generator g = {.cells = TRIAD_MESH_HEXES, .n = {6, 5, 1}, .length = {1, 1, 1}};
  TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
  TRIAD_CHECK(triad_mesh_periodic(m, 4, 5));
  TRIAD_CHECK(triad_mesh_measure(m));
  TRIAD_CHECK(triad_unstructured_domain_create(
    &d, triad_test_context(), m, (triad_unstructured_layout){.numbering = TRIAD_MESH_COALESCED, .coloured = 1}));
  int64_t own = 0, wrong = 0, *seen = calloc((size_t)m->n_cells, sizeof *seen);
  for (int64_t c = 0; c < d->n_cells; c++) wrong += seen[d->global[c]]++ > 0;
  for (int64_t f = 0; f < d->n_own; f++) own += d->cell[f][0] == d->cell[f][1];
  TRIAD_EQUAL(wrong, 0, "cells that are there twice, or another rank's");
  TRIAD_EQUAL(own, d->n_cells, "faces of a cell with itself, one each");
  check_colours(d);
  check_cells(d);
  free(seen);
  triad_unstructured_domain_destroy(&d);
  triad_mesh_destroy(&m);
}

/* Boxes are found whatever way their hexahedra are turned, cells within them see whom their numbers say, and no face
 * is lost: of a hybrid mesh all hexahedra, of a box on several ranks what each has. */
TRIAD_TEST(structured_zones_are_boxes_of_hexahedra)
{
  const int ranks = triad_test_context()->comm.size;
  for (int turned = 0; turned < 2; turned++) {
    triad_mesh *m = NULL;
    triad_unstructured_domain *d = NULL;
    const triad_mesh_generator g = {
      .cells = turned ? TRIAD_MESH_HEXES : TRIAD_MESH_HYBRID, .n = {10, 6, 5}, .length = {1, 1, 1}, .shake = 0.1};
    TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
    if (turned) { /* a quarter of a turn about x, y or z, or none: the same cells, other corners first */
      triad_mesh *other = NULL;
      static const int turn[4][8] = {
        {0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 0, 5, 6, 7, 4}, {3, 2, 6, 7, 0, 1, 5, 4}, {4, 0, 3, 7, 5, 1, 2, 6}};
      TRIAD_CHECK(triad_mesh_create(&other, triad_test_context()->memory, m->n_points, m->n_cells, 8 * m->n_cells));
      memcpy(other->x, m->x, (size_t)m->n_points * sizeof *m->x);
      for (int64_t c = 0; c < m->n_cells; c++) {
        other->shape[c] = TRIAD_MESH_HEX;
        other->first[c + 1] = 8 * (c + 1);
        for (int i = 0; i < 8; i++) other->corner[8 * c + i] = m->corner[8 * c + turn[(c * 7 + 3) % 4][i]];
      }
      triad_mesh_destroy(&m);
      m = other;
      TRIAD_CHECK(triad_mesh_join(m));
      const int patch = triad_mesh_patch(m, "hull");
      for (int64_t f = m->n_inner; f < m->n_faces; f++) m->patch[f] = (int16_t)patch;
    }
    TRIAD_CHECK(triad_mesh_measure(m));
    TRIAD_CHECK(triad_unstructured_domain_create(
      &d, triad_test_context(), m, (triad_unstructured_layout){.numbering = TRIAD_MESH_RCM, .structured = 1}));
    int64_t within = 0;
    for (int z = 0; z < d->n_zones; z++) {
      const int64_t n[3] = {d->zone[z].n[0], d->zone[z].n[1], d->zone[z].n[2]};
      TRIAD_EQUAL(n[0] * n[1] * n[2], d->zone[z].cells, "cells of a zone");
      within += 3 * d->zone[z].cells - n[0] * n[1] - n[1] * n[2] - n[2] * n[0];
    }
    if (ranks == 1) {
      TRIAD_EQUAL(d->n_zones, 1, "zones");
      TRIAD_EQUAL(d->n_zoned, (turned ? 10 : 5) * 6 * 5, "cells of zones");
      TRIAD_EQUAL(within + d->n_inner, m->n_inner, "faces within zones and others");
    }
    TRIAD_EQUAL(d->n_between - d->n_inner, within, "faces within zones");
    check_cells(d);
    triad_unstructured_domain_destroy(&d);
    triad_mesh_destroy(&m);
  }
}

/* Ghosts get what their owners have, all numbers of it. */
TRIAD_TEST(ghosts_are_filled_by_one_exchange)
{
  enum { NUMBERS = 3 };
  triad_mesh *m = make(TRIAD_MESH_TETS, 1);
  triad_unstructured_domain *d = NULL;
  triad_halo *halo = NULL;
  TRIAD_CHECK(triad_unstructured_domain_create(&d, triad_test_context(), m,
                                               (triad_unstructured_layout){.numbering = TRIAD_MESH_RCM}));
  TRIAD_CHECK(triad_unstructured_domain_halo(&halo, d, NUMBERS));
  int64_t all = d->n_cells + d->n_ghosts, wrong = 0;
  triad_real *values = calloc((size_t)(all * NUMBERS), sizeof *values), *fields[NUMBERS];
  for (int k = 0; k < NUMBERS; k++) fields[k] = values + k * all;
  for (int k = 0; k < NUMBERS; k++)
    for (int64_t i = 0; i < d->n_cells; i++) fields[k][i] = (triad_real)(d->global[i] * 10 + k);
  triad_halo_exchange(halo, fields, NUMBERS);
  for (int k = 0; k < NUMBERS; k++)
    for (int64_t i = 0; i < all; i++) wrong += fabs((double)fields[k][i] - (double)(d->global[i] * 10 + k)) > 0;
  TRIAD_EQUAL(wrong, 0, "values of other ranks' cells");
  free(values);
  triad_halo_destroy(&halo);
  triad_unstructured_domain_destroy(&d);
  triad_mesh_destroy(&m);
}

/* The paper's claim, on its kind of mesh: the first colour is read from consecutive sectors. */
TRIAD_TEST(the_coalescing_order_asks_for_fewer_sectors_than_the_other)
{
  triad_mesh *m = NULL;
  const triad_mesh_generator g = {.cells = TRIAD_MESH_TETS, .n = {12, 12, 12}, .length = {1, 1, 1}};
  double sectors[2];
  if (triad_test_context()->comm.size > 1) TRIAD_SKIP("of one rank");
  TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
  TRIAD_CHECK(triad_mesh_measure(m));
  for (int i = 0; i < 2; i++) {
    triad_unstructured_domain *d = NULL;
    TRIAD_CHECK(triad_unstructured_domain_create(
      &d, triad_test_context(), m,
      (triad_unstructured_layout){.numbering = i ? TRIAD_MESH_COALESCED : TRIAD_MESH_RCM, .coloured = 1}));
    const int32_t(*cell)[2] = (const int32_t(*)[2])d->cell;
    sectors[i] = triad_mesh_count_sectors(cell, d->n_own, 0) + triad_mesh_count_sectors(cell, d->n_own, 1);
    if (i) {
      TRIAD_NEAR(triad_mesh_count_sectors(cell, d->group[1] / 32 * 32, 0), 8, 1e-12,
                 "sectors of the first colour's left cells");
      TRIAD_HOLDS(triad_mesh_count_sectors(cell, d->group[1] / 32 * 32, 1) <= 9,
                  "those of its right cells may begin amid one");
    }
    triad_unstructured_domain_destroy(&d);
  }
  TRIAD_HOLDS(sectors[1] < sectors[0], "%g sectors, of the other order %g", sectors[1], sectors[0]);
  triad_mesh_destroy(&m);
}

/* Layers that one window keeps for the next are moved to its begin, over those that are no longer wanted: no more of
 * them than new ones come. */
TRIAD_TEST(a_window_takes_on_as_many_layers_as_it_keeps)
{
  for (int64_t plane = 1; plane <= (int64_t)1 << 22; plane *= 4)
    for (int n = 1; n < 64; n++)
      for (int asked = 0; asked < 8; asked++) {
        const int64_t layers = triad_unstructured_window_layers(plane, n, asked);
        TRIAD_HOLDS(layers == n || (layers < n && layers >= 2 * TRIAD_UNSTRUCTURED_KEPT),
                    "%lld layers of %d, each of %lld cells", (long long)layers, n, (long long)plane);
      }
}

TRIAD_MAIN
