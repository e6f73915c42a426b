/* Initial wave functions of a superfluid, given at points or as modes. */
#include "solvers/spectral/start/initial_gpe.h"
#include "solvers/spectral/flow_pass.h"
#include "solvers/spectral/plain/gpe_ring.h"

#include "base/precision.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/start/modes.h"
#include "solvers/spectral/start/randomfield.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RE = TRIAD_GPE_RE, IM = TRIAD_GPE_IM, WAVE_NUMBERS = 5, MOST_WAVES = 14 };

/* ---- psi given at points ---- */

/* The four vortex lines of a cell, to the power `charge`: psi_4(lambda, mu)^charge. */
typedef struct vortices {
  double k[3], core; /* core: sqrt 2 xi, in units of 1/k */
  int charge;
} vortices;

typedef struct picture {
  const triad_flow *flow;
  double root; /* sqrt(rho0) */
  const vortices *lines;
  const triad_rings *rings;
} picture;

/* (re, im) times that of a vortex line at the origin: (x + i y) tanh(r/core)/r. */
static void line_at(double x, double y, double core, double *re, double *im)
{
  double r = hypot(x, y), f = r > 0 ? tanh(r / core) / r : 1 / core, a = *re, b = *im;
  *re = f * (a * x - b * y);
  *im = f * (a * y + b * x);
}

/* With lambda = cos k1 x sqrt(2 |cos k3 z|), mu = cos k2 y sqrt(2 |cos k3 z|) sign(cos k3 z), the lines of grad lambda
 * x grad mu are the vortex lines of the Taylor-Green flow (section III of the paper). */
static void lines_psi(const vortices *v, const double x[3], double *re, double *im)
{
  const double off = sqrt(0.5);
  double height = cos(v->k[2] * x[2]), root = sqrt(2 * fabs(height));
  double lambda = cos(v->k[0] * x[0]) * root, mu = cos(v->k[1] * x[1]) * copysign(root, height), a = 1, b = 0;
  line_at(lambda - off, mu, v->core, &a, &b);
  line_at(lambda + off, mu, v->core, &a, &b);
  line_at(lambda, mu - off, v->core, &a, &b);
  line_at(lambda, mu + off, v->core, &a, &b);
  *re = 1;
  *im = 0;
  for (int i = 0; i < v->charge; i++) {
    double was = *re;
    *re = was * a - *im * b;
    *im = was * b + *im * a;
  }
}

static void picture_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                           double *peaks)
{
  const picture *p = self;
  const triad_grid *g = &p->flow->grid;
  (void)in;
  (void)peaks;
  for (int64_t i = 0; i < at->n; i++) {
    const double x[3] = {(double)i * triad_grid_spacing(g, 0), (double)at->y * triad_grid_spacing(g, 1),
                         (double)at->z * triad_grid_spacing(g, 2)};
    double re, im;
    if (p->rings) triad_rings_psi(p->rings, x, &re, &im);
    else lines_psi(p->lines, x, &re, &im);
    out[RE][i] = (triad_real)(p->root * re);
    out[IM][i] = (triad_real)(p->root * im);
  }
}

static void keep_psi(void *self, const triad_batch *block, triad_cplx *const *out)
{
  const picture *p = self;
  for (int f = 0; f < 2; f++) triad_batch_keep(block, out[f], p->flow->u[f]);
}

static int run_pass(triad_flow *flow, const triad_work *work)
{
  triad_pass *pass;
  TRIAD_TRY(triad_flow_borrow(flow, work->n_in, work->n_out, &pass));
  int st = triad_pass_run(pass, work);
  triad_flow_return(flow, &pass);
  return st;
}

static int draw(triad_flow *flow, picture *p)
{
  p->flow = flow;
  p->root = sqrt(triad_case_real(flow->given, "equations.density"));
  triad_work work = {.n_out = 2, .points = picture_points, .sink = keep_psi, .self = p};
  return run_pass(flow, &work);
}

/* The circulation of the flow about a quarter of its cell, 8 U/k, in quanta of 4 pi alpha, is shared by four lines. */
static int find_lines(const triad_case *given, const triad_grid *g, vortices *v, double *quanta)
{
  triad_gpe_constants q = triad_gpe_from_case(given);
  int64_t m = triad_case_integer(given, "initial.wavenumber");
  for (int i = 0; i < 3; i++) {
    if (g->n[i] > 1 && m > g->kmax[i])
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "initial.wavenumber: %lld periods exceed the maximum of the grid along %c, %lld: use fewer "
                        "periods, or a finer grid",
                        (long long)m, 'x' + i, (long long)g->kmax[i]);
    v->k[i] = 2 * TRIAD_PI * (double)m / g->length[i];
  }
  if (fabs(g->length[0] - g->length[1]) > 1e-12 * g->length[0])
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "grid.length: the vortex lines of taylor-green require equal lengths along x and y, not %g and %g", g->length[0],
      g->length[1]);
  *quanta = 8 * fabs(triad_case_real(given, "initial.amplitude")) / v->k[0] / (4 * TRIAD_PI * q.alpha);
  v->core = sqrt(2) * q.healing_length * v->k[0];
  v->charge = *quanta < 4e6 ? (int)(*quanta / 4 * (1 + 1e-12)) : 0;
  if (v->charge < 1 || v->charge > 10000)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "taylor-green: the circulation of the flow is %.3g quanta of 4 pi alpha, but its four vortex "
                      "lines require 4 to 40000: change initial.amplitude, sound_speed or healing_length",
                      *quanta);
  return TRIAD_OK;
}

int triad_gpe_start_vortex_lines(triad_flow *flow, triad_log *log)
{
  vortices v;
  double quanta = 0;
  picture p = {.lines = &v};
  TRIAD_TRY(triad_agree(&flow->context->comm, find_lines(flow->given, &flow->grid, &v, &quanta)));
  triad_log_info(log,
                 "Taylor-Green vortices: circulation of %.4g quanta as 4 lines of charge %d in each quarter of "
                 "a cell",
                 quanta, v.charge);
  return draw(flow, &p);
}

static int find_rings(const triad_case *given, const triad_grid *g, triad_rings *rings)
{
  double numbers[TRIAD_MAX_RINGS * TRIAD_RING_NUMBERS];
  int n = triad_case_list(given, "initial.rings", numbers, TRIAD_MAX_RINGS * TRIAD_RING_NUMBERS);
  return triad_rings_create(rings, g, numbers, n, triad_case_real(given, "equations.healing_length"));
}

int triad_gpe_start_rings(triad_flow *flow, triad_log *log)
{
  (void)log;
  triad_rings rings;
  picture p = {.rings = &rings};
  TRIAD_TRY(triad_agree(&flow->context->comm, find_rings(flow->given, &flow->grid, &rings)));
  return draw(flow, &p);
}

/* ---- psi given by modes ---- */

typedef struct wave {
  int64_t k[3];
  double re, im;
} wave;

static int find_waves(const triad_case *given, const triad_grid *g, wave *list, int *count)
{
  double v[MOST_WAVES * WAVE_NUMBERS];
  int n = triad_case_list(given, "initial.waves", v, MOST_WAVES * WAVE_NUMBERS);
  *count = n / WAVE_NUMBERS;
  if (n % WAVE_NUMBERS != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "initial.waves has %d numbers, but each wave requires %d: kx, ky, kz and the real and imaginary "
                      "part of its amplitude",
                      n, WAVE_NUMBERS);
  for (int w = 0; w < *count; w++) {
    const double *from = v + w * WAVE_NUMBERS;
    for (int i = 0; i < 3; i++) {
      if (!(fabs(from[i]) <= 1048576) || fabs(from[i] - nearbyint(from[i])) > 0)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.waves: %g is not an integer: give the periods along x, y and z",
                          from[i]);
      list[w].k[i] = (int64_t)from[i];
    }
    const int64_t *k = list[w].k;
    if (!triad_grid_keeps(g, k[0], k[1], k[2]))
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "initial.waves: mode (%lld, %lld, %lld) is not in the grid: use fewer periods, or a finer grid",
                        (long long)k[0], (long long)k[1], (long long)k[2]);
    for (int i = 0; i < 3; i++) /* stands for both waves of its pair, which cannot be told apart on the grid */
      if (k[i] != 0 && 2 * llabs((long long)k[i]) == g->n[i])
        return TRIAD_FAIL(TRIAD_ERR_CASE,
                          "initial.waves: %lld is the Nyquist wavenumber, half the number of points: use fewer "
                          "periods, or a finer grid",
                          (long long)k[i]);
    list[w].re = from[3];
    list[w].im = from[4];
  }
  return TRIAD_OK;
}

static void add_mode(const triad_flow *flow, const int64_t k[3], int field, double re, double im)
{
  int64_t at = triad_modes_place(flow->layout, k);
  if (at < 0) return;
  flow->u[field][at].re += (triad_real)re;
  flow->u[field][at].im += (triad_real)im;
}

/* a exp(i k x), exactly: its real part has coefficients a/2 at k and conj(a)/2 at -k, its imaginary part a/(2i) and
 * -conj(a)/(2i). */
static void add_wave(const triad_flow *flow, const wave *w, double scale)
{
  const int64_t minus[3] = {-w->k[0], -w->k[1], -w->k[2]};
  double a = scale * w->re / 2, b = scale * w->im / 2;
  add_mode(flow, w->k, RE, a, b);
  add_mode(flow, minus, RE, a, -b);
  add_mode(flow, w->k, IM, b, -a);
  add_mode(flow, minus, IM, b, a);
}

int triad_gpe_start_uniform(triad_flow *flow, triad_log *log)
{
  const wave background = {{0, 0, 0}, 1, 0};
  (void)log;
  add_wave(flow, &background, sqrt(triad_case_real(flow->given, "equations.density")));
  return TRIAD_OK;
}

int triad_gpe_start_waves(triad_flow *flow, triad_log *log)
{
  double root = sqrt(triad_case_real(flow->given, "equations.density"));
  wave list[MOST_WAVES];
  const wave background = {{0, 0, 0}, triad_case_real(flow->given, "initial.background"), 0};
  int count = 0;
  (void)log;
  TRIAD_TRY(find_waves(flow->given, &flow->grid, list, &count));
  add_wave(flow, &background, root);
  for (int w = 0; w < count; w++) add_wave(flow, &list[w], root);
  return TRIAD_OK;
}

/* ---- a random phase ---- */

static void put_phase(void *self, const triad_batch *block, triad_cplx *const *in)
{
  triad_batch_put(block, ((const picture *)self)->flow->u[RE], in[0]);
}

static void phase_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                         double *peaks)
{
  double root = ((const picture *)self)->root;
  (void)peaks;
  for (int64_t i = 0; i < at->n; i++) {
    double phase = (double)in[0][i];
    out[RE][i] = (triad_real)(root * cos(phase));
    out[IM][i] = (triad_real)(root * sin(phase));
  }
}

/* The modes of the velocity along k, of which those of the phase are 1/(2 alpha |k|). */
int triad_gpe_start_random_phase(triad_flow *flow, triad_log *log)
{
  (void)log;
  const triad_layout *l = flow->layout;
  double range[2], alpha = triad_gpe_from_case(flow->given).alpha;
  triad_case_reals(flow->given, "initial.k_range", range, 2);
  triad_random_spectrum spectrum = {.seed = (uint64_t)triad_case_integer(flow->given, "initial.seed"),
                                    .energy = triad_case_real(flow->given, "initial.energy"),
                                    .power_law = triad_case_is(flow->given, "initial.spectrum", "power-law"),
                                    .slope = triad_case_real(flow->given, "initial.slope"),
                                    .lowest = range[0],
                                    .highest = range[1],
                                    .peak = (double)triad_case_integer(flow->given, "initial.wavenumber")};
  TRIAD_TRY(triad_random_scalar(flow->context, l, &spectrum, 0, flow->u[RE]));
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      double k2 = triad_layout_size2(l, c, j);
      triad_real factor = (triad_real)(k2 > 0 ? 1 / (2 * alpha * sqrt(k2)) : 0);
      triad_cplx *phase = &flow->u[RE][triad_layout_place(l, c, j)];
      *phase = (triad_cplx){factor * phase->re, factor * phase->im};
    }
  picture p = {.flow = flow, .root = sqrt(triad_case_real(flow->given, "equations.density"))};
  triad_work work = {.n_in = 1, .n_out = 2, .source = put_phase, .points = phase_points, .sink = keep_psi, .self = &p};
  return run_pass(flow, &work);
}

int triad_gpe_check_waves(const triad_case *given, const triad_grid *grid)
{
  wave list[MOST_WAVES];
  int count;
  return find_waves(given, grid, list, &count);
}

int triad_gpe_check_vortex_lines(const triad_case *given, const triad_grid *grid)
{
  vortices lines;
  double quanta;
  return find_lines(given, grid, &lines, &quanta);
}

int triad_gpe_check_rings(const triad_case *given, const triad_grid *grid)
{
  triad_rings rings;
  return find_rings(given, grid, &rings);
}
