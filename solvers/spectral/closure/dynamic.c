/* The coefficient of the dynamic Smagorinsky model, averaged over the box (Germano, Piomelli, Moin, Cabot 1991, Phys.
 * Fluids A 3, 1760; Lilly 1992, Phys. Fluids A 4, 633). A first pass makes u_i u_j and |S| S_ij at points. A second one
 * sends them back, filtered at half the cut-off, with the filtered velocity and its gradients. */
#include "solvers/spectral/closure/closure_internal.h"

#include "fft/pass/transform.h"
#include "solvers/spectral/equations/velocity.h"

#include <math.h>

enum { BLOCK = 128, G = TRIAD_CLOSURE_GRADIENTS, P = TRIAD_STRESS_PRODUCTS };

typedef struct job {
  const triad_flow *flow;
  triad_closure *closure;
  triad_edge outside; /* of the test filter */
  double means[2];    /* <L:M>, <M:M> */
} job;

static void put_fields(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const job *j = self;
  for (int f = 0; f < 3; f++) triad_batch_put(block, j->flow->u[f], in[f]);
  triad_closure_gradients(block, 3, in, in + 3);
}

/* s[5] = |S| S_ij for xx, xy, yy, xz, yz: S has no trace. */
static void weighted_strain(const triad_real *const *g, int64_t i, triad_real s[P])
{
  triad_real v[9];
  for (int f = 0; f < 9; f++) v[f] = g[f][i];
  const triad_real size = TRIAD_SQRT(triad_strain_squared(v));
  s[0] = size * v[0];
  s[1] = size * (v[1] + v[3]) / 2;
  s[2] = size * v[4];
  s[3] = size * (v[2] + v[6]) / 2;
  s[4] = size * (v[5] + v[7]) / 2;
}

static void multiply(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  triad_real last[BLOCK], t[P];
  const triad_real *g[9];
  (void)self;
  (void)peaks;
  for (int64_t from = 0; from < at->n; from += BLOCK) {
    const int64_t m = at->n - from < BLOCK ? at->n - from : BLOCK;
    triad_closure_nine(in + 3, from, m, last, g);
    for (int64_t i = 0; i < m; i++) {
      const triad_real u[3] = {in[0][from + i], in[1][from + i], in[2][from + i]};
      triad_velocity_point(NULL, 0, u, t);
      for (int r = 0; r < P; r++) out[r][from + i] = t[r];
      weighted_strain(g, i, t);
      for (int r = 0; r < P; r++) out[P + r][from + i] = t[r];
    }
  }
}

static void keep_products(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const job *j = self;
  for (int p = 0; p < TRIAD_DYNAMIC_PRODUCTS; p++) triad_batch_keep(block, results[p], j->closure->products[p]);
}

static void filter(const job *j, const triad_batch *block, triad_cplx *rows)
{
  const triad_layout *l = block->layout;
  for (int64_t z = 0; z < l->nkz; z++) {
    triad_cplx *row = triad_batch_row(block, rows, z);
    for (int i = 0; i < TRIAD_LANES; i++) {
      double k[3];
      triad_layout_size(l, block->block * TRIAD_LANES + i, z, k);
      if (triad_edge_holds(&j->outside, k)) row[i] = (triad_cplx){0, 0};
    }
  }
}

static void put_filtered(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const job *j = self;
  for (int f = 0; f < 3; f++) {
    triad_batch_put(block, j->flow->u[f], in[f]);
    filter(j, block, in[f]);
  }
  triad_closure_gradients(block, 3, in, in + 3);
  for (int p = 0; p < TRIAD_DYNAMIC_PRODUCTS; p++) {
    triad_batch_put(block, j->closure->products[p], in[3 + G + p]);
    filter(j, block, in[3 + G + p]);
  }
}

/* L_ij = hat(u_i u_j) - hat u_i hat u_j, M_ij = 2 Delta^2 (hat(|S| S_ij) - 4 |hat S| hat S_ij). M has no trace, so that
 * of L does not matter: the products have the zz part subtracted from the diagonal. */
static void contract(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const job *j = self;
  const double width = j->closure->width;
  const triad_real scale = (triad_real)(2 * width * width);
  triad_real last[BLOCK], l[P], m[P];
  const triad_real *g[9];
  (void)peaks;
  for (int64_t from = 0; from < at->n; from += BLOCK) {
    const int64_t n = at->n - from < BLOCK ? at->n - from : BLOCK;
    triad_closure_nine(in + 3, from, n, last, g);
    for (int64_t i = 0; i < n; i++) {
      const triad_real u[3] = {in[0][from + i], in[1][from + i], in[2][from + i]};
      triad_velocity_point(NULL, 0, u, l);
      weighted_strain(g, i, m);
      for (int r = 0; r < P; r++) {
        l[r] = in[3 + G + r][from + i] - l[r];
        m[r] = scale * (in[3 + G + P + r][from + i] - 4 * m[r]);
      }
      const triad_real zz = -(m[0] + m[2]);
      out[0][from + i] = l[0] * m[0] + l[2] * m[2] + 2 * (l[1] * m[1] + l[3] * m[3] + l[4] * m[4]);
      out[1][from + i] = m[0] * m[0] + m[2] * m[2] + zz * zz + 2 * (m[1] * m[1] + m[3] * m[3] + m[4] * m[4]);
    }
  }
}

static void take_means(void *self, const triad_batch *block, triad_cplx *const *results)
{
  job *j = self;
  for (int i = 0; i < 2; i++) triad_closure_mean(block, results[i], &j->means[i]);
}

int triad_closure_dynamic(triad_flow *flow, double *coefficient)
{
  const triad_grid *g = &flow->grid;
  job j = {.flow = flow, .closure = flow->closure, .outside.sphere = g->truncation == TRIAD_SPHERE};
  double all[2];
  for (int i = 0; i < 3; i++) {
    const double k = triad_grid_reach(g, i);
    j.outside.per_k[i] = k > 0 ? (1 - 1e-12) * 2 / k : 0;
  }
  const triad_work make = {.n_in = 3 + G,
                           .n_out = TRIAD_DYNAMIC_PRODUCTS,
                           .source = put_fields,
                           .points = multiply,
                           .sink = keep_products,
                           .any_order = 1,
                           .self = &j};
  const triad_work meet = {.n_in = TRIAD_DYNAMIC_INPUTS,
                           .n_out = 2,
                           .source = put_filtered,
                           .points = contract,
                           .sink = take_means,
                           .any_order = 1,
                           .self = &j};
  TRIAD_TRY(triad_pass_run(flow->pass, &make));
  TRIAD_TRY(triad_pass_run(flow->pass, &meet));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(j.means, all, 2, MPI_DOUBLE, MPI_SUM, flow->context->comm.mpi)));
  *coefficient = all[1] > 0 ? all[0] / all[1] : 0;
  return TRIAD_OK;
}
