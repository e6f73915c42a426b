/* Time since an arbitrary start, and time per phase of a step. */
#ifndef TRIAD_BASE_CLOCK_H
#define TRIAD_BASE_CLOCK_H

/* Monotonic wall-clock time [s]. */
double triad_now(void);

/* The phases a step is split into by `triad bench` and the log (docs/reference/commands.md). */
enum triad_phase {
  TRIAD_PHASE_FFT,       /* library transforms of lines                         */
  TRIAD_PHASE_TRANSPOSE, /* gathering and scattering columns: local transposes  */
  TRIAD_PHASE_EXCHANGE,  /* waiting for other ranks                             */
  TRIAD_PHASE_COPIES,    /* host to device and back                             */
  TRIAD_PHASE_POINTWISE, /* products in physical space, updates in spectral     */
  TRIAD_PHASE_REST,      /* everything else                                     */
  TRIAD_PHASES
};
extern const char *const triad_phase_name[TRIAD_PHASES];

/* Seconds per phase, summed over the concurrent threads of a rank (divide by their number). */
typedef struct triad_phases {
  double s[TRIAD_PHASES];
} triad_phases;

/* Returns the sums and sets them to zero. */
triad_phases triad_phases_take(triad_phases *summed);

#endif
