/* For kernels: the maximum over the threads of a launch. */
#ifndef TRIAD_FFT_GPU_DEVICE_PEAK_H
#define TRIAD_FFT_GPU_DEVICE_PEAK_H

/* *peak = max(*peak, value) for value >= 0, or NaN for good; bits of such doubles order as integers do. */
static __device__ __forceinline__ void raise_peak(double *peak, double value)
{
  unsigned long long bits = (unsigned long long)__double_as_longlong(value) & 0x7fffffffffffffffull;
  const unsigned active = __activemask(), me = (threadIdx.x + threadIdx.y * blockDim.x) % 32;
  for (int step = 16; step > 0; step /= 2) {
    unsigned long long other = __shfl_xor_sync(active, bits, step);
    if ((active >> (me ^ step) & 1) != 0 && other > bits) bits = other; /* a block's last warp may be a part of one */
  }
  if (me == 0) atomicMax((unsigned long long *)peak, bits);
}

#endif
