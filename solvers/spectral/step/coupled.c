/* Matrices of coupled fields: [mode row][entry][lane], for each block of fields and each time that is kept. */
#include "solvers/spectral/step/coupled.h"

#include "solvers/spectral/equations/stage_points.h"
#include "solvers/spectral/plain/exponential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 32 };

typedef struct table {
  double tau;
  int64_t used; /* when it was last asked for */
  triad_cplx *entry[MOST_BLOCKS];
} table;

struct triad_coupling {
  const triad_flow *flow;
  int n_blocks, here;
  triad_coupled block[MOST_BLOCKS];
  table table[TRIAD_COUPLING_TIMES], *now; /* NULL: the time is 0 */
  int64_t asked;
};

static int take_tables(triad_coupling *c)
{
  const triad_layout *l = c->flow->layout;
  for (int t = 0; t < TRIAD_COUPLING_TIMES; t++) {
    c->table[t].tau = NAN;
    for (int b = 0; b < c->n_blocks; b++) {
      const int64_t n = c->block[b].n;
      TRIAD_TRY(TRIAD_ALLOC(c->flow->context->memory, "linear terms", n * n * l->modes, &c->table[t].entry[b]));
    }
  }
  return TRIAD_OK;
}

int triad_coupling_create(triad_coupling **out, const triad_flow *flow, int here)
{
  const triad_equations *eq = flow->equations;
  triad_coupled block;
  *out = NULL;
  if (!eq->coupled || !eq->coupled(flow->self, 0, &block)) return TRIAD_OK;
  triad_coupling *c = *out = calloc(1, sizeof *c);
  if (!c) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the linear terms");
  c->flow = flow;
  while (c->n_blocks < MOST_BLOCKS && eq->coupled(flow->self, c->n_blocks, &c->block[c->n_blocks])) c->n_blocks++;
  c->here = here;
  const int st = here ? take_tables(c) : TRIAD_OK;
  if (st != TRIAD_OK) triad_coupling_destroy(out);
  return st;
}

void triad_coupling_destroy(triad_coupling **coupling)
{
  triad_coupling *c = *coupling;
  if (!c) return;
  for (int t = 0; t < TRIAD_COUPLING_TIMES; t++)
    for (int b = 0; b < c->n_blocks; b++) TRIAD_FREE(c->flow->context->memory, &c->table[t].entry[b]);
  free(c);
  *coupling = NULL;
}

/* The matrices of one row of modes. */
static void fill_row(const triad_coupling *c, table *t, int64_t block, int64_t j)
{
  const triad_layout *l = c->flow->layout;
  double matrix[2 * TRIAD_EXPONENTIAL * TRIAD_EXPONENTIAL], e[2 * TRIAD_EXPONENTIAL * TRIAD_EXPONENTIAL];
  const int64_t at = (block * l->nkz + j) * TRIAD_LANES;
  const int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
  for (int b = 0; b < c->n_blocks; b++) {
    const int n = c->block[b].n;
    triad_cplx *to = t->entry[b] + at * n * n;
    for (int i = 0; i < TRIAD_LANES; i++) {
      const int64_t column = block * TRIAD_LANES + i;
      double k[3];
      memset(e, 0, sizeof e);
      if (kz <= l->kz_extent[column]) {
        triad_layout_derivative(l, column, j, k);
        c->flow->equations->couple(c->flow->self, b, k, matrix);
        triad_exponential(n, matrix, t->tau, e);
      }
      for (int p = 0; p < n * n; p++)
        to[p * TRIAD_LANES + i] = (triad_cplx){(triad_real)e[2 * p], (triad_real)e[2 * p + 1]};
    }
  }
}

void triad_coupling_set(triad_coupling *c, double tau)
{
  if (!c || !c->here) return;
  table *oldest = &c->table[0];
  c->now = NULL;
  if (!(tau < 0 || tau > 0)) return; /* nothing turns */
  c->asked++;
  for (int t = 0; t < TRIAD_COUPLING_TIMES; t++) {
    if (c->table[t].tau == tau) {
      c->now = &c->table[t];
      c->now->used = c->asked;
      return;
    }
    if (c->table[t].used < oldest->used) oldest = &c->table[t];
  }
  const triad_layout *l = c->flow->layout;
  c->now = oldest;
  c->now->tau = tau;
  c->now->used = c->asked;
#pragma omp parallel for schedule(static) num_threads(c->flow->context->threads)
  for (int64_t block = 0; block < l->n_blocks; block++)
    for (int64_t j = 0; j < l->nkz; j++) fill_row(c, c->now, block, j);
}

void triad_coupling_row(const triad_coupling *c, int64_t at, triad_cplx *const *u)
{
  for (int b = 0; c && c->now && b < c->n_blocks; b++) {
    const triad_coupled *block = &c->block[b];
    const int n = block->n;
    const triad_cplx *e = c->now->entry[b] + at * n * n;
    triad_cplx sum[TRIAD_COUPLED][TRIAD_LANES];
    memset(sum, 0, sizeof sum);
    for (int row = 0; row < n; row++)
      for (int column = 0; column < n; column++, e += TRIAD_LANES) {
        const triad_cplx *from = u[block->field[column]] + at;
#pragma omp simd
        for (int i = 0; i < TRIAD_LANES; i++) triad_stage_couple(e[i], from[i], &sum[row][i]);
      }
    for (int row = 0; row < n; row++) memcpy(u[block->field[row]] + at, sum[row], sizeof sum[row]);
  }
}
