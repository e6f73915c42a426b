/* Quantities computed from the fields of a flow, for planes (slice_image.c) and volumes (derived.c): from components,
 * each a field, a derivative or a sum of two of these, combined at each point; or by a user-defined formula. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_QUANTITY_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_QUANTITY_H

#include "base/log.h"
#include "case/case.h"
#include "case/slice.h"
#include "solvers/spectral/plain/shape.h"

/* One term of a component: (the derivative along an axis of) a field, times a number. Field shape->n_fields is the
 * pressure (pressure.h). */
typedef struct triad_quantity_term {
  int field, along; /* along: 0, 1, 2; -1: the field itself */
  double sign;
} triad_quantity_term;

enum { TRIAD_QUANTITY_TERMS = 2 /* of a component, at most */, TRIAD_QUANTITY_VARIABLES = 28 };

/* What becomes of the components c_i at a point. */
typedef enum triad_quantity_way {
  TRIAD_QUANTITY_IS,         /* c_0                                   */
  TRIAD_QUANTITY_SQUARES,    /* sum_i weight_i c_i^2                  */
  TRIAD_QUANTITY_ROOT,       /* its root                              */
  TRIAD_QUANTITY_ANGLE,      /* of (c_0, c_1), -pi to pi              */
  TRIAD_QUANTITY_OF_FORMULA, /* a formula of them  */
  TRIAD_QUANTITY_PRODUCT     /* c_0 c_3 + c_1 c_4 + c_2 c_5           */
} triad_quantity_way;

/* Outputs that warn of values that are not finite: at all points (files of fields, means), slices, probes. */
typedef enum triad_quantity_output {
  TRIAD_QUANTITY_AT_POINTS,
  TRIAD_QUANTITY_IN_SLICES,
  TRIAD_QUANTITY_IN_PROBES,
  TRIAD_QUANTITY_OUTPUTS
} triad_quantity_output;

/* A quantity of the case's own: its formula (case/formula.h), and the variables that it has, rising. Variables are
 * x, y, z, then each field of the set, followed by its three derivatives. */
typedef struct triad_own_quantity {
  const char *name; /* the case's */
  triad_formula *formula;
  int n, variable[TRIAD_QUANTITY_VARIABLES];
  int warned[TRIAD_QUANTITY_OUTPUTS]; /* that it is not finite somewhere */
} triad_own_quantity;

/* Values that are not finite: how many of all, and the first of them. */
typedef struct triad_own_bad {
  int64_t count, all;
  int is_nan;
  double at[3];
  char where[96]; /* "(indices 0 0 0)", "of slice 1" */
} triad_own_bad;

/* Warn once for a quantity and kind of output, at step and time t, if bad->count is above 0. Only rank 0 prints. Calls
 * for different kinds of output may run at the same time. */
void triad_own_quantity_warn(triad_own_quantity *own, triad_quantity_output output, triad_log *log,
                             const triad_own_bad *bad, int64_t step, double t);

/* Those of a case, into its shape; free what a shape has of them. TRIAD_ERR_MEMORY. */
int triad_own_quantities_make(triad_shape *shape, const triad_case *given);
void triad_own_quantities_free(triad_own_quantity *own, int n);

/* Its values at n points along a row, of the components at them and their positions at[3], [n] each. */
void triad_own_quantity_row(const triad_own_quantity *own, int64_t n, const double *const at[3],
                            const double *const *components, double *out);

triad_quantity_way triad_quantity_way_of(int kind);
int triad_quantity_components(int kind);
/* components, of any quantity */
int triad_quantity_parts(const triad_shape *shape, const triad_slice_quantity *quantity);
double triad_quantity_weight(const triad_shape *shape, int kind, int i);

/* The terms of component i; how many. */
int triad_quantity_terms(const triad_shape *shape, const triad_slice_quantity *quantity, int i,
                         triad_quantity_term out[TRIAD_QUANTITY_TERMS]);

/* Check that the flow has the fields that a quantity needs. key: where the case names it. TRIAD_ERR_CASE. Not
 * collective. */
int triad_quantity_check(const triad_shape *shape, const triad_slice_quantity *quantity, const char *key);

#endif
