/* Stands in for gpu_step.c in a build without CUDA: no solver has a GPU there, and nothing but make is called. */
#include "solvers/weno/own.h"

static int none(void) { return TRIAD_FAIL(TRIAD_ERR_FEATURE, "this build has no CUDA part: make CUDA=1 builds it"); }

int triad_weno_gpu_make(triad_weno *w, triad_device *device, const char *transport)
{
  (void)w;
  (void)device;
  (void)transport;
  return none();
}

void triad_weno_gpu_drop(triad_weno *w) { (void)w; }

triad_real *const *triad_weno_gpu_set(const triad_weno *w, int number)
{
  (void)w;
  (void)number;
  return NULL;
}

int triad_weno_gpu_copy(const triad_weno *w, int number, triad_real *const *to)
{
  (void)w;
  (void)number;
  (void)to;
  return none();
}

int triad_weno_gpu_stage(triad_weno *w, triad_real *const *u, const triad_weno_update *update)
{
  (void)w;
  (void)u;
  (void)update;
  return none();
}

int triad_weno_gpu_state_check_at(triad_weno *w, triad_weno_state_check *look)
{
  (void)w;
  (void)look;
  return none();
}

int triad_weno_gpu_sum(triad_weno *w, triad_sum sums[TRIAD_WENO_SUMS], double extreme[TRIAD_WENO_EXTREMES])
{
  (void)w;
  (void)sums;
  (void)extreme;
  return none();
}

int triad_weno_gpu_count(triad_weno *w, double bound, int64_t *count)
{
  (void)w;
  (void)bound;
  (void)count;
  return none();
}

void triad_weno_gpu_apart(triad_weno *w, int apart)
{
  (void)w;
  (void)apart;
}

int64_t triad_weno_gpu_sent_bytes(const triad_weno *w)
{
  (void)w;
  return 0;
}

const char *triad_weno_gpu_transport(const triad_weno *w)
{
  (void)w;
  return "none";
}

int64_t triad_weno_gpu_bytes(const triad_partition *blocks, const triad_weno_setup *setup)
{
  (void)blocks;
  (void)setup;
  return 0;
}
