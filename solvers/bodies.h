/* Numbers of bodies in a stream, for any family: coefficients of forces, and the Strouhal number of the lift. Not
 * collective: forces are those of all ranks. */
#ifndef TRIAD_SOLVERS_BODIES_H
#define TRIAD_SOLVERS_BODIES_H

#include "store/checkpoint/notes.h"

/* What coefficients refer to. */
typedef struct triad_body_reference {
  double area, length, density; /* length: of Strouhal numbers and moments */
  double centre[3];             /* of moments */
  double velocity[3];           /* of the stream; 0: there are no coefficients */
  int up;                       /* axis of lift in a stream along x: 1 or 2 */
} triad_body_reference;

double triad_body_speed(const triad_body_reference *reference);

/* Density times speed squared, halved, times area. */
double triad_body_head(const triad_body_reference *reference);

/* cl, cd: of a force. Lift is across the stream, in the plane of x and the axis `up`. */
void triad_body_coefficients(const triad_body_reference *reference, const double force[3], double *cl, double *cd);

/* Moment coefficient, positive nose up: the moment about `centre` that turns the side where the stream arrives towards
 * positive lift, over head times length. */
double triad_body_moment(const triad_body_reference *reference, const double moment[3]);

/* The frequency of the lift coefficient from the times at which columns are measured: rows of the series, samples of
 * means, and the row of a run that stops. It counts the times at which the coefficient rises through the middle between
 * its highest and its lowest value. These values are forgotten over 20 length/speed, so that a transient ends. A lift
 * that swings by less than 1e-4 has no frequency. A checkpoint keeps the state. */
enum { TRIAD_STROUHAL_CYCLES = 5, TRIAD_STROUHAL_STATE = 8 + TRIAD_STROUHAL_CYCLES };
typedef struct triad_strouhal {
  double state[TRIAD_STROUHAL_STATE];
} triad_strouhal;

/* Add a row; a time that is not later than the last one is ignored. */
void triad_strouhal_add(triad_strouhal *strouhal, const triad_body_reference *reference, double t, double lift);

/* Frequency times length over speed, mean of the last four cycles at most. NAN before the first whole cycle, and after
 * two cycles without one. */
double triad_strouhal_number(const triad_strouhal *strouhal, const triad_body_reference *reference);

/* Under a name in the notes of a checkpoint; notes NULL, or without it: the start. */
int triad_strouhal_keep(const triad_strouhal *strouhal, const char *name, triad_notes *notes);
void triad_strouhal_take(triad_strouhal *strouhal, const char *name, const triad_notes *notes);

#endif
