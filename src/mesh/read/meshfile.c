/* Read mesh files of any format: count, load, build the mesh, name its patches (meshfile.h). */
#include "mesh/read/meshfile.h"
#include "mesh/read/file_sides.h"
#include "mesh/read/inner_patches.h"
#include "mesh/read/open_sides.h"
#include "mesh/join.h"

#include "base/status.h"
#include "mesh/read/enclose.h"
#include "mesh/read/file_stream.h"
#include "mesh/read/formats.h"
#include "mesh/polyhedra.h"

#include <stdlib.h>
#include <string.h>

/* ---- the other process ---- */

static int parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  const triad_mesh_format *format;
  TRIAD_TRY(triad_mesh_format_find(&format, path));
  return format->parse(path, guard, out, faults);
}

/* The head of the reply of the reading process; the contents follow. */
typedef struct counted {
  triad_mesh_file_counts n;
  triad_faults faults;
} counted;

static int64_t bytes_of(const triad_mesh_file_counts *n)
{
  triad_mesh_contents unused;
  return triad_mesh_contents_place(&unused, n, NULL);
}

/* block NULL: the file is counted. */
typedef struct job {
  const char *path;
  triad_memory *memory;
  void **block;
} job;

/* Count a file without holding it; *fit 0: this cannot be done. */
static int count_there(const job *j, triad_guard *guard, int *fit)
{
  const triad_mesh_format *format;
  triad_mesh_contents c;
  counted out = {.n = {0}};
  int either_prism;
  triad_faults_of(&out.faults, j->path);
  TRIAD_TRY(triad_mesh_format_find(&format, j->path));
  const int st = triad_mesh_stream_count(j->path, guard, format, &c, &out.faults, fit, &either_prism);
  if (st != TRIAD_OK) return triad_faults_end(&out.faults, st);
  out.n = c.n;
  out.n.streamed = 1;
  return *fit ? triad_guard_give(guard, &out, sizeof out) : TRIAD_OK;
}

static int read_there(void *self, triad_guard *guard)
{
  const job *j = self;
  triad_mesh_contents c = {.counted = !j->block};
  counted out = {.n = {0}};
  triad_faults_of(&out.faults, j->path);
  int fit = 0;
  TRIAD_TRY(j->block ? TRIAD_OK : count_there(j, guard, &fit));
  if (fit) return TRIAD_OK;
  int st = parse(j->path, guard, &c, &out.faults);
  if (st != TRIAD_OK) return triad_faults_end(&out.faults, st);
  out.n = c.n;
  TRIAD_TRY(triad_guard_give(guard, &out, sizeof out));
  st = j->block ? triad_guard_give(guard, c.block, bytes_of(&c.n)) : TRIAD_OK;
  free(c.block);
  return st;
}

static int make_room(void *self, const void *head, void **out, int64_t *bytes)
{
  const job *j = self;
  *bytes = bytes_of(&((const counted *)head)->n);
  TRIAD_TRY(triad_memory_alloc(j->memory, "mesh file", *bytes, 1, j->block));
  *out = *j->block;
  return TRIAD_OK;
}

int triad_mesh_file_count(const char *path, triad_mesh_file_counts *counts, triad_faults *faults)
{
  job j = {.path = path};
  counted from = {.n = {0}};
  TRIAD_TRY(triad_guard_run(path, read_there, &j, &from, sizeof from));
  *counts = from.n;
  *faults = from.faults;
  return TRIAD_OK;
}

/* ---- the mesh ---- */

static triad_mesh_faceted facets_of(const triad_mesh_contents *c)
{
  return (triad_mesh_faceted){.n_points = c->n.points,
                              .n_faces = c->n.faces,
                              .n_cells = c->n.cells,
                              .x = (const double(*)[3])c->x,
                              .first_point = c->first_point,
                              .point = c->face_point,
                              .first_face = c->first_face,
                              .face = c->face};
}

/* The patch of a face: by the number of the face that the file has, or by its points; -1: none. It is counted in
 * `faces`. */
static int32_t patch_of(const triad_mesh *m, const triad_mesh_contents *c, int64_t f, int64_t faces[TRIAD_MESH_PATCHES])
{
  if (c->n.faces > 0) {
    const triad_mesh_faceted facets = facets_of(c);
    const int32_t patch = c->face_patch[labs(triad_mesh_face_given(&facets, m, f)) - 1];
    if (patch >= 0) {
      faces[patch]++;
      return patch;
    }
  }
  return triad_mesh_side_patch(c->side, c->n.sides, m, f, faces);
}

int triad_mesh_file_name_patches(triad_mesh *m, const char (*name)[TRIAD_MESH_NAME], int64_t n, const char *path)
{
  for (int i = 0; i < n; i++)
    if (triad_mesh_patch(m, name[i]) != i)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: two patches have the name %s (special characters and blanks become _): rename one of them",
                        path, name[i]);
  return TRIAD_OK;
}

void triad_mesh_note_empty(const triad_mesh *m, const int64_t faces[TRIAD_MESH_PATCHES], triad_faults *faults)
{
  triad_names names = {0};
  for (int p = 0; p < m->n_patches; p++)
    if (faces[p] == 0) triad_names_add(&names, m->patch_name[p]);
  if (names.n > 0) triad_fault(faults, "patch %s contains no outer face", triad_names_text(&names));
}

static int set_patches(triad_mesh *m, const triad_mesh_contents *c, int left_out, const char *path,
                       triad_faults *faults)
{
  int64_t open = 0, outer[TRIAD_MESH_PATCHES] = {0}, inner[TRIAD_MESH_PATCHES] = {0}, found = 0;
  TRIAD_TRY(triad_mesh_file_name_patches(m, (const char(*)[TRIAD_MESH_NAME])c->name, c->n.patches, path));
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    const int32_t patch = patch_of(m, c, f, outer);
    if (patch < 0) {
      open++;
      continue;
    }
    m->patch[f] = (int16_t)patch;
    found++;
  }
  for (int64_t f = 0; f < m->n_inner && (c->n.sides > found || c->n.faces > 0); f++) (void)patch_of(m, c, f, inner);
  triad_mesh_skip_inner(m, outer, (const int64_t *)inner);
  if (open > 0) TRIAD_TRY(triad_mesh_note_open(m, left_out, faults));
  triad_mesh_note_empty(m, (const int64_t *)outer, faults);
  return TRIAD_OK;
}

int triad_mesh_file_cells(triad_mesh **out, triad_memory *memory, const triad_mesh_contents *c)
{
  const triad_mesh_faceted facets = facets_of(c);
  return triad_mesh_of_faces(out, memory, &facets);
}

int triad_mesh_file_mesh(triad_mesh **out, triad_memory *memory, const triad_mesh_contents *c, const char *path,
                         triad_faults *faults)
{
  TRIAD_TRY(c->n.faces > 0 ? triad_mesh_file_cells(out, memory, c) : triad_mesh_file_shapes(out, memory, c));
  (*out)->changes = c->n.changes;
  const int64_t before = faults->n;
  TRIAD_TRY(triad_mesh_join_with_faults(*out, faults));
  TRIAD_TRY(set_patches(*out, c, c->n.left_out > 0 || faults->n > before, path, faults));
  if (faults->n > 0) triad_mesh_note_turned(*out, faults);
  return TRIAD_OK;
}

int triad_mesh_file_load(triad_mesh_contents *contents, void **block, triad_memory *memory, const char *path,
                         triad_faults *faults)
{
  job j = {path, memory, block};
  counted from = {.n = {0}};
  *contents = (triad_mesh_contents){.n = {0}};
  TRIAD_TRY(triad_guard_run_headed(path, read_there, &j, &from, sizeof from, make_room));
  contents->n = from.n;
  *faults = from.faults;
  (void)triad_mesh_contents_place(contents, &from.n, *block);
  triad_mesh_sides_of_file(contents, faults);
  if (!contents->n.outside || faults->n > 0) return TRIAD_OK;
  return triad_mesh_file_enclose(contents, block, memory, path, faults);
}

int triad_mesh_file_read(triad_mesh **out, triad_memory *memory, const char *path, triad_faults *faults)
{
  triad_mesh_contents c;
  void *block = NULL;
  int st = triad_mesh_file_load(&c, &block, memory, path, faults);
  if (st == TRIAD_OK) st = triad_mesh_file_mesh(out, memory, &c, path, faults);
  triad_memory_free(memory, &block);
  return st;
}
