/* From fields to inputs, and from results to rates: rows of modes times multipliers. */
#include "solvers/spectral/text/compile/polynomials.h"
#include "solvers/spectral/text/set.h"

#include <math.h>
#include <string.h>

/* A link whose multiplier is c M0 M1. */
static int add_link(triad_text_set *s, triad_text_link *list, int *n, int to, int from, double c, int node, int other)
{
  const triad_text_operators *o = &s->text->operators;
  if (*n == TRIAD_TEXT_LINKS) return 0;
  if (node == TRIAD_TEXT_ONE) {
    node = other;
    other = TRIAD_TEXT_ONE;
  }
  triad_text_link *x = &list[(*n)++];
  *x = (triad_text_link){.to = to, .from = from, .c = c, .base = c, .clock = -1, .node = node, .other = other};
  if (node == TRIAD_TEXT_ONE) {
    x->way = TRIAD_TEXT_BY_NUMBER;
  } else if (other == TRIAD_TEXT_ONE && o->node[node].kind == TRIAD_TEXT_WAVE) {
    x->way = TRIAD_TEXT_BY_WAVE;
    x->axis = o->node[node].a;
  } else {
    const triad_text_parity a = triad_text_parity_of(o, node), b = triad_text_parity_of(o, other);
    x->way = a == TRIAD_TEXT_COMPLEX || b == TRIAD_TEXT_COMPLEX ? TRIAD_TEXT_BY_COMPLEX
             : a == b                                           ? TRIAD_TEXT_BY_REAL
                                                                : TRIAD_TEXT_BY_IMAGINARY;
  }
  return 1;
}

/* A function of time before a field, or before the fields that a variable of invert is made of. */
static int add_timed(triad_text_set *s, const triad_text_timed *x)
{
  const triad_text *t = s->text;
  if (x->factor.node == TRIAD_TEXT_ZERO) return 1;
  for (int f = 0; f < t->n_fields; f++) {
    const triad_text_scaled m = x->factor.base < t->n_fields ? triad_text_number(f == x->factor.base)
                                                             : t->solved[x->factor.base - t->n_fields][f];
    if (m.node == TRIAD_TEXT_ZERO) continue;
    if (!add_link(s, s->rate, &s->n_rates, x->field, s->n_results + f, x->c * m.c, x->factor.node, m.node)) return 0;
    s->rate[s->n_rates - 1].clock = x->clock;
  }
  return 1;
}

/* Is what a result or a field gives to a solenoidal vector, from component f on, free of divergence and of a mean? */
static int is_free(const triad_text_set *s, int f, int from, const double complex *at_mean)
{
  triad_text_polynomial divergence;
  divergence.n = 0;
  for (int i = 0; i < s->n_rates; i++) {
    const triad_text_link *x = &s->rate[i];
    if (x->from != from || x->to < f || x->to > f + 2) continue;
    if (x->clock >= 0 || cabs(at_mean[x->node] * at_mean[x->other]) > 0) return 0;
    if (!triad_text_polynomial_add(&s->text->operators, &divergence, triad_text_of(x->c, x->node), x->to - f, x->other))
      return 0;
  }
  triad_text_polynomial_tidy(&divergence);
  return divergence.n == 0;
}

/* Vectors whose rates are a curl, as that of a magnetic field, are not projected. */
static void find_projected(triad_text_set *s)
{
  static const double zero[3] = {0, 0, 0};
  const triad_text *t = s->text;
  double complex at_mean[TRIAD_TEXT_OPERATORS];
  triad_text_evaluate(&t->operators, zero, NULL, at_mean, NULL);
  for (int f = 0; f < t->n_fields; f++) {
    int free = 1;
    if (!t->field[f].solenoidal || t->field[f].axis != 0) continue;
    for (int from = 0; from < s->n_results + t->n_fields && free; from++) free = is_free(s, f, from, at_mean);
    for (int i = 0; i < 3; i++) free = free && !(fabs(s->schedule->constant[f + i]) > 0);
    for (int i = 0; i < s->schedule->n_timed; i++)
      free = free && !(s->schedule->timed[i].field >= f && s->schedule->timed[i].field <= f + 2);
    s->projected[f] = !free;
  }
}

int triad_text_links_make(triad_text_set *s)
{
  const triad_text *t = s->text;
  const triad_text_schedule *q = s->schedule;
  int good = 1;
  for (int i = 0; i < q->n_inputs && good; i++) {
    const triad_text_factor in = q->input[i];
    if (in.base < t->n_fields) {
      good = add_link(s, s->source, &s->n_sources, i, in.base, 1, in.node, TRIAD_TEXT_ONE);
      continue;
    }
    for (int f = 0; f < t->n_fields && good; f++) {
      const triad_text_scaled m = t->solved[in.base - t->n_fields][f];
      if (m.node != TRIAD_TEXT_ZERO) good = add_link(s, s->source, &s->n_sources, i, f, m.c, in.node, m.node);
    }
  }
  s->n_results = q->n_left;
  for (int u = 0; u < q->n_uses && good; u++)
    good =
      add_link(s, s->rate, &s->n_rates, q->use[u].field, q->use[u].output, q->use[u].c, q->use[u].node, TRIAD_TEXT_ONE);
  for (int i = 0; i < q->n_timed && good; i++) good = add_timed(s, &q->timed[i]);
  for (int a = 0; a < t->n_fields && good; a++)
    for (int f = 0; f < t->n_fields && good; f++) {
      const triad_text_scaled m = s->linear.rest[a][f];
      if (m.node == TRIAD_TEXT_ZERO || (s->linear.block_of[a] >= 0 && s->linear.block_of[a] == s->linear.block_of[f]))
        continue;
      good = add_link(s, s->rate, &s->n_rates, a, s->n_results + f, m.c, m.node, TRIAD_TEXT_ONE);
    }
  for (int i = 0; i < s->n_rates && good; i++) {
    s->rate[i].first = !s->has_rate[s->rate[i].to];
    s->has_rate[s->rate[i].to] = 1;
  }
  if (good) find_projected(s);
  return good
           ? TRIAD_OK
           : TRIAD_FAIL(TRIAD_ERR_FEATURE, "equations.evolve: more than %d multipliers in the rates are not supported",
                        TRIAD_TEXT_LINKS);
}

int triad_text_input_field(const triad_text_set *s, int input)
{
  int field = -1;
  for (int i = 0; i < s->n_sources; i++) {
    const triad_text_link *x = &s->source[i];
    if (x->to != input) continue;
    if (field >= 0 || x->way != TRIAD_TEXT_BY_NUMBER || fabs(x->c - 1) > 0) return -1;
    field = x->from;
  }
  return field;
}

static int has_table(const triad_text_link *x) { return x->way >= TRIAD_TEXT_BY_REAL; }

/* ---- tables ---- */

static int64_t width_of(const triad_text_link *x) { return x->way == TRIAD_TEXT_BY_COMPLEX ? 2 : 1; }

static void fill_table(const triad_text_set *s, const triad_text_link *x, triad_real *to)
{
  const triad_layout *l = s->layout;
  const triad_text_operators *o = &s->text->operators;
  char needed[TRIAD_TEXT_OPERATORS] = {0};
  triad_text_need(o, x->node, needed);
  triad_text_need(o, x->other, needed);
#pragma omp parallel for schedule(static) num_threads(s->context->threads)
  for (int64_t c = 0; c < l->n_blocks * l->lanes; c++) {
    double complex value[TRIAD_TEXT_OPERATORS];
    for (int64_t j = 0; j < l->nkz; j++) {
      const int64_t at = triad_layout_place(l, c, j);
      const int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
      double k[3];
      double complex m = 0;
      if (kz <= l->kz_extent[c]) {
        triad_layout_derivative(l, c, j, k);
        triad_text_evaluate(o, k, needed, value, NULL);
        m = value[x->node] * value[x->other];
      }
      if (x->way == TRIAD_TEXT_BY_REAL) to[at] = (triad_real)creal(m);
      else if (x->way == TRIAD_TEXT_BY_IMAGINARY) to[at] = (triad_real)cimag(m);
      else {
        to[2 * at] = (triad_real)creal(m);
        to[2 * at + 1] = (triad_real)cimag(m);
      }
    }
  }
}

static int take_table(triad_text_set *s, triad_text_link *x)
{
  if (!has_table(x)) return TRIAD_OK;
  for (int i = 0; i < s->n_tables; i++)
    if (s->table[i].node == x->node && s->table[i].other == x->other) {
      x->table = s->table[i].values;
      return TRIAD_OK;
    }
  triad_real *values;
  TRIAD_TRY(TRIAD_ALLOC(s->context->memory, "operators", width_of(x) * s->layout->modes, &values));
  s->table[s->n_tables].node = x->node;
  s->table[s->n_tables].other = x->other;
  s->table[s->n_tables++].values = values;
  x->table = values;
  fill_table(s, x, values);
  return TRIAD_OK;
}

void triad_text_profile_values(const triad_text_set *s, const triad_layout *l, int threads, int profile,
                               triad_real *values)
{
  const triad_grid *g = &s->grid;
  const triad_formula *f = s->schedule->profile[profile];
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t z = l->first_plane; z < l->first_plane + l->n_planes; z++)
    for (int64_t y = l->first_y; y < l->first_y + l->n_y && y < g->n[1]; y++)
      for (int64_t x = 0; x < g->n[0]; x++) {
        const double at[3] = {triad_grid_spacing(g, 0) * (double)x, triad_grid_spacing(g, 1) * (double)y,
                              triad_grid_spacing(g, 2) * (double)z};
        double value;
        triad_formula_rows(f, 1, (const double *const[]){&at[0], &at[1], &at[2]}, &value);
        values[triad_layout_row(l, y, z) + x] = (triad_real)value;
      }
}

/* The values of a profile at this rank's points. */
static int take_profile(triad_text_set *s, int number)
{
  TRIAD_TRY(TRIAD_ALLOC(s->context->memory, "profiles", triad_layout_points(s->layout), &s->profile[number]));
  triad_text_profile_values(s, s->layout, s->context->threads, number, s->profile[number]);
  return TRIAD_OK;
}

int triad_text_links_prepare(triad_text_set *s)
{
  for (int i = 0; i < s->n_sources; i++) TRIAD_TRY(take_table(s, &s->source[i]));
  for (int i = 0; i < s->n_rates; i++) TRIAD_TRY(take_table(s, &s->rate[i]));
  for (int p = 0; p < s->schedule->n_profiles; p++) TRIAD_TRY(take_profile(s, p));
  return TRIAD_OK;
}

void triad_text_links_free(triad_text_set *s)
{
  if (!s->context) return;
  for (int i = 0; i < s->n_tables; i++) TRIAD_FREE(s->context->memory, &s->table[i].values);
  for (int p = 0; p < TRIAD_TEXT_PROFILES; p++) TRIAD_FREE(s->context->memory, &s->profile[p]);
}

void triad_text_links_count(const triad_text_set *s, int *modes, int *points)
{
  int64_t reals = 0;
  const triad_text_link *list[2] = {s->source, s->rate};
  const int n[2] = {s->n_sources, s->n_rates};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < n[k]; i++)
      if (has_table(&list[k][i])) reals += width_of(&list[k][i]);
  *points = s->schedule->n_profiles;
  *modes = (int)((reals + 1) / 2);
}

/* ---- rows ---- */

/* One row: to = or += the two parts. No variables of the loop, which `omp simd` would keep in memory. */
#define ROW(TERM_RE, TERM_IM) \
  _Pragma("omp simd") for (int i = 0; i < TRIAD_LANES; i++) \
  { \
    to[i].re = first ? (TERM_RE) : to[i].re + (TERM_RE); \
    to[i].im = first ? (TERM_IM) : to[i].im + (TERM_IM); \
  }

static inline __attribute__((always_inline)) void link_row(int first, const triad_text_link *x, const triad_batch *b,
                                                           int64_t j, int64_t at, const triad_cplx *from,
                                                           triad_cplx *to)
{
  const triad_layout *l = b->layout;
  const triad_real c = (triad_real)x->c;
  switch (x->way) {
  case TRIAD_TEXT_BY_NUMBER: ROW(c * from[i].re, c * from[i].im) return;
  case TRIAD_TEXT_BY_COMPLEX: {
    const triad_real *table = x->table + 2 * at;
    ROW(c * (table[2 * i] * from[i].re - table[2 * i + 1] * from[i].im),
        c * (table[2 * i] * from[i].im + table[2 * i + 1] * from[i].re))
    return;
  }
  case TRIAD_TEXT_BY_REAL: {
    const triad_real *table = x->table + at;
    ROW(c * table[i] * from[i].re, c * table[i] * from[i].im)
    return;
  }
  case TRIAD_TEXT_BY_IMAGINARY: {
    const triad_real *table = x->table + at;
    ROW(-(c * table[i] * from[i].im), c * table[i] * from[i].re)
    return;
  }
  case TRIAD_TEXT_BY_WAVE: {
    if (x->axis == 2) {
      const triad_real m = c * (triad_real)l->wz[j];
      ROW(-(m * from[i].im), m * from[i].re)
      return;
    }
    const double *w = (x->axis == 0 ? l->wx : l->wy) + b->block * TRIAD_LANES;
    ROW(-(c * (triad_real)w[i] * from[i].im), c * (triad_real)w[i] * from[i].re)
    return;
  }
  }
}

void triad_text_link_row(int first, const triad_text_link *x, const triad_batch *b, int64_t j, int64_t at,
                         const triad_cplx *from, triad_cplx *to)
{
  if (first) link_row(1, x, b, j, at, from, to);
  else link_row(0, x, b, j, at, from, to);
}
