/* Write a mesh as CGNS (meshcgns.h). Elements are numbered through all sections: cells of each shape, then the sides of
 * each patch, triangles before quadrilaterals, so that a patch is a range of elements. A mesh with polyhedra has its
 * faces first, those between cells before those of the patches, then its cells. */
#include "mesh/write/meshcgns.h"

#include "base/status.h"
#include "store/disk.h"
#include "store/formats/cgns_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
  triad_cgns *file;
  const triad_mesh *m;
  int64_t next; /* number of the next element, from 1 */
} work;

static int check_names(const triad_mesh *m, const char *path)
{
  for (int p = 0; p < m->n_patches; p++)
    if (strlen(m->patch_name[p]) >= TRIAD_CGNS_NAME)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: patch %s: names in CGNS can have at most %d bytes", path, m->patch_name[p],
                        TRIAD_CGNS_NAME - 1);
  return TRIAD_OK;
}

static int put_points(const work *w)
{
  const int64_t n = w->m->n_points;
  double *x = malloc((size_t)(3 * n) * sizeof *x), *const axes[3] = {x, x + n, x + 2 * n};
  if (!x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " points", n);
  for (int64_t p = 0; p < n; p++)
    for (int a = 0; a < 3; a++) axes[a][p] = w->m->x[p][a];
  const int st = triad_cgns_put_cloud(w->file, "Zone", n, w->m->n_cells, axes);
  free(x);
  return st;
}

/* A section with the elements that `list` has: n of them, `size` numbers. begin: NULL if all have as many numbers. */
static int put_section(work *w, const char *name, triad_cgns_kind kind, int64_t n, int64_t size, const int64_t *list,
                       const int64_t *begin)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_TRY(triad_cgns_put_section(w->file, name, kind, w->next, n, size, list, begin));
  w->next += n;
  return TRIAD_OK;
}

/* ---- cells of known shapes, sides of patches ---- */

static int put_shape(work *w, triad_mesh_shape shape, int64_t *list)
{
  static const struct {
    const char *name;
    triad_cgns_kind kind;
  } kinds[] = {[TRIAD_MESH_TET] = {"Tetrahedra", TRIAD_CGNS_TET},
               [TRIAD_MESH_PYRAMID] = {"Pyramids", TRIAD_CGNS_PYRAMID},
               [TRIAD_MESH_PRISM] = {"Prisms", TRIAD_CGNS_PRISM},
               [TRIAD_MESH_HEX] = {"Hexahedra", TRIAD_CGNS_HEX}};
  const triad_mesh *m = w->m;
  int64_t n = 0, size = 0;
  for (int64_t c = 0; c < m->n_cells; c++) {
    if (m->shape[c] != shape) continue;
    for (int64_t i = m->first[c]; i < m->first[c + 1]; i++) list[size++] = m->corner[i] + 1;
    n++;
  }
  return put_section(w, kinds[shape].name, kinds[shape].kind, n, size, list, NULL);
}

static int put_patch(work *w, int patch, int64_t *list)
{
  const triad_mesh *m = w->m;
  const int64_t begin = w->next;
  for (int points = 3; points <= 4; points++) {
    char name[TRIAD_MESH_NAME];
    int64_t n = 0, size = 0;
    for (int64_t f = m->n_inner; f < m->n_faces; f++) {
      if (m->patch[f] != patch || m->points[f] != points) continue;
      for (int i = 0; i < points; i++) list[size++] = triad_mesh_face(m, f)[i] + 1;
      n++;
    }
    (void)snprintf(name, sizeof name, "Sides-%d-%d", patch + 1, points);
    TRIAD_TRY(put_section(w, name, points == 3 ? TRIAD_CGNS_TRIANGLE : TRIAD_CGNS_QUADRILATERAL, n, size, list, NULL));
  }
  return w->next > begin ? triad_cgns_put_sides(w->file, m->patch_name[patch], begin, w->next - 1) : TRIAD_OK;
}

static int put_known(work *w)
{
  const triad_mesh *m = w->m;
  const int64_t cells = m->first[m->n_cells], sides = 4 * (m->n_faces - m->n_inner),
                room = cells > sides ? cells : sides;
  int64_t *list = malloc(((size_t)room + 1) * sizeof *list);
  if (!list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " numbers of elements", room);
  int st = TRIAD_OK;
  for (int shape = 0; shape < TRIAD_MESH_POLYHEDRON && st == TRIAD_OK; shape++)
    st = put_shape(w, (triad_mesh_shape)shape, list);
  for (int patch = 0; patch < m->n_patches && st == TRIAD_OK; patch++) st = put_patch(w, patch, list);
  free(list);
  return st;
}

/* ---- polyhedra ---- */

/* The numbers of faces of the mesh in the file, from 1, and how many faces the file has. */
static int64_t number_faces(const triad_mesh *m, int64_t *number)
{
  int64_t n = 0;
  for (int64_t f = 0; f < m->n_inner; f++) number[f] = ++n;
  for (int patch = -1; patch < m->n_patches; patch++)
    for (int64_t f = m->n_inner; f < m->n_faces; f++)
      if (m->patch[f] == patch) number[f] = ++n;
  return n;
}

/* Faces in the order of their numbers: their points, each list beginning at begin[]. */
static int put_faces(work *w, const int64_t *number)
{
  const triad_mesh *m = w->m;
  int64_t *begin = calloc((size_t)m->n_faces + 1, sizeof *begin);
  if (!begin) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " faces", m->n_faces);
  for (int64_t f = 0; f < m->n_faces; f++) begin[number[f]] = m->points[f];
  for (int64_t i = 0; i < m->n_faces; i++) begin[i + 1] += begin[i];
  int64_t *list = malloc((size_t)begin[m->n_faces] * sizeof *list);
  for (int64_t f = 0; f < m->n_faces && list; f++)
    for (int i = 0; i < m->points[f]; i++) list[begin[number[f] - 1] + i] = triad_mesh_face(m, f)[i] + 1;
  const int st = list ? put_section(w, "Faces", TRIAD_CGNS_POLYGON, m->n_faces, begin[m->n_faces], list, begin)
                      : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " points of faces", begin[m->n_faces]);
  free(list);
  free(begin);
  return st;
}

/* Cells by the numbers of their faces, below 0 if the face's normal points into the cell. */
static int put_polyhedra(work *w, const int64_t *number)
{
  const triad_mesh *m = w->m;
  const int64_t all = m->n_faces + m->n_inner;
  int64_t *begin = calloc((size_t)m->n_cells + 2, sizeof *begin), *list = malloc((size_t)all * sizeof *list);
  int st = begin && list ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " faces of cells", all);
  for (int64_t f = 0; f < m->n_faces && st == TRIAD_OK; f++)
    for (int side = 0; side < 1 + (f < m->n_inner); side++) begin[m->cell[f][side] + 2]++;
  for (int64_t c = 0; c < m->n_cells && st == TRIAD_OK; c++) begin[c + 2] += begin[c + 1];
  for (int64_t f = 0; f < m->n_faces && st == TRIAD_OK; f++)
    for (int side = 0; side < 1 + (f < m->n_inner); side++)
      list[begin[m->cell[f][side] + 1]++] = side ? -number[f] : number[f];
  if (st == TRIAD_OK) st = put_section(w, "Cells", TRIAD_CGNS_POLYHEDRON, m->n_cells, all, list, begin);
  free(list);
  free(begin);
  return st;
}

static int put_all_faces(work *w)
{
  const triad_mesh *m = w->m;
  int64_t *number = calloc((size_t)m->n_faces + 1, sizeof *number);
  if (!number) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " faces", m->n_faces);
  const int64_t n = number_faces(m, number);
  int st = n == m->n_faces ? put_faces(w, number) : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a face is in no patch");
  if (st == TRIAD_OK) st = put_polyhedra(w, number);
  int64_t first = 1 + m->n_inner;
  for (int64_t f = m->n_inner; f < m->n_faces; f++) first += m->patch[f] < 0;
  for (int patch = 0; patch < m->n_patches && st == TRIAD_OK; patch++) {
    int64_t faces = 0;
    for (int64_t f = m->n_inner; f < m->n_faces; f++) faces += m->patch[f] == patch;
    if (faces > 0) st = triad_cgns_put_sides(w->file, m->patch_name[patch], first, first + faces - 1);
    first += faces;
  }
  free(number);
  return st;
}

int triad_mesh_write_cgns(const triad_mesh *m, const char *path)
{
  char temporary[TRIAD_PATH];
  work w = {.m = m, .next = 1};
  TRIAD_TRY(triad_cgns_need(path));
  TRIAD_TRY(check_names(m, path));
  TRIAD_TRY(triad_disk_path(temporary, "%s.new", path));
  TRIAD_TRY(triad_disk_remove(temporary));
  TRIAD_TRY(triad_cgns_create(&w.file, temporary));
  int st = put_points(&w);
  if (st == TRIAD_OK) st = m->first_side ? put_all_faces(&w) : put_known(&w);
  st = triad_cgns_close(&w.file, st);
  if (st == TRIAD_OK) return triad_disk_commit(temporary, path);
  (void)triad_disk_remove(temporary);
  return st;
}
