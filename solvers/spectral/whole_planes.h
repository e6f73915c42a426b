/* A pass without results for callers that need whole planes. If ranks share planes, it collects rows, assembles planes
 * from them in flow->planes, and then one thread visits the rows of each plane in the order of y, as with whole planes.
 * So sums over points have the same bits. */
#ifndef TRIAD_SOLVERS_SPECTRAL_WHOLE_PLANES_H
#define TRIAD_SOLVERS_SPECTRAL_WHOLE_PLANES_H

#include "solvers/spectral/flow.h"

typedef struct triad_whole_planes triad_whole_planes;

/* For at most so many fields. *out is NULL where ranks share no planes. TRIAD_ERR_MEMORY. Collective. */
int triad_whole_planes_create(triad_whole_planes **out, triad_flow *flow, int fields);
void triad_whole_planes_destroy(triad_whole_planes **planes, triad_memory *memory); /* accepts NULL */

/* As triad_pass_run of work with n_out = 0 and no settle; its points get one row at a time, and no peaks, where
 * `planes` is not NULL; its planes are numbers of flow->planes. Collective. */
int triad_whole_planes_run(triad_whole_planes *planes, triad_pass *pass, const triad_work *work);

/* Bytes that a rank of this layout takes, 0 where it shares no planes. Not collective. */
int64_t triad_whole_planes_bytes(const triad_layout *layout, int fields);

#endif
