/* Shell spectra of a periodic box without solids (docs/reference/spectra.md): E of the velocity on faces, which sums to
 * the energy of the series, and the variance of the pressure. */
#include "solvers/staggered/measure/spectra.h"

#include "solvers/box/box_spectra.h"
#include "solvers/staggered/state/flow.h"

enum { E, P_VARIANCE, SPECTRA };

static const triad_column_info names[SPECTRA] = {
  [E] = {"E", "U^2", "kinetic energy in the shell, of velocities on faces"},
  [P_VARIANCE] = {"p_variance", "U^4", "variance of the pressure in the shell"},
};

int triad_staggered_has_spectra(const triad_staggered_setup *s)
{
  for (int i = 0; i < 3; i++)
    if (s->n[i] > 1 && (s->side[i][0] != TRIAD_STAGGERED_PERIODIC || s->stretch[i] > 0)) return 0;
  return 1;
}

static void of_velocity(const triad_box_mode *m, double *out) { out[E] = m->weight / 2 * triad_box_square(m->a[0]); }

static void of_pressure(const triad_box_mode *m, double *out)
{
  if (!m->mean) out[P_VARIANCE] = m->weight * triad_box_square(m->a[0]);
}

/* *out: sums of this instant, which the caller destroys, also where it fails. */
static int sum_spectra(triad_staggered_flow *f, const char *run_dir, triad_box_spectra **out)
{
  const triad_space space = triad_staggered_space(f->mesh, 3, 0);
  TRIAD_TRY(triad_box_spectra_create(out, f->context,
                                     &(triad_box_spectra_plan){.space = &space,
                                                               .n = f->setup.n,
                                                               .length = f->setup.length,
                                                               .names = names,
                                                               .spectra = SPECTRA,
                                                               .modes = 1,
                                                               .reproducible = f->setup.reproducible,
                                                               .run_dir = run_dir}));
  for (int a = 0; a < 3; a++) {
    TRIAD_TRY(triad_box_spectra_transform(*out, f->u[0][a], 0));
    triad_box_spectra_add(*out, of_velocity);
  }
  TRIAD_TRY(triad_box_spectra_transform(*out, f->p, 0));
  triad_box_spectra_add(*out, of_pressure);
  return TRIAD_OK;
}

static int write_spectra(triad_staggered_flow *f, const char *run_dir, const double *columns, const triad_notes *notes)
{
  triad_box_spectra *w = NULL;
  int st = sum_spectra(f, run_dir, &w);
  if (st == TRIAD_OK) st = triad_box_spectra_write(w, columns[0], f->at.step, f->at.t, run_dir, notes);
  triad_box_spectra_destroy(&w);
  return st;
}

/* Solids may be released. */
static int has_spectra_now(const triad_staggered_flow *f)
{
  return triad_staggered_has_spectra(&f->setup) && !f->mesh->solids;
}

int triad_staggered_writes_spectra(const void *flow)
{
  const triad_staggered_flow *f = flow;
  return f->profiles || has_spectra_now(f);
}

int triad_staggered_spectra(void *flow, const char *run_dir, const double *columns, const triad_notes *notes)
{
  triad_staggered_flow *f = flow;
  TRIAD_TRY(triad_staggered_to_host(f));
  TRIAD_TRY(triad_staggered_profiles_write(f->profiles, run_dir, f->at.step, f->at.t));
  return has_spectra_now(f) ? write_spectra(f, run_dir, columns, notes) : TRIAD_OK;
}

int triad_staggered_spectra_take(triad_staggered_flow *f, double energy, triad_contents *into)
{
  triad_box_spectra *w = NULL;
  int st = sum_spectra(f, NULL, &w);
  if (st == TRIAD_OK) st = triad_box_spectra_take(w, energy, into);
  triad_box_spectra_destroy(&w);
  return st;
}

int triad_staggered_spectra_size(const triad_staggered_setup *s, int *arrays, int64_t *values)
{
  return triad_box_spectra_size(s->n, s->length, SPECTRA, arrays, values);
}
