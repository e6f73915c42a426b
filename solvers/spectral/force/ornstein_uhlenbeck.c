/* A force of a band that is noise with a correlation time (docs/numerics.md section 7): every mode's coefficients n are
 * processes of Ornstein and Uhlenbeck, exact at any step,
 *   n(t + dt) = r n(t) + sqrt(1 - r^2) g,  r = exp(-dt/T),  f = amplitude/sqrt(modes) n
 * (Eswaran and Pope 1988, Comput. Fluids 16, 257). f is constant over a step. All ranks carry all numbers of the band, which
 * are few: no message is needed, and what a checkpoint keeps is whole on any rank. */
#include "base/random.h"
#include "solvers/spectral/force/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MODES = 20000 /* 2 MB of a manifest */ };

/* Is (kx, ky) the column of (-kx, -ky) too? */
static int own_conjugate(const triad_grid *g, int64_t kx, int64_t ky)
{
  return (kx == 0 || 2 * kx == g->n[0]) && (ky == 0 || 2 * llabs(ky) == g->n[1]);
}

/* The modes of the band on any rank, in the order of the columns: of a pair of conjugates one. With `noise` they are noted. */
static int64_t walk(const triad_flow *flow, const double band[2], triad_force_noise *noise)
{
  const triad_layout *l = flow->layout;
  const triad_grid *g = &flow->grid;
  int64_t count = 0;
  double unit = triad_grid_k_min(g), modes = 0;
  for (int64_t r = 0; r < l->n_rows; r++)
    for (int64_t i = 0; i < l->rows[r].count; i++)
      for (int64_t j = 0; j < l->nkz; j++) {
        const int64_t k[3] = {l->rows[r].kx_first + i, l->rows[r].ky, l->kz[j]};
        double w[3], size = 0;
        if (!triad_grid_keeps(g, k[0], k[1], k[2])) continue;
        for (int a = 0; a < 3; a++) w[a] = triad_grid_wavenumber(g, a, k[a]);
        for (int a = 0; a < 3; a++) size += w[a] * w[a];
        size = sqrt(size) / unit;
        if (!(size > 0 && size >= band[0] - 1e-9 && size <= band[1] + 1e-9)) continue;
        if (own_conjugate(g, k[0], k[1]) && k[2] < 0) continue;
        for (int a = 0; noise && a < 3; a++) {
          noise->k[count][a] = (int32_t)k[a];
          noise->w[count][a] = w[a];
        }
        modes += 2;
        count++;
      }
  if (noise) noise->modes = modes;
  return count;
}

/* Which of the numbers is that of a mode held here: both lists are in the order of the columns. */
static int find_numbers(triad_forcing *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  triad_force_noise *n = &p->noise;
  int64_t at = 0;
  for (int64_t m = 0; m < p->count; m++) {
    const int32_t kz = l->kz[p->kz_number[m]];
    const int32_t k[3] = {l->kx[p->column[m]], l->ky[p->column[m]], kz};
    const int turned = l->self[p->column[m]] && kz < 0;
    int64_t tries = 0;
    while (tries < n->count && (n->k[at][0] != k[0] || n->k[at][1] != k[1] || n->k[at][2] != (turned ? -kz : kz))) {
      at = (at + 1) % n->count;
      tries++;
    }
    if (tries == n->count) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a forced mode is not in its band");
    n->sign[m] = turned ? -1 : 1;
    n->number[m] = at;
  }
  return TRIAD_OK;
}

static int create(triad_forcing *p, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  triad_force_noise *n = &p->noise;
  double band[2];
  triad_case_reals(flow->given, "forcing.k_range", band, 2);
  TRIAD_TRY(triad_force_take_band(p, flow));
  n->time = triad_case_real(flow->given, "forcing.correlation_time");
  n->count = walk(flow, band, NULL);
  if (n->count > MOST_MODES)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.k_range: ornstein-uhlenbeck carries numbers of %d modes at most, and the band has "
                                      "%lld: take a narrower one, or kind = \"random\"", MOST_MODES, (long long)n->count);
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", n->count, &n->k));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", n->count, &n->w));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", 2 * p->components * n->count, &n->normal));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", p->count, &n->number));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", p->count, &n->sign));
  (void)walk(flow, band, n);
  return find_numbers(p, flow);
}

void triad_force_noise_free(triad_forcing *p, triad_memory *m)
{
  TRIAD_FREE(m, &p->noise.k);
  TRIAD_FREE(m, &p->noise.w);
  TRIAD_FREE(m, &p->noise.normal);
  TRIAD_FREE(m, &p->noise.number);
  TRIAD_FREE(m, &p->noise.sign);
}

/* n <- keep n + add g, g drawn for a step. */
static void draw(triad_forcing *p, int64_t step, double keep, double add)
{
  triad_force_noise *n = &p->noise;
  const int c = p->components;
  const double size = c == 1 ? add * sqrt(0.5) : add; /* a number's mean square is 2 */
  for (int64_t i = 0; i < n->count; i++) {
    double re[3], im[3], *to = n->normal + 2 * c * i;
    triad_force_draw(p, n->k[i], n->w[i], step, re, im);
    for (int a = 0; a < c; a++) {
      to[2 * a] = keep * to[2 * a] + size * re[a];
      to[2 * a + 1] = keep * to[2 * a + 1] + size * im[a];
    }
  }
}

/* f of the modes held here. The mean square of f follows the power: injected power ~ amplitude^2. */
static void set_force(triad_forcing *p)
{
  const triad_force_noise *n = &p->noise;
  const int c = p->components;
  const double size = p->amplitude * exp(p->control.gain / 2) / sqrt(n->modes);
  for (int64_t m = 0; m < p->count; m++) {
    const double *from = n->normal + 2 * c * n->number[m];
    for (int a = 0; a < c; a++) {
      p->f[6 * m + 2 * a] = size * from[2 * a];
      p->f[6 * m + 2 * a + 1] = n->sign[m] * size * from[2 * a + 1];
    }
  }
}

void triad_force_noise_begin(triad_forcing *p, int64_t step)
{
  for (int64_t i = 0; i < 2 * p->components * p->noise.count; i++) p->noise.normal[i] = 0;
  draw(p, step, 0, 1);
  p->noise.started = 0;
  set_force(p);
}

static void add_work(triad_forcing *p, const triad_flow *flow)
{
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      const double *f = p->f + 6 * m + 2 * c;
      triad_sum_add(&p->noise.work, p->weight[m] * ((double)u->re * f[0] + (double)u->im * f[1]) / 2);
    }
}

static int prepare(triad_forcing *p, const triad_flow *flow)
{
  if (p->noise.started) return TRIAD_OK;
  triad_sum_clear(&p->noise.work);
  add_work(p, flow);
  p->noise.started = 1;
  return TRIAD_OK;
}

/* The mean of its power at both ends of the step; then the numbers of the next. */
static int finish(triad_forcing *p, triad_flow *flow, double dt)
{
  const double r = exp(-dt / p->noise.time);
  add_work(p, flow);
  TRIAD_TRY(triad_sum_all(&flow->context->comm, &p->noise.work, 1, &p->injected));
  p->noise.started = 0;
  draw(p, flow->at.step + 1, r, sqrt(-expm1(-2 * dt / p->noise.time)));
  set_force(p);
  return TRIAD_OK;
}

/* Before the first step: as it is. */
static int power(triad_forcing *p, const triad_flow *flow, double *put)
{
  double sums[TRIAD_FORCE_SUMS];
  *put = p->injected;
  if (!isnan(p->injected)) return TRIAD_OK;
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  *put = sums[TRIAD_FORCE_WORK];
  return TRIAD_OK;
}

/* It is constant over a step, which must be short beside its memory. */
static double longest(const triad_forcing *p, double cfl)
{
  const double rms = p->amplitude * exp(p->control.gain / 2);
  return fmin(p->noise.time / 10, triad_force_longest_pushed(rms, p->spacing, cfl));
}

int triad_force_noise_keep(const triad_forcing *p, triad_notes *notes)
{
  return triad_notes_set_reals(notes, "forcing_noise", 2 * p->components * p->noise.count, p->noise.normal);
}

int triad_force_noise_take(triad_forcing *p, const triad_notes *notes)
{
  if (!triad_notes_reals(notes, "forcing_noise", 2 * p->components * p->noise.count, p->noise.normal)) return 0;
  p->noise.started = 0;
  set_force(p);
  return 1;
}

const triad_force_kind triad_force_noisy = {
  .word = {"ornstein-uhlenbeck", TRIAD_FLUIDS, .about = "random with a correlation time, of a given mean square"},
  .how = TRIAD_FORCE_BAND | TRIAD_FORCE_ACTS | TRIAD_FORCE_FOLLOWS, .create = create, .prepare = prepare,
  .finish = finish, .power = power, .longest = longest};
