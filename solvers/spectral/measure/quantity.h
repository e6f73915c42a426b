/* How quantities are made of a flow's fields, for planes (slice_image.c) and for volumes (derived.c): of components, each a
 * field, a derivative of one or a sum of two such, put together at each point. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_QUANTITY_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_QUANTITY_H

#include "case/slice.h"
#include "solvers/spectral/equations/shape.h"

/* One term of a component: (the derivative along an axis of) a field, times a number. Field shape->n_fields is the
 * pressure (pressure.h). */
typedef struct triad_quantity_term {
  int field, along; /* along: 0, 1, 2; -1: the field itself */
  double sign;
} triad_quantity_term;

enum { TRIAD_QUANTITY_TERMS = 2 /* of a component, at most */ };

/* What becomes of the components c_i at a point. */
typedef enum triad_quantity_way {
  TRIAD_QUANTITY_IS,      /* c_0                                   */
  TRIAD_QUANTITY_SQUARES, /* sum_i weight_i c_i^2                  */
  TRIAD_QUANTITY_ROOT,    /* its root                              */
  TRIAD_QUANTITY_ANGLE,   /* of (c_0, c_1), -pi to pi              */
  TRIAD_QUANTITY_PRODUCT  /* c_0 c_3 + c_1 c_4 + c_2 c_5           */
} triad_quantity_way;

triad_quantity_way triad_quantity_way_of(int kind);
int triad_quantity_components(int kind);
double triad_quantity_weight(const triad_shape *shape, int kind, int i);

/* The terms of component i; how many. */
int triad_quantity_terms(const triad_shape *shape, const triad_slice_quantity *quantity, int i,
                         triad_quantity_term out[TRIAD_QUANTITY_TERMS]);

/* Has the flow the fields that it wants? key: where the case names it. TRIAD_ERR_CASE. Not collective. */
int triad_quantity_check(const triad_shape *shape, const triad_slice_quantity *quantity, const char *key);

#endif
