/* Where columns lie at a plane of a chunk, for cuda/ only. */
#ifndef TRIAD_FFT_DEVICE_PLACE_H
#define TRIAD_FFT_DEVICE_PLACE_H

#include "fft/device_launch.h"

/* Column `number` of all, at a plane of a chunk, field f; `owner` has the first column of its row. */
template <bool MANY>
static __device__ __forceinline__ dcplx *place(const triad_gpu_shape &g, const triad_gpu_side &side, int plane, int f,
                                               int number, int owner)
{
  int64_t w = side.plane + plane;
  if constexpr (MANY) {
    while (number >= g.part[owner + 1].begin) owner++;
    triad_gpu_part part = g.part[owner];
    bool own = owner == g.rank;
    dcplx *from = own ? (dcplx *)side.own : (dcplx *)side.other + part.before * g.chunk * side.fields;
    return from + (w * (own ? g.slots : side.fields) + f) * part.columns + (number - part.begin);
  }
  return (dcplx *)side.own + (w * g.slots + f) * g.columns + number;
}

#endif
