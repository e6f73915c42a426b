/* Sum modes along the axis across a slice in fixed-point integers, which gives the same bits on any ranks. */
#include "solvers/spectral/plain/slice_image.h"
#include "solvers/spectral/measure/slice_sums.h"
#include "base/precision.h"

#include <math.h>
#include <string.h>

int triad_slice_scales(const triad_flow *flow, double *scale)
{
  const triad_layout *l = flow->layout;
  int n = flow->shape.n_fields + (flow->pressure != NULL), threads = flow->context->threads;
  double most[n];
  int64_t bad[n];
  memset(most, 0, sizeof most);
  memset(bad, 0, sizeof bad);
#pragma omp parallel num_threads(threads) reduction(max : most[:n]) reduction(+ : bad[:n])
  for (int f = 0; f < n; f++) {
    const triad_cplx *u = triad_flow_modes(flow, f);
    double top = 0;
    int64_t wrong = 0;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < l->modes; i++) {
      double re = fabs((double)u[i].re), im = fabs((double)u[i].im), larger = re > im ? re : im;
      if (!(re + im <= 1e300)) wrong++; /* the sums have no room above, nor for a NaN */
      top = larger > top ? larger : top;
    }
    most[f] = top;
    bad[f] = wrong;
  }
  for (int f = 0; f < n; f++) scale[f] = bad[f] ? INFINITY : most[f];
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, scale, n, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi));
}

/* What a walk over this rank's modes needs. */
typedef struct walk {
  const triad_layout *l;
  const triad_slice_plane *plane;
  const triad_cplx *u;
  const double *phases; /* [2 (k + K)]: cos, sin of k_a c */
  const double *lean;   /* [2 k_x]: cos, sin of -skew k_x c on a plane y = c of leaning modes; NULL: none */
  int derivative;
  double per_unit;
  int64_t *sums;
} walk;

/* A row of a block: its columns at one kz. What is cut off a term in the conversion is less than the unit. */
static void add_row(const walk *w, int64_t block, int64_t j)
{
  const triad_layout *l = w->l;
  const triad_slice_plane *p = w->plane;
  const int64_t axis = p->axis, kz = l->kz[j], first = block * TRIAD_LANES, width = 2 * p->k[1] + 1;
  const triad_cplx *u = w->u + (block * l->nkz + j) * TRIAD_LANES;
  for (int64_t i = 0; i < TRIAD_LANES; i++) {
    int64_t c = first + i, kx = l->kx[c], ky = l->ky[c];
    if (kz > l->kz_extent[c] || -kz > l->kz_extent[c]) continue;
    int64_t along = axis == 0 ? kx : axis == 1 ? ky : kz, up = axis == 2 ? ky : kz, right = axis == 0 ? ky : kx;
    const double *phase = w->phases + 2 * (along + l->grid.kmax[axis]);
    double size = l->weight[c] * w->per_unit, re = (double)u[i].re * size, im = (double)u[i].im * size;
    double real = re * phase[0] - im * phase[1], imaginary = re * phase[1] + im * phase[0];
    if (w->lean) {
      const double a = w->lean[2 * kx], b = w->lean[2 * kx + 1], was = real;
      real = was * a - imaginary * b;
      imaginary = was * b + imaginary * a;
    }
    int64_t *to = w->sums + 2 * ((up + p->k[0]) * width + right + p->k[1]);
    if (w->derivative) {
      double wave = axis == 0 ? l->wx[c] : axis == 1 ? l->wy[c] : l->wz[j];
      to[0] -= (int64_t)(wave * imaginary);
      to[1] += (int64_t)(wave * real);
    } else {
      to[0] += (int64_t)real;
      to[1] += (int64_t)imaginary;
    }
  }
}

/* Of the threads of a region: each has columns of its own where they are apart on the plane, else kz of its own. */
static void add_all(const walk *w)
{
  const triad_layout *l = w->l;
  if (w->plane->axis == 2) {
#pragma omp for schedule(static) nowait
    for (int64_t b = 0; b < l->n_blocks; b++)
      for (int64_t j = 0; j < l->nkz; j++) add_row(w, b, j);
  } else {
#pragma omp for schedule(static) nowait
    for (int64_t j = 0; j < l->nkz; j++)
      for (int64_t b = 0; b < l->n_blocks; b++) add_row(w, b, j);
  }
}

/* The unit of a sum, such that what it may come to fits in 62 bits. */
static double choose_unit(int64_t k, double scale, double steepest)
{
  if (!(scale > 0) || !(steepest > 0)) return 0;
  if (!isfinite(scale)) return NAN;
  /* weight 2, a rotation by the phase, 2 K + 1 terms, and one conjugate pair of columns that meet in an entry */
  double most = 2 * 1.5 * (double)(2 * k + 1) * 2 * scale * steepest;
  int shift = 61 - ilogb(most);
  return ldexp(1, shift > 1020 ? -1020 : -shift);
}

void triad_slice_sums(const triad_flow *flow, const triad_slice_plane *plane, const triad_slice_sources *sources,
                      const double *scale, double *phases, int64_t *sums, double *units)
{
  const triad_grid *g = &flow->grid;
  const double length = g->length[plane->axis];
  const double skew = flow->layout->skew, most_x = 2 * TRIAD_PI * (double)g->kmax[0] / g->length[0];
  int64_t k = g->kmax[plane->axis];
  memset(sums, 0, 2 * (size_t)(plane->size * sources->n) * sizeof *sums);
  for (int64_t m = -k; m <= k; m++) {
    double angle = 2 * TRIAD_PI * fmod((double)m * plane->at / length, 1);
    phases[2 * (m + k)] = cos(angle);
    phases[2 * (m + k) + 1] = sin(angle);
  }
  double lean[2 * g->kmax[0] + 2];
  const int leans = plane->axis == 1 && skew != 0;
  for (int64_t m = 0; leans && m <= g->kmax[0]; m++) {
    const double angle = 2 * TRIAD_PI * fmod(-skew * plane->at * (double)m / g->length[0], 1);
    lean[2 * m] = cos(angle);
    lean[2 * m + 1] = sin(angle);
  }
  const double steepest = (2 * TRIAD_PI) * (double)k / length + (leans ? fabs(skew) * most_x : 0);
  for (int s = 0; s < sources->n; s++)
    units[s] = choose_unit(k, scale[sources->field[s]], sources->derivative[s] ? steepest : 1);
#pragma omp parallel num_threads(flow->context->threads)
  for (int s = 0; s < sources->n; s++) {
    walk w = {flow->layout,
              plane,
              triad_flow_modes(flow, sources->field[s]),
              phases,
              leans ? lean : NULL,
              sources->derivative[s],
              1 / units[s],
              sums + 2 * plane->size * s};
    if (units[s] > 0) add_all(&w); /* the same on every thread */
  }
}
