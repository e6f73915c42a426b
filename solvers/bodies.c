/* Coefficients of forces, and the frequency of the lift by a trigger whose level follows the signal. */
#include "solvers/bodies.h"

#include <math.h>
#include <string.h>

/* Of the state: has there been a row (0 or 1); time and lift of the last one; the highest and the lowest lift, which
 * relax towards the lift; has the lift been low since it last rose (0 or 1); how many rows ago it rose; how often it
 * rose; when, the last time first. */
enum { BEGUN, TIME, LIFT, HIGH, LOW, ARMED, SINCE, COUNT, WHEN };

static const double memory = 20;        /* length/speed over which extremes are forgotten */
static const double least_swing = 1e-4; /* of a lift coefficient */
static const double fewest_rows = 4;    /* of a cycle */

double triad_body_speed(const triad_body_reference *r)
{
  return sqrt(r->velocity[0] * r->velocity[0] + r->velocity[1] * r->velocity[1] + r->velocity[2] * r->velocity[2]);
}

double triad_body_head(const triad_body_reference *r)
{
  const double speed = triad_body_speed(r);
  return r->density * speed * speed / 2 * r->area;
}

void triad_body_coefficients(const triad_body_reference *r, const double force[3], double *cl, double *cd)
{
  const double speed = triad_body_speed(r), head = triad_body_head(r), *u = r->velocity;
  const double across = hypot(u[0], u[r->up]);
  *cl = *cd = 0;
  if (!(head > 0)) return;
  for (int a = 0; a < 3; a++) *cd += force[a] * u[a] / (speed * head);
  *cl = (across > 0 ? (force[r->up] * u[0] - force[0] * u[r->up]) / across : force[r->up]) / head;
}

/* About lift x stream, which for a stream in the plane of x and `up` is an axis, whatever its angle. */
double triad_body_moment(const triad_body_reference *r, const double moment[3])
{
  const double speed = triad_body_speed(r), head = triad_body_head(r) * r->length, *u = r->velocity;
  const int b = 3 - r->up;
  if (!(head > 0)) return 0;
  if (hypot(u[0], u[r->up]) > 0) return (r->up == 1 ? -moment[2] : moment[1]) / head;
  return (r->up == 1 ? moment[0] : -moment[0]) * u[b] / (speed * head);
}

/* The lift has risen through the middle. */
static void rise(double *s, double when)
{
  if (s[COUNT] > 0 && s[SINCE] < fewest_rows) s[COUNT] = 0; /* rows are too far apart */
  memmove(s + WHEN + 1, s + WHEN, (TRIAD_STROUHAL_CYCLES - 1) * sizeof *s);
  s[WHEN] = when;
  s[COUNT]++;
  s[ARMED] = s[SINCE] = 0;
}

void triad_strouhal_add(triad_strouhal *strouhal, const triad_body_reference *r, double t, double lift)
{
  double *s = strouhal->state;
  if (!isfinite(lift) || (s[BEGUN] > 0 && t <= s[TIME])) return;
  if (!(s[BEGUN] > 0)) {
    s[BEGUN] = 1;
    s[HIGH] = s[LOW] = lift;
  } else {
    const double kept = exp(-(t - s[TIME]) * triad_body_speed(r) / (memory * r->length));
    s[HIGH] = fmax(lift, lift + (s[HIGH] - lift) * kept);
    s[LOW] = fmin(lift, lift + (s[LOW] - lift) * kept);
    s[SINCE]++;
    const double swing = s[HIGH] - s[LOW], middle = (s[HIGH] + s[LOW]) / 2;
    if (lift < s[LOW] + swing / 4) s[ARMED] = 1;
    if (s[ARMED] > 0 && swing > least_swing && s[LIFT] < middle && lift >= middle)
      rise(s, s[TIME] + (t - s[TIME]) * (middle - s[LIFT]) / (lift - s[LIFT]));
  }
  s[TIME] = t;
  s[LIFT] = lift;
}

double triad_strouhal_number(const triad_strouhal *strouhal, const triad_body_reference *r)
{
  const double *s = strouhal->state, cycles = fmin(s[COUNT], TRIAD_STROUHAL_CYCLES) - 1, speed = triad_body_speed(r);
  if (!(cycles > 0) || !(speed > 0)) return NAN;
  const double period = (s[WHEN] - s[WHEN + (int)cycles]) / cycles;
  return s[TIME] - s[WHEN] > 2 * period ? NAN : r->length / (speed * period);
}

int triad_strouhal_keep(const triad_strouhal *strouhal, const char *name, triad_notes *notes)
{
  if (!(strouhal->state[BEGUN] > 0)) return TRIAD_OK;
  return triad_notes_set_reals(notes, name, TRIAD_STROUHAL_STATE, strouhal->state);
}

void triad_strouhal_take(triad_strouhal *strouhal, const char *name, const triad_notes *notes)
{
  *strouhal = (triad_strouhal){0};
  if (notes && triad_notes_has(notes, name))
    (void)triad_notes_reals(notes, name, TRIAD_STROUHAL_STATE, strouhal->state);
}
