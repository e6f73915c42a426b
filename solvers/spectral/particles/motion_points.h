/* The arithmetic of one particle, on any device: its cell, and a stage of its motion. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_MOTION_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_MOTION_POINTS_H

#include "base/point.h"

/* Numbers that a position has in a box: spacings along an axis, the point below as 0 .. n - 1, the part of a spacing
 * beyond it. */
TRIAD_POINT int64_t triad_particle_cell(double x, double per_spacing, int64_t n, double *part)
{
  const double s = x * per_spacing, below = floor(s);
  int64_t cell = (int64_t)below;
  *part = s - below;
  if (cell >= 0 && cell < n) return cell;
  cell %= n;
  return cell < 0 ? cell + n : cell;
}

/* A component of the velocity j/rho of a superfluid where psi = re + i im has the derivative (re_d, im_d) along an
 * axis: 2 alpha Im(conj(psi) dpsi)/|psi|^2. In the core of a vortex, where |psi|^2 is below `least`, that takes its
 * place: the velocity goes to 0 there as the current does, and nowhere jumps (docs/methods/particles.md). */
TRIAD_POINT double triad_superfluid_velocity(double two_alpha, double least, double re, double im, double re_d,
                                             double im_d)
{
  const double density = re * re + im * im;
  return two_alpha * (re * im_d - im * re_d) / (density > least ? density : least);
}

/* A stage for a group: the scheme's numbers (solvers/schemes.h), and the group's. Plain data. */
typedef struct triad_particle_stage {
  double a, b_dt, d, e_dt;
  int first, inertial;      /* first: the register holds nothing yet */
  double decay, rate, mass; /* exp(-(c' - c) dt/tau), 1/tau, 3/(2 R + 1) */
  double pull[3], turn[3];
  int turns; /* the frame does, by turn/2 a time */
} triad_particle_stage;

/* What a frame that turns by Omega does to a sphere of velocity v in a fluid of velocity u: -2 Omega x (v - mass u),
 * docs/methods/particles.md eq. (71). */
TRIAD_POINT void triad_particle_turn(const triad_particle_stage *s, const double u[3], const double v[3],
                                     double force[3])
{
  double slip[3];
  for (int a = 0; a < 3; a++) slip[a] = v[a] - s->mass * u[a];
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    force[a] = s->turn[c] * slip[b] - s->turn[b] * slip[c];
  }
}

/* One number of a particle and its register: the forms of step/stepper.c with the first and the last stage. */
TRIAD_POINT void triad_particle_update(const triad_particle_stage *s, double decay, double rate, double *x, double *q)
{
  const double was = s->first ? 0 : *q;
  *x = decay * (*x + s->a * was + s->b_dt * rate);
  *q = decay * (s->d * was + s->e_dt * rate);
}

/* Axis a of a particle: u is the fluid's velocity at it, acceleration the fluid's, of those with added mass, turned
 * what comes of a frame that turns; v, vq and rest are inertial ones' alone. rest is the velocity at which drag
 * would balance the forces of the step's first stage: what is integrated is how far v is from it, so that forces
 * that stay are taken exactly, whatever dt/tau (docs/methods/particles.md eq. 72). */
TRIAD_POINT void triad_particle_move(const triad_particle_stage *s, int a, double u, double acceleration, double turned,
                                     double *x, double *xq, double *v, double *vq, double *rest)
{
  triad_particle_update(s, 1, s->inertial ? *v : u, x, xq);
  if (!s->inertial) return;
  double force = u * s->rate + s->pull[a];
  if (s->mass > 0) force += s->mass * acceleration;
  if (s->turns) force += turned;
  if (s->first) *rest = force / s->rate;
  double off = *v - *rest;
  triad_particle_update(s, s->decay, s->first ? 0 : force - *rest * s->rate, &off, vq);
  *v = *rest + off;
}

#endif
