/* Read bodies and sponges from a case: which fields each relaxes, at which rate, to which target. Check them. */
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/relax/relax_internal.h"

#include "base/status.h"
#include "case/part.h"
#include "solvers/spectral/equations/plain/velocity_chains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* delta/(viscosity eta)^(1/2) of the mask (1 - tanh(2 s/delta))/2 for which the boundary is not displaced: ell^2 u'' =
 * chi u has a solution that approaches the distance s itself. */
#define CANCELLING 2.64823
/* Beyond this many widths the mask, 1e-7 there, is 0. */
#define REACH 4.03

static const char *key_of(char key[TRIAD_RELAX_KEY], const char *table, const char *name)
{
  (void)snprintf(key, TRIAD_RELAX_KEY, "%s.%s", table, name);
  return key;
}

/* The largest grid spacing of an axis with points. */
static double spacing_of(const triad_grid *g)
{
  double h = 0;
  for (int a = 0; a < 3; a++)
    if (g->n[a] > 1) h = fmax(h, triad_grid_spacing(g, a));
  return h;
}

/* (viscosity eta)^(1/2) of a body. */
static double penetration_of(const triad_case *c, const char *table, const triad_grid *g)
{
  char key[TRIAD_RELAX_KEY];
  const double eta = triad_case_real(c, key_of(key, table, "permeability"));
  return eta > 0 ? sqrt(triad_case_real(c, "equations.viscosity") * eta) : spacing_of(g) / 2;
}

static int read_value(triad_relax_value *v, const triad_case *c, const char *table, const char *name, int i)
{
  key_of(v->key, table, name);
  TRIAD_TRY(triad_case_formula(c, v->key, i, &v->f));
  for (int a = 0; v->f && a < 3; a++) v->in_space |= triad_formula_uses(v->f, a);
  return TRIAD_OK;
}

/* The key of a field's target in a table, and its place in a list of formulas; NULL: the table has none. */
static const char *name_of(const triad_field_info *field, int is_body, int *place)
{
  *place = 0;
  if (strncmp(field->name, "scalar", 6) == 0) {
    *place = (int)strtol(field->name + 6, NULL, 10) - 1;
    return "scalars";
  }
  return is_body && field->name[0] == 'b' ? NULL : field->name;
}

static int has_target(const triad_case *c, const char *table, const triad_field_info *field, int is_body)
{
  char key[TRIAD_RELAX_KEY];
  const char *texts[1000];
  int place;
  const char *name = name_of(field, is_body, &place);
  if (!name) return 0;
  if (strcmp(name, "scalars") != 0) return *triad_case_word(c, key_of(key, table, name)) != '\0';
  return place < triad_case_texts(c, key_of(key, table, name), texts, 1000) && *texts[place] != '\0';
}

/* Does the item relax a group of fields? A body always has its velocity. */
static int relaxes(const triad_case *c, const char *table, int is_body, const triad_shape *s, triad_field_group group)
{
  char key[TRIAD_RELAX_KEY];
  if (is_body && strcmp(group.name, "velocity") == 0) return 1;
  if (!is_body && !triad_case_is(c, key_of(key, table, "target"), "formula")) return 1;
  int any = 0;
  for (int f = group.first; f < group.first + group.n; f++) any |= has_target(c, table, &s->fields[f], is_body);
  return any;
}

static const char *table_of(const triad_case *c, int i, char table[32], int *is_body)
{
  const int bodies = triad_case_tables(c, "bodies");
  *is_body = i < bodies;
  (void)snprintf(table, 32, "%s[%d]", *is_body ? "bodies" : "sponges", *is_body ? i + 1 : i - bodies + 1);
  return table;
}

static int items(const triad_case *c)
{
  return triad_case_applies(c, "equations.mean_velocity")
           ? triad_case_tables(c, "bodies") + triad_case_tables(c, "sponges")
           : 0;
}

int triad_relaxation_wanted(const triad_case *c) { return items(c); }

int triad_relax_takes(const triad_case *c, int i, const triad_shape *s, int field)
{
  char table[32];
  int is_body, first = field;
  while (first > 0 && s->fields[first].role == TRIAD_ROLE_COMPONENT && s->fields[first].number > 0) first--;
  table_of(c, i, table, &is_body);
  return relaxes(c, table, is_body, s, triad_field_group_at(s->fields, s->n_fields, first));
}

int triad_relaxation_results(const triad_case *c, const triad_shape *s, int *left)
{
  int n = 0;
  *left = 0;
  for (int f = 0; f < s->n_fields;) {
    const triad_field_group group = triad_field_group_at(s->fields, s->n_fields, f);
    int any = 0;
    for (int i = 0; i < items(c); i++) any |= triad_relax_takes(c, i, s, f);
    n += any ? group.n : 0;
    for (int k = f; any && k < f + group.n; k++) *left += triad_velocity_sum_of(s, k) < 0;
    f += group.n;
  }
  return n;
}

/* ---- one item ---- */

static int read_field(triad_relax_item *p, const triad_case *c, const triad_shape *s, int f, double diffusivity,
                      double ell)
{
  triad_relax_field *to = &p->fields[p->n_fields++];
  int place;
  char key[TRIAD_RELAX_KEY];
  const triad_field_group velocity = triad_shape_group(s, "velocity");
  const int axis = f - velocity.first;
  const char *name = name_of(&s->fields[f], p->is_body, &place);
  *to = (triad_relax_field){.field = f, .factor = 1, .axis = -1};
  if (p->is_body) {
    to->factor = axis >= 0 && axis < 3 ? p->rate_scale : diffusivity / (ell * ell);
    to->axis = axis >= 0 && axis < 3 ? axis : -1;
  } else if (!triad_case_is(c, key_of(key, p->table, "target"), "formula")) {
    to->mean = triad_case_is(c, key, "mean");
    return TRIAD_OK;
  }
  return read_value(&to->target, c, p->table, name, place);
}

static double diffusivity_of(const triad_case *c, const triad_field_info *field)
{
  double list[1000];
  if (strcmp(field->name, "theta") == 0) return triad_case_real(c, "equations.diffusivity");
  if (strncmp(field->name, "scalar", 6) != 0) return 0;
  const int n = triad_case_list(c, "equations.scalars", list, 1000), place = (int)strtol(field->name + 6, NULL, 10) - 1;
  return place < n ? list[place] : 0;
}

static int read_body(triad_relax_item *p, const triad_case *c, const triad_grid *g, double *ell)
{
  char key[TRIAD_RELAX_KEY];
  *ell = penetration_of(c, p->table, g);
  const double eta = triad_case_real(c, key_of(key, p->table, "permeability"));
  p->rate_scale = eta > 0 ? 1 / eta : triad_case_real(c, "equations.viscosity") / (*ell * *ell);
  p->delta = CANCELLING * *ell;
  p->band = REACH * p->delta;
  for (int a = 0; a < 3; a++) {
    TRIAD_TRY(triad_case_formula(c, key_of(key, p->table, "path"), a, &p->path[a]));
    p->moves |= p->path[a] != NULL;
  }
  return TRIAD_OK;
}

int triad_relax_item_shape(triad_relax_item *p, const triad_comm *ranks, const triad_case *c, const triad_grid *g)
{
  if (!p->is_body) return TRIAD_OK;
  TRIAD_TRY(triad_shape_solid_create(&p->solid, ranks, c, p->table, g));
  p->moves |= triad_shape_solid_changes(p->solid);
  return TRIAD_OK;
}

static int read_sponge(triad_relax_item *p, const triad_case *c)
{
  char key[TRIAD_RELAX_KEY];
  double range[2];
  const char *layer = triad_case_word(c, key_of(key, p->table, "layer"));
  p->rate_scale = 1;
  p->layer = strcmp(layer, "none") == 0 ? -1 : *layer - 'x';
  if (p->layer >= 0) {
    triad_case_reals(c, key_of(key, p->table, "range"), range, 2);
    p->from = range[0];
    p->width = range[1] - range[0];
    p->rise = triad_case_real(c, key_of(key, p->table, "rise"));
    p->fall = triad_case_real(c, key_of(key, p->table, "fall"));
  }
  TRIAD_TRY(read_value(&p->rate, c, p->table, "rate", 0));
  p->moves = p->rate.f && triad_formula_uses(p->rate.f, TRIAD_RELAX_TIME);
  return TRIAD_OK;
}

int triad_relax_item_read(triad_relax_item *p, const triad_case *c, const triad_grid *g, const triad_shape *s, int i)
{
  double ell = 0;
  *p = (triad_relax_item){.layer = -1};
  table_of(c, i, p->table, &p->is_body);
  p->number = p->is_body ? i + 1 : i - triad_case_tables(c, "bodies") + 1;
  p->fields = calloc((size_t)s->n_fields, sizeof *p->fields);
  if (!p->fields) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", p->table);
  TRIAD_TRY(p->is_body ? read_body(p, c, g, &ell) : read_sponge(p, c));
  for (int f = 0; f < s->n_fields;) {
    const triad_field_group group = triad_field_group_at(s->fields, s->n_fields, f);
    const int does = relaxes(c, p->table, p->is_body, s, group);
    for (int k = f; does && k < f + group.n; k++)
      TRIAD_TRY(read_field(p, c, s, k, diffusivity_of(c, &s->fields[k]), ell));
    f += group.n;
  }
  for (int f = 0; f < p->n_fields; f++) {
    p->fastest = fmax(p->fastest, p->fields[f].factor);
    p->in_space |= p->fields[f].target.in_space;
  }
  return TRIAD_OK;
}

void triad_relax_item_clear(triad_relax_item *p, triad_memory *m)
{
  triad_shape_solid_destroy(&p->solid);
  for (int a = 0; a < 3; a++) triad_formula_destroy(&p->path[a]);
  triad_formula_destroy(&p->rate.f);
  for (int f = 0; f < p->n_fields; f++) {
    triad_formula_destroy(&p->fields[f].target.f);
    if (m) TRIAD_FREE(m, &p->fields[f].target.stored);
  }
  free(p->fields);
  if (m) {
    TRIAD_FREE(m, &p->rows);
    TRIAD_FREE(m, &p->mask);
  }
  *p = (triad_relax_item){.layer = -1};
}

/* ---- memory ---- */

/* The length of an item along an axis, with the reach of its mask; infinite: not known. */
static double extent_of(const triad_case *c, const triad_relax_item *p, int axis)
{
  char key[TRIAD_RELAX_KEY];
  double size[3];
  if (!p->is_body) return p->layer == axis ? p->width : INFINITY;
  if (triad_case_is(c, key_of(key, p->table, "shape"), "sphere"))
    return 2 * (triad_case_real(c, key_of(key, p->table, "radius")) + p->band);
  if (!triad_case_is(c, key, "box")) return INFINITY;
  triad_case_reals(c, key_of(key, p->table, "size"), size, 3);
  return size[axis] + 2 * p->band;
}

/* Does an item lie within the box along x, and not across its ends? */
static int lies_within(const triad_case *c, const triad_relax_item *p, const triad_layout *l)
{
  char key[TRIAD_RELAX_KEY];
  double range[2], center[3];
  const double half = extent_of(c, p, 0) / 2, length = l->grid.length[0];
  if (!p->is_body) {
    if (p->layer != 0) return 1;
    triad_case_reals(c, key_of(key, p->table, "range"), range, 2);
    return range[0] >= 0 && range[1] <= length;
  }
  triad_case_reals(c, key_of(key, p->table, "center"), center, 3);
  return center[0] - half >= 0 && center[0] + half <= length;
}

/* Points of a mask on a rank, at most: rows end at multiples of the points that are relaxed at once. */
static int64_t mask_points(const triad_case *c, const triad_relax_item *p, const triad_layout *l)
{
  const int64_t local[3] = {l->grid.n[0], l->n_y, l->n_planes};
  int64_t points = 1;
  for (int a = 0; a < 3; a++) {
    const double across = extent_of(c, p, a) / triad_grid_spacing(&l->grid, a) + (a == 0 ? 2 * TRIAD_RELAX_LANES : 2);
    /* a row is stored from its first to its last point: all of it, if the item lies across the end of the box */
    points *= across < (double)local[a] && (a > 0 || lies_within(c, p, l)) ? (int64_t)across : local[a];
  }
  return points;
}

int64_t triad_relaxation_bytes(const triad_case *c, const triad_layout *l, const triad_shape *s, int on_host)
{
  const int64_t rows = l->n_planes * l->n_y;
  int64_t bytes = 0, at_once = 0;
  for (int i = 0; i < items(c); i++) {
    char key[TRIAD_RELAX_KEY];
    triad_relax_item p;
    int64_t arrays = 1; /* the mask, and targets that differ between points */
    if (triad_relax_item_read(&p, c, &l->grid, s, i) != TRIAD_OK) triad_message_clear(); /* the check reports it */
    const int of_file = !p.is_body && triad_case_is(c, key_of(key, p.table, "target"), "file");
    for (int f = 0; f < p.n_fields; f++) {
      const triad_relax_value *v = &p.fields[f].target;
      arrays += of_file || (v->f && v->in_space && !triad_formula_uses(v->f, TRIAD_RELAX_TIME));
    }
    if (!p.moves) bytes += rows * (int64_t)sizeof(triad_relax_row) + arrays * mask_points(c, &p, l) * 8;
    if (!p.moves) at_once = rows * l->grid.n[0] * 8;
    triad_relax_item_clear(&p, NULL);
  }
  return bytes + (on_host ? at_once : 0);
}

/* ---- rules and checks ---- */

static void body_rules(triad_case *c, const char *table)
{
  char key[TRIAD_RELAX_KEY], other[TRIAD_RELAX_KEY];
  double size[3];
  if (!triad_case_good(c, key_of(key, table, "shape"))) return;
  const char *shape = triad_case_word(c, key);
  if ((strcmp(shape, "sphere") == 0 || strcmp(shape, "cylinder") == 0) &&
      triad_case_good(c, key_of(other, table, "radius")) && !(triad_case_real(c, other) > 0))
    triad_case_error_of(c, key, "%s.shape = \"%s\" requires %s.radius > 0", table, shape, table);
  if (strcmp(shape, "box") == 0 && triad_case_good(c, key_of(other, table, "size"))) {
    triad_case_reals(c, other, size, 3);
    if (!(size[0] > 0 && size[1] > 0 && size[2] > 0))
      triad_case_error_of(c, key, "%s.shape = \"box\" requires %s.size with three sides > 0", table, table);
  }
  for (int i = 0; i < 2; i++) {
    const char *name = i == 0 ? "stl" : "distance";
    if (strcmp(shape, name) == 0 && triad_case_good(c, key_of(other, table, name)) && !*triad_case_word(c, other))
      triad_case_error_of(c, key, "%s.shape = \"%s\" requires %s.%s", table, name, table, name);
  }
  if (triad_case_good(c, key_of(other, table, "permeability")) && triad_case_good(c, "equations.viscosity") &&
      !(triad_case_real(c, "equations.viscosity") > 0))
    triad_case_error_of(c, key, "[[bodies]] requires equations.viscosity > 0: an inviscid flow slips along walls");
}

static void sponge_rules(triad_case *c, const char *table)
{
  static const char *const targets[] = {"u", "v", "w", "theta", "bx", "by", "bz", "scalars"};
  char key[TRIAD_RELAX_KEY], other[TRIAD_RELAX_KEY];
  double range[2];
  int given = 0;
  if (triad_case_good(c, key_of(key, table, "layer")) && !triad_case_is(c, key, "none") &&
      triad_case_good(c, key_of(other, table, "range"))) {
    triad_case_reals(c, other, range, 2);
    if (!(range[1] > range[0]))
      triad_case_error_of(c, key, "%s.layer requires %s.range, its beginning and its end", table, table);
  }
  if (!triad_case_good(c, key_of(key, table, "target"))) return;
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    given |= triad_case_applies(c, key_of(other, table, targets[i])) && triad_case_given(c, other);
  if (triad_case_is(c, key, "formula") && !given)
    triad_case_error_of(c, key,
                        "%s has no target: give formulas, such as %s.u = \"1\", or %s.target = \"mean\" or \"file\"",
                        table, table, table);
  if (!triad_case_is(c, key, "formula") && given)
    triad_case_error_of(c, key, "%s.target = \"%s\" excludes formulas of targets, but some are given", table,
                        triad_case_word(c, key));
  if (triad_case_is(c, key, "file") && triad_case_good(c, key_of(other, table, "file")) && !*triad_case_word(c, other))
    triad_case_error_of(c, key, "%s.target = \"file\" requires %s.file", table, table);
}

static void check_lists(triad_case *c, const char *table)
{
  char key[TRIAD_RELAX_KEY];
  const char *texts[1000];
  if (!triad_case_good(c, key_of(key, table, "scalars")) || !triad_case_good(c, "equations.scalars")) return;
  const int n = triad_case_texts(c, key, texts, 1000), m = triad_case_length(c, "equations.scalars");
  if (n > m) triad_case_error_of(c, key, "%s has %d formulas, but equations.scalars has %d scalars", key, n, m);
}

static void mean_rules(triad_case *c)
{
  double mean[3], omega[3];
  if (!triad_case_good(c, "equations.mean_velocity") || !triad_case_good(c, "equations.rotation")) return;
  triad_case_reals(c, "equations.mean_velocity", mean, 3);
  triad_case_reals(c, "equations.rotation", omega, 3);
  const int flows = mean[0] < 0 || mean[0] > 0 || mean[1] < 0 || mean[1] > 0 || mean[2] < 0 || mean[2] > 0;
  const int turns = omega[0] < 0 || omega[0] > 0 || omega[1] < 0 || omega[1] > 0 || omega[2] < 0 || omega[2] > 0;
  if (flows && turns)
    triad_case_error_of(c, "equations.mean_velocity",
                        "equations.mean_velocity excludes equations.rotation, which turns a mean velocity: remove one");
  if (!triad_case_applies(c, "equations.buoyancy_frequency") || !triad_case_good(c, "equations.vertical")) return;
  const int up = triad_case_is(c, "equations.vertical", "y") ? 1 : 2;
  if (mean[up] < 0 || mean[up] > 0)
    triad_case_error_of(c, "equations.mean_velocity",
                        "equations.mean_velocity along %c lifts the whole stratification: use a horizontal one",
                        'x' + up);
}

int triad_relaxation_reference(const triad_case *c, triad_body_reference *r)
{
  if (!triad_case_applies(c, "reference.area")) return 0;
  *r = (triad_body_reference){
    .area = triad_case_real(c, "reference.area"), .length = triad_case_real(c, "reference.length"), .density = 1};
  r->up = triad_case_is(c, "reference.up", "y") ? 1 : 2;
  triad_case_reals(c, "reference.velocity", r->velocity, 3);
  if (!(triad_body_speed(r) > 0)) triad_case_reals(c, "equations.mean_velocity", r->velocity, 3);
  return r->area > 0 && triad_case_tables(c, "bodies") > 0;
}

static void reference_rules(triad_case *c)
{
  triad_body_reference r;
  if (!triad_case_good(c, "reference.area") || !triad_case_good(c, "reference.velocity") ||
      !triad_case_good(c, "reference.length") || !triad_case_good(c, "reference.up") ||
      !triad_case_good(c, "equations.mean_velocity"))
    return;
  const int has = triad_relaxation_reference(c, &r);
  if (r.area > 0 && !has) triad_case_error_of(c, "reference.area", "reference.area requires [[bodies]]");
  if (has && !(triad_body_speed(&r) > 0))
    triad_case_error_of(c, "reference.area",
                        "reference.area requires a stream: set equations.mean_velocity or "
                        "reference.velocity");
}

void triad_relaxation_rules(triad_case *c)
{
  char table[32];
  int is_body;
  if (!triad_case_applies(c, "equations.mean_velocity")) return;
  mean_rules(c);
  reference_rules(c);
  for (int i = 0; i < items(c); i++) {
    table_of(c, i, table, &is_body);
    if (is_body) body_rules(c, table);
    else sponge_rules(c, table);
    check_lists(c, table);
  }
  if (items(c) > 0 && triad_case_good(c, "grid.dealiasing") && triad_case_is(c, "grid.dealiasing", "phase-shift"))
    triad_case_error_of(c, "grid.dealiasing",
                        "grid.dealiasing = \"phase-shift\" shifts the grid points, on which [[bodies]] and [[sponges]] "
                        "act: use \"truncation\"");
  if (items(c) > 0 && triad_case_good(c, "target.grid") && triad_case_is(c, "target.grid", "follow"))
    triad_case_error_of(
      c, "target.grid",
      "target.grid = \"follow\" excludes [[bodies]] and [[sponges]], whose layers depend on the grid");
}

/* A layer lies in the box once, along an axis with points. */
static int check_layer(const triad_relax_item *p, const triad_grid *g)
{
  if (p->layer < 0) return TRIAD_OK;
  const char axis = "xyz"[p->layer];
  const double length = g->length[p->layer];
  if (g->n[p->layer] == 1)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s.layer = \"%c\", but the grid has one point along %c: use another axis",
                      p->table, axis, axis);
  if (p->width > length * (1 + 1e-12))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s.range is %g long, but the box %g: end the range one box behind its beginning",
                      p->table, p->width, length);
  return TRIAD_OK;
}

static void warn_of_thickness(const triad_relax_item *p, triad_case_warnings *d)
{
  const double thin = triad_shape_solid_thinnest(p->solid);
  if (thin > 0 && thin < 2 * p->delta)
    triad_case_warn(d,
                    "%s is %.3g thick, less than twice the width %.3g of its surface layer: the flow passes through: "
                    "use a finer grid, or a smaller %s.permeability",
                    p->table, thin, p->delta, p->table);
}

static int check_item(triad_relax_item *p, const triad_case *c, const triad_comm *ranks, const triad_grid *g,
                      const triad_shape *s, int i)
{
  const int st = triad_relax_item_read(p, c, g, s, i);
  TRIAD_TRY(ranks ? triad_agree(ranks, st) : st);
  TRIAD_TRY(triad_relax_item_shape(p, ranks, c, g));
  for (int f = 0; f < p->n_fields; f++)
    if (p->is_body && !(p->fields[f].factor > 0))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "bodies[%d] cannot hold %s, whose diffusivity is 0: set a diffusivity", i + 1,
                        s->fields[p->fields[f].field].name);
  return check_layer(p, g);
}

int triad_relaxation_check(const triad_case *c, const triad_comm *ranks, const triad_grid *g, const triad_shape *s,
                           triad_case_warnings *d)
{
  for (int i = 0; i < items(c); i++) {
    triad_relax_item item;
    const int st = check_item(&item, c, ranks, g, s, i);
    if (st == TRIAD_OK && item.is_body) warn_of_thickness(&item, d);
    triad_relax_item_clear(&item, NULL);
    TRIAD_TRY(st);
  }
  return TRIAD_OK;
}

double triad_relaxation_body_rate(const triad_case *c, const triad_grid *g, const triad_shape *s)
{
  double most = 0;
  for (int i = 0; i < triad_case_tables(c, "bodies") && i < items(c); i++) {
    triad_relax_item item;
    if (triad_relax_item_read(&item, c, g, s, i) == TRIAD_OK) most = fmax(most, item.fastest);
    triad_relax_item_clear(&item, NULL);
  }
  return most;
}
