#include "solvers/spectral/equations/gpu_observe.h"

#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/equations/gpu_gpe.h"
#include "solvers/spectral/equations/mhd_modes.h"

triad_gpu_measure triad_gpu_state_measure(const triad_gpu_state *s)
{
  triad_gpu_measure m = {.modes = s->modes, .u = (const triad_cplx *const *)s->u, .partial = s->partial, .out = s->out,
                         .stream = triad_device_stream(s->device)};
  m.results.base = triad_gpu_pass_result(s->pass, &m.results.stride);
  return m;
}

extern triad_gpu_visit triad_gpu_visit_mhd;
extern const triad_gpu_spectral triad_gpu_spectral_mhd;

/* What the flow gives the field, mean(curl b.(u x B)): the Hall term gives it nothing and is left out. */
int triad_gpu_observe_mhd(const void *law, const triad_gpu_state *s, double *observed)
{
  double powers[triad_mhd_transfers];
  triad_gpu_job job = {.n_in = 6, .n_out = 8, .in = (const triad_cplx *const *)s->u, .visit = triad_gpu_visit_mhd,
                       .law = law};
  TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
  triad_gpu_measure m = triad_gpu_state_measure(s);
  TRIAD_TRY(triad_gpu_spectral_mhd.powers(law, &m));
  TRIAD_TRY(triad_device_get(s->device, powers, s->out, sizeof powers));
  observed[0] = powers[2];
  return TRIAD_OK;
}

extern triad_gpu_visit triad_gpu_visit_gpe;

enum { DENSITY = 2, FLUX, SQUARE };

/* P[|psi|^2] -> the observed density. */
static int observe_density(const triad_gpe_law *law, const triad_gpu_state *s)
{
  triad_gpe_law whole = *law;
  whole.density = 0;
  triad_gpu_job job = {.n_in = 2, .n_out = 1, .in = (const triad_cplx *const *)s->u, .visit = triad_gpu_visit_gpe,
                       .law = &whole, .kept = s->kept};
  TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
  triad_gpu_measure m = triad_gpu_state_measure(s);
  return triad_gpu_keep(&s->modes, &m.results, 0, s->u[DENSITY], m.stream);
}

/* One component of sqrt(rho) u: its share of k.w and |w|^2, and sums at the points into `partial`. */
static int observe_component(const triad_gpe_law *law, const triad_gpu_state *s, int direction)
{
  void *stream = triad_device_stream(s->device);
  triad_gpu_gpe_gradient_law gradient = {law->alpha, s->partial};
  const triad_cplx *in[4] = {s->u[0], s->u[1], s->scratch[0], s->scratch[1]};
  triad_gpu_job job = {.n_in = 4, .n_out = 1, .in = in, .visit = triad_gpu_gpe_gradient, .law = &gradient};
  TRIAD_TRY(triad_gpu_gpe_slope(&s->modes, direction, (const triad_cplx *const *)s->u, s->scratch, stream));
  TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
  triad_gpu_measure m = triad_gpu_state_measure(s);
  return triad_gpu_gpe_momentum(&s->modes, &m.results, direction, direction == 0, s->u[FLUX], s->u[SQUARE], stream);
}

int triad_gpu_observe_gpe(const void *self, const triad_gpu_state *s, double *observed)
{
  const triad_gpe_law *law = self;
  double points[2], modes[3], per_point = 2 * law->alpha * law->alpha / triad_gpu_pass_points(s->pass);
  TRIAD_TRY(observe_density(law, s));
  TRIAD_TRY(triad_device_clear(s->device, s->partial, TRIAD_GPU_PARTIALS * (int64_t)sizeof *s->partial));
  for (int direction = 0; direction < 3; direction++) TRIAD_TRY(observe_component(law, s, direction));
  TRIAD_TRY(triad_gpu_gpe_fold(s->partial, s->out, triad_device_stream(s->device)));
  TRIAD_TRY(triad_device_get(s->device, points, s->out, sizeof points));
  triad_gpu_measure m = triad_gpu_state_measure(s);
  TRIAD_TRY(triad_gpu_gpe_energies(law, &m));
  TRIAD_TRY(triad_device_get(s->device, modes, s->out, sizeof modes));
  observed[TRIAD_GPE_INTERACTION] = modes[0];
  observed[TRIAD_GPE_QUANTUM] = per_point * points[0];
  observed[TRIAD_GPE_HYDRODYNAMIC] = per_point * points[1];
  observed[TRIAD_GPE_INCOMPRESSIBLE] = modes[1];
  observed[TRIAD_GPE_ENSTROPHY] = modes[2];
  return TRIAD_OK;
}
