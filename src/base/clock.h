/* Time since an arbitrary start, and time per phase of a step. */
#ifndef TRIAD_BASE_CLOCK_H
#define TRIAD_BASE_CLOCK_H

/* Monotonic wall-clock time [s]. */
double triad_now(void);

/* The phases a step is split into by `triad bench` and status.json (docs/reference/bench.md): those of the transforms
 * and of all solvers. Slots from TRIAD_PHASES on are a solver's own (solvers/phases.h). */
enum triad_phase {
  TRIAD_PHASE_FFT,       /* library transforms of lines                         */
  TRIAD_PHASE_TRANSPOSE, /* gathering and scattering columns: local transposes  */
  TRIAD_PHASE_EXCHANGE,  /* waiting for other ranks                             */
  TRIAD_PHASE_COPIES,    /* host to device and back                             */
  TRIAD_PHASE_POINTWISE, /* products in physical space, updates in spectral     */
  TRIAD_PHASE_REST,      /* everything else                                     */
  TRIAD_PHASES,
  TRIAD_MOST_PHASES = 20
};
extern const char *const triad_phase_name[TRIAD_PHASES];

/* Seconds per phase of a rank, averaged over its threads. */
typedef struct triad_phases {
  double s[TRIAD_MOST_PHASES];
} triad_phases;

/* Returns the sums and sets them to zero. */
triad_phases triad_phases_take(triad_phases *summed);

#endif
