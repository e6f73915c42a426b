/* The graph of multipliers. Every new node is compared with the older ones at the sample wavenumbers. */
#include "solvers/spectral/text/compile/operators.h"
#include "solvers/spectral/text/compile/matrix_points.h"

#include "base/cmplx.h"

#include <math.h>
#include <string.h>

static const double EQUAL = 1e-12;

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
  o->node[1].kind = TRIAD_TEXT_ONE;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) o->node[1].sample[s] = 1;
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

/* The largest absolute value of a node at the samples: smaller values by 1e-12 are 0. */
static double sample_size(const triad_text_node *x)
{
  double size = 0;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) size = fmax(size, cabs(x->sample[s]));
  return size;
}

/* The value of a node from those of older nodes. */
static double complex value_of(const triad_text_operators *o, const triad_text_node *x, const double k[3],
                               const double complex *v, int *lacks)
{
  switch (x->kind) {
  case TRIAD_TEXT_ZERO: return 0;
  case TRIAD_TEXT_ONE: return 1;
  case TRIAD_TEXT_WAVE: return I * k[x->a];
  case TRIAD_TEXT_SUM: return x->ca * v[x->a] + x->cb * v[x->b];
  case TRIAD_TEXT_PRODUCT: return v[x->a] * v[x->b];
  case TRIAD_TEXT_ROOT:
    if (lacks && creal(v[x->a]) < -1e-12 * sample_size(&o->node[x->a])) *lacks |= TRIAD_TEXT_NO_ROOT;
    return sqrt(fmax(creal(v[x->a]), 0));
  case TRIAD_TEXT_INVERSE:
    if (cabs(v[x->a]) > 1e-12 * sample_size(&o->node[x->a])) return 1 / v[x->a];
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
  for (int i = 0; i < o->n; i++)
    if (!needed || needed[i]) value[i] = value_of(o, &o->node[i], k, value, lacks);
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

/* Is x a real multiple of an older node? */
static int is_multiple(const triad_text_node *x, const triad_text_node *of, double *factor)
{
  double complex ratio = 0;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
    const double complex p = x->sample[s], q = of->sample[s];
    if (cabs(q) < 1e-200 || cabs(p) < 1e-200) {
      if (cabs(q) >= 1e-200 || cabs(p) >= 1e-200) return 0;
      continue;
    }
    const double complex here = p / q;
    if (fabs(cimag(here)) > EQUAL * cabs(here)) return 0;
    if (ratio != 0 && cabs(here - ratio) > EQUAL * cabs(ratio)) return 0;
    if (ratio == 0) ratio = creal(here);
  }
  *factor = creal(ratio);
  return ratio != 0;
}

/* The node, or an older one that it is a multiple of. */
static triad_text_scaled enter(triad_text_operators *o, triad_text_node x)
{
  double complex value[TRIAD_TEXT_OPERATORS];
  double most = 0;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
    for (int i = 0; i < o->n; i++) value[i] = o->node[i].sample[s];
    x.sample[s] = value_of(o, &x, o->sample[s], value, NULL);
    most = fmax(most, cabs(x.sample[s]));
  }
  if (x.kind == TRIAD_TEXT_SUM) { /* what cancels is nothing */
    double size = 0;
    for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++)
      size = fmax(size, cabs(x.ca * o->node[x.a].sample[s]) + cabs(x.cb * o->node[x.b].sample[s]));
    if (most <= 1e-13 * size) return nothing;
  }
  if (!(most > 0)) return nothing;
  for (int i = 1; i < o->n; i++) {
    double factor;
    if (is_multiple(&x, &o->node[i], &factor)) return (triad_text_scaled){factor, i};
  }
  if (o->n == TRIAD_TEXT_OPERATORS) {
    o->full = 1;
    return nothing;
  }
  o->node[o->n] = x;
  return (triad_text_scaled){1, o->n++};
}

triad_text_scaled triad_text_number(double c)
{
  return c < 0 || c > 0 ? (triad_text_scaled){c, TRIAD_TEXT_ONE} : nothing;
}

triad_text_scaled triad_text_wave(triad_text_operators *o, int axis)
{
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
  /* the mean is looked at with the kept modes, which names it */
  for (int s = 0; s < TRIAD_TEXT_SAMPLES - 1; s++)
    if (fabs(cimag(x->sample[s])) > EQUAL * cabs(x->sample[s]) || creal(x->sample[s]) * a.c < 0) return nothing;
  /* a node's sign is its own: lap is negative, so its root is taken of -lap */
  triad_text_node positive = {.kind = TRIAD_TEXT_SUM, .a = a.node, .b = TRIAD_TEXT_ZERO, .ca = a.c};
  int node = a.node;
  if (a.c < 0 && o->n < TRIAD_TEXT_OPERATORS) { /* a node of its own, that no other is compared with */
    for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) positive.sample[s] = a.c * x->sample[s];
    o->node[node = o->n++] = positive;
  }
  triad_text_scaled r = enter(o, (triad_text_node){.kind = TRIAD_TEXT_ROOT, .a = node});
  if (a.c > 0) r.c *= sqrt(a.c);
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

triad_text_parity triad_text_parity_of(const triad_text_operators *o, int node)
{
  int real = 1, imaginary = 1;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
    const double complex v = o->node[node].sample[s];
    real &= fabs(cimag(v)) <= EQUAL * cabs(v);
    imaginary &= fabs(creal(v)) <= EQUAL * cabs(v);
  }
  return real ? TRIAD_TEXT_REAL : imaginary ? TRIAD_TEXT_IMAGINARY : TRIAD_TEXT_COMPLEX;
}
