/* The right-hand side once more, as the books write it and in the plainest way: every interface by itself, weights
 * divided by their sum, eigenvectors as 5 x 5 matrices, gradients of all points first and then the divergence of the
 * stress. Periodic cubes on one rank; slow. */
#ifndef TRIAD_TESTS_UNIT_WENO_REFERENCE_H
#define TRIAD_TESTS_UNIT_WENO_REFERENCE_H

#include "solvers/compressible/case/setup.h"

#include <math.h>
#include <stdlib.h>

enum { REF_MOST = 16 }; /* points along an axis */
typedef double ref_field[REF_MOST][REF_MOST][REF_MOST];

typedef struct ref_flow {
  int n;
  double h, gamma, prandtl, viscosity, power, delta;
  triad_compressible_weights weights;
  triad_compressible_variables variables;
  ref_field u[5], rate[5];
} ref_flow;

static inline double *ref_at(ref_flow *f, ref_field *q, int v, const int at[3])
{
  int i[3];
  for (int a = 0; a < 3; a++) i[a] = (at[a] % f->n + f->n) % f->n;
  return &q[v][i[2]][i[1]][i[0]];
}

/* WENO5 at the interface above c (Jiang and Shu 1996, eq. 2.16 and 3.2). */
static inline double ref_weno(triad_compressible_weights kind, double a, double b, double c, double d, double e)
{
  const double share[3] = {0.1, 0.6, 0.3}, eps = 1e-6;
  double q[3] = {a / 3 - 7 * b / 6 + 11 * c / 6, -b / 6 + 5 * c / 6 + d / 3, c / 3 + 5 * d / 6 - e / 6};
  double s[3] = {13.0 / 12 * pow(a - 2 * b + c, 2) + 0.25 * pow(a - 4 * b + 3 * c, 2),
                 13.0 / 12 * pow(b - 2 * c + d, 2) + 0.25 * pow(b - d, 2),
                 13.0 / 12 * pow(c - 2 * d + e, 2) + 0.25 * pow(3 * c - 4 * d + e, 2)};
  double w[3], sum = 0, result = 0;
  for (int k = 0; k < 3; k++) {
    if (kind == TRIAD_WENO_Z) w[k] = share[k] * (1 + pow(fabs(s[2] - s[0]) / (s[k] + eps), 2));
    else if (kind == TRIAD_COMPRESSIBLE_LINEAR) w[k] = share[k];
    else w[k] = share[k] / pow(s[k] + eps, 2);
    sum += w[k];
  }
  for (int k = 0; k < 3; k++) w[k] /= sum;
  if (kind == TRIAD_WENO_M) {
    sum = 0;
    for (int k = 0; k < 3; k++) {
      double c0 = share[k], x = w[k];
      w[k] = x * (c0 + c0 * c0 - 3 * c0 * x + x * x) / (c0 * c0 + x * (1 - 2 * c0));
      sum += w[k];
    }
    for (int k = 0; k < 3; k++) w[k] /= sum;
  }
  for (int k = 0; k < 3; k++) result += w[k] * q[k];
  return result;
}

static inline double ref_pressure(const ref_flow *f, const double u[5])
{
  return (f->gamma - 1) * (u[4] - (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]));
}

static inline void ref_flux(const ref_flow *f, int axis, const double u[5], double out[5])
{
  double p = ref_pressure(f, u), v = u[1 + axis] / u[0];
  for (int k = 0; k < 5; k++) out[k] = v * u[k];
  out[1 + axis] += p;
  out[4] += v * p;
}

/* Eigenvalues and right eigenvectors (columns) of dF/dU at Roe's average, x normal to the face; left ones by
 * inverting with Gauss and Jordan. The strengths' scale is that of docs/methods/compressible.md eq. (34). */
static inline void ref_eigen(const ref_flow *f, int axis, const double a[5], const double b[5], double lambda[5],
                             double R[5][5], double L[5][5])
{
  double ra = sqrt(a[0]), rb = sqrt(b[0]), v[3], q2 = 0, H;
  for (int i = 0; i < 3; i++) v[i] = (a[1 + i] / ra + b[1 + i] / rb) / (ra + rb);
  H = ((a[4] + ref_pressure(f, a)) / ra + (b[4] + ref_pressure(f, b)) / rb) / (ra + rb);
  for (int i = 0; i < 3; i++) q2 += v[i] * v[i];
  double c = sqrt((f->gamma - 1) * (H - q2 / 2)), rho = ra * rb, un = v[axis];
  int t1 = (axis + 1) % 3, t2 = (axis + 2) % 3;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) R[i][j] = 0;
  /* 0 entropy, 1 and 2 shear, 3 and 4 sound */
  for (int j = 0; j < 5; j += j == 0 ? 3 : 1) {
    double sound = j == 3 ? -c : j == 4 ? c : 0, size = j == 0 ? 1 : rho / (2 * c) * (j == 3 ? -1 : 1);
    R[0][j] = size;
    for (int i = 0; i < 3; i++) R[1 + i][j] = size * (v[i] + (i == axis ? sound : 0));
    R[4][j] = size * (j == 0 ? q2 / 2 : H + un * sound);
    lambda[j] = un + sound;
  }
  R[1 + t1][1] = rho;
  R[4][1] = rho * v[t1];
  R[1 + t2][2] = rho;
  R[4][2] = rho * v[t2];
  lambda[1] = lambda[2] = un;
  double m[5][10];
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 10; j++) m[i][j] = j < 5 ? R[i][j] : j - 5 == i;
  for (int i = 0; i < 5; i++) {
    int best = i;
    for (int r = i; r < 5; r++)
      if (fabs(m[r][i]) > fabs(m[best][i])) best = r;
    for (int j = 0; j < 10; j++) {
      double keep = m[i][j];
      m[i][j] = m[best][j];
      m[best][j] = keep;
    }
    double pivot = m[i][i];
    for (int j = 0; j < 10; j++) m[i][j] /= pivot;
    for (int r = 0; r < 5; r++) {
      double factor = m[r][i];
      for (int j = 0; j < 10 && r != i; j++) m[r][j] -= factor * m[i][j];
    }
  }
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) L[i][j] = m[i][5 + j];
}

/* The flux through the face between s[2] and s[3]. */
static inline void ref_face(const ref_flow *f, int axis, double s[6][5], double F[5])
{
  double g[6][5], lambda[5], R[5][5], L[5][5], ul[5], ur[5], fl[5], fr[5];
  for (int j = 0; j < 6; j++) ref_flux(f, axis, s[j], g[j]);
  ref_eigen(f, axis, s[2], s[3], lambda, R, L);
  double x[6][5], y[6][5];
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < 5; k++) {
      x[j][k] = s[j][k];
      y[j][k] = g[j][k];
      if (f->variables == TRIAD_COMPRESSIBLE_CHARACTERISTIC) {
        x[j][k] = y[j][k] = 0;
        for (int i = 0; i < 5; i++) {
          x[j][k] += L[k][i] * s[j][i];
          y[j][k] += L[k][i] * g[j][i];
        }
      }
    }
  for (int k = 0; k < 5; k++) {
    ul[k] = ref_weno(f->weights, x[0][k], x[1][k], x[2][k], x[3][k], x[4][k]);
    ur[k] = ref_weno(f->weights, x[5][k], x[4][k], x[3][k], x[2][k], x[1][k]);
    fl[k] = ref_weno(f->weights, y[0][k], y[1][k], y[2][k], y[3][k], y[4][k]);
    fr[k] = ref_weno(f->weights, y[5][k], y[4][k], y[3][k], y[2][k], y[1][k]);
  }
  double size[5], wave[5];
  for (int k = 0; k < 5; k++) {
    double l = fabs(lambda[k]);
    size[k] = l < f->delta ? (l * l + f->delta * f->delta) / (2 * f->delta) : l;
    wave[k] = ur[k] - ul[k];
    if (f->variables == TRIAD_COMPRESSIBLE_COMPONENTS) {
      wave[k] = 0;
      for (int i = 0; i < 5; i++) wave[k] += L[k][i] * (ur[i] - ul[i]);
    }
  }
  for (int i = 0; i < 5; i++) {
    F[i] = f->variables == TRIAD_COMPRESSIBLE_COMPONENTS ? (fl[i] + fr[i]) / 2 : 0;
    for (int k = 0; k < 5; k++) {
      F[i] -= R[i][k] * size[k] * wave[k] / 2;
      if (f->variables == TRIAD_COMPRESSIBLE_CHARACTERISTIC) F[i] += R[i][k] * (fl[k] + fr[k]) / 2;
    }
  }
}

static inline void ref_euler(ref_flow *f, int axis, const int at[3])
{
  double face[2][5];
  for (int side = 0; side < 2; side++) {
    double s[6][5];
    for (int j = 0; j < 6; j++) {
      int i[3] = {at[0], at[1], at[2]};
      i[axis] += j - 3 + side;
      for (int k = 0; k < 5; k++) s[j][k] = *ref_at(f, f->u, k, i);
    }
    ref_face(f, axis, s, face[side]);
  }
  for (int k = 0; k < 5; k++) *ref_at(f, f->rate, k, at) -= (face[1][k] - face[0][k]) / f->h;
}

static inline double ref_d4(ref_flow *f, ref_field *q, int v, const int at[3], int axis)
{
  static const double c[5] = {1, -8, 0, 8, -1};
  double sum = 0;
  for (int j = -2; j <= 2; j++) {
    int i[3] = {at[0], at[1], at[2]};
    i[axis] += j;
    sum += c[j + 2] * *ref_at(f, q, v, i);
  }
  return sum / (12 * f->h);
}

#define REF_EACH(f, at) \
  for (int at[3] = {0, 0, 0}; at[2] < (f)->n; \
       at[0]++, at[1] += at[0] == (f)->n, at[0] %= (f)->n, at[2] += at[1] == (f)->n, at[1] %= (f)->n)

static inline void ref_viscous(ref_flow *f)
{
  ref_field *p = calloc(5, sizeof *p), *tau = calloc(12, sizeof *tau); /* u, v, w, T; fluxes [axis][u, v, w, e] */
  REF_EACH(f, at)
  {
    double u[5];
    for (int k = 0; k < 5; k++) u[k] = *ref_at(f, f->u, k, at);
    for (int i = 0; i < 3; i++) *ref_at(f, p, i, at) = u[1 + i] / u[0];
    *ref_at(f, p, 3, at) = f->gamma * ref_pressure(f, u) / u[0];
  }
  REF_EACH(f, at)
  {
    double g[4][3], mu = pow(*ref_at(f, p, 3, at), f->power) * f->viscosity;
    for (int v = 0; v < 4; v++)
      for (int j = 0; j < 3; j++) g[v][j] = ref_d4(f, p, v, at, j);
    double div = g[0][0] + g[1][1] + g[2][2];
    for (int j = 0; j < 3; j++) {
      double work = 0;
      for (int i = 0; i < 3; i++) {
        double t = mu * (g[i][j] + g[j][i] - (i == j ? 2.0 / 3 * div : 0));
        *ref_at(f, tau, 4 * j + i, at) = t;
        work += t * *ref_at(f, p, i, at);
      }
      *ref_at(f, tau, 4 * j + 3, at) = work + mu / ((f->gamma - 1) * f->prandtl) * g[3][j];
    }
  }
  REF_EACH(f, at)
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 4; i++) *ref_at(f, f->rate, 1 + i, at) += ref_d4(f, tau, 4 * j + i, at, j);
  free(p);
  free(tau);
}

/* rate = dU/dt of u. */
static inline void ref_rates(ref_flow *f)
{
  REF_EACH(f, at)
  {
    for (int k = 0; k < 5; k++) *ref_at(f, f->rate, k, at) = 0;
    for (int axis = 0; axis < 3; axis++) ref_euler(f, axis, at);
  }
  if (f->viscosity > 0) ref_viscous(f);
}

#endif
