/* Write the sums, densities and transfers of a mode, in the order of operations of budget.c and transfers.c. */
#include "solvers/spectral/text/code/code_budget.h"
#include "solvers/spectral/text/code/code_values.h"
#include "solvers/spectral/text/transfers.h"

static int groups_of(const triad_text_set *s) { return s->n_groups > 1 ? s->n_groups : 0; }

/* Variables of invert from the fields. */
static void write_bases(FILE *to, const triad_text *t)
{
  (void)fprintf(
    to, "TRIAD_POINT_INLINE void triad_text_bases(const triad_value *n, triad_value *a)\n{\n  (void)n, (void)a;\n");
  for (int l = 0; l < t->n_lets; l++) {
    const int to_base = t->n_fields + l;
    (void)fprintf(to, "  a[%d] = triad_value_of(0.0, 0.0);\n", to_base);
    for (int f = 0; f < t->n_fields; f++) {
      const triad_text_scaled m = t->solved[l][f];
      if (m.node == TRIAD_TEXT_ZERO) continue;
      (void)fprintf(to, "  a[%d] = triad_value_add(a[%d], triad_value_times(triad_value_scale(", to_base, to_base);
      triad_text_code_number(to, m.c);
      (void)fprintf(to, ", n[%d]), a[%d]));\n", m.node, f);
    }
  }
  (void)fprintf(to, "}\n");
}

static void write_linear(FILE *to, const triad_text *t)
{
  (void)fprintf(
    to, "TRIAD_POINT_INLINE void triad_text_linear_rates(const double k[3], const triad_value *n, const triad_value "
        "*a, triad_value *r)\n{\n  (void)k, (void)n, (void)a;\n");
  for (int x = 0; x < t->n_fields; x++) {
    (void)fprintf(to, "  r[%d] = triad_value_of(0.0, 0.0);\n", x);
    for (int f = 0; f < t->n_fields; f++) {
      const triad_text_scaled m = t->linear[x][f];
      if (m.node == TRIAD_TEXT_ZERO) continue;
      (void)fprintf(to, "  r[%d] = triad_value_add(r[%d], triad_value_times(triad_value_scale(", x, x);
      triad_text_code_number(to, m.c);
      (void)fprintf(to, ", n[%d]), a[%d]));\n", m.node, f);
    }
  }
  for (int f = 0; f < t->n_fields; f++)
    if (t->field[f].solenoidal && t->field[f].axis == 0)
      (void)fprintf(to, "  triad_text_project_values(k, r + %d);\n", f);
  (void)fprintf(to, "}\n");
}

/* triad_text_part_of: the part of an invariant in a mode, of a and b. */
static void write_part(FILE *to, const triad_text_invariant *v, int number)
{
  (void)fprintf(
    to,
    "TRIAD_POINT_INLINE double triad_text_part_%d(const triad_value *n, const triad_value *a, const triad_value *b, "
    "int is_mean)\n{\n  double sum = 0;\n  (void)n, (void)a, (void)b, (void)is_mean;\n",
    number);
  for (int i = 0; i < v->sum.n; i++) {
    const triad_text_term *x = &v->sum.term[i];
    (void)fprintf(to, x->n < 2 ? "  if (is_mean) sum += " : "  sum += ");
    triad_text_code_number(to, x->c);
    (void)fprintf(to, " * n[%d].re", x->outer);
    if (x->n == 2)
      (void)fprintf(to, " * triad_value_dot(triad_value_times(n[%d], a[%d]), triad_value_times(n[%d], b[%d]))",
                    x->factor[0].node, x->factor[0].base, x->factor[1].node, x->factor[1].base);
    else if (x->n == 1)
      (void)fprintf(to, " * triad_value_times(n[%d], a[%d]).re", x->factor[0].node, x->factor[0].base);
    (void)fprintf(to, ";\n");
  }
  (void)fprintf(to, "  return sum;\n}\n");
}

static void write_fields(FILE *to, const triad_text *t, const char *name, const char *from)
{
  for (int f = 0; f < t->n_fields; f++)
    (void)fprintf(to, "  %s[%d] = triad_value_of((double)%s[%d].re, (double)%s[%d].im);\n", name, f, from, f, from, f);
}

static void write_sums(FILE *to, const triad_text_set *s)
{
  const triad_text *t = s->text;
  const int groups = groups_of(s), bases = t->n_fields + t->n_lets;
  (void)fprintf(
    to,
    "enum { TRIAD_TEXT_SUMS = %d };\n"
    "TRIAD_POINT_INLINE void triad_text_mode_sums(const double k[3], const triad_cplx *u, double *sums)\n{\n"
    "  triad_value n[TRIAD_TEXT_NODES], a[%d], r[%d];\n  triad_text_budget_values(k, n);\n"
    "  const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];\n  const int is_mean = !(k2 > 0);\n"
    "  double energy = 0, lost = 0, mine;\n  (void)is_mean;\n",
    3 + groups + t->n_invariants, bases, bases);
  write_fields(to, t, "a", "u");
  (void)fprintf(to, "  triad_text_bases(n, a);\n  triad_text_linear_rates(k, n, a, r);\n");
  for (int g = 0; g < s->n_groups; g++) {
    (void)fprintf(to, "  mine = 0;\n");
    for (int f = s->group[g].first; f < s->group[g].first + s->group[g].n; f++)
      (void)fprintf(to, "  mine += triad_value_dot(a[%d], a[%d]) / 2;\n  lost -= triad_value_dot(a[%d], r[%d]);\n", f,
                    f, f, f);
    (void)fprintf(to, "  energy += mine;\n");
    if (groups) (void)fprintf(to, "  sums[%d] = mine;\n", 3 + g);
  }
  (void)fprintf(to, "  sums[1] = k2 * energy;\n");
  for (int i = 0; i < t->n_invariants; i++)
    (void)fprintf(to, "  sums[%d] = triad_text_part_%d(n, a, a, is_mean);\n", 3 + groups + i, i);
  if (s->energy >= 0)
    (void)fprintf(to,
                  "  triad_text_bases(n, r);\n  energy = triad_text_part_%d(n, a, a, is_mean);\n"
                  "  lost = is_mean ? 0 : -triad_text_part_%d(n, r, a, 0) - triad_text_part_%d(n, a, r, 0);\n",
                  s->energy, s->energy, s->energy);
  (void)fprintf(to, "  sums[0] = energy;\n  sums[2] = lost;\n}\n");
}

static void write_densities(FILE *to, const triad_text_set *s)
{
  int n = 1;
  (void)fprintf(
    to, "TRIAD_POINT_INLINE void triad_text_mode_densities(const double k[3], const triad_cplx *u, double *d)\n{\n"
        "  double sums[TRIAD_TEXT_SUMS];\n  triad_text_mode_sums(k, u, sums);\n  d[0] = sums[0];\n");
  for (int g = 0; g < groups_of(s); g++) (void)fprintf(to, "  d[%d] = sums[%d];\n", n++, 3 + g);
  for (int i = 0; i < s->text->n_invariants; i++)
    if (i != s->energy) (void)fprintf(to, "  d[%d] = sums[%d];\n", n++, 3 + groups_of(s) + i);
  (void)fprintf(to, "}\nenum { TRIAD_TEXT_DENSITIES = %d };\n", n);
}

static void write_form_rate(FILE *to, const triad_text_set *s, int invariant, int number)
{
  if (invariant >= 0) {
    (void)fprintf(to, "  d[%d] = triad_text_part_%d(n, b, a, 0) + triad_text_part_%d(n, a, b, 0);\n", number, invariant,
                  invariant);
    return;
  }
  (void)fprintf(to, "  d[%d] = 0;\n", number);
  for (int f = 0; f < s->text->n_fields; f++)
    (void)fprintf(to, "  d[%d] += triad_value_dot(a[%d], b[%d]);\n", number, f, f);
}

static void write_transfers(FILE *to, const triad_text_set *s)
{
  const triad_text *t = s->text;
  const int bases = t->n_fields + t->n_lets;
  int n = 0;
  (void)fprintf(
    to,
    "TRIAD_POINT_INLINE void triad_text_mode_transfers(const double k[3], const triad_cplx *u, const triad_cplx "
    "*t, double *d)\n{\n  triad_value n[TRIAD_TEXT_NODES], a[%d], b[%d];\n  triad_cplx r[%d];\n"
    "  triad_text_product_mode(k, u, t, r);\n  triad_text_budget_values(k, n);\n",
    bases, bases, t->n_fields);
  write_fields(to, t, "a", "u");
  write_fields(to, t, "b", "r");
  (void)fprintf(to, "  triad_text_bases(n, a);\n  triad_text_bases(n, b);\n");
  write_form_rate(to, s, s->energy, n++);
  for (int i = 0; i < t->n_invariants; i++)
    if (i != s->energy && triad_text_is_quadratic(&t->invariant[i])) write_form_rate(to, s, i, n++);
  (void)fprintf(to, "}\nenum { TRIAD_TEXT_TRANSFERS = %d };\n", n);
}

void triad_text_code_budget(FILE *to, const triad_text_set *s)
{
  triad_text_code_values(to, s, "triad_text_budget_values", s->needed);
  write_bases(to, s->text);
  write_linear(to, s->text);
  for (int i = 0; i < s->text->n_invariants; i++) write_part(to, &s->text->invariant[i], i);
  write_sums(to, s);
  write_densities(to, s);
  write_transfers(to, s);
}
