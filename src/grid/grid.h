/* A periodic grid: sizes, box lengths and which wavenumbers are kept. Axis order is x, y, z throughout. */
#ifndef TRIAD_GRID_GRID_H
#define TRIAD_GRID_GRID_H

#include "base/status.h"

#include <stdint.h>

typedef enum triad_truncation {
  TRIAD_SPHERE, /* sum_i (k_i/R_i)^2 <= 1: a sphere in index space, docs/methods/spectral.md eq. (6) */
  TRIAD_BOX,    /* |k_i| <= K_i                                                              */
  TRIAD_NONE    /* every mode of the grid, including Nyquist modes; products alias. For tests. */
} triad_truncation;

/* Who transforms lines of points (parallel.lines): on each device the faster one by rule, or by measurement; built-in
 * kernels; a library, cuFFT on GPUs and FFTW on CPUs. */
typedef enum triad_line_choice { TRIAD_LINES_AUTO, TRIAD_LINES_OWN, TRIAD_LINES_LIBRARY } triad_line_choice;

typedef struct triad_grid {
  int64_t n[3];     /* points along each axis, >= 1                                             */
  double length[3]; /* box lengths, > 0                                                         */
  triad_truncation truncation;
  int64_t kmax[3];         /* K_i = floor((n_i - 1)/3), or floor(n_i/2) without truncation: the largest
                     * integer wavenumber kept along the axis                                   */
  double radius[3];        /* R_i of the sphere in modes; K_i by default */
  int shifted;             /* 1: products are dealiased by phase shifts in addition to the truncation */
  triad_line_choice lines; /* of transforms of fields on this grid by the steps of a flow */
  double lean;             /* largest |skew| of its modes (grid/layout.h) when they are measured; 0: they never lean */
} triad_grid;

/* Set all members of *grid. TRIAD_ERR_CASE when a size or a length is out of range. Not collective. */
int triad_grid_init(triad_grid *grid, const int64_t n[3], const double length[3], triad_truncation truncation);

/* Set another sphere for a grid of TRIAD_SPHERE: radius R modes along the longest axis and R n_i/n along the others;
 * 0: the largest. Without phase shifts products are free of aliases for R < K + 1, and |k_i| <= K_i for any R. With
 * phase shifts, which leave aliases along two or three axes, the limit is R < sqrt(2)/3 n (Patterson and Orszag 1971,
 * Phys. Fluids 14, 2538). TRIAD_ERR_CASE above that, or if the truncation is not a sphere. Not collective. */
int triad_grid_set_sphere(triad_grid *grid, double radius, int shifted);

/* Returns 1 if such a radius was set. *radius: in modes along the longest axis. */
int triad_grid_has_sphere(const triad_grid *grid, double *radius);

/* Returns 1 if the mode with integer wavenumbers (kx, ky, kz) is kept. */
int triad_grid_keeps(const triad_grid *grid, int64_t kx, int64_t ky, int64_t kz);

/* The wavenumber 2 pi k / L along an axis [1/length] has two forms, which differ at k = n/2 of an even axis only
 * (docs/methods/spectral.md#the-transform). Size is for shells, bands, planes and the Laplacian; derivative is for
 * first derivatives: gradient, curl, divergence, projection. Size: pi/h at n/2. Derivative: 0 at n/2, since cos(pi x/h)
 * has no slope at the points. */
double triad_grid_size_wavenumber(const triad_grid *grid, int axis, int64_t k);
double triad_grid_derivative_wavenumber(const triad_grid *grid, int axis, int64_t k);

/* Returns 1 if modes with a component at n/2 are kept, for which the two forms differ. */
int triad_grid_has_nyquist(const triad_grid *grid);

/* Returns 1 if initial conditions and forces may give energy to the mode: it is kept and has no component at n/2. At
 * n/2 a mode is its own mirror image, so its phase is not free and it cannot travel. */
int triad_grid_excites(const triad_grid *grid, int64_t kx, int64_t ky, int64_t kz);

/* The largest |k| of all kept modes, found by a search over all columns; of modes that do not lean. */
double triad_grid_farthest(const triad_grid *grid);

/* Smallest nonzero wavenumber of the box, 2 pi / max L over axes with more than one point: the shell width. */
double triad_grid_k_min(const triad_grid *grid);

/* Largest wavenumber at which every direction is kept, min_i 2 pi K_i / L_i over axes with more than one point. */
double triad_grid_k_max(const triad_grid *grid);

/* The largest wavenumber of kept modes along an axis: 2 pi R_i / L_i for a sphere, else 2 pi K_i / L_i. */
double triad_grid_reach(const triad_grid *grid, int axis);

/* A bound of (k_x^2 + k_y^2)^(1/2) of kept modes whose skew is at most grid->lean. */
double triad_grid_leaning_reach(const triad_grid *grid);

/* Grid spacing L_i / n_i and the number of points n_x n_y n_z. */
double triad_grid_spacing(const triad_grid *grid, int axis);
int64_t triad_grid_points(const triad_grid *grid);

#endif
