/* `triad spectra` of flows whose values are at points: the spectra that a run of the family writes. */
#ifndef TRIAD_COMMAND_SPECTRA_POINTS_H
#define TRIAD_COMMAND_SPECTRA_POINTS_H

#include "command/spectra_source.h"

/* Create the flow of the session's case, set it from the item's checkpoint, or by its initial condition, and write
 * DIR/spectra/spectra-<step>.h5; target->table: print the file as CSV instead. TRIAD_ERR_CASE if this flow has no
 * spectra. Collective. */
int triad_spectra_of_points(triad_session *session, const triad_solver *solver, const triad_spectra_item *item,
                            const triad_spectra_target *target);

#endif
