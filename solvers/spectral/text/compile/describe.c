/* What the compiler found, line by line: terms, operators, linear terms, growth, transforms of a stage. */
#include "solvers/spectral/text/compile/describe.h"
#include "solvers/spectral/text/compile/kept.h"
#include "solvers/spectral/text/compile/profiles.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct printer {
  void (*print)(void *who, const char *line);
  void *who;
} printer;

static void say(const printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const printer *p, const char *format, ...)
{
  char line[1024];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(line, sizeof line, format, args);
  va_end(args);
  p->print(p->who, line);
}

/* ---- operators and terms as text ---- */

enum { LINE = 512 };

static void append(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char *to, const char *format, ...)
{
  const size_t used = strlen(to);
  va_list args;
  va_start(args, format);
  if (used < LINE - 1) (void)vsnprintf(to + used, LINE - used, format, args);
  va_end(args);
}

static void put_operator(const triad_text_operators *o, int node, int depth, char *to)
{
  const triad_text_node *x = &o->node[node];
  if (depth > 6) {
    append(to, "..");
    return;
  }
  switch (x->kind) {
  case TRIAD_TEXT_ZERO: append(to, "0"); return;
  case TRIAD_TEXT_ONE: append(to, "1"); return;
  case TRIAD_TEXT_WAVE: append(to, "d%c", "xyz"[x->a]); return;
  case TRIAD_TEXT_SUM:
    append(to, "(");
    if (fabs(x->ca - 1) > 0) append(to, "%g ", x->ca);
    put_operator(o, x->a, depth + 1, to);
    append(to, x->cb < 0 ? " - " : " + ");
    if (fabs(fabs(x->cb) - 1) > 0) append(to, "%g ", fabs(x->cb));
    put_operator(o, x->b, depth + 1, to);
    append(to, ")");
    return;
  case TRIAD_TEXT_PRODUCT:
    put_operator(o, x->a, depth + 1, to);
    append(to, " ");
    put_operator(o, x->b, depth + 1, to);
    return;
  case TRIAD_TEXT_INVERSE:
    append(to, "inverse[");
    put_operator(o, x->a, depth + 1, to);
    append(to, "]");
    return;
  case TRIAD_TEXT_ROOT:
    append(to, "sqrt[");
    put_operator(o, x->a, depth + 1, to);
    append(to, "]");
    return;
  case TRIAD_TEXT_ENTRY: append(to, "inverse%d[%d,%d]", x->a + 1, x->row + 1, x->column + 1); return;
  }
}

static const char *base_name(const triad_text *t, int base)
{
  return base < t->n_fields ? t->field[base].name : t->let[base - t->n_fields];
}

static void put_factor(const triad_text *t, triad_text_factor f, char *to)
{
  if (f.node != TRIAD_TEXT_ONE) {
    put_operator(&t->operators, f.node, 0, to);
    append(to, " ");
  }
  append(to, "%s", base_name(t, f.base));
}

static void put_term(const triad_text *t, const triad_text_term *x, char *to)
{
  append(to, " %c ", x->c < 0 ? '-' : '+');
  if (fabs(fabs(x->c) - 1) > 0 || (x->n == 0 && !x->profile)) append(to, "%.6g ", fabs(x->c));
  if (x->outer != TRIAD_TEXT_ONE) {
    put_operator(&t->operators, x->outer, 0, to);
    append(to, " [");
  }
  for (int i = 0; i < x->n; i++) {
    if (i > 0) append(to, " * ");
    put_factor(t, x->factor[i], to);
  }
  if (x->profile) append(to, "%sf(x, y, z)", x->n > 0 ? " * " : "");
  if (x->clock) append(to, "%sg(t)", x->n > 0 || x->profile ? " * " : "");
  if (x->outer != TRIAD_TEXT_ONE) append(to, "]");
}

/* How much of a function of position is aliased. */
static void put_aliases(const triad_text_set *s, const triad_text_term *x, char *to)
{
  if (!x->profile) return;
  const double beyond = triad_text_beyond(x->profile, &s->grid, x->n);
  if (beyond < 0) append(to, "   (aliases are not known: no memory)");
  else if (beyond > triad_text_beyond_none) append(to, "   (%.2g of the function is aliased with kept modes)", beyond);
  else append(to, "   (free of aliases in the kept modes)");
}

/* ---- parts of the description ---- */

/* A real rate of one field that is no sum of powers of k^2 is in a 1 x 1 matrix, but a decay too. */
static const char *how_linear(const triad_text_set *s, int a, int f)
{
  const triad_decay *d = &s->linear.decay[a];
  const int block = s->linear.block_of[a], node = s->text->linear[a][f].node;
  if (block >= 0)
    return s->linear.block[block].n == 1 && triad_text_parity_of(&s->text->operators, node) == TRIAD_TEXT_REAL
             ? "exact, decay"
             : "exact, coupled";
  if (a == f && s->linear.rest[a][f].node == TRIAD_TEXT_ZERO) return "exact, decay";
  const double parts[4] = {d->viscosity, d->hyperviscosity, d->drag, d->growth};
  for (int i = 0; i < 4 && a == f; i++)
    if (fabs(parts[i]) > 0) return "decay exact, the rest explicit";
  return "explicit";
}

static void explain_rates(const triad_text_set *s, const printer *p)
{
  const triad_text *t = s->text;
  for (int a = 0; a < t->n_fields; a++) {
    for (int f = 0; f < t->n_fields; f++) {
      char line[LINE] = "";
      const triad_text_scaled m = t->linear[a][f];
      if (m.node == TRIAD_TEXT_ZERO) continue;
      put_term(t, &(triad_text_term){.c = m.c, .outer = TRIAD_TEXT_ONE, .n = 1, .factor[0] = {m.node, f}}, line);
      say(p, "  dt(%s) linear     %s   (%s)", t->field[a].name, line, how_linear(s, a, f));
    }
    for (int i = 0; i < t->other[a].n; i++) {
      char line[LINE] = "";
      const triad_text_term *x = &t->other[a].term[i];
      put_term(t, x, line);
      put_aliases(s, x, line);
      say(p, "  dt(%s) %s%s", t->field[a].name,
          x->n > 1    ? "nonlinear  "
          : x->n == 1 ? x->profile ? "profile    " : "of time    "
                      : "source     ",
          line);
    }
  }
}

static void explain_growth(const triad_text_set *s, const printer *p)
{
  const triad_text_growth *g = &s->growth;
  const char *which = g->all_modes ? "all kept modes" : "a sample of the kept modes";
  if (g->rate > 0)
    say(p, "linear growth: at most %.9g [1/time], at k = (%g, %g, %g), of %s", g->rate, g->at[0], g->at[1], g->at[2],
        which);
  else say(p, "linear growth: none, of %s", which);
  if (g->frequency > 0) say(p, "linear frequency: at most %.9g [1/time]", g->frequency);
}

static void explain_kept(const triad_text_set *s, const printer *p)
{
  for (int i = -1; i < s->text->n_invariants; i++) {
    if (i == s->energy && i >= 0) continue;
    const triad_text_kept kept = triad_text_kept_of(s, i < 0 ? s->energy : i);
    const char *how[2];
    if (kept.nonlinear < 0) {
      say(p, "what is kept is not known: no memory");
      return;
    }
    for (int k = 0; k < 2; k++)
      how[k] = (k == 0 ? kept.nonlinear : kept.linear) <= TRIAD_TEXT_EQUAL ? "kept" : "not kept";
    say(p, "%s: %s by products of fields, %s by linear terms", i < 0 ? "energy" : s->text->invariant[i].name, how[0],
        how[1]);
  }
}

static void explain_transforms(const triad_text_set *s, const printer *p)
{
  const triad_text_schedule *q = s->schedule;
  char line[LINE] = "";
  for (int i = 0; i < q->n_inputs; i++) {
    if (i > 0) append(line, ", ");
    put_factor(s->text, q->input[i], line);
  }
  say(p, "transforms of a stage: %d fields to points, %d products or sums of products back (%d along z)", q->n_inputs,
      q->n_outputs, q->n_left);
  say(p, "  to points: %s", line);
  const int degree = s->text->degree;
  const triad_grid *grid = &s->grid;
  int aliased = 0;
  for (int i = 0; i < 3; i++) {
    const double kept = floor(triad_grid_reach(grid, i) * grid->length[i] / (2 * TRIAD_PI) + 1e-9);
    aliased |= grid->n[i] > 1 && (degree + 1) * kept >= (double)grid->n[i];
  }
  if (degree < 2) say(p, "products of fields: none");
  else
    say(p, "products of up to %d fields: %s", degree,
        aliased ? "aliased with the kept modes" : "free of aliases in the kept modes");
}

void triad_text_explain(const void *self, void (*print)(void *who, const char *line), void *who)
{
  const triad_text_set *s = self;
  const printer p = {print, who};
  explain_rates(s, &p);
  explain_growth(s, &p);
  explain_kept(s, &p);
  explain_transforms(s, &p);
  for (int b = 0; b < s->linear.n_blocks; b++) {
    char line[LINE] = "";
    for (int i = 0; i < s->linear.block[b].n; i++)
      append(line, "%s%s", i > 0 ? ", " : "", s->text->field[s->linear.block[b].field[i]].name);
    say(&p, "coupled linear terms: a %d x %d matrix per mode, of %s", s->linear.block[b].n, s->linear.block[b].n, line);
  }
}

static void to_log(void *who, const char *line) { triad_log_info(who, "%s", line); }

void triad_text_describe(const void *self, triad_log *log)
{
  const triad_text_set *s = self;
  triad_text_explain(self, to_log, log);
  for (int a = 0; a < s->text->n_fields; a++)
    for (int i = 0; i < s->text->other[a].n; i++) {
      const triad_text_term *x = &s->text->other[a].term[i];
      const double beyond = x->profile ? triad_text_beyond(x->profile, &s->grid, x->n) : 0;
      if (beyond > triad_text_beyond_none)
        triad_log_warning(log,
                          "equations.evolve: %.2g of a function of position in the equation for %s is in modes that "
                          "are aliased with kept ones: use a finer grid, a smaller grid.radius or a smoother function",
                          beyond, s->text->field[a].name);
    }
}
