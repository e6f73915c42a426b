/* Linear terms: which are decay rates, which are coupled; matrices; growth. */
#include "solvers/spectral/text/compile/linear.h"
#include "solvers/spectral/text/compile/matrix_points.h"

#include "base/cmplx.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POWERS = 16 };

static const triad_text_scaled nothing = {0, TRIAD_TEXT_ZERO};

/* ---- decay ---- */

/* Parts of a sum of multipliers: c lap^n to power[n], others to *rest. */
static void take_apart(triad_text_operators *o, const int *powers, triad_text_scaled m, double *power,
                       triad_text_scaled *rest)
{
  const triad_text_node x = o->node[m.node];
  for (int n = 0; n <= POWERS; n++)
    if (m.node == powers[n]) {
      power[n] += m.c;
      return;
    }
  if (x.kind != TRIAD_TEXT_SUM) {
    *rest = triad_text_add(o, *rest, m);
    return;
  }
  take_apart(o, powers, (triad_text_scaled){m.c * x.ca, x.a}, power, rest);
  take_apart(o, powers, (triad_text_scaled){m.c * x.cb, x.b}, power, rest);
}

/* The part of a diagonal element that is a decay rate; *rest: the other part. */
static triad_decay decay_of(triad_text_operators *o, triad_text_scaled m, triad_text_scaled *rest)
{
  int powers[POWERS + 1], order = 0;
  double power[POWERS + 1] = {0};
  triad_decay d = {0};
  *rest = nothing;
  if (m.node == TRIAD_TEXT_ZERO) return d;
  const triad_text_scaled lap = triad_text_laplacian(o);
  for (int n = 0; n <= POWERS; n++) powers[n] = triad_text_power(o, lap, n).node;
  take_apart(o, powers, m, power, rest);
  d.drag = power[0] < 0 ? -power[0] : 0;
  d.growth = power[0] > 0 ? power[0] : 0;
  d.viscosity = power[1]; /* lap is -k^2 */
  for (int n = 2; n <= POWERS; n++) {
    const double rate = n % 2 == 0 ? -power[n] : power[n]; /* lambda = -c (-k^2)^n */
    if (!(fabs(rate) > 0)) continue;
    if (rate > 0 && order == 0) {
      d.hyperviscosity = rate;
      d.order = order = n;
    } else {
      *rest = triad_text_add(o, *rest, (triad_text_scaled){power[n], powers[n]});
    }
  }
  if (d.order == 0) d.order = 2;
  return d;
}

/* ---- blocks ---- */

static int is_solenoidal_start(const triad_text *t, int f) { return t->field[f].solenoidal && t->field[f].axis == 0; }

/* Join the blocks of two fields. */
static void join(triad_text_linear *l, int n, int a, int b)
{
  const int from = l->block_of[b], to = l->block_of[a];
  for (int f = 0; f < n; f++)
    if (from >= 0 && l->block_of[f] == from) l->block_of[f] = to;
  l->block_of[b] = to;
}

static int is_same_decay(const triad_decay *a, const triad_decay *b)
{
  const double x[5] = {a->viscosity, a->hyperviscosity, a->order, a->drag, a->growth};
  const double y[5] = {b->viscosity, b->hyperviscosity, b->order, b->drag, b->growth};
  for (int i = 0; i < 5; i++)
    if (fabs(x[i] - y[i]) > 0) return 0;
  return 1;
}

/* Components of a solenoidal vector that decay at different rates are coupled by the projection. */
static int is_uneven(const triad_text_linear *l, int f)
{
  return !is_same_decay(&l->decay[f], &l->decay[f + 1]) || !is_same_decay(&l->decay[f], &l->decay[f + 2]);
}

static int make_blocks(triad_text *t, triad_text_linear *l)
{
  const int n = t->n_fields;
  for (int a = 0; a < n; a++)
    for (int f = 0; f < n; f++) {
      if (l->rest[a][f].node == TRIAD_TEXT_ZERO) continue;
      if (l->block_of[a] < 0) l->block_of[a] = a;
      if (l->block_of[f] < 0) l->block_of[f] = f;
      if (l->block_of[a] != l->block_of[f]) join(l, n, a, f);
    }
  for (int f = 0; f < n; f++) {
    if (!is_solenoidal_start(t, f)) continue;
    const int any = l->block_of[f] >= 0 || l->block_of[f + 1] >= 0 || l->block_of[f + 2] >= 0 || is_uneven(l, f);
    if (!any) continue;
    for (int i = 0; i < 3; i++)
      if (l->block_of[f + i] < 0) l->block_of[f + i] = f + i;
    for (int i = 1; i < 3; i++)
      if (l->block_of[f] != l->block_of[f + i]) join(l, n, f, f + i);
  }
  for (int label = 0; label < n; label++) {
    triad_text_block b = {0};
    for (int f = 0; f < n; f++) {
      if (l->block_of[f] != label) continue;
      if (b.n == TRIAD_TEXT_MATRIX)
        return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                          "equations.evolve: linear terms couple more than %d fields, which cannot be integrated "
                          "exactly: set equations.linear = \"decay\"",
                          TRIAD_TEXT_MATRIX);
      b.field[b.n++] = f;
    }
    if (b.n > 0) l->block[l->n_blocks++] = b;
  }
  for (int f = 0; f < n; f++) l->block_of[f] = -1;
  for (int i = 0; i < l->n_blocks; i++)
    for (int k = 0; k < l->block[i].n; k++) l->block_of[l->block[i].field[k]] = i;
  return TRIAD_OK;
}

int triad_text_linear_of(triad_text *t, int exact, triad_text_linear *out)
{
  *out = (triad_text_linear){0};
  for (int a = 0; a < t->n_fields; a++) {
    out->block_of[a] = -1;
    for (int f = 0; f < t->n_fields; f++)
      if (a != f) out->rest[a][f] = t->linear[a][f];
    out->decay[a] = decay_of(&t->operators, t->linear[a][a], &out->rest[a][a]);
  }
  if (!exact) {
    for (int f = 0; f < t->n_fields; f++)
      if (is_solenoidal_start(t, f) && is_uneven(out, f))
        return TRIAD_FAIL(
          TRIAD_ERR_FEATURE,
          "equations.evolve: the components of %s decay at different rates: equations.linear = \"decay\" "
          "requires equal rates, use \"exact\"",
          t->field[f].of);
    return TRIAD_OK;
  }
  TRIAD_TRY(make_blocks(t, out));
  for (int a = 0; a < t->n_fields; a++) {
    if (out->block_of[a] < 0) continue;
    out->rest[a][a] = t->linear[a][a];
    out->decay[a] = (triad_decay){.order = 2};
  }
  return TRIAD_OK;
}

/* ---- matrices ---- */

void triad_text_project(const triad_text *t, const double k[3], double complex *s)
{
  for (int f = 0; f < t->n_fields; f++) {
    triad_value v[3];
    if (!is_solenoidal_start(t, f)) continue;
    for (int i = 0; i < 3; i++) v[i] = triad_value_of(creal(s[f + i]), cimag(s[f + i]));
    triad_text_project_values(k, v);
    for (int i = 0; i < 3; i++) s[f + i] = CMPLX(v[i].re, v[i].im);
  }
}

/* One column of rates at a time, so that it can be projected. */
static void column_of(const triad_text *t, triad_text_scaled (*row)[TRIAD_TEXT_FIELDS], int f, const double k[3],
                      const double complex *value, double complex *s)
{
  for (int a = 0; a < t->n_fields; a++) s[a] = row[a][f].c * value[row[a][f].node];
  triad_text_project(t, k, s);
}

void triad_text_matrix(const triad_text *t, const triad_text_linear *l, int block, const double k[3],
                       const double complex *value, double complex *out)
{
  const triad_text_block *b = &l->block[block];
  double complex s[TRIAD_TEXT_FIELDS];
  for (int j = 0; j < b->n; j++) {
    for (int a = 0; a < t->n_fields; a++) s[a] = 0;
    for (int i = 0; i < b->n; i++) {
      const triad_text_scaled m = l->rest[b->field[i]][b->field[j]];
      s[b->field[i]] = m.c * value[m.node];
    }
    triad_text_project(t, k, s);
    for (int i = 0; i < b->n; i++) out[i * b->n + j] = s[b->field[i]];
  }
}

/* Linear rates at a wavenumber, of text->linear or the like: du_a/dt = sum out[a * n_fields + f] u_f, projected. */
static void fill_matrix(const triad_text *t, triad_text_scaled (*row)[TRIAD_TEXT_FIELDS], const double k[3],
                        const double complex *value, double complex *out)
{
  double complex s[TRIAD_TEXT_FIELDS];
  const int n = t->n_fields;
  /* on the space of solenoidal fields: columns are projected too, so that gradients have no rate */
  for (int f = 0; f < n; f++) {
    double complex unit[TRIAD_TEXT_FIELDS] = {0}, sum[TRIAD_TEXT_FIELDS] = {0};
    unit[f] = 1;
    triad_text_project(t, k, unit);
    for (int g = 0; g < n; g++) {
      if (!(cabs(unit[g]) > 0)) continue;
      column_of(t, row, g, k, value, s);
      for (int a = 0; a < n; a++) sum[a] += unit[g] * s[a];
    }
    for (int a = 0; a < n; a++) out[a * n + f] = sum[a];
  }
}

/* ---- growth ---- */

typedef struct search {
  triad_text *text;
  triad_text_scaled stages[TRIAD_TEXT_FIELDS][TRIAD_TEXT_FIELDS]; /* linear terms in the rates of stages */
  int any;                                                        /* 1: some                               */
  char needed[TRIAD_TEXT_OPERATORS];
} search;

/* Eigenvalues at a wavenumber; 0 after noting that they were not found. */
static int find_eigenvalues(const search *s, triad_text_scaled (*rows)[TRIAD_TEXT_FIELDS], const double k[3],
                            triad_text_growth *g, double complex *lambda)
{
  const triad_text *t = s->text;
  double complex value[TRIAD_TEXT_OPERATORS], m[TRIAD_TEXT_FIELDS * TRIAD_TEXT_FIELDS];
  triad_text_evaluate(&t->operators, k, s->needed, value, NULL);
  fill_matrix(t, rows, k, value, m);
  if (triad_text_eigenvalues(t->n_fields, m, lambda)) return 1;
  g->failed = 1;
  memcpy(g->failed_at, k, sizeof g->failed_at);
  return 0;
}

/* The eigenvalue of the largest real part; the largest imaginary part, and absolute value. */
static double fastest(const search *s, const double k[3], double *frequency, triad_text_growth *g, double *size)
{
  double complex lambda[TRIAD_TEXT_FIELDS];
  double rate = -INFINITY;
  *frequency = *size = 0;
  if (!find_eigenvalues(s, s->text->linear, k, g, lambda)) return rate;
  for (int i = 0; i < s->text->n_fields; i++) {
    rate = fmax(rate, creal(lambda[i]));
    *frequency = fmax(*frequency, fabs(cimag(lambda[i])));
    *size = fmax(*size, cabs(lambda[i]));
  }
  return rate;
}

static void look_at_stages(search *s, const double k[3], triad_text_growth *g)
{
  double complex lambda[TRIAD_TEXT_FIELDS];
  if (!s->any || !find_eigenvalues(s, s->stages, k, g, lambda)) return;
  for (int i = 0; i < s->text->n_fields; i++) g->in_stages = fmax(g->in_stages, cabs(lambda[i]));
}

static void look_at(search *s, const double k[3], triad_text_growth *g)
{
  double frequency, size;
  const double rate = fastest(s, k, &frequency, g, &size);
  look_at_stages(s, k, g);
  g->frequency = fmax(g->frequency, frequency);
  g->size = fmax(g->size, size);
  if (!(rate > g->rate)) return;
  g->rate = rate;
  memcpy(g->at, k, sizeof g->at);
}

/* All modes of a small grid; else those of small wavenumbers, and a sample of the rest. */
static void look_at_modes(search *s, const triad_grid *grid, triad_text_growth *g)
{
  const int64_t *n = grid->kmax;
  const int64_t all = (n[0] + 1) * (2 * n[1] + 1) * (2 * n[2] + 1);
  g->all_modes = all <= 60000;
  for (int64_t x = 0; x <= n[0]; x++)
    for (int64_t y = -n[1]; y <= n[1]; y++)
      for (int64_t z = -n[2]; z <= n[2]; z++) {
        const int small = x <= 12 && llabs(y) <= 12 && llabs(z) <= 12;
        const int axis = (x == 0) + (y == 0) + (z == 0) >= 2;
        if (!g->all_modes && !small && !axis && (x * 7 + y * 13 + z * 31) % (all / 30000 + 1) != 0) continue;
        if (!triad_grid_keeps(grid, x, y, z)) continue;
        const double k[3] = {triad_grid_size_wavenumber(grid, 0, x), triad_grid_size_wavenumber(grid, 1, y),
                             triad_grid_size_wavenumber(grid, 2, z)};
        look_at(s, k, g);
      }
}

/* Linear terms that are neither decay nor in a block. */
static void take_stages(search *s, triad_text_linear *l)
{
  for (int a = 0; a < s->text->n_fields; a++)
    for (int f = 0; f < s->text->n_fields; f++) {
      triad_text_need(&s->text->operators, s->text->linear[a][f].node, s->needed);
      if (l->block_of[a] >= 0 && l->block_of[a] == l->block_of[f]) continue;
      s->stages[a][f] = l->rest[a][f];
      triad_text_need(&s->text->operators, l->rest[a][f].node, s->needed);
      s->any |= l->rest[a][f].node != TRIAD_TEXT_ZERO;
    }
}

/* Eigenvalues of coupled fields have rounding errors; a rate of one field has none but those of its terms. */
double triad_text_growth_noise(const triad_text *t) { return t->n_fields > 1 ? 1e-9 : 1e-15; }

/* Does the rate grow from four times the wavenumbers of the grid, along a direction, to eight times these? */
static int is_unbounded(search *s, const triad_grid *grid, const int step[3], triad_text_growth *g)
{
  const triad_text *t = s->text;
  double k[3], rate[2], frequency, size = 0;
  for (int i = 0; i < 3; i++) k[i] = t->flat[i] ? 0 : step[i] * triad_grid_reach(grid, i) * 4;
  if (!(triad_mode_k2(k) > 0)) return 0;
  for (int times = 0; times < 2; times++) {
    rate[times] = fastest(s, k, &frequency, g, &size);
    for (int i = 0; i < 3; i++) k[i] *= 2;
  }
  if (!(rate[1] > triad_text_growth_noise(t) * size) || !(rate[1] > 1.5 * rate[0])) return 0;
  for (int i = 0; i < 3; i++) g->unbounded_at[i] = k[i] / 16;
  return 1;
}

void triad_text_growth_of(triad_text *t, triad_text_linear *linear, const triad_grid *grid, triad_text_growth *out)
{
  search s = {.text = t};
  *out = (triad_text_growth){.rate = -INFINITY};
  take_stages(&s, linear);
  out->lacks = triad_text_lacks_of_grid(t, grid, out->lacks_at);
  look_at_modes(&s, grid, out);
  for (int d = 26; d >= 0; d--) { /* directions, positive ones first */
    const int step[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
    const int axes = abs(step[0]) + abs(step[1]) + abs(step[2]);
    const double shorter = grid->truncation == TRIAD_SPHERE && axes > 0 ? sqrt(axes) : 1;
    double edge[3]; /* the last wavenumber of the grid */
    for (int i = 0; i < 3; i++) edge[i] = t->flat[i] ? 0 : step[i] * triad_grid_reach(grid, i) / shorter;
    if (!out->all_modes) look_at_stages(&s, edge, out);
    if (!out->unbounded) out->unbounded = is_unbounded(&s, grid, step, out);
  }
}
