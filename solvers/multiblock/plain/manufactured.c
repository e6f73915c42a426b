/* Manufactured solutions, sums of sines and cosines. Their source terms are computed by automatic differentiation:
 * values carry their first and second derivatives (jets) through the expressions of the equations. */
#include "solvers/multiblock/plain/manufactured.h"
#include "solvers/multiblock/plain/exact.h"

#include "base/precision.h"

#include <math.h>

/* A value, its gradient, its second derivatives. */
typedef struct jet {
  double v, d[3], h[3][3];
} jet;

/* A term c f(a pi x_i) or, with j >= 0, c f(a pi x_i x_j); cosine, else sine. */
typedef struct term {
  double c, a;
  int i, j, cosine;
} term;

enum { TERMS = 4 };
typedef struct solution {
  double base[5];
  term term[5][TERMS]; /* those of c = 0 are none */
} solution;

static const solution supersonic = {{1, 800, 800, 0, 1e5},
                                    {{{.15, 1, 0, -1, 0}, {-.1, .5, 1, -1, 1}},
                                     {{50, 1.5, 0, -1, 0}, {-30, .6, 1, -1, 1}},
                                     {{-75, .5, 0, -1, 1}, {40, 2. / 3, 1, -1, 0}},
                                     {{.c = 0}},
                                     {{.2e5, 2, 0, -1, 1}, {.5e5, 1, 1, -1, 0}}}};

static const solution laminar = {{1, 70, 90, 0, 1e5},
                                 {{{.1, .75, 0, -1, 0}, {.15, 1, 1, -1, 1}, {.08, 1.25, 0, 1, 1}},
                                  {{4, 5. / 3, 0, -1, 0}, {-12, 1.5, 1, -1, 1}, {7, .6, 0, 1, 1}},
                                  {{-20, 1.5, 0, -1, 1}, {4, 1, 1, -1, 0}, {-11, .9, 0, 1, 1}},
                                  {{.c = 0}},
                                  {{-.3e5, 1, 0, -1, 1}, {.2e5, 1.25, 1, -1, 0}, {-.25e5, .75, 0, 1, 0}}}};

static const solution spatial = {{1, 800, 800, 800, 1e5},
                                 {{{.15, 1, 0, -1, 0}, {-.1, .5, 1, -1, 1}, {.12, .8, 2, -1, 0}},
                                  {{50, 1.5, 0, -1, 0}, {-30, .6, 1, -1, 1}, {20, .7, 2, -1, 1}},
                                  {{-75, .5, 0, -1, 1}, {40, 2. / 3, 1, -1, 0}, {-35, 1.1, 2, -1, 0}},
                                  {{30, .9, 0, -1, 0}, {-45, .7, 1, -1, 1}, {25, 1.2, 2, -1, 1}},
                                  {{.2e5, 2, 0, -1, 1}, {.5e5, 1, 1, -1, 0}, {-.15e5, .9, 2, -1, 1}}}};

/* ---- jets ---- */

static jet add(jet a, jet b, double factor)
{
  a.v += factor * b.v;
  for (int i = 0; i < 3; i++) {
    a.d[i] += factor * b.d[i];
    for (int j = 0; j < 3; j++) a.h[i][j] += factor * b.h[i][j];
  }
  return a;
}

static jet times(jet a, jet b)
{
  jet c = {.v = a.v * b.v};
  for (int i = 0; i < 3; i++) {
    c.d[i] = a.d[i] * b.v + a.v * b.d[i];
    for (int j = 0; j < 3; j++) c.h[i][j] = a.h[i][j] * b.v + a.d[i] * b.d[j] + a.d[j] * b.d[i] + a.v * b.h[i][j];
  }
  return c;
}

/* f(a), by f and its first two derivatives there. */
static jet through(jet a, double f, double f1, double f2)
{
  jet c = {.v = f};
  for (int i = 0; i < 3; i++) {
    c.d[i] = f1 * a.d[i];
    for (int j = 0; j < 3; j++) c.h[i][j] = f1 * a.h[i][j] + f2 * a.d[i] * a.d[j];
  }
  return c;
}

static jet constant(double v) { return (jet){.v = v}; }

static jet coordinate(const double x[3], int i)
{
  jet c = {.v = x[i]};
  c.d[i] = 1;
  return c;
}

static jet field_of(const solution *s, int f, const double x[3])
{
  jet sum = constant(s->base[f]);
  for (int k = 0; k < TERMS; k++) {
    const term *t = &s->term[f][k];
    if (fabs(t->c) <= 0) continue;
    jet phase = coordinate(x, t->i), zero = constant(0);
    if (t->j >= 0) phase = times(phase, coordinate(x, t->j));
    phase = add(zero, phase, t->a * TRIAD_PI);
    double sine = sin(phase.v), cosine = cos(phase.v);
    jet wave = t->cosine ? through(phase, cosine, -sine, -cosine) : through(phase, sine, cosine, -sine);
    sum = add(sum, wave, t->c);
  }
  return sum;
}

static void values(const solution *s, const double x[3], double q[5])
{
  for (int f = 0; f < 5; f++) q[f] = field_of(s, f, x).v;
}

/* ---- sources ---- */

/* div of what is carried and pressed. */
static void inviscid(double gamma, const jet q[5], double s[5])
{
  jet energy = add(constant(0), q[4], gamma / (gamma - 1)), speed2 = constant(0);
  for (int a = 0; a < 3; a++) speed2 = add(speed2, times(q[1 + a], q[1 + a]), 1);
  energy = add(energy, times(q[0], speed2), 0.5); /* with the pressure: rho H */
  for (int m = 0; m < 5; m++) s[m] = 0;
  for (int i = 0; i < 3; i++) {
    jet mass = times(q[0], q[1 + i]);
    s[0] += mass.d[i];
    for (int a = 0; a < 3; a++) s[1 + a] += times(mass, q[1 + a]).d[i] + (a == i ? q[4].d[i] : 0);
    s[4] += times(energy, q[1 + i]).d[i];
  }
}

/* Less div of stress, its work and conduction, of constant viscosity. */
static void viscous(const triad_multiblock_gas *gas, const jet q[5], double s[5])
{
  jet per_rho = through(q[0], 1 / q[0].v, -1 / (q[0].v * q[0].v), 2 / pow(q[0].v, 3));
  jet temperature = times(add(constant(0), q[4], 1 / gas->constant), per_rho);
  double mu = gas->viscosity, k = mu * gas->gamma * gas->constant / (gas->gamma - 1) / gas->prandtl, div = 0;
  for (int i = 0; i < 3; i++) div += q[1 + i].d[i];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) { /* stress i j; its derivative along j */
      double stress = mu * (q[1 + i].d[j] + q[1 + j].d[i] - (i == j ? 2. / 3 * div : 0));
      double grow = mu * (q[1 + i].h[j][j] + q[1 + j].h[i][j]);
      for (int l = 0; l < 3 && i == j; l++) grow -= mu * 2. / 3 * q[1 + l].h[l][j];
      s[1 + i] -= grow;
      s[4] -= stress * q[1 + i].d[j] + grow * q[1 + i].v;
    }
    s[4] -= k * temperature.h[i][i];
  }
}

static void source_of(const solution *s, const triad_multiblock_gas *gas, const double x[3], double out[5])
{
  jet q[5];
  for (int f = 0; f < 5; f++) q[f] = field_of(s, f, x);
  inviscid(gas->gamma, q, out);
  if (gas->viscous) viscous(gas, q, out);
}

void triad_multiblock_supersonic(const triad_multiblock_exact *e, const double x[3], double t, double q[5])
{
  (void)e, (void)t;
  values(&supersonic, x, q);
}

void triad_multiblock_laminar(const triad_multiblock_exact *e, const double x[3], double t, double q[5])
{
  (void)e, (void)t;
  values(&laminar, x, q);
}

void triad_multiblock_spatial(const triad_multiblock_exact *e, const double x[3], double t, double q[5])
{
  (void)e, (void)t;
  values(&spatial, x, q);
}

void triad_multiblock_supersonic_source(const triad_multiblock_exact *e, const double x[3], double s[5])
{
  source_of(&supersonic, &e->gas, x, s);
}

void triad_multiblock_laminar_source(const triad_multiblock_exact *e, const double x[3], double s[5])
{
  source_of(&laminar, &e->gas, x, s);
}

void triad_multiblock_spatial_source(const triad_multiblock_exact *e, const double x[3], double s[5])
{
  source_of(&spatial, &e->gas, x, s);
}
