/* Arithmetic of values: what is done with a component is done with its imaginary part too. */
#include "solvers/spectral/text/compile/values.h"

#include "base/status.h"

#define PIECE(s, node) triad_text_piece(s, node, (char[64]){0}, 64)

typedef triad_text_compiler compiler;
typedef triad_text_source source;
typedef triad_text_value value;

const char *triad_text_kind_of(const value *v) { return v->rank == 3 ? "a vector" : "a scalar"; }

/* ---- sums and products ---- */

static int is_zero(const value *v) { return v->rank == 1 && v->part[0].n == 0 && v->imaginary[0].n == 0; }

static int add_to(compiler *c, triad_text_sum *sum, const triad_text_sum *a, double factor)
{
  if (!triad_text_sum_add(c->text, sum, a, factor)) return triad_text_no_memory(c);
  triad_text_collect(sum);
  return 1;
}

int triad_text_add_value(compiler *c, const source *s, int node, const value *a, const value *b, double sign,
                         value *out)
{
  const triad_formula_node *x = &s->node[node];
  if (a->rank != b->rank && !is_zero(a) && !is_zero(b))
    return triad_text_wrong(c, s, node, TRIAD_ERR_CASE,
                            "\"%s\" is %s, \"%s\" %s: they cannot be added; use components such as u_x, or (a, b, c)",
                            PIECE(s, x->operand[0]), triad_text_kind_of(a), PIECE(s, x->operand[1]),
                            triad_text_kind_of(b));
  *out = (value){.rank = is_zero(a) ? b->rank : a->rank};
  for (int p = 0; p < out->rank; p++) {
    if (p < a->rank &&
        (!add_to(c, &out->part[p], &a->part[p], 1) || !add_to(c, &out->imaginary[p], &a->imaginary[p], 1)))
      return 0;
    if (p < b->rank &&
        (!add_to(c, &out->part[p], &b->part[p], sign) || !add_to(c, &out->imaginary[p], &b->imaginary[p], sign)))
      return 0;
  }
  return 1;
}

/* sum += a b */
static int add_sums(compiler *c, const source *s, int node, const triad_text_sum *a, const triad_text_sum *b,
                    double sign, triad_text_sum *sum)
{
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < b->n; k++) {
      triad_text_term t;
      const int good = triad_text_multiply(c->text, &a->term[i], &b->term[k], &t);
      if (good == -1)
        return triad_text_wrong(c, s, node, TRIAD_ERR_FEATURE,
                                "a product of more than %d fields is not supported yet: \"%s\"", TRIAD_TEXT_FACTORS,
                                PIECE(s, node));
      if (good == -2)
        return triad_text_wrong(c, s, node, TRIAD_ERR_FEATURE,
                                "an operator on a product is multiplied again in \"%s\", which is not supported yet: "
                                "write the derivative of the product out",
                                PIECE(s, node));
      if (good == -3)
        return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "a mean can be multiplied by numbers only: \"%s\"",
                                PIECE(s, node));
      t.c *= sign;
      if (!good || !triad_text_append(c->text, sum, t)) return triad_text_no_memory(c);
    }
  triad_text_collect(sum);
  return 1;
}

int triad_text_add_product(compiler *c, const source *s, int node, const value *a, int i, const value *b, int k,
                           double sign, value *out, int p)
{
  return add_sums(c, s, node, &a->part[i], &b->part[k], sign, &out->part[p]) &&
         add_sums(c, s, node, &a->imaginary[i], &b->imaginary[k], -sign, &out->part[p]) &&
         add_sums(c, s, node, &a->part[i], &b->imaginary[k], sign, &out->imaginary[p]) &&
         add_sums(c, s, node, &a->imaginary[i], &b->part[k], sign, &out->imaginary[p]);
}

int triad_text_times_value(compiler *c, const source *s, int node, const value *a, const value *b, value *out)
{
  if (a->rank == 3 && b->rank == 3)
    return triad_text_wrong(c, s, node, TRIAD_ERR_CASE,
                            "\"%s\" and \"%s\" are vectors: use u@v for the scalar product or cross(u, v)",
                            PIECE(s, s->node[node].operand[0]), PIECE(s, s->node[node].operand[1]));
  const value *v = a->rank == 3 ? a : b, *q = a->rank == 3 ? b : a;
  *out = (value){.rank = v->rank};
  for (int p = 0; p < v->rank; p++)
    if (!triad_text_add_product(c, s, node, q, 0, v, p, 1, out, p)) return 0;
  return 1;
}

int triad_text_cross(compiler *c, const source *s, int node, const value *a, const value *b, value *out)
{
  *out = (value){.rank = 3};
  for (int p = 0; p < 3; p++) {
    const int q = (p + 1) % 3, r = (p + 2) % 3;
    if (!triad_text_add_product(c, s, node, a, q, b, r, 1, out, p) ||
        !triad_text_add_product(c, s, node, a, r, b, q, -1, out, p))
      return 0;
  }
  return 1;
}

/* ---- operators ---- */

static int apply(compiler *c, triad_text_scaled m, const triad_text_sum *sum, triad_text_sum *out)
{
  if (!triad_text_apply_sum(c->text, m, sum, out)) return triad_text_no_memory(c);
  if (c->text->operators.full) {
    c->error->status = TRIAD_ERR_FEATURE;
    c->error->index = 0;
    c->error->key = "equations.evolve";
    (void)snprintf(c->error->why, sizeof c->error->why, "more than %d different operators are not supported",
                   TRIAD_TEXT_OPERATORS);
    return 0;
  }
  triad_text_collect(out);
  return 1;
}

/* Component p of out += a multiplier on component i of v. */
static int apply_to(compiler *c, triad_text_scaled m, const value *v, int i, value *out, int p)
{
  return apply(c, m, &v->part[i], &out->part[p]) && apply(c, m, &v->imaginary[i], &out->imaginary[p]);
}

static triad_text_scaled wave(compiler *c, int axis) { return triad_text_wave(&c->text->operators, axis); }

int triad_text_each(compiler *c, triad_text_scaled m, const value *v, value *out)
{
  *out = (value){.rank = v->rank};
  for (int p = 0; p < v->rank; p++)
    if (!apply_to(c, m, v, p, out, p)) return 0;
  return 1;
}

int triad_text_gradient(compiler *c, const value *v, value *out)
{
  *out = (value){.rank = 3};
  for (int p = 0; p < 3; p++)
    if (!apply_to(c, wave(c, p), v, 0, out, p)) return 0;
  return 1;
}

int triad_text_divergence(compiler *c, const value *v, value *out)
{
  *out = (value){.rank = 1};
  for (int p = 0; p < 3; p++)
    if (!apply_to(c, wave(c, p), v, p, out, 0)) return 0;
  return 1;
}

int triad_text_curl(compiler *c, const value *v, value *out)
{
  *out = (value){.rank = 3};
  for (int p = 0; p < 3; p++) {
    const int q = (p + 1) % 3, r = (p + 2) % 3;
    triad_text_scaled minus = wave(c, r);
    minus.c = -minus.c;
    if (!apply_to(c, wave(c, q), v, r, out, p) || !apply_to(c, minus, v, q, out, p)) return 0;
  }
  return 1;
}

/* Of what is linear in the fields. */
static int rate_of_sum(compiler *c, const source *s, int node, const triad_text_sum *sum, triad_text_sum *out)
{
  triad_text *t = c->text;
  for (int i = 0; i < sum->n; i++) {
    triad_text_term term = sum->term[i];
    if (term.n != 1 || term.profile || term.factor[0].base >= t->n_fields + t->n_lets)
      return triad_text_wrong(c, s, node, TRIAD_ERR_CASE,
                              "dt(..) requires fields, or linear operators on fields, but \"%s\" is not linear",
                              PIECE(s, node));
    const int base = term.factor[0].base, solved = base >= t->n_fields;
    for (int f = 0; f < t->n_fields; f++) {
      const triad_text_scaled m = solved ? t->solved[base - t->n_fields][f] : triad_text_number(f == base);
      triad_text_term r = triad_text_apply(t, m, term);
      r.factor[0].base = t->n_fields + t->n_lets + f;
      if (!triad_text_append(t, out, r)) return triad_text_no_memory(c);
    }
  }
  return 1;
}

int triad_text_rate(compiler *c, const source *s, int node, const value *v, value *out)
{
  if (!c->in_evolve) return triad_text_wrong(c, s, node, TRIAD_ERR_CASE, "dt(..) is allowed in equations.evolve only");
  *out = (value){.rank = v->rank};
  for (int p = 0; p < v->rank; p++)
    if (!rate_of_sum(c, s, node, &v->part[p], &out->part[p]) ||
        !rate_of_sum(c, s, node, &v->imaginary[p], &out->imaginary[p]))
      return 0;
  return 1;
}
