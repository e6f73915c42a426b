/* Eddy viscosity of the gas at points. Gradients are differences of order four, as those of the stress. */
#include "solvers/compressible/closure/closure.h"

#include "solvers/closure/models.h"
#include "solvers/compressible/points/viscous_points.h"

#include <math.h>

enum { PIECE = 64 };

static triad_closure_constants constants_of(const triad_compressible_setup *s)
{
  double width[3], used;
  for (int i = 0; i < 3; i++) width[i] = s->n[i] > 1 ? s->length[i] / (double)s->n[i] : 0;
  return triad_closure_constants_of(s->closure, s->closure_constant, s->closure_width, width, &used);
}

/* g[9] and nu_t of n points, the first at place `at`. */
static void find_viscosity(const triad_compressible *w, const triad_closure_constants *c, int64_t at, int64_t n,
                           triad_real g[9][PIECE], triad_real nu[PIECE])
{
  const triad_real *rows[9];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const int64_t step = w->setup.n[b] > 1 ? w->blocks.stride[b] : 0;
      const triad_real *u = w->primitive[a] + at, scale = w->per_spacing[b] / 12;
      triad_real *to = g[3 * a + b];
#pragma omp simd
      for (int64_t i = 0; i < n; i++) to[i] = triad_compressible_d4(u + i, step, scale);
    }
  for (int i = 0; i < 9; i++) rows[i] = g[i];
  w->setup.closure->rows(c, n, rows, nu);
}

int triad_compressible_closure_apply(triad_compressible *w, triad_real *const *u)
{
  const triad_partition *b = &w->blocks;
  const triad_closure_constants c = constants_of(&w->setup);
  const triad_real per = (triad_real)(1 / w->setup.viscosity);
  triad_real *mu = w->primitive[TRIAD_COMPRESSIBLE_MU];
  triad_real *const fields[1] = {mu};
#pragma omp parallel for collapse(2) schedule(static) num_threads(w->context->threads)
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++) {
      triad_real g[9][PIECE], nu[PIECE];
      for (int64_t x = 0; x < b->local[0]; x += PIECE) {
        const int64_t n = b->local[0] - x < PIECE ? b->local[0] - x : PIECE, at = triad_partition_at(b, x, y, z);
        find_viscosity(w, &c, at, n, g, nu);
        for (int64_t i = 0; i < n; i++) mu[at + i] += per * u[0][at + i] * nu[i];
      }
    }
  triad_halo_exchange(w->mu_halo, fields, 1);
  return TRIAD_OK;
}

int triad_compressible_closure_measure(const triad_compressible *w, double out[TRIAD_COMPRESSIBLE_CLOSURE_COLUMNS])
{
  const triad_partition *b = &w->blocks;
  const triad_closure_constants c = constants_of(&w->setup);
  triad_sum sums[2];
  double largest = 0, points = 1;
  for (int s = 0; s < 2; s++) triad_sum_clear(&sums[s]);
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++) {
      triad_real g[9][PIECE], nu[PIECE];
      for (int64_t x = 0; x < b->local[0]; x += PIECE) {
        const int64_t n = b->local[0] - x < PIECE ? b->local[0] - x : PIECE, at = triad_partition_at(b, x, y, z);
        find_viscosity(w, &c, at, n, g, nu);
        for (int64_t i = 0; i < n; i++) {
          triad_real v[9];
          for (int f = 0; f < 9; f++) v[f] = g[f][i];
          const double div = (double)(v[0] + v[4] + v[8]), rate = (double)triad_strain_squared(v) - 2 * div * div / 3;
          triad_sum_add(&sums[0], (double)w->u[0][at + i] * (double)nu[i] * rate);
          triad_sum_add(&sums[1], (double)nu[i]);
          largest = fmax(largest, (double)nu[i]);
        }
      }
    }
  for (int i = 0; i < 3; i++) points *= (double)w->setup.n[i];
  TRIAD_TRY(triad_sum_all(&w->context->comm, sums, 2, out));
  for (int s = 0; s < 2; s++) out[s] /= points;
  return TRIAD_MPI(MPI_Allreduce(&largest, &out[2], 1, MPI_DOUBLE, MPI_MAX, w->context->comm.mpi));
}
