/* Columns and spectra of equations as text: energy, its gradient, what linear terms take; invariants of the case. */
#include "solvers/spectral/text/set.h"
#include "solvers/spectral/text/compile/invariants.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENERGY, ENSTROPHY, DISSIPATION, FIRST_GROUP };

typedef double complex mode[TRIAD_TEXT_BASES];

/* What linear terms give to the fields of a mode. */
static void linear_rates(const triad_text_set *s, const double k[3], const double complex *value,
                         const double complex *u, double complex *rate)
{
  const triad_text *t = s->text;
  for (int a = 0; a < t->n_fields; a++) {
    rate[a] = 0;
    for (int f = 0; f < t->n_fields; f++)
      if (t->linear[a][f].node != TRIAD_TEXT_ZERO) rate[a] += t->linear[a][f].c * value[t->linear[a][f].node] * u[f];
  }
  triad_text_project(t, k, rate);
}

/* All that a mode contributes: sums[n_sums]. */
static void mode_sums(const triad_text_set *s, const double k[3], const double complex *value, double complex *u,
                      double *sums)
{
  const triad_text *t = s->text;
  mode rate;
  const double k2 = triad_mode_k2(k);
  const int is_mean = !(k2 > 0);
  double energy = 0, lost = 0;
  triad_text_fill_bases(t, value, u);
  linear_rates(s, k, value, u, rate);
  for (int g = 0; g < s->n_groups; g++) {
    double mine = 0;
    for (int f = s->group[g].first; f < s->group[g].first + s->group[g].n; f++) {
      mine += creal(conj(u[f]) * u[f]) / 2;
      lost -= creal(conj(u[f]) * rate[f]);
    }
    energy += mine;
    if (s->n_groups > 1) sums[FIRST_GROUP + g] += mine;
  }
  sums[ENSTROPHY] += k2 * energy;
  double *to = sums + FIRST_GROUP + (s->n_groups > 1 ? s->n_groups : 0);
  for (int i = 0; i < t->n_invariants; i++) to[i] += triad_text_part_of(&t->invariant[i], value, u, u, is_mean);
  if (s->energy >= 0) {
    triad_text_fill_bases(t, value, rate);
    const triad_text_invariant *v = &t->invariant[s->energy];
    energy = triad_text_part_of(v, value, u, u, is_mean);
    lost = is_mean ? 0 : -triad_text_part_of(v, value, rate, u, 0) - triad_text_part_of(v, value, u, rate, 0);
  }
  sums[ENERGY] += energy;
  sums[DISSIPATION] += lost;
}

int triad_text_count_sums(const triad_text_set *s)
{
  return FIRST_GROUP + (s->n_groups > 1 ? s->n_groups : 0) + s->text->n_invariants;
}

void triad_text_sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *sums)
{
  const triad_text_set *s = self;
  const triad_text *t = s->text;
  double complex value[TRIAD_TEXT_OPERATORS];
  const int n = triad_text_count_sums(s);
  for (int i = 0; i < n; i++) sums[i] = 0;
  for (int64_t j = 0; j < l->nkz; j++) {
    const int64_t at = triad_layout_place(l, column, j);
    double k[3];
    mode v;
    triad_layout_derivative(l, column, j, k);
    triad_text_evaluate(&t->operators, k, s->needed, value, NULL);
    for (int f = 0; f < t->n_fields; f++) v[f] = (double)u[f][at].re + I * (double)u[f][at].im;
    mode_sums(s, k, value, v, sums);
  }
  for (int i = 0; i < n; i++) sums[i] *= l->weight[column];
}

void triad_text_series(const void *self, const double *sums, const triad_series_inputs *inputs, double *c)
{
  const triad_text_set *s = self;
  const int groups = s->n_groups > 1 ? s->n_groups : 0;
  int n = 4;
  for (int i = 0; i < 3; i++) c[i] = sums[i];
  c[3] = inputs->injection;
  for (int g = 0; g < groups; g++) c[n++] = sums[FIRST_GROUP + g];
  for (int i = 0; i < s->text->n_invariants; i++)
    if (i != s->energy) c[n++] = sums[FIRST_GROUP + groups + i];
}

void triad_text_densities(const void *self, const triad_layout *l, int64_t column, int64_t j,
                          const triad_cplx *const *u, double *d)
{
  const triad_text_set *s = self;
  const triad_text *t = s->text;
  double complex value[TRIAD_TEXT_OPERATORS];
  double sums[FIRST_GROUP + TRIAD_TEXT_FIELDS + TRIAD_TEXT_INVARIANTS] = {0}, k[3];
  mode v;
  const int64_t at = triad_layout_place(l, column, j);
  const int groups = s->n_groups > 1 ? s->n_groups : 0;
  int n = 1;
  triad_layout_derivative(l, column, j, k);
  triad_text_evaluate(&t->operators, k, s->needed, value, NULL);
  for (int f = 0; f < t->n_fields; f++) v[f] = (double)u[f][at].re + I * (double)u[f][at].im;
  mode_sums(s, k, value, v, sums);
  d[0] = sums[ENERGY] * l->weight[column];
  for (int g = 0; g < groups; g++) d[n++] = sums[FIRST_GROUP + g] * l->weight[column];
  for (int i = 0; i < t->n_invariants; i++)
    if (i != s->energy) d[n++] = sums[FIRST_GROUP + groups + i] * l->weight[column];
}

/* ---- shape ---- */

static void find_groups(triad_text_set *s)
{
  const triad_text *t = s->text;
  for (int f = 0; f < t->n_fields; f += s->group[s->n_groups - 1].n) {
    s->group[s->n_groups].first = f;
    s->group[s->n_groups++].n = t->field[f].complex_part ? 2 : *t->field[f].of ? 3 : 1;
  }
  s->energy = -1;
  for (int i = 0; i < t->n_invariants; i++)
    if (strcmp(t->invariant[i].name, "energy") == 0) s->energy = i;
}

/* Invariants may not have the name of a column that there is. */
static int check_name(const triad_shape *shape, const char *name)
{
  static const char *const reserved[] = {"step", "t", "dt", "wall_s", "k", "E", "T", "Pi"};
  int taken = 0;
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) taken |= strcmp(name, reserved[i]) == 0;
  taken |= strncmp(name, "E_", 2) == 0 || strncmp(name, "T_", 2) == 0 || strncmp(name, "Pi_", 3) == 0;
  for (int i = 0; i < shape->n_columns; i++) taken |= strcmp(name, shape->columns[i].name) == 0;
  return taken
           ? TRIAD_FAIL(TRIAD_ERR_CASE, "equations.invariants: \"%s\" is the name of another column or spectrum", name)
           : TRIAD_OK;
}

int triad_text_budget_shape(triad_text_set *s, triad_shape *shape)
{
  const triad_text *t = s->text;
  find_groups(s);
  const triad_column_info first[4] = {{"energy", "",
                                       .formula = s->energy < 0
                                                    ? "sum of mean(q^2)/2 over all fields"
                                                    : triad_shape_text_of(shape, "%s", t->invariant[s->energy].text)},
                                      {"enstrophy", "", .formula = "sum of mean(|grad q|^2)/2 over all fields"},
                                      {"dissipation", "", .formula = "minus the rate of the energy by linear terms"},
                                      {"injection", "", .formula = "0: sources in the equations are not counted"}};
  const triad_column_info spectrum = {"E", "", .formula = "the energy in the shell"};
  TRIAD_TRY(triad_shape_add_columns(shape, 4, first));
  TRIAD_TRY(triad_shape_add_spectra(shape, 1, &spectrum));
  for (int g = 0; g < s->n_groups && s->n_groups > 1; g++) {
    const triad_text_field *f = &t->field[s->group[g].first];
    const char *name = *f->of ? f->of : f->name;
    const triad_column_info column = {triad_shape_text_of(shape, "%s_energy", name), "",
                                      .formula = triad_shape_text_of(shape, "mean of the square of %s, over 2", name)};
    const triad_column_info shell = {
      triad_shape_text_of(shape, "E_%s", name), "",
      .formula = triad_shape_text_of(shape, "sum over the shell of the square of %s, over 2", name)};
    TRIAD_TRY(triad_shape_add_columns(shape, 1, &column));
    TRIAD_TRY(triad_shape_add_spectra(shape, 1, &shell));
  }
  for (int i = 0; i < t->n_invariants; i++) {
    if (i == s->energy) continue;
    TRIAD_TRY(check_name(shape, t->invariant[i].name));
    const triad_column_info column = {triad_shape_text_of(shape, "%s", t->invariant[i].name), "",
                                      .formula = triad_shape_text_of(shape, "%s", t->invariant[i].text)};
    TRIAD_TRY(triad_shape_add_columns(shape, 1, &column));
    TRIAD_TRY(triad_shape_add_spectra(shape, 1, &column));
  }
  shape->n_sums = triad_text_count_sums(s);
  for (int a = 0; a < t->n_fields; a++)
    for (int f = 0; f < t->n_fields; f++) triad_text_need(&t->operators, t->linear[a][f].node, s->needed);
  for (int l = 0; l < t->n_lets; l++)
    for (int f = 0; f < t->n_fields; f++) triad_text_need(&t->operators, t->solved[l][f].node, s->needed);
  for (int i = 0; i < t->n_invariants; i++) triad_text_need_sum(t, &t->invariant[i].sum, s->needed);
  return TRIAD_OK;
}
