/* Passive scalars s of any set with a velocity (docs/methods/spectral.md eq. 17), any number of them behind the set's
 * own fields:
 *   ds/dt + u.grad s + u.G = kappa lap s     for each scalar s of mean gradient G
 * A set's constants hold triad_scalar_constants as `scalars`. One more field goes to physical space for each, and
 * three more products come back, the fluxes u s, behind those of the set; chains leave two of them. Arrays begin
 * where those of the scalars do. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_SCALARS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_SCALARS_H

#include "solvers/spectral/equations/equations.h"
#include "solvers/spectral/equations/velocity_points.h"

enum { TRIAD_SCALAR_COLUMNS = 5, TRIAD_SCALAR_FLUXES = TRIAD_FLUX_PRODUCTS, TRIAD_SCALAR_TERMS = TRIAD_FLUX_TERMS };

/* From equations.scalars and scalar_gradients; whatever the status, free gives back. TRIAD_ERR_MEMORY. */
int triad_scalars_of_case(triad_scalar_constants *scalars, const triad_case *given);
void triad_scalars_free(triad_scalar_constants *scalars);

/* To a shape that holds the set's own: of each scalar a field, columns, a spectrum, a transfer; sums, and numbers of
 * the passes' first. */
int triad_scalars_shape(const triad_scalar_constants *scalars, triad_shape *shape);

/* Callbacks of equations.h, after the set's own. u: the velocity. */
void triad_scalars_points(const triad_scalar_constants *scalars, int64_t n, triad_real *const *u, triad_real *const *s,
                          triad_real *const *flux);
void triad_scalars_rates(const triad_scalar_constants *scalars, const triad_batch *block, int64_t j,
                         const triad_cplx *const *u, const triad_cplx *const *flux, triad_lane_row *rates);
void triad_scalars_sums(const triad_scalar_constants *scalars, const triad_edge *edge, const triad_layout *layout,
                        int64_t column, const triad_cplx *const *u, const triad_cplx *const *s, double *sums);
void triad_scalars_series(const triad_scalar_constants *scalars, const triad_grid *grid, double enstrophy,
                          const double *sums, double *columns);
void triad_scalars_densities(const triad_scalar_constants *scalars, const triad_layout *layout, int64_t column,
                             int64_t j, const triad_cplx *const *s, double *densities);
void triad_scalars_transfers(const triad_scalar_constants *scalars, const triad_batch *block, int64_t j,
                             const triad_cplx *const *s, const triad_cplx *const *flux, triad_lane_reals *transfers);

#endif
