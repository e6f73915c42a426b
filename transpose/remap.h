/* Modes of one grid on another: restart at a different resolution or truncation. */
#ifndef TRIAD_TRANSPOSE_REMAP_H
#define TRIAD_TRANSPOSE_REMAP_H

#include "base/precision.h"
#include "grid/layout.h"
#include "parallel/comm.h"

/* out(k) = in(k) for every mode k that both grids keep, 0 for the others of `to`. Fourier coefficients mean the same on
 * any grid of the same box, so that nothing is scaled. Modes at the Nyquist wavenumber of an axis, which a grid
 * without truncation holds, stand for two waves at once; they are copied only between equal numbers of points.
 *   in      [n_fields] fields on `from`; out [n_fields] fields on `to`; both in the layout's storage [block][j][lane]
 *   dropped the energy of what `to` does not keep: sum over lost modes and fields of weight |u|^2 / 2; the same on
 *           every rank; may be NULL
 * Both layouts are dealt over `comm`, each as its own rank and size say. Messages are sent in rounds of
 * about a MiB a rank. Collective. TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL. */
int triad_remap(const triad_comm *comm, const triad_layout *from, triad_cplx *const *in, const triad_layout *to,
                triad_cplx *const *out, int n_fields, double *dropped);

/* Within one layout: out(kx, ky - turns kx, kz) = in(kx, ky, kz) for every mode k that the grid keeps at both places, 0
 * for the others. With k_y = 2 pi ky/Ly - skew k_x it is the same mode at a skew that is turns Lx/Ly less
 * (grid/layout.h). No field may be both in and out. TRIAD_ERR_INTERNAL, also if the grid has Nyquist modes.
 * Collective. */
int triad_remap_leaning(const triad_comm *comm, const triad_layout *layout, triad_cplx *const *in,
                        triad_cplx *const *out, int n_fields, int64_t turns);

#endif
