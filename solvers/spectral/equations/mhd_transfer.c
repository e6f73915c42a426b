/* Transfers by the nonlinear terms of the magnetohydrodynamic set: between shells, between velocity and magnetic field,
 * and the total from velocity to magnetic field. */
#include "solvers/spectral/equations/mhd.h"

#include "fft/pass/transform.h"
#include "parallel/sum.h"
#include "solvers/spectral/equations/loops.h"

enum { B = TRIAD_MHD_B };

/* The second evaluation sets b and the inputs after it to 0: the remaining stress is advection. */
static const triad_transfer_info list[] = {
  {{"T", "U^2/T", .formula = "total energy transfer into the shell, T_u + T_b"},
   {"Pi", "U^2/T", .formula = "total energy flux past the shell, minus the cumulative sum of T"},
   0,
   6,
   1},
  {{"T_u", "U^2/T", .formula = "transfer into the kinetic energy of the shell, T_advection + T_lorentz"},
   {"Pi_u", "U^2/T", .formula = "minus the cumulative sum of T_u"},
   0,
   3,
   0},
  {{"T_b", "U^2/T",
    .formula = "transfer into the magnetic energy of the shell; its sum is the energy transfer from flow to field"},
   {"Pi_b", "U^2/T", .formula = "minus the cumulative sum of T_b"},
   B,
   3,
   0},
  {{"T_advection", "U^2/T", .formula = "sum over the shell of Re conj(u_k).(-u.grad u)_k"},
   {"Pi_advection", "U^2/T", .formula = "minus the cumulative sum of T_advection"},
   0,
   3,
   1},
  {{"T_lorentz", "U^2/T", .formula = "sum over the shell of Re conj(u_k).((curl b) x B)_k"},
   {"Pi_lorentz", "U^2/T", .formula = "minus the cumulative sum of T_lorentz"},
   0,
   3,
   0}};

int triad_mhd_shape_transfers(const triad_mhd *m, triad_shape *shape)
{
  const triad_mhd_constants *q = &m->constants;
  double x = (double)q->mean_field[0], y = (double)q->mean_field[1], z = (double)q->mean_field[2];
  shape->n_observed = 1;
  shape->observe.n_in = 6;
  shape->observe.n_out = 3;
  shape->n_parts = 2;
  shape->hidden[1].first = B;
  shape->hidden[1].count = triad_mhd_inputs(m) - B;
  shape->carrier[0] = x * x + y * y + z * z;
  shape->carrier[1] = (double)q->hall * (double)q->hall;
  return triad_shape_add_transfers(shape, sizeof list / sizeof *list, list);
}

/* What the flow gives the field: the Hall term gives it nothing, so u x B is enough of the electromotive force. */
typedef struct production {
  const triad_mhd *equations;
  const triad_cplx *const *u;
  triad_sum sum;
} production;

static void production_source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const production *p = self;
  for (int f = 0; f < 6; f++) triad_batch_put(block, p->u[f], in[f]);
}

TRIAD_PRODUCTS_LOOP(emf, triad_mhd_constants, triad_mhd_emf_point, 6, 3)

static void production_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                              double *peaks)
{
  (void)peaks;
  emf(&((const production *)self)->equations->constants, at->n, in, out);
}

static void production_sink(void *self, const triad_batch *block, triad_cplx *const *e)
{
  production *p = self;
  const triad_layout *l = block->layout;
  triad_lane_reals share = {0};
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = (block->block * l->nkz + j) * TRIAD_LANES;
    int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    for (int i = 0; i < TRIAD_LANES; i++) {
      int64_t c = block->block * TRIAD_LANES + i;
      const triad_real k[3] = {(triad_real)l->wx[c], (triad_real)l->wy[c], (triad_real)l->wz[j]};
      triad_cplx b[3], t[3];
      for (int f = 0; f < 3; f++) {
        b[f] = p->u[B + f][at + i];
        t[f] = triad_batch_row(block, e[f], j)[i];
      }
      if (kz <= l->kz_extent[c]) share[i] += triad_mhd_mode_induction(k, b, t);
    }
  }
#pragma omp critical(triad_production)
  for (int i = 0; i < TRIAD_LANES; i++) triad_sum_add(&p->sum, l->weight[block->block * TRIAD_LANES + i] * share[i]);
}

int triad_mhd_observe(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed)
{
  const triad_mhd *m = self;
  production p = {.equations = m, .u = u};
  triad_work work = {.n_in = 6,
                     .n_out = 3,
                     .any_order = 1,
                     .source = production_source,
                     .points = production_points,
                     .sink = production_sink,
                     .self = &p};
  triad_sum_clear(&p.sum);
  TRIAD_TRY(triad_pass_run(pass, &work));
  return triad_sum_all(m->comm, &p.sum, 1, observed);
}
