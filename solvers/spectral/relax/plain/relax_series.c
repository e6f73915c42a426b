/* Columns of the series for bodies and sponges: forces, fluxes, powers. */
#include "solvers/spectral/relax/plain/relax_series.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/relax/relax_internal.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

int triad_relax_is_passive(const triad_field_info *field) { return strncmp(field->name, "scalar", 6) == 0; }

double triad_relax_power(const triad_relaxation *r, const triad_flow *flow, int i, int what)
{
  const triad_relax_item *p = &r->item[i];
  double power = 0;
  for (int f = 0; f < p->n_fields; f++) {
    const int field = p->fields[f].field;
    if (what < 0 ? !triad_relax_is_passive(&flow->shape.fields[field]) : field == what)
      power -= r->now[p->first_sum + TRIAD_RELAX_SUMS * f + TRIAD_RELAX_POWER];
  }
  return power;
}

double triad_relax_force(const triad_relaxation *r, int i, int field)
{
  const triad_relax_item *p = &r->item[i];
  for (int f = 0; f < p->n_fields; f++)
    if (p->fields[f].field == field) return r->now[p->first_sum + TRIAD_RELAX_SUMS * f + TRIAD_RELAX_FORCE];
  return 0;
}

/* ---- which columns there are ---- */

static const char *const forces[] = {"body%d_force_x", "body%d_force_y", "body%d_force_z"};

static int add(triad_shape *s, const char *name, int number, const char *unit, const char *formula)
{
  const triad_column_info column = {triad_shape_text(s, name, number), unit,
                                    .formula = triad_shape_text(s, formula, number)};
  return triad_shape_add_columns(s, 1, &column);
}

/* The name of a column of a body and a scalar field. */
static const char *flux_name(char text[TRIAD_RELAX_KEY], const triad_field_info *field)
{
  (void)snprintf(text, TRIAD_RELAX_KEY, "body%%d_%s_flux", field->name);
  return text;
}

static int body_columns(triad_shape *s, const triad_case *c, int i)
{
  static const char *const about[] = {"force of the flow on body %d along x, over the density",
                                      "force of the flow on body %d along y, over the density",
                                      "force of the flow on body %d along z, over the density"};
  char name[TRIAD_RELAX_KEY], formula[128];
  for (int a = 0; a < 3; a++) TRIAD_TRY(add(s, forces[a], i + 1, "U^2 L^2", about[a]));
  triad_body_reference reference;
  if (triad_relaxation_reference(c, &reference)) {
    TRIAD_TRY(add(s, "body%d_cl", i + 1, "1", "lift coefficient of body %d, lift/(U^2/2 area), [reference]"));
    TRIAD_TRY(add(s, "body%d_cd", i + 1, "1", "drag coefficient of body %d, drag/(U^2/2 area)"));
    TRIAD_TRY(add(s, "body%d_strouhal", i + 1, "1",
                  "frequency of body%d_cl, mean of the last cycles, times reference.length/U"));
  }
  TRIAD_TRY(add(s, "body%d_power", i + 1, "U^2/T", "power of body %d on the flow, mean over the box"));
  for (int f = 0; f < s->n_fields; f++) {
    if (s->fields[f].role != TRIAD_ROLE_SCALAR || !triad_relax_takes(c, i, s, f)) continue;
    (void)snprintf(formula, sizeof formula, "flux of %s from the fluid into body %%d", s->fields[f].name);
    TRIAD_TRY(add(s, flux_name(name, &s->fields[f]), i + 1, "S U L^2", formula));
  }
  return TRIAD_OK;
}

int triad_relaxation_columns(triad_shape *s, const triad_case *c)
{
  const int n = triad_relaxation_wanted(c), bodies = n > 0 ? triad_case_tables(c, "bodies") : 0;
  for (int i = 0; i < n; i++)
    TRIAD_TRY(i < bodies ? body_columns(s, c, i)
                         : add(s, "sponge%d_power", i - bodies + 1, "U^2/T",
                               "power of sponge %d on the flow, mean over the box"));
  for (int f = 0; f < s->n_fields; f++) {
    int any = 0, number;
    for (int i = 0; i < n; i++) any |= triad_relax_takes(c, i, s, f);
    if (any && sscanf(s->fields[f].name, "scalar%d", &number) == 1)
      TRIAD_TRY(add(s, "scalar%d_relaxation", number, "S^2/T",
                    "rate of change of mean(s^2)/2 of scalar %d by bodies and sponges"));
  }
  return TRIAD_OK;
}

/* ---- their values ---- */

static void set(const triad_flow *flow, double *columns, const char *name, int number, double value)
{
  char text[TRIAD_RELAX_KEY];
  (void)snprintf(text, sizeof text, name, number); /* NOLINT: formats of this file */
  const int at = triad_shape_column(&flow->shape, text);
  if (at >= 0) columns[at] = value;
}

/* The momentum that the mask takes from the flow, and that of the fluid that the body carries along. */
static void body_values(triad_relaxation *r, const triad_flow *flow, int i, double box, double *columns)
{
  triad_relax_item *p = &r->item[i];
  const double volume = box * r->now[p->first_sum + TRIAD_RELAX_SUMS * p->n_fields];
  char name[TRIAD_RELAX_KEY];
  triad_body_reference reference;
  double force[3], lift, drag;
  for (int a = 0; a < 3; a++) {
    force[a] = box * triad_relax_force(r, i, r->velocity + a) + volume * p->acceleration[a];
    set(flow, columns, forces[a], p->number, force[a]);
  }
  if (triad_relaxation_reference(flow->given, &reference)) {
    triad_body_coefficients(&reference, force, &lift, &drag);
    set(flow, columns, "body%d_cl", p->number, lift);
    set(flow, columns, "body%d_cd", p->number, drag);
    triad_strouhal_add(&p->strouhal, &reference, flow->at.t, lift);
    set(flow, columns, "body%d_strouhal", p->number, triad_strouhal_number(&p->strouhal, &reference));
  }
  set(flow, columns, "body%d_power", p->number, triad_relax_power(r, flow, i, -1));
  for (int f = 0; f < p->n_fields; f++) {
    const int field = p->fields[f].field;
    if (flow->shape.fields[field].role == TRIAD_ROLE_SCALAR)
      set(flow, columns, flux_name(name, &flow->shape.fields[field]), p->number, box * triad_relax_force(r, i, field));
  }
}

void triad_relaxation_series(triad_relaxation *r, const triad_flow *flow, double *columns)
{
  const double *l = flow->grid.length, box = l[0] * l[1] * l[2];
  for (int i = 0; r && i < r->n; i++) {
    if (r->item[i].is_body) body_values(r, flow, i, box, columns);
    else set(flow, columns, "sponge%d_power", r->item[i].number, triad_relax_power(r, flow, i, -1));
  }
  for (int n = 0; r && n < r->n_results; n++) {
    int number;
    double power = 0;
    if (sscanf(flow->shape.fields[r->field[n]].name, "scalar%d", &number) != 1) continue;
    for (int i = 0; i < r->n; i++) power += triad_relax_power(r, flow, i, r->field[n]);
    set(flow, columns, "scalar%d_relaxation", number, power);
  }
}

static const char *name_of(char name[TRIAD_RELAX_KEY], const triad_relax_item *p)
{
  (void)snprintf(name, TRIAD_RELAX_KEY, "body%d_strouhal", p->number);
  return name;
}

int triad_relaxation_keep(const triad_relaxation *r, triad_notes *notes)
{
  char name[TRIAD_RELAX_KEY];
  for (int i = 0; r && i < r->n; i++)
    if (r->item[i].is_body) TRIAD_TRY(triad_strouhal_keep(&r->item[i].strouhal, name_of(name, &r->item[i]), notes));
  return TRIAD_OK;
}

void triad_relaxation_take(triad_relaxation *r, const triad_notes *notes)
{
  char name[TRIAD_RELAX_KEY];
  for (int i = 0; r && i < r->n; i++)
    if (r->item[i].is_body) triad_strouhal_take(&r->item[i].strouhal, name_of(name, &r->item[i]), notes);
}
