/* Write a formula as a sum of products of a function of position, a function of time, and a field: sin(x - 2*t) is
 * sin(x) cos(2*t) - cos(x) sin(2*t).
 *
 * The program becomes a tree. From the leaves up, each node becomes a sum of terms if the rules of sums, products and
 * angles allow it. Constants are factors of the function of time unless they are inside the function of position. */
#include "case/formula/formula_internal.h"
#include "case/formula/formula_split.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { OF_POINTS = 1, OF_TIME = 2, OF_FIELDS = 4, TIME = 3, MOST_NODES = 4096, NONE = -1 };

typedef struct node {
  triad_formula_step step;
  int operand[4], what_of; /* OF_.. or'ed */
  int size;                /* steps of its program */
} node;

/* space * time * field, of which NONE is 1. */
typedef struct term {
  int space, time, field;
} term;

/* The sum of terms of a node; n = 0: it is no such sum. */
typedef struct sum {
  int node, n;
  term terms[TRIAD_FORMULA_TERMS];
} sum;

typedef struct splitter {
  int n, full;
  node nodes[MOST_NODES];
  int top;
  sum stack[TRIAD_FORMULA_STACK + 4];
} splitter;

/* ---- the tree ---- */

static int add_node(splitter *s, node new)
{
  if (s->n == MOST_NODES) {
    s->full = 1;
    return 0;
  }
  s->nodes[s->n] = new;
  return s->n++;
}

/* Nodes may have operands in common, so that a program could be longer than any memory. */
static int operation(splitter *s, int what, const int *operand)
{
  node new = {.step.what = what, .size = 1};
  for (int i = 0; i < triad_formula_operands(what); i++) {
    new.operand[i] = operand[i];
    new.what_of |= s->nodes[operand[i]].what_of;
    new.size += s->nodes[operand[i]].size;
  }
  s->full |= new.size > TRIAD_FORMULA_STEPS;
  return s->full ? 0 : add_node(s, new);
}

static int of_two(splitter *s, int what, int a, int b) { return operation(s, what, (int[]){a, b}); }
static int of_one(splitter *s, int what, int a) { return operation(s, what, &a); }

static int leaf(splitter *s, triad_formula_step step)
{
  const int of = step.what == TRIAD_DO_CONSTANT ? 0
                 : step.variable < TIME         ? OF_POINTS
                 : step.variable == TIME        ? OF_TIME
                                                : OF_FIELDS;
  return add_node(s, (node){.step = step, .what_of = of, .size = 1});
}

static int is_same(const splitter *s, int a, int b)
{
  if (a == b) return 1;
  if (a < 0 || b < 0 || s->nodes[a].step.what != s->nodes[b].step.what) return 0;
  const triad_formula_step *p = &s->nodes[a].step, *q = &s->nodes[b].step;
  if (p->what == TRIAD_DO_VARIABLE) return p->variable == q->variable;
  if (p->what == TRIAD_DO_CONSTANT) return memcmp(&p->value, &q->value, sizeof p->value) == 0;
  for (int i = 0; i < triad_formula_operands(p->what); i++)
    if (!is_same(s, s->nodes[a].operand[i], s->nodes[b].operand[i])) return 0;
  return 1;
}

/* ---- the rules ---- */

static int product(splitter *s, int a, int b) { return a < 0 ? b : b < 0 ? a : of_two(s, TRIAD_DO_MULTIPLY, a, b); }

static int negative(splitter *s, int a)
{
  return a < 0 ? leaf(s, (triad_formula_step){.what = TRIAD_DO_CONSTANT, .value = -1}) : of_one(s, TRIAD_DO_NEGATE, a);
}

static void add_term(sum *out, term t)
{
  if (out->n < 0 || out->n == TRIAD_FORMULA_TERMS) out->n = -1; /* too many */
  else out->terms[out->n++] = t;
}

static void add(splitter *s, const sum *a, const sum *b, int minus, sum *out)
{
  for (int i = 0; i < a->n; i++) add_term(out, a->terms[i]);
  for (int i = 0; i < b->n; i++) {
    term t = b->terms[i];
    if (minus) t.time = negative(s, t.time);
    add_term(out, t);
  }
}

static void multiply(splitter *s, const sum *a, const sum *b, sum *out)
{
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < b->n; j++) {
      const term p = a->terms[i], q = b->terms[j];
      if (p.field >= 0 && q.field >= 0) out->n = -1;
      add_term(out, (term){product(s, p.space, q.space), product(s, p.time, q.time), p.field >= 0 ? p.field : q.field});
    }
}

/* By one term without fields. */
static void divide(splitter *s, const sum *a, const sum *b, sum *out)
{
  const term q = b->terms[0];
  const int one = leaf(s, (triad_formula_step){.what = TRIAD_DO_CONSTANT, .value = 1});
  if (b->n != 1 || q.field >= 0) out->n = -1;
  for (int i = 0; i < a->n && out->n >= 0; i++) {
    term t = a->terms[i];
    if (q.space >= 0) t.space = of_two(s, TRIAD_DO_DIVIDE, t.space < 0 ? one : t.space, q.space);
    if (q.time >= 0) t.time = of_two(s, TRIAD_DO_DIVIDE, t.time < 0 ? one : t.time, q.time);
    add_term(out, t);
  }
}

/* sin or cos of a function of position plus a function of time. */
static void turn(splitter *s, int what, const sum *a, sum *out)
{
  int part[2] = {NONE, NONE}; /* of points, of time */
  for (int i = 0; i < a->n; i++) {
    const term t = a->terms[i];
    const int of = t.space >= 0 ? 0 : 1, mixed = t.space >= 0 && t.time >= 0 && s->nodes[t.time].what_of;
    if (mixed || t.field >= 0) return;
    const int whole = product(s, t.space, t.time);
    part[of] = part[of] < 0 ? whole : of_two(s, TRIAD_DO_ADD, part[of], whole);
  }
  if (part[0] < 0 || part[1] < 0) return;
  const int sine = what == TRIAD_DO_SIN, time_cos = of_one(s, TRIAD_DO_COS, part[1]),
            time_sin = of_one(s, TRIAD_DO_SIN, part[1]);
  add_term(out, (term){of_one(s, what, part[0]), time_cos, NONE});
  add_term(
    out, (term){of_one(s, sine ? TRIAD_DO_COS : TRIAD_DO_SIN, part[0]), sine ? time_sin : negative(s, time_sin), NONE});
}

/* What operation `what` of sums[] comes to. */
static void terms_of(splitter *s, int what, const sum *a, sum *out)
{
  const int of = s->nodes[out->node].what_of;
  out->n = 0;
  if (!(of & ~OF_TIME)) {
    add_term(out, (term){NONE, out->node, NONE});
    return;
  }
  if (!(of & ~OF_POINTS)) {
    add_term(out, (term){out->node, NONE, NONE});
    return;
  }
  for (int i = 0; i < triad_formula_operands(what); i++)
    if (a[i].n == 0) return;
  switch (what) {
  case TRIAD_DO_ADD:
  case TRIAD_DO_SUBTRACT: add(s, &a[0], &a[1], what == TRIAD_DO_SUBTRACT, out); break;
  case TRIAD_DO_NEGATE: add(s, out, &a[0], 1, out); break;
  case TRIAD_DO_MULTIPLY: multiply(s, &a[0], &a[1], out); break;
  case TRIAD_DO_SQUARE: multiply(s, &a[0], &a[0], out); break;
  case TRIAD_DO_DIVIDE: divide(s, &a[0], &a[1], out); break;
  case TRIAD_DO_SIN:
  case TRIAD_DO_COS: turn(s, what, &a[0], out); break;
  default: break;
  }
  if (out->n < 0) out->n = 0;
}

static void step_of(splitter *s, const triad_formula_step *step)
{
  sum out = {0};
  if (step->what == TRIAD_DO_CONSTANT || step->what == TRIAD_DO_VARIABLE) {
    out.node = leaf(s, *step);
    const int of = s->nodes[out.node].what_of;
    out.n = 1;
    out.terms[0] = of & OF_FIELDS   ? (term){NONE, NONE, step->variable}
                   : of & OF_POINTS ? (term){out.node, NONE, NONE}
                                    : (term){NONE, out.node, NONE};
  } else {
    const int operands = triad_formula_operands(step->what);
    int operand[4];
    s->top -= operands;
    for (int i = 0; i < operands; i++) operand[i] = s->stack[s->top + i].node;
    out.node = operation(s, step->what, operand);
    terms_of(s, step->what, &s->stack[s->top], &out);
  }
  s->stack[s->top++] = out;
}

/* Merge terms with the same function of time and the same field. Terms with a field must not depend on position
 * otherwise. */
static int gather(splitter *s, sum *all)
{
  int n = 0;
  for (int i = 0; i < all->n; i++) {
    const term t = all->terms[i];
    int k = 0;
    if (t.field >= 0 && t.space >= 0) return 0;
    while (k < n && (all->terms[k].field != t.field || !is_same(s, all->terms[k].time, t.time))) k++;
    if (k == n) {
      all->terms[n++] = t;
    } else if (t.field >= 0) { /* c u + c u: as two */
      all->terms[n++] = t;
    } else {
      const int one = leaf(s, (triad_formula_step){.what = TRIAD_DO_CONSTANT, .value = 1});
      const int a = all->terms[k].space < 0 ? one : all->terms[k].space, b = t.space < 0 ? one : t.space;
      all->terms[k].space = of_two(s, TRIAD_DO_ADD, a, b);
    }
  }
  all->n = n;
  return n > 0 && !s->full;
}

/* ---- programs ---- */

static int write_node(const splitter *s, int at, triad_formula *out, int height)
{
  const node *a = &s->nodes[at];
  const int is_value = a->step.what == TRIAD_DO_CONSTANT || a->step.what == TRIAD_DO_VARIABLE;
  for (int i = 0; !is_value && i < triad_formula_operands(a->step.what); i++)
    if (!write_node(s, a->operand[i], out, height + i)) return 0;
  if (out->n == TRIAD_FORMULA_STEPS || height + 1 > TRIAD_FORMULA_STACK) return 0;
  out->step[out->n++] = a->step;
  return 1;
}

/* *out <- the program of a node, NULL for NONE; 0: too long, TRIAD_ERR_MEMORY in *st. */
static int program(const splitter *s, int at, triad_formula **out, int *st)
{
  *out = NULL;
  if (at < 0) return 1;
  *out = malloc(sizeof **out);
  if (!*out) *st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a formula");
  if (!*out) return 0;
  (*out)->n = 0;
  return write_node(s, at, *out, 0);
}

void triad_formula_terms_free(triad_formula_term *terms, int n)
{
  for (int i = 0; i < n; i++) {
    triad_formula_destroy(&terms[i].space);
    triad_formula_destroy(&terms[i].time);
  }
}

int triad_formula_split(const triad_formula *f, triad_formula_term terms[TRIAD_FORMULA_TERMS], int *n)
{
  int st = TRIAD_OK, good = 1;
  *n = 0;
  splitter *s = calloc(1, sizeof *s);
  if (!s) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a formula");
  for (int i = 0; i < f->n && !s->full; i++) step_of(s, &f->step[i]);
  if (!s->full && gather(s, &s->stack[0]))
    for (int i = 0; i < s->stack[0].n && good; i++) {
      const term t = s->stack[0].terms[i];
      terms[i] = (triad_formula_term){.field = t.field};
      *n = i + 1;
      good = program(s, t.space, &terms[i].space, &st) && program(s, t.time, &terms[i].time, &st);
    }
  free(s);
  if (good) return TRIAD_OK;
  triad_formula_terms_free(terms, *n);
  *n = 0;
  return st;
}

int triad_formula_is_same(const triad_formula *a, const triad_formula *b)
{
  if (!a || !b) return a == b;
  int same = a->n == b->n;
  for (int i = 0; same && i < a->n; i++) {
    const triad_formula_step *p = &a->step[i], *q = &b->step[i];
    same = p->what == q->what && (p->what != TRIAD_DO_VARIABLE || p->variable == q->variable) &&
           (p->what != TRIAD_DO_CONSTANT || memcmp(&p->value, &q->value, sizeof p->value) == 0);
  }
  return same;
}
