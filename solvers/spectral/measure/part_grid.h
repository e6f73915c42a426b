/* Where files of fields have their points: the flow's own, fewer, on which modes up to a wavenumber are exact, or
 * those in a box of either. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_PART_GRID_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_PART_GRID_H

#include "case/field_list.h"
#include "solvers/spectral/flow.h"

typedef struct triad_part_grid {
  triad_grid grid;
  double most;                /* |k| that is kept; 0: all, on the flow's own points */
  int64_t begin[3], count[3]; /* the points of the box, whole axes without one      */
  triad_layout *layout;       /* of `grid` over the ranks; NULL before it is dealt, and where it is the flow's own */
} triad_part_grid;

/* The points that a list asks for; n even and free of primes above 5, at least 2 K + 2 along an axis of K modes.
 * TRIAD_ERR_CASE for modes that the grid does not keep and a box without points. Not collective. */
int triad_part_grid_plan(triad_part_grid *part, const triad_field_list *list, const triad_grid *grid);

/* Deal it over the ranks; destroy in any case. TRIAD_ERR_MEMORY. Not collective. */
int triad_part_grid_deal(triad_part_grid *part, const triad_comm *comm);
void triad_part_grid_clear(triad_part_grid *part);

/* This rank's planes of all its points; the space of those in the box, dense. */
int64_t triad_part_grid_points(const triad_part_grid *part, const triad_flow *flow);
void triad_part_grid_space(const triad_part_grid *part, const triad_flow *flow, triad_space *space);

/* Modes of the flow's grid at the planes; then of planes what lies in the box. Backward is collective. */
int triad_part_grid_backward(const triad_part_grid *part, triad_flow *flow, const triad_cplx *modes,
                             triad_real *planes);
void triad_part_grid_cut(const triad_part_grid *part, const triad_flow *flow, const triad_real *planes,
                         triad_real *out);

static inline int triad_part_grid_is_cut(const triad_part_grid *part)
{
  for (int i = 0; i < 3; i++)
    if (part->count[i] != part->grid.n[i]) return 1;
  return 0;
}

#endif
