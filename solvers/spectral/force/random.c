/* The random force that is white in time (docs/methods/forcing.md). */
#include "base/random.h"
#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/forced_modes.h"
#include "solvers/noise.h"

#include <math.h>

static void draw(triad_forcing *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  for (int64_t m = 0; m < p->count; m++) {
    int64_t c = p->column[m], j = p->kz_number[m];
    double re[3], im[3], sign = 1;
    int32_t kz = l->kz[j];
    if (l->self[c] && kz < 0) { /* the conjugate of the mode at -kz */
      kz = -kz;
      sign = -1;
    }
    const int32_t k[3] = {l->kx[c], l->ky[c], kz};
    double w[3];
    triad_layout_size(l, c, j, w);
    w[2] *= sign;
    if (p->components == 3) triad_random_vector(p->key, k, w, (uint32_t)(2 * flow->at.step), p->helicity, re, im);
    else
      triad_random_normals(triad_random_bits(p->key, k[0], k[1], k[2], (uint32_t)(2 * flow->at.step)), &re[0], &im[0]);
    for (int i = 0; i < p->components; i++) {
      p->f[2 * p->components * m + 2 * i] = re[i];
      p->f[2 * p->components * m + 2 * i + 1] = sign * im[i];
    }
  }
}

/* f <- f - u <u.f>/<|u|^2> over the band, so that <u.f> = 0 and what f adds to the energy is of second order. */
static void take_out_field(triad_forcing *p, const triad_flow *flow, double energy, double work)
{
  double share = energy > 0 ? work / (2 * energy) : 0;
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      p->f[2 * p->components * m + 2 * c] -= share * (double)u->re;
      p->f[2 * p->components * m + 2 * c + 1] -= share * (double)u->im;
    }
}

static int kick(triad_forcing *p, triad_flow *flow, double dt)
{
  if (p->power <= 0) return TRIAD_OK;
  double sums[TRIAD_FORCE_SUMS];
  draw(p, flow);
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  take_out_field(p, flow, sums[TRIAD_FORCE_ENERGY], sums[TRIAD_FORCE_WORK]);
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  double square = sums[TRIAD_FORCE_SQUARE], gain = square > 0 ? sqrt(p->power * dt / square) : 0;
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      triad_cplx *to = &flow->u[p->first + c][p->place[m]];
      to->re += (triad_real)(gain * p->f[2 * p->components * m + 2 * c]);
      to->im += (triad_real)(gain * p->f[2 * p->components * m + 2 * c + 1]);
    }
  return TRIAD_OK;
}

const triad_force_kind triad_force_random = {
  .create = triad_force_take_band, .finish = kick, .longest = triad_force_longest_powered};
