/* Waves of an AMD GPU for kernels on the host (kernels.h): HIP's shuffles and votes by the threads of a block, in waves
 * of as many lanes as TRIAD_FAKE_WAVE in the environment says, 64 on CDNA. CUDA's functions of a warp are then those of
 * src/parallel/hip/device_warp.h on these, a block has 64 KB of shared memory, and a barrier of some warps of a block
 * is one of all, to which each thread must come as often. Without it, warps are those of CUDA. */
#ifndef TRIAD_TESTS_FAKE_WAVES_H
#define TRIAD_TESTS_FAKE_WAVES_H

/* Lanes of a wave; 0: warps of CUDA. */
inline int fake_wave(void)
{
  static const int lanes = getenv("TRIAD_FAKE_WAVE") ? atoi(getenv("TRIAD_FAKE_WAVE")) : 0;
  return lanes;
}

static inline unsigned __lane_id(void) { return (unsigned)(fake.now % fake_wave()); }

/* What lane `lane` of the wave shows; lanes beyond the block have nothing good. */
template <class T> static inline T fake_swap(T value, int lane)
{
  double shown = 0;
  const int first = fake.now / fake_wave() * fake_wave(), from = first + lane;
  static_assert(sizeof value <= sizeof shown, "one register, or two");
  memcpy(&shown, &value, sizeof value);
  const double *all = fake_show(shown);
  if (lane < 0 || lane >= fake_wave() || from >= FAKE_THREADS) abort();
  memcpy(&value, &all[from], sizeof value);
  return value;
}

template <class T> static inline T __shfl(T value, int lane, int width)
{
  return fake_swap(value, lane + ((int)__lane_id() & ~(width - 1)));
}
template <class T> static inline T __shfl_xor(T value, int other, int width)
{
  const int self = (int)__lane_id(), lane = self ^ other;
  return fake_swap(value, lane >= ((self + width) & ~(width - 1)) ? self : lane);
}
template <class T> static inline T __shfl_up(T value, unsigned step, int width)
{
  const int self = (int)__lane_id(), lane = self - (int)step;
  return fake_swap(value, lane < (self & ~(width - 1)) ? self : lane);
}
template <class T> static inline T __shfl_down(T value, unsigned step, int width)
{
  const int self = (int)__lane_id();
  return fake_swap(value, (self & (width - 1)) + (int)step >= width ? self : self + (int)step);
}

/* Lanes that have returned, or are beyond the block, vote for nothing. */
static inline unsigned long long __ballot(int it)
{
  const int first = fake.now / fake_wave() * fake_wave();
  const double *all = fake_show(it != 0);
  unsigned long long bits = 0;
  for (int i = 0; i < fake_wave() && first + i < fake.threads; i++)
    if (fake.state[first + i] != FAKE_DONE && all[first + i] != 0) bits |= 1ull << i;
  return bits;
}

#include "parallel/hip/device_warp.h"

#endif
