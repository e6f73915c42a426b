/* The modes that a force acts on, as this rank holds them. */
#include "solvers/spectral/force/forced_modes.h"
#include "solvers/spectral/force/force_internal.h"

#include <math.h>
#include <stdlib.h>

int triad_force_take(triad_forcing *p, const triad_flow *flow, int64_t room)
{
  triad_memory *m = flow->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->place));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->column));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->kz_number));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->weight));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", p->components * room, &p->lambda));
  return TRIAD_ALLOC(m, "forcing", 2 * p->components * room, &p->f);
}

void triad_force_push(triad_forcing *p, const triad_flow *flow, int64_t c, int64_t j)
{
  const triad_layout *l = flow->layout;
  double k2 = triad_layout_size2(l, c, j);
  p->place[p->count] = triad_layout_place(l, c, j);
  p->column[p->count] = c;
  p->kz_number[p->count] = j;
  p->weight[p->count] = l->weight[c];
  for (int f = 0; f < p->components; f++) {
    const triad_decay decay = flow->equations->decay(flow->self, p->first + f);
    p->lambda[p->components * p->count + f] = triad_decay_rate(&decay, k2);
  }
  p->count++;
}

/* As solvers/noise.c has bands: of kept modes without a component at n/2. */
static int in_band(const triad_layout *l, int64_t c, int64_t j, const double band[2])
{
  double k = sqrt(triad_layout_size2(l, c, j)) / triad_grid_k_min(&l->grid);
  return triad_layout_excites(l, c, j) && k > 0 && k >= band[0] - 1e-9 && k <= band[1] + 1e-9;
}

int triad_force_take_band(triad_forcing *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  double band[2];
  int64_t room = 0;
  triad_case_reals(flow->given, "forcing.k_range", band, 2);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) room += in_band(l, c, j, band);
  TRIAD_TRY(triad_force_take(p, flow, room));
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++)
      if (in_band(l, c, j, band)) triad_force_push(p, flow, c, j);
  return TRIAD_OK;
}

int triad_force_measure(const triad_forcing *p, const triad_flow *flow, double all[TRIAD_FORCE_SUMS])
{
  triad_sum sums[TRIAD_FORCE_SUMS];
  for (int i = 0; i < TRIAD_FORCE_SUMS; i++) triad_sum_clear(&sums[i]);
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->energetic; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      const double *f = p->f + 2 * p->components * m + 2 * c;
      double re = (double)u->re, im = (double)u->im, w = p->weight[m];
      triad_sum_add(&sums[TRIAD_FORCE_ENERGY], w * (re * re + im * im) / 2);
      triad_sum_add(&sums[TRIAD_FORCE_WORK], w * (re * f[0] + im * f[1]));
      triad_sum_add(&sums[TRIAD_FORCE_SQUARE], w * (f[0] * f[0] + f[1] * f[1]) / 2);
    }
  return triad_sum_all(&flow->context->comm, sums, TRIAD_FORCE_SUMS, all);
}

double triad_force_longest_pushed(double acceleration, double spacing, double cfl)
{
  return sqrt(cfl * spacing / fabs(acceleration));
}

double triad_force_longest_powered(const triad_forcing *p, double cfl)
{
  return cbrt(cfl * cfl * p->spacing * p->spacing / (2 * p->power));
}
