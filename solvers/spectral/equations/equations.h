/* An equation set for the spectral solver: one const struct, registered by one line in list.h.
 *
 * Every set has the form du_k/dt = N(u)_k - lambda(k) u_k for its fields u. N is computed by the pass (products in
 * physical space, then `rates` in spectral space), and lambda >= 0 is a real rate that the stepper integrates exactly.
 * The run adds forcing; solvers/spectral/README.md explains how to write a new set. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_EQUATIONS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_EQUATIONS_H

#include "case/case.h"
#include "base/log.h"
#include "fft/pass/pass.h"
#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/equations/wave_points.h"
#include "solvers/spectral/plain/shape.h"
#include "solvers/schemes.h"

double triad_decay_rate(const triad_decay *decay, double k_squared); /* wave_points.h */

/* A rotation of fields 0 and 1 into each other, du0/dt = omega u1, du1/dt = -omega u0, omega(k) = alpha k^2 - mu. */
typedef struct triad_turn {
  double alpha, mu;
} triad_turn;

/* Fields that linear terms couple, du/dt = A(k) u for each mode. */
enum { TRIAD_COUPLED = 8 };
typedef struct triad_coupled {
  int n, field[TRIAD_COUPLED];
} triad_coupled;

/* Complex numbers of one row of a block (fixed kz, TRIAD_LANES columns). */
#ifdef TRIAD_ONCE
typedef struct triad_unknown_row triad_lane_row;
typedef struct triad_unknown_reals triad_lane_reals;
#else
typedef triad_cplx triad_lane_row[TRIAD_LANES];

/* Real numbers of one row. */
typedef double triad_lane_reals[TRIAD_LANES];
#endif

/* Maxima over the points that points() and extremes() store in peaks[]: the advection rate sum_i |u_i|/dx_i [1/time],
 * not finite if a value is not; and |u|^2, by extremes() only. */
enum { TRIAD_PEAK_ADVECTION = 0, TRIAD_PEAK_SPEED2 = 1 };

/* Inputs of a series line other than sums. */
typedef struct triad_series_inputs {
  double dt, injection, advection_rate, u_max;
} triad_series_inputs;

typedef struct triad_equations {
  const char *name;

  /* Initial conditions of this set only (start/initial.h); the last row has no name; NULL: none. Keys, rules,
   * quantities and the word of equations.solver are in `const triad_case_part triad_case_part_NAME` (case/part.h). */
  const struct triad_spectral_start *starts;

  /* Fill an empty shape from the keys of a case. The struct at *self begins with the set's constants, plain data, the
   * struct of its points.h. Not collective. */
  int (*create)(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given);
  void (*destroy)(void **self);
  /* Allocate what steps on the CPU need (a work space of the set, from the memory account, which frees it on
   * destruction); NULL: nothing. The status is this rank's; the caller agrees. */
  int (*prepare)(void *self, triad_context *context, const triad_layout *layout);

  /* Log the parameters that follow from the case's keys; NULL: nothing to log. Not collective. */
  void (*describe)(const void *self, triad_log *log);

  /* Of equations that the case gives as text: call print with each line about what was found in them. NULL: they are
   * built in. Not collective. */
  void (*explain)(const void *self, void (*print)(void *who, const char *line), void *who);

  /* A stage of a step is shape->n_passes passes (fft/pass/pass.h), numbered from 0.
   * source: the inputs of a pass from the fields u; NULL: the first n_in fields themselves.
   * points: products in physical space, independent of position: called with several rows at once, in any order.
   * keep:   receives the results of every pass except the last; NULL if there is one pass.
   * rates:  row j of a block: fields u and results of the last pass, complex [lane] each -> N(u) of each field.
   * If products form chains (shape->pass[].chains), `results` are the sums of the chains. */
  void (*source)(void *self, int pass, const triad_batch *block, const triad_cplx *const *u, triad_cplx *const *in);
  void (*points)(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                 double *peaks);
  void (*keep)(void *self, int pass, const triad_batch *block, triad_cplx *const *out);
  void (*rates)(const void *self, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                const triad_cplx *const *results, triad_lane_row *rates);

  /* The time of the passes that follow, for sets with functions of time. NULL: none. */
  void (*at)(void *self, double t);

  /* The linear terms that a step integrates exactly. turn NULL: none. */
  triad_decay (*decay)(const void *self, int field);
  /* The GPU part of the set for this case, with the constants at the start of *self. NULL: none. */
  const triad_gpu_set *(*gpu)(const void *self);
  triad_turn (*turn)(const void *self);
  /* Further linear terms, on CPUs: block number `block` of fields that they couple, no field in two (returns 0: there
   * are no more); and its matrix A at a wavenumber of derivatives, complex [n][n] as pairs of numbers. Decay of these
   * fields comes in addition. NULL: none. */
  int (*coupled)(const void *self, int block, triad_coupled *out);
  void (*couple)(const void *self, int block, const double k[3], double *matrix);
  /* The fastest linear frequency among the rates [1/time], which limits a step like advection does; NULL: none. */
  double (*frequency)(const void *self);
  /* With turn: the longest step for which a scheme is stable with any state. NULL: unknown. */
  double (*longest)(const void *self, const triad_scheme *scheme);
  /* For time.scheme = "split2": the exact solution of the nonlinear part over dt at the points of a row, from the
   * fields in[] to out[]. NULL: the set has none. */
  void (*split)(void *self, double dt, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                double *peaks);

  /* Extremes of the first three fields alone, for a series line: peaks[] as above. NULL: none. */
  void (*extremes)(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks);

  /* The pressure over the density (measure/pressure.h), for sets with a velocity. stressed: the number of fields in its
   * products. stress: at n points, u_i u_j and similar stresses minus d on the diagonal, the five products of
   * velocity_points.h (part 0), and d, which includes the isotropic part of the pressure (part 1).
   * forces: add to s, the acceleration of a mode of fields u, other terms that cause pressure. */
  int stressed;
  void (*stress)(const void *self, int part, int64_t n, triad_real *const *in, triad_real *const *out);
  void (*forces)(const void *self, const triad_real *k, triad_real inverse_k2, const triad_cplx *u, triad_cplx *s);

  /* Budgets. sums: the contribution of one column to the n_sums sums over modes. observe: n_observed numbers that need
   * values at points, by separate passes (NULL: none; collective, the same on all ranks). series: the columns from
   * sums[0 .. n_sums-1], followed by the observed numbers. */
  void (*sums)(const void *self, const triad_layout *layout, int64_t column, const triad_cplx *const *u, double *sums);
  int (*observe)(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed);
  void (*series)(const void *self, const double *sums, const triad_series_inputs *inputs, double *columns);

  /* Quantities that the set conserves without forces, for the member of solvers/solver.h. NULL: none. */
  int (*conserved)(const void *self, const double *first, triad_conserved *list);

  /* Shell spectra: n_spectra quadratic densities of a mode, weight included. */
  void (*densities)(const void *self, const triad_layout *layout, int64_t column, int64_t j, const triad_cplx *const *u,
                    double *densities);

  /* Row j of a block, as for rates(), in one of the n_parts evaluations: add the transfer of nonlinear terms to each
   * mode, Re conj(u_k).N(u)_k without weight, to each of the n_transfers. Linear terms are excluded, except those of a
   * mean field. NULL: the set has none. */
  void (*transfers)(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                    const triad_cplx *const *results, triad_lane_reals *transfers);
} triad_equations;

/* The set with this name in a case file; NULL: none. */
const triad_equations *triad_equations_find(const char *name);

/* Set number i of list.h; NULL behind the last. */
const triad_equations *triad_equations_at(int i);

/* The GPU part of a set; NULL if it has none, or if Triad was built without CUDA. */
const triad_gpu_set *triad_equations_gpu(const triad_equations *equations, const void *self);

#endif
