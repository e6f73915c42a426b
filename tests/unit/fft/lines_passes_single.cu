/* The same in single precision. */
#define TRIAD_SINGLE
#define TEST_PASSES test_passes_single
#include "lines_passes.cu"
