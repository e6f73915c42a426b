/* Random solenoidal velocities by summing their modes, axis after axis: the spectrum falls so fast that few are
 * needed, and no transform is. */
#include "solvers/compressible/case/turbulence.h"
#include "solvers/compressible/case/initial.h"
#include "base/random.h"
#include "solvers/compressible/state/internal.h"

#include <math.h>
#include <stdio.h>

static const double two_pi = 6.283185307179586476925286766559;

typedef struct cplx {
  double re, im;
} cplx;

/* Modes 0 <= kx <= K[0], |ky| <= K[1], |kz| <= K[2]; those of kx = 0 hold each pair twice. */
typedef struct modes {
  int64_t K[3], count[3], all, shells;
  double unit[3], k_min; /* 2 pi/L_i; the least of those of axes with points */
  cplx *u[3];            /* [kx][ky][kz], kz from -K[2] on, fastest */
  double *share;         /* [shells] */
} modes;

static int64_t at(const modes *m, int64_t kx, int64_t ky, int64_t kz)
{
  return (kx * m->count[1] + ky + m->K[1]) * m->count[2] + kz + m->K[2];
}

static int64_t shell_of(const modes *m, int64_t kx, int64_t ky, int64_t kz)
{
  double x = m->unit[0] * (double)kx, y = m->unit[1] * (double)ky, z = m->unit[2] * (double)kz;
  return (int64_t)floor(sqrt(x * x + y * y + z * z) / m->k_min + 0.5);
}

/* E of shell s, in proportion. */
static double wanted(double s, double k0)
{
  double x = s / k0;
  return x * x * x * x * exp(-2 * x * x);
}

/* Of each pair k, -k one is drawn: kx > 0, else ky > 0, else kz > 0. */
static int is_drawn(int64_t kx, int64_t ky, int64_t kz)
{
  return kx > 0 || (kx == 0 && (ky > 0 || (ky == 0 && kz > 0)));
}

/* Two unit vectors across k and each other. */
static void across(const double k[3], double a[3], double b[3])
{
  int least = fabs(k[0]) <= fabs(k[1]) ? 0 : 1;
  if (fabs(k[2]) < fabs(k[least])) least = 2;
  double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2], size = 0;
  for (int i = 0; i < 3; i++) {
    a[i] = (i == least) - k[least] * k[i] / k2;
    size += a[i] * a[i];
  }
  for (int i = 0; i < 3; i++) a[i] /= sqrt(size);
  for (int i = 0; i < 3; i++) b[i] = (k[(i + 1) % 3] * a[(i + 2) % 3] - k[(i + 2) % 3] * a[(i + 1) % 3]) / sqrt(k2);
}

/* A unit complex vector across k (Rogallo 1981, NASA TM 81315, eq. 5.7): e^(i p) cos(r) a + e^(i q) sin(r) b. */
static void draw(const modes *m, uint64_t key, int64_t kx, int64_t ky, int64_t kz, cplx u[3])
{
  const double k[3] = {m->unit[0] * (double)kx, m->unit[1] * (double)ky, m->unit[2] * (double)kz};
  triad_bits phases = triad_random_bits(key, (int32_t)kx, (int32_t)ky, (int32_t)kz, 0);
  triad_bits turn = triad_random_bits(key, (int32_t)kx, (int32_t)ky, (int32_t)kz, 1);
  double a[3], b[3], p = two_pi * triad_random_uniform(phases, 0), q = two_pi * triad_random_uniform(phases, 1),
                     r = two_pi * triad_random_uniform(turn, 0);
  across(k, a, b);
  for (int i = 0; i < 3; i++)
    u[i] = (cplx){cos(p) * cos(r) * a[i] + cos(q) * sin(r) * b[i], sin(p) * cos(r) * a[i] + sin(q) * sin(r) * b[i]};
}

typedef void (*visit)(modes *m, int64_t kx, int64_t ky, int64_t kz, void *what);

static void drawn_modes(modes *m, visit f, void *what)
{
  for (int64_t kx = 0; kx <= m->K[0]; kx++)
    for (int64_t ky = -m->K[1]; ky <= m->K[1]; ky++)
      for (int64_t kz = -m->K[2]; kz <= m->K[2]; kz++)
        if (is_drawn(kx, ky, kz) && shell_of(m, kx, ky, kz) < m->shells) f(m, kx, ky, kz, what);
}

static void count(modes *m, int64_t kx, int64_t ky, int64_t kz, void *what)
{
  (void)what;
  m->share[shell_of(m, kx, ky, kz)] += 1; /* mean |u|^2/2 of a pair of unit modes */
}

static void set(modes *m, int64_t kx, int64_t ky, int64_t kz, void *what)
{
  cplx u[3];
  double size = m->share[shell_of(m, kx, ky, kz)];
  draw(m, *(uint64_t *)what, kx, ky, kz, u);
  for (int i = 0; i < 3; i++) {
    m->u[i][at(m, kx, ky, kz)] = (cplx){size * u[i].re, size * u[i].im};
    if (kx == 0) m->u[i][at(m, 0, -ky, -kz)] = (cplx){size * u[i].re, -size * u[i].im};
  }
}

/* Each shell's modes get its part of the energy 3 u0^2/2, in equal shares. */
static int fill(modes *m, const triad_compressible_start *s)
{
  double all = 0, k0 = (double)s->wavenumber;
  drawn_modes(m, count, NULL);
  for (int64_t i = 1; i < m->shells; i++)
    if (m->share[i] > 0) all += wanted((double)i, k0);
  if (!(all > 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "initial.wavenumber = %lld: the grid contains no mode of this turbulence: use a smaller "
                      "wavenumber, or a finer grid",
                      (long long)s->wavenumber);
  for (int64_t i = 1; i < m->shells; i++)
    if (m->share[i] > 0)
      m->share[i] = sqrt(1.5 * s->amplitude * s->amplitude * wanted((double)i, k0) / all / m->share[i]);
  uint64_t key = triad_random_key(s->seed, TRIAD_STREAM_INITIAL);
  drawn_modes(m, set, &key);
  return TRIAD_OK;
}

static int take(const triad_compressible *w, const triad_compressible_start *s, modes *m)
{
  int64_t reach = 4 * s->wavenumber; /* exp(-32) of the spectrum lies beyond */
  m->all = 1;
  m->k_min = INFINITY;
  for (int i = 0; i < 3; i++)
    if (w->setup.n[i] > 1) m->k_min = fmin(m->k_min, two_pi / w->setup.length[i]);
  for (int i = 0; i < 3; i++) {
    int64_t n = w->setup.n[i];
    m->unit[i] = two_pi / w->setup.length[i];
    m->K[i] = (int64_t)floor((double)reach * m->k_min / m->unit[i]);
    if (m->K[i] > (n - 1) / 2) m->K[i] = (n - 1) / 2;
    m->count[i] = i == 0 ? m->K[i] + 1 : 2 * m->K[i] + 1;
    m->all *= m->count[i];
  }
  m->shells = reach + 1;
  TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "initial modes", 3 * m->all, &m->u[0]));
  for (int i = 1; i < 3; i++) m->u[i] = m->u[0] + i * m->all;
  return TRIAD_ALLOC(w->context->memory, "initial shells", m->shells, &m->share);
}

/* exp(i k x) of point number j of an axis, from integers: as exact for the last point as for the first. */
static cplx wave(const triad_compressible_setup *s, int axis, int64_t k, int64_t j)
{
  int64_t n = s->n[axis], half = s->side[axis][0].kind == TRIAD_COMPRESSIBLE_PERIODIC ? 0 : 1;
  double angle = two_pi * (double)((k * (2 * j + half)) % (2 * n)) / (double)(2 * n);
  return (cplx){cos(angle), sin(angle)};
}

static cplx product(cplx a, cplx b) { return (cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

/* Tables for this rank's points: [axis][k][j]. */
typedef struct waves {
  cplx *of[3];
} waves;

static int take_waves(const triad_compressible *w, const modes *m, waves *t)
{
  for (int i = 0; i < 3; i++) {
    int64_t n = w->blocks.local[i], first = i == 0 ? 0 : -m->K[i];
    TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "initial waves", m->count[i] * n, &t->of[i]));
    for (int64_t k = 0; k < m->count[i]; k++)
      for (int64_t j = 0; j < n; j++) t->of[i][k * n + j] = wave(&w->setup, i, first + k, w->blocks.begin[i] + j);
  }
  return TRIAD_OK;
}

/* Sums over kz at a plane: plane[kx][ky]; over ky at a row of it: row[kx]; over kx at its points. */
static void plane_of(const modes *m, const cplx *u, const cplx *wz, int64_t nz, int64_t z, cplx *plane)
{
  for (int64_t j = 0; j < m->count[0] * m->count[1]; j++) {
    cplx sum = {0, 0};
    for (int64_t k = 0; k < m->count[2]; k++) {
      cplx p = product(u[j * m->count[2] + k], wz[k * nz + z]);
      sum.re += p.re;
      sum.im += p.im;
    }
    plane[j] = sum;
  }
}

static void row_of(const modes *m, const cplx *plane, const cplx *wy, int64_t ny, int64_t y, const cplx *wx, int64_t nx,
                   triad_real *out, double *sums)
{
  for (int64_t x = 0; x < nx; x++) sums[x] = 0;
  for (int64_t kx = 0; kx < m->count[0]; kx++) {
    cplx c = {0, 0};
    for (int64_t k = 0; k < m->count[1]; k++) {
      cplx p = product(plane[kx * m->count[1] + k], wy[k * ny + y]);
      c.re += p.re;
      c.im += p.im;
    }
    double twice = kx > 0 ? 2 : 1; /* for -kx */
    const cplx *e = wx + kx * nx;
    for (int64_t x = 0; x < nx; x++) sums[x] += twice * (c.re * e[x].re - c.im * e[x].im);
  }
  for (int64_t x = 0; x < nx; x++) out[x] = (triad_real)sums[x];
}

static int sum_modes(const triad_compressible *w, const modes *m, const waves *t, triad_real *const velocity[3])
{
  int64_t nx = w->blocks.local[0], ny = w->blocks.local[1], nz = w->blocks.local[2];
  int64_t plane = m->count[0] * m->count[1], room = plane + nx; /* nx doubles fit nx cplx */
  cplx *all = NULL;
  TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "initial planes", room * nz, &all));
  for (int i = 0; i < 3; i++) {
#pragma omp parallel for schedule(static) num_threads(w->context->threads)
    for (int64_t z = 0; z < nz; z++) {
      cplx *mine = all + z * room;
      plane_of(m, m->u[i], t->of[2], nz, z, mine);
      for (int64_t y = 0; y < ny; y++)
        row_of(m, mine, t->of[1], ny, y, t->of[0], nx, velocity[i] + (z * ny + y) * nx, (double *)(mine + plane));
    }
  }
  TRIAD_FREE(w->context->memory, &all);
  return TRIAD_OK;
}

/* mean |u|^2/2 and mean |curl u|^2. */
static void measure(modes *m, int64_t kx, int64_t ky, int64_t kz, void *what)
{
  double *sums = what, e = 0, k2 = 0;
  const int64_t k[3] = {kx, ky, kz};
  for (int i = 0; i < 3; i++) {
    cplx u = m->u[i][at(m, kx, ky, kz)];
    e += u.re * u.re + u.im * u.im;
    k2 += m->unit[i] * m->unit[i] * (double)(k[i] * k[i]);
  }
  sums[0] += e;
  sums[1] += 2 * e * k2;
}

static void tell(const triad_compressible *w, modes *m, char *text, size_t size)
{
  double sums[2] = {0, 0}, nu = triad_compressible_start_viscosity(&w->setup), k_max = INFINITY;
  drawn_modes(m, measure, sums);
  double rms = sqrt(sums[0] * 2 / 3), lambda = sqrt(15 * rms * rms / sums[1]);
  for (int i = 0; i < 3; i++)
    if (w->setup.n[i] > 1) k_max = fmin(k_max, two_pi / 2 * (double)w->setup.n[i] / w->setup.length[i]);
  int n = snprintf(text, size,
                   "turbulence: kinetic energy %.6g, rms velocity %.6g per component, Mach number %.4g (of the rms "
                   "|u|), lambda %.4g, tau = lambda/u' %.4g",
                   sums[0], rms, sqrt(2 * sums[0]), lambda, lambda / rms);
  if (nu > 0 && n > 0 && (size_t)n < size) {
    double eta = sqrt(nu / sqrt(sums[1])); /* (nu^3/eps)^(1/4), eps = nu mean |curl u|^2 */
    (void)snprintf(text + n, size - (size_t)n,
                   ", viscosity %.6g at the initial temperature, Re_lambda %.4g, eta %.4g, k_max eta %.4g", nu,
                   rms * lambda / nu, eta, k_max * eta);
  }
}

int triad_compressible_turbulence(const triad_compressible *w, const triad_compressible_start *s,
                                  triad_real *const velocity[3], char *text, size_t size)
{
  modes m = {.u = {NULL}};
  waves t = {{NULL}};
  triad_memory *memory = w->context->memory;
  int st = take(w, s, &m);
  if (st == TRIAD_OK) st = fill(&m, s);
  if (st == TRIAD_OK) st = take_waves(w, &m, &t);
  if (st == TRIAD_OK) st = sum_modes(w, &m, &t, velocity);
  if (st == TRIAD_OK && size > 0) tell(w, &m, text, size);
  for (int i = 0; i < 3; i++) TRIAD_FREE(memory, &t.of[i]);
  TRIAD_FREE(memory, &m.share);
  TRIAD_FREE(memory, &m.u[0]);
  return triad_agree(&w->context->comm, st);
}
