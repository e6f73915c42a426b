/* Sums over points, computed in a pass while the points are in cache: plane averages of fields and their products,
 * moments, histograms. No field is ever stored at all of its points.
 *
 * On CPUs the bits do not depend on the numbers of ranks and threads: a row along x is summed by eight partial sums in
 * a fixed order, rows in the order of y by the one thread that has their plane, and planes, which all ranks receive,
 * in the order of z. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_POINT_SUMS_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_POINT_SUMS_H

#include "solvers/spectral/flow.h"
#include "solvers/spectral/plain/quantity.h"

enum { TRIAD_POINT_INPUTS = 4, TRIAD_POINT_PRODUCTS = 10, TRIAD_POINT_MOMENTS = 4 };

/* What comes to the points: a field, a derivative, or a sum of two. */
typedef struct triad_point_input {
  int n;
  triad_quantity_term term[TRIAD_QUANTITY_TERMS];
} triad_point_input;

/* Inputs a and b are multiplied; b = -1: a alone. */
typedef struct triad_point_product {
  int a, b;
} triad_point_product;

typedef struct triad_point_job {
  int n_in; /* a velocity and one more field at most */
  triad_point_input in[TRIAD_POINT_INPUTS];
  /* means of n_products products over planes across the axes: profile[axis][product][n along it]; NULL: not of this
   * axis */
  int n_products;
  triad_point_product product[TRIAD_POINT_PRODUCTS];
  double *profile[3][TRIAD_POINT_PRODUCTS];
  /* of each input f: <f>, <(f - <f>)^2>, ^3, ^4, where moments is set */
  int moments;
  double moment[TRIAD_POINT_INPUTS][TRIAD_POINT_MOMENTS];
  /* of each input how many points have (f - mean)/scale in each of `bins` bins from -reach to reach; bins = 0: not
   * asked */
  int bins;
  double reach, mean[TRIAD_POINT_INPUTS], scale[TRIAD_POINT_INPUTS];
  int64_t *counts[TRIAD_POINT_INPUTS]; /* [bins] */
} triad_point_job;

/* Compute the requested sums of the current state, wherever it is: of a state on a GPU, moments and histograms there.
 * TRIAD_ERR_MEMORY. Collective. */
int triad_point_sums(triad_flow *flow, triad_point_job *job);

/* The same on the CPU, which a row of loops.h names. */
int triad_point_sums_host(triad_flow *flow, triad_point_job *job);

/* Bytes of a rank while it does, at most. Not collective. */
int64_t triad_point_sums_memory(const triad_layout *layout, int threads, int bins);

/* The inputs of a job, of a block of columns. */
void triad_point_inputs(const triad_flow *flow, const triad_point_job *job, const triad_batch *block,
                        triad_cplx *const *in);

#endif
