/* Lines and rows of the lengths that are built in, rows as hd has them, who holds three fields, for
 * test_lines_gpu.c. */
#define __CUDACC_RTC__
#define TRIAD_GPU_ALL /* of every build: GPU_SIZES of make */
#include <cuda_runtime.h>
#include <math.h>

#include <type_traits>

#include "base/precision.h"

/* Lengths that are compiled when they are wanted have the same names. */
namespace
{
#include "fft/gpu/device_fused_forms.h"
}

#define TEST_BUILT_IN
#define TEST_LENGTHS(X) TRIAD_DEVICE_SIZES(X)
#define TEST_ROWS(size, one) one_by_one(size, 3)
#define TEST_STRIDED test_strided_built_in
#define TEST_FUSED test_fused_built_in
#define TEST_TURNS test_turns_built_in
#include "lines_strided.cu"
#include "lines_fused.cu"

/* The lengths, ending with 0. */
extern "C" const int test_built_in[] = {
#define LENGTH(size, ...) size,
  TRIAD_DEVICE_SIZES(LENGTH) 0};
