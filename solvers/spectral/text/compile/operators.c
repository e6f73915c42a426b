/* The graph of multipliers. Every new node is compared with the older ones by their polynomials (polynomials.h), and by
 * values if it has inverses, roots or entries of matrices. A sum whose terms cancel is built again from those that are
 * left: the numbers of a graph that still had them would leave a rounding error times an operator of high order. */
#include "solvers/spectral/text/compile/operators.h"
#include "solvers/spectral/text/compile/polynomials.h"
#include "solvers/spectral/text/compile/rounding.h"

#include "base/cmplx.h"

#include <math.h>
#include <string.h>

static const triad_text_scaled nothing = {0, 0, TRIAD_TEXT_ZERO};

/* Signs differ between samples, so that |k_x| is no multiple of k_x. Lengths differ, so that terms of low and of high
 * order are seen whatever their numbers are. */
void triad_text_operators_start(triad_text_operators *o, const int flat[3], const double unit[3])
{
  static const double sample[TRIAD_TEXT_NEAR][3] = {{1.2345678, 2.1718281, 0.7320508},
                                                    {-2.6457513, 1.4142135, 1.6180339},
                                                    {1.7724538, -0.9159655, 2.3025850},
                                                    {0.8346268, 1.2020569, -1.4513692}};
  static const double length[TRIAD_TEXT_SAMPLES] = {1, 1, 1, 1, 8, 64, 512, 4096, 0};
  memset(o, 0, sizeof *o);
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++)
    for (int i = 0; i < 3; i++) o->sample[s][i] = flat[i] ? 0 : length[s] * sample[s % TRIAD_TEXT_NEAR][i] * unit[i];
  o->node[0].kind = TRIAD_TEXT_ZERO;
  o->node[0].vanishes = 1;
  o->node[1].kind = TRIAD_TEXT_ONE;
  o->node[1].n_terms = o->n_pool = 1;
  o->pool[0] = (triad_text_monomial){.c = 1, .size = 1};
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) o->node[1].sample[s] = o->node[1].size[s] = o->node[1].bound[s].re = 1;
  o->n = 2;
}

static int is_mean(const double k[3]) { return !(k[0] * k[0] + k[1] * k[1] + k[2] * k[2] > 0); }

/* The sum of the absolute values of the terms of a node, from those of older nodes and its value: a value below
 * TRIAD_TEXT_EQUAL of it has no inverse. Kernels compute the same (code/code_values.c). */
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
    if (!triad_text_system_inverse(&o->system[x->a], v, inverse) && lacks && !is_mean(k))
      *lacks |= TRIAD_TEXT_NO_INVERSE;
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

/* Returns what it lacks at the samples that are as long as the shortest wavenumbers. */
static int take_samples(const triad_text_operators *o, triad_text_node *x)
{
  double complex value[TRIAD_TEXT_OPERATORS];
  double size[TRIAD_TEXT_OPERATORS];
  triad_text_bound bound[TRIAD_TEXT_OPERATORS];
  int lacks = 0;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
    for (int i = 0; i < o->n; i++) {
      value[i] = o->node[i].sample[s];
      size[i] = o->node[i].size[s];
      bound[i] = o->node[i].bound[s];
    }
    x->sample[s] = value_of(o, x, o->sample[s], value, size, s < TRIAD_TEXT_NEAR ? &lacks : NULL);
    x->size[s] = size_of(x, o->sample[s], size, x->sample[s]);
    x->bound[s] = triad_text_bound_of(o, x, o->sample[s], value, x->sample[s], bound);
  }
  return lacks;
}

/* Is x = c y to rounding? y NULL: is x = 0? */
static int is_equal_at(const triad_text_node *x, int s, double c, const triad_text_node *y)
{
  const double complex of = y ? c * y->sample[s] : 0;
  triad_text_bound bound = x->bound[s];
  if (y) bound.re += fabs(c) * y->bound[s].re;
  if (y) bound.im += fabs(c) * y->bound[s].im;
  return isfinite(bound.re) && isfinite(bound.im) &&
         fabs(creal(x->sample[s]) - creal(of)) <= TRIAD_TEXT_EQUAL * bound.re &&
         fabs(cimag(x->sample[s]) - cimag(of)) <= TRIAD_TEXT_EQUAL * bound.im;
}

/* Such as a row of a matrix times another column of its inverse. */
static int is_zero_at_samples(const triad_text_node *x)
{
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++)
    if (!is_equal_at(x, s, 0, NULL)) return 0;
  return 1;
}

/* The ratio of the values of x and y where it is known best; *size: of a number that is this ratio. */
static double ratio_at_samples(const triad_text_node *x, const triad_text_node *y, double *size)
{
  double ratio = 0, least = INFINITY;
  *size = 0;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++) {
    const double error =
      (x->bound[s].re + x->bound[s].im) / cabs(x->sample[s]) + (y->bound[s].re + y->bound[s].im) / cabs(y->sample[s]);
    if (!(error < least)) continue;
    least = error;
    ratio = creal(x->sample[s] / y->sample[s]);
    *size = fabs(ratio) * fmax(error - 1, 1);
  }
  return ratio;
}

static int is_multiple_at_samples(const triad_text_node *x, const triad_text_node *y, triad_text_scaled *factor)
{
  factor->c = ratio_at_samples(x, y, &factor->size);
  if (!(fabs(factor->c) > 0)) return 0;
  for (int s = 0; s < TRIAD_TEXT_SAMPLES; s++)
    if (!is_equal_at(x, s, factor->c, y)) return 0;
  return 1;
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
  return triad_text_of(1, o->n++);
}

/* The same node, whose numbers may have been summed differently. */
static triad_text_scaled older(const triad_text_operators *o, const triad_text_node *x, int i)
{
  const triad_text_node *y = &o->node[i];
  const double size = x->kind == TRIAD_TEXT_SUM ? fmax(x->sa / y->sa, x->b == TRIAD_TEXT_ZERO ? 0 : x->sb / y->sb) : 1;
  return (triad_text_scaled){1, fmax(size, 1), i};
}

static triad_text_scaled find_multiple(const triad_text_operators *o, const triad_text_polynomial *p)
{
  triad_text_scaled factor;
  for (int i = 1; i < o->n; i++)
    if (triad_text_polynomial_is_multiple(o, p, i, &factor)) return factor;
  return nothing;
}

static triad_text_scaled find_equal_values(const triad_text_operators *o, const triad_text_node *x)
{
  triad_text_scaled factor;
  for (int i = 1; i < o->n; i++) {
    factor.node = i;
    if (is_multiple_at_samples(x, &o->node[i], &factor)) return factor;
  }
  return nothing;
}

/* A product of waves and atoms. */
static triad_text_scaled build_monomial(triad_text_operators *o, const triad_text_monomial *m)
{
  triad_text_scaled product = {m->c, m->size, TRIAD_TEXT_ONE};
  for (int axis = 0; axis < 3; axis++)
    product = triad_text_times(o, product, triad_text_power(o, triad_text_wave(o, axis), m->key.power[axis]));
  for (int i = 0; i < TRIAD_TEXT_ATOMS; i++)
    if (m->key.atom[i]) product = triad_text_times(o, product, triad_text_of(1, m->key.atom[i]));
  return product;
}

/* A node of a polynomial: sums that are known, such as powers of the Laplacian, then single terms. */
static triad_text_scaled build(triad_text_operators *o, triad_text_polynomial p)
{
  triad_text_scaled sum = nothing, part;
  for (int i = o->n - 1; i >= 2 && p.n > 0; i--)
    if (o->node[i].n_terms > 1 && triad_text_polynomial_take(o, &p, i, &part)) sum = triad_text_add(o, sum, part);
  for (int i = 0; i < p.n; i++) sum = triad_text_add(o, sum, build_monomial(o, &p.term[i]));
  return sum;
}

/* The node, or an older one that it is a multiple of. */
static triad_text_scaled enter(triad_text_operators *o, triad_text_node x)
{
  triad_text_polynomial p;
  triad_text_scaled known;
  for (int i = 2; i < o->n; i++)
    if (is_same(&x, &o->node[i])) return older(o, &x, i);
  const int is_known = triad_text_polynomial_of(o, &x, &p);
  if (is_known && p.n == 0) return nothing;
  if (is_known && (known = find_multiple(o, &p)).node != TRIAD_TEXT_ZERO) return known;
  const int lacks = take_samples(o, &x);
  if (!lacks && (!is_known || triad_text_polynomial_has_atoms(&p))) {
    if (is_zero_at_samples(&x)) return nothing;
    if ((known = find_equal_values(o, &x)).node != TRIAD_TEXT_ZERO) return known;
  }
  if (is_known && x.kind == TRIAD_TEXT_SUM && triad_text_polynomial_cancels(o, &p, x.a, x.b)) return build(o, p);
  return append(o, x, is_known ? &p : NULL);
}

triad_text_scaled triad_text_number(double c) { return c < 0 || c > 0 ? triad_text_of(c, TRIAD_TEXT_ONE) : nothing; }

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
    const triad_text_scaled sum = {a.c + b.c, a.size + b.size, a.node};
    return fabs(sum.c) > TRIAD_TEXT_ROUNDING * sum.size ? sum : nothing;
  }
  return enter(o,
               (triad_text_node){
                 .kind = TRIAD_TEXT_SUM, .a = a.node, .b = b.node, .ca = a.c, .cb = b.c, .sa = a.size, .sb = b.size});
}

static triad_text_scaled multiplied(triad_text_scaled a, double c, double size)
{
  return (triad_text_scaled){a.c * c, triad_text_product_size(a.c, a.size, c, size), a.node};
}

triad_text_scaled triad_text_times(triad_text_operators *o, triad_text_scaled a, triad_text_scaled b)
{
  const double size = triad_text_product_size(a.c, a.size, b.c, b.size);
  if (a.node == TRIAD_TEXT_ZERO || b.node == TRIAD_TEXT_ZERO) return nothing;
  if (a.node == TRIAD_TEXT_ONE) return (triad_text_scaled){a.c * b.c, size, b.node};
  if (b.node == TRIAD_TEXT_ONE) return (triad_text_scaled){a.c * b.c, size, a.node};
  return multiplied(enter(o, (triad_text_node){.kind = TRIAD_TEXT_PRODUCT, .a = a.node, .b = b.node}), a.c * b.c, size);
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
  if (a.node == TRIAD_TEXT_ONE) return (triad_text_scaled){1 / a.c, a.size / (a.c * a.c), TRIAD_TEXT_ONE};
  return multiplied(enter(o, (triad_text_node){.kind = TRIAD_TEXT_INVERSE, .a = a.node}), 1 / a.c,
                    a.size / (a.c * a.c));
}

triad_text_scaled triad_text_root(triad_text_operators *o, triad_text_scaled a)
{
  if (a.node == TRIAD_TEXT_ZERO) return nothing;
  const double root = sqrt(fabs(a.c)), size = a.size / root;
  if (a.node == TRIAD_TEXT_ONE) return a.c > 0 ? (triad_text_scaled){root, size, TRIAD_TEXT_ONE} : nothing;
  const triad_text_node *x = &o->node[a.node];
  if (x->parity != TRIAD_TEXT_REAL) return nothing;
  /* the mean is looked at with the kept modes, which names it */
  for (int s = 0; s < TRIAD_TEXT_NEAR; s++)
    if (creal(x->sample[s]) * a.c < 0) return nothing;
  /* lap is negative, so its root is taken of -lap, a node that is not compared with lap */
  int node = a.node;
  if (a.c < 0) {
    triad_text_node positive = {.kind = TRIAD_TEXT_SUM, .a = a.node, .b = TRIAD_TEXT_ZERO, .ca = -1, .sa = 1};
    for (node = 2; node < o->n && !is_same(&positive, &o->node[node]);) node++;
    if (node == o->n) {
      (void)take_samples(o, &positive);
      if (append(o, positive, NULL).node == TRIAD_TEXT_ZERO) return nothing;
    }
  }
  return multiplied(enter(o, (triad_text_node){.kind = TRIAD_TEXT_ROOT, .a = node}), root, size);
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
  if (r.node != TRIAD_TEXT_ZERO) return triad_text_times(o, r, triad_text_of(1, x.b));
  r = triad_text_without(o, x.b, axis);
  return triad_text_times(o, triad_text_of(1, x.a), r);
}

triad_text_parity triad_text_parity_of(const triad_text_operators *o, int node) { return o->node[node].parity; }
