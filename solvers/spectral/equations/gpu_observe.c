/* Prepare measurements of a state on a GPU, and measure the exchange of energy between flow and magnetic field. */
#include "solvers/spectral/equations/gpu_observe.h"
#include "solvers/spectral/equations/plain/velocity_chains.h"

#include "solvers/spectral/equations/mhd.h"

triad_gpu_measure triad_gpu_state_measure(const triad_gpu_state *s)
{
  triad_gpu_measure m = {.modes = s->modes,
                         .u = (const triad_cplx *const *)s->u,
                         .partial = s->partial,
                         .out = s->out,
                         .stream = triad_device_stream(s->device)};
  m.results.base = triad_gpu_pass_result(s->pass, &m.results.stride);
  return m;
}

extern triad_gpu_visit triad_gpu_visit_mhd;
extern const triad_gpu_spectral triad_gpu_spectral_mhd;

/* What the flow gives the field, mean(curl b.(u x B)): the Hall term gives it nothing and is left out. */
int triad_gpu_observe_mhd(const void *constants, const triad_gpu_state *s, double *observed)
{
  double powers[TRIAD_MHD_TRANSFERS];
  const double *grid[2];
  const int grids = triad_gpu_pass_grids(s->pass, grid);
  triad_gpu_job job = {.n_in = 6,
                       .n_out = TRIAD_MHD_PRODUCTS,
                       .chains = triad_velocity_chains(3),
                       .in = (const triad_cplx *const *)s->u,
                       .visit = triad_gpu_visit_mhd,
                       .law = constants};
  observed[0] = 0;
  for (int g = 0; g < grids; g++) {
    job.shift = grid[g];
    TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
    triad_gpu_measure m = triad_gpu_state_measure(s);
    TRIAD_TRY(triad_gpu_spectral_mhd.powers(constants, &m));
    TRIAD_TRY(triad_device_get(s->device, powers, s->out, sizeof powers));
    observed[0] += powers[2] / grids;
  }
  return TRIAD_OK;
}
