/* Bodies and sponges of a case, before a flow exists: rules, checks, warnings, and the data of one of them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_PLAIN_RELAX_CASE_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_PLAIN_RELAX_CASE_H

#include "base/memory.h"
#include "case/part.h"
#include "grid/layout.h"
#include "parallel/comm.h"
#include "solvers/bodies.h"
#include "solvers/needs.h"
#include "solvers/spectral/plain/shape.h"

/* The number of bodies and sponges of a case; the number of results at points that a pass has for them, one for each
 * field that is relaxed. left: those that are transformed along z, as the others are subtracted from sums of chains
 * (fft/pass/pass.h). Not collective. */
int triad_relaxation_wanted(const triad_case *given);
int triad_relaxation_results(const triad_case *given, const triad_shape *shape, int *left);

/* What the coefficients of bodies refer to. Returns 0 if there are none. Not collective. */
int triad_relaxation_reference(const triad_case *given, triad_body_reference *reference);

/* Bytes of masks and targets on a rank at most, for items at rest; on a host also for a time those of one field. Not
 * collective. */
int64_t triad_relaxation_bytes(const triad_case *given, const triad_layout *layout, const triad_shape *shape,
                               int on_host);

/* Rules of the case that need no file; the largest rate of bodies [1/time]. Not collective. */
void triad_relaxation_rules(triad_case *c);
double triad_relaxation_body_rate(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

/* Find what is wrong otherwise, such as a surface that is not closed. Warn of bodies that are thinner than twice their
 * mask is wide: the flow passes through them. ranks: as for triad_shape_solid_create, for bodies with files. */
int triad_relaxation_check(const triad_case *given, const triad_comm *ranks, const triad_grid *grid,
                           const triad_shape *shape, triad_case_warnings *warnings);

typedef struct triad_relax_item triad_relax_item; /* relax_internal.h */

/* Read item number i of the case, without its mask; then the shape of a body, with its file (ranks: as for
 * triad_shape_solid_create); free it. */
int triad_relax_item_read(triad_relax_item *item, const triad_case *given, const triad_grid *grid,
                          const triad_shape *shape, int i);
int triad_relax_item_shape(triad_relax_item *item, const triad_comm *ranks, const triad_case *given,
                           const triad_grid *grid);
void triad_relax_item_clear(triad_relax_item *item, triad_memory *memory);

/* Does item number i of a case relax a field? */
int triad_relax_takes(const triad_case *given, int i, const triad_shape *shape, int field);

#endif
