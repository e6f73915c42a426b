/* The spectral part of a case (case/part.h), and declarations shared by keys.c and the sources of either precision. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PART_H
#define TRIAD_SOLVERS_SPECTRAL_PART_H

#include "base/log.h"
#include "case/part.h"
#include "grid/grid.h"

extern const triad_case_part triad_case_part_spectral; /* keys.c, compiled once */

/* Row i of the table of starts (initial.c), as a word of initial.kind; NULL behind the last. */
const triad_word *triad_spectral_start_word(int i);

/* The fewest even points of small prime factors along each axis whose k_max is so large: `flat` axes have one point,
 * the others are as long as the box, the longest of `least` to `most` (0: no limit) points. 0 where there are none;
 * best is then the largest that there is. And the modes that the case keeps of n points, with no radius of its own:
 * TRIAD_ERR_CASE. Not collective. */
typedef struct triad_target_limits {
  int flat[3];
  int64_t least, most;
} triad_target_limits;
int triad_target_grid(const triad_case *given, const double length[3], double k_max, const triad_target_limits *limits,
                      int64_t best[3]);
int triad_target_modes(const triad_case *given, const double length[3], const int64_t n[3], triad_grid *grid);

/* Quantities that only wave functions have, and of a velocity's gradients, S their symmetric part. */
enum {
  TRIAD_SPECTRAL_DENSITY = TRIAD_QUANTITY_OWN, /* |psi|^2            */
  TRIAD_SPECTRAL_PHASE,                        /* arg psi, -pi to pi */
  TRIAD_SPECTRAL_STRAIN,                       /* sqrt(2 S:S)        */
  TRIAD_SPECTRAL_DISSIPATION,                  /* 2 viscosity S:S    */
  TRIAD_SPECTRAL_Q,                            /* |curl u|^2/4 - S:S/2 = -(d_j u_i)(d_i u_j)/2 */
  TRIAD_SPECTRAL_HELICITY,                     /* u.curl u           */
  TRIAD_SPECTRAL_PRESSURE                      /* over the density   */
};

#endif
