/* Get a mesh from its source: generate or read it, count it, report its faults. */
#include "mesh/read/source.h"
#include "mesh/sizes.h"

#include "mesh/read/meshfile.h"
#include "mesh/zones.h"

#include "base/status.h"

#include <math.h>

/* ---- sizes ---- */

/* Exact for known shapes and hexagonal prisms: tetrahedra have 4 sides and 4 corners, hexahedra 6 and 8, prisms 5
 * and 6. */
static int64_t count_sides(int64_t cells, int64_t corners) { return 2 * cells + corners / 2; }

static void size_generated(const triad_mesh_source *s, triad_mesh_size *size)
{
  const triad_mesh_generator *g = &s->made;
  const int64_t *n = g->n, split = g->cells == TRIAD_MESH_HEXES || g->cells == TRIAD_MESH_PYRAMIDS ? 1 : 2;
  triad_mesh_generate_count(g, &size->points, &size->cells, &size->corners);
  size->sides = count_sides(size->cells, size->corners);
  size->outer = 2 * split * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
  const int64_t hexes = (size->corners - 4 * size->cells) / 4,
                least = TRIAD_MESH_ZONE_MIN_CELLS * (g->cells == TRIAD_MESH_HEXES ? 1 : 2);
  const int boxes = g->cells == TRIAD_MESH_HEXES || g->cells == TRIAD_MESH_HYBRID || g->cells == TRIAD_MESH_JET;
  if (s->structured && boxes && n[0] >= least && n[1] >= TRIAD_MESH_ZONE_MIN_CELLS && n[2] >= TRIAD_MESH_ZONE_MIN_CELLS)
    size->zoned = hexes;
  if (g->cells == TRIAD_MESH_POLYHEDRA) { /* Hexahedra at the ends have 4 corners fewer. */
    const int64_t prisms = (size->corners - 8 * size->cells) / 4;
    size->polygons = 8 * prisms;
    size->polygon_points = 36 * prisms;
  }
}

static void size_file(const triad_mesh_file_counts *counts, triad_mesh_size *size)
{
  size->points = counts->points;
  size->cells = counts->cells;
  size->corners = counts->corners;
  size->outer = counts->sides;
  size->streamed = counts->streamed;
  if (counts->outside) size->outer += (int64_t)(6 * pow((double)counts->cells, 2.0 / 3)); /* of a cube */
  size->sides = count_sides(counts->cells, counts->corners);
  if (counts->faces > 0) { /* Each point of a face belongs to two sides, each corner of a cell to three. */
    size->sides = size->polygons = counts->cell_faces;
    size->polygon_points = 2 * counts->face_points;
    size->corners = size->polygon_points / 3;
    size->outer = 2 * counts->faces - counts->cell_faces;
  }
}

static int report_all(const triad_mesh_source *s, const triad_faults *found)
{
  triad_memory *memory = NULL;
  int st = triad_memory_create(&memory);
  if (st == TRIAD_OK) st = triad_mesh_source_report(s, memory, found);
  triad_memory_destroy(&memory);
  return st;
}

int triad_mesh_source_size(const triad_mesh_source *s, triad_mesh_size *size, int brief)
{
  *size = (triad_mesh_size){0};
  if (s->file[0]) {
    triad_mesh_file_counts counts;
    triad_faults faults = {0};
    TRIAD_TRY(triad_mesh_file_count(s->file, &counts, &faults));
    if (faults.n > 0) return brief ? triad_faults_tell(&faults) : report_all(s, &faults);
    size_file(&counts, size);
  } else {
    size_generated(s, size);
  }
  size->faces = (size->sides + size->outer) / 2;
  return TRIAD_OK;
}

/* ---- the mesh ---- */

static int make_mesh(triad_mesh **mesh, triad_memory *memory, const triad_mesh_source *s, triad_faults *faults)
{
  triad_mesh_pairs pairs = {0};
  if (s->file[0]) TRIAD_TRY(triad_mesh_file_read(mesh, memory, s->file, faults));
  else TRIAD_TRY(triad_mesh_generate(mesh, memory, &s->made));
  const int whole = faults->n == 0; /* With faults, faces of a pair may differ only because cells are missing. */
  if (s->find_pairs) s->find_pairs(s->who, *mesh, &pairs, faults);
  for (int i = 0; i < pairs.n && whole; i++)
    TRIAD_TRY(triad_faults_take(faults, triad_mesh_periodic(*mesh, pairs.patch[i][0], pairs.patch[i][1])));
  if (!s->file[0] || faults->n == 0) return TRIAD_OK;
  triad_faults_of(faults, s->file);
  (void)triad_mesh_note_turned(*mesh, faults);
  return TRIAD_OK;
}

int triad_mesh_source_mesh(triad_mesh **mesh, triad_memory *memory, const triad_mesh_source *s)
{
  triad_faults faults = {0};
  return triad_faults_end(&faults, make_mesh(mesh, memory, s, &faults));
}

int triad_mesh_source_report(const triad_mesh_source *s, triad_memory *memory, const triad_faults *found)
{
  triad_mesh *mesh = NULL;
  int st = triad_mesh_source_mesh(&mesh, memory, s);
  if (st == TRIAD_OK) st = triad_mesh_measure(mesh);
  triad_mesh_destroy(&mesh);
  if (st == TRIAD_ERR_CASE) return st;
  triad_message_clear();
  return triad_faults_tell(found);
}
