/* The observed numbers of a superfluid, as gpe_observe.c has them on a CPU. */
#include "solvers/spectral/equations/device_stage.h"
#include "solvers/spectral/equations/gpe_points.h"
#include "solvers/spectral/equations/gpu_observe.h"

extern "C" triad_gpu_visit triad_gpu_visit_gpe;

/* made[f] = i k u[f], k along `direction`, f < 2. */
static __global__ void slope_kernel(triad_gpu_modes modes, int direction, const triad_cplx *re, const triad_cplx *im,
                                    stage_outputs made)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const triad_real k = (triad_real)mode_of(modes, i / modes.columns, i % modes.columns).k.derivative[direction];
  made.u[0][i] = triad_gpe_slope(k, re[i]);
  made.u[1][i] = triad_gpe_slope(k, im[i]);
}

/* An x pass: inputs psi and its derivative along one direction, result that component of sqrt(rho) u. Squares of the
 * derivatives of |psi| and along its phase are added to partial[slot][block][2]: chunks of different slots run at the
 * same time. */
struct gradient_constants {
  double alpha;
  double *partial;
};

static __global__ void gradient_kernel(double alpha, int64_t n, const triad_real *in, triad_real *out, double *partial)
{
  double sums[2] = {0, 0};
  for (int64_t i = blockIdx.x * (int64_t)SUM_THREADS + threadIdx.x; i < n; i += (int64_t)SUM_BLOCKS * SUM_THREADS) {
    const triad_real here[4] = {in[i], in[n + i], in[2 * n + i], in[3 * n + i]};
    out[i] = triad_gpe_gradient_point(alpha, here, sums);
  }
  sum_block<2>(sums);
  if (threadIdx.x == 0) {
    partial[2 * blockIdx.x] += sums[0];
    partial[2 * blockIdx.x + 1] += sums[1];
  }
}

static int gradient_pass(const void *constants, const triad_gpu_chunk *c)
{
  const gradient_constants *g = (const gradient_constants *)constants;
  const int64_t n = (int64_t)c->count * c->shape->n[1] * c->shape->n[0];
  TRIAD_TRY(triad_gpu_x_backward(c->shape, c->n_in, c->in, c->count, c->rows_in, c->stream));
  TRIAD_LAUNCH(dim3(SUM_BLOCKS), dim3(SUM_THREADS), c->stream, gradient_kernel)
  (g->alpha, n, c->rows_in, c->rows_out, g->partial + (int64_t)c->slot * SUM_BLOCKS * 2);
  TRIAD_TRY(launched("gradient"));
  return triad_gpu_x_forward(c->shape, c->n_out, c->rows_out, c->count, c->out, c->stream);
}

/* flux += k w, square.re += |w|^2 for result 0, w; begin: they are set to that. */
static __global__ void momentum_kernel(triad_gpu_modes modes, triad_gpu_results results, int direction, int begin,
                                       triad_cplx *flux, triad_cplx *square)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  if (size_of(modes.kz[m.j]) > modes.extent[m.column]) return;
  triad_cplx f = begin ? triad_cplx{0, 0} : flux[i], s = begin ? triad_cplx{0, 0} : square[i];
  triad_gpe_momentum_add((triad_real)m.k.derivative[direction], results.base[m.j * results.stride + m.column], &f,
                         &s.re);
  flux[i] = f;
  square[i] = s;
}

struct energies_term {
  enum { COUNT = 3 };
  triad_gpe_constants c;
  const triad_cplx *density, *flux, *square;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_gpe_mode_energies(&c, triad_mode_k2(m.k.derivative), density[m.i], flux[m.i], square[m.i].re, terms);
  }
};

/* P[|psi|^2] -> the observed density. */
static int observe_density(const triad_gpe_constants *c, const triad_gpu_state *s)
{
  triad_gpe_constants whole = *c;
  triad_gpu_job job = {};
  whole.density = 0;
  job.n_in = 2;
  job.n_out = 1;
  job.in = (const triad_cplx *const *)s->u;
  job.visit = triad_gpu_visit_gpe;
  job.law = &whole;
  job.kept = s->kept;
  TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
  triad_gpu_measure m = triad_gpu_state_measure(s);
  return triad_gpu_keep(&s->modes, &m.results, 0, s->u[TRIAD_GPE_DENSITY], m.stream);
}

/* One component of sqrt(rho) u: its share of k.w and |w|^2, and sums at the points into `partial`. */
static int observe_component(const triad_gpe_constants *c, const triad_gpu_state *s, int direction)
{
  const cudaStream_t stream = (cudaStream_t)triad_device_stream(s->device);
  const gradient_constants gradient = {c->alpha, s->partial};
  const triad_cplx *in[4] = {s->u[TRIAD_GPE_RE], s->u[TRIAD_GPE_IM], s->scratch[0], s->scratch[1]};
  triad_gpu_job job = {};
  job.n_in = 4;
  job.n_out = 1;
  job.in = in;
  job.visit = gradient_pass;
  job.law = &gradient;
  const stage_outputs made = {{s->scratch[0], s->scratch[1], NULL}};
  TRIAD_LAUNCH(dim3(blocks_for(s->modes.n, 256)), dim3(256), stream, slope_kernel)
  (s->modes, direction, in[0], in[1], made);
  TRIAD_TRY(launched("derivative"));
  TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
  triad_gpu_measure m = triad_gpu_state_measure(s);
  TRIAD_LAUNCH(dim3(blocks_for(s->modes.n, 256)), dim3(256), stream, momentum_kernel)
  (s->modes, m.results, direction, direction == 0, s->u[TRIAD_GPE_FLUX], s->u[TRIAD_GPE_SQUARE]);
  return launched("momentum");
}

extern "C" int triad_gpu_observe_gpe(const void *constants, const triad_gpu_state *s, double *observed)
{
  const triad_gpe_constants *c = (const triad_gpe_constants *)constants;
  const int slots = triad_gpu_pass_chunks(s->pass).depth;
  double points[2], modes[3], per_point = 2 * c->alpha * c->alpha / triad_gpu_pass_points(s->pass);
  if (slots * SUM_BLOCKS * 2 > TRIAD_GPU_PARTIALS)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%d chunks in flight: buffers for partial sums", slots);
  TRIAD_TRY(observe_density(c, s));
  TRIAD_TRY(triad_device_clear(s->device, s->partial, TRIAD_GPU_PARTIALS * (int64_t)sizeof *s->partial));
  for (int direction = 0; direction < 3; direction++) TRIAD_TRY(observe_component(c, s, direction));
  TRIAD_TRY(fold(s->partial, slots * SUM_BLOCKS, 2, s->out, triad_device_stream(s->device)));
  TRIAD_TRY(triad_device_get(s->device, points, s->out, sizeof points));
  triad_gpu_measure m = triad_gpu_state_measure(s);
  const energies_term energies = {*c, m.u[TRIAD_GPE_DENSITY], m.u[TRIAD_GPE_FLUX], m.u[TRIAD_GPE_SQUARE]};
  TRIAD_TRY(sum_modes(energies, &m, m.out));
  TRIAD_TRY(triad_device_get(s->device, modes, s->out, sizeof modes));
  observed[TRIAD_GPE_INTERACTION] = modes[0];
  observed[TRIAD_GPE_QUANTUM] = per_point * points[0];
  observed[TRIAD_GPE_HYDRODYNAMIC] = per_point * points[1];
  observed[TRIAD_GPE_INCOMPRESSIBLE] = modes[1];
  observed[TRIAD_GPE_ENSTROPHY] = modes[2];
  return TRIAD_OK;
}
