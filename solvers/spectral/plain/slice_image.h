/* Planes of physical space: the quantities that are made of sums over modes (measure/slice_sums.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_SLICE_IMAGE_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_SLICE_IMAGE_H

#include "case/slice.h"
#include "solvers/spectral/flow.h"

#include <fftw3.h>

/* Planes of physical space straight from the modes: with the plane x_a = c across axis a,
 *   f(x_p, x_q) = Re sum over (k_p, k_q) of F(k_p, k_q) exp(i (k_p x_p + k_q x_q)),
 *   F(k_p, k_q) = sum over held modes with these two wavenumbers of w_k f_k exp(i k_a c),
 * and likewise, with i k_a f_k for f_k, the derivative across the plane. One walk over the modes gives what no
 * transform of the box is needed for. The sums are taken in integers of 64 bits, in units of 2^-62 of the largest
 * that they may come to: exact from there on, hence the same bits on any number of ranks and threads, with errors
 * below an epsilon of the field's largest mode times the number of terms. */

/* A plane in spectral space: [p][q], k_p = p - K[0] and k_q = q - K[1] in units of 2 pi/L; x never comes first. */
typedef struct triad_slice_plane {
  int axis, across[2]; /* axes of p and q */
  double at;
  int64_t k[2], size; /* size: (2 K[0] + 1)(2 K[1] + 1) */
} triad_slice_plane;

triad_slice_plane triad_slice_plane_make(const triad_grid *grid, int axis, double at);

/* The sums that a slice takes: number s is of field[s], of its derivative across the plane where derivative[s].
 * All that a quantity is made of are three fields and their derivatives, at most. */
enum { TRIAD_SLICE_SOURCES = 6 * TRIAD_SLICE_MOST_QUANTITIES };
typedef struct triad_slice_sources {
  int n, field[TRIAD_SLICE_SOURCES], derivative[TRIAD_SLICE_SOURCES];
} triad_slice_sources;

/* shows_pressure: 1 if one of them shows the pressure. sources_of: the sums that a slice needs. TRIAD_ERR_CASE if the
 * flow lacks a field that a quantity needs. */
int triad_slice_shows_pressure(const triad_slice *list, int n);
int triad_slice_sources_of(const triad_shape *shape, const triad_slice *slice, triad_slice_sources *sources);

typedef struct triad_slice_image {
  const triad_grid *grid;
  const triad_shape *shape;
  triad_slice_plane plane;
  triad_slice_sources sources;
  int64_t n[2];        /* points along p and q */
  fftw_complex *modes; /* [p][q] */
  double *part;        /* [p][q] */
  double *other;       /* [p][q] */
  double *parts;       /* [n_parts][p][q] of a formula */
  int n_parts;
  fftw_plan plan;
  double skew;                /* of the modes (grid/layout.h), set before values are computed */
  fftw_plan along_p, along_q; /* of a plane z = c of modes that may lean: lines along p, then along q */
} triad_slice_image;

/* Room and plan for a slice. TRIAD_ERR_MEMORY, TRIAD_ERR_CASE. */
int triad_slice_image_create(triad_slice_image **out, triad_memory *memory, const triad_grid *grid,
                             const triad_shape *shape, const triad_slice *slice);
void triad_slice_image_destroy(triad_slice_image **image, triad_memory *memory); /* accepts NULL */

/* values[p][q] of a quantity; sums[s][p][q][2], units[s]: as above, over all ranks. Any one thread may call it. */
void triad_slice_image_values(triad_slice_image *image, const triad_slice_quantity *quantity, const int64_t *sums,
                              const double *units, double *values);

#endif
