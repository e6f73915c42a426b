/* The modes of this rank on which a force acts. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORCED_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORCED_MODES_H

#include "solvers/spectral/force/force_internal.h"

/* take: room for modes. push: one more, of local column c and kz number j. take_band: all of the band that are held
 * here. measure: sums over them on all ranks of Re conj(u).u/2, Re conj(u).f and |f|^2/2, each with its Hermitian
 * weight (collective). */
enum { TRIAD_FORCE_ENERGY, TRIAD_FORCE_WORK, TRIAD_FORCE_SQUARE, TRIAD_FORCE_SUMS };
int triad_force_take(triad_forcing *forcing, const triad_flow *flow, int64_t room);
void triad_force_push(triad_forcing *forcing, const triad_flow *flow, int64_t c, int64_t j);
int triad_force_take_band(triad_forcing *forcing, const triad_flow *flow);
int triad_force_measure(const triad_forcing *forcing, const triad_flow *flow, double sums[TRIAD_FORCE_SUMS]);

/* Longest steps: a dt^2 = cfl dx of an acceleration a; sqrt(2 P dt) dt = cfl dx of a power P. */
double triad_force_longest_pushed(double acceleration, double spacing, double cfl);
double triad_force_longest_powered(const triad_forcing *forcing, double cfl);

#endif
