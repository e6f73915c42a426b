/* The shift of the grid in a step when products are dealiased by phase shifts, one grid per step (grid.shifts =
 * "random"; docs/methods/phase-shifts.md).
 *
 * On a grid shifted by s cells the rate is E + A(s): E without aliases, and aliases across one axis with A(s + 1/2) =
 * -A(s). A step of length dt at s and one at s + 1/2 give exp((E - A) dt) exp((E + A) dt). The four at s, s + 1/2, s +
 * 1/2, s, a symmetric sequence (Strang 1968, SIAM J. Numer. Anal. 5, 506), give exp(4 E dt) to second order in dt for
 * any scheme, with one evaluation per stage. Each group of four has a new random shift, so that the remaining error
 * has no preferred direction. Rogallo 1981 (NASA TM 81315) shifts the stages of a step relative to each other, which
 * leaves aliases of aliases at first order. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_SHIFTS_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_SHIFTS_H

#include <stdint.h>

typedef struct triad_grid triad_grid;
typedef struct triad_case triad_case;

/* How the products of a case's steps are taken: on the grid as it is, on one grid a step that is drawn, on two. */
enum { TRIAD_SHIFTS_NONE, TRIAD_SHIFTS_RANDOM, TRIAD_SHIFTS_EXACT };
int triad_shifts_of(const triad_grid *grid, const triad_case *given);

/* The grid of step number `step`, in cells along x, y, z, 0 to 1: the same on every rank and device, and after a
 * restart. Not collective. */
void triad_shift_of_step(int64_t step, double shift[3]);

#endif
