/* Polynomials of multipliers. A term is dropped if its own contributions cancel to rounding. Its size remembers all of
 * them, also those of the polynomials that it was made from: numbers that cancel in several steps leave no residue. A
 * product P/P of a polynomial of waves and its inverse is divided out unless the mean, where the inverse is 0, would
 * differ. P with inverses or roots in it is not: operators.c compares values then. */
#include "solvers/spectral/text/compile/polynomials.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef triad_text_polynomial polynomial;
typedef triad_text_monomial monomial;
typedef triad_text_key key;

/* ---- monomials ---- */

static const monomial *terms_of(const triad_text_operators *o, int node) { return &o->pool[o->node[node].first]; }

static int compare(const key *a, const key *b)
{
  for (int i = 0; i < TRIAD_TEXT_ATOMS; i++)
    if (a->atom[i] != b->atom[i]) return a->atom[i] < b->atom[i] ? -1 : 1;
  return memcmp(a->power, b->power, sizeof a->power);
}

static int put(polynomial *p, double c, double size, const key *k)
{
  int low = 0, high = p->n;
  while (low < high) {
    const int middle = (low + high) / 2, order = compare(&p->term[middle].key, k);
    if (order == 0) {
      p->term[middle].c += c;
      p->term[middle].size += size;
      return 1;
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  if (p->n == TRIAD_TEXT_MONOMIALS) return 0;
  memmove(&p->term[low + 1], &p->term[low], (size_t)(p->n - low) * sizeof *p->term);
  p->term[low] = (monomial){.c = c, .size = size, .key = *k};
  p->n++;
  return 1;
}

static int is_left(const monomial *m) { return fabs(m->c) > TRIAD_TEXT_ROUNDING * m->size; }

void triad_text_polynomial_tidy(polynomial *p)
{
  int n = 0;
  for (int i = 0; i < p->n; i++)
    if (is_left(&p->term[i])) p->term[n++] = p->term[i];
  p->n = n;
}

/* Atoms in rising order, zeros first. */
static int join(const key *a, const key *b, key *out)
{
  int i = TRIAD_TEXT_ATOMS - 1, j = i;
  *out = (key){{0}, {0}};
  for (int axis = 0; axis < 3; axis++) {
    if (a->power[axis] + b->power[axis] > UCHAR_MAX) return 0;
    out->power[axis] = (unsigned char)(a->power[axis] + b->power[axis]);
  }
  for (int to = TRIAD_TEXT_ATOMS - 1; to >= 0; to--) {
    const int left = i >= 0 ? a->atom[i] : 0, right = j >= 0 ? b->atom[j] : 0;
    if (left >= right) {
      out->atom[to] = (short)left;
      i--;
    } else {
      out->atom[to] = (short)right;
      j--;
    }
  }
  return (i < 0 || a->atom[i] == 0) && (j < 0 || b->atom[j] == 0);
}

static int multiply(const monomial *a, int n, const monomial *b, int m, double sign, polynomial *out)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      key k;
      const double size = triad_text_product_size(a[i].c, a[i].size, b[j].c, b[j].size);
      if (!join(&a[i].key, &b[j].key, &k) || !put(out, sign * a[i].c * b[j].c, size, &k)) return 0;
    }
  return 1;
}

/* ---- inverses ---- */

static int vanishes(const triad_text_operators *o, const key *k)
{
  if (k->power[0] || k->power[1] || k->power[2]) return 1;
  for (int i = 0; i < TRIAD_TEXT_ATOMS; i++)
    if (k->atom[i] && o->node[k->atom[i]].vanishes) return 1;
  return 0;
}

static int all_vanish(const triad_text_operators *o, const monomial *m, int n)
{
  for (int i = 0; i < n; i++)
    if (!vanishes(o, &m[i].key)) return 0;
  return 1;
}

static int is_of_waves(const monomial *m, int n)
{
  for (int i = 0; i < n; i++)
    if (m[i].key.atom[TRIAD_TEXT_ATOMS - 1]) return 0;
  return n > 0;
}

/* y / by to *out, if it leaves nothing. Powers are in lexicographic order, the largest one last. */
static int divide(polynomial *y, const monomial *by, int n, polynomial *out)
{
  const monomial *lead = &by[n - 1];
  out->n = 0;
  while (y->n > 0) {
    const monomial top = y->term[y->n - 1];
    const double over = 1 / lead->c;
    monomial t = {.c = top.c * over,
                  .size = triad_text_product_size(top.c, top.size, over, lead->size * over * over),
                  .key = top.key};
    for (int axis = 0; axis < 3; axis++) {
      if (top.key.power[axis] < lead->key.power[axis]) return 0;
      t.key.power[axis] = (unsigned char)(top.key.power[axis] - lead->key.power[axis]);
    }
    y->n--;
    if (!put(out, t.c, t.size, &t.key) || !multiply(&t, 1, by, n - 1, -1, y)) return 0;
    while (y->n > 0 && !is_left(&y->term[y->n - 1])) y->n--;
  }
  return 1;
}

/* Remove one factor `atom`. 0: there is none. */
static int remove_atom(key *k, int atom)
{
  for (int i = TRIAD_TEXT_ATOMS - 1; i >= 0; i--) {
    if (k->atom[i] != atom) continue;
    memmove(&k->atom[1], &k->atom[0], (size_t)i * sizeof *k->atom);
    k->atom[0] = 0;
    return 1;
  }
  return 0;
}

/* Divide out an atom that is the inverse of a polynomial of waves. 0: it stays. */
static int divide_out(const triad_text_operators *o, polynomial *p, int atom)
{
  polynomial rest, y, ratio;
  const triad_text_node *of = &o->node[o->node[atom].a];
  const monomial *by = &o->pool[of->first];
  rest.n = y.n = 0;
  if (!is_of_waves(by, of->n_terms)) return 0;
  for (int i = 0; i < p->n; i++) {
    monomial m = p->term[i];
    const int has = remove_atom(&m.key, atom);
    if (!put(has ? &y : &rest, m.c, m.size, &m.key)) return 0;
  }
  if (y.n == 0 || !divide(&y, by, of->n_terms, &ratio)) return 0;
  if (of->vanishes && !all_vanish(o, ratio.term, ratio.n)) return 0;
  for (int i = 0; i < ratio.n; i++)
    if (!put(&rest, ratio.term[i].c, ratio.term[i].size, &ratio.term[i].key)) return 0;
  *p = rest;
  triad_text_polynomial_tidy(p);
  return 1;
}

static void reduce(const triad_text_operators *o, polynomial *p)
{
  for (int i = 0; i < p->n; i++)
    for (int a = 0; a < TRIAD_TEXT_ATOMS; a++) {
      const int atom = p->term[i].key.atom[a];
      if (!atom || o->node[atom].kind != TRIAD_TEXT_INVERSE || !divide_out(o, p, atom)) continue;
      i = -1; /* from the beginning */
      break;
    }
}

/* ---- nodes ---- */

int triad_text_polynomial_has_atoms(const polynomial *p) { return p->n > 0 && !is_of_waves(p->term, p->n); }

int triad_text_has_atoms(const triad_text_operators *o, int node)
{
  return o->node[node].n_terms > 0 && !is_of_waves(terms_of(o, node), o->node[node].n_terms);
}

int triad_text_polynomial_add(const triad_text_operators *o, polynomial *sum, triad_text_scaled a, int axis, int b)
{
  const monomial wave = {.c = a.c, .size = a.size, .key.power = {axis == 0, axis == 1, axis == 2}};
  polynomial product;
  product.n = 0;
  if (a.node == TRIAD_TEXT_ZERO || b == TRIAD_TEXT_ZERO) return 1;
  if (axis >= 0 && !(fabs(o->sample[0][axis]) > 0)) return 1;
  if (!multiply(terms_of(o, a.node), o->node[a.node].n_terms, terms_of(o, b), o->node[b].n_terms, 1, &product))
    return 0;
  triad_text_polynomial_tidy(&product);
  reduce(o, &product);
  return multiply(product.term, product.n, &wave, 1, 1, sum);
}

int triad_text_polynomial_of(const triad_text_operators *o, const triad_text_node *x, polynomial *out)
{
  out->n = 0;
  switch (x->kind) {
  case TRIAD_TEXT_ZERO: return 1;
  case TRIAD_TEXT_ONE: return put(out, 1, 1, &(key){{0}, {0}});
  case TRIAD_TEXT_WAVE: return put(out, 1, 1, &(key){{0}, {x->a == 0, x->a == 1, x->a == 2}});
  case TRIAD_TEXT_SUM:
    if (!triad_text_polynomial_add(o, out, (triad_text_scaled){x->ca, x->sa, x->a}, -1, TRIAD_TEXT_ONE) ||
        !triad_text_polynomial_add(o, out, (triad_text_scaled){x->cb, x->sb, x->b}, -1, TRIAD_TEXT_ONE))
      return 0;
    break;
  case TRIAD_TEXT_PRODUCT:
    if (!triad_text_polynomial_add(o, out, triad_text_of(1, x->a), -1, x->b)) return 0;
    break;
  case TRIAD_TEXT_INVERSE:
  case TRIAD_TEXT_ROOT:
  case TRIAD_TEXT_ENTRY: return 0;
  }
  triad_text_polynomial_tidy(out);
  reduce(o, out);
  return 1;
}

/* Elements of an inverse matrix have the parities of its columns and rows: element (i, j) of the matrix has that of
 * row i and column j, if there are such. Rows and columns that are not connected with those of this element do not
 * count; an element whose row and column are not connected is 0. */
static triad_text_parity parity_of_entry(const triad_text_operators *o, const triad_text_node *x)
{
  const triad_text_system *m = &o->system[x->a];
  int row[TRIAD_TEXT_MATRIX], column[TRIAD_TEXT_MATRIX];
  for (int i = 0; i < m->n; i++) row[i] = column[i] = -1;
  row[x->column] = 0;
  for (int again = 1; again;) {
    again = 0;
    for (int i = 0; i < m->n; i++)
      for (int j = 0; j < m->n; j++) {
        const int node = m->element[i][j].node;
        if (node == TRIAD_TEXT_ZERO || (row[i] < 0 && column[j] < 0)) continue;
        if (o->node[node].parity == TRIAD_TEXT_COMPLEX) return TRIAD_TEXT_COMPLEX;
        const int odd = o->node[node].parity == TRIAD_TEXT_IMAGINARY;
        if (row[i] >= 0 && column[j] >= 0) {
          if ((row[i] ^ column[j]) != odd) return TRIAD_TEXT_COMPLEX;
          continue;
        }
        again = 1;
        if (row[i] < 0) row[i] = column[j] ^ odd;
        else column[j] = row[i] ^ odd;
      }
  }
  return column[x->row] == 1 ? TRIAD_TEXT_IMAGINARY : TRIAD_TEXT_REAL;
}

static triad_text_parity product_of(triad_text_parity a, triad_text_parity b)
{
  if (a == TRIAD_TEXT_COMPLEX || b == TRIAD_TEXT_COMPLEX) return TRIAD_TEXT_COMPLEX;
  return a == b ? TRIAD_TEXT_REAL : TRIAD_TEXT_IMAGINARY;
}

static triad_text_parity parity_of_term(const triad_text_operators *o, const key *k)
{
  triad_text_parity p = (k->power[0] + k->power[1] + k->power[2]) % 2 ? TRIAD_TEXT_IMAGINARY : TRIAD_TEXT_REAL;
  for (int i = 0; i < TRIAD_TEXT_ATOMS; i++)
    if (k->atom[i]) p = product_of(p, o->node[k->atom[i]].parity);
  return p;
}

/* Of an atom. */
static void describe_atom(const triad_text_operators *o, triad_text_node *x)
{
  const triad_text_node *a = &o->node[x->a], *b = &o->node[x->b];
  x->parity = TRIAD_TEXT_REAL;
  x->vanishes = 0;
  if (x->kind == TRIAD_TEXT_ENTRY) {
    x->parity = parity_of_entry(o, x);
    return;
  }
  x->vanishes = x->kind == TRIAD_TEXT_SUM       ? a->vanishes && b->vanishes
                : x->kind == TRIAD_TEXT_PRODUCT ? a->vanishes || b->vanishes
                                                : a->vanishes;
  if (x->kind == TRIAD_TEXT_INVERSE) x->parity = a->parity;
  if (x->kind == TRIAD_TEXT_SUM) x->parity = a->parity == b->parity ? a->parity : TRIAD_TEXT_COMPLEX;
  if (x->kind == TRIAD_TEXT_PRODUCT) x->parity = product_of(a->parity, b->parity);
}

void triad_text_polynomial_store(triad_text_operators *o, triad_text_node *x, const polynomial *p)
{
  const monomial atom = {.c = 1, .size = 1, .key.atom[TRIAD_TEXT_ATOMS - 1] = (short)o->n};
  const int left = TRIAD_TEXT_POOL - o->n_pool - (TRIAD_TEXT_OPERATORS - o->n); /* each node has one at least */
  const monomial *from = p && p->n <= left ? p->term : &atom;
  x->first = o->n_pool;
  x->n_terms = from == &atom ? 1 : p->n;
  memcpy(&o->pool[x->first], from, (size_t)x->n_terms * sizeof *from);
  o->n_pool += x->n_terms;
  if (from == &atom) {
    describe_atom(o, x);
    return;
  }
  x->vanishes = all_vanish(o, from, x->n_terms);
  x->parity = x->n_terms > 0 ? parity_of_term(o, &from[0].key) : TRIAD_TEXT_REAL;
  for (int i = 1; i < x->n_terms; i++)
    if (parity_of_term(o, &from[i].key) != x->parity) x->parity = TRIAD_TEXT_COMPLEX;
}

/* ---- comparison ---- */

/* The ratio of the two terms whose numbers are known best. */
static double best_ratio(const monomial *a, int n, const monomial *b)
{
  double ratio = 0, least = INFINITY;
  for (int i = 0; i < n; i++) {
    const double error = a[i].size / fabs(a[i].c) + b[i].size / fabs(b[i].c);
    if (!(error < least)) continue;
    least = error;
    ratio = a[i].c / b[i].c;
  }
  return ratio;
}

static int is_ratio(const monomial *a, const monomial *b, double ratio)
{
  return fabs(a->c - ratio * b->c) <= TRIAD_TEXT_ROUNDING * (a->size + fabs(ratio) * b->size);
}

static int is_multiple(const monomial *a, int n, const monomial *b, int m, triad_text_scaled *factor)
{
  if (n != m || n == 0) return 0;
  const double ratio = best_ratio(a, n, b);
  factor->c = ratio;
  factor->size = fabs(ratio);
  for (int i = 0; i < n; i++) {
    if (compare(&a[i].key, &b[i].key) != 0 || !is_ratio(&a[i], &b[i], ratio)) return 0;
    factor->size = fmax(factor->size, a[i].size / b[i].size);
  }
  return 1;
}

int triad_text_polynomial_is_multiple(const triad_text_operators *o, const polynomial *p, int of,
                                      triad_text_scaled *factor)
{
  factor->node = of;
  return is_multiple(p->term, p->n, terms_of(o, of), o->node[of].n_terms, factor);
}

int triad_text_polynomial_ratio(const polynomial *a, const polynomial *b, double *factor)
{
  triad_text_scaled f;
  if (!is_multiple(a->term, a->n, b->term, b->n, &f)) return 0;
  *factor = f.c;
  return 1;
}

/* ---- terms that cancel ---- */

static const monomial *find_term(const polynomial *p, const key *k)
{
  for (int i = 0; i < p->n; i++)
    if (compare(&p->term[i].key, k) == 0) return &p->term[i];
  return NULL;
}

int triad_text_polynomial_cancels(const triad_text_operators *o, const polynomial *p, int a, int b)
{
  const int nodes[2] = {a, b};
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < o->node[nodes[s]].n_terms; i++)
      if (!find_term(p, &terms_of(o, nodes[s])[i].key)) return 1;
  return 0;
}

int triad_text_polynomial_take(const triad_text_operators *o, polynomial *p, int node, triad_text_scaled *factor)
{
  const monomial *of = terms_of(o, node);
  const int n = o->node[node].n_terms;
  monomial has[TRIAD_TEXT_MONOMIALS] = {{0}};
  if (n == 0 || n > p->n) return 0;
  for (int i = 0; i < n; i++) {
    const monomial *m = find_term(p, &of[i].key);
    if (!m) return 0;
    has[i] = *m;
  }
  if (!is_multiple(has, n, of, n, factor)) return 0;
  factor->node = node;
  int left = 0;
  for (int i = 0; i < p->n; i++) {
    int taken = 0;
    for (int k = 0; k < n && !taken; k++) taken = compare(&p->term[i].key, &of[k].key) == 0;
    if (!taken) p->term[left++] = p->term[i];
  }
  p->n = left;
  return 1;
}
