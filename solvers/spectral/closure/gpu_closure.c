/* Subgrid models of one point, for a state on a GPU: slopes of its fields, and the x pass with the stress. */
#include "solvers/spectral/closure/gpu_closure.h"
#include "solvers/spectral/closure/closure_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const models[] = {[TRIAD_GPU_SMAGORINSKY] = "smagorinsky",
                                     [TRIAD_GPU_VREMAN] = "vreman",
                                     [TRIAD_GPU_WALE] = "wale",
                                     [TRIAD_GPU_SIGMA] = "sigma"};
enum { MODELS = sizeof models / sizeof *models };

struct triad_gpu_closure {
  triad_device *device;
  int n_fields, n_slopes;
  triad_gpu_closure_law law;
  triad_cplx **slopes;   /* [n_slopes] modes */
  const triad_cplx **in; /* [n_fields + n_slopes] inputs of a pass */
};

static int number_of(const triad_closure_model *model)
{
  int n = 0;
  while (n < MODELS && strcmp(models[n], model->name) != 0) n++;
  return n;
}

const char *triad_gpu_closure_refusal(const triad_case *given)
{
  const triad_closure_model *model = triad_closure_model_of(given);
  if (!model || number_of(model) < MODELS) return NULL;
  return "closure.model = \"spectral\" and \"dynamic-smagorinsky\" are supported on CPUs only";
}

static int make(triad_gpu_closure *g, const triad_closure *c, int64_t modes)
{
  const int64_t gradients = 3 * (int64_t)c->n_scalars;
  triad_real *mean = NULL;
  g->slopes = calloc((size_t)g->n_slopes, sizeof *g->slopes);
  g->in = calloc((size_t)(g->n_fields + g->n_slopes), sizeof *g->in);
  if (!g->slopes || !g->in) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the closure on a GPU");
  for (int i = 0; i < g->n_slopes; i++)
    TRIAD_TRY(triad_device_alloc(g->device, "closure", modes, sizeof **g->slopes, (void **)&g->slopes[i]));
  if (gradients > 0)
    TRIAD_TRY(triad_device_table(g->device, "closure", gradients, sizeof *mean, c->mean_gradient, (void **)&mean));
  g->law.mean_gradient = mean;
  return TRIAD_OK;
}

int triad_gpu_closure_create(triad_gpu_closure **out, triad_device *device, const triad_flow *flow, int64_t modes,
                             const triad_velocity_constants *velocity)
{
  const triad_closure *c = flow->closure;
  *out = NULL;
  if (!c) return TRIAD_OK;
  triad_gpu_closure *g = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the closure on a GPU");
  g->device = device;
  g->n_fields = c->n_fields;
  g->n_slopes = triad_closure_inputs(c);
  g->law = (triad_gpu_closure_law){.velocity = *velocity,
                                   .constants = c->constants,
                                   .model = number_of(c->model),
                                   .n_scalars = c->n_scalars,
                                   .per_prandtl = (triad_real)c->per_prandtl};
  const int st = make(g, c, modes);
  if (st != TRIAD_OK) triad_gpu_closure_destroy(&g);
  *out = g;
  return st;
}

void triad_gpu_closure_destroy(triad_gpu_closure **closure)
{
  if (!closure || !*closure) return;
  triad_gpu_closure *g = *closure;
  void *mean = (void *)(uintptr_t)g->law.mean_gradient;
  for (int i = 0; g->slopes && i < g->n_slopes; i++) triad_device_free(g->device, (void **)&g->slopes[i]);
  triad_device_free(g->device, &mean);
  free(g->slopes);
  free(g->in);
  free(g);
  *closure = NULL;
}

int triad_gpu_closure_join(triad_gpu_closure *g, const triad_gpu_modes *modes, int stress_only, triad_gpu_job *job)
{
  if (!g) return TRIAD_OK;
  int next = 0;
  for (int f = 0; f < g->n_fields; f++) g->in[f] = job->in[f];
  for (int axis = 2; axis >= 0; axis--)
    for (int f = 0; f < g->n_fields; f++) {
      if (axis == 2 && f == 2) continue;
      TRIAD_TRY(triad_gpu_closure_slope(modes, axis, job->in[f], g->slopes[next], triad_device_stream(g->device)));
      g->in[g->n_fields + next] = g->slopes[next];
      next++;
    }
  g->law.stress_only = stress_only;
  job->in = g->in;
  job->n_in += g->n_slopes;
  job->visit = triad_gpu_closure_visit;
  job->law = &g->law;
  return TRIAD_OK;
}
