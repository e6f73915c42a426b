/* Spectra of a periodic uniform box, and the files that are due with them. */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_SPECTRA_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_SPECTRA_H

#include "solvers/staggered/state/flow.h"

/* As in solvers/solver.h. Collective. */
int triad_staggered_spectra(void *flow, const char *run_dir, const double *columns, const triad_notes *notes);

/* Has a box like this spectra while there are no solids: is it periodic and uniform? Not collective. */
int triad_staggered_has_spectra(const triad_staggered_setup *setup);

/* Are spectra or profiles written when output.spectra_interval is due? (solvers/solver.h) */
int triad_staggered_writes_spectra(const void *flow);

/* Add those of this instant to others, which have room for them; how many arrays and numbers they are. Collective;
 * not. */
int triad_staggered_spectra_take(triad_staggered_flow *flow, double energy, triad_contents *into);
int triad_staggered_spectra_size(const triad_staggered_setup *setup, int *arrays, int64_t *values);

#endif
