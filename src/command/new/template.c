/* Read templates of cases, evaluate their formulas, and write cases. */
#include "command/new/template.h"

#include "base/status.h"
#include "case/formula/formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "#: "
enum { MOST_POINTS = 1 << 20 /* as in the schema of cases */, HALVINGS = 200 };

static const char *const flows[] = {"box", "walls", "body", "gas", "mesh"};
enum { FLOWS = sizeof flows / sizeof *flows };

static int flow_of(const triad_template *t)
{
  for (int i = 0; i < FLOWS; i++)
    if (strcmp(t->flow, flows[i]) == 0) return i;
  return FLOWS;
}

static int wrong(const triad_template *t, const char *what)
{
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "template %s: %s", t->name, what);
}

/* Copy a directive's text. */
static int take_text(const triad_template *t, const char *from, size_t length, char *to, size_t size)
{
  if (length >= size) return wrong(t, "a directive is too long");
  memcpy(to, from, length);
  to[length] = '\0';
  return TRIAD_OK;
}

static int take_asks(triad_template *t, const char *line)
{
  char words[96] = "";
  int n = sscanf(line, "%23s %lf %lf %lf %95[^\n]", t->asks, &t->least, &t->usual, &t->most, words);
  if (n != 5 && !triad_template_asks_mesh(t)) return wrong(t, "asks: option, three numbers and words");
  (void)snprintf(t->words, sizeof t->words, "%s", words);
  (void)snprintf(t->symbol, sizeof t->symbol, "%s", t->asks);
  for (char *c = t->symbol; *c; c++)
    if (*c == '-') *c = '_';
  return TRIAD_OK;
}

static int take_formula(triad_template *t, const char *name, size_t name_length, const char *text, size_t length)
{
  if (t->n_formulas == TRIAD_TEMPLATE_FORMULAS) return wrong(t, "more than 32 formulas");
  int i = t->n_formulas++;
  while (name_length > 0 && name[name_length - 1] == ' ') name_length--;
  t->formula[i].text = text;
  t->formula[i].length = (int)length;
  return take_text(t, name, name_length, t->formula[i].name, sizeof t->formula[i].name);
}

static int take_line(triad_template *t, const char *line, size_t length)
{
  char word[16] = "";
  if (sscanf(line, "%15s", word) != 1) return wrong(t, "an empty directive");
  const char *rest = line + strlen(word) + strspn(line + strlen(word), " ");
  size_t left = length - (size_t)(rest - line);
  if (strcmp(word, "flow") == 0) return take_text(t, rest, left, t->flow, sizeof t->flow);
  if (strcmp(word, "solver") == 0) return take_text(t, rest, left, t->solver, sizeof t->solver);
  if (strcmp(word, "computes") == 0) return take_text(t, rest, left, t->computes, sizeof t->computes);
  if (strcmp(word, "asks") == 0) return take_asks(t, rest);
  if (strcmp(word, "multiple") == 0) return (t->multiple = atoi(rest)) > 0 ? TRIAD_OK : wrong(t, "multiple");
  if (strcmp(word, "least") == 0) return (t->least_n = atoi(rest)) > 0 ? TRIAD_OK : wrong(t, "least");
  if (strcmp(word, "measure") == 0) return (t->measure_n = atoi(rest)) > 0 ? TRIAD_OK : wrong(t, "measure");
  const char *name = strcmp(word, "let") == 0 ? rest : line, *equals = memchr(line, '=', length);
  if (!equals || equals <= name) return wrong(t, "an unknown directive");
  return take_formula(t, name, (size_t)(equals - name), equals + 1, length - (size_t)(equals + 1 - line));
}

static int take_template(triad_template *t, const triad_template_file *file)
{
  *t = (triad_template){.name = file->name, .multiple = 2, .least_n = 8, .measure_n = 48};
  const char *at = file->text;
  while (strncmp(at, MARK, sizeof MARK - 1) == 0) {
    size_t length = strcspn(at, "\n");
    TRIAD_TRY(take_line(t, at + sizeof MARK - 1, length - (sizeof MARK - 1)));
    at += length + (at[length] == '\n');
  }
  t->body = at;
  if (!*t->solver || !*t->computes || !*t->asks || flow_of(t) == FLOWS)
    return wrong(t, "flow, solver, computes or asks is missing");
  return TRIAD_OK;
}

static int by_flow(const void *a, const void *b)
{
  const triad_template *s = a, *t = b;
  int order = flow_of(s) - flow_of(t);
  return order ? order : strcmp(s->name, t->name);
}

int triad_templates_read(triad_template *all, int *count)
{
  *count = 0;
  for (const triad_template_file *f = triad_template_files; f->name; f++) {
    if (*count == TRIAD_TEMPLATES) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "more than %d templates", TRIAD_TEMPLATES);
    TRIAD_TRY(take_template(&all[(*count)++], f));
  }
  qsort(all, (size_t)*count, sizeof *all, by_flow);
  return TRIAD_OK;
}

int triad_template_asks_mesh(const triad_template *t) { return strcmp(t->asks, "mesh") == 0; }

static int is_smooth(int64_t n)
{
  static const int primes[] = {2, 3, 5, 7};
  for (int i = 0; i < 4; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n == 1;
}

/* n itself if it has no prime factor above 7, else the next multiple that has none. */
static int64_t smooth(int64_t n, int64_t multiple)
{
  n = (n + multiple - 1) / multiple * multiple;
  while (!is_smooth(n) && n < MOST_POINTS) n += multiple;
  return n;
}

int64_t triad_template_round_up(const triad_template *t, double points)
{
  double least = fmax(points - 1e-9, t->least_n);
  return smooth((int64_t)ceil(fmin(least, MOST_POINTS)), t->multiple);
}

int64_t triad_template_round_down(const triad_template *t, double points)
{
  int64_t n = (int64_t)fmin(points, MOST_POINTS) / t->multiple * t->multiple;
  while (n >= t->least_n && !is_smooth(n)) n -= t->multiple;
  return n >= t->least_n ? n : 0;
}

static void put(triad_template_numbers *o, const char *name, double value)
{
  o->name[o->count] = name;
  o->value[o->count++] = value;
}

static int evaluate(const triad_template *t, const triad_template_numbers *o, const char *text, int length,
                    double *value)
{
  char why[TRIAD_FORMULA_WHY];
  const triad_formula_scope scope = {.n = o->count, .name = o->name, .value = o->value};
  int st = triad_formula_number(text, (size_t)length, &scope, value, why);
  if (st == TRIAD_ERR_CASE) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "template %s: %.*s: %s", t->name, length, text, why);
  return st;
}

int triad_template_compute(const triad_template *t, double value, int64_t n, triad_template_numbers *out)
{
  *out = (triad_template_numbers){.n = n};
  put(out, t->symbol, value);
  for (int i = 0; i < t->n_formulas; i++) {
    const char *name = t->formula[i].name;
    double v;
    TRIAD_TRY(evaluate(t, out, t->formula[i].text, t->formula[i].length, &v));
    if (strcmp(name, "cells") == 0) out->cells = v;
    else if (strcmp(name, "points") == 0) {
      out->required = ceil(v - 1e-9);
      if (n == 0) out->n = triad_template_round_up(t, v);
      put(out, "required", out->required);
      put(out, "n", (double)out->n);
      continue;
    }
    put(out, name, v);
    if (strcmp(name, "steps") == 0) out->steps = v;
  }
  return TRIAD_OK;
}

/* Of a positive number the three leading digits. */
static double three_digits(double value)
{
  double unit = pow(10, floor(log10(value) + 1e-12) - 2);
  return floor(value / unit + 1e-9) * unit;
}

int triad_template_largest(const triad_template *t, int64_t n, double *value)
{
  triad_template_numbers o;
  double low = t->least, high = t->most;
  if (strcmp(t->symbol, "points") == 0) {
    *value = fmin((double)n, t->most);
    return TRIAD_OK;
  }
  TRIAD_TRY(triad_template_compute(t, high, 0, &o));
  if (o.n <= n) low = high;
  for (int i = 0; i < HALVINGS && high - low > 1e-6 * high; i++) {
    double middle = 0.5 * (low + high);
    TRIAD_TRY(triad_template_compute(t, middle, 0, &o));
    if (o.n <= n) low = middle;
    else high = middle;
  }
  *value = fmax(three_digits(low), t->least);
  return TRIAD_OK;
}

/* Where a case is written: after a # numbers have three digits, and a comment behind a value begins in column 30. */
typedef struct writer {
  FILE *f;
  int column, comment;
} writer;

enum { COMMENT_COLUMN = 30 };

static void write_text(writer *w, const char *text) { w->column += fprintf(w->f, "%s", text); }

static void write_char(writer *w, char c)
{
  if (c == '#' && !w->comment) {
    if (w->column > 0 && w->column < COMMENT_COLUMN) (void)fprintf(w->f, "%*s", COMMENT_COLUMN - w->column, "");
    w->comment = 1;
  }
  (void)fputc(c, w->f);
  w->column++;
  if (c == '\n') w->column = w->comment = 0;
}

static int write_formula(writer *w, const triad_template *t, const triad_template_numbers *o, const char *text,
                         int length)
{
  static const char points[] = "points ";
  int is_points = length >= (int)sizeof points && strncmp(text, points, sizeof points - 1) == 0;
  int skip = is_points ? (int)sizeof points - 1 : 0;
  char number[32];
  double v;
  TRIAD_TRY(evaluate(t, o, text + skip, length - skip, &v));
  if (is_points) v = (double)smooth((int64_t)ceil(v - 1e-9), 2);
  if (fabs(v - rint(v)) < 1e-9 * fabs(v) && fabs(v) < 1e9) (void)snprintf(number, sizeof number, "%.0f", v);
  else (void)snprintf(number, sizeof number, "%.*g", w->comment ? 3 : 5, v);
  write_text(w, number);
  return TRIAD_OK;
}

static int write_braces(writer *w, const triad_template *t, const triad_template_numbers *o,
                        const triad_template_texts *texts, const char *text, int length)
{
  const struct {
    const char *name, *text;
  } known[] = {{"memory", texts->memory},
               {"time", texts->time},
               {"grown", texts->grown},
               {"command", texts->command},
               {"mesh", texts->mesh}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if ((int)strlen(known[i].name) != length || strncmp(text, known[i].name, (size_t)length) != 0) continue;
    write_text(w, known[i].text ? known[i].text : "");
    return TRIAD_OK;
  }
  return write_formula(w, t, o, text, length);
}

int triad_template_write(const triad_template *t, const triad_template_numbers *numbers,
                         const triad_template_texts *texts, char **out)
{
  size_t size = 0;
  int st = TRIAD_OK;
  *out = NULL;
  writer w = {.f = open_memstream(out, &size)};
  if (!w.f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a case");
  for (const char *at = t->body; st == TRIAD_OK && *at;) {
    const char *close = *at == '{' ? strchr(at, '}') : NULL;
    if (close) {
      st = write_braces(&w, t, numbers, texts, at + 1, (int)(close - at - 1));
      at = close + 1;
    } else write_char(&w, *at++);
  }
  if (fclose(w.f) && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a case");
  return st;
}
