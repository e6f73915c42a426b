#include "solvers/unstructured/gmsh.h"

#include "base/guard.h"
#include "base/status.h"
#include "store/disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 120, ENTITIES = 1 << 20 };

/* A side of a patch, as the file lists it. */
typedef struct patch_side {
  int32_t patch, n, point[TRIAD_FCT_SIDE_POINTS];
} patch_side;

/* All that is taken from a file; arrays are NULL while it is being counted. */
typedef struct contents {
  triad_fct_gmsh_counts n;
  double (*x)[3];
  uint8_t *shape;
  int32_t *corner;
  patch_side *side;
  char (*name)[TRIAD_FCT_NAME];
} contents;

typedef struct entity {
  int32_t dim, tag, group; /* group: its first physical group, 0: none */
} entity;

typedef struct reader {
  triad_guard *guard;
  const char *path;
  char *text;
  int64_t size, at;
  int binary, version; /* 4: 4.1, 2: 2.2 */
  contents *out;
  int n_groups, group[TRIAD_FCT_PATCHES]; /* physical groups of surfaces: patch i is group[i] */
  char group_name[TRIAD_FCT_PATCHES][TRIAD_FCT_NAME];
  entity *entities;
  int64_t n_entities;
  int32_t *place; /* [most_tag + 1] of a node's number, -1: there is none */
  int64_t most_tag;
} reader;

/* ---- numbers ---- */

static int bad(const reader *r, const char *what)
{
  int64_t line = 1;
  for (int64_t i = 0; i < r->at && i < r->size; i++) line += r->text[i] == '\n';
  if (r->binary)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: byte %" PRId64 ": %s", r->path, r->at, what);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %" PRId64 ": %s", r->path, line, what);
}

static int take_bytes(reader *r, void *out, int64_t n)
{
  if (n > r->size - r->at) return bad(r, "the file ends here");
  memcpy(out, r->text + r->at, (size_t)n);
  r->at += n;
  return TRIAD_OK;
}

/* The next word of an ASCII part is a whole number. */
static int take_text_integer(reader *r, int64_t *out)
{
  char *end;
  long long value = strtoll(r->text + r->at, &end, 10);
  if (end == r->text + r->at) return bad(r, r->at + 1 >= r->size ? "the file ends here" : "a whole number is wanted");
  r->at = end - r->text;
  *out = value;
  return TRIAD_OK;
}

static int take_integer(reader *r, int bytes, int64_t *out)
{
  int32_t narrow;
  if (!r->binary) return take_text_integer(r, out);
  if (bytes == 8) return take_bytes(r, out, 8);
  TRIAD_TRY(take_bytes(r, &narrow, 4));
  *out = narrow;
  return TRIAD_OK;
}

static int take_int(reader *r, int64_t *out) { return take_integer(r, 4, out); }
static int take_size(reader *r, int64_t *out) { return take_integer(r, r->version == 4 ? 8 : 4, out); }

static int take_real(reader *r, double *out)
{
  char *end;
  if (r->binary) return take_bytes(r, out, 8);
  *out = strtod(r->text + r->at, &end);
  if (end == r->text + r->at) return bad(r, "a number is wanted");
  r->at = end - r->text;
  return TRIAD_OK;
}

/* A count of things that take at least `least` bytes each of what is left. */
static int take_count(reader *r, int64_t least, int64_t *out)
{
  TRIAD_TRY(take_size(r, out));
  if (*out < 0 || *out > (r->size - r->at) / least) return bad(r, "more is announced than the file has");
  return TRIAD_OK;
}

/* ---- sections ---- */

static void skip_line(reader *r)
{
  while (r->at < r->size && r->text[r->at] != '\n') r->at++;
  if (r->at < r->size) r->at++;
}

/* Behind the line $NAME, wherever it stands; 0: there is none. */
static int find_section(reader *r, const char *name)
{
  char line[40];
  int n = snprintf(line, sizeof line, "$%s", name);
  const char *from = r->text;
  for (int64_t left = r->size; left >= n;) {
    const char *found = memmem(from, (size_t)left, line, (size_t)n);
    if (!found) return 0;
    char after = found + n < r->text + r->size ? found[n] : '\n';
    if ((found == r->text || found[-1] == '\n') && (after == '\n' || after == '\r')) {
      r->at = found - r->text;
      skip_line(r);
      return 1;
    }
    left = r->text + r->size - (found + 1);
    from = found + 1;
  }
  return 0;
}

static int take_format(reader *r)
{
  double version = 0;
  int64_t kind = 0, bytes = 0, one = 1;
  if (!find_section(r, "MeshFormat")) return bad(r, "there is no $MeshFormat: no mesh of Gmsh");
  TRIAD_TRY(take_real(r, &version));
  TRIAD_TRY(take_text_integer(r, &kind));
  TRIAD_TRY(take_text_integer(r, &bytes));
  r->version = version > 4.05 && version < 4.15 ? 4 : version > 2.15 && version < 2.25 ? 2 : 0;
  if (!r->version) return bad(r, "versions 4.1 and 2.2 are read: gmsh -format msh41");
  if (bytes != 8 || kind < 0 || kind > 1) return bad(r, "numbers of 8 bytes, ASCII or binary, are read");
  skip_line(r);
  r->binary = (int)kind;
  if (r->binary) TRIAD_TRY(take_int(r, &one));
  return one == 1 ? TRIAD_OK : bad(r, "binary numbers of another byte order");
}

static int take_name(reader *r, char name[TRIAD_FCT_NAME])
{
  while (r->at < r->size && r->text[r->at] != '"' && r->text[r->at] != '\n') r->at++;
  const char *begin = r->text + r->at + 1, *end = r->at < r->size ? memchr(begin, '"', (size_t)(r->size - r->at - 1)) : NULL;
  if (!end || end - begin >= TRIAD_FCT_NAME || end == begin) return bad(r, "the name of a physical group, of 1 to 31 letters, is wanted");
  memcpy(name, begin, (size_t)(end - begin));
  name[end - begin] = '\0';
  for (char *c = name; *c; c++)
    if (!((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || *c == '-')) *c = '_';
  skip_line(r);
  return TRIAD_OK;
}

/* Names stand as text in binary files too. */
static int take_groups(reader *r)
{
  int64_t n, dim, tag;
  char name[TRIAD_FCT_NAME];
  if (!find_section(r, "PhysicalNames")) return TRIAD_OK;
  int binary = r->binary;
  r->binary = 0;
  TRIAD_TRY(take_text_integer(r, &n));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(take_text_integer(r, &dim));
    TRIAD_TRY(take_text_integer(r, &tag));
    TRIAD_TRY(take_name(r, name));
    if (dim != 2) continue;
    if (r->n_groups == TRIAD_FCT_PATCHES) return bad(r, "more than 32 physical groups of surfaces");
    memcpy(r->group_name[r->n_groups], name, sizeof name);
    r->group[r->n_groups++] = (int)tag;
  }
  r->binary = binary;
  return TRIAD_OK;
}

/* The patch of a physical group; one without a name is called by its number. */
static int patch_of(reader *r, int64_t group, int32_t *patch)
{
  *patch = -1;
  if (group <= 0) return TRIAD_OK;
  for (int i = 0; i < r->n_groups; i++)
    if (r->group[i] == group) *patch = i;
  if (*patch >= 0) return TRIAD_OK;
  if (r->n_groups == TRIAD_FCT_PATCHES) return bad(r, "more than 32 physical groups of surfaces");
  (void)snprintf(r->group_name[r->n_groups], TRIAD_FCT_NAME, "surface-%" PRId64, group);
  *patch = r->n_groups;
  r->group[r->n_groups++] = (int)group;
  return TRIAD_OK;
}

/* 4.1: what belongs to which physical group. */
static int take_entity(reader *r, int dim)
{
  int64_t tag, n, value;
  double unused;
  TRIAD_TRY(take_int(r, &tag));
  for (int i = 0; i < (dim == 0 ? 3 : 6); i++) TRIAD_TRY(take_real(r, &unused));
  TRIAD_TRY(take_count(r, 2, &n));
  entity e = {dim, (int32_t)tag, 0};
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(take_int(r, &value));
    if (i == 0) e.group = (int32_t)value;
  }
  if (dim == 2) r->entities[r->n_entities++] = e;
  if (dim == 0) return TRIAD_OK;
  TRIAD_TRY(take_count(r, 2, &n));
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(take_int(r, &value));
  return TRIAD_OK;
}

static int take_entities(reader *r)
{
  int64_t n[4];
  if (!find_section(r, "Entities")) return TRIAD_OK;
  for (int d = 0; d < 4; d++) TRIAD_TRY(take_count(r, 4, &n[d]));
  if (n[2] > ENTITIES) return bad(r, "more than a million surfaces");
  r->entities = calloc((size_t)n[2] + 1, sizeof *r->entities);
  if (!r->entities) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", r->path);
  for (int d = 0; d < 4; d++)
    for (int64_t i = 0; i < n[d]; i++) TRIAD_TRY(take_entity(r, d));
  return TRIAD_OK;
}

static int64_t group_of(const reader *r, int64_t tag)
{
  for (int64_t i = 0; i < r->n_entities; i++)
    if (r->entities[i].tag == tag) return r->entities[i].group;
  return 0;
}

/* ---- nodes ---- */

static int note_node(reader *r, int64_t tag)
{
  if (tag < 0 || tag > r->most_tag) return bad(r, "the number of a node is out of range");
  if (r->place[tag] >= 0) return bad(r, "two nodes have one number");
  r->place[tag] = (int32_t)r->out->n.points++;
  return TRIAD_OK;
}

static int take_point(reader *r, int64_t number, int more)
{
  double x[3], unused;
  for (int a = 0; a < 3; a++) TRIAD_TRY(take_real(r, &x[a]));
  for (int a = 0; a < more; a++) TRIAD_TRY(take_real(r, &unused));
  if (r->out->x) memcpy(r->out->x[number], x, sizeof x);
  return TRIAD_OK;
}

static int make_places(reader *r, int64_t n, int64_t most)
{
  if (n > INT32_MAX || most < 0 || most > 64 * n + 1024) return bad(r, "numbers of nodes are far apart, or too large");
  r->most_tag = most;
  r->place = malloc((size_t)(most + 1) * sizeof *r->place);
  if (!r->place) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " nodes", r->path, n);
  for (int64_t i = 0; i <= most; i++) r->place[i] = -1;
  return TRIAD_OK;
}

static int take_block_of_nodes(reader *r)
{
  int64_t dim, tag, parametric, n, number = r->out->n.points;
  TRIAD_TRY(take_int(r, &dim));
  TRIAD_TRY(take_int(r, &tag));
  TRIAD_TRY(take_int(r, &parametric));
  TRIAD_TRY(take_count(r, 8, &n));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(take_size(r, &tag));
    TRIAD_TRY(note_node(r, tag));
  }
  for (int64_t i = 0; i < n; i++) TRIAD_TRY(take_point(r, number + i, parametric ? (int)dim : 0));
  triad_guard_alive(r->guard);
  return TRIAD_OK;
}

static int take_nodes(reader *r)
{
  int64_t blocks, n, least, most, tag;
  if (!find_section(r, "Nodes")) return bad(r, "there is no $Nodes");
  if (r->version == 4) {
    TRIAD_TRY(take_count(r, 4, &blocks));
    TRIAD_TRY(take_count(r, 6, &n));
    TRIAD_TRY(take_size(r, &least));
    TRIAD_TRY(take_size(r, &most));
    TRIAD_TRY(make_places(r, n, most));
    for (int64_t b = 0; b < blocks; b++) TRIAD_TRY(take_block_of_nodes(r));
    return r->out->n.points == n ? TRIAD_OK : bad(r, "there are not as many nodes as announced");
  }
  TRIAD_TRY(take_text_integer(r, &n)); /* as text in binary files too */
  if (n < 0 || n > r->size / 8) return bad(r, "more nodes are announced than the file has");
  if (r->binary) skip_line(r);
  TRIAD_TRY(make_places(r, n, 16 * n + 1024));
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(take_int(r, &tag));
    TRIAD_TRY(note_node(r, tag));
    TRIAD_TRY(take_point(r, i, 0));
    if (i % 65536 == 0) triad_guard_alive(r->guard);
  }
  return TRIAD_OK;
}

/* ---- elements ---- */

/* By Gmsh's number of the type: nodes, corners, dimension, shape, and is it of second order? */
static const struct {
  int8_t nodes, corners, dim, shape, curved;
} types[] = {[1] = {2, 2, 1, 0, 0},   [2] = {3, 3, 2, 0, 0},   [3] = {4, 4, 2, 0, 0},
             [4] = {4, 4, 3, TRIAD_FCT_TET, 0},   [5] = {8, 8, 3, TRIAD_FCT_HEX, 0},
             [6] = {6, 6, 3, TRIAD_FCT_PRISM, 0}, [7] = {5, 5, 3, TRIAD_FCT_PYRAMID, 0},
             [8] = {3, 2, 1, 0, 1},   [9] = {6, 3, 2, 0, 1},   [10] = {9, 4, 2, 0, 1},
             [11] = {10, 4, 3, TRIAD_FCT_TET, 1}, [12] = {27, 8, 3, TRIAD_FCT_HEX, 1},
             [13] = {18, 6, 3, TRIAD_FCT_PRISM, 1}, [14] = {14, 5, 3, TRIAD_FCT_PYRAMID, 1},
             [15] = {1, 1, 0, 0, 0},  [16] = {8, 4, 2, 0, 1},
             [17] = {20, 8, 3, TRIAD_FCT_HEX, 1}, [18] = {15, 6, 3, TRIAD_FCT_PRISM, 1},
             [19] = {13, 5, 3, TRIAD_FCT_PYRAMID, 1}};
enum { TYPES = sizeof types / sizeof *types, MOST_NODES = 27 };

static int check_type(const reader *r, int64_t type)
{
  char text[LONGEST];
  if (type >= 1 && type < TYPES && types[type].nodes > 0) return TRIAD_OK;
  (void)snprintf(text, sizeof text, "elements of type %" PRId64 " are not known", type);
  return bad(r, text);
}

static void add_cell(contents *c, int64_t type, const int32_t *point)
{
  if (c->shape) {
    c->shape[c->n.cells] = (uint8_t)types[type].shape;
    memcpy(c->corner + c->n.corners, point, (size_t)types[type].corners * sizeof *point);
  }
  c->n.cells++;
  c->n.corners += types[type].corners;
  c->n.curved += types[type].curved;
}

static int add_side(reader *r, int64_t type, int64_t group, const int32_t *point)
{
  contents *c = r->out;
  patch_side s = {.n = types[type].corners};
  TRIAD_TRY(patch_of(r, group, &s.patch));
  if (s.patch < 0) return TRIAD_OK;
  for (int i = 0; i < s.n; i++) s.point[i] = point[i];
  if (c->side) c->side[c->n.sides] = s;
  c->n.sides++;
  return TRIAD_OK;
}

static int take_element(reader *r, int64_t type, int64_t group)
{
  int32_t point[MOST_NODES];
  int64_t tag;
  for (int i = 0; i < types[type].nodes; i++) {
    TRIAD_TRY(take_size(r, &tag));
    if (tag < 0 || tag > r->most_tag || r->place[tag] < 0) return bad(r, "an element has a node that there is not");
    point[i] = r->place[tag];
  }
  if (types[type].dim == 3) add_cell(r->out, type, point);
  return types[type].dim == 2 ? add_side(r, type, group, point) : TRIAD_OK;
}

static int take_block_of_elements(reader *r)
{
  int64_t dim, entity_tag, type, n, tag;
  TRIAD_TRY(take_int(r, &dim));
  TRIAD_TRY(take_int(r, &entity_tag));
  TRIAD_TRY(take_int(r, &type));
  TRIAD_TRY(take_count(r, 4, &n));
  TRIAD_TRY(check_type(r, type));
  int64_t group = dim == 2 ? group_of(r, entity_tag) : 0;
  for (int64_t i = 0; i < n; i++) {
    TRIAD_TRY(take_size(r, &tag));
    TRIAD_TRY(take_element(r, type, group));
    if (i % 65536 == 0) triad_guard_alive(r->guard);
  }
  return TRIAD_OK;
}

/* 2.2: a head of type, elements with this head, tags; of ASCII files the element's own. */
static int take_elements_22(reader *r)
{
  int64_t n, type, follow = 1, tags, number, tag, group;
  TRIAD_TRY(take_text_integer(r, &n));
  if (n < 0 || n > r->size / 4) return bad(r, "more elements are announced than the file has");
  if (r->binary) skip_line(r);
  for (int64_t i = 0; i < n; i += follow) {
    if (!r->binary) TRIAD_TRY(take_int(r, &number));
    TRIAD_TRY(take_int(r, &type));
    TRIAD_TRY(check_type(r, type));
    if (r->binary) TRIAD_TRY(take_int(r, &follow));
    TRIAD_TRY(take_int(r, &tags));
    if (follow < 1 || follow > n - i || tags < 0 || tags > 1024) return bad(r, "the head of elements makes no sense");
    for (int64_t k = 0; k < follow; k++) {
      if (r->binary) TRIAD_TRY(take_int(r, &number));
      group = 0;
      for (int64_t t = 0; t < tags; t++) {
        TRIAD_TRY(take_int(r, &tag));
        if (t == 0) group = tag;
      }
      TRIAD_TRY(take_element(r, type, group));
    }
    if (i % 65536 == 0) triad_guard_alive(r->guard);
  }
  return TRIAD_OK;
}

static int take_elements(reader *r)
{
  int64_t blocks, n, unused;
  if (!find_section(r, "Elements")) return bad(r, "there is no $Elements");
  if (r->version == 2) return take_elements_22(r);
  TRIAD_TRY(take_count(r, 4, &blocks));
  TRIAD_TRY(take_count(r, 4, &n));
  for (int i = 0; i < 2; i++) TRIAD_TRY(take_size(r, &unused));
  for (int64_t b = 0; b < blocks; b++) TRIAD_TRY(take_block_of_elements(r));
  return TRIAD_OK;
}

/* ---- the other process ---- */

static int parse(reader *r)
{
  TRIAD_TRY(take_format(r));
  TRIAD_TRY(take_groups(r));
  if (r->version == 4) TRIAD_TRY(take_entities(r));
  TRIAD_TRY(take_nodes(r));
  TRIAD_TRY(take_elements(r));
  if (r->out->n.cells == 0) return bad(r, "there are no tetrahedra, pyramids, prisms or hexahedra");
  r->out->n.patches = r->n_groups;
  for (int i = 0; r->out->name && i < r->n_groups; i++) memcpy(r->out->name[i], r->group_name[i], TRIAD_FCT_NAME);
  return TRIAD_OK;
}

static int parse_file(const char *path, triad_guard *guard, contents *out)
{
  reader r = {.guard = guard, .path = path, .out = out};
  int st = triad_disk_load(path, INT64_C(1) << 40, &r.text, &r.size);
  if (st == TRIAD_OK) st = parse(&r);
  free(r.text);
  free(r.entities);
  free(r.place);
  return st;
}

typedef struct job {
  const char *path;
  triad_fct_gmsh_counts n;
} job;

static int count_there(void *self, triad_guard *guard)
{
  const job *j = self;
  contents c = {.n = {0}};
  TRIAD_TRY(parse_file(j->path, guard, &c));
  return triad_guard_give(guard, &c.n, sizeof c.n);
}

static int64_t bytes_of(const triad_fct_gmsh_counts *n)
{
  return n->points * 24 + n->sides * (int64_t)sizeof(patch_side) + n->corners * 4 + n->patches * TRIAD_FCT_NAME + n->cells;
}

/* Arrays one behind another, those of larger numbers first. */
static void lay_out(contents *c, const triad_fct_gmsh_counts *n, char *block)
{
  c->x = (double(*)[3])(void *)block;
  c->side = (patch_side *)(void *)(block + n->points * 24);
  c->corner = (int32_t *)(void *)(c->side + n->sides);
  c->name = (char(*)[TRIAD_FCT_NAME])(void *)(c->corner + n->corners);
  c->shape = (uint8_t *)(c->name + n->patches);
}

static int read_there(void *self, triad_guard *guard)
{
  const job *j = self;
  contents c = {.n = {0}};
  char *block = calloc((size_t)bytes_of(&j->n) + 1, 1);
  if (!block) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", j->path);
  lay_out(&c, &j->n, block);
  int st = parse_file(j->path, guard, &c);
  if (st == TRIAD_OK) st = triad_guard_give(guard, block, bytes_of(&j->n));
  free(block);
  return st;
}

int triad_fct_gmsh_count(const char *path, triad_fct_gmsh_counts *counts)
{
  job j = {.path = path};
  return triad_guard_run(path, count_there, &j, counts, sizeof *counts);
}

/* ---- the mesh ---- */

static void sorted(const int32_t *point, int n, int32_t key[TRIAD_FCT_SIDE_POINTS])
{
  for (int i = 0; i < TRIAD_FCT_SIDE_POINTS; i++) key[i] = i < n ? point[i] : -1;
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && key[k] < key[k - 1]; k--) {
      int32_t swapped = key[k];
      key[k] = key[k - 1];
      key[k - 1] = swapped;
    }
}

static int side_order(const void *a, const void *b)
{
  const patch_side *x = a, *y = b;
  for (int i = 0; i < TRIAD_FCT_SIDE_POINTS; i++)
    if (x->point[i] != y->point[i]) return x->point[i] < y->point[i] ? -1 : 1;
  return 0;
}

static int set_patches(triad_fct_mesh *m, const contents *c, const char *path)
{
  int64_t open = 0, first = 0, faces[TRIAD_FCT_PATCHES] = {0};
  for (int i = 0; i < c->n.patches; i++)
    if (triad_fct_mesh_patch(m, c->name[i]) != i) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: two patches are called %s", path, c->name[i]);
  for (int64_t i = 0; i < c->n.sides; i++) sorted(c->side[i].point, c->side[i].n, c->side[i].point);
  qsort(c->side, (size_t)c->n.sides, sizeof *c->side, side_order);
  for (int64_t f = m->n_inner; f < m->n_faces; f++) {
    patch_side wanted, *found;
    sorted(m->point[f], m->points[f], wanted.point);
    found = bsearch(&wanted, c->side, (size_t)c->n.sides, sizeof *c->side, side_order);
    if (found) {
      m->patch[f] = (int16_t)found->patch;
      faces[found->patch]++;
    } else if (open++ == 0) {
      first = f;
    }
  }
  if (open > 0) {
    const double *x = m->x[m->point[first][0]];
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %" PRId64 " outer faces are in no physical group, the first of them, of cell %d, at (%.6g, "
                                      "%.6g, %.6g)", path, open, m->cell[first][0], x[0], x[1], x[2]);
  }
  for (int p = 0; p < m->n_patches; p++)
    if (faces[p] == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no outer face is in patch %s", path, m->patch_name[p]);
  return TRIAD_OK;
}

static int fill(triad_fct_mesh *m, const contents *c, const char *path)
{
  memcpy(m->x, c->x, (size_t)m->n_points * sizeof *m->x);
  memcpy(m->shape, c->shape, (size_t)m->n_cells);
  memcpy(m->corner, c->corner, (size_t)c->n.corners * sizeof *m->corner);
  for (int64_t i = 0; i < m->n_cells; i++) m->first[i + 1] = m->first[i] + triad_fct_shapes[m->shape[i]].corners;
  TRIAD_TRY(triad_fct_mesh_join(m));
  return set_patches(m, c, path);
}

int triad_fct_gmsh_read(triad_fct_mesh **out, triad_memory *memory, const char *path)
{
  job j = {.path = path};
  contents c;
  void *block = NULL;
  TRIAD_TRY(triad_fct_gmsh_count(path, &j.n));
  c.n = j.n;
  TRIAD_TRY(triad_memory_alloc(memory, "mesh file", bytes_of(&j.n), 1, &block));
  lay_out(&c, &j.n, block);
  int st = triad_guard_run(path, read_there, &j, block, bytes_of(&j.n));
  if (st == TRIAD_OK) st = triad_fct_mesh_create(out, memory, c.n.points, c.n.cells, c.n.corners);
  if (st == TRIAD_OK) st = fill(*out, &c, path);
  triad_memory_free(memory, &block);
  return st;
}
