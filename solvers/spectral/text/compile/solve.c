/* The variables that invert defines, solved for the fields; the equations, solved for dt; the invariants. */
#include "solvers/spectral/text/compile/clock.h"
#include "base/status.h"
#include "solvers/spectral/text/compile/expand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef triad_text_compiler compiler;
typedef triad_text_source source;

/* ---- variables of invert ---- */

/* C psi = R: rows of multipliers on the variables and on the fields. */
typedef struct elliptic {
  triad_text_scaled of_let[TRIAD_TEXT_LETS], of_field[TRIAD_TEXT_FIELDS];
} elliptic;

/* Add a linear sum to a row; what is not linear is refused. */
static int add_linear(compiler *c, const source *s, int node, const triad_text_sum *sum, double to_lets,
                      double to_fields, elliptic *row)
{
  triad_text *t = c->text;
  for (int i = 0; i < sum->n; i++) {
    const triad_text_term *x = &sum->term[i];
    char piece[64];
    if (x->n != 1 || x->profile || (x->factor[0].base < t->n_fields && !(to_fields < 0 || to_fields > 0)))
      return triad_text_wrong(
        c, s, node, x->n > 1 || x->profile ? TRIAD_ERR_FEATURE : TRIAD_ERR_CASE,
        x->n == 1 && !x->profile
          ? "the first argument of invert may have unknowns only, but \"%s\" has a field: move it "
            "to the second"
          : "invert solves equations that are linear with constant coefficients: \"%s\" is not",
        triad_text_piece(s, node, piece, sizeof piece));
    const int base = x->factor[0].base, is_let = base >= t->n_fields;
    triad_text_scaled *to = is_let ? &row->of_let[base - t->n_fields] : &row->of_field[base];
    triad_text_scaled m = triad_text_of_factor(x);
    m.c *= is_let ? to_lets : to_fields;
    *to = triad_text_add(&t->operators, *to, m);
  }
  return 1;
}

/* The first argument of invert (side 0), or the second. */
static int expand_side(compiler *c, const triad_text_definition *d, int side, triad_text_value *v)
{
  const source *s = &d->source;
  const int node = s->node[s->n - 1].operand[side];
  if (!triad_text_expand(c, s, node, NULL, v)) return 0;
  if (v->rank == 1) return 1;
  return triad_text_wrong(c, s, node, TRIAD_ERR_FEATURE,
                          "invert of a vector is not supported: solve component by component");
}

/* A row that has no unknowns has no solution. */
static int check_row(compiler *c, const triad_text_definition *d, const elliptic *row, const char *part)
{
  for (int l = 0; l < c->text->n_lets; l++)
    if (row->of_let[l].node != TRIAD_TEXT_ZERO) return 1;
  return triad_text_wrong(c, &d->source, d->source.node[d->source.n - 1].operand[0], TRIAD_ERR_CASE,
                          "%s operator of invert is 0: it requires %s, such as lap(%s)", part, d->name, d->name);
}

/* The equation of an unknown: one row, or two of the real and the imaginary part. */
static int read_elliptic(compiler *c, const triad_text_definition *d, elliptic *rows)
{
  const source *s = &d->source;
  for (int side = 0; side < 2; side++) {
    triad_text_value v;
    const int node = s->node[s->n - 1].operand[side];
    const double to_lets = side == 0 ? 1 : -1, to_fields = side == 0 ? 0 : 1;
    if (!expand_side(c, d, side, &v)) return 0;
    if (!add_linear(c, s, node, &v.part[0], to_lets, to_fields, &rows[d->unknown])) return 0;
    if (d->imaginary < 0) continue;
    if (!add_linear(c, s, node, &v.imaginary[0], to_lets, to_fields, &rows[d->imaginary])) return 0;
  }
  return check_row(c, d, &rows[d->unknown], d->imaginary < 0 ? "the" : "the real part of the") &&
         (d->imaginary < 0 || check_row(c, d, &rows[d->imaginary], "the imaginary part of the"));
}

/* An unknown whose equation has an imaginary part is complex: a second variable is its imaginary part. */
static int make_complex(compiler *c, triad_text_definition *d)
{
  triad_text *t = c->text;
  if (t->n_lets == TRIAD_TEXT_LETS)
    return triad_text_wrong(c, &d->source, -1, TRIAD_ERR_FEATURE,
                            "more than %d unknowns of invert are not supported, where a complex one counts as two",
                            TRIAD_TEXT_LETS);
  d->imaginary = t->n_lets++;
  (void)snprintf(t->let[d->unknown], TRIAD_TEXT_NAME, "%.*s_re", TRIAD_TEXT_NAME - 4, d->name);
  (void)snprintf(t->let[d->imaginary], TRIAD_TEXT_NAME, "%.*s_im", TRIAD_TEXT_NAME - 4, d->name);
  return 1;
}

/* Complex unknowns make those complex that depend on them. */
static int find_complex(compiler *c)
{
  for (int again = 1; again;) {
    again = 0;
    for (int i = 0; i < c->n_definitions; i++) {
      triad_text_definition *d = &c->definition[i];
      for (int side = 0; side < 2 && d->unknown >= 0 && d->imaginary < 0; side++) {
        triad_text_value v;
        if (!expand_side(c, d, side, &v)) return 0;
        if (v.imaginary[0].n == 0) continue;
        if (!make_complex(c, d)) return 0;
        again = 1;
      }
    }
  }
  return 1;
}

/* Variables that depend on each other, both ways, are of one group: group[i] is the first of them. *order: the groups
 * so that each one needs earlier ones only; returns their number. */
static int group_lets(const compiler *c, const elliptic *row, int *group, int *order)
{
  const int n = c->text->n_lets;
  char needs[TRIAD_TEXT_LETS][TRIAD_TEXT_LETS] = {{0}}, done[TRIAD_TEXT_LETS] = {0};
  int n_groups = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) needs[i][k] = i == k || row[i].of_let[k].node != TRIAD_TEXT_ZERO;
  for (int by = 0; by < n; by++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) needs[i][k] |= needs[i][by] && needs[by][k];
  for (int i = 0; i < n; i++) {
    group[i] = 0;
    while (!needs[i][group[i]] || !needs[group[i]][i]) group[i]++;
  }
  for (int again = 1; again;) {
    again = 0;
    for (int g = 0; g < n; g++) {
      int ready = group[g] == g && !done[g];
      for (int k = 0; k < n && ready; k++) ready = !needs[g][k] || group[k] == g || done[group[k]];
      if (!ready) continue;
      done[g] = 1;
      order[n_groups++] = g;
      again = 1;
    }
  }
  return n_groups;
}

/* Move terms of a row whose variables are in earlier groups, which are solved, to its right side. */
static void move_solved(compiler *c, elliptic *row, const int *group, int of)
{
  triad_text *t = c->text;
  for (int l = 0; l < t->n_lets; l++) {
    triad_text_scaled m = row->of_let[l];
    if (group[l] == of || m.node == TRIAD_TEXT_ZERO) continue;
    m.c = -m.c;
    for (int f = 0; f < t->n_fields; f++)
      row->of_field[f] =
        triad_text_add(&t->operators, row->of_field[f], triad_text_times(&t->operators, m, t->solved[l][f]));
    row->of_let[l] = triad_text_of(0, TRIAD_TEXT_ZERO);
  }
}

/* One group: psi = C^-1 R. */
static int solve_group(compiler *c, const triad_text_definition *d, const elliptic *row, const int *member, int n)
{
  triad_text *t = c->text;
  triad_text_operators *o = &t->operators;
  int system = -1;
  if (n > TRIAD_TEXT_MATRIX || (n > 1 && o->n_systems == TRIAD_TEXT_SYSTEMS))
    return triad_text_wrong(
      c, &d->source, -1, TRIAD_ERR_FEATURE,
      "%d unknowns of invert depend on each other, where a complex one counts as two: at most %d are "
      "supported",
      n, TRIAD_TEXT_MATRIX);
  if (n > 1) {
    triad_text_system *m = &o->system[system = o->n_systems++];
    m->n = n;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) m->element[i][k] = row[member[i]].of_let[member[k]];
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      const triad_text_scaled inverse =
        n == 1 ? triad_text_inverse(o, row[member[0]].of_let[member[0]]) : triad_text_entry(o, system, i, k);
      for (int f = 0; f < t->n_fields; f++) {
        triad_text_scaled *to = &t->solved[member[i]][f];
        *to = triad_text_add(o, *to, triad_text_times(o, inverse, row[member[k]].of_field[f]));
      }
    }
  return 1;
}

int triad_text_solve_lets(compiler *c)
{
  int group[TRIAD_TEXT_LETS], order[TRIAD_TEXT_LETS], member[TRIAD_TEXT_LETS], n_groups = 0;
  elliptic *row = calloc(TRIAD_TEXT_LETS, sizeof *row);
  const triad_text_definition *of[TRIAD_TEXT_LETS] = {NULL};
  if (!row) return triad_text_no_memory(c);
  int good = find_complex(c);
  const int n = c->text->n_lets;
  for (int i = 0; i < c->n_definitions && good; i++) {
    const triad_text_definition *d = &c->definition[i];
    if (d->unknown < 0) continue;
    of[d->unknown] = d;
    if (d->imaginary >= 0) of[d->imaginary] = d;
    good = read_elliptic(c, d, row);
  }
  if (good) n_groups = group_lets(c, row, group, order);
  for (int g = 0; g < n_groups && good; g++) {
    int members = 0;
    for (int l = 0; l < n; l++) {
      if (group[l] != order[g]) continue;
      move_solved(c, &row[l], group, order[g]);
      member[members++] = l;
    }
    good = solve_group(c, of[order[g]], row, member, members);
  }
  free(row);
  return good;
}

/* ---- rates ---- */

/* Terms without dt go to rest; the multiplier of dt of each field to mass. */
static int split_mass(compiler *c, const source *s, const triad_text_sum *sum, triad_text_scaled *mass,
                      triad_text_sum *rest)
{
  triad_text *t = c->text;
  const int first = t->n_fields + t->n_lets;
  for (int i = 0; i < sum->n; i++) {
    const triad_text_term *x = &sum->term[i];
    int rates = 0;
    for (int k = 0; k < x->n; k++) rates += x->factor[k].base >= first;
    if (rates == 0) {
      if (!triad_text_append(t, rest, *x)) return triad_text_no_memory(c);
      continue;
    }
    if (x->n > 1 || x->profile || x->clock)
      return triad_text_wrong(c, s, -1, TRIAD_ERR_FEATURE,
                              "dt(..) may be multiplied by numbers and constant operators only");
    triad_text_scaled *m = &mass[x->factor[0].base - first];
    *m = triad_text_add(&t->operators, *m, triad_text_of_factor(x));
  }
  return 1;
}

/* The only field that has a rate. */
static int find_rate(compiler *c, const source *s, const triad_text_scaled *mass)
{
  int field = -1;
  for (int f = 0; f < c->text->n_fields; f++) {
    if (mass[f].node == TRIAD_TEXT_ZERO) continue;
    if (field >= 0) {
      (void)triad_text_wrong(c, s, -1, TRIAD_ERR_FEATURE,
                             "the equation has the rates of \"%s\" and of \"%s\": coupled rates are not supported yet, "
                             "write one dt(..) per equation",
                             c->text->field[field].name, c->text->field[f].name);
      return -1;
    }
    field = f;
  }
  if (field < 0)
    (void)triad_text_wrong(c, s, -1, TRIAD_ERR_CASE,
                           "the equation has no rate of change: write dt(q) + .. = .., or move a diagnostic to "
                           "equations.let");
  return field;
}

/* dt(field) = -(1/mass) rest, linear terms in terms of the fields. */
static int enter_rate(compiler *c, const source *s, const triad_text_sum *sum, int *found)
{
  triad_text *t = c->text;
  triad_text_operators *o = &t->operators;
  triad_text_scaled mass[TRIAD_TEXT_FIELDS] = {{0}};
  triad_text_sum all, rest = {0};
  if (!triad_text_split_times(c, s, sum, &all) || !split_mass(c, s, &all, mass, &rest)) return 0;
  const int a = find_rate(c, s, mass);
  if (a < 0) return 0;
  if (found[a])
    return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "\"%s\" has an equation already: remove one", t->field[a].name);
  found[a] = 1;
  triad_text_scaled inverse = triad_text_inverse(o, mass[a]);
  t->mass[a] = inverse.node;
  inverse.c = -inverse.c;
  for (int i = 0; i < rest.n; i++) {
    const triad_text_term x = triad_text_apply(t, inverse, rest.term[i]);
    if (x.n > t->degree) t->degree = x.n;
    if (x.n != 1 || x.profile || x.clock) {
      if (!triad_text_append(t, &t->other[a], x)) return triad_text_no_memory(c);
      continue;
    }
    const int base = x.factor[0].base;
    for (int f = 0; f < t->n_fields; f++) {
      const triad_text_scaled m = base >= t->n_fields ? t->solved[base - t->n_fields][f] : triad_text_number(f == base);
      const triad_text_scaled product = triad_text_times(o, triad_text_of_factor(&x), m);
      t->linear[a][f] = triad_text_add(o, t->linear[a][f], product);
    }
  }
  triad_text_collect(&t->other[a]);
  return 1;
}

/* left - right of an equation: 1 or 3 sums. */
static int read_equation(compiler *c, source *s, triad_text_value *out)
{
  triad_text_value side[2];
  const int equals = triad_text_equals(s->text);
  if (equals < 0)
    return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "%s: write dt(q) + .. = ..",
                            equals == -1 ? "there is no =" : "there is more than one =");
  for (int i = 0; i < 2; i++) {
    int good = triad_text_read(c, s, i == 0 ? 0 : equals + 1, i == 0 ? equals : (int)strlen(s->text), NULL);
    good = good && triad_text_expand(c, s, s->n - 1, NULL, &side[i]);
    free(s->node);
    s->node = NULL;
    if (!good) return 0;
  }
  int zero[2];
  for (int i = 0; i < 2; i++) zero[i] = side[i].rank == 1 && side[i].part[0].n == 0 && side[i].imaginary[0].n == 0;
  if (side[0].rank != side[1].rank && !zero[0] && !zero[1])
    return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE,
                            "the left side is a %s, the right side a %s: they cannot be equal",
                            side[0].rank == 3 ? "vector" : "scalar", side[1].rank == 3 ? "vector" : "scalar");
  *out = (triad_text_value){.rank = side[0].rank > side[1].rank ? side[0].rank : side[1].rank};
  for (int p = 0; p < out->rank; p++) {
    for (int i = 0; i < 2; i++)
      if (p < side[i].rank &&
          (!triad_text_sum_add(c->text, &out->part[p], &side[i].part[p], i == 0 ? 1 : -1) ||
           !triad_text_sum_add(c->text, &out->imaginary[p], &side[i].imaginary[p], i == 0 ? 1 : -1)))
        return triad_text_no_memory(c);
    triad_text_collect(&out->part[p]);
    triad_text_collect(&out->imaginary[p]);
  }
  return 1;
}

/* The multiplier of dt(field) in a sum of terms. */
static triad_text_scaled mass_of(compiler *c, const triad_text_sum *sum, int field)
{
  triad_text_scaled m = triad_text_of(0, TRIAD_TEXT_ZERO);
  for (int i = 0; i < sum->n; i++)
    if (sum->term[i].n == 1 && sum->term[i].factor[0].base == c->text->n_fields + c->text->n_lets + field)
      m = triad_text_add(&c->text->operators, m, triad_text_of_factor(&sum->term[i]));
  return m;
}

/* out = m a + n b */
static int combine(compiler *c, triad_text_scaled m, const triad_text_sum *a, triad_text_scaled n,
                   const triad_text_sum *b, triad_text_sum *out)
{
  *out = (triad_text_sum){0};
  if (!triad_text_apply_sum(c->text, m, a, out) || !triad_text_apply_sum(c->text, n, b, out))
    return triad_text_no_memory(c);
  triad_text_collect(out);
  return 1;
}

/* A complex equation (a + i b) dt(psi) + .. = 0, times a - i b: its parts have a rate each. */
static int separate(compiler *c, const source *s, triad_text_value *v)
{
  int complex_field = -1, imaginary = 0;
  triad_text_sum part[2];
  for (int p = 0; p < v->rank; p++) imaginary |= v->imaginary[p].n > 0;
  if (!imaginary) return 1;
  for (int f = 0; f < c->text->n_fields && v->rank == 1; f++)
    if (c->text->field[f].complex_part == 1 &&
        (mass_of(c, &v->part[0], f).node != TRIAD_TEXT_ZERO || mass_of(c, &v->imaginary[0], f).node != TRIAD_TEXT_ZERO))
      complex_field = f;
  if (complex_field < 0)
    return triad_text_wrong(
      c, s, -1, TRIAD_ERR_CASE,
      "the equation has an imaginary part, but no rate of a complex field: use abs2(..), real(..) "
      "or imag(..)");
  const triad_text_scaled a = mass_of(c, &v->part[0], complex_field), b = mass_of(c, &v->imaginary[0], complex_field);
  if (b.node == TRIAD_TEXT_ZERO) return 1;
  if (!combine(c, a, &v->part[0], b, &v->imaginary[0], &part[0])) return 0;
  if (!combine(c, a, &v->imaginary[0], (triad_text_scaled){-b.c, b.size, b.node}, &v->part[0], &part[1])) return 0;
  v->part[0] = part[0];
  v->imaginary[0] = part[1];
  return 1;
}

int triad_text_solve_rates(compiler *c, const char *const *texts, int n)
{
  int found[TRIAD_TEXT_FIELDS] = {0};
  c->in_evolve = 1;
  for (int i = 0; i < n; i++) {
    source s = {.key = "equations.evolve", .text = texts[i], .index = i};
    triad_text_value v;
    if (!read_equation(c, &s, &v)) return 0;
    if (!separate(c, &s, &v)) return 0;
    for (int p = 0; p < v.rank; p++) {
      if (!enter_rate(c, &s, &v.part[p], found)) return 0;
      if (v.imaginary[p].n > 0 && !enter_rate(c, &s, &v.imaginary[p], found)) return 0;
    }
  }
  c->in_evolve = 0;
  for (int f = 0; f < c->text->n_fields; f++) {
    const source s = {.key = "equations.evolve", .index = -1};
    if (found[f]) continue;
    return triad_text_wrong(c, &s, -1, TRIAD_ERR_CASE, "the field \"%s\" has no equation: add \"dt(%s) = ..\"",
                            c->text->field[f].name,
                            *c->text->field[f].of ? c->text->field[f].of : c->text->field[f].name);
  }
  return 1;
}

/* ---- invariants ---- */

static int check_invariant(compiler *c, const source *s, const triad_text_sum *sum)
{
  for (int i = 0; i < sum->n; i++) {
    const triad_text_term *x = &sum->term[i];
    if (x->n > 0 && !x->mean)
      return triad_text_wrong(c, s, -1, TRIAD_ERR_CASE, "an invariant is a number: put its fields into mean(..)");
    if (x->n > 2 || x->profile)
      return triad_text_wrong(
        c, s, -1, TRIAD_ERR_FEATURE,
        "means of products of more than two fields, or with functions of position or time, are not "
        "supported yet");
  }
  return 1;
}

int triad_text_read_invariants(compiler *c, const char *const *texts, int n)
{
  c->in_invariant = 1;
  for (int i = 0; i < n; i++) {
    source s = {.key = "equations.invariants", .text = texts[i], .index = i};
    triad_text_invariant *to = &c->text->invariant[i];
    triad_text_value v;
    int used = 0;
    const int equals = triad_text_equals(s.text);
    if (equals < 0 || sscanf(s.text, " %27[A-Za-z0-9_] %n", to->name, &used) != 1 || used != equals)
      return triad_text_wrong(c, &s, -1, TRIAD_ERR_CASE, "write name = mean(..), with a name of at most 27 letters");
    for (int k = 0; k < i; k++)
      if (strcmp(c->text->invariant[k].name, to->name) == 0)
        return triad_text_wrong(c, &s, -1, TRIAD_ERR_CASE, "the name \"%s\" is repeated", to->name);
    int good = triad_text_read(c, &s, equals + 1, (int)strlen(s.text), NULL);
    good = good && triad_text_expand(c, &s, s.n - 1, NULL, &v);
    free(s.node);
    if (!good) return 0;
    if (v.rank != 1) return triad_text_wrong(c, &s, -1, TRIAD_ERR_CASE, "an invariant is a number, not a vector");
    if (v.imaginary[0].n > 0)
      return triad_text_wrong(c, &s, -1, TRIAD_ERR_CASE,
                              "an invariant is a real number: use abs2(..), real(..) or imag(..)");
    if (!check_invariant(c, &s, &v.part[0])) return 0;
    to->text = s.text;
    to->sum = v.part[0];
    c->text->n_invariants++;
  }
  c->in_invariant = 0;
  return 1;
}
