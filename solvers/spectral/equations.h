/* An equation set, as the spectral driver sees it: one const struct, registered by one line in list.h.
 *
 * Every set has the form du_k/dt = N(u)_k - lambda(k) u_k for its fields u: N comes out of the one pass (products in
 * physical space, then `rates` in spectral space), and lambda >= 0 is a real rate that the stepper integrates
 * exactly. Forcing is added by the run; solvers/spectral/README.md tells how to write a new set. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_H

#include "base/case.h"
#include "fft/pass.h"

enum { TRIAD_MOST_FIELDS = 16, TRIAD_MOST_PRODUCTS = 16, TRIAD_MOST_SUMS = 24, TRIAD_MOST_COLUMNS = 32 };

typedef struct triad_field_info {
  const char *name, *long_name, *unit;
} triad_field_info;

/* A column of series.csv and the formula that stands in its comment lines. */
typedef struct triad_column_info {
  const char *name, *unit, *formula;
} triad_column_info;

/* The decay rate of a field's modes [1/time], docs/numerics.md eq. (9):
 *   lambda(k) = viscosity k^2 + hyperviscosity k^(2 order) + drag [|k| <= drag_wavenumber, or everywhere if 0] */
typedef struct triad_decay {
  double viscosity, hyperviscosity;
  int order;
  double drag, drag_wavenumber;
} triad_decay;

#define triad_decay_rate TRIAD_NAME(decay_rate)
double triad_decay_rate(const triad_decay *decay, double k_squared);

/* Complex numbers of one row of a block (fixed kz, TRIAD_LANES columns). */
typedef triad_cplx triad_lane_row[TRIAD_LANES];

/* What points() and extremes() leave in peaks[], the largest over the points: the advection rate sum_i |u_i|/dx_i
 * [1/time], which is not finite when a value was not; and |u|^2, by extremes() only. */
enum { TRIAD_PEAK_ADVECTION = 0, TRIAD_PEAK_SPEED2 = 1 };

/* What a series line knows besides the sums. */
typedef struct triad_moment {
  double dt, injection, advection_rate, u_max;
} triad_moment;

typedef struct triad_equations {
  const char *name, *about;
  int n_fields, n_in, n_out;
  const triad_field_info *fields;

  /* Not collective. */
  int (*create)(void **self, const triad_grid *grid, const triad_case *given);
  void (*destroy)(void **self);

  /* As in fft/pass.h; source NULL: the inputs are the first n_in fields themselves. */
  void (*points)(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks);

  /* Extremes of the fields alone, for a series line: peaks[] as above, and u_max^2. */
  void (*extremes)(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks);

  /* Row j of a block: products, complex [lane] each, -> N(u) of each field. */
  void (*rates)(const void *self, const triad_block *block, int64_t j, const triad_cplx *const *products,
                triad_lane_row *rates);
  triad_decay (*decay)(const void *self, int field);

  /* Budgets: n_sums sums over modes, of which sums() returns one column's share, and the series columns they give
   * after step,t,dt. The first four columns are energy, enstrophy, dissipation, injection in every set. */
  int n_sums, n_columns;
  const triad_column_info *columns;
  void (*sums)(const void *self, const triad_layout *layout, int64_t column, const triad_cplx *const *fields,
               double *sums);
  void (*series)(const void *self, const double *sums, const triad_moment *moment, double *columns);

  /* Shell spectra: n_spectra quadratic densities of a mode, weight included; the first sums to the energy. */
  int n_spectra;
  const triad_column_info *spectra;
  void (*densities)(const void *self, const triad_layout *layout, int64_t column, int64_t j,
                    const triad_cplx *const *fields, double *densities);
} triad_equations;

/* By the name in a case file; NULL when there is none. */
#define triad_equations_find TRIAD_NAME(equations_find)
const triad_equations *triad_equations_find(const char *name);

#endif
