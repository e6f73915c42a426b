/* Coefficients of walls from the momentum that has left through them in the last step. */
#include "solvers/unstructured/measure/coefficients.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

enum { LIFT, DRAG, MOMENT, OF_WALL, STROUHAL = OF_WALL, WALLS };

static int n_walls(const triad_unstructured_flow *f)
{
  int n = 0;
  for (int p = 0; p < f->mesh->n_patches; p++) n += triad_unstructured_is_wall(f->rule[p].kind);
  return n;
}

/* Density and velocity of the case, or of the first stream. */
static void set_reference(triad_unstructured_flow *f)
{
  triad_body_reference *r = &f->reference;
  *r = f->setup.reference;
  for (int p = f->mesh->n_patches - 1; p >= 0; p--) {
    const triad_unstructured_rule *rule = &f->rule[p];
    const int streams = rule->kind == TRIAD_UNSTRUCTURED_INFLOW || rule->kind == TRIAD_UNSTRUCTURED_FARFIELD;
    if (!streams || !(fabs((double)rule->given[1]) + fabs((double)rule->given[2]) + fabs((double)rule->given[3]) > 0))
      continue;
    if (!(f->setup.reference.density > 0)) r->density = (double)rule->given[0];
    if (!(triad_body_speed(&f->setup.reference) > 0))
      for (int a = 0; a < 3; a++) r->velocity[a] = (double)rule->given[1 + a];
  }
}

static int are_there(const triad_unstructured_flow *f) { return triad_body_head(&f->reference) > 0 && n_walls(f) > 0; }

void triad_unstructured_coefficients_create(triad_unstructured_flow *f)
{
  static const char *const names[OF_WALL] = {"cl", "cd", "cm"};
  set_reference(f);
  if (!are_there(f)) return;
  triad_column_info *list = f->columns + f->n_columns;
  list[LIFT] =
    (triad_column_info){"cl", "1", .formula = "lift coefficient of all walls, lift/(rho U^2/2 area), [reference]"};
  list[DRAG] = (triad_column_info){"cd", "1", .formula = "drag coefficient of all walls, in the last step"};
  list[MOMENT] = (triad_column_info){"cm", "1",
                                     .formula = "moment coefficient of all walls about reference.centre, moment/(rho "
                                                "U^2/2 area length), positive nose up"};
  list[STROUHAL] = (triad_column_info){"strouhal", "1",
                                       .formula = "frequency of cl, mean of the last cycles, times reference.length/U"};
  int n = WALLS;
  for (int p = 0; n_walls(f) > 1 && p < f->mesh->n_patches; p++) {
    for (int k = 0; k < OF_WALL && triad_unstructured_is_wall(f->rule[p].kind); k++, n++) {
      char *name = f->wall_column[n - WALLS];
      (void)snprintf(name, sizeof *f->wall_column, "%s_%s", names[k], f->mesh->patch_name[p]);
      (void)triad_name_clean(name, ".-_");
      list[n] = (triad_column_info){name, "1", .formula = "for this wall only"};
    }
  }
  f->n_columns += n;
}

static void put(const triad_unstructured_flow *f, const double push[6], double *out)
{
  triad_body_coefficients(&f->reference, push, &out[LIFT], &out[DRAG]);
  out[MOMENT] = triad_body_moment(&f->reference, push + 3);
}

void triad_unstructured_coefficients(triad_unstructured_flow *f, double *out)
{
  const int known = f->pushed, several = n_walls(f) > 1;
  double all[6] = {0};
  int n = WALLS;
  if (!are_there(f)) return;
  for (int p = 0; p < f->mesh->n_patches; p++) {
    if (!triad_unstructured_is_wall(f->rule[p].kind)) continue;
    for (int a = 0; a < 6; a++) all[a] += f->push[p][a];
    if (several) put(f, f->push[p], &out[n]);
    n += several ? OF_WALL : 0;
  }
  put(f, all, out);
  if (known) triad_strouhal_add(&f->strouhal, &f->reference, f->at.t, out[LIFT]);
  out[STROUHAL] = triad_strouhal_number(&f->strouhal, &f->reference);
  for (int i = 0; !known && i < n; i++) out[i] = NAN;
}
