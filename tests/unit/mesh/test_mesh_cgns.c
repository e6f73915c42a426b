/* Meshes of CGNS files that the library's own calls have written: the same cells, faces and patches as those that were
 * made, whichever way cells, faces and boundary conditions are listed; zones that share points; and what is wrong with
 * such files. Each rank has files of its own; what ranks read together is rank 0's.   ranks: 1 3 */
#include "test.h"

#include "store/formats/cgns.h"

#ifndef TRIAD_CGNS

TRIAD_TEST(a_build_without_the_library_says_so)
{
  TRIAD_FAILS(triad_cgns_need("mesh.cgns"), TRIAD_ERR_FEATURE, "libcgns-dev");
}

#define NEEDS_THE_LIBRARY(name) \
  TRIAD_TEST(name) { TRIAD_SKIP("built without libcgns-dev"); }
NEEDS_THE_LIBRARY(cells_of_every_shape_come_back)
NEEDS_THE_LIBRARY(cells_given_by_faces_are_known_by_their_shapes)
NEEDS_THE_LIBRARY(polyhedra_come_back)
NEEDS_THE_LIBRARY(a_file_that_is_harmed_is_refused_or_read)
NEEDS_THE_LIBRARY(zones_that_are_joined_share_their_points)
NEEDS_THE_LIBRARY(boxes_are_hexahedra_and_what_no_patch_has_is_told)
NEEDS_THE_LIBRARY(cells_of_second_order_have_corners_and_others_are_refused)
NEEDS_THE_LIBRARY(what_is_wrong_in_one_place_of_a_file_does_not_hide_the_next)

#else
#include "cgns_files.h"
#include "folder.h"
#include "mesh_chunks.h"
#include "mesh/make/generate.h"
#include "mesh/read/meshfile.h"
#include "mesh/parts/partition.h"
#include "mesh/sizes.h"
#include "solvers/unstructured/case/setup.h"

static char folder[TRIAD_PATH], path[TRIAD_PATH + 64];

/* All that is wrong with the file, told. */
static int read_file(triad_mesh **out)
{
  triad_faults faults = {0};
  return triad_faults_end(&faults, triad_mesh_file_read(out, triad_test_context()->memory, path, &faults));
}

typedef enum listing { BY_RANGE, BY_LIST, BY_POINTS, BY_SECTION } listing;

static triad_mesh *make(triad_mesh_cells cells)
{
  triad_mesh *m = NULL;
  const triad_mesh_generator g = {.cells = cells, .n = {4, 3, 2}, .length = {1, 1.5, 0.75}, .shake = 0.2};
  TRIAD_CHECK(triad_mesh_generate(&m, triad_test_context()->memory, &g));
  TRIAD_CHECK(triad_mesh_measure(m));
  return m;
}

static int begin(const triad_mesh *m, int *base, int *zone)
{
  const cgsize_t size[3] = {(cgsize_t)m->n_points, (cgsize_t)m->n_cells, 0};
  static const char *const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  int file, made;
  double *x = calloc((size_t)m->n_points, sizeof *x);
  CG(cg_set_file_type(CG_FILE_HDF5));
  CG(cg_open(path, CG_MODE_WRITE, &file));
  CG(cg_base_write(file, "Mesh", 3, 3, base));
  CG(cg_zone_write(file, *base, "zone", size, CGNS_ENUMV(Unstructured), zone));
  for (int a = 0; a < 3; a++) {
    for (int64_t i = 0; i < m->n_points; i++) x[i] = m->x[i][a];
    CG(cg_coord_write(file, *base, *zone, CGNS_ENUMV(RealDouble), names[a], x, &made));
  }
  free(x);
  return file;
}

/* Boundary conditions: outer faces, patch by patch, are elements from `number` on. */
static void put_patches(const triad_mesh *m, int file, int base, int zone, int number, listing how)
{
  for (int p = 0; p < m->n_patches; p++) {
    cgsize_t *list = calloc((size_t)(4 * m->n_faces), sizeof *list), range[2] = {number, number - 1};
    char name[64];
    int n = 0;
    for (int64_t f = m->n_inner; f < m->n_faces; f++) {
      if (m->patch[f] != p) continue;
      range[1] = number;
      if (how == BY_LIST) list[n++] = number;
      for (int i = 0; i < m->points[f] && how == BY_POINTS; i++) list[n++] = triad_mesh_face(m, f)[i] + 1;
      number++;
    }
    (void)snprintf(name, sizeof name, "condition %d", p);
    put_condition(file, base, zone, name, m->patch_name[p],
                  how == BY_RANGE ? CGNS_ENUMV(PointRange) : CGNS_ENUMV(PointList),
                  how == BY_POINTS ? CGNS_ENUMV(Vertex) : CGNS_ENUMV(FaceCenter), how == BY_RANGE ? 2 : n,
                  how == BY_RANGE ? range : list);
    free(list);
  }
}

/* Elements of any size, and where each begins. */
typedef struct many {
  cgsize_t *data, *at;
  int n, elements;
} many;

static many many_of(const triad_mesh *m)
{
  const size_t room = (size_t)(32 * m->n_faces + 64 * m->n_cells);
  return (many){calloc(room, sizeof(cgsize_t)), calloc(room, sizeof(cgsize_t)), 0, 0};
}

static void add(many *to, int64_t value) { to->data[to->n++] = (cgsize_t)value; }
static void end_element(many *to) { to->at[++to->elements] = to->n; }

static void put_section(int file, int base, int zone, const char *name, CGNS_ENUMT(ElementType_t) type, int first,
                        many *all)
{
  int made;
  CG(cg_poly_section_write(file, base, zone, name, type, first, first + all->elements - 1, 0, all->data, all->at,
                           &made));
  all->n = all->elements = 0;
}

static void many_free(many *all)
{
  free(all->data);
  free(all->at);
}

/* Cells in a mixed section, outer faces behind them, in one of their own or one a patch. */
static void write_mixed(const triad_mesh *m, listing how)
{
  static const CGNS_ENUMT(ElementType_t)
    type[] = {CGNS_ENUMV(TETRA_4), CGNS_ENUMV(PYRA_5), CGNS_ENUMV(PENTA_6), CGNS_ENUMV(HEXA_8)};
  int base, zone, file = begin(m, &base, &zone), number = (int)m->n_cells;
  many all = many_of(m);
  for (int64_t c = 0; c < m->n_cells; c++) {
    add(&all, type[m->shape[c]]);
    for (int64_t i = m->first[c]; i < m->first[c + 1]; i++) add(&all, m->corner[i] + 1);
    end_element(&all);
  }
  put_section(file, base, zone, "cells", CGNS_ENUMV(MIXED), 1, &all);
  for (int p = 0; p < m->n_patches; p++) {
    for (int64_t f = m->n_inner; f < m->n_faces; f++) {
      if (m->patch[f] != p) continue;
      add(&all, m->points[f] == 3 ? CGNS_ENUMV(TRI_3) : CGNS_ENUMV(QUAD_4));
      for (int i = 0; i < m->points[f]; i++) add(&all, m->point[f][i] + 1);
      end_element(&all);
    }
    const int elements = all.elements;
    if (how == BY_SECTION) put_section(file, base, zone, m->patch_name[p], CGNS_ENUMV(MIXED), number + 1, &all);
    number += how == BY_SECTION ? elements : 0;
  }
  if (how == BY_RANGE || how == BY_LIST) put_section(file, base, zone, "faces", CGNS_ENUMV(MIXED), number + 1, &all);
  if (how != BY_SECTION) put_patches(m, file, base, zone, (int)m->n_cells + 1, how);
  many_free(&all);
  CG(cg_close(file));
}

/* Cells by their faces, which come behind them; faces of one patch behind each other. The first `inside` faces
 * between cells, if any, have a boundary condition too. */
static void write_faces_and(const triad_mesh *m, int inside)
{
  int base, zone, file = begin(m, &base, &zone), number = (int)m->n_cells;
  many all = many_of(m);
  int64_t *of = calloc((size_t)m->n_faces, sizeof *of);
  for (int p = -1; p < m->n_patches; p++)
    for (int64_t f = 0; f < m->n_faces; f++) {
      if (f < m->n_inner ? p >= 0 : m->patch[f] != p) continue;
      for (int i = 0; i < m->points[f]; i++) add(&all, triad_mesh_face(m, f)[i] + 1);
      end_element(&all);
      of[f] = ++number;
    }
  put_section(file, base, zone, "walls", CGNS_ENUMV(NGON_n), (int)m->n_cells + 1, &all);
  for (int64_t c = 0; c < m->n_cells; c++) {
    for (int64_t f = 0; f < m->n_faces; f++)
      for (int side = 0; side < 2; side++)
        if (m->cell[f][side] == c) add(&all, side ? -of[f] : of[f]);
    end_element(&all);
  }
  put_section(file, base, zone, "cells", CGNS_ENUMV(NFACE_n), 1, &all);
  put_patches(m, file, base, zone, (int)(m->n_cells + m->n_inner) + 1, BY_RANGE);
  const cgsize_t range[2] = {(cgsize_t)m->n_cells + 1, (cgsize_t)m->n_cells + inside};
  if (inside > 0)
    put_condition(file, base, zone, "interface", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(FaceCenter), 2, range);
  many_free(&all);
  free(of);
  CG(cg_close(file));
}

static void write_faces(const triad_mesh *m) { write_faces_and(m, 0); }

/* Of another mesh of the same box: volumes cell by cell, and the area vector of each patch. */
static void check_same(const triad_mesh *m, triad_mesh *read)
{
  TRIAD_CHECK(triad_mesh_measure(read));
  TRIAD_EQUAL(read->n_cells, m->n_cells, "cells");
  TRIAD_EQUAL(read->n_faces, m->n_faces, "faces");
  TRIAD_EQUAL(read->n_patches, m->n_patches, "patches");
  for (int64_t c = 0; c < m->n_cells; c++) TRIAD_NEAR(read->volume[c], m->volume[c], 1e-12, "volume of a cell");
  for (int p = 0; p < m->n_patches; p++) {
    double sum[2][3] = {{0}};
    for (int k = 0; k < 2; k++) {
      const triad_mesh *one = k ? read : m;
      int own = 0;
      while (strcmp(one->patch_name[own], m->patch_name[p]) != 0) own++;
      for (int64_t f = one->n_inner; f < one->n_faces; f++) {
        double area[3], centre[3];
        triad_mesh_face_size(one, f, area, centre);
        for (int a = 0; a < 3; a++) sum[k][a] += one->patch[f] == own ? area[a] : 0;
      }
    }
    for (int a = 0; a < 3; a++) TRIAD_WITHIN(sum[1][a], sum[0][a], 1e-13, m->patch_name[p]);
  }
}

TRIAD_TEST(cells_of_every_shape_come_back)
{
  folder_make(folder);
  (void)snprintf(path, sizeof path, "%s/mesh-%d.cgns", folder, triad_test_comm()->rank);
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_HYBRID; kind++)
    for (int how = BY_RANGE; how <= BY_SECTION; how++) {
      triad_mesh *m = make((triad_mesh_cells)kind), *read = NULL;
      write_mixed(m, (listing)how);
      TRIAD_CHECK(read_file(&read));
      TRIAD_EQUAL(triad_mesh_checksum(read), triad_mesh_checksum(m), "checksum of points and cells");
      check_same(m, read);
      triad_mesh_destroy(&read);
      triad_mesh_destroy(&m);
    }
}

TRIAD_TEST(cells_given_by_faces_are_known_by_their_shapes)
{
  for (int kind = TRIAD_MESH_TETS; kind <= TRIAD_MESH_PYRAMIDS; kind++) {
    triad_mesh *m = make((triad_mesh_cells)kind), *read = NULL;
    write_faces(m);
    TRIAD_CHECK(read_file(&read));
    for (int64_t c = 0; c < m->n_cells; c++) TRIAD_EQUAL(read->shape[c], m->shape[c], "shape");
    check_same(m, read);
    triad_mesh_destroy(&read);
    triad_mesh_destroy(&m);
  }
}

/* Parts of rank 0's file make up the mesh that each rank has read of its own, patch by patch. */
static void check_parts(const triad_mesh *read)
{
  const triad_comm *comm = triad_test_comm();
  triad_unstructured_setup setup = {.gamma = 1.4};
  triad_unstructured_rule rules[TRIAD_MESH_PATCHES];
  triad_mesh_partition *partition = NULL;
  triad_mesh *part = NULL;
  uint64_t checksum = 0;
  double seconds = 0;
  int64_t faces[TRIAD_MESH_PATCHES] = {0};
  char why[TRIAD_UNSTRUCTURED_WHY], text[TRIAD_MESH_NAME + 8];
  for (int p = 0; p < read->n_patches; p++) {
    (void)snprintf(text, sizeof text, "%s: slip", read->patch_name[p]);
    TRIAD_HOLDS(triad_unstructured_patch_read(&setup.patch[setup.n_patches++], text, why), "a patch");
  }
  TRIAD_CHECK(triad_disk_path(setup.source.file, "%s/mesh-0.cgns", folder));
  TRIAD_CHECK(TRIAD_MPI(MPI_Barrier(comm->mpi)));
  TRIAD_CHECK(
    triad_unstructured_setup_part(&partition, triad_test_context(), &setup, &part, rules, &checksum, &seconds));
  TRIAD_EQUAL(checksum, triad_mesh_checksum(read), "checksum of points and cells");
  TRIAD_EQUAL(part->all_faces, read->n_faces, "faces");
  TRIAD_EQUAL(part->all_inner, read->n_inner, "faces between cells");
  TRIAD_NEAR(part->all_volume, read->all_volume, 1e-13, "volume");
  for (int64_t f = part->n_inner; f < part->n_faces; f++) /* those of ghosts may be in none */
    if (part->owner[part->cell[f][0]] == comm->rank) faces[part->patch[f]]++;
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, faces, TRIAD_MESH_PATCHES, MPI_INT64_T, MPI_SUM, comm->mpi)));
  for (int64_t f = read->n_inner; f < read->n_faces; f++) faces[read->patch[f]]--;
  for (int p = 0; p < TRIAD_MESH_PATCHES; p++) TRIAD_EQUAL(faces[p], 0, "faces of a patch, less those of the whole");
  check_chunks(read, partition, part, 50);
  triad_mesh_destroy(&part);
  triad_mesh_partition_destroy(&partition);
  TRIAD_CHECK(TRIAD_MPI(MPI_Barrier(comm->mpi)));
}

TRIAD_TEST(polyhedra_come_back)
{
  static const triad_mesh_cells kinds[] = {TRIAD_MESH_POLYHEDRA,
                                           TRIAD_MESH_HYBRID}; /* sides that are split make polyhedra of hexahedra */
  for (int k = 0; k < 2; k++) {
    triad_mesh *m = make(kinds[k]), *read = NULL;
    write_faces(m);
    TRIAD_CHECK(read_file(&read));
    TRIAD_EQUAL(read->shape[0], TRIAD_MESH_POLYHEDRON, "shape");
    check_same(m, read);
    check_parts(read);
    triad_mesh_destroy(&read);
    triad_mesh_destroy(&m);
  }
}

/* Two cubes side by side in zones of their own, of which points or faces are joined. A wrong list joins others. */
static void write_cubes(CGNS_ENUMT(GridLocation_t) where, int wrong)
{
  static const cgsize_t corner[8] = {1, 2, 4, 3, 5, 6, 8, 7}, size[3] = {8, 1, 0};
  static const cgsize_t quads[24] = {1, 3, 4, 2, 5, 6, 8, 7, 1, 2, 6, 5, 3, 7, 8, 4, 1, 5, 7, 3, 2, 4, 8, 6};
  static const char *const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  const int points = where == CGNS_ENUMV(Vertex);
  const cgsize_t here[4] = {2, 4, 6, 8}, there[4] = {1, wrong ? 5 : 3, 5, 7}, face = 7, other = wrong ? 2 : 6,
                 shell[2] = {2, 7};
  int file, base, zone, made;
  CG(cg_set_file_type(CG_FILE_HDF5));
  CG(cg_open(path, CG_MODE_WRITE, &file));
  CG(cg_base_write(file, "Mesh", 3, 3, &base));
  for (int z = 0; z < 2; z++) {
    CG(cg_zone_write(file, base, z ? "right" : "left", size, CGNS_ENUMV(Unstructured), &zone));
    for (int a = 0; a < 3; a++) {
      double x[8];
      for (int i = 0; i < 8; i++) x[i] = (i >> a & 1) + (a == 0 ? z : 0);
      CG(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), names[a], x, &made));
    }
    CG(cg_section_write(file, base, zone, "cell", CGNS_ENUMV(HEXA_8), 1, 1, 0, corner, &made));
    CG(cg_section_write(file, base, zone, "shell", CGNS_ENUMV(QUAD_4), 2, 7, 0, quads, &made));
    put_condition(file, base, zone, "shell", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(FaceCenter), 2, shell);
  }
  CG(cg_conn_write(file, base, 1, "seam", where, CGNS_ENUMV(Abutting1to1), CGNS_ENUMV(PointList), points ? 4 : 1,
                   points ? here : &face, "right", CGNS_ENUMV(Unstructured), CGNS_ENUMV(PointListDonor),
                   CGNS_ENUMV(Integer), points ? 4 : 1, points ? there : &other, &made));
  CG(cg_close(file));
}

TRIAD_TEST(faces_between_cells_are_no_patch)
{
  triad_mesh *m = make(TRIAD_MESH_POLYHEDRA), *read = NULL;
  write_faces_and(m, 3);
  TRIAD_CHECK(read_file(&read));
  TRIAD_EQUAL(read->n_inside, 1, "patches with faces between cells");
  TRIAD_HOLDS(strcmp(read->inside[0].name, "interface") == 0, "name: %s", read->inside[0].name);
  TRIAD_EQUAL(read->inside[0].faces, 3, "faces between cells");
  TRIAD_EQUAL(read->inside[0].skipped, 1, "is it skipped");
  check_same(m, read);
  triad_mesh_destroy(&read);
  triad_mesh_destroy(&m);
}

/* A quadrilateral in a plane, and a condition on a face that is none of a cell. */
TRIAD_TEST(a_plane_of_cgns_is_called_one)
{
  static const cgsize_t quads[4] = {1, 2, 4, 3}, size[3] = {4, 1, 0}, number[2] = {7, 7};
  static const char *const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  int file, base, zone, made;
  triad_mesh *read = NULL;
  CG(cg_set_file_type(CG_FILE_HDF5));
  CG(cg_open(path, CG_MODE_WRITE, &file));
  CG(cg_base_write(file, "Mesh", 3, 3, &base));
  CG(cg_zone_write(file, base, "plane", size, CGNS_ENUMV(Unstructured), &zone));
  for (int a = 0; a < 3; a++) {
    double x[4];
    for (int i = 0; i < 4; i++) x[i] = i >> a & 1;
    CG(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), names[a], x, &made));
  }
  CG(cg_section_write(file, base, zone, "faces", CGNS_ENUMV(QUAD_4), 1, 1, 0, quads, &made));
  put_condition(file, base, zone, "edge", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(FaceCenter), 2, number);
  CG(cg_close(file));
  TRIAD_FAILS(read_file(&read), TRIAD_ERR_CASE, "a plane or surface mesh without cells: extrude it by one layer");
  triad_mesh_destroy(&read);
}

TRIAD_TEST(a_file_that_is_harmed_is_refused_or_read)
{
  char *bytes;
  int64_t length;
  triad_mesh *m = make(TRIAD_MESH_POLYHEDRA), *read = NULL;
  write_faces(m);
  triad_mesh_destroy(&m);
  TRIAD_CHECK(triad_disk_load(path, 1 << 24, &bytes, &length));
  hush();
  for (int i = 0; i < 80; i++) { /* most of the bytes are numbers of elements and points */
    const int64_t at = (int64_t)(((uint64_t)i * 0x9e3779b97f4a7c15u >> 20) % (uint64_t)length);
    bytes[at] = (char)~bytes[at];
    TRIAD_CHECK(triad_disk_replace(folder, strrchr(path, '/') + 1, bytes, length));
    bytes[at] = (char)~bytes[at];
    int st = read_file(&read);
    if (st != TRIAD_OK) TRIAD_EQUAL(st, TRIAD_ERR_CASE, "status");
    triad_message_clear();
    triad_mesh_destroy(&read);
  }
  speak();
  free(bytes);
}

TRIAD_TEST(zones_that_are_joined_share_their_points)
{
  triad_mesh *m = NULL;
  for (int points = 0; points < 2; points++) {
    write_cubes(points ? CGNS_ENUMV(Vertex) : CGNS_ENUMV(FaceCenter), 0);
    TRIAD_CHECK(read_file(&m));
    TRIAD_EQUAL(m->n_points, 12, "points");
    TRIAD_EQUAL(m->n_inner, 1, "faces between");
    TRIAD_EQUAL(m->n_faces, 11, "faces");
    triad_mesh_destroy(&m);
    write_cubes(points ? CGNS_ENUMV(Vertex) : CGNS_ENUMV(FaceCenter), 1);
    TRIAD_FAILS(read_file(&m), TRIAD_ERR_CASE, "connection seam: point");
    triad_mesh_destroy(&m);
  }
}

TRIAD_TEST(boxes_are_hexahedra_and_what_no_patch_has_is_told)
{
  triad_mesh *m = NULL;
  write_two_blocks(path, CG_FILE_ADF, WHOLE);
  TRIAD_FAILS(read_file(&m), TRIAD_ERR_CASE, "outer faces are in no patch of the file");
  if (m) TRIAD_EQUAL(m->n_cells, 24, "cells");
  if (m) TRIAD_EQUAL(m->n_points, 3 * 3 * 7, "points, those between once");
  triad_mesh_destroy(&m);
}

/* One tetrahedron, of `type`, with mid-edge nodes as many as it wants. */
static void write_curved(CGNS_ENUMT(ElementType_t) type, int nodes, int last)
{
  const cgsize_t size[3] = {nodes, 1, 0};
  static const char *const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  static const cgsize_t sides[12] = {1, 3, 2, 1, 2, 4, 2, 3, 4, 1, 4, 3}, shell[2] = {2, 5};
  cgsize_t data[20];
  int file, base, zone, made;
  for (int i = 0; i < nodes; i++) data[i] = i + 1;
  data[3] = last;
  CG(cg_set_file_type(CG_FILE_HDF5));
  CG(cg_open(path, CG_MODE_WRITE, &file));
  CG(cg_base_write(file, "Mesh", 3, 3, &base));
  CG(cg_zone_write(file, base, "zone", size, CGNS_ENUMV(Unstructured), &zone));
  for (int a = 0; a < 3; a++) {
    double x[20] = {0};
    x[a + 1] = 1;
    CG(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), names[a], x, &made));
  }
  CG(cg_section_write(file, base, zone, "cell", type, 1, 1, 0, data, &made));
  CG(cg_section_write(file, base, zone, "shell", CGNS_ENUMV(TRI_3), 2, 5, 0, sides, &made));
  put_condition(file, base, zone, "wall", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(FaceCenter), 2, shell);
  CG(cg_close(file));
}

TRIAD_TEST(cells_of_second_order_have_corners_and_others_are_refused)
{
  triad_mesh *m = NULL;
  hush();
  write_curved(CGNS_ENUMV(TETRA_10), 10, 4);
  TRIAD_CHECK(read_file(&m));
  TRIAD_CHECK(triad_mesh_measure(m));
  TRIAD_EQUAL(m->changes.curved, 1, "cells of second order");
  TRIAD_NEAR(m->volume[0], 1.0 / 6, 1e-15, "volume");
  triad_mesh_destroy(&m);
  write_curved(CGNS_ENUMV(TETRA_20), 20, 4);
  TRIAD_FAILS(read_file(&m), TRIAD_ERR_CASE, "unknown element type TETRA_20 (30)");
  write_curved(CGNS_ENUMV(TETRA_4), 4, 9);
  TRIAD_FAILS(read_file(&m), TRIAD_ERR_CASE, "zone zone, section cell, element 1: one of its points does not exist");
  speak();
  folder_delete(folder);
}

/* Cells of a type that is not read, and two conditions at what there is not. */
TRIAD_TEST(what_is_wrong_in_one_place_of_a_file_does_not_hide_the_next)
{
  static const cgsize_t range[2] = {90, 91}, list[2] = {2, 91};
  triad_mesh *m = NULL;
  int file;
  folder_make(folder);
  (void)snprintf(path, sizeof path, "%s/faults-%d.cgns", folder, triad_test_comm()->rank);
  hush();
  write_curved(CGNS_ENUMV(TETRA_20), 20, 4);
  CG(cg_open(path, CG_MODE_MODIFY, &file));
  put_condition(file, 1, 1, "far", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(FaceCenter), 2, range);
  put_condition(file, 1, 1, "near", NULL, CGNS_ENUMV(PointList), CGNS_ENUMV(Vertex), 2, list);
  CG(cg_close(file));
  TRIAD_FAILS(read_file(&m), TRIAD_ERR_CASE,
              "section cell, element 1: unknown element type TETRA_20 (30); zone zone, far: there is no face "
              "number 90; zone zone, near: "
              "there is no point number 91");
  triad_mesh_destroy(&m);
  speak();
  folder_delete(folder);
}

TRIAD_TEST(a_build_without_the_library_says_so) { TRIAD_SKIP("built with the library"); }

#endif
TRIAD_MAIN
