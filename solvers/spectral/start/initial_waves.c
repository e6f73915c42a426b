/* Set sums of a few waves: exact waves of the equations, the Orszag-Tang vortex, and the magnetic Taylor-Green
 * field. */
#include "solvers/spectral/start/initial_waves.h"

#include "solvers/spectral/start/modes.h"

#include <math.h>
#include <string.h>

static const char velocity[] = "velocity", magnetic[] = "magnetic field", theta[] = "theta";

typedef struct waves {
  const triad_case *given;
  const triad_grid *grid;
  triad_wave *list;
  int *count;
} waves;

static void add_wave(waves *s, const int64_t k[3], const char *of, int part, double re, double im)
{
  s->list[(*s->count)++] = (triad_wave){.k = {k[0], k[1], k[2]}, .of = of, .part = part, .re = re, .im = im};
}

/* a sin(m k_axis x_axis) */
static void put_sine(waves *s, int axis, int64_t m, const char *of, int part, double a)
{
  int64_t k[3] = {0, 0, 0};
  k[axis] = m;
  add_wave(s, k, of, part, 0, -a / 2);
}

/* ---- waves of the equations ---- */

typedef struct frame {
  int64_t k[3];
  double w[3], length, e1[3], e2[3], sine; /* sine of the angle between k and the vertical */
  double forward;                          /* 1, or -1 where the phase moves against k     */
} frame;

static int make_frame(const waves *s, frame *f)
{
  triad_case_integers(s->given, "initial.wave", f->k, 3);
  for (int i = 0; i < 3; i++) f->w[i] = 0;
  for (int i = 0; i < 3; i++)
    if (f->k[i] != 0 && triad_grid_excites(s->grid, f->k[0], f->k[1], f->k[2]))
      f->w[i] = triad_grid_size_wavenumber(s->grid, i, f->k[i]);
  double across = hypot(f->w[0], f->w[1]);
  f->length = hypot(across, f->w[2]);
  f->forward = triad_case_is(s->given, "initial.direction", "forward") ? 1 : -1;
  if (!(f->length > 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.wave: mode (%lld, %lld, %lld) is %s", (long long)f->k[0],
                      (long long)f->k[1], (long long)f->k[2],
                      f->k[0] || f->k[1] || f->k[2] ? "not in the grid, or has a component at n/2" : "not a wave");
  f->sine = across / f->length;
  const double flat1[3] = {1, 0, 0}, flat2[3] = {0, f->w[2] < 0 ? -1 : 1, 0};
  memcpy(f->e1, flat1, sizeof flat1);
  memcpy(f->e2, flat2, sizeof flat2);
  if (across > 0) {
    const double e1[3] = {-f->w[1] / across, f->w[0] / across, 0};
    const double e2[3] = {-f->w[0] * f->w[2] / (across * f->length), -f->w[1] * f->w[2] / (across * f->length),
                          f->sine};
    memcpy(f->e1, e1, sizeof e1);
    memcpy(f->e2, e2, sizeof e2);
  }
  return TRIAD_OK;
}

/* A vector (p + i q) e1 + (r + i t) e2, half of it here and the conjugate half at -k. */
static void put_vector(waves *s, const frame *f, const char *of, double p, double q, double r, double t)
{
  for (int i = 0; i < 3; i++)
    add_wave(s, f->k, of, i, (p * f->e1[i] + r * f->e2[i]) / 2, (q * f->e1[i] + t * f->e2[i]) / 2);
}

/* u = a e1 + c e2 obeys da/dt = F c, dc/dt = -F a - s N sin theta, dtheta/dt = N sin c, where F = 2 Omega.k/|k|. With
 * c = exp(-i omega t), or exp(sigma t): a = i F/omega or F/sigma, and theta likewise. */
static int put_gravity_wave(waves *s)
{
  frame f;
  double rotation[3], n = 0, sign = 1, amplitude = triad_case_real(s->given, "initial.amplitude"), coriolis = 0;
  TRIAD_TRY(make_frame(s, &f));
  triad_case_reals(s->given, "equations.rotation", rotation, 3);
  for (int i = 0; i < 3; i++) coriolis += 2 * rotation[i] * f.w[i] / f.length;
  int stratified = triad_case_applies(s->given, "equations.buoyancy_frequency");
  if (stratified) {
    n = triad_case_real(s->given, "equations.buoyancy_frequency") * f.sine;
    sign = triad_case_is(s->given, "equations.stratification", "unstable") ? -1 : 1;
  }
  double square = coriolis * coriolis + sign * n * n, rate = f.forward * sqrt(fabs(square));
  if (!(fabs(square) > 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.wave: the frequency of this wave is 0, because it has neither rotation "
                                      "along it nor stratification across it: use another wavevector");
  double a = amplitude * coriolis / rate, b = amplitude * n / rate;
  put_vector(s, &f, velocity, square > 0 ? 0 : a, square > 0 ? a : 0, amplitude, 0);
  if (stratified) add_wave(s, f.k, theta, 0, square > 0 ? 0 : b / 2, square > 0 ? b / 2 : 0);
  return TRIAD_OK;
}

static int put_alfven_wave(waves *s)
{
  frame f;
  double mean[3], along = 0, amplitude = triad_case_real(s->given, "initial.amplitude");
  double hall = triad_case_real(s->given, "equations.hall");
  TRIAD_TRY(make_frame(s, &f));
  triad_case_reals(s->given, "equations.mean_field", mean, 3);
  for (int i = 0; i < 3; i++) along += f.w[i] * mean[i];
  if (!(fabs(along) > 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.wave: this wave does not propagate, because equations.mean_field has no "
                                      "component along it: use another wavevector");
  if (hall > 0) {
    int whistler = triad_case_is(s->given, "initial.branch", "whistler");
    double d = hall * f.length, handed = (whistler ? 1 : -1) * f.forward * copysign(1, along);
    double omega = f.forward * fabs(along) * (whistler ? (sqrt(4 + d * d) + d) / 2 : 2 / (sqrt(4 + d * d) + d));
    put_vector(s, &f, magnetic, amplitude, 0, 0, handed * amplitude);
    put_vector(s, &f, velocity, -along / omega * amplitude, 0, 0, -along / omega * handed * amplitude);
    return TRIAD_OK;
  }
  double across[3] = {0}, size = 0, e[2] = {1, 0}; /* k x B0 in the frame's e1 and e2 */
  for (int i = 0; i < 3; i++) across[i] = f.w[(i + 1) % 3] * mean[(i + 2) % 3] - f.w[(i + 2) % 3] * mean[(i + 1) % 3];
  for (int i = 0; i < 3; i++) size += across[i] * across[i];
  size = sqrt(size);
  double field = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
  if (size > 1e-12 * f.length * field) {
    e[0] = e[1] = 0;
    for (int i = 0; i < 3; i++) {
      e[0] += across[i] * f.e1[i] / size;
      e[1] += across[i] * f.e2[i] / size;
    }
  }
  double sign = -f.forward * copysign(1, along);
  put_vector(s, &f, magnetic, amplitude * e[0], 0, amplitude * e[1], 0);
  put_vector(s, &f, velocity, sign * amplitude * e[0], 0, sign * amplitude * e[1], 0);
  return TRIAD_OK;
}

/* ---- vortices with a magnetic field ---- */

static int put_orszag_tang(waves *s)
{
  double u = triad_case_real(s->given, "initial.amplitude"),
         b = triad_case_real(s->given, "initial.magnetic_amplitude");
  int64_t m = triad_case_integer(s->given, "initial.wavenumber");
  int plane = triad_case_flag(s->given, "initial.two_dimensional");
  put_sine(s, 1, m, velocity, 0, -2 * u);
  put_sine(s, 0, m, velocity, 1, 2 * u);
  if (!plane) {
    b *= 0.8;
    put_sine(s, 2, m, magnetic, 0, b);
    put_sine(s, 2, m, magnetic, 1, b);
    put_sine(s, 0, m, magnetic, 2, b);
    put_sine(s, 1, m, magnetic, 2, b);
  }
  put_sine(s, 1, 2 * m, magnetic, 0, -2 * b);
  put_sine(s, 0, m, magnetic, 1, 2 * b);
  return TRIAD_OK;
}

/* Products of sines and cosines over the signs of k_y and k_z; k_x > 0, and -k is the conjugate. */
static int put_magnetic_taylor_green(waves *s)
{
  double b = triad_case_real(s->given, "initial.magnetic_amplitude");
  int64_t m = triad_case_integer(s->given, "initial.wavenumber");
  int plane = triad_case_flag(s->given, "initial.two_dimensional");
  double w[3];
  for (int i = 0; i < 3; i++) w[i] = triad_grid_size_wavenumber(s->grid, i, m);
  for (int y = -1; y <= 1; y += 2) {
    if (plane) { /* (sin x cos y, -(k1/k2) cos x sin y, 0), as the velocity */
      const int64_t k[3] = {m, y * m, 0};
      add_wave(s, k, magnetic, 0, 0, -b / 4);
      add_wave(s, k, magnetic, 1, 0, y * b * w[0] / w[1] / 4);
      continue;
    }
    for (int z = -1; z <= 1; z += 2) {
      const int64_t k[3] = {m, y * m, z * m};
      double unit = b / (8 * sqrt(3));
      add_wave(s, k, magnetic, 0, -y * z * unit, 0);
      add_wave(s, k, magnetic, 1, -z * unit * w[0] / w[1], 0);
      add_wave(s, k, magnetic, 2, 2 * y * unit * w[0] / w[2], 0);
    }
  }
  return TRIAD_OK;
}

static int check_kept(const waves *s)
{
  for (int i = 0; i < *s->count; i++) {
    const int64_t *k = s->list[i].k, *n = s->grid->n;
    if (!triad_grid_excites(s->grid, k[0], k[1], k[2]))
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "initial.wave: mode (%lld, %lld, %lld) is not in the grid of %lld x %lld x %lld, or has a "
                        "component at n/2: use a finer grid or a smaller wavenumber",
                        (long long)k[0], (long long)k[1], (long long)k[2], (long long)n[0], (long long)n[1],
                        (long long)n[2]);
  }
  return TRIAD_OK;
}

static int make_waves(const triad_case *given, const triad_grid *grid, triad_wave *list, int *count,
                      int (*put_all)(waves *))
{
  waves s = {given, grid, list, count};
  *count = 0;
  TRIAD_TRY(put_all(&s));
  return check_kept(&s);
}

int triad_waves_gravity(const triad_case *given, const triad_grid *grid, triad_wave *list, int *count)
{
  return make_waves(given, grid, list, count, put_gravity_wave);
}

int triad_waves_alfven(const triad_case *given, const triad_grid *grid, triad_wave *list, int *count)
{
  return make_waves(given, grid, list, count, put_alfven_wave);
}

int triad_waves_orszag_tang(const triad_case *given, const triad_grid *grid, triad_wave *list, int *count)
{
  return make_waves(given, grid, list, count, put_orszag_tang);
}

int triad_waves_magnetic_taylor_green(const triad_case *given, const triad_grid *grid, triad_wave *list, int *count)
{
  return make_waves(given, grid, list, count, put_magnetic_taylor_green);
}

int triad_initial_waves_add(triad_flow *flow, const triad_wave *list, int count)
{
  for (int i = 0; i < count; i++) {
    triad_field_group group = triad_shape_group(&flow->shape, list[i].of);
    if (list[i].part >= group.n)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a wave in part %d of field %s, which has %d", list[i].part, list[i].of,
                        group.n);
    triad_cplx *u = flow->u[group.first + list[i].part];
    for (int64_t sign = 1; sign >= -1; sign -= 2) {
      const int64_t k[3] = {sign * list[i].k[0], sign * list[i].k[1], sign * list[i].k[2]};
      int64_t at = triad_modes_place(flow->layout, k);
      if (at < 0) continue;
      u[at].re += (triad_real)list[i].re;
      u[at].im += (triad_real)((double)sign * list[i].im);
    }
  }
  return TRIAD_OK;
}
