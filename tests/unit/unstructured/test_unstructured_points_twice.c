/* HLLC with two divisions, as GPUs have it, on a core: the stand-in for CUDA takes that of cores. precision: both */
#define TRIAD_GAS_DIVIDES_TWICE 1
#include "unstructured_gases.h"

TRIAD_TEST(hllc_of_a_gpu_is_the_textbooks) { hllc_holds_to_the_textbook(); }

TRIAD_MAIN
