/* What the nonlinear terms of the magnetohydrodynamic set move: transfers between shells and between flow and field. */
#include "solvers/spectral/equations/mhd.h"

#include "fft/transform.h"
#include "parallel/sum.h"
#include "solvers/spectral/equations/mhd_points.h"

enum { B = TRIAD_MHD_B };

/* The second evaluation hides b: what is left of the stress is advection. */
static const triad_transfer_info list[] = {
    {{"T", "U^2/T", "total energy transfer into the shell, T_u + T_b"},
     {"Pi", "U^2/T", "total energy flux past the shell, minus the sum of T up to it"}, 0, 6, 1},
    {{"T_u", "U^2/T", "into the kinetic energy of the shell, T_advection + T_lorentz"},
     {"Pi_u", "U^2/T", "minus the sum of T_u up to the shell"}, 0, 3, 0},
    {{"T_b", "U^2/T", "into the magnetic energy of the shell; its sum is what the flow gives the field"},
     {"Pi_b", "U^2/T", "minus the sum of T_b up to the shell"}, B, 3, 0},
    {{"T_advection", "U^2/T", "sum over the shell of Re conj(u_k).(-u.grad u)_k"},
     {"Pi_advection", "U^2/T", "minus the sum of T_advection up to the shell"}, 0, 3, 1},
    {{"T_lorentz", "U^2/T", "sum over the shell of Re conj(u_k).((curl b) x B)_k"},
     {"Pi_lorentz", "U^2/T", "minus the sum of T_lorentz up to the shell"}, 0, 3, 0}};

int triad_mhd_shape_transfers(const triad_mhd *m, triad_shape *shape)
{
  double x = (double)m->mean_field[0], y = (double)m->mean_field[1], z = (double)m->mean_field[2];
  shape->n_observed = 1;
  shape->observe.n_in = 6;
  shape->observe.n_out = 3;
  shape->n_parts = 2;
  shape->hidden[1].first = B;
  shape->hidden[1].count = m->hall != 0 ? 6 : 3;
  shape->carrier[0] = x * x + y * y + z * z;
  shape->carrier[1] = (double)m->hall * (double)m->hall;
  return triad_shape_add_transfers(shape, sizeof list / sizeof *list, list);
}

/* Re conj(b).(i k x e), what an electromotive force gives |b|^2/2, added to the transfer of each mode of a row. */
static void magnetic_transfer(const triad_batch *block, int64_t j, const triad_cplx *const *b,
                              const triad_cplx *const *emf, double *transfer)
{
  const triad_layout *l = block->layout;
  const double *wx = l->wx + block->block * TRIAD_LANES, *wy = l->wy + block->block * TRIAD_LANES;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], (triad_real)l->wz[j]};
    const triad_cplx e[3] = {emf[0][i], emf[1][i], emf[2][i]};
    triad_cplx d[3];
    triad_mhd_curl(k, e, d);
    for (int c = 0; c < 3; c++)
      transfer[i] += (double)b[c][i].re * (double)d[c].re + (double)b[c][i].im * (double)d[c].im;
  }
}

void triad_mhd_transfers(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                         const triad_cplx *const *t, triad_lane_reals *d)
{
  const triad_mhd *m = self;
  if (part == 1) {
    triad_velocity_transfer(&m->velocity, block, j, u, t, 1, d[3]);
    for (int i = 0; i < TRIAD_LANES; i++) d[4][i] = -d[3][i];
    return;
  }
  triad_velocity_transfer(&m->velocity, block, j, u, t, 1, d[1]);
  magnetic_transfer(block, j, u + B, t + 5, d[2]);
  for (int i = 0; i < TRIAD_LANES; i++) {
    d[0][i] = d[1][i] + d[2][i];
    d[4][i] = d[1][i];
  }
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

static void production_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                              double *peaks)
{
  const production *p = self;
  const triad_real *u = in[0], *v = in[1], *w = in[2], *bx = in[B], *by = in[B + 1], *bz = in[B + 2];
  const triad_real x = p->equations->mean_field[0], y = p->equations->mean_field[1], z = p->equations->mean_field[2];
  triad_real *ex = out[0], *ey = out[1], *ez = out[2];
  (void)peaks;
#pragma omp simd
  for (int64_t i = 0; i < at->n; i++) {
    ex[i] = v[i] * (bz[i] + z) - w[i] * (by[i] + y);
    ey[i] = w[i] * (bx[i] + x) - u[i] * (bz[i] + z);
    ez[i] = u[i] * (by[i] + y) - v[i] * (bx[i] + x);
  }
}

static void production_sink(void *self, const triad_batch *block, triad_cplx *const *e)
{
  production *p = self;
  const triad_layout *l = block->layout;
  triad_lane_reals share = {0};
  for (int64_t j = 0; j < l->nkz; j++) {
    const triad_cplx *b[3], *t[3];
    triad_lane_reals row = {0};
    int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    for (int i = 0; i < 3; i++) {
      b[i] = p->u[B + i] + (block->block * l->nkz + j) * TRIAD_LANES;
      t[i] = triad_batch_row(block, e[i], j);
    }
    magnetic_transfer(block, j, b, t, row);
    for (int i = 0; i < TRIAD_LANES; i++)
      if (kz <= l->kz_extent[block->block * TRIAD_LANES + i]) share[i] += row[i];
  }
#pragma omp critical(triad_production)
  for (int i = 0; i < TRIAD_LANES; i++) triad_sum_add(&p->sum, l->weight[block->block * TRIAD_LANES + i] * share[i]);
}

int triad_mhd_observe(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed)
{
  const triad_mhd *m = self;
  production p = {.equations = m, .u = u};
  triad_work work = {.n_in = 6, .n_out = 3, .any_order = 1, .source = production_source, .points = production_points,
                     .sink = production_sink, .self = &p};
  triad_sum_clear(&p.sum);
  TRIAD_TRY(triad_pass_run(pass, &work));
  return triad_sum_all(m->comm, &p.sum, 1, observed);
}
