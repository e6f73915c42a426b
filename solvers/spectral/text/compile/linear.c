/* Linear terms: which are decay rates, which are coupled; matrices; growth. */
#include "solvers/spectral/text/compile/linear.h"
#include "solvers/spectral/text/compile/matrix_points.h"
#include "solvers/spectral/text/compile/polynomials.h"
#include "solvers/spectral/text/compile/rounding.h"

#include "base/cmplx.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POWERS = 16, FITTED = 3 /* powers of the Laplacian in a fit */ };

static const triad_text_scaled nothing = {0, 0, TRIAD_TEXT_ZERO};

/* ---- decay ---- */

/* Parts of a sum of multipliers: c lap^n to power[n], those with inverses, roots or entries of matrices to *atoms,
 * all else to *rest. */
static void take_apart(triad_text_operators *o, const int *powers, triad_text_scaled m, double *power,
                       triad_text_scaled *atoms, triad_text_scaled *rest)
{
  const triad_text_node x = o->node[m.node];
  for (int n = 0; n <= POWERS; n++)
    if (m.node == powers[n]) {
      power[n] += m.c;
      return;
    }
  if (x.kind != TRIAD_TEXT_SUM) {
    triad_text_scaled *to = triad_text_has_atoms(o, m.node) ? atoms : rest;
    *to = triad_text_add(o, *to, m);
    return;
  }
  const triad_text_scaled a = {m.c * x.ca, triad_text_product_size(m.c, m.size, x.ca, x.sa), x.a};
  const triad_text_scaled b = {m.c * x.cb, triad_text_product_size(m.c, m.size, x.cb, x.sb), x.b};
  take_apart(o, powers, a, power, atoms, rest);
  take_apart(o, powers, b, power, atoms, rest);
}

/* ---- decay through inverses and roots: a fit of powers of the Laplacian at the samples ---- */

static double power_at(const triad_text_node *lap, int s, int n) { return pow(creal(lap->sample[s]), n); }

/* Least squares of m powers, weighted by rounding errors: c[m], by columns that are made orthogonal. */
static void fit_powers(const triad_text_node *x, const triad_text_node *lap, int m, const int *n, double *c)
{
  double column[FITTED][TRIAD_TEXT_SAMPLES], right[TRIAD_TEXT_SAMPLES], r[FITTED][FITTED] = {{0}};
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
    const double weight = x->bound[s].re > 0 ? 1 / x->bound[s].re : 0;
    right[s] = weight * creal(x->sample[s]);
    for (int j = 0; j < m; j++) column[j][s] = weight > 0 ? weight * power_at(lap, s, n[j]) : 0;
  }
  for (int j = 0; j < m; j++) {
    for (int i = 0; i <= j; i++) {
      double sum = 0;
      for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) sum += column[i][s] * column[j][s];
      r[i][j] = i < j ? sum : sqrt(sum);
      for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++)
        column[j][s] = i < j ? column[j][s] - sum * column[i][s] : column[j][s] / r[j][j];
    }
    c[j] = 0;
    for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) c[j] += column[j][s] * right[s];
    for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) right[s] -= c[j] * column[j][s];
  }
  for (int j = m - 1; j >= 0; j--) {
    for (int i = j + 1; i < m; i++) c[j] -= r[j][i] * c[i];
    c[j] /= r[j][j];
  }
}

static int is_fit(const triad_text_node *x, const triad_text_node *lap, int m, const int *n, const double *c)
{
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
    double sum = 0, size = x->bound[s].re;
    for (int j = 0; j < m; j++) sum += c[j] * power_at(lap, s, n[j]);
    for (int j = 0; j < m; j++) size += fabs(c[j] * power_at(lap, s, n[j]));
    if (!isfinite(size) || !(fabs(creal(x->sample[s]) - sum) <= TRIAD_TEXT_EQUAL * size) ||
        !(fabs(cimag(x->sample[s])) <= TRIAD_TEXT_EQUAL * x->bound[s].im))
      return 0;
  }
  return 1;
}

/* Is m = sum of c lap^n at all samples, with the fewest powers of up to three? Adds the numbers to power[n]. */
static int take_fit(triad_text_operators *o, const int *powers, triad_text_scaled m, double *power)
{
  const triad_text_node *x = &o->node[m.node], *lap = &o->node[powers[1]];
  if (m.node == TRIAD_TEXT_ZERO || powers[1] == TRIAD_TEXT_ZERO) return 0;
  for (int terms = 1; terms <= FITTED; terms++)
    for (int code = 0; code < (POWERS + 1) * (POWERS + 1) * (POWERS + 1); code++) {
      const int n[FITTED] = {code % (POWERS + 1), code / (POWERS + 1) % (POWERS + 1),
                             code / (POWERS + 1) / (POWERS + 1)};
      double c[FITTED];
      if ((terms > 1 ? n[1] <= n[0] : n[1] > 0) || (terms > 2 ? n[2] <= n[1] : n[2] > 0)) continue;
      fit_powers(x, lap, terms, n, c);
      if (!is_fit(x, lap, terms, n, c)) continue;
      for (int j = 0; j < terms; j++) power[n[j]] += m.c * c[j];
      return 1;
    }
  return 0;
}

/* The part of a diagonal element that is a decay rate; *rest: the other part. */
static triad_decay decay_of(triad_text_operators *o, triad_text_scaled m, triad_text_scaled *rest)
{
  int powers[POWERS + 1], order = 0;
  double power[POWERS + 1] = {0};
  triad_decay d = {0};
  triad_text_scaled atoms = nothing;
  *rest = nothing;
  if (m.node == TRIAD_TEXT_ZERO) return d;
  const triad_text_scaled lap = triad_text_laplacian(o);
  for (int n = 0; n <= POWERS; n++) powers[n] = triad_text_power(o, lap, n).node;
  take_apart(o, powers, m, power, &atoms, rest);
  if (!take_fit(o, powers, atoms, power)) *rest = triad_text_add(o, *rest, atoms);
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
      *rest = triad_text_add(o, *rest, triad_text_of(power[n], powers[n]));
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

/* One column of rates at a time, so that it can be projected. */
static void column_of(const triad_text *t, triad_text_scaled (*row)[TRIAD_TEXT_FIELDS], int f, const double k[3],
                      const double complex *value, double complex *s)
{
  for (int a = 0; a < t->n_fields; a++) s[a] = row[a][f].c * value[row[a][f].node];
  triad_text_project(t, k, s);
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

/* A share of the largest rate of coupled fields, by absolute values: eigenvalues below it are rounding errors, which
 * are larger than those of numbers if eigenvectors are nearly parallel. */
static const double EIGENVALUES = 1e-9;

typedef struct search {
  triad_text *text;
  triad_text_scaled stages[TRIAD_TEXT_FIELDS][TRIAD_TEXT_FIELDS]; /* linear terms in the rates of stages */
  int any;                                                        /* 1: some                               */
  int group[TRIAD_TEXT_FIELDS]; /* the first field that depends on this one, and that this one depends on */
  char needed[TRIAD_TEXT_OPERATORS];
} search;

/* Components of a solenoidal vector that have the same rate, depend on no other field, and no other field on them: the
 * projection does not couple these. */
static int is_alone(const triad_text *t, int f)
{
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < t->n_fields; a++)
      if (a != f + i && (t->linear[f + i][a].node != TRIAD_TEXT_ZERO || t->linear[a][f + i].node != TRIAD_TEXT_ZERO))
        return 0;
  for (int i = 1; i < 3; i++)
    if (t->linear[f][f].node != t->linear[f + i][f + i].node || fabs(t->linear[f][f].c - t->linear[f + i][f + i].c) > 0)
      return 0;
  return 1;
}

/* A field has eigenvalues in common only with those that it depends on and that depend on it. */
static void find_groups(search *s)
{
  const triad_text *t = s->text;
  const int n = t->n_fields;
  char reach[TRIAD_TEXT_FIELDS][TRIAD_TEXT_FIELDS] = {{0}};
  for (int a = 0; a < n; a++)
    for (int f = 0; f < n; f++) reach[a][f] = a == f || t->linear[a][f].node != TRIAD_TEXT_ZERO;
  for (int f = 0; f < n; f++)
    for (int i = 0; is_solenoidal_start(t, f) && !is_alone(t, f) && i < 9; i++) reach[f + i / 3][f + i % 3] = 1;
  for (int by = 0; by < n; by++)
    for (int a = 0; a < n; a++)
      for (int f = 0; f < n; f++) reach[a][f] |= reach[a][by] && reach[by][f];
  for (int a = 0; a < n; a++) {
    s->group[a] = 0;
    while (!reach[a][s->group[a]] || !reach[s->group[a]][a]) s->group[a]++;
  }
}

static double without_noise(double x, double noise) { return fabs(x) > noise ? x : 0; }

/* The rate of a field that is alone in its group. */
static double complex rate_alone(const search *s, triad_text_scaled m, int f, const double k[3],
                                 const double complex *value, const triad_text_bound *bound)
{
  const double complex rate = m.c * value[m.node];
  if (s->text->field[f].solenoidal && !(triad_mode_k2(k) > 0)) return 0;
  return CMPLX(without_noise(creal(rate), TRIAD_TEXT_EQUAL * m.size * bound[m.node].re),
               without_noise(cimag(rate), TRIAD_TEXT_EQUAL * m.size * bound[m.node].im));
}

/* Eigenvalues of the group whose first field is `first`, of the matrix of all fields. */
static int rates_of_group(const search *s, triad_text_scaled (*rows)[TRIAD_TEXT_FIELDS], int first,
                          const double complex *all, const triad_text_bound *bound, double complex *lambda)
{
  const int n = s->text->n_fields;
  double complex m[TRIAD_TEXT_FIELDS * TRIAD_TEXT_FIELDS], size[TRIAD_TEXT_FIELDS * TRIAD_TEXT_FIELDS];
  double complex of[TRIAD_TEXT_FIELDS], of_size[TRIAD_TEXT_FIELDS];
  double largest = 0;
  int member[TRIAD_TEXT_FIELDS], members = 0;
  for (int a = 0; a < n; a++)
    if (s->group[a] == first) member[members++] = a;
  for (int i = 0; i < members; i++)
    for (int j = 0; j < members; j++) {
      const triad_text_scaled x = rows[member[i]][member[j]];
      m[i * members + j] = all[member[i] * n + member[j]];
      size[i * members + j] = x.size * triad_text_bound_size(&bound[x.node]);
    }
  if (!triad_text_eigenvalues(members, m, of) || !triad_text_eigenvalues(members, size, of_size)) return 0;
  for (int i = 0; i < members; i++) largest = fmax(largest, cabs(of_size[i]));
  for (int i = 0; i < members; i++)
    lambda[member[i]] =
      CMPLX(without_noise(creal(of[i]), EIGENVALUES * largest), without_noise(cimag(of[i]), EIGENVALUES * largest));
  return 1;
}

/* Rates at a wavenumber, 0 if they are rounding errors; returns 0 after noting that they were not found. */
static int find_rates(const search *s, triad_text_scaled (*rows)[TRIAD_TEXT_FIELDS], const double k[3],
                      triad_text_growth *g, double complex *lambda)
{
  const triad_text *t = s->text;
  const int n = t->n_fields;
  double complex value[TRIAD_TEXT_OPERATORS], m[TRIAD_TEXT_FIELDS * TRIAD_TEXT_FIELDS];
  triad_text_bound bound[TRIAD_TEXT_OPERATORS];
  int size[TRIAD_TEXT_FIELDS] = {0}, coupled = 0, good = 1;
  triad_text_evaluate(&t->operators, k, s->needed, value, NULL);
  triad_text_bounds(&t->operators, k, s->needed, value, bound);
  for (int f = 0; f < n; f++) coupled |= ++size[s->group[f]] > 1;
  if (coupled) fill_matrix(t, rows, k, value, m);
  for (int f = 0; f < n && good; f++) {
    if (s->group[f] != f) continue;
    if (size[f] > 1) good = rates_of_group(s, rows, f, m, bound, lambda);
    else lambda[f] = rate_alone(s, rows[f][f], f, k, value, bound);
    good = good && isfinite(cabs(lambda[f]));
  }
  if (good) return 1;
  g->failed = 1;
  memcpy(g->failed_at, k, sizeof g->failed_at);
  return 0;
}

/* The largest real part of a rate; the largest imaginary part. */
static double fastest(const search *s, const double k[3], double *frequency, triad_text_growth *g)
{
  double complex lambda[TRIAD_TEXT_FIELDS];
  double rate = -INFINITY;
  *frequency = 0;
  if (!find_rates(s, s->text->linear, k, g, lambda)) return rate;
  for (int i = 0; i < s->text->n_fields; i++) {
    rate = fmax(rate, creal(lambda[i]));
    *frequency = fmax(*frequency, fabs(cimag(lambda[i])));
  }
  return rate;
}

static void look_at_stages(search *s, const double k[3], triad_text_growth *g)
{
  double complex lambda[TRIAD_TEXT_FIELDS];
  if (!s->any || !find_rates(s, s->stages, k, g, lambda)) return;
  for (int i = 0; i < s->text->n_fields; i++) g->in_stages = fmax(g->in_stages, cabs(lambda[i]));
}

static void look_at(search *s, const double k[3], triad_text_growth *g)
{
  double frequency;
  const double rate = fastest(s, k, &frequency, g);
  look_at_stages(s, k, g);
  g->frequency = fmax(g->frequency, frequency);
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

/* Does the rate grow from four times the wavenumbers of the grid, along a direction, to eight times these? */
static int is_unbounded(search *s, const triad_grid *grid, const int step[3], triad_text_growth *g)
{
  const triad_text *t = s->text;
  double k[3], rate[2], frequency;
  for (int i = 0; i < 3; i++) k[i] = t->flat[i] ? 0 : step[i] * triad_grid_reach(grid, i) * 4;
  if (!(triad_mode_k2(k) > 0)) return 0;
  for (int times = 0; times < 2; times++) {
    rate[times] = fastest(s, k, &frequency, g);
    for (int i = 0; i < 3; i++) k[i] *= 2;
  }
  if (!(rate[1] > 0) || !(rate[1] > 1.5 * rate[0])) return 0;
  for (int i = 0; i < 3; i++) g->unbounded_at[i] = k[i] / 16;
  return 1;
}

void triad_text_growth_of(triad_text *t, triad_text_linear *linear, const triad_grid *grid, triad_text_growth *out)
{
  search s = {.text = t};
  *out = (triad_text_growth){.rate = -INFINITY};
  take_stages(&s, linear);
  find_groups(&s);
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
