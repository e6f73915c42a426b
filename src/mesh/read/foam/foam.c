/* Read a mesh of OpenFOAM (foam.h): points, faces, and the cells on both sides of each face. If all cells have known
 * shapes, they go into a draft; otherwise all cells are given by their faces, as polyhedra. */
#include "mesh/read/foam/foam.h"
#include "mesh/read/draft.h"
#include "mesh/read/face_shapes.h"
#include "mesh/read/foam/foam_lists.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- where the mesh is ---- */

static int has_mesh(const char *folder)
{
  char path[4096];
  for (int packed = 0; packed < 2; packed++) {
    const int n = snprintf(path, sizeof path, "%s/faces%s", folder, packed ? ".gz" : "");
    if (n > 0 && n < (int)sizeof path && access(path, F_OK) == 0) return 1;
  }
  return 0;
}

/* The folder of a mesh; 0: there is none. */
static int find_folder(const char *path, int is_folder, char folder[4096])
{
  static const char *const inside[] = {"", "/constant/polyMesh", "/polyMesh"};
  const char *end = is_folder ? path + strlen(path) : strrchr(path, '/');
  const int n = end ? (int)(end - path) : 1;
  for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
    const int m = snprintf(folder, 4096, "%.*s%s", n, end ? path : ".", inside[i]);
    if (m > 0 && m < 4096 && has_mesh(folder)) return 1;
  }
  return 0;
}

int triad_mesh_foam_is(const triad_mesh_look *look)
{
  char folder[4096];
  return (look->folder || triad_mesh_look_ends(look, ".foam")) && find_folder(look->path, look->folder, folder);
}

/* ---- what is read ---- */

typedef struct patch {
  char name[TRIAD_MESH_NAME];
  int64_t n, start;
} patch;

typedef struct reading {
  const char *folder;
  triad_guard *guard;
  triad_mesh_draft *d;
  triad_foam_list first, face, owner, neighbour;
  double (*x)[3];
  int64_t n_points, n_faces, n_cells;
  patch patch[TRIAD_MESH_PATCHES];
  int n_patches;
  int64_t *first_cell, *cell; /* as in triad_mesh_face_view */
} reading;

/* One file of numbers. */
static int take_labels(reading *r, const char *name, int64_t most, triad_foam_list *out)
{
  triad_foam_file f;
  int st = triad_foam_open(&f, r->folder, name, r->guard);
  if (st == TRIAD_OK) st = triad_foam_labels(&f, most, out);
  triad_mesh_scan_free(&f.s);
  return st;
}

static int take_points(reading *r)
{
  triad_foam_file f;
  int st = triad_foam_open(&f, r->folder, "points", r->guard);
  if (st == TRIAD_OK) st = triad_foam_points(&f, &r->x, &r->n_points);
  triad_mesh_scan_free(&f.s);
  return st;
}

static int take_faces(reading *r)
{
  triad_foam_file f;
  int st = triad_foam_open(&f, r->folder, "faces", r->guard);
  if (st == TRIAD_OK) st = triad_foam_faces(&f, &r->first, &r->face);
  triad_mesh_scan_free(&f.s);
  r->n_faces = r->first.n - 1;
  if (st == TRIAD_OK && r->n_faces < 4)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s/faces: fewer than 4 faces: no mesh", r->folder);
  return st;
}

static void note(reading *r, const char *name, const char *text)
{
  char *to = r->d->changes.note;
  if (!to[0]) (void)snprintf(to, sizeof r->d->changes.note, "patch %.60s %s", name, text);
}

static int take_patch(reading *r, triad_mesh_scan *s)
{
  char name[TRIAD_FOAM_WORD], key[TRIAD_FOAM_WORD], type[TRIAD_FOAM_WORD] = "patch";
  patch p = {.n = -1, .start = -1};
  TRIAD_TRY(triad_foam_word(s, name));
  if (!triad_foam_sign(s, '{')) return triad_mesh_scan_bad(s, "expected { behind the name of a patch");
  while (!triad_foam_sign(s, '}')) {
    TRIAD_TRY(triad_foam_word(s, key));
    if (strcmp(key, "type") == 0) TRIAD_TRY(triad_foam_word(s, type));
    if (strcmp(key, "nFaces") == 0) TRIAD_TRY(triad_mesh_scan_integer(s, &p.n));
    if (strcmp(key, "startFace") == 0) TRIAD_TRY(triad_mesh_scan_integer(s, &p.start));
    TRIAD_TRY(triad_foam_skip_entry(s));
  }
  if (strcmp(type, "processor") == 0)
    return triad_mesh_scan_bad(s, "a part of a decomposed mesh (patch %.60s): run reconstructParMesh first", name);
  if (p.n < 0 || p.start < 0 || p.n > r->n_faces || p.start > r->n_faces - p.n)
    return triad_mesh_scan_bad(s, "patch %.60s has faces %" PRId64 " to %" PRId64 ", of %" PRId64, name, p.start,
                               p.start + p.n - 1, r->n_faces);
  if (p.n == 0) return TRIAD_OK; /* such as the axis of a wedge */
  if (r->n_patches == TRIAD_MESH_PATCHES) return triad_mesh_scan_bad(s, "more than %d patches", TRIAD_MESH_PATCHES);
  (void)snprintf(p.name, sizeof p.name, "%.63s", name);
  if (!triad_name_clean(p.name, "-")) (void)snprintf(p.name, sizeof p.name, "patch-%d", r->n_patches + 1);
  if (strcmp(type, "empty") == 0)
    note(r, p.name, "is of type empty, front and back of a plane flow: give it the kind slip");
  if (strncmp(type, "cyclic", 6) == 0) note(r, p.name, "is cyclic: give it the kind periodic, with=the other patch");
  if (strcmp(type, "wedge") == 0) note(r, p.name, "is the side of a wedge: give it the kind slip");
  r->patch[r->n_patches++] = p;
  return TRIAD_OK;
}

static int take_patches(reading *r)
{
  triad_foam_file f;
  int64_t n = -1;
  int st = triad_foam_open(&f, r->folder, "boundary", r->guard);
  f.s.binary = 0; /* it is always text */
  if (st == TRIAD_OK && !triad_foam_sign(&f.s, '(')) {
    st = triad_mesh_scan_integer(&f.s, &n);
    if (st == TRIAD_OK && !triad_foam_sign(&f.s, '(')) st = triad_mesh_scan_bad(&f.s, "expected ( before the patches");
  }
  int64_t found = 0;
  for (; st == TRIAD_OK && !triad_foam_sign(&f.s, ')'); found++) st = take_patch(r, &f.s);
  if (st == TRIAD_OK && n >= 0 && found != n)
    st = triad_mesh_scan_bad(&f.s, "%" PRId64 " patches are declared, but there are %" PRId64, n, found);
  triad_mesh_scan_free(&f.s);
  return st;
}

/* ---- the mesh ---- */

static int check_numbers(reading *r)
{
  if (r->owner.n != r->n_faces)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: owner has %" PRId64 " numbers for %" PRId64 " faces", r->folder, r->owner.n,
                      r->n_faces);
  for (int64_t i = 0; i < r->face.n; i++)
    if (r->face.at[i] < 0 || r->face.at[i] >= r->n_points)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s/faces: point %" PRId64 " does not exist, of %" PRId64, r->folder,
                        r->face.at[i], r->n_points);
  for (int64_t f = 0; f < r->n_faces; f++) {
    const int64_t a = r->owner.at[f], b = f < r->neighbour.n ? r->neighbour.at[f] : -1;
    if (a < 0 || a >= r->n_faces || b < -1 || b >= r->n_faces)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: face %" PRId64 " is between cells %" PRId64 " and %" PRId64
                        ": there cannot be so many cells",
                        r->folder, f, a, b);
    if (a >= r->n_cells) r->n_cells = a + 1;
    if (b >= r->n_cells) r->n_cells = b + 1;
  }
  return TRIAD_OK;
}

/* Points that follow themselves, as at an axis, are one; a face with fewer than three is a line, and left out. */
static void clean_faces(reading *r)
{
  int64_t to = 0, begin = 0;
  for (int64_t f = 0; f < r->n_faces; f++) {
    const int64_t end = r->first.at[f + 1], start = to;
    for (int64_t i = begin; i < end; i++)
      if (to == start || r->face.at[i] != r->face.at[to - 1]) r->face.at[to++] = r->face.at[i];
    while (to > start + 1 && r->face.at[to - 1] == r->face.at[start]) to--;
    begin = end;
    r->first.at[f] = start;
  }
  r->first.at[r->n_faces] = to;
  r->face.n = to;
}

static int64_t length_of(const reading *r, int64_t f) { return r->first.at[f + 1] - r->first.at[f]; }

/* A patch of lines only, such as the axis of a wedge, is no patch. */
static void drop_lines(reading *r)
{
  int to = 0;
  for (int i = 0; i < r->n_patches; i++) {
    int64_t good = 0;
    for (int64_t f = r->patch[i].start; f < r->patch[i].start + r->patch[i].n; f++) good += length_of(r, f) >= 3;
    if (good > 0) r->patch[to++] = r->patch[i];
  }
  r->n_patches = to;
}

/* The faces of each cell, by a counting sort. */
static int sort_faces(reading *r)
{
  r->first_cell = calloc((size_t)r->n_cells + 2, sizeof *r->first_cell);
  r->cell = malloc((2 * (size_t)r->n_faces + 1) * sizeof *r->cell);
  if (!r->first_cell || !r->cell) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " faces", r->folder, r->n_faces);
  for (int pass = 0; pass < 2; pass++) {
    for (int64_t f = 0; f < r->n_faces; f++) {
      const int64_t side[2] = {r->owner.at[f], f < r->neighbour.n ? r->neighbour.at[f] : -1};
      for (int k = 0; k < 2 && length_of(r, f) >= 3; k++) {
        if (side[k] < 0) continue;
        if (pass == 0) r->first_cell[side[k] + 2]++;
        else r->cell[r->first_cell[side[k] + 1]++] = k == 0 ? f + 1 : -(f + 1);
      }
    }
    for (int64_t c = 0; c < r->n_cells && pass == 0; c++) r->first_cell[c + 2] += r->first_cell[c + 1];
  }
  for (int64_t c = 0; c < r->n_cells; c++)
    if (r->first_cell[c + 1] - r->first_cell[c] < 4)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: cell %" PRId64 " has %" PRId64 " faces, must have at least 4", r->folder,
                        c, r->first_cell[c + 1] - r->first_cell[c]);
  return TRIAD_OK;
}

/* Move all into the draft, if all cells have known shapes; 0: they have not. */
static int fill_draft(reading *r, int *known)
{
  const triad_mesh_face_view view = {r->first_cell, r->cell, r->first.at, r->face.at};
  int64_t corner[TRIAD_MESH_CORNERS];
  *known = 0;
  for (int64_t c = 0; c < r->n_cells; c++)
    if (triad_mesh_face_shape(&view, c, corner) < 0) return TRIAD_OK;
  *known = 1;
  for (int64_t p = 0; p < r->n_points; p++) TRIAD_TRY(triad_mesh_draft_point(r->d, r->x[p]));
  for (int64_t c = 0; c < r->n_cells; c++) {
    const int shape = triad_mesh_face_shape(&view, c, corner);
    TRIAD_TRY(triad_mesh_draft_element(r->d, shape, corner, -1, 0));
  }
  for (int i = 0; i < r->n_patches; i++) {
    int32_t group;
    TRIAD_TRY(triad_mesh_draft_group_of(r->d, 2, i + 1, r->patch[i].name, &group));
    for (int64_t f = r->patch[i].start; f < r->patch[i].start + r->patch[i].n; f++)
      if (length_of(r, f) >= 3)
        TRIAD_TRY(triad_mesh_draft_element(r->d, length_of(r, f) == 3 ? TRIAD_MESH_TRIANGLE : TRIAD_MESH_QUAD,
                                           r->face.at + r->first.at[f], group, 0));
  }
  return TRIAD_OK;
}

static void fill_faces(const reading *r, triad_mesh_contents *out, const int64_t *number)
{
  int64_t to = 0, point = 0;
  memcpy(out->x, r->x, (size_t)r->n_points * sizeof *out->x);
  for (int64_t f = 0; f < r->n_faces; f++) {
    if (number[f] < 0) continue;
    out->first_point[to] = point;
    out->face_patch[to] = -1;
    for (int i = 0; i < r->n_patches; i++)
      if (f >= r->patch[i].start && f < r->patch[i].start + r->patch[i].n) out->face_patch[to] = i;
    for (int64_t k = r->first.at[f]; k < r->first.at[f + 1]; k++) out->face_point[point++] = (int32_t)r->face.at[k];
    to++;
  }
  out->first_point[to] = point;
  for (int64_t i = 0; i <= r->n_cells; i++) out->first_face[i] = r->first_cell[i];
  for (int64_t i = 0; i < r->first_cell[r->n_cells]; i++) {
    const int64_t f = number[llabs(r->cell[i]) - 1] + 1;
    out->face[i] = (int32_t)(r->cell[i] > 0 ? f : -f);
  }
  memset(out->shape, TRIAD_MESH_POLYHEDRON, (size_t)r->n_cells);
  for (int i = 0; i < r->n_patches; i++) memcpy(out->name[i], r->patch[i].name, TRIAD_MESH_NAME);
}

/* Give all cells by their faces. */
static int give_faces(const reading *r, triad_mesh_contents *out)
{
  triad_mesh_file_counts n = {.points = r->n_points,
                              .cells = r->n_cells,
                              .patches = r->n_patches,
                              .cell_faces = r->first_cell[r->n_cells],
                              .changes = r->d->changes};
  int64_t *number = malloc(((size_t)r->n_faces + 1) * sizeof *number);
  if (!number) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " faces", r->folder, r->n_faces);
  for (int64_t f = 0; f < r->n_faces; f++) {
    const int good = length_of(r, f) >= 3;
    number[f] = good ? n.faces++ : -1;
    n.face_points += good ? length_of(r, f) : 0;
  }
  int st = TRIAD_OK, filled = 0;
  if (n.points > INT32_MAX || n.cell_faces > INT32_MAX)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: too many points or faces", r->folder);
  if (st == TRIAD_OK) st = triad_mesh_contents_make(out, &n, r->folder, &filled);
  if (st == TRIAD_OK && filled) fill_faces(r, out, number);
  free(number);
  return st;
}

static int parse(reading *r)
{
  int known;
  TRIAD_TRY(take_faces(r));
  TRIAD_TRY(take_points(r));
  TRIAD_TRY(take_labels(r, "owner", r->n_faces, &r->owner));
  TRIAD_TRY(take_labels(r, "neighbour", r->n_faces, &r->neighbour));
  TRIAD_TRY(take_patches(r));
  TRIAD_TRY(check_numbers(r));
  clean_faces(r);
  drop_lines(r);
  TRIAD_TRY(sort_faces(r));
  TRIAD_TRY(fill_draft(r, &known));
  return known ? triad_mesh_draft_give(r->d) : give_faces(r, r->d->out);
}

int triad_mesh_foam_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  char folder[4096] = "";
  triad_mesh_scan s = {.path = path, .guard = guard};
  triad_mesh_draft d = {.scan = &s, .out = out, .faults = faults};
  reading r = {.folder = folder, .guard = guard, .d = &d};
  if (!find_folder(path, 1, folder)) (void)find_folder(path, 0, folder);
  const int st = parse(&r);
  triad_mesh_draft_free(&d);
  free(r.first.at);
  free(r.face.at);
  free(r.owner.at);
  free(r.neighbour.at);
  free(r.x);
  free(r.first_cell);
  free(r.cell);
  return st;
}
