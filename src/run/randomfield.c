#include "run/randomfield.h"

#include "base/random.h"
#include "parallel/sum.h"
#include "run/shells.h"

#include <math.h>
#include <stdlib.h>

void triad_random_vector(uint64_t key, const int32_t k[3], const double w[3], uint32_t draw, double helicity,
                         double re[3], double im[3])
{
  double across = hypot(w[0], w[1]), length = hypot(across, w[2]);
  /* e1, e2, k/|k| is a right-handed frame; e1 lies in the x-y plane */
  double e1[3] = {1, 0, 0}, e2[3] = {0, copysign(1, w[2]), 0};
  if (across > 0) {
    e1[0] = -w[1] / across;
    e1[1] = w[0] / across;
    e2[0] = -w[0] * w[2] / (across * length);
    e2[1] = -w[1] * w[2] / (across * length);
    e2[2] = across / length;
  }
  double a[4];
  triad_random_normals(triad_random_bits(key, k[0], k[1], k[2], draw), &a[0], &a[1]);
  triad_random_normals(triad_random_bits(key, k[0], k[1], k[2], draw + 1), &a[2], &a[3]);
  double plus = sqrt((1 + helicity) / 2) / 2, minus = sqrt((1 - helicity) / 2) / 2;
  for (int i = 0; i < 3; i++) { /* h+- = (e1 +- i e2)/sqrt 2, and each a has mean square 2 */
    re[i] = plus * (a[0] * e1[i] - a[1] * e2[i]) + minus * (a[2] * e1[i] + a[3] * e2[i]);
    im[i] = plus * (a[1] * e1[i] + a[0] * e2[i]) + minus * (a[3] * e1[i] - a[2] * e2[i]);
  }
}

static double wanted(const triad_random_spectrum *p, int64_t shell)
{
  double s = (double)shell, x = s / p->peak;
  if (p->power_law) return s >= p->lowest - 1e-9 && s <= p->highest + 1e-9 ? pow(s, p->slope) : 0;
  return x <= 4 ? x * x * x * x * exp(-2 * x * x) : 0;
}

/* Visit every mode that is drawn: all held ones, but of a column that is its own conjugate only kz > 0. */
static int drawn(const triad_layout *l, int64_t c, int64_t j)
{
  int64_t kz = l->kz[j];
  if (llabs(kz) > l->kz_extent[c]) return 0;
  return !l->self[c] || kz > 0;
}

static void draw_modes(const triad_layout *l, const triad_random_spectrum *p, triad_cplx *const *u)
{
  uint64_t key = triad_random_key(p->seed, TRIAD_STREAM_INITIAL);
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      double w[3] = {l->wx[c], l->wy[c], l->wz[j]}, re[3], im[3];
      int64_t at = triad_layout_place(l, c, j), shell = triad_shell(&l->grid, w);
      if (!drawn(l, c, j) || shell == 0 || wanted(p, shell) <= 0) continue;
      const int32_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
      triad_random_vector(key, k, w, 0, p->helicity, re, im);
      for (int i = 0; i < 3; i++) u[i][at] = (triad_cplx){(triad_real)re[i], (triad_real)im[i]};
      if (l->self[c]) {
        int64_t mirror = triad_layout_place(l, c, triad_layout_kz_number(l, -l->kz[j]));
        for (int i = 0; i < 3; i++) u[i][mirror] = (triad_cplx){(triad_real)re[i], (triad_real)-im[i]};
      }
    }
}

static double energy_of(const triad_layout *l, int64_t c, int64_t at, triad_cplx *const *u)
{
  double e = 0;
  for (int i = 0; i < 3; i++) e += (double)u[i][at].re * (double)u[i][at].re + (double)u[i][at].im * (double)u[i][at].im;
  return l->weight[c] * e / 2;
}

static int shell_energies(triad_context *context, const triad_layout *l, triad_cplx *const *u, int64_t shells,
                          double *energy)
{
  triad_sum *sums = NULL;
  int st = triad_agree(&context->comm, TRIAD_TAKE(context->memory, "shell sums", shells, &sums));
  if (st != TRIAD_OK) return st;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      double w[3] = {l->wx[c], l->wy[c], l->wz[j]};
      triad_sum_add(&sums[triad_shell(&l->grid, w)], energy_of(l, c, triad_layout_place(l, c, j), u));
    }
  int n = 0;
  st = triad_narrow(shells, &n);
  if (st == TRIAD_OK) st = triad_sum_all(&context->comm, sums, n, energy);
  TRIAD_GIVE(context->memory, &sums);
  return triad_agree(&context->comm, st);
}

static void scale_shells(const triad_layout *l, const double *factor, triad_cplx *const *u)
{
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      double w[3] = {l->wx[c], l->wy[c], l->wz[j]};
      triad_real f = (triad_real)factor[triad_shell(&l->grid, w)];
      int64_t at = triad_layout_place(l, c, j);
      for (int i = 0; i < 3; i++) u[i][at] = (triad_cplx){f * u[i][at].re, f * u[i][at].im};
    }
}

int triad_random_field(triad_context *context, const triad_layout *l, const triad_random_spectrum *p,
                       triad_cplx *const *u)
{
  int64_t shells = triad_shell_count(&l->grid);
  double *energy = NULL, total = 0;
  int st = triad_agree(&context->comm, TRIAD_TAKE(context->memory, "shell sums", shells, &energy));
  if (st != TRIAD_OK) return st;
  draw_modes(l, p, u);
  st = shell_energies(context, l, u, shells, energy);
  for (int64_t s = 1; s < shells; s++)
    if (energy[s] > 0) total += wanted(p, s);
  if (st == TRIAD_OK && !(total > 0))
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "initial: no mode that the grid keeps lies in the random field's spectrum");
  if (st == TRIAD_OK) {
    for (int64_t s = 0; s < shells; s++)
      energy[s] = energy[s] > 0 ? sqrt(p->energy * wanted(p, s) / total / energy[s]) : 0;
    scale_shells(l, energy, u);
  }
  TRIAD_GIVE(context->memory, &energy);
  return triad_agree(&context->comm, st);
}
