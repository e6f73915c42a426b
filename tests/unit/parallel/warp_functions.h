/* Kernels of warp_functions.cu, on the host. */
#ifndef TRIAD_TESTS_WARP_FUNCTIONS_H
#define TRIAD_TESTS_WARP_FUNCTIONS_H

enum {
  WARP_XOR_1,
  WARP_XOR_16,
  WARP_UP,
  WARP_DOWN,
  WARP_OF_5,
  WARP_INTEGER,
  WARP_ACTIVE,
  WARP_SAME,
  WARP_SUM,
  WARP_ROWS
};

#ifdef __cplusplus
extern "C" {
#endif

/* out: [WARP_ROWS][threads]. */
void warp_functions(double *out, int threads);

/* out: [128]; in the second half, barriers of a part of a block are one more if `once_more`. */
void warp_lines(double *out, int once_more);

/* out: [2], sum of 1 + t and maximum of t. */
void warp_block(double *out, int threads);

#ifdef __cplusplus
}
#endif

#endif
