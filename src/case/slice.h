/* Slices as a case asks for them: "z=0", "x = pi/2: vorticity, theta". */
#ifndef TRIAD_CASE_SLICE_H
#define TRIAD_CASE_SLICE_H

#include <stddef.h>

/* How a quantity is made of a flow's fields at a point. */
typedef enum triad_slice_kind {
  TRIAD_SLICE_FIELD,  /* a field itself                                             */
  TRIAD_SLICE_NORM,   /* the length of a vector field                               */
  TRIAD_SLICE_CURL,   /* a component of the curl of a vector field                  */
  TRIAD_SLICE_CURL_NORM,
  TRIAD_SLICE_STATE,    /* a field that is positive: shown from its least to its most */
  TRIAD_SLICE_DIVERGENCE,    /* of a vector field                                     */
  TRIAD_SLICE_GRADIENT_NORM, /* the length of a field's gradient                      */
  TRIAD_SLICE_MACH,    /* |u|/c                                                     */
  TRIAD_SLICE_DENSITY, /* |psi|^2                                                   */
  TRIAD_SLICE_PHASE    /* arg psi, -pi to pi                                        */
} triad_slice_kind;

typedef struct triad_slice_quantity {
  const char *name, *solvers; /* solvers: names separated by spaces                     */
  triad_slice_kind kind;
  const char *field;          /* its field, or the first of three (of psi: of two)      */
  int component;              /* of a curl                                              */
  const char *unit, *long_name;
} triad_slice_quantity;

enum { TRIAD_SLICES = 16 /* most in a case */, TRIAD_SLICE_MOST_QUANTITIES = 16 };

typedef struct triad_slice {
  int axis;  /* 0, 1, 2: the plane lies across x, y, z           */
  double at; /* its coordinate; the box is periodic              */
  int n;     /* quantities; as many as the solver has by default */
  const triad_slice_quantity *quantity[TRIAD_SLICE_MOST_QUANTITIES];
} triad_slice;

/* Read one. With solver NULL (not known) any quantity will do. 0 where it is wrong, and why[size] then tells, in clean
 * text; `text` is UTF-8 without NUL. */
int triad_slice_read(const char *text, const char *solver, triad_slice *out, char *why, size_t size);

#endif
