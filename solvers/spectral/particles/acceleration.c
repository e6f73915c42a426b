/* The fluid's acceleration at particles, Du/Dt = du/dt + (u.grad) u: du/dt as the equations have it, of modes, where
 * a stage makes its rates; (u.grad) u at the particle, of gradients that are exact modes too. */
#include "solvers/spectral/particles/acceleration.h"
#include "solvers/spectral/step/evaluate.h"
#include "solvers/spectral/particles/particles_internal.h"
#include "solvers/spectral/particles/particles_gather.h"

#include "solvers/spectral/force/forcing.h"

#include <omp.h>
#include <stdlib.h>

/* -lambda(k) u_k and the rates of the equations. Forces are added when the stage is over. */
void triad_particles_keep(triad_particles *p, const triad_batch *block, int64_t j, int64_t at, const triad_lane_row *n)
{
  if (!p || p->heavy_only) return;
  const triad_flow *flow = p->flow;
  const triad_layout *l = block->layout;
  const int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
  const triad_decay decay = triad_forcing_decay(flow, 0);
  for (int i = 0; i < TRIAD_LANES; i++) {
    const int64_t c = block->block * TRIAD_LANES + i;
    const double rate = triad_decay_rate(&decay, triad_layout_size2(l, c, j));
    for (int f = 0; f < 3; f++) {
      const triad_cplx u = flow->u[f][at + i];
      p->rate[f][at + i] = kz > l->kz_extent[c] ? (triad_cplx){0, 0}
                                                : (triad_cplx){(triad_real)((double)n[f][i].re - rate * (double)u.re),
                                                               (triad_real)((double)n[f][i].im - rate * (double)u.im)};
    }
  }
}

/* The stage's rates are a GPU's, which keeps none: evaluated here, of the state as it is. */
typedef struct evaluation {
  triad_evaluation now; /* first */
  triad_particles *particles;
} evaluation;

static void sink(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const evaluation *e = self;
  const triad_flow *flow = e->now.flow;
  triad_row_work *rows = &e->particles->rates[omp_get_thread_num()];
  for (int64_t j = 0; j < block->layout->nkz; j++) {
    const int64_t at = triad_row_work_find(rows, flow, block, j, triad_shape_left(&flow->shape, e->now.pass), results);
    flow->equations->rates(flow->self, block, j, rows->u, rows->results, rows->rates);
    triad_particles_keep(e->particles, block, j, at, rows->rates);
  }
}

static int evaluate(triad_particles *p)
{
  evaluation e = {.now = {.flow = p->flow, .shift = triad_stepper_shift(p->flow->stepper)}, .particles = p};
  const triad_work own = {.source = triad_evaluation_source, .sink = sink};
  for (int pass = 0; pass < p->flow->shape.n_passes; pass++) TRIAD_TRY(triad_evaluation_run(&e.now, pass, &own));
  return TRIAD_OK;
}

/* Room for three numbers a particle of each group; out[group]. */
static int take_room(const triad_particles *p, double **out)
{
  for (int i = 0; i < p->n; i++) {
    out[i] = malloc((size_t)(3 * p->group[i].n + 1) * sizeof **out);
    if (!out[i]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "gradients at particles");
  }
  return TRIAD_OK;
}

static void give_back(const triad_particles *p, double **out)
{
  for (int i = 0; i < p->n; i++) free(out[i]);
}

/* A += factor[along] * what has been gathered, factor NULL: as it is. */
static void add(const triad_particles *p, double *const *out, int along)
{
  for (int i = 0; i < p->n; i++)
    for (int64_t k = 0; k < p->group[i].n && p->group[i].mass > 0; k++) {
      double *r = triad_group_record(&p->group[i], k), u = along < 0 ? 1 : r[TRIAD_PARTICLE_U + along];
      for (int a = 0; a < 3; a++) r[TRIAD_PARTICLE_A + a] += u * out[i][3 * k + a];
    }
}

int triad_acceleration_begin(triad_particles *p)
{
  double *out[p->n];
  for (int i = 0; i < p->n; i++) out[i] = NULL;
  int st = triad_agree(&p->flow->context->comm, take_room(p, out));
  for (int i = 0; i < p->n; i++)
    for (int64_t k = 0; k < p->group[i].n && p->group[i].mass > 0; k++)
      for (int a = 0; a < 3; a++) triad_group_record(&p->group[i], k)[TRIAD_PARTICLE_A + a] = 0;
  for (int along = 0; along < 3 && st == TRIAD_OK; along++) {
    const triad_gather_want want = triad_gather_fields(3, (const triad_cplx *const *)p->flow->u, along);
    st = triad_particles_gather(p, &want, 0, out);
    if (st == TRIAD_OK) add(p, out, along);
  }
  give_back(p, out);
  return st == TRIAD_OK && p->rates ? evaluate(p) : st;
}

int triad_acceleration_end(triad_particles *p)
{
  double *out[p->n];
  for (int i = 0; i < p->n; i++) out[i] = NULL;
  int st = triad_agree(&p->flow->context->comm, take_room(p, out));
  triad_forcing_add(p->flow->forcing, p->rates_of, 0, 1);
  const triad_gather_want want = triad_gather_fields(3, (const triad_cplx *const *)p->rate, -1);
  if (st == TRIAD_OK) st = triad_particles_gather(p, &want, 0, out);
  if (st == TRIAD_OK) add(p, out, -1);
  give_back(p, out);
  return st;
}
