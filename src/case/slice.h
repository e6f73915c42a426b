/* Slices of a case: "z=0", "x = pi/2: vorticity, theta", "auto"; on blocks "k=1", "3.j=4: mach"; and the quantities of
 * a family. */
#ifndef TRIAD_CASE_SLICE_H
#define TRIAD_CASE_SLICE_H

#include <stddef.h>

/* How a quantity is made of a flow's fields at a point. */
typedef enum triad_quantity_kind {
  TRIAD_QUANTITY_FIELD, /* a field itself                                */
  TRIAD_QUANTITY_NORM,  /* the length of a vector field                  */
  TRIAD_QUANTITY_CURL,  /* a component of the curl of a vector field     */
  TRIAD_QUANTITY_CURL_NORM,
  TRIAD_QUANTITY_DIVERGENCE,    /* of a vector field                             */
  TRIAD_QUANTITY_GRADIENT_NORM, /* the length of a field's gradient              */
  TRIAD_QUANTITY_FORMULA,       /* of the case's own, number `component` of output.quantities */
  TRIAD_QUANTITY_OWN            /* this and above: known to the family only      */
} triad_quantity_kind;

/* From which value to which a picture's colours go. */
typedef enum triad_quantity_scale {
  TRIAD_SCALE_SIGNED,    /* from -most to most, of values with a sign */
  TRIAD_SCALE_FROM_ZERO, /* from 0 to the most                        */
  TRIAD_SCALE_LEAST,     /* from the least to the most                */
  TRIAD_SCALE_ANGLE      /* from -pi to pi                            */
} triad_quantity_scale;

/* A row of a family's table. Of a numbered one, 1 to `most`, name, field and long_name have a %d for the number. */
typedef struct triad_quantity {
  const char *name, *solvers; /* solvers: names of the family separated by spaces; NULL: all of it */
  const char *unit, *long_name;
  int kind;          /* triad_quantity_kind, or the family's own                          */
  const char *field; /* its field, or the first of three (of a complex one: of two)       */
  int component;     /* of a curl                                                         */
  triad_quantity_scale scale;
  int shown; /* 1, 2: it is shown first, second where nothing is asked for        */
  int most;
} triad_quantity;

enum { TRIAD_SLICES = 16 /* most in a case */, TRIAD_SLICE_MOST_QUANTITIES = 16 };

/* A quantity that a slice shows: a row, its number put in. */
typedef struct triad_slice_quantity {
  char name[32], field[32], long_name[80];
  const char *unit;
  int kind, component;
  triad_quantity_scale scale;
} triad_slice_quantity;

typedef struct triad_slice {
  int axis;  /* 0, 1, 2: the plane lies across x, y, z           */
  double at; /* its coordinate; the box is periodic              */
  int free;  /* "auto": the grid determines the plane */
  int layer; /* of blocks: `at` is the number of a layer of cells across axis i, j, k, from 1 */
  int block; /* of blocks: the only block, from 1; 0: all with such a layer */
  int n;     /* quantities; as many as the solver has by default */
  triad_slice_quantity quantity[TRIAD_SLICE_MOST_QUANTITIES];
} triad_slice;

/* Names of a case's own quantities, with their units and formulas, which are their long names; n = 0: none. */
enum { TRIAD_OWN_QUANTITIES = 16, TRIAD_OWN_KEY = 64 };
typedef struct triad_own_names {
  int n;
  const char *name[TRIAD_OWN_QUANTITIES], *unit[TRIAD_OWN_QUANTITIES], *formula[TRIAD_OWN_QUANTITIES];
} triad_own_names;

/* Those of a case whose output.quantities are good. */
struct triad_case;
void triad_own_names_of(const struct triad_case *given, triad_own_names *own);

/* The key of what number i, from 0, has: ".name", ".unit", ".formula". Returns `key`. */
const char *triad_own_key(int i, const char *what, char key[TRIAD_OWN_KEY]);

/* Is there a quantity of this name, of any solver? */
int triad_quantity_exists(const char *name);

/* Entries of output.fields, at most; the quantity that one names. As below. */
enum { TRIAD_FIELD_LIST = 64 };
int triad_quantity_read(const char *text, const char *solver, const triad_own_names *own, triad_slice_quantity *out,
                        char *why, size_t size);

/* Read an entry. With solver NULL (not known) any quantity is accepted. own: the case's own quantities in addition;
 * NULL: none. Returns 0 if the entry is invalid, with the reason in why[size] as clean text. `text` is UTF-8 without
 * NUL. */
int triad_slice_read(const char *text, const char *solver, const triad_own_names *own, triad_slice *out, char *why,
                     size_t size);

#endif
