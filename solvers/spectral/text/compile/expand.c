/* The value of a tree: a sum of terms for each component. Definitions are expanded where they are used, macros with
 * their arguments as trees, never as text. */
#include "base/status.h"
#include "solvers/spectral/text/compile/values.h"

#include <math.h>
#include <stdlib.h>

enum { DEEP = 200 };

#define PIECE(s, node) triad_text_piece(s, node, (char[64]){0}, 64)

typedef triad_text_compiler compiler;
typedef triad_text_source source;
typedef triad_text_value value;

static const triad_text_term one = {.c = 1, .outer = TRIAD_TEXT_ONE};

static int scalar_of(compiler *c, value *out, triad_text_term t)
{
  *out = (value){.rank = 1};
  return triad_text_append(c->text, &out->part[0], t) ? 1 : triad_text_no_memory(c);
}

static int field_of(compiler *c, value *out, int base)
{
  triad_text_term t = one;
  t.n = 1;
  t.factor[0] = (triad_text_factor){TRIAD_TEXT_ONE, base};
  return scalar_of(c, out, t);
}

static int complex_of(compiler *c, value *out, int real, int imaginary)
{
  value part;
  if (!field_of(c, out, real) || !field_of(c, &part, imaginary)) return 0;
  out->imaginary[0] = part.part[0];
  return 1;
}

/* A function of position and time; a number if it uses none. Takes the formula over. */
static int profile_of(compiler *c, const source *s, int node, value *out, triad_formula *f)
{
  triad_text_term t = one;
  if (!f) return triad_text_no_memory(c);
  if (triad_formula_uses(f, 0) || triad_formula_uses(f, 1) || triad_formula_uses(f, 2) || triad_formula_uses(f, 3)) {
    t.profile = triad_text_keep(c->text, f);
    return t.profile ? scalar_of(c, out, t) : triad_text_no_memory(c);
  }
  triad_formula_rows(f, 1, NULL, &t.c);
  triad_formula_destroy(&f);
  if (!isfinite(t.c))
    return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "\"%s\" is not a finite number", PIECE(s, node));
  return scalar_of(c, out, t);
}

/* A scalar without fields as a formula; NULL after an error. */
static triad_formula *formula_of(compiler *c, const source *s, int node, const value *v)
{
  triad_formula *all = NULL;
  const triad_text_sum *sum = &v->part[0];
  for (int i = 0; i < sum->n || !all; i++) {
    triad_formula *f = triad_formula_of_number(i < sum->n ? sum->term[i].c : 0);
    if (i < sum->n && sum->term[i].profile && f) {
      const triad_formula *both[2] = {f, sum->term[i].profile};
      triad_formula *product = triad_formula_join(triad_formula_product, 2, both);
      triad_formula_destroy(&f);
      f = product;
    }
    if (all && f) {
      const triad_formula *both[2] = {all, f};
      triad_formula *more = triad_formula_join(triad_formula_sum, 2, both);
      triad_formula_destroy(&f);
      f = more;
    }
    triad_formula_destroy(&all);
    if (!(all = f)) {
      (void)triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "\"%s\" is too long", PIECE(s, node));
      return NULL;
    }
  }
  return all;
}

static int sum_has_fields(const triad_text_sum *s)
{
  for (int i = 0; i < s->n; i++)
    if (s->term[i].n > 0 || s->term[i].outer != TRIAD_TEXT_ONE || s->term[i].mean) return 1;
  return 0;
}

static int has_fields(const value *v)
{
  for (int p = 0; p < v->rank; p++)
    if (sum_has_fields(&v->part[p]) || sum_has_fields(&v->imaginary[p])) return 1;
  return 0;
}

/* ---- functions of the language ---- */

static int expect(compiler *c, const source *s, int node, const value *v, int rank, const char *what)
{
  if (v->rank == rank) return 1;
  return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "%s requires %s, but \"%s\" is %s", what,
                          rank == 3 ? "a vector" : "a scalar", PIECE(s, node), triad_text_kind_of(v));
}

/* lap(q, n): n times. */
static int laplacian(compiler *c, const source *s, int node, const value *v, const value *times, value *out)
{
  double n = 1;
  if (times) {
    n = times->rank == 1 && times->imaginary[0].n == 0 && times->part[0].n == 1 && !has_fields(times) &&
            !times->part[0].term[0].profile
          ? times->part[0].term[0].c
          : 0;
    if (!(n >= 1 && n <= 16 && n - floor(n) <= 0))
      return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "lap(q, n) requires an integer n from 1 to 16");
  }
  triad_text_operators *o = &c->text->operators;
  return triad_text_each(c, triad_text_power(o, triad_text_laplacian(o), (int)n), v, out);
}

static int mean(compiler *c, const source *s, int node, const value *v, value *out)
{
  if (!c->in_invariant)
    return triad_text_wrong(c, s, node, TRIAD_ERR_FEATURE,
                            "mean(..) is supported in equations.invariants only: it would couple all points");
  if (!expect(c, s, node, v, 1, "mean(..)")) return 0;
  if (v->imaginary[0].n > 0)
    return triad_text_wrong(
      c, s, node, TRIAD_ERR_CASE,
      "mean(..) requires a real number, but \"%s\" is complex: use abs2(..), real(..) or imag(..)", PIECE(s, node));
  *out = (value){.rank = 1};
  for (int i = 0; i < v->part[0].n; i++) {
    triad_text_term term = v->part[0].term[i];
    /* An operator in front of a product acts on its mean only, whatever the wavenumbers of the factors are. */
    const double of_mean = triad_text_of_mean(c->text, triad_text_of(1, term.outer));
    triad_text_scale(&term, of_mean, fabs(of_mean));
    term.outer = TRIAD_TEXT_ONE;
    term.mean = 1;
    if (!triad_text_append(c->text, &out->part[0], term)) return triad_text_no_memory(c);
  }
  triad_text_collect(&out->part[0]);
  return 1;
}

/* ---- nodes ---- */

static int macro(compiler *c, const source *s, int node, const triad_text_frame *frame, value *out)
{
  const triad_formula_node *x = &s->node[node];
  const triad_text_definition *d = &c->definition[c->macro[x->number - TRIAD_TEXT_WORDS]];
  triad_text_frame inner = {.n = x->n, .source = s, .outer = frame};
  for (int i = 0; i < x->n && i < TRIAD_TEXT_ARGUMENTS; i++) inner.node[i] = x->operand[i];
  return triad_text_expand(c, &d->source, d->source.n - 1, &inner, out);
}

/* conj, real, imag of a scalar or a vector, abs2 of a scalar. */
static int of_complex(compiler *c, const source *s, int node, const value *v, value *out)
{
  value conjugate = {.rank = v->rank};
  *out = (value){.rank = v->rank};
  for (int p = 0; p < v->rank; p++) {
    conjugate.part[p] = v->part[p];
    if (!triad_text_sum_add(c->text, &conjugate.imaginary[p], &v->imaginary[p], -1)) return triad_text_no_memory(c);
    out->part[p] = s->node[node].number == TRIAD_TEXT_REAL_PART ? v->part[p] : v->imaginary[p];
  }
  if (s->node[node].number == TRIAD_TEXT_CONJ) *out = conjugate;
  if (s->node[node].number != TRIAD_TEXT_ABS2) return 1;
  return expect(c, s, node, v, 1, "abs2(..)") && triad_text_times_value(c, s, node, v, &conjugate, out);
}

static int word(compiler *c, const source *s, int node, const triad_text_frame *frame, value *out)
{
  const triad_formula_node *x = &s->node[node];
  value v[2] = {{0}};
  if (x->number >= TRIAD_TEXT_WORDS) return macro(c, s, node, frame, out);
  if (x->number == TRIAD_TEXT_INVERT)
    return triad_text_wrong(c, s, node, TRIAD_ERR_CASE,
                            "invert(..) must be all of an entry of equations.let: psi = invert(lap(psi), q)");
  for (int i = 0; i < x->n; i++)
    if (!triad_text_expand(c, s, x->operand[i], frame, &v[i])) return 0;
  const int of = x->operand[0];
  switch (x->number) {
  case TRIAD_TEXT_DX:
  case TRIAD_TEXT_DY:
  case TRIAD_TEXT_DZ:
    return triad_text_each(c, triad_text_wave(&c->text->operators, x->number - TRIAD_TEXT_DX), &v[0], out);
  case TRIAD_TEXT_LAP: return laplacian(c, s, node, &v[0], x->n > 1 ? &v[1] : NULL, out);
  case TRIAD_TEXT_GRAD: return expect(c, s, of, &v[0], 1, "grad(..)") && triad_text_gradient(c, &v[0], out);
  case TRIAD_TEXT_DIV: return expect(c, s, of, &v[0], 3, "div(..)") && triad_text_divergence(c, &v[0], out);
  case TRIAD_TEXT_CURL: return expect(c, s, of, &v[0], 3, "curl(..)") && triad_text_curl(c, &v[0], out);
  case TRIAD_TEXT_CROSS:
    return expect(c, s, of, &v[0], 3, "cross(..)") && expect(c, s, x->operand[1], &v[1], 3, "cross(..)") &&
           triad_text_cross(c, s, node, &v[0], &v[1], out);
  case TRIAD_TEXT_DT: return triad_text_rate(c, s, node, &v[0], out);
  case TRIAD_TEXT_MEAN: return mean(c, s, node, &v[0], out);
  case TRIAD_TEXT_CONJ:
  case TRIAD_TEXT_REAL_PART:
  case TRIAD_TEXT_IMAGINARY_PART:
  case TRIAD_TEXT_ABS2: return of_complex(c, s, node, &v[0], out);
  }
  return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "\"%s\" has no meaning here", PIECE(s, node));
}

/* u@grad(q) of a scalar or a vector, or u@v. */
static int dot(compiler *c, const source *s, int node, const triad_text_frame *frame, value *out)
{
  const triad_formula_node *x = &s->node[node], *right = &s->node[x->operand[1]];
  const int advects = right->kind == TRIAD_TREE_WORD && right->number == TRIAD_TEXT_GRAD;
  value a, b, slope;
  if (!triad_text_expand(c, s, x->operand[0], frame, &a)) return 0;
  if (!triad_text_expand(c, s, advects ? right->operand[0] : x->operand[1], frame, &b)) return 0;
  if (!expect(c, s, x->operand[0], &a, 3, "the left side of @")) return 0;
  if (!advects && !expect(c, s, x->operand[1], &b, 3, "the right side of @")) return 0;
  *out = (value){.rank = advects ? b.rank : 1};
  for (int axis = 0; axis < 3; axis++) {
    if (advects && !triad_text_each(c, triad_text_wave(&c->text->operators, axis), &b, &slope)) return 0;
    for (int p = 0; p < out->rank; p++)
      if (!triad_text_add_product(c, s, node, &a, axis, advects ? &slope : &b, advects ? p : axis, 1, out, p)) return 0;
  }
  return 1;
}

static int variable(compiler *c, const source *s, int node, const triad_text_frame *frame, value *out)
{
  const int v = s->node[node].number, number = c->meaning[v].number;
  switch (v < c->n_names ? c->meaning[v].kind : TRIAD_TEXT_IS_ARGUMENT) {
  case TRIAD_TEXT_IS_POSITION:
  case TRIAD_TEXT_IS_TIME: return profile_of(c, s, node, out, triad_formula_of_variable(v));
  case TRIAD_TEXT_IS_IMAGINARY: {
    int any = 0;
    for (int f = 0; f < c->text->n_fields; f++) any |= c->text->field[f].complex_part > 0;
    *out = (value){.rank = 1};
    if (any) return triad_text_append(c->text, &out->imaginary[0], one) ? 1 : triad_text_no_memory(c);
    return triad_text_wrong(c, s, node, TRIAD_ERR_CASE,
                            "i is the imaginary unit, but all fields are real: their rates would not be; remove it, or "
                            "name a parameter i");
  }
  case TRIAD_TEXT_IS_COMPLEX: return complex_of(c, out, number, number + 1);
  case TRIAD_TEXT_IS_FIELD: return field_of(c, out, number);
  case TRIAD_TEXT_IS_VECTOR: {
    value part;
    *out = (value){.rank = 3};
    for (int p = 0; p < 3; p++) {
      if (!field_of(c, &part, number + p)) return 0;
      out->part[p] = part.part[0];
    }
    return 1;
  }
  case TRIAD_TEXT_IS_LET: {
    triad_text_definition *d = &c->definition[number];
    if (d->imaginary >= 0) return complex_of(c, out, c->text->n_fields + d->unknown, c->text->n_fields + d->imaginary);
    if (d->unknown >= 0) return field_of(c, out, c->text->n_fields + d->unknown);
    if (d->open)
      return triad_text_wrong(c, s, node, TRIAD_ERR_CASE,
                              "\"%s\" is defined by itself: use %s = invert(operator on %s, right side)", d->name,
                              d->name, d->name);
    d->open = 1;
    const int good = triad_text_expand(c, &d->source, d->source.n - 1, NULL, out);
    d->open = 0;
    return good;
  }
  case TRIAD_TEXT_IS_ARGUMENT: break;
  }
  const int i = v - c->n_names;
  return triad_text_expand(c, frame->source, frame->node[i], frame->outer, out);
}

/* The operator of a linear sum of one field; c = 0: it is none. */
static triad_text_scaled operator_of(compiler *c, const triad_text_sum *sum)
{
  triad_text_scaled all = triad_text_of(0, TRIAD_TEXT_ZERO);
  for (int i = 0; i < sum->n; i++) {
    const triad_text_term *t = &sum->term[i];
    if (t->n != 1 || t->profile || t->mean || t->factor[0].base != sum->term[0].factor[0].base)
      return triad_text_of(0, TRIAD_TEXT_ZERO);
    all = triad_text_add(&c->text->operators, all, triad_text_of_factor(t));
  }
  return all;
}

/* What the functions of numbers are applied to has no fields. */
static int function(compiler *c, const source *s, int node, const value *v, value *out)
{
  const triad_formula_node *x = &s->node[node];
  triad_formula *f[TRIAD_FORMULA_OPERANDS] = {NULL}, *all = NULL;
  if (x->what == triad_formula_root && v[0].rank == 1 && v[0].imaginary[0].n == 0) {
    const triad_text_scaled root = triad_text_root(&c->text->operators, operator_of(c, &v[0].part[0]));
    if (root.node > TRIAD_TEXT_ONE) {
      triad_text_term r = v[0].part[0].term[0];
      r.c = root.c;
      r.size = root.size;
      r.factor[0].node = root.node;
      return scalar_of(c, out, r);
    }
  }
  for (int i = 0; i < x->n; i++)
    if (v[i].imaginary[0].n > 0)
      return triad_text_wrong(
        c, s, node, TRIAD_ERR_FEATURE,
        "functions of complex numbers, and division by them, are not supported yet: \"%s\" is complex",
        PIECE(s, x->operand[i]));
  for (int i = 0; i < x->n; i++)
    if (v[i].rank != 1 || has_fields(&v[i]))
      return triad_text_wrong(c, s, node, TRIAD_ERR_FEATURE,
                              "functions of fields are not supported yet, other than products of up to %d and "
                              "sqrt(-lap(q)): \"%s\" has a field",
                              TRIAD_TEXT_FACTORS, PIECE(s, x->operand[i]));
  int good = 1;
  for (int i = 0; i < x->n && good; i++) good = (f[i] = formula_of(c, s, node, &v[i])) != NULL;
  if (good) all = triad_formula_join(x->what, x->n, (const triad_formula *const *)f);
  for (int i = 0; i < x->n; i++) triad_formula_destroy(&f[i]);
  return good && profile_of(c, s, node, out, all);
}

/* a^n of fields: n = 2 or 3. */
static int power(compiler *c, const source *s, int node, const value *v, int n, value *out)
{
  value square;
  if (v->rank != 1)
    return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "\"%s\" is a vector: write u@u for its square",
                            PIECE(s, s->node[node].operand[0]));
  if (n == 2) return triad_text_times_value(c, s, node, v, v, out);
  return triad_text_times_value(c, s, node, v, v, &square) && triad_text_times_value(c, s, node, &square, v, out);
}

static int operation(compiler *c, const source *s, int node, value *v, value *out)
{
  const triad_formula_node *x = &s->node[node];
  switch (x->kind) {
  case TRIAD_TREE_NEGATE: return triad_text_each(c, triad_text_number(-1), &v[0], out);
  case TRIAD_TREE_ADD: return triad_text_add_value(c, s, node, &v[0], &v[1], 1, out);
  case TRIAD_TREE_SUBTRACT: return triad_text_add_value(c, s, node, &v[0], &v[1], -1, out);
  case TRIAD_TREE_MULTIPLY: return triad_text_times_value(c, s, node, &v[0], &v[1], out);
  case TRIAD_TREE_SQUARE: return has_fields(&v[0]) ? power(c, s, node, &v[0], 2, out) : function(c, s, node, v, out);
  case TRIAD_TREE_POWER: {
    const triad_text_sum *n = &v[1].part[0];
    if (!has_fields(&v[0])) return function(c, s, node, v, out);
    const double times =
      n->n == 1 && v[1].rank == 1 && v[1].imaginary[0].n == 0 && !has_fields(&v[1]) && !n->term[0].profile
        ? n->term[0].c
        : 0;
    if (times - 2 == 0 || times - 3 == 0) return power(c, s, node, &v[0], (int)times, out);
    return triad_text_wrong(c, s, node, TRIAD_ERR_FEATURE,
                            "powers of fields other than 2 and 3 are not supported yet: \"%s\"", PIECE(s, node));
  }
  case TRIAD_TREE_DIVIDE: {
    value one_over;
    if (v[1].rank != 1 || has_fields(&v[1]))
      return triad_text_wrong(c, s, node, TRIAD_ERR_FEATURE,
                              "division by a field is not supported yet: \"%s\" has one; write the term as a product",
                              PIECE(s, x->operand[1]));
    value both[2] = {{.rank = 1}, v[1]};
    if (!triad_text_append(c->text, &both[0].part[0], one)) return triad_text_no_memory(c);
    if (v[1].imaginary[0].n > 0) return function(c, s, node, both, &one_over); /* refused */
    return function(c, s, node, both, &one_over) && triad_text_times_value(c, s, node, &one_over, &v[0], out);
  }
  case TRIAD_TREE_VECTOR:
    *out = (value){.rank = 3};
    for (int p = 0; p < x->n && p < 3; p++) {
      if (!expect(c, s, x->operand[p], &v[p], 1, "a component")) return 0;
      out->part[p] = v[p].part[0];
      out->imaginary[p] = v[p].imaginary[0];
    }
    if (x->n == 3 || (x->n == 2 && c->text->flat[2])) return 1;
    return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "a vector has three components, (a, b, c), not %d%s", x->n,
                            x->n == 2 ? "; two are allowed if n_z is 1" : "");
  case TRIAD_TREE_FUNCTION: return function(c, s, node, v, out);
  case TRIAD_TREE_NUMBER:
  case TRIAD_TREE_VARIABLE:
  case TRIAD_TREE_WORD:
  case TRIAD_TREE_DOT: break; /* no operations: triad_text_expand has them */
  }
  return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "\"%s\" is not an operation", PIECE(s, node));
}

int triad_text_expand(compiler *c, const source *s, int node, const triad_text_frame *frame, value *out)
{
  const triad_formula_node *x = &s->node[node];
  value v[TRIAD_FORMULA_OPERANDS] = {{0}};
  int good = 1;
  *out = (value){.rank = 1};
  if (c->depth >= DEEP)
    return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "\"%s\": nested too deeply, or defined by itself",
                            PIECE(s, node));
  c->depth++;
  switch (x->kind) {
  case TRIAD_TREE_NUMBER: {
    triad_text_term t = one;
    t.c = x->value;
    good = isfinite(t.c)
             ? scalar_of(c, out, t)
             : triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "a number here is not finite: is it divided by 0?");
    break;
  }
  case TRIAD_TREE_VARIABLE: good = variable(c, s, node, frame, out); break;
  case TRIAD_TREE_WORD: good = word(c, s, node, frame, out); break;
  case TRIAD_TREE_DOT: good = dot(c, s, node, frame, out); break;
  case TRIAD_TREE_NEGATE:
  case TRIAD_TREE_ADD:
  case TRIAD_TREE_SUBTRACT:
  case TRIAD_TREE_MULTIPLY:
  case TRIAD_TREE_DIVIDE:
  case TRIAD_TREE_SQUARE:
  case TRIAD_TREE_POWER:
  case TRIAD_TREE_VECTOR:
  case TRIAD_TREE_FUNCTION:
    for (int i = 0; i < x->n && good; i++) good = triad_text_expand(c, s, x->operand[i], frame, &v[i]);
    good = good && operation(c, s, node, v, out);
  }
  c->depth--;
  return good;
}
