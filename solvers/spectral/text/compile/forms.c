/* Products in divergence form. */
#include "solvers/spectral/text/compile/algebra.h"
#include "solvers/spectral/text/compile/schedule.h"

enum { MANY = 1000 /* terms of a form */ };

static int last_axis(const triad_text *t) { return !t->flat[2] ? 2 : !t->flat[1] ? 1 : 0; }

/* The component whose derivative is replaced: not the one that derivatives are taken off, so that the
 * remaining terms cancel. */
static int replaced_axis(const triad_text *t, int base)
{
  const int last = last_axis(t);
  return base < t->n_fields && t->field[base].solenoidal && t->field[base].axis == last ? 0 : last;
}

/* A term whose factor number i is a solenoidal component along an axis, derived along it: minus the other two of its
 * divergence. */
static int eliminate(triad_text *t, triad_text_term term, int i, int last, triad_text_sum *out)
{
  const int base = term.factor[i].base;
  const triad_text_field *f = base < t->n_fields ? &t->field[base] : NULL;
  triad_text_scaled rest = triad_text_of(0, TRIAD_TEXT_ZERO);
  if (f && f->solenoidal && f->axis == last) rest = triad_text_without(&t->operators, term.factor[i].node, last);
  if (rest.node == TRIAD_TEXT_ZERO) return triad_text_append(t, out, term);
  triad_text_term other = term;
  other.n = 0;
  triad_text_scale(&other, -rest.c, rest.size);
  for (int k = 0; k < term.n; k++)
    if (k != i) other.factor[other.n++] = term.factor[k];
  for (int axis = 0; axis < 3; axis++) {
    if (axis == last) continue;
    const triad_text_scaled m =
      triad_text_times(&t->operators, triad_text_wave(&t->operators, axis), triad_text_of(1, rest.node));
    const triad_text_term slope = {
      .c = m.c, .size = m.size, .outer = TRIAD_TEXT_ONE, .n = 1, .factor[0] = {m.node, base - last + axis}};
    triad_text_term product;
    const int outer = other.outer;
    other.outer = TRIAD_TEXT_ONE;
    if (m.node != TRIAD_TEXT_ZERO) {
      if (triad_text_multiply(t, &other, &slope, &product) != 1) return 0;
      product.outer = outer;
      if (!triad_text_append(t, out, product)) return 0;
    }
    other.outer = outer;
  }
  return 1;
}

/* c M [A (m b)], as a product with its operator; c: the number of a term. */
static int append_product(triad_text *t, const triad_text_term *c, triad_text_scaled outer, triad_text_factor a,
                          triad_text_factor b, int replaced, triad_text_sum *out)
{
  triad_text_term left = {.c = c->c, .size = c->size, .outer = TRIAD_TEXT_ONE, .n = 1, .factor[0] = a};
  const triad_text_term right = {.c = 1, .outer = TRIAD_TEXT_ONE, .n = 1, .factor[0] = b};
  triad_text_term product;
  if (outer.node == TRIAD_TEXT_ZERO || a.node == TRIAD_TEXT_ZERO) return 1;
  triad_text_scale(&left, outer.c, outer.size);
  if (triad_text_multiply(t, &left, &right, &product) != 1) return 0;
  product.outer = outer.node;
  if (replaced < 0) return triad_text_append(t, out, product);
  int i = 0;
  while (i < 1 && (product.factor[i].base != a.base || product.factor[i].node != a.node)) i++;
  return eliminate(t, product, i, replaced, out);
}

/* The factor that has a derivative to be taken off, and its axis; -1: none. */
static int find_slope(triad_text *t, const triad_text_term *x, int base, int *axis, triad_text_scaled *rest)
{
  if (x->n != 2 || x->profile || x->clock) return -1;
  for (int i = 0; i < 2; i++)
    for (*axis = 0; x->factor[i].base == base && *axis < 3; ++*axis) {
      *rest = triad_text_without(&t->operators, x->factor[i].node, *axis);
      if (rest->node == TRIAD_TEXT_ZERO) continue;
      const triad_text_factor *other = &x->factor[1 - i];
      if (other->base != base || other->node == rest->node) return i;
    }
  return -1;
}

int triad_text_pull(triad_text *t, const triad_text_sum *sum, int base, triad_text_sum *out)
{
  triad_text_operators *o = &t->operators;
  triad_text_sum work = {0};
  *out = (triad_text_sum){0};
  if (!triad_text_sum_add(t, &work, sum, 1)) return 0;
  for (int done = 0; done < work.n; done++) {
    if (done == MANY) return -1;
    triad_text_term x = work.term[done];
    int axis;
    triad_text_scaled rest;
    const int i = find_slope(t, &x, base, &axis, &rest);
    if (i < 0) {
      if (!triad_text_append(t, out, x)) return 0;
      continue;
    }
    const triad_text_factor a = x.factor[1 - i], b = {rest.node, base};
    triad_text_scale(&x, rest.c, rest.size);
    const triad_text_scaled wave = triad_text_wave(o, axis);
    const triad_text_scaled outer = triad_text_times(o, wave, triad_text_of(1, x.outer));
    if (a.base == base) { /* A dx(A) = dx(A A)/2 */
      triad_text_term half = x;
      triad_text_scale(&half, 0.5, 0.5);
      if (!append_product(t, &half, outer, a, b, -1, &work)) return 0;
      continue;
    }
    const triad_text_scaled slope = triad_text_times(o, wave, triad_text_of(1, a.node));
    if (!append_product(t, &x, outer, a, b, -1, &work)) return 0;
    triad_text_scale(&x, -slope.c, slope.size);
    if (!append_product(t, &x, triad_text_of(1, x.outer), (triad_text_factor){slope.node, a.base}, b,
                        replaced_axis(t, base), &work))
      return 0;
  }
  triad_text_collect(out);
  return 1;
}

int triad_text_derived_bases(triad_text *t, const triad_text_sum *sum, int *list, int most)
{
  int n = 0;
  for (int base = 0; base < t->n_fields + t->n_lets && n < most; base++)
    for (int i = 0; i < sum->n; i++) {
      int axis;
      triad_text_scaled rest;
      if (find_slope(t, &sum->term[i], base, &axis, &rest) < 0) continue;
      list[n++] = base;
      break;
    }
  return n;
}
