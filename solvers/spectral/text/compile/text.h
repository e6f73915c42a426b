/* Equations that a case gives as text, compiled: fields, multipliers, and the terms of each rate of change.
 *
 *   fields = ["q", "vector u"]   let = ["psi = invert(lap(psi), q)", "J(a,b) = dx(a)*dy(b) - dy(a)*dx(b)"]
 *   evolve = ["dt(q) + J(psi,q) = nu*lap(q)"]   invariants = ["Z = mean(q^2)/2"]
 *
 * A term is  c M0 [ M1 f1 M2 f2 M3 f3 g(x, y, z) ]  with a number c, multipliers M (operators.h), at most three factors
 * f, each a field or a variable that `invert` defines, a profile g, and a function of time, the clock. Everything is
 * the same on all ranks. Nothing here is collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_TEXT_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_TEXT_H

#include "case/case.h"
#include "grid/grid.h"
#include "solvers/spectral/text/compile/operators.h"

enum {
  TRIAD_TEXT_FIELDS = 24, /* components of fields, at most     */
  TRIAD_TEXT_LETS = 32,   /* entries of equations.let          */
  TRIAD_TEXT_BASES = 2 * TRIAD_TEXT_FIELDS + TRIAD_TEXT_LETS,
  TRIAD_TEXT_FACTORS = 3, /* of a product                      */
  TRIAD_TEXT_INVARIANTS = 8,
  TRIAD_TEXT_NAME = 32,
  TRIAD_TEXT_WHY = 512
};

/* A multiplier on a base: field number base, or variable number base - n_fields that an `invert` defines; during
 * compilation also the rate of change of a field. */
typedef struct triad_text_factor {
  int node, base;
} triad_text_factor;

typedef struct triad_text_term {
  double c, size;                               /* size: the sum of the absolute values of the parts of c, or less */
  int outer;                                    /* M0 */
  int n;                                        /* factors */
  int mean;                                     /* 1: the mean over the box of this, of an invariant */
  triad_text_factor factor[TRIAD_TEXT_FACTORS]; /* in rising order of base, then node */
  const triad_formula *profile;                 /* of x, y, z; NULL: 1. Of t too until the equations are solved */
  const triad_formula *clock;                   /* of t; NULL: 1 */
} triad_text_term;

typedef struct triad_text_sum {
  int n, room;
  triad_text_term *term;
} triad_text_sum;

typedef struct triad_text_field {
  char name[TRIAD_TEXT_NAME], of[TRIAD_TEXT_NAME]; /* "u_x"; the vector's name, "" for a scalar */
  int axis, solenoidal;                            /* component of the vector                    */
  int complex_part;                                /* 1, 2: real, imaginary part of a complex field "of" */
} triad_text_field;

typedef struct triad_text_invariant {
  char name[TRIAD_TEXT_NAME];
  const char *text;
  triad_text_sum sum; /* terms of two factors, one, or none */
} triad_text_invariant;

typedef struct triad_text {
  int n_fields, n_lets; /* n_lets: variables of `invert` */
  triad_text_field field[TRIAD_TEXT_FIELDS];
  char let[TRIAD_TEXT_LETS][TRIAD_TEXT_NAME];
  /* let[l] = sum of multiplier x field */
  triad_text_scaled solved[TRIAD_TEXT_LETS][TRIAD_TEXT_FIELDS];
  /* rate of field a: linear[a][f] of each field, without the projection of solenoidal vectors; and all other terms */
  triad_text_scaled linear[TRIAD_TEXT_FIELDS][TRIAD_TEXT_FIELDS];
  int mass[TRIAD_TEXT_FIELDS]; /* node of the inverse of what dt(field) is multiplied by */
  triad_text_sum other[TRIAD_TEXT_FIELDS];
  int n_invariants;
  triad_text_invariant invariant[TRIAD_TEXT_INVARIANTS];
  int degree;  /* the largest number of factors of a product */
  int carries; /* 1: particles move with the first three fields, which a stage transforms */
  int flat[3];
  double end; /* of the run, for the largest values of functions of time */
  triad_text_operators operators;
  struct triad_text_memory *memory;
} triad_text;

/* What is wrong: entry `index` of key "equations.evolve", and why; status TRIAD_ERR_CASE, TRIAD_ERR_FEATURE for what
 * Triad cannot do yet, TRIAD_ERR_MEMORY. */
typedef struct triad_text_error {
  int status, index;
  const char *key;
  char why[TRIAD_TEXT_WHY];
} triad_text_error;

/* Compile the texts of a case for a grid. Returns error->status; *out is NULL unless it is TRIAD_OK. */
int triad_text_compile(triad_text **out, const triad_case *given, const triad_grid *grid, triad_text_error *error);
void triad_text_destroy(triad_text **text);

#endif
