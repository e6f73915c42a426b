#include "command/query.h"
#include "fft/at_points.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const suffixes[TRIAD_AT_MOST] = {"",       "_dx",   "_dy",   "_dz",   "_dxdx",
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
  if (++q->n_columns == TRIAD_QUERY_COLUMNS) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--what: too many numbers a point");
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
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--what filtered=%.40s: a wavenumber above 0 is wanted", text);
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
  if (of) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--what %.40s=: gradient, hessian and filtered take a value", word);
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
    st = *word ? take_word(q, word) : TRIAD_FAIL(TRIAD_ERR_USAGE, "--what %.80s: an empty word", what);
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
      if (sqrt(l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c] + l->wz[j] * l->wz[j]) > most * (1 + 1e-12)) u[0] = u[1] = 0;
    }
}

static int highest(const triad_query *q, const char *field)
{
  int order = -1;
  for (int i = 0; i < q->n_columns; i++) {
    int own = q->columns[i].number == 0 ? 0 : q->columns[i].number < 4 ? 1 : 2;
    if (strcmp(q->columns[i].field, field) == 0 && own > order) order = own;
  }
  return order;
}

/* The numbers of one checkpoint: the first makes the values, of the second each goes a share of the way. */
static void keep(triad_query *q, int i, const char *field, int numbers, const double *values)
{
  int64_t n = q->points.n;
  for (int c = 0; c < q->n_columns; c++) {
    triad_query_column *column = &q->columns[c];
    double *to = q->values + c * n, share = q->source.share, sum = 0;
    if (strcmp(column->field, field) != 0) continue;
    for (int64_t p = 0; p < n; p++) {
      double value = values[p * numbers + column->number], difference = value - to[p];
      to[p] = i == 0 ? value : to[p] + share * difference;
      sum += difference * difference;
    }
    column->difference = i == 0 ? 0 : sqrt(sum / (double)n);
  }
}

static int evaluate_field(triad_query *q, int i, const triad_layout *l, const char *field, double *modes, triad_log *log,
                          int threads)
{
  int order = highest(q, field), numbers = triad_at_numbers(order);
  triad_at_points *at = NULL;
  TRIAD_TRY(is_pressure(q, field) ? triad_query_pressure(&q->source, i, log, threads, modes)
                                  : triad_query_source_read(&q->source, i, field, modes));
  if (q->filter > 0) filter_modes(l, q->filter, modes);
  double *values = malloc((size_t)q->points.n * (size_t)numbers * sizeof *values);
  int st = TRIAD_OK;
  if (!values) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d values at %lld points", numbers, (long long)q->points.n);
  if (st == TRIAD_OK) st = triad_at_points_create(&at, l, q->points.n, q->points.x, order, TRIAD_AT_CHEAPEST, threads);
  if (st == TRIAD_OK) {
    triad_at_points_run(at, modes, values);
    keep(q, i, field, numbers, values);
  }
  triad_at_points_destroy(&at);
  free(values);
  return st;
}

static int evaluate(triad_query *q, int i, triad_log *log, int threads)
{
  const triad_manifest *m = q->source.about[i], *named = q->source.about[0];
  triad_layout *l = NULL;
  double *modes = NULL;
  int st = triad_layout_create(&l, &m->grid, 0, 1, 1);
  if (st == TRIAD_OK && (m->columns != l->all_columns || m->nkz != l->nkz))
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its columns are not those of its grid", q->source.folder[i]);
  for (int c = 0; c < q->n_columns && st == TRIAD_OK; c++) {
    int f = triad_manifest_find(m, q->columns[c].field);
    if (f >= 0 && (m->fields[f].lines != m->columns || m->fields[f].line != m->nkz))
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: field %s has no modes", q->source.folder[i], m->fields[f].name);
  }
  if (st == TRIAD_OK) {
    modes = malloc((size_t)(l->all_columns * l->nkz) * 2 * sizeof *modes);
    if (!modes) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "modes of a field");
  }
  for (int f = 0; f < named->n_fields && st == TRIAD_OK; f++)
    if (highest(q, named->fields[f].name) >= 0) st = evaluate_field(q, i, l, named->fields[f].name, modes, log, threads);
  if (st == TRIAD_OK && highest(q, TRIAD_QUERY_PRESSURE) >= 0 && is_pressure(q, TRIAD_QUERY_PRESSURE))
    st = evaluate_field(q, i, l, TRIAD_QUERY_PRESSURE, modes, log, threads);
  free(modes);
  triad_layout_destroy(&l);
  return st;
}

int triad_query_evaluate(triad_query *q, triad_log *log, int threads)
{
  const double *a = q->source.about[0]->grid.length;
  const double *b = q->source.n > 1 ? q->source.about[1]->grid.length : a;
  if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2])
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s and %s have boxes of other lengths", q->source.folder[0],
                      q->source.folder[1]);
  q->values = calloc((size_t)q->points.n * (size_t)q->n_columns, sizeof *q->values);
  if (!q->values)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d values at %lld points", q->n_columns, (long long)q->points.n);
  for (int i = 0; i < q->source.n; i++) TRIAD_TRY(evaluate(q, i, log, threads));
  return TRIAD_OK;
}
