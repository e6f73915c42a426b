/* Parse which values are requested, filter the modes, evaluate them at the points and interpolate in time. */
#include "command/query/query_values.h"
#include "base/clock.h"
#include "command/query/query.h"
#include "command/query/query_device.h"
#include "command/query/query_source.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const suffixes[TRIAD_AT_MAX] = {"",      "_dx",   "_dy",   "_dz",   "_dxdx",
                                                   "_dydy", "_dzdz", "_dxdy", "_dxdz", "_dydz"};

static int is_pressure(const triad_query *q, const char *field)
{
  return strcmp(field, TRIAD_QUERY_PRESSURE) == 0 && triad_manifest_find(q->source.about[0], field) < 0;
}

static int add(triad_query *q, const char *field, int number)
{
  const triad_manifest *m = q->source.about[0];
  if (triad_manifest_find(m, field) < 0 && !is_pressure(q, field)) {
    char names[512] = "";
    size_t at = 0;
    for (int f = 0; f < m->n_fields && at < sizeof names; f++)
      at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", f ? ", " : "", m->fields[f].name);
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no field %.60s: it has %s", q->source.folder[0], field, names);
  }
  triad_query_column *c = &q->columns[q->n_columns];
  const char *d = number == 0 ? "" : number < 4 ? "d" : "d2";
  (void)snprintf(c->name, sizeof c->name, "%s%s%s", d, field, suffixes[number]);
  for (int i = 0; i < q->n_columns; i++)
    if (strcmp(q->columns[i].name, c->name) == 0) return TRIAD_OK;
  if (++q->n_columns == TRIAD_QUERY_COLUMNS) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--what: too many values per point");
  (void)snprintf(c->field, sizeof c->field, "%s", field);
  c->number = number;
  return TRIAD_OK;
}

/* Numbers first to last of a field, or with NULL of the velocity. */
static int add_all(triad_query *q, const char *field, int first, int last)
{
  static const char *const velocity[3] = {"u", "v", "w"};
  for (int i = 0; i < (field ? 1 : 3); i++)
    for (int m = first; m <= last; m++) TRIAD_TRY(add(q, field ? field : velocity[i], m));
  return TRIAD_OK;
}

static int take_filter(triad_query *q, const char *text)
{
  char *end;
  q->filter = strtod(text, &end);
  if (end == text || *end || !(q->filter > 0) || !isfinite(q->filter))
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--what filtered=%.40s: the wavenumber must be above 0", text);
  return TRIAD_OK;
}

static int take_word(triad_query *q, char *word)
{
  const triad_manifest *m = q->source.about[0];
  char *of = strchr(word, '=');
  if (of) *of++ = '\0';
  if (of && strcmp(word, "filtered") == 0) return take_filter(q, of);
  if (strcmp(word, "gradient") == 0) return add_all(q, of, 1, 3);
  if (strcmp(word, "hessian") == 0) return add_all(q, of, 4, 9);
  if (of) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--what %.40s=: only gradient, hessian and filtered accept a value", word);
  if (strcmp(word, "velocity") == 0) return add_all(q, NULL, 0, 0);
  if (strcmp(word, "fields") != 0) return add(q, word, 0);
  for (int f = 0; f < m->n_fields; f++) TRIAD_TRY(add(q, m->fields[f].name, 0));
  return TRIAD_OK;
}

int triad_query_columns(triad_query *q, const char *what)
{
  char *text = strdup(what ? what : "fields"), *rest = text;
  int st = text ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "--what");
  for (char *word; st == TRIAD_OK && (word = strsep(&rest, ",")) != NULL;) {
    while (isspace((unsigned char)*word)) word++;
    for (size_t n = strlen(word); n > 0 && isspace((unsigned char)word[n - 1]); n--) word[n - 1] = '\0';
    st = *word ? take_word(q, word) : TRIAD_FAIL(TRIAD_ERR_USAGE, "--what %.80s: empty item", what);
  }
  free(text);
  if (st == TRIAD_OK && q->n_columns == 0) st = add_all(q, NULL, 0, 0); /* filtered alone */
  return st;
}

static void filter_modes(const triad_layout *l, double most, double *modes)
{
  for (int64_t c = 0; c < l->all_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      double *u = modes + 2 * (c * l->nkz + j);
      if (sqrt(triad_layout_size2(l, c, j)) > most * (1 + 1e-12)) u[0] = u[1] = 0;
    }
}

/* Bits of the numbers of a field that are asked for. */
static unsigned numbers_of(const triad_query *q, const char *field)
{
  unsigned numbers = 0;
  for (int i = 0; i < q->n_columns; i++)
    if (strcmp(q->columns[i].field, field) == 0) numbers |= 1u << q->columns[i].number;
  return numbers;
}

/* -1: none. */
static int highest(const triad_query *q, const char *field)
{
  int order = -1;
  for (unsigned numbers = numbers_of(q, field); order < 2 && numbers >> (order < 0 ? 0 : triad_at_numbers(order));
       order++)
    continue;
  return order;
}

/* The numbers of one checkpoint: the first makes the values, of the second each goes a share of the way. */
static void store_values(triad_query *q, int i, const char *field, const double *values)
{
  int64_t n = q->points.n;
  for (int c = 0; c < q->n_columns; c++) {
    triad_query_column *column = &q->columns[c];
    const double *from = values + column->number * n;
    double *to = q->values + c * n, share = q->source.share, sum = 0;
    if (strcmp(column->field, field) != 0) continue;
    for (int64_t p = 0; p < n; p++) {
      double value = from[p], difference = value - to[p];
      to[p] = i == 0 ? value : to[p] + share * difference;
      sum += difference * difference;
    }
    column->difference = i == 0 ? 0 : sqrt(sum / (double)n);
  }
}

static int read_modes(triad_query *q, int i, const triad_layout *l, const char *field, triad_log *log, double *modes)
{
  const double begin = triad_now();
  if (is_pressure(q, field)) TRIAD_TRY(triad_query_pressure(&q->source, i, log, q->threads, modes));
  else TRIAD_TRY(triad_query_source_read(&q->source, i, field, modes));
  *(is_pressure(q, field) ? &q->took.pressure : &q->took.checkpoint) += triad_now() - begin;
  if (q->filter > 0) filter_modes(l, q->filter, modes);
  return TRIAD_OK;
}

/* One checkpoint's: what its fields go through. */
typedef struct work {
  triad_layout *layout;
  triad_at_points *at;
  double *modes, *values; /* of a field: [column][kz][2], [number][point] */
} work;

static int evaluate_field(triad_query *q, int i, work *w, const char *field, triad_log *log)
{
  TRIAD_TRY(read_modes(q, i, w->layout, field, log, w->modes));
  TRIAD_TRY(triad_at_points_run(w->at, numbers_of(q, field), w->modes, w->values));
  store_values(q, i, field, w->values);
  return TRIAD_OK;
}

/* Field number f of those of a checkpoint, then the pressure; NULL after the last. */
static const char *field_of(const triad_query *q, int f)
{
  const triad_manifest *m = q->source.about[0];
  if (f < m->n_fields) return m->fields[f].name;
  return f == m->n_fields && triad_manifest_find(m, TRIAD_QUERY_PRESSURE) < 0 ? TRIAD_QUERY_PRESSURE : NULL;
}

static int make_work(triad_query *q, const triad_session *s, const triad_manifest *m, work *w)
{
  int order = 0, fields = 0;
  for (int f = 0; field_of(q, f); f++) {
    const int own = highest(q, field_of(q, f));
    fields += own >= 0;
    if (own > order) order = own;
  }
  w->modes = malloc((size_t)(w->layout->all_columns * w->layout->nkz) * 2 * sizeof *w->modes);
  w->values = malloc((size_t)q->points.n * (size_t)triad_at_numbers(order) * sizeof *w->values);
  if (!w->modes || !w->values)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld modes of a field, %d values at %lld points",
                      (long long)(m->columns * m->nkz), triad_at_numbers(order), (long long)q->points.n);
  TRIAD_TRY(triad_query_at(&w->at, q, s, w->layout, order, fields * q->source.n));
  return triad_at_points_place(w->at, q->points.x);
}

static int evaluate(triad_query *q, int i, const triad_session *s)
{
  const triad_manifest *m = q->source.about[i];
  work w = {0};
  int st = triad_layout_create(&w.layout, &m->grid, 0, 1, 1);
  if (st == TRIAD_OK && (m->columns != w.layout->all_columns || m->nkz != w.layout->nkz))
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its columns do not match its grid", q->source.folder[i]);
  for (int c = 0; c < q->n_columns && st == TRIAD_OK; c++) {
    int f = triad_manifest_find(m, q->columns[c].field);
    if (f >= 0 && (m->fields[f].lines != m->columns || m->fields[f].line != m->nkz))
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: field %s has no modes", q->source.folder[i], m->fields[f].name);
  }
  if (st == TRIAD_OK) st = make_work(q, s, m, &w);
  for (int f = 0; st == TRIAD_OK && field_of(q, f); f++)
    if (highest(q, field_of(q, f)) >= 0) st = evaluate_field(q, i, &w, field_of(q, f), s->log);
  triad_query_at_done(q, &w.at);
  free(w.modes);
  free(w.values);
  triad_layout_destroy(&w.layout);
  return st;
}

int triad_query_evaluate(triad_query *q, const triad_session *s)
{
  const double *a = q->source.about[0]->grid.length;
  const double *b = q->source.n > 1 ? q->source.about[1]->grid.length : a;
  if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2])
    return TRIAD_FAIL(TRIAD_ERR_CASE, "the boxes of %s and %s have different lengths", q->source.folder[0],
                      q->source.folder[1]);
  q->values = calloc((size_t)q->points.n * (size_t)q->n_columns, sizeof *q->values);
  if (!q->values) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d values at %lld points", q->n_columns, (long long)q->points.n);
  for (int i = 0; i < q->source.n; i++) TRIAD_TRY(evaluate(q, i, s));
  return TRIAD_OK;
}
