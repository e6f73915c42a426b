#include "run/slice_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925286766559;

triad_slice_plane triad_slice_plane_make(const triad_grid *grid, int axis, double at)
{
  triad_slice_plane p = {.axis = axis, .at = at};
  p.across[0] = axis == 2 ? 1 : 2;
  p.across[1] = axis == 0 ? 1 : 0;
  for (int i = 0; i < 2; i++) p.k[i] = grid->kmax[p.across[i]];
  p.size = (2 * p.k[0] + 1) * (2 * p.k[1] + 1);
  return p;
}

int triad_slice_scales(const triad_flow *flow, double *scale)
{
  const triad_layout *l = flow->layout;
  int n = flow->shape.n_fields, threads = flow->context->threads;
  for (int f = 0; f < n; f++) {
    const triad_cplx *u = flow->u[f];
    double most = 0;
    int64_t bad = 0;
#pragma omp parallel for num_threads(threads) reduction(max : most) reduction(+ : bad) schedule(static)
    for (int64_t i = 0; i < l->modes; i++) {
      double re = fabs((double)u[i].re), im = fabs((double)u[i].im), top = re > im ? re : im;
      if (!(re + im <= 1e300)) bad++; /* the sums have no room above, nor for a NaN */
      most = top > most ? top : most;
    }
    scale[f] = bad ? INFINITY : most;
  }
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, scale, n, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi));
}

/* What a walk over this rank's modes needs. */
typedef struct walk {
  const triad_layout *l;
  const triad_slice_plane *plane;
  const triad_cplx *u;
  const double *phases; /* [2 (k + K)]: cos, sin of k_a c */
  int derivative;
  double per_unit;
  int64_t *sums;
} walk;

static void add_mode(const walk *w, int64_t c, int64_t j)
{
  const triad_layout *l = w->l;
  const triad_slice_plane *p = w->plane;
  const int64_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
  const double wave[3] = {l->wx[c], l->wy[c], l->wz[j]};
  const double *phase = w->phases + 2 * (k[p->axis] + l->grid.kmax[p->axis]);
  triad_cplx u = w->u[triad_layout_place(l, c, j)];
  double size = l->weight[c] * w->per_unit, re = (double)u.re * size, im = (double)u.im * size;
  double real = re * phase[0] - im * phase[1], imaginary = re * phase[1] + im * phase[0];
  int64_t *to = w->sums + 2 * ((k[p->across[0]] + p->k[0]) * (2 * p->k[1] + 1) + k[p->across[1]] + p->k[1]);
  if (w->derivative) {
    to[0] += llrint(-wave[p->axis] * imaginary);
    to[1] += llrint(wave[p->axis] * real);
  } else {
    to[0] += llrint(real);
    to[1] += llrint(imaginary);
  }
}

static int kept(const triad_layout *l, int64_t c, int64_t j)
{
  return l->kz[j] <= l->kz_extent[c] && -l->kz[j] <= l->kz_extent[c];
}

/* A thread has columns of its own where they are apart on the plane, else kz of its own. */
static void add_all(const walk *w, int threads)
{
  const triad_layout *l = w->l;
  if (w->plane->axis == 2) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++)
        if (kept(l, c, j)) add_mode(w, c, j);
  } else {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t j = 0; j < l->nkz; j++)
      for (int64_t c = 0; c < l->n_columns; c++)
        if (kept(l, c, j)) add_mode(w, c, j);
  }
}

void triad_slice_sums(const triad_flow *flow, const triad_slice_plane *plane, int field, int derivative, double scale,
                      double *phases, int64_t *sums, double *unit)
{
  const triad_grid *g = &flow->grid;
  int64_t k = g->kmax[plane->axis];
  double steepest = derivative ? two_pi * (double)k / g->length[plane->axis] : 1;
  memset(sums, 0, 2 * (size_t)plane->size * sizeof *sums);
  *unit = scale > 0 && steepest > 0 ? NAN : 0;
  if (!(scale > 0) || !isfinite(scale) || !(steepest > 0)) return;
  /* weight 2, a rotation by the phase, 2 K + 1 terms, and one conjugate pair of columns that meet in an entry */
  double most = 2 * 1.5 * (double)(2 * k + 1) * 2 * scale * steepest;
  int shift = 61 - ilogb(most);
  if (shift > 1020) shift = 1020;
  *unit = ldexp(1, -shift);
  for (int64_t m = -k; m <= k; m++) {
    double angle = two_pi * fmod((double)m * plane->at / g->length[plane->axis], 1);
    phases[2 * (m + k)] = cos(angle);
    phases[2 * (m + k) + 1] = sin(angle);
  }
  walk w = {flow->layout, plane, flow->u[field], phases, derivative, ldexp(1, shift), sums};
  add_all(&w, flow->context->threads);
}
