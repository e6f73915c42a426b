/* The graph of multipliers. Every new node is compared with the older ones by their polynomials (polynomials.h). */
#include "solvers/spectral/text/compile/operators.h"
#include "solvers/spectral/text/compile/matrix_points.h"
#include "solvers/spectral/text/compile/polynomials.h"

#include "base/cmplx.h"

#include <math.h>
#include <string.h>

static const triad_text_scaled nothing = {0, TRIAD_TEXT_ZERO};

/* Signs differ between samples, so that |k_x| is no multiple of k_x. */
void triad_text_operators_start(triad_text_operators *o, const int flat[3], const double unit[3])
{
  static const double sample[TRIAD_TEXT_SAMPLES][3] = {{1.2345678, 2.1718281, 0.7320508},
                                                       {-2.6457513, 1.4142135, 1.6180339},
                                                       {1.7724538, -0.9159655, 2.3025850},
                                                       {0.8346268, 1.2020569, -1.4513692},
                                                       {0, 0, 0}};
  memset(o, 0, sizeof *o);
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++)
    for (int i = 0; i < 3; i++) o->sample[s][i] = flat[i] ? 0 : sample[s][i] * unit[i];
  o->node[0].kind = TRIAD_TEXT_ZERO;
  o->node[0].vanishes = 1;
  o->node[1].kind = TRIAD_TEXT_ONE;
  o->node[1].n_terms = o->n_pool = 1;
  o->pool[0] = (triad_text_monomial){.c = 1, .size = 1};
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) o->node[1].sample[s] = o->node[1].size[s] = 1;
  o->n = 2;
}

static int is_mean(const double k[3]) { return !(k[0] * k[0] + k[1] * k[1] + k[2] * k[2] > 0); }

/* The inverse of matrix s from the values of its elements. A singular matrix of the mean has the inverse 0. */
static int system_inverse(const triad_text_system *m, const double complex *value, triad_value *out)
{
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++) {
      const double complex element = m->element[i][j].c * value[m->element[i][j].node];
      out[i * m->n + j] = triad_value_of(creal(element), cimag(element));
    }
  return triad_text_invert(m->n, out);
}

/* The sum of the absolute values of the terms of a node, from those of older nodes and its value: a smaller value by
 * 1e-12 is 0. */
static double size_of(const triad_text_node *x, const double k[3], const double *size, double complex value)
{
  switch (x->kind) {
  case TRIAD_TEXT_WAVE: return fabs(k[x->a]);
  case TRIAD_TEXT_SUM: return fabs(x->ca) * size[x->a] + fabs(x->cb) * size[x->b];
  case TRIAD_TEXT_PRODUCT: return size[x->a] * size[x->b];
  case TRIAD_TEXT_ZERO:
  case TRIAD_TEXT_ONE:
  case TRIAD_TEXT_ROOT:
  case TRIAD_TEXT_INVERSE:
  case TRIAD_TEXT_ENTRY: break;
  }
  return cabs(value);
}

/* The value of a node from those of older nodes. */
static double complex value_of(const triad_text_operators *o, const triad_text_node *x, const double k[3],
                               const double complex *v, const double *size, int *lacks)
{
  switch (x->kind) {
  case TRIAD_TEXT_ZERO: return 0;
  case TRIAD_TEXT_ONE: return 1;
  case TRIAD_TEXT_WAVE: return I * k[x->a];
  case TRIAD_TEXT_SUM: return x->ca * v[x->a] + x->cb * v[x->b];
  case TRIAD_TEXT_PRODUCT: return v[x->a] * v[x->b];
  case TRIAD_TEXT_ROOT:
    if (lacks && creal(v[x->a]) < -TRIAD_TEXT_EQUAL * size[x->a]) *lacks |= TRIAD_TEXT_NO_ROOT;
    return sqrt(fmax(creal(v[x->a]), 0));
  case TRIAD_TEXT_INVERSE:
    if (cabs(v[x->a]) > TRIAD_TEXT_EQUAL * size[x->a]) return 1 / v[x->a];
    if (lacks && !is_mean(k)) *lacks |= TRIAD_TEXT_NO_INVERSE;
    return 0;
  case TRIAD_TEXT_ENTRY: {
    triad_value inverse[TRIAD_TEXT_MATRIX * TRIAD_TEXT_MATRIX];
    if (!system_inverse(&o->system[x->a], v, inverse) && lacks && !is_mean(k)) *lacks |= TRIAD_TEXT_NO_INVERSE;
    const triad_value entry = inverse[x->row * o->system[x->a].n + x->column];
    return CMPLX(entry.re, entry.im);
  }
  }
  return 0;
}

void triad_text_evaluate(const triad_text_operators *o, const double k[3], const char *needed, double complex *value,
                         int *lacks)
{
  double size[TRIAD_TEXT_OPERATORS];
  for (int i = 0; i < o->n; i++) {
    if (needed && !needed[i]) continue;
    value[i] = value_of(o, &o->node[i], k, value, size, lacks);
    if (o->node[i].sized) size[i] = size_of(&o->node[i], k, size, value[i]);
  }
}

int triad_text_risky(const triad_text_operators *o, const char *needed, char *risky)
{
  int any = 0;
  memset(risky, 0, TRIAD_TEXT_OPERATORS);
  for (int i = 0; i < o->n; i++) {
    const triad_text_kind kind = o->node[i].kind;
    if (!needed[i] || (kind != TRIAD_TEXT_INVERSE && kind != TRIAD_TEXT_ENTRY && kind != TRIAD_TEXT_ROOT)) continue;
    triad_text_need(o, i, risky);
    any = 1;
  }
  return any;
}

void triad_text_need(const triad_text_operators *o, int node, char *needed)
{
  const triad_text_node *x = &o->node[node];
  if (needed[node]) return;
  needed[node] = 1;
  if (x->kind == TRIAD_TEXT_SUM || x->kind == TRIAD_TEXT_PRODUCT) triad_text_need(o, x->b, needed);
  if (x->kind == TRIAD_TEXT_SUM || x->kind == TRIAD_TEXT_PRODUCT || x->kind == TRIAD_TEXT_INVERSE ||
      x->kind == TRIAD_TEXT_ROOT)
    triad_text_need(o, x->a, needed);
  if (x->kind != TRIAD_TEXT_ENTRY) return;
  const triad_text_system *m = &o->system[x->a];
  for (int i = 0; i < m->n; i++)
    for (int k = 0; k < m->n; k++) triad_text_need(o, m->element[i][k].node, needed);
}

static int is_same(const triad_text_node *x, const triad_text_node *y)
{
  return x->kind == y->kind && x->a == y->a && x->b == y->b && x->row == y->row && x->column == y->column &&
         !(x->ca < y->ca || x->ca > y->ca || x->cb < y->cb || x->cb > y->cb);
}

/* A node whose sums of absolute values are read, and those that it is made of. */
static void mark_sized(triad_text_operators *o, int node)
{
  triad_text_node *x = &o->node[node];
  if (x->sized) return;
  x->sized = 1;
  if (x->kind != TRIAD_TEXT_SUM && x->kind != TRIAD_TEXT_PRODUCT) return;
  mark_sized(o, x->a);
  mark_sized(o, x->b);
}

/* Returns what it lacks at the first sample. */
static int take_samples(const triad_text_operators *o, triad_text_node *x)
{
  double complex value[TRIAD_TEXT_OPERATORS];
  double size[TRIAD_TEXT_OPERATORS];
  int lacks = 0;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
    for (int i = 0; i < o->n; i++) {
      value[i] = o->node[i].sample[s];
      size[i] = o->node[i].size[s];
    }
    x->sample[s] = value_of(o, x, o->sample[s], value, size, s == 0 ? &lacks : NULL);
    x->size[s] = size_of(x, o->sample[s], size, x->sample[s]);
  }
  return lacks;
}

/* An element that is 0 whatever the wavenumber, as of a triangular matrix. */
static int is_empty_entry(const triad_text_node *x)
{
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++)
    if (cabs(x->sample[s]) > 0) return 0;
  return x->kind == TRIAD_TEXT_ENTRY;
}

static triad_text_scaled append(triad_text_operators *o, triad_text_node x, const triad_text_polynomial *p)
{
  if (o->n == TRIAD_TEXT_OPERATORS) {
    o->full = 1;
    return nothing;
  }
  triad_text_polynomial_store(o, &x, p);
  o->node[o->n] = x;
  if (x.kind == TRIAD_TEXT_INVERSE || x.kind == TRIAD_TEXT_ROOT) mark_sized(o, x.a);
  return (triad_text_scaled){1, o->n++};
}

/* The node, or an older one that it is a multiple of. */
static triad_text_scaled enter(triad_text_operators *o, triad_text_node x)
{
  triad_text_polynomial p;
  for (int i = 2; i < o->n; i++)
    if (is_same(&x, &o->node[i])) return (triad_text_scaled){1, i};
  const int is_known = triad_text_polynomial_of(o, &x, &p);
  if (is_known && p.n == 0) return nothing;
  for (int i = 1; i < o->n && is_known; i++) {
    double factor;
    if (triad_text_polynomial_is_multiple(o, &p, i, &factor)) return (triad_text_scaled){factor, i};
  }
  const int lacks = take_samples(o, &x);
  if (!lacks && is_empty_entry(&x)) return nothing;
  return append(o, x, is_known ? &p : NULL);
}

triad_text_scaled triad_text_number(double c)
{
  return c < 0 || c > 0 ? (triad_text_scaled){c, TRIAD_TEXT_ONE} : nothing;
}

triad_text_scaled triad_text_wave(triad_text_operators *o, int axis)
{
  if (!(fabs(o->sample[0][axis]) > 0)) return nothing; /* an axis of one point */
  return enter(o, (triad_text_node){.kind = TRIAD_TEXT_WAVE, .a = axis});
}

triad_text_scaled triad_text_add(triad_text_operators *o, triad_text_scaled a, triad_text_scaled b)
{
  if (a.node == TRIAD_TEXT_ZERO) return b;
  if (b.node == TRIAD_TEXT_ZERO) return a;
  if (a.node == b.node) {
    const double c = a.c + b.c;
    return fabs(c) > 1e-14 * (fabs(a.c) + fabs(b.c)) ? (triad_text_scaled){c, a.node} : nothing;
  }
  return enter(o, (triad_text_node){.kind = TRIAD_TEXT_SUM, .a = a.node, .b = b.node, .ca = a.c, .cb = b.c});
}

triad_text_scaled triad_text_times(triad_text_operators *o, triad_text_scaled a, triad_text_scaled b)
{
  triad_text_scaled r;
  if (a.node == TRIAD_TEXT_ZERO || b.node == TRIAD_TEXT_ZERO) return nothing;
  if (a.node == TRIAD_TEXT_ONE) return (triad_text_scaled){a.c * b.c, b.node};
  if (b.node == TRIAD_TEXT_ONE) return (triad_text_scaled){a.c * b.c, a.node};
  r = enter(o, (triad_text_node){.kind = TRIAD_TEXT_PRODUCT, .a = a.node, .b = b.node});
  r.c *= a.c * b.c;
  return r;
}

triad_text_scaled triad_text_power(triad_text_operators *o, triad_text_scaled a, int n)
{
  triad_text_scaled r = triad_text_number(1);
  for (int i = 0; i < n; i++) r = triad_text_times(o, r, a);
  return r;
}

triad_text_scaled triad_text_inverse(triad_text_operators *o, triad_text_scaled a)
{
  if (a.node == TRIAD_TEXT_ZERO) return nothing;
  if (a.node == TRIAD_TEXT_ONE) return triad_text_number(1 / a.c);
  triad_text_scaled r = enter(o, (triad_text_node){.kind = TRIAD_TEXT_INVERSE, .a = a.node});
  r.c /= a.c;
  return r;
}

triad_text_scaled triad_text_root(triad_text_operators *o, triad_text_scaled a)
{
  if (a.node == TRIAD_TEXT_ZERO) return nothing;
  if (a.node == TRIAD_TEXT_ONE) return a.c > 0 ? triad_text_number(sqrt(a.c)) : nothing;
  const triad_text_node *x = &o->node[a.node];
  if (x->parity != TRIAD_TEXT_REAL) return nothing;
  /* the mean is looked at with the kept modes, which names it */
  for (int s = 0; s < TRIAD_TEXT_SAMPLES - 1; s++)
    if (creal(x->sample[s]) * a.c < 0) return nothing;
  /* lap is negative, so its root is taken of -lap, a node that is not compared with lap */
  int node = a.node;
  if (a.c < 0) {
    triad_text_node positive = {.kind = TRIAD_TEXT_SUM, .a = a.node, .b = TRIAD_TEXT_ZERO, .ca = -1};
    for (node = 2; node < o->n && !is_same(&positive, &o->node[node]);) node++;
    if (node == o->n) {
      (void)take_samples(o, &positive);
      if (append(o, positive, NULL).node == TRIAD_TEXT_ZERO) return nothing;
    }
  }
  triad_text_scaled r = enter(o, (triad_text_node){.kind = TRIAD_TEXT_ROOT, .a = node});
  r.c *= sqrt(fabs(a.c));
  return r;
}

triad_text_scaled triad_text_laplacian(triad_text_operators *o)
{
  triad_text_scaled sum = nothing;
  for (int i = 0; i < 3; i++) {
    const triad_text_scaled w = triad_text_wave(o, i);
    sum = triad_text_add(o, sum, triad_text_times(o, w, w));
  }
  return sum;
}

triad_text_scaled triad_text_entry(triad_text_operators *o, int s, int row, int column)
{
  return enter(o, (triad_text_node){.kind = TRIAD_TEXT_ENTRY, .a = s, .row = row, .column = column});
}

triad_text_scaled triad_text_without(triad_text_operators *o, int node, int axis)
{
  const triad_text_node x = o->node[node];
  if (x.kind == TRIAD_TEXT_WAVE) return x.a == axis ? triad_text_number(1) : nothing;
  if (x.kind != TRIAD_TEXT_PRODUCT) return nothing;
  triad_text_scaled r = triad_text_without(o, x.a, axis);
  if (r.node != TRIAD_TEXT_ZERO) return triad_text_times(o, r, (triad_text_scaled){1, x.b});
  r = triad_text_without(o, x.b, axis);
  return triad_text_times(o, (triad_text_scaled){1, x.a}, r);
}

triad_text_parity triad_text_parity_of(const triad_text_operators *o, int node) { return o->node[node].parity; }
