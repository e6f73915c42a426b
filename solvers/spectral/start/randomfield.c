/* Draw random modes of given shell spectra and helicity by counters, so that the field does not depend on ranks or
 * grid. */
#include "solvers/spectral/start/randomfield.h"

#include "base/random.h"
#include "parallel/sum.h"
#include "grid/shells.h"
#include "solvers/noise.h"

#include <math.h>
#include <stdlib.h>

static double wanted(const triad_random_spectrum *p, int64_t shell)
{
  double s = (double)shell, x = s / p->peak;
  if (p->power_law) return s >= p->lowest - 1e-9 && s <= p->highest + 1e-9 ? pow(s, p->slope) : 0;
  return x <= 4 ? x * x * x * x * exp(-2 * x * x) : 0;
}

/* Is the mode kept? What lies beyond the truncation is stored too, and belongs to no shell. */
static int kept(const triad_layout *l, int64_t c, int64_t j) { return llabs(l->kz[j]) <= l->kz_extent[c]; }

/* Visit every mode that is drawn: all held ones without a component at n/2, but of a column that is its own
 * conjugate only kz > 0. */
static int drawn(const triad_layout *l, int64_t c, int64_t j)
{
  return kept(l, c, j) && triad_layout_excites(l, c, j) && (!l->self[c] || l->kz[j] > 0);
}

/* Draws of one mode: a velocity takes 0 and 1, a magnetic field 2 and 3, and scalar n takes FIRST_SCALAR + n. */
enum { DRAW_VELOCITY = 0, DRAW_MAGNETIC = 2, FIRST_SCALAR = 4 };

/* n = 3: a vector perpendicular to k; n = 1: a number. Mean square 1. */
static void draw_one(uint64_t key, const int32_t k[3], const double w[3], int n, uint32_t draw, double helicity,
                     double re[3], double im[3])
{
  if (n == 3) {
    triad_random_vector(key, k, w, draw, helicity, re, im);
    return;
  }
  triad_random_normals(triad_random_bits(key, k[0], k[1], k[2], draw), &re[0], &im[0]);
  re[0] *= sqrt(0.5);
  im[0] *= sqrt(0.5);
}

static void draw_modes(const triad_layout *l, const triad_random_spectrum *p, int n, uint32_t draw,
                       triad_cplx *const *u)
{
  uint64_t key = triad_random_key(p->seed, TRIAD_STREAM_INITIAL);
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (!drawn(l, c, j)) continue;
      double w[3], re[3], im[3];
      triad_layout_size(l, c, j, w);
      int64_t at = triad_layout_place(l, c, j), shell = triad_shell(&l->grid, w);
      if (shell == 0 || wanted(p, shell) <= 0) continue;
      const int32_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
      draw_one(key, k, w, n, draw, p->helicity, re, im);
      for (int i = 0; i < n; i++) u[i][at] = (triad_cplx){(triad_real)re[i], (triad_real)im[i]};
      if (l->self[c]) {
        int64_t mirror = triad_layout_place(l, c, triad_layout_kz_number(l, -l->kz[j]));
        for (int i = 0; i < n; i++) u[i][mirror] = (triad_cplx){(triad_real)re[i], (triad_real)-im[i]};
      }
    }
}

/* [shell] sum of weight Re conj(a).b / 2. Collective. */
static int shell_sums(triad_context *context, const triad_layout *l, int n, triad_cplx *const *a, triad_cplx *const *b,
                      double *result)
{
  int64_t shells = triad_shell_count(&l->grid);
  triad_sum *sums = NULL;
  int st = triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "shell sums", shells, &sums));
  if (st != TRIAD_OK) return st;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (!kept(l, c, j)) continue;
      double w[3], e = 0;
      triad_layout_size(l, c, j, w);
      int64_t at = triad_layout_place(l, c, j);
      for (int i = 0; i < n; i++)
        e += (double)a[i][at].re * (double)b[i][at].re + (double)a[i][at].im * (double)b[i][at].im;
      triad_sum_add(&sums[triad_shell(&l->grid, w)], l->weight[c] * e / 2);
    }
  int count = 0;
  st = triad_narrow(shells, &count);
  if (st == TRIAD_OK) st = triad_sum_all(&context->comm, sums, count, result);
  TRIAD_FREE(context->memory, &sums);
  return triad_agree(&context->comm, st);
}

/* b <- along[shell] a + own[shell] b; a may be NULL. */
static void mix_shells(const triad_layout *l, int n, const double *along, triad_cplx *const *a, const double *own,
                       triad_cplx *const *b)
{
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      if (!kept(l, c, j)) continue;
      double w[3];
      triad_layout_size(l, c, j, w);
      int64_t at = triad_layout_place(l, c, j), s = triad_shell(&l->grid, w);
      triad_real f = (triad_real)own[s], g = a ? (triad_real)along[s] : 0;
      for (int i = 0; i < n; i++) {
        triad_cplx here = {f * b[i][at].re, f * b[i][at].im};
        if (a) here = (triad_cplx){here.re + g * a[i][at].re, here.im + g * a[i][at].im};
        b[i][at] = here;
      }
    }
}

/* Give every shell its share of `total`. room[shell] is for work. Collective. */
static int scale_shells(triad_context *context, const triad_layout *l, const triad_random_spectrum *p, double total,
                        int n, double *room, triad_cplx *const *u)
{
  int64_t shells = triad_shell_count(&l->grid);
  double all = 0;
  TRIAD_TRY(shell_sums(context, l, n, u, u, room));
  for (int64_t s = 1; s < shells; s++)
    if (room[s] > 0) all += wanted(p, s);
  if (!(all > 0))
    return triad_agree(&context->comm,
                       TRIAD_FAIL(TRIAD_ERR_CASE, "initial.kind = \"random\": no mode of this grid is in the spectrum "
                                                  "of the random field: use a finer grid, or another wavenumber"));
  for (int64_t s = 0; s < shells; s++) room[s] = room[s] > 0 ? sqrt(total * wanted(p, s) / all / room[s]) : 0;
  mix_shells(l, n, NULL, NULL, room, u);
  return TRIAD_OK;
}

static int make_field(triad_context *context, const triad_layout *l, const triad_random_spectrum *p, int n,
                      uint32_t draw, triad_cplx *const *u)
{
  double *room = NULL;
  int st = triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "shell sums", triad_shell_count(&l->grid), &room));
  if (st != TRIAD_OK) return st;
  draw_modes(l, p, n, draw, u);
  st = scale_shells(context, l, p, p->energy, n, room, u);
  TRIAD_FREE(context->memory, &room);
  return st;
}

int triad_random_field(triad_context *context, const triad_layout *l, const triad_random_spectrum *p,
                       triad_cplx *const *u)
{
  return make_field(context, l, p, 3, DRAW_VELOCITY, u);
}

int triad_random_scalar(triad_context *context, const triad_layout *l, const triad_random_spectrum *p, int number,
                        triad_cplx *s)
{
  return make_field(context, l, p, 1, FIRST_SCALAR + (uint32_t)number, &s);
}

/* With u and what is drawn for b of energy 1 and orthogonal in each shell, b = sqrt(E_b) (c u + sqrt(1 - c^2) b). */
static int correlate(triad_context *context, const triad_layout *l, const triad_random_spectrum *of_b, double cross,
                     double *room, double *more, triad_cplx *const *u, triad_cplx *const *b)
{
  int64_t shells = triad_shell_count(&l->grid);
  double size = sqrt(of_b->energy), rest = size * sqrt(1 - cross * cross);
  TRIAD_TRY(shell_sums(context, l, 3, u, u, room));
  TRIAD_TRY(shell_sums(context, l, 3, u, b, more));
  for (int64_t s = 0; s < shells; s++) {
    more[s] = room[s] > 0 ? -more[s] / room[s] : 0;
    room[s] = 1;
  }
  mix_shells(l, 3, more, u, room, b);
  TRIAD_TRY(scale_shells(context, l, of_b, 1, 3, room, b));
  for (int64_t s = 0; s < shells; s++) {
    more[s] = size * cross;
    room[s] = rest;
  }
  mix_shells(l, 3, more, u, room, b);
  return TRIAD_OK;
}

int triad_random_pair(triad_context *context, const triad_layout *l, const triad_random_spectrum *of_u,
                      const triad_random_spectrum *of_b, double cross, triad_cplx *const *u, triad_cplx *const *b)
{
  int64_t shells = triad_shell_count(&l->grid);
  double *room = NULL;
  int st = triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "shell sums", 2 * shells, &room));
  if (st != TRIAD_OK) return st;
  draw_modes(l, of_u, 3, DRAW_VELOCITY, u);
  draw_modes(l, of_b, 3, DRAW_MAGNETIC, b);
  st = scale_shells(context, l, of_u, 1, 3, room, u);
  if (st == TRIAD_OK) st = correlate(context, l, of_b, cross, room, room + shells, u, b);
  if (st == TRIAD_OK) st = scale_shells(context, l, of_u, of_u->energy, 3, room, u);
  TRIAD_FREE(context->memory, &room);
  return st;
}
