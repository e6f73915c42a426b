/* Does this build have a library of transforms for GPUs? */
#ifndef TRIAD_PARALLEL_DEVICE_LIBRARY_H
#define TRIAD_PARALLEL_DEVICE_LIBRARY_H

/* Returns 1 with cuFFT, 0 for AMD GPUs (HIP=1), where only Triad's kernels transform lines. */
int triad_device_transforms(void);

#endif
