#include "solvers/unstructured/setup.h"

#include "solvers/unstructured/meshfile.h"
#include "solvers/unstructured/zones.h"

#include "base/precision.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const cells_words[] = {[TRIAD_FCT_TETS] = "tets",
                                          [TRIAD_FCT_HEXES] = "hexes",
                                          [TRIAD_FCT_PRISMS] = "prisms",
                                          [TRIAD_FCT_PYRAMIDS] = "pyramids",
                                          [TRIAD_FCT_HYBRID] = "hybrid",
                                          [TRIAD_FCT_JET] = "jet",
                                          [TRIAD_FCT_POLYHEDRA] = "polyhedra"};
static const char *const form_words[] = {[TRIAD_FCT_BOX] = "box",
                                         [TRIAD_FCT_WEDGE] = "wedge",
                                         [TRIAD_FCT_TUBE] = "tube",
                                         [TRIAD_FCT_NOZZLE] = "jet"};

static int read_mesh(triad_fct_generator *g, const triad_case *given)
{
  while (!triad_case_is(given, "grid.kind", cells_words[g->cells])) g->cells++;
  triad_case_integers(given, "grid.n", g->n, 3);
  triad_case_reals(given, "grid.length", g->length, 3);
  g->shake = triad_case_real(given, "grid.shake");
  while (!triad_case_is(given, "grid.shape", form_words[g->form])) g->form++;
  if (g->cells == TRIAD_FCT_JET) g->form = TRIAD_FCT_NOZZLE;
  g->corner = triad_case_real(given, "grid.corner");
  g->angle = triad_case_real(given, "grid.angle") * TRIAD_PI / 180;
  triad_case_reals(given, "grid.cut", g->cut, 6);
  triad_case_reals(given, "grid.nozzle", g->nozzle, 4);
  g->lip = triad_case_real(given, "grid.lip");
  triad_case_integers(given, "grid.across", &g->across, 1);
  g->joint = triad_case_real(given, "grid.joint");
  /* Cells are counted row by row, which of too many takes for ever. */
  if ((double)(g->n[0] + 1) * (double)(g->n[1] + 1) * (double)(g->n[2] + 1) > INT32_MAX)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.n: %" PRId64 " x %" PRId64 " x %" PRId64 " cubes have more points than a mesh, %d", g->n[0], g->n[1], g->n[2],
                      INT32_MAX);
  const char *fault = triad_fct_bend_fault(g);
  if (fault) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s", fault);
  return TRIAD_OK;
}

static int read_path(char file[TRIAD_PATH], const triad_case *given)
{
  if (!triad_case_word(given, "grid.file")[0]) return TRIAD_OK;
  char *path = triad_case_path(given, "grid.file");
  if (!path) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path");
  int st = triad_disk_path(file, "%s", path);
  free(path);
  return st;
}

int triad_fct_setup_read(triad_fct_setup *s, const triad_case *given)
{
  const char *text[TRIAD_FCT_PATCHES];
  char why[TRIAD_FCT_WHY];
  *s = (triad_fct_setup){.gamma = triad_case_real(given, "equations.gamma"),
                         .hllc = triad_case_is(given, "equations.low_order", "hllc"),
                         .linear = triad_case_is(given, "equations.high_order", "linear"),
                         .wide = !triad_case_is(given, "equations.gradients", "near"),
                         .flat = triad_case_is(given, "equations.gradients", "limited"),
                         .dealer = triad_graph_library_of(triad_case_word(given, "grid.partition")),
                         .curve = triad_case_is(given, "grid.partition", "curve"),
                         .structured = triad_case_is(given, "grid.structured", "auto"),
                         .layers = (int)triad_case_integer(given, "grid.layers")};
  if (triad_case_is(given, "grid.loops", "colours")) s->loops = TRIAD_FCT_BY_COLOURS;
  if (triad_case_is(given, "grid.loops", "atomics")) s->loops = TRIAD_FCT_ATOMICS;
  if (triad_case_is(given, "grid.faces", "kept")) s->keeps = TRIAD_FCT_KEEP_FACES;
  if (triad_case_is(given, "grid.faces", "corners")) s->keeps = TRIAD_FCT_KEEP_CORNERS;
  s->means = triad_case_flag(given, "output.means");
  s->means_from = triad_case_real(given, "output.means_from");
  s->prelimit = triad_case_flag(given, "equations.prelimit");
  s->viscosity = triad_case_real(given, "equations.viscosity");
  s->prandtl = triad_case_real(given, "equations.prandtl");
  s->slack = triad_case_real(given, "equations.slack");
  if (triad_case_is(given, "equations.transport", "low")) s->transport = TRIAD_FCT_LOW;
  if (triad_case_is(given, "equations.transport", "high")) s->transport = TRIAD_FCT_HIGH;
  if (triad_case_is(given, "grid.numbering", "morton")) s->numbering = TRIAD_FCT_MORTON;
  if (triad_case_is(given, "grid.numbering", "coalesced")) s->numbering = TRIAD_FCT_COALESCED;
  int n = triad_case_texts(given, "equations.limited", text, 2);
  for (int i = 0; i < n; i++)
    s->limited |= strcmp(text[i], "pressure") == 0     ? TRIAD_FCT_LIMIT_PRESSURE
                  : strcmp(text[i], "components") == 0 ? TRIAD_FCT_LIMIT_COMPONENTS
                                                       : TRIAD_FCT_LIMIT_DENSITY;
  TRIAD_TRY(read_mesh(&s->mesh, given));
  TRIAD_TRY(read_path(s->file, given));
  s->n_patches = triad_case_texts(given, "boundaries.patches", text, TRIAD_FCT_PATCHES);
  for (int i = 0; i < s->n_patches; i++) {
    if (!triad_fct_patch_read(&s->patch[i], text[i], why))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "boundaries.patches: %s", why);
    s->sponges = s->sponges || s->patch[i].sponge > 0;
  }
  return TRIAD_OK;
}

/* Known shapes, and hexagonal prisms: tetrahedra have 4 sides, 4 corners, hexahedra 6 and 8, prisms 5 and 6. */
static int64_t sides_of(int64_t cells, int64_t corners) { return 2 * cells + corners / 2; }

static void size_of_made(const triad_fct_setup *s, triad_fct_size *size)
{
  const triad_fct_generator *g = &s->mesh;
  const int64_t *n = g->n, split = g->cells == TRIAD_FCT_HEXES || g->cells == TRIAD_FCT_PYRAMIDS ? 1 : 2;
  triad_fct_generate_count(g, &size->points, &size->cells, &size->corners);
  size->sides = sides_of(size->cells, size->corners);
  size->outer = 2 * split * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
  const int64_t hexes = (size->corners - 4 * size->cells) / 4, least = TRIAD_FCT_ZONE_LEAST * (g->cells == TRIAD_FCT_HEXES ? 1 : 2);
  const int boxes = g->cells == TRIAD_FCT_HEXES || g->cells == TRIAD_FCT_HYBRID || g->cells == TRIAD_FCT_JET;
  if (s->structured && boxes && n[0] >= least && n[1] >= TRIAD_FCT_ZONE_LEAST && n[2] >= TRIAD_FCT_ZONE_LEAST) size->zoned = hexes;
  if (g->cells == TRIAD_FCT_POLYHEDRA) { /* some are hexahedra, with 4 corners fewer */
    const int64_t prisms = (size->corners - 8 * size->cells) / 4;
    size->polygons = 8 * prisms;
    size->polygon_points = 36 * prisms;
  }
}

/* What has been seen while a file was counted, and what else there is. */
static int tell_all(const triad_fct_setup *s, const triad_faults *found)
{
  triad_memory *memory = NULL;
  int st = triad_memory_create(&memory);
  if (st == TRIAD_OK) st = triad_fct_setup_tell(s, memory, found);
  triad_memory_destroy(&memory);
  return st;
}

int triad_fct_setup_size(const triad_fct_setup *s, triad_fct_size *size, int brief)
{
  *size = (triad_fct_size){0};
  if (s->file[0]) {
    triad_fct_file_counts counts;
    triad_faults faults = {0};
    TRIAD_TRY(triad_fct_file_count(s->file, &counts, &faults));
    if (faults.n > 0) return brief ? triad_faults_tell(&faults) : tell_all(s, &faults);
    size->points = counts.points;
    size->cells = counts.cells;
    size->corners = counts.corners;
    size->outer = counts.sides;
    size->sides = sides_of(counts.cells, counts.corners);
    if (counts.faces > 0) { /* a face's points are those of two sides, a cell's corner is on three */
      size->sides = size->polygons = counts.cell_faces;
      size->polygon_points = 2 * counts.face_points;
      size->corners = size->polygon_points / 3;
      size->outer = 2 * counts.faces - counts.cell_faces;
    }
  } else {
    size_of_made(s, size);
  }
  size->faces = (size->sides + size->outer) / 2;
  return TRIAD_OK;
}

/* ---- the mesh ---- */

static int make_mesh(const triad_fct_setup *s, triad_memory *memory, triad_fct_mesh **mesh, triad_fct_rule rules[TRIAD_FCT_PATCHES],
                     triad_faults *faults)
{
  triad_fct_pairs pairs;
  if (s->file[0]) TRIAD_TRY(triad_fct_file_read(mesh, memory, s->file, faults));
  else TRIAD_TRY(triad_fct_generate(mesh, memory, &s->mesh));
  const int whole = faults->n == 0; /* else there is no telling which faces should lie alike */
  triad_fct_setup_rules(s, *mesh, rules, &pairs, faults);
  for (int i = 0; i < pairs.n && whole; i++)
    TRIAD_TRY(triad_faults_take(faults, triad_fct_mesh_periodic(*mesh, pairs.patch[i][0], pairs.patch[i][1])));
  if (!s->file[0] || faults->n == 0) return TRIAD_OK;
  triad_faults_of(faults, s->file);
  (void)triad_fct_mesh_note_turned(*mesh, faults);
  return TRIAD_OK;
}

int triad_fct_setup_mesh(const triad_fct_setup *s, triad_memory *memory, triad_fct_mesh **mesh,
                         triad_fct_rule rules[TRIAD_FCT_PATCHES])
{
  triad_faults faults = {0};
  return triad_faults_end(&faults, make_mesh(s, memory, mesh, rules, &faults));
}

int triad_fct_setup_tell(const triad_fct_setup *s, triad_memory *memory, const triad_faults *found)
{
  triad_fct_rule rules[TRIAD_FCT_PATCHES];
  triad_fct_mesh *mesh = NULL;
  int st = triad_fct_setup_mesh(s, memory, &mesh, rules);
  if (st == TRIAD_OK) st = triad_fct_mesh_measure(mesh);
  triad_fct_mesh_destroy(&mesh);
  if (st == TRIAD_ERR_CASE) return st;
  triad_message_clear();
  return triad_faults_tell(found);
}
