/* Copies to shared memory that are done at once. */
#ifndef TRIAD_TESTS_FAKE_CUDA_PIPELINE_H
#define TRIAD_TESTS_FAKE_CUDA_PIPELINE_H

#include <string.h>

static inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
static inline void __pipeline_commit(void) {}
static inline void __pipeline_wait_prior(int) {}

#endif
