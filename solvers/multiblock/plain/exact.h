/* Exact solutions, for initial conditions, boundaries and errors of a case; and manufactured solutions with their
 * source terms. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_PLAIN_EXACT_H
#define TRIAD_SOLVERS_MULTIBLOCK_PLAIN_EXACT_H

#include "case/case.h"
#include "case/part.h"

enum { TRIAD_MULTIBLOCK_EXACT_FIELDS = 5 };

typedef struct triad_multiblock_gas {
  double gamma, constant, prandtl;    /* constant: R of p = rho R T            */
  double viscosity, power, reference; /* mu at temperature `reference`         */
  double sutherland;                  /* its temperature; 0: mu (T/ref)^power  */
  int viscous;
} triad_multiblock_gas;

typedef struct triad_multiblock_exact triad_multiblock_exact;

typedef struct triad_multiblock_exact_kind {
  triad_word word;
  int (*prepare)(triad_multiblock_exact *e); /* NULL: nothing is to be prepared. TRIAD_ERR_CASE */
  /* rho, u, v, w, p */
  void (*at)(const triad_multiblock_exact *e, const double x[3], double t, double q[TRIAD_MULTIBLOCK_EXACT_FIELDS]);
  /* of mass, momentum and energy, of a unit of volume; NULL: none */
  void (*source)(const triad_multiblock_exact *e, const double x[3], double s[TRIAD_MULTIBLOCK_EXACT_FIELDS]);
} triad_multiblock_exact_kind;

struct triad_multiblock_exact {
  const triad_multiblock_exact_kind *kind;
  triad_multiblock_gas gas;
  double mach, angle, pressure, temperature, radius, strength; /* of [solution]                         */
  double period[3];
  double behind[3], turned; /* shock: density, pressure and speed behind it; its angle. fan: turned as a whole */
};

/* Of a case, kind NULL where it has none. TRIAD_ERR_CASE. Not collective. */
int triad_multiblock_exact_read(triad_multiblock_exact *exact, const triad_case *given);
void triad_multiblock_gas_read(triad_multiblock_gas *gas, const triad_case *given);

/* Ended by one without a name; word i of solution.kind, NULL behind the last. */
extern const triad_multiblock_exact_kind triad_multiblock_exact_kinds[];
const triad_word *triad_multiblock_exact_word(int i);

/* A state by Mach number, pressure and temperature, along alpha (from x to y, or to z in a grid of three dimensions
 * where `up` is 2) and beta, in degrees. */
void triad_multiblock_stream(const triad_multiblock_gas *gas, double mach, double pressure, double temperature,
                             double alpha, double beta, int up, double q[TRIAD_MULTIBLOCK_EXACT_FIELDS]);

#endif
