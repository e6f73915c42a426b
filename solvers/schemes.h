/* Runge-Kutta schemes, one table for all solvers: a scheme is a row. With du/dt = L(u), dt the step, c the time of a
 * stage in units of it, and P(z) the result of a step for u = 1 with L(u) dt = z u.
 *
 * A form defines the memory that a scheme needs and the operations that a solver must provide; a solver requests the
 * forms that it supports (docs/methods/time-steps.md eq. 10, docs/methods/compressible.md eq. 38 and 39). For any
 * form, triad_scheme_advance describes the operation on vectors for each stage. */
#ifndef TRIAD_SOLVERS_SCHEMES_H
#define TRIAD_SOLVERS_SCHEMES_H

#include "case/part.h"

typedef enum triad_scheme_form {
  /* The state and a register q, which carries what later stages need of earlier rates, both sides with the old u and q:
   *   u <- u + a q + b dt L(u),   q <- d q + e dt L(u)
   * The 2N schemes of Williamson 1980, q <- A q + dt L and then u <- u + B q, are a = A B, b = B, d = A, e = 1. */
  TRIAD_SCHEME_REGISTER = 1,
  /* The step's start u_0 is saved, and each stage is computed from it and the previous stage:
   *   u_i = start u_0 + last u_(i-1) + rate dt L(u_(i-1))
   * Shu and Osher's convex form; Jameson's M stages with start = 1, last = 0, rate = alpha_i. If the row has a
   * divisor, the step ends with u_0 + sum_i (weight_i/divisor) dt L(u_(i-1)), a sum stored separately, instead of the
   * last u_i. */
  TRIAD_SCHEME_START = 2,
  /* No Runge-Kutta scheme: Strang splitting, for equations with an exact nonlinear part. */
  TRIAD_SCHEME_SPLIT = 4
} triad_scheme_form;

enum { TRIAD_SCHEME_STAGES = 5, TRIAD_SCHEME_VECTORS = 4 };

typedef struct triad_stage {
  double c;
  double a, b, d, e;                /* TRIAD_SCHEME_REGISTER */
  double start, last, rate, weight; /* TRIAD_SCHEME_START    */
} triad_stage;

typedef struct triad_scheme {
  triad_word word; /* of time.scheme */
  const char *source;
  triad_scheme_form form;
  int order, n_stages;
  double divisor; /* of the weights; 0: the last stage is the step */
  /* |P| <= 1 at z = -x for 0 <= x <= real_axis, at z = i y for 0 <= y <= imaginary_axis; cut after the third decimal */
  double real_axis, imaginary_axis;
  /* A norm that no step u + dt L(u) up to some dt increases, this scheme increases with none up to ssp times it
   * (Shu and Osher 1988; Kraaijevanger 1991, BIT 31, 482); 0: there is no such bound. Cut likewise. */
  double ssp;
  /* The largest Courant number of advection by the linear upwind difference of order five (Wang and Spiteri 2007,
   * SIAM J. Numer. Anal. 45, 1871), cut likewise; 0: nobody steps that by this row */
  double upwind;
  triad_stage stage[TRIAD_SCHEME_STAGES];
} triad_scheme;

/* All rows; after the last one without a name. */
extern const triad_scheme triad_schemes[];

/* Among the rows of the given forms (or-ed together): that of a name, or NULL; the word of number i, NULL behind the
 * last, for a family's key time.scheme. */
const triad_scheme *triad_scheme_find(const char *name, unsigned forms);
const triad_word *triad_scheme_word(unsigned forms, int i);

/* The longest step on the imaginary axis, |z|: imaginary_axis, and for schemes without one where |P| is 1.15, which
 * a run of some hundred steps still bears at its fastest point. 0: the scheme has no such bound. */
double triad_scheme_reach(const triad_scheme *scheme);

/* How many vectors of the state's size triad_scheme_advance asks for, the state among them. */
int triad_scheme_vectors(const triad_scheme *scheme);

/* The operation of a stage on numbered vectors: 0 is the state, -1 means none. Rates are those of `in`; both lines use
 * the old values of vectors on their right-hand side:
 *   out = x_part x + y_part y + rate rate_dt L(in),   sum = from_part from + weight weight_dt L(in)
 * x always exists; y, sum and from may be none. With TRIAD_SCHEME_START out is never `in`, and from_part is 1. The
 * caller computes products such as rate rate_dt in the precision of its fields. */
typedef struct triad_scheme_update {
  int stage, in, out, x, y, sum, from;
  double x_part, y_part, rate, rate_dt;
  double from_part, weight, weight_dt;
  double c, dt; /* time of the stage in units of dt; the step */
} triad_scheme_update;

typedef int triad_scheme_do(void *self, const triad_scheme_update *update);

/* One step of dt by any row of the first two forms: calls `stage` for each of its stages, and ends with the first
 * status that is not TRIAD_OK. Collective where `stage` is. */
int triad_scheme_advance(const triad_scheme *scheme, double dt, triad_scheme_do *stage, void *self);

#endif
