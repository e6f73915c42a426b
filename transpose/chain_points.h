/* The sum of two results of a chain (transpose/plain/chains.h), for real and imaginary parts alike: k_x p_i, then
 * k_y p_(i+1); q_i is i times that. */
#ifndef TRIAD_TRANSPOSE_CHAIN_POINTS_H
#define TRIAD_TRANSPOSE_CHAIN_POINTS_H

#include "base/point.h"

TRIAD_POINT triad_real triad_chain_begin(triad_real kx, triad_real p) { return kx * p; }
TRIAD_POINT triad_real triad_chain_end(triad_real begun, triad_real ky, triad_real p)
{
  return triad_fma(ky, p, begun);
}

#endif
