/* A mean flow U_i = S_i x_i that strains the box, which moves with it (docs/methods/staggered.md eq. 52). */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_STRAIN_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_STRAIN_H

#include "case/case.h"

typedef struct triad_staggered_strain {
  double rate[3], start, end, length[3]; /* length: before it */
  int strains;                           /* is any rate other than 0? */
} triad_staggered_strain;

/* Not collective, as all here. */
void triad_staggered_strain_read(triad_staggered_strain *strain, const triad_case *given);

/* Lengths of the box at time t: L_i exp(S_i (t - start)), from start to end. */
void triad_staggered_strain_lengths(const triad_staggered_strain *strain, double t, double length[3]);

/* When the strain next begins or ends after t, infinity: never; its rate along an axis now. */
double triad_staggered_strain_until(const triad_staggered_strain *strain, double t);
double triad_staggered_strain_rate(const triad_staggered_strain *strain, int axis, double t);

#endif
