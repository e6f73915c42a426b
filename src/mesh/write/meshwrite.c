/* Write a mesh as text of SU2 or Gmsh, or as CGNS or VTKHDF (meshwrite.h). Numbers of text have 17 digits, so that a
 * mesh read again is the same. */
#include "mesh/write/meshwrite.h"
#include "mesh/write/meshcgns.h"
#include "mesh/write/vtkhdf.h"

#include "base/status.h"
#include "store/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends(const char *path, const char *ending)
{
  const size_t n = strlen(path), m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

int triad_mesh_write_is(const char *path) { return ends(path, ".su2") || ends(path, ".msh") || ends(path, ".cgns"); }

/* ---- SU2 ---- */

static void write_su2_sides(FILE *to, const triad_mesh *m, int patch)
{
  int64_t n = 0;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) n += m->patch[f] == patch;
  (void)fprintf(to, "MARKER_TAG= %s\nMARKER_ELEMS= %" PRId64 "\n", m->patch_name[patch], n);
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    if (m->patch[f] != patch) continue;
    (void)fprintf(to, "%d", m->points[f] == 3 ? 5 : 9);
    for (int k = 0; k < m->points[f]; k++) (void)fprintf(to, " %" PRId32, triad_mesh_face(m, f)[k]);
    (void)fputc('\n', to);
  }
}

static void write_su2(FILE *to, const triad_mesh *m)
{
  (void)fprintf(to, "NDIME= 3\nNELEM= %" PRId64 "\n", m->n_cells);
  for (int64_t c = 0; c < m->n_cells; c++) {
    const triad_mesh_shape_info *shape = &triad_mesh_shapes[m->shape[c]];
    (void)fprintf(to, "%d", shape->vtk);
    for (int k = 0; k < shape->corners; k++) (void)fprintf(to, " %" PRId32, m->corner[m->first[c] + shape->to_vtk[k]]);
    (void)fputc('\n', to);
  }
  (void)fprintf(to, "NPOIN= %" PRId64 "\n", m->n_points);
  for (int64_t p = 0; p < m->n_points; p++)
    (void)fprintf(to, "%.17g %.17g %.17g\n", m->x[p][0], m->x[p][1], m->x[p][2]);
  (void)fprintf(to, "NMARK= %d\n", m->n_patches);
  for (int patch = 0; patch < m->n_patches; patch++) write_su2_sides(to, m, patch);
}

/* ---- Gmsh ---- */

static void write_msh(FILE *to, const triad_mesh *m)
{
  static const int type[TRIAD_MESH_POLYHEDRON] = {
    [TRIAD_MESH_TET] = 4, [TRIAD_MESH_PYRAMID] = 7, [TRIAD_MESH_PRISM] = 6, [TRIAD_MESH_HEX] = 5};
  int64_t number = 0, sides = 0;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) sides += m->patch[f] >= 0;
  (void)fprintf(to, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n", m->n_patches + 1);
  for (int p = 0; p < m->n_patches; p++) (void)fprintf(to, "2 %d \"%s\"\n", p + 1, m->patch_name[p]);
  (void)fprintf(to, "3 %d \"volume\"\n$EndPhysicalNames\n$Nodes\n%" PRId64 "\n", m->n_patches + 1, m->n_points);
  for (int64_t p = 0; p < m->n_points; p++)
    (void)fprintf(to, "%" PRId64 " %.17g %.17g %.17g\n", p + 1, m->x[p][0], m->x[p][1], m->x[p][2]);
  (void)fprintf(to, "$EndNodes\n$Elements\n%" PRId64 "\n", sides + m->n_cells);
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    if (m->patch[f] < 0) continue;
    (void)fprintf(to, "%" PRId64 " %d 2 %d %d", ++number, m->points[f] == 3 ? 2 : 3, m->patch[f] + 1, m->patch[f] + 1);
    for (int k = 0; k < m->points[f]; k++) (void)fprintf(to, " %" PRId32, triad_mesh_face(m, f)[k] + 1);
    (void)fputc('\n', to);
  }
  for (int64_t c = 0; c < m->n_cells; c++) {
    (void)fprintf(to, "%" PRId64 " %d 2 %d 1", ++number, type[m->shape[c]], m->n_patches + 1);
    for (int64_t i = m->first[c]; i < m->first[c + 1]; i++) (void)fprintf(to, " %" PRId32, m->corner[i] + 1);
    (void)fputc('\n', to);
  }
  (void)fputs("$EndElements\n", to);
}

static int write_text(const triad_mesh *m, const char *path)
{
  char temporary[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(temporary, "%s.new", path));
  TRIAD_TRY(triad_disk_remove(temporary));
  FILE *to = fopen(temporary, "wx");
  if (!to) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", temporary, strerror(errno));
  if (ends(path, ".su2")) write_su2(to, m);
  else write_msh(to, m);
  const int bad = ferror(to), closed = fclose(to);
  if (!bad && closed == 0) return triad_disk_commit(temporary, path);
  const int why = errno;
  (void)unlink(temporary);
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", path, strerror(why));
}

/* ---- VTKHDF ---- */

static int put_numbers(const triad_mesh *m, triad_vtkhdf *file)
{
  double *values = NULL;
  int64_t n = m->n_cells;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "output", m->n_cells + m->n_faces - m->n_inner, &values));
  for (int patch = 0; patch < m->n_patches; patch++)
    for (int64_t f = m->n_inner; f < m->n_faces; f++)
      if (m->patch[f] == patch) values[n++] = patch + 1;
  const int st = triad_vtkhdf_put(file, 0, 0, n, values);
  TRIAD_FREE(m->memory, &values);
  return st;
}

static int write_vtkhdf(const triad_mesh *m, const char *path)
{
  static const triad_field_info boundary = {"boundary", "number of the patch; 0: a cell", "1", TRIAD_SCALAR};
  static const int element = 8;
  char folder[TRIAD_PATH];
  triad_vtkhdf *file = NULL;
  const char *name;
  TRIAD_TRY(triad_path_split(path, folder, &name));
  const triad_vtkhdf_info info = {folder, name, &boundary, &element, 1};
  int st = triad_vtkhdf_create_whole(&file, m, &info);
  if (st == TRIAD_OK) st = put_numbers(m, file);
  return triad_vtkhdf_finish(&file, st);
}

/* ---- any format ---- */

int triad_mesh_write(const triad_mesh *m, const char *path)
{
  if (ends(path, ".cgns")) return triad_mesh_write_cgns(m, path);
  if (!triad_mesh_write_is(path) && !ends(path, ".vtkhdf"))
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s: a mesh is written to a file named .su2, .msh, .cgns or .vtkhdf", path);
  if (m->first_side)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "%s: the mesh has polyhedra, which files of SU2, Gmsh and VTKHDF do not have: write it as .cgns",
                      path);
  return ends(path, ".vtkhdf") ? write_vtkhdf(m, path) : write_text(m, path);
}
