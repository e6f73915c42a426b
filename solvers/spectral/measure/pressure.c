/* Compute the modes of the pressure, p_k = -i k.s_k/k^2, where s is the acceleration before it is made solenoidal. */
#include "solvers/spectral/measure/pressure.h"
#include "solvers/spectral/flow_pass.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/equations/plain/velocity_chains.h"

enum { PRODUCTS = TRIAD_PRESSURE_PRODUCTS, TERMS = TRIAD_PRESSURE_TERMS, MOST = 8 };

typedef struct job {
  const triad_flow *flow;
  int part;
  triad_cplx *out;
} job;

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_flow *flow = ((const job *)self)->flow;
  for (int f = 0; f < flow->equations->stressed; f++) triad_batch_put(block, flow->u[f], in[f]);
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const job *j = self;
  (void)peaks;
  j->flow->equations->stress(j->flow->self, j->part, at->n, in, out);
}

/* -i k.s/k^2, where s is the acceleration that the pressure makes solenoidal. */
static triad_cplx of_acceleration(const triad_flow *flow, const triad_real k[3], const triad_cplx *u,
                                  const triad_cplx *t)
{
  const triad_real k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2], inverse_k2 = k2 > 0 ? 1 / k2 : 0;
  triad_cplx s[3];
  triad_velocity_advection(k, t, s);
  flow->equations->forces(flow->self, k, inverse_k2, u, s);
  return (triad_cplx){(k[0] * s[0].im + k[1] * s[1].im + k[2] * s[2].im) * inverse_k2,
                      -(k[0] * s[0].re + k[1] * s[1].re + k[2] * s[2].re) * inverse_k2};
}

/* The first part sets the pressure, the second subtracts the part omitted from the diagonal. */
static void sink(void *self, const triad_batch *block, triad_cplx *const *terms)
{
  const job *w = self;
  const triad_flow *flow = w->flow;
  const triad_layout *l = block->layout;
  const int n = flow->shape.n_fields, parts = w->part == 0 ? TERMS : 1;
  for (int64_t j = 0; j < l->nkz; j++) {
    const int64_t at = (block->block * l->nkz + j) * TRIAD_LANES;
    triad_cplx *row[TERMS] = {NULL};
    for (int r = 0; r < parts; r++) row[r] = triad_batch_row(block, terms[r], j);
    for (int i = 0; i < TRIAD_LANES; i++) {
      const int64_t c = block->block * TRIAD_LANES + i;
      const triad_real k[3] = {(triad_real)l->wx[c], (triad_real)l->wy[c], (triad_real)l->wz[j]};
      const int mean = k[0] * k[0] + k[1] * k[1] + k[2] * k[2] <= 0;
      triad_cplx u[MOST], t[TERMS];
      for (int f = 0; f < n && f < MOST; f++) u[f] = flow->u[f][at + i];
      for (int r = 0; r < parts; r++) t[r] = row[r][i];
      if (w->part == 0) row[0][i] = of_acceleration(flow, k, u, t);
      else
        row[0][i] = mean ? (triad_cplx){0, 0} : (triad_cplx){w->out[at + i].re - t[0].re, w->out[at + i].im - t[0].im};
    }
  }
  triad_batch_keep(block, terms[0], w->out);
}

int triad_pressure(triad_flow *flow, triad_cplx *out)
{
  triad_pass *pass;
  job j = {.flow = flow, .out = out};
  triad_work work = {
    .n_in = flow->equations->stressed, .any_order = 1, .source = source, .points = points, .sink = sink, .self = &j};
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_HOST));
  TRIAD_TRY(triad_flow_borrow(flow, work.n_in, PRODUCTS, &pass));
  int st = TRIAD_OK;
  for (j.part = 0; j.part < 2 && st == TRIAD_OK; j.part++) {
    work.n_out = j.part == 0 ? PRODUCTS : 1;
    work.chains = j.part == 0 ? triad_velocity_chains(0) : (triad_chains){0};
    st = triad_pass_run(pass, &work);
  }
  triad_flow_return(flow, &pass);
  return st;
}
