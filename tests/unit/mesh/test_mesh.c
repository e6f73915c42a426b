/* Meshes of cells of any shape: closed, filling their box, joined across a split side and across periodic ends; what
 * is wrong with others is told; generated tubes and jets. ranks: 1 3 precision: both quick: 1 */
#include "mesh_box.h"

#include "mesh/polyhedra.h"
#include "mesh/join.h"
#include "mesh/sizes.h"
#include "mesh/pieces.h"

static int64_t outer_squares(void) { return 2 * (6 * 5 + 5 * 4 + 4 * 6); }

TRIAD_TEST(cells_of_every_shape_are_closed_and_fill_the_box)
{
  static const int per_cube[] = {6, 1, 2, 6}, squares_split[] = {1, 0, 0, 0};
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_HYBRID; kind++) {
    triad_mesh *m = make((triad_mesh_cells)kind, 0);
    double volume = 0;
    for (int64_t c = 0; c < m->n_cells; c++) volume += m->volume[c];
    TRIAD_NEAR(volume, 1 * 1.5 * 0.75, 1e-13, "volume");
    if (kind != TRIAD_MESH_HYBRID) TRIAD_EQUAL(m->n_cells, 120 * per_cube[kind], "cells");
    if (kind == TRIAD_MESH_TETS || kind == TRIAD_MESH_HEXES || kind == TRIAD_MESH_PYRAMIDS)
      TRIAD_EQUAL(m->n_faces - m->n_inner, outer_squares() * (1 + squares_split[kind]), "outer faces");
    for (int side = 0; side < 6; side++) { /* the area vector of each side of the box */
      double sum[3] = {0, 0, 0};
      for (int64_t f = m->n_inner; f < m->n_faces; f++) {
        double area[3], centre[3];
        triad_mesh_face_size(m, f, area, centre);
        for (int a = 0; a < 3; a++) sum[a] += m->patch[f] == side ? area[a] : 0;
      }
      for (int a = 0; a < 3; a++) {
        double area = a == side / 2 ? 1.125 / box.length[a] * (side % 2 ? 1 : -1) : 0;
        TRIAD_WITHIN(sum[a], area, 1e-13, "area of a side");
      }
    }
    triad_mesh_destroy(&m);
  }
}

TRIAD_TEST(periodic_ends_leave_no_outer_face)
{
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_PYRAMIDS; kind++) {
    triad_mesh *m = make((triad_mesh_cells)kind, 1);
    TRIAD_EQUAL(m->n_faces, m->n_inner, "faces");
    int64_t sides = 0;
    for (int64_t c = 0; c < m->n_cells; c++) sides += triad_mesh_shapes[m->shape[c]].sides;
    TRIAD_EQUAL(2 * m->n_inner, sides, "sides, two a face");
    triad_mesh_destroy(&m);
  }
}

TRIAD_TEST(a_hexahedron_meets_two_tetrahedra_across_one_side)
{
  triad_mesh *m = make(TRIAD_MESH_HYBRID, 0);
  int64_t joint = 0;
  for (int64_t f = 0; f < m->n_inner; f++)
    joint += m->shape[m->cell[f][0]] != m->shape[m->cell[f][1]] && m->points[f] == 3;
  TRIAD_EQUAL(joint, 2 * 5 * 4, "triangles between hexahedra and tetrahedra");
  triad_mesh_destroy(&m);
}

/* ---- polyhedra ---- */

/* A mesh whose cells are those of another put together: cell c goes to group[c], of n. Faces within a group are left
 * out, the others are numbered as they were. */
typedef struct together {
  triad_mesh_faceted given;
  int64_t *first_point, *first_face;
  int32_t *point, *face;
} together;

static together put_together(const triad_mesh *m, const int32_t *group, int64_t n)
{
  together t = {.given = {.n_points = m->n_points, .n_faces = m->n_faces, .n_cells = n, .x = (const double(*)[3])m->x}};
  t.first_point = calloc((size_t)m->n_faces + 1, sizeof *t.first_point);
  t.first_face = calloc((size_t)n + 1, sizeof *t.first_face);
  t.point = calloc((size_t)m->n_faces * 8, sizeof *t.point);
  t.face = calloc((size_t)m->n_faces * 2, sizeof *t.face);
  for (int64_t f = 0, at = 0; f < m->n_faces; f++) {
    for (int i = 0; i < m->points[f]; i++) t.point[at++] = triad_mesh_face(m, f)[i];
    t.first_point[f + 1] = at;
  }
  for (int64_t g = 0, at = 0; g < n; g++) {
    for (int64_t f = 0; f < m->n_faces; f++) {
      const int32_t a = group[m->cell[f][0]], b = m->cell[f][1] < 0 ? -1 : group[m->cell[f][1]];
      if (a != b && (a == g || b == g)) t.face[at++] = (int32_t)(a == g ? f + 1 : -(f + 1));
    }
    t.first_face[g + 1] = at;
  }
  t.given.first_point = t.first_point;
  t.given.point = t.point;
  t.given.first_face = t.first_face;
  t.given.face = t.face;
  return t;
}

static void drop_together(together *t)
{
  free(t->first_point);
  free(t->point);
  free(t->first_face);
  free(t->face);
}

/* Tetrahedra by twos, threes, .. up to `most`, in the order of the mesh. */
static int64_t deal_groups(const triad_mesh *m, int most, int32_t *group)
{
  int64_t n = 0;
  for (int64_t c = 0, size = 1; c < m->n_cells; c += size++, n++) {
    if (size > most) size = 2;
    for (int64_t i = c; i < c + size && i < m->n_cells; i++) group[i] = (int32_t)n;
  }
  return n;
}

/* The sums of a cell's parts are its own: volume, and moments about the origin, to some roundings. */
TRIAD_TEST(polyhedra_have_the_volume_and_the_centre_of_their_parts)
{
  static const triad_mesh_cells kinds[] = {TRIAD_MESH_TETS, TRIAD_MESH_POLYHEDRA};
  for (int kind = 0; kind < 2; kind++) {
    triad_mesh *parts = make(kinds[kind], 0), *m = NULL;
    int32_t *group = calloc((size_t)parts->n_cells, sizeof *group);
    const int64_t n = deal_groups(parts, 6, group);
    together t = put_together(parts, group, n);
    double(*sum)[4] = calloc((size_t)n, sizeof *sum);
    TRIAD_CHECK(triad_mesh_of_faces(&m, triad_test_context()->memory, &t.given));
    TRIAD_CHECK(triad_mesh_join(m));
    TRIAD_CHECK(triad_mesh_measure(m));
    for (int64_t c = 0; c < parts->n_cells; c++) {
      sum[group[c]][3] += parts->volume[c];
      for (int a = 0; a < 3; a++) sum[group[c]][a] += parts->volume[c] * parts->centre[c][a];
    }
    for (int64_t g = 0; g < n; g++) {
      TRIAD_NEAR(m->volume[g], sum[g][3], 1e-13, "volume");
      for (int a = 0; a < 3; a++) TRIAD_WITHIN(m->volume[g] * m->centre[g][a], sum[g][a], 1e-15, "moment");
    }
    int most = 0;
    for (int64_t f = 0; f < m->n_faces; f++) {
      const int64_t given = llabs(triad_mesh_face_given(&t.given, m, f)) - 1;
      TRIAD_EQUAL(m->points[f], parts->points[given], "points of the face that was given");
      double area[2][3], centre[2][3];
      triad_mesh_face_size(m, f, area[0], centre[0]);
      triad_mesh_face_size(parts, given, area[1], centre[1]);
      for (int a = 0; a < 3; a++) TRIAD_WITHIN(centre[0][a], centre[1][a], 1e-15, "its centre");
      if (m->points[f] > most) most = m->points[f];
    }
    TRIAD_EQUAL(most, kind ? 6 : 3, "points of the largest face");
    triad_mesh_destroy(&parts);
    triad_mesh_destroy(&m);
    drop_together(&t);
    free(group);
    free(sum);
  }
}

/* Sides are sought by their four lowest points, and are one if all are. */
TRIAD_TEST(polygons_of_the_same_lowest_points_are_not_one_face)
{
  static const int64_t first_point[] = {0, 5, 10, 13, 16, 19, 22, 25, 28}, first_face[] = {0, 4, 8};
  int32_t point[] = {0, 1, 2, 3, 4, 0, 5, 3, 2, 1, 6, 7, 8, 6, 7, 9, 6, 8, 9, 10, 11, 12, 10, 11, 13, 10, 12, 13};
  static const int32_t face[] = {1, 3, 4, 5, 2, 6, 7, 8};
  static const double x[14][3];
  const triad_mesh_faceted given = {14, 8, 2, x, first_point, point, first_face, face};
  for (int same = 0; same < 2; same++) {
    triad_mesh *m = NULL;
    if (same) point[6] = 4;
    TRIAD_CHECK(triad_mesh_of_faces(&m, triad_test_context()->memory, &given));
    TRIAD_CHECK(triad_mesh_join(m));
    TRIAD_EQUAL(m->n_inner, same, "faces between cells");
    triad_mesh_destroy(&m);
  }
}

TRIAD_TEST(a_prism_of_six_corners_has_its_volume_and_what_is_no_cell_is_refused)
{
  enum { N = 6 };
  triad_mesh *m = NULL;
  double x[2 * N + 2][3];
  int32_t point[2 * N + 8 * 8], face[] = {1, 2, 3, 4, 5, 6, 7, 8};
  int64_t first_point[9] = {0}, first_face[] = {0, 8}, at = 0;
  for (int i = 0; i < 2 * N; i++) {
    x[i][0] = cos(2 * TRIAD_PI * (i % N) / N);
    x[i][1] = sin(2 * TRIAD_PI * (i % N) / N);
    x[i][2] = i < N ? 0 : 1;
  }
  for (int i = 0; i < N; i++) point[at++] = N - 1 - i;
  first_point[1] = at;
  for (int i = 0; i < N; i++) point[at++] = N + i;
  first_point[2] = at;
  for (int i = 0; i < N; i++) {
    const int32_t quad[4] = {i, (i + 1) % N, N + (i + 1) % N, N + i};
    memcpy(point + at, quad, sizeof quad);
    first_point[3 + i] = at += 4;
  }
  triad_mesh_faceted given = {2 * N, 8, 1, (const double(*)[3])x, first_point, point, first_face, face};
  TRIAD_CHECK(triad_mesh_of_faces(&m, triad_test_context()->memory, &given));
  TRIAD_CHECK(triad_mesh_join(m));
  TRIAD_CHECK(triad_mesh_measure(m));
  TRIAD_NEAR(m->volume[0], 1.5 * sqrt(3), 1e-14, "volume of a hexagonal prism");
  TRIAD_EQUAL(m->n_faces, 8, "faces");
  triad_mesh_destroy(&m);
  point[0] = 2 * N;
  face[2] = 9;
  TRIAD_FAILS(triad_mesh_of_faces(&m, triad_test_context()->memory, &given), TRIAD_ERR_CASE,
              "face 1 of the mesh has point 13, of 12");
  point[0] = N - 1;
  TRIAD_FAILS(triad_mesh_of_faces(&m, triad_test_context()->memory, &given), TRIAD_ERR_CASE,
              "cell 0 of the mesh has face 9, of 8");
  face[2] = 3;
  first_face[1] = 3;
  TRIAD_FAILS(triad_mesh_of_faces(&m, triad_test_context()->memory, &given), TRIAD_ERR_CASE, "must have at least 4");
  first_face[1] = 8;
  face[0] = -1;
  TRIAD_CHECK(triad_mesh_of_faces(&m, triad_test_context()->memory, &given));
  TRIAD_CHECK(triad_mesh_join(m));
  TRIAD_FAILS(triad_mesh_measure(m), TRIAD_ERR_CASE, "not closed, the first is cell 0 (a polyhedron");
  triad_mesh_destroy(&m);
}

TRIAD_TEST(pieces_of_polyhedra_fill_them)
{
  triad_mesh *m = make(TRIAD_MESH_POLYHEDRA, 0), *pieces = NULL;
  int32_t *whose = NULL;
  TRIAD_CHECK(triad_mesh_pieces(&pieces, &whose, m));
  TRIAD_CHECK(triad_mesh_join(pieces));
  TRIAD_CHECK(triad_mesh_measure(pieces));
  double *sum = calloc((size_t)m->n_cells, sizeof *sum);
  for (int64_t i = 0; i < pieces->n_cells; i++) sum[whose[i]] += pieces->volume[i];
  for (int64_t c = 0; c < m->n_cells; c++) TRIAD_NEAR(sum[c], m->volume[c], 1e-13, "volume of the pieces");
  free(sum);
  TRIAD_FREE(m->memory, &whose);
  triad_mesh_destroy(&pieces);
  triad_mesh_destroy(&m);
}

TRIAD_TEST(a_left_handed_cell_is_refused_with_its_place)
{
  triad_mesh *m = NULL;
  TRIAD_CHECK(triad_mesh_create(&m, triad_test_context()->memory, 4, 1, 4));
  const double x[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  memcpy(m->x, x, sizeof x);
  m->first[1] = 4;
  for (int i = 0; i < 4; i++) m->corner[i] = i;
  TRIAD_CHECK(triad_mesh_join(m));
  TRIAD_FAILS(triad_mesh_measure(m), TRIAD_ERR_CASE, "cell 0 (a tetrahedron about 0.25, 0.25, 0.25)");
  triad_mesh_destroy(&m);
}

/* Tetrahedra on the triangle of points 0, 1, 2, each with a point of its own above it; a reversed one lies on the
 * other side, below. */
static triad_mesh *on_one_triangle(int n, const int *reversed)
{
  triad_mesh *m = NULL;
  TRIAD_CHECK(triad_mesh_create(&m, triad_test_context()->memory, 3 + n, n, 4 * n));
  m->x[1][0] = m->x[2][1] = 1;
  for (int c = 0; c < n; c++) {
    m->x[3 + c][2] = (reversed[c] ? -1 : 1) * (c + 1);
    const int32_t corner[4] = {0, reversed[c] ? 2 : 1, reversed[c] ? 1 : 2, 3 + c};
    m->first[c + 1] = 4 * (c + 1);
    memcpy(m->corner + 4 * c, corner, sizeof corner);
  }
  return m;
}

TRIAD_TEST(a_side_of_three_cells_is_refused)
{
  triad_mesh *m = on_one_triangle(3, (const int[]){0, 1, 0});
  TRIAD_FAILS(triad_mesh_join(m), TRIAD_ERR_CASE, "more than two cells");
  triad_mesh_destroy(&m);
}

TRIAD_TEST(two_cells_on_one_side_of_their_face_are_refused)
{
  triad_mesh *m = on_one_triangle(2, (const int[]){0, 0});
  TRIAD_FAILS(
    triad_mesh_join(m), TRIAD_ERR_CASE,
    "1 faces have both of their cells on the same side, so that these overlap, the first cell 0 (a tetrahedron about "
    "0.25, 0.25, 0.25) and 1");
  triad_mesh_destroy(&m);
  m = on_one_triangle(2, (const int[]){0, 0});
  m->x[4][2] = -1;
  TRIAD_FAILS(
    triad_mesh_join(m), TRIAD_ERR_CASE,
    "1 of 2 cells of the mesh are left-handed or flat, the first cell 1 (a tetrahedron about 0.25, 0.25, -0.25)");
  triad_mesh_destroy(&m);
  m = on_one_triangle(2, (const int[]){0, 1});
  TRIAD_CHECK(triad_mesh_join(m));
  TRIAD_EQUAL(m->n_inner, 1, "faces between cells on opposite sides");
  triad_mesh_destroy(&m);
}

TRIAD_TEST(what_is_wrong_with_sides_is_told_in_one_go_and_left_without_faces)
{
  triad_mesh *m = on_one_triangle(3, (const int[]){0, 0, 1}); /* two above it, and a third */
  triad_faults faults = {0};
  /* two sides of cell 1 have a point twice, one of them the triangle; the others are one */
  m->corner[5] = m->corner[4];
  TRIAD_CHECK(triad_mesh_join_with_faults(m, &faults));
  TRIAD_EQUAL(faults.n, 1, "faults: the sides of cell 1 are no sides");
  TRIAD_EQUAL(m->n_inner, 2, "faces between the others, and of cell 1 with itself");
  TRIAD_EQUAL(m->n_faces, 2 + 2 * 3, "faces");
  TRIAD_FAILS(triad_faults_tell(&faults), TRIAD_ERR_CASE,
              "2 sides of cells contain a point twice, the first of cell 1 (a tetrahedron");
  triad_mesh_destroy(&m);
  m = on_one_triangle(4, (const int[]){0, 0, 1, 0});
  m->x[4][2] = -3;
  TRIAD_FAILS(triad_mesh_join(m), TRIAD_ERR_CASE,
              "more than two cells of the mesh share a side, 2 too many, first cell 0 (a tetrahedron about 0.25, 0.25, "
              "0.25) and 2 among them; 1 of 4 cells of the mesh are left-handed or flat, the first cell 1");
  triad_mesh_destroy(&m);
}

/* A regular polygon of n corners on a circle of radius r. */
static double polygon(int n, double r) { return n * r * r * sin(2 * TRIAD_PI / n) / 2; }

static double area_of(const triad_mesh *m, const char *name, double sum[3])
{
  double all = 0;
  for (int a = 0; a < 3; a++) sum[a] = 0;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    if (strcmp(m->patch_name[m->patch[f]], name) != 0) continue;
    double s[3], centre[3];
    triad_mesh_face_size(m, f, s, centre);
    all += sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    for (int a = 0; a < 3; a++) sum[a] += s[a];
  }
  return all;
}

TRIAD_TEST(a_tube_is_round)
{
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_HYBRID; kind++) {
    triad_mesh *m = NULL;
    const triad_mesh_generator g = {
      .cells = (triad_mesh_cells)kind, .form = TRIAD_MESH_TUBE, .n = {3, 8, 8}, .length = {2, 1, 1}};
    TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
    TRIAD_CHECK(triad_mesh_measure(m));
    TRIAD_NEAR(m->all_volume, 2 * polygon(32, 0.5), 1e-12, "volume");
    triad_mesh_destroy(&m);
  }
}

/* Of tetrahedra and of hexahedra, and joined: what the nozzle lets in is a circle's polygon, and its wall stands
 * between its ends, of which it covers all of the lip. */
TRIAD_TEST(a_jet_has_its_nozzle)
{
  for (int kind = 0; kind < 3; kind++) {
    triad_mesh *m = NULL;
    triad_mesh_generator g = {.cells = TRIAD_MESH_JET,
                              .form = TRIAD_MESH_NOZZLE,
                              .n = {24, 16, 16},
                              .length = {8, 6, 6},
                              .nozzle = {1, 1.5, 0.8, 1},
                              .lip = 0.1,
                              .across = 8,
                              .joint = 2};
    double sum[3];
    if (kind < 2) g.cells = kind ? TRIAD_MESH_HEXES : TRIAD_MESH_TETS;
    TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
    TRIAD_CHECK(triad_mesh_measure(m));
    TRIAD_EQUAL(m->n_patches, 4, "patches");
    TRIAD_NEAR(area_of(m, "inlet", sum), polygon(32, 0.75), 1e-12, "inlet");
    TRIAD_NEAR(area_of(m, "outlet", sum), polygon(64, 3), 1e-12, "outlet");
    (void)area_of(m, "nozzle", sum); /* seen along x: the lip, the other way the wall's begin is no face */
    double inside = polygon(32, 0.75) - polygon(32, 0.5), outside = polygon(40, 0.85) - polygon(40, 0.6);
    TRIAD_WITHIN(sum[0], inside - outside - (polygon(40, 0.6) - polygon(32, 0.5)), 1e-12, "the nozzle along x");
    TRIAD_WITHIN(fabs(sum[1]) + fabs(sum[2]), 0, 1e-12, "and across");
    triad_mesh_destroy(&m);
  }
}

TRIAD_MAIN
