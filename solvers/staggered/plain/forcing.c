/* Compute the uniform acceleration of the fluid: random pushes and the return to rest. */
#include "solvers/staggered/plain/forcing.h"

#include "base/random.h"
#include "base/precision.h"

#include <math.h>

enum { PUSHES_STREAM = 0x50555348 /* random numbers for nothing else */ };

void triad_staggered_forcing_read(triad_staggered_forcing *f, const triad_case *given)
{
  static const char *const word[] = {"none", "pressure-gradient", "flow-rate", "stirring", "formula"};
  *f = (triad_staggered_forcing){.amplitude = triad_case_real(given, "forcing.amplitude"),
                                 .interval = triad_case_real(given, "forcing.interval"),
                                 .restore = triad_case_real(given, "forcing.restore"),
                                 .pushes = triad_case_integer(given, "forcing.pushes")};
  for (int i = 0; i < 5; i++)
    if (triad_case_is(given, "forcing.kind", word[i])) f->kind = (triad_staggered_force)i;
  triad_case_reals(given, "forcing.direction", f->direction, 3);
  double length =
    sqrt(f->direction[0] * f->direction[0] + f->direction[1] * f->direction[1] + f->direction[2] * f->direction[2]);
  for (int i = 0; i < 3 && length > 0; i++) f->direction[i] /= length;
  f->key = triad_random_key((uint64_t)triad_case_integer(given, "forcing.seed"), PUSHES_STREAM);
}

/* Direction number i of stirring, a unit vector: uniform on the sphere, from its height and its angle. */
static void push_direction(const triad_staggered_forcing *f, int64_t i, double direction[3])
{
  triad_bits bits = triad_random_bits(f->key, (int32_t)i, 0, 0, 0);
  double height = 2 * triad_random_uniform(bits, 0) - 1, angle = 2 * TRIAD_PI * triad_random_uniform(bits, 1);
  double radius = sqrt(1 - height * height);
  direction[0] = radius * cos(angle);
  direction[1] = radius * sin(angle);
  direction[2] = height;
}

static void stir(const triad_staggered_forcing *f, double t, double dt, const double mean[3], const double moved[3],
                 double out[3], double *until)
{
  double stirred = f->interval * (double)f->pushes;
  /* a step that ends at a change does so up to rounding */
  int64_t number = (int64_t)floor(t / f->interval * (1 + 1e-12) + 1e-9);
  if (number < f->pushes) {
    push_direction(f, number, out);
    for (int i = 0; i < 3; i++) out[i] *= f->amplitude;
    *until = f->interval * (double)(number + 1);
    return;
  }
  double end = stirred + f->restore, left = end - t;
  if (!(left > 1e-9 * end)) return;
  *until = end;
  for (int i = 0; i < 3; i++) {
    double x = moved[i] / (left * left), v = mean[i] / left;
    out[i] = -(6 * x + 4 * v) + (6 * x + 3 * v) * dt / left;
  }
}

void triad_staggered_acceleration(const triad_staggered_forcing *f, double t, double dt, const double mean[3],
                                  const double moved[3], double out[3], double *until)
{
  *until = INFINITY;
  for (int i = 0; i < 3; i++)
    out[i] = f->kind == TRIAD_STAGGERED_PRESSURE_GRADIENT ? f->amplitude * f->direction[i] : 0;
  if (f->kind == TRIAD_STAGGERED_STIRRING) stir(f, t, dt, mean, moved, out, until);
}
