/* Compute the factors exp(-lambda tau), and of rotation, as products of tables over columns and kz. */
#include "solvers/spectral/step/factors.h"
#include "solvers/spectral/step/stepper.h"
#include "solvers/spectral/equations/stage_points.h"
#include "solvers/spectral/force/forcing.h"

#include <math.h>
#include <stdlib.h>

/* The decay rates of one field: lambda is the sum of a function of the column and one of kz, except the part in
 * `apart`. */
typedef struct decay_table {
  triad_decay split, apart; /* viscosity and uniform drag; hyperviscosity and large-scale drag */
  int has_apart;
  double *column, *kz; /* [padded columns], [nkz] */
} decay_table;

struct triad_factors {
  const triad_flow *flow;
  double tau;         /* that the tables are for */
  decay_table *field; /* [n_fields] */
  int turns;
  triad_turn turn;
  double *column_cos, *column_sin, *kz_cos, *kz_sin; /* omega splits likewise */
};

static int make_decay(decay_table *d, const triad_flow *flow, int f)
{
  const triad_layout *l = flow->layout;
  triad_decay whole = triad_forcing_decay(flow, f);
  int everywhere = whole.drag_wavenumber <= 0;
  d->split = (triad_decay){.viscosity = whole.viscosity, .drag = (everywhere ? whole.drag : 0) - whole.growth};
  d->apart = whole;
  d->apart.viscosity = d->apart.growth = 0;
  if (everywhere) d->apart.drag = 0;
  d->has_apart = d->apart.hyperviscosity > 0 || d->apart.drag > 0;
  TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "stepper", l->n_blocks * TRIAD_LANES, &d->column));
  return TRIAD_ALLOC(flow->context->memory, "stepper", l->nkz, &d->kz);
}

static int make_turn(triad_factors *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  triad_memory *m = flow->context->memory;
  p->turns = flow->equations->turn != NULL;
  if (!p->turns) return TRIAD_OK;
  p->turn = flow->equations->turn(flow->self);
  TRIAD_TRY(TRIAD_ALLOC(m, "stepper", l->n_blocks * TRIAD_LANES, &p->column_cos));
  TRIAD_TRY(TRIAD_ALLOC(m, "stepper", l->n_blocks * TRIAD_LANES, &p->column_sin));
  TRIAD_TRY(TRIAD_ALLOC(m, "stepper", l->nkz, &p->kz_cos));
  return TRIAD_ALLOC(m, "stepper", l->nkz, &p->kz_sin);
}

int triad_factors_create(triad_factors **out, const triad_flow *flow)
{
  triad_factors *p = *out = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "tables of the linear terms");
  p->flow = flow;
  p->tau = NAN;
  int st = make_turn(p, flow);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(flow->context->memory, "stepper", flow->shape.n_fields, &p->field);
  for (int f = 0; st == TRIAD_OK && f < flow->shape.n_fields; f++) st = make_decay(&p->field[f], flow, f);
  if (st != TRIAD_OK) triad_factors_destroy(out);
  return st;
}

void triad_factors_destroy(triad_factors **factors)
{
  if (!factors || !*factors) return;
  triad_factors *p = *factors;
  triad_memory *m = p->flow->context->memory;
  for (int f = 0; p->field && f < p->flow->shape.n_fields; f++) {
    TRIAD_FREE(m, &p->field[f].column);
    TRIAD_FREE(m, &p->field[f].kz);
  }
  TRIAD_FREE(m, &p->field);
  TRIAD_FREE(m, &p->column_cos);
  TRIAD_FREE(m, &p->column_sin);
  TRIAD_FREE(m, &p->kz_cos);
  TRIAD_FREE(m, &p->kz_sin);
  free(p);
  *factors = NULL;
}

static void set_turn(triad_factors *p)
{
  const triad_layout *l = p->flow->layout;
  for (int64_t c = 0; c < l->n_blocks * TRIAD_LANES; c++) {
    double angle = p->turn.alpha * (l->size_x[c] * l->size_x[c] + l->size_y[c] * l->size_y[c]) * p->tau;
    p->column_cos[c] = cos(angle);
    p->column_sin[c] = sin(angle);
  }
  for (int64_t j = 0; j < l->nkz; j++) {
    double angle = (p->turn.alpha * l->size_z[j] * l->size_z[j] - p->turn.mu) * p->tau;
    p->kz_cos[j] = cos(angle);
    p->kz_sin[j] = sin(angle);
  }
}

/* k_x^2 + k_y^2 of a column, averaged over the time. */
static double mean_square(const triad_layout *l, int64_t c, double skewing)
{
  const double x = l->size_x[c], y = l->size_y[c], end = y - skewing * x;
  return skewing != 0 ? x * x + (y * y + y * end + end * end) / 3 : x * x + y * y;
}

void triad_factors_set(triad_factors *p, double tau, double skewing)
{
  const triad_layout *l = p->flow->layout;
  if (p->tau == tau && skewing == 0) return; /* leaning modes have other tables in every stage */
  p->tau = tau;
  for (int f = 0; f < p->flow->shape.n_fields; f++) {
    decay_table *d = &p->field[f];
    for (int64_t c = 0; c < l->n_blocks * TRIAD_LANES; c++)
      d->column[c] = exp(-tau * d->split.viscosity * mean_square(l, c, skewing));
    for (int64_t j = 0; j < l->nkz; j++)
      d->kz[j] = exp(-tau * (d->split.viscosity * l->size_z[j] * l->size_z[j] + d->split.drag));
  }
  if (p->turns) set_turn(p);
}

void triad_factors_row(const triad_factors *p, int field, int64_t block, int64_t j, triad_real e[TRIAD_LANES])
{
  const decay_table *d = &p->field[field];
  const triad_layout *l = p->flow->layout;
  const double *column = d->column + block * TRIAD_LANES;
  double kz = d->kz[j];
  /* rounded once: a rounding of the factor acts alike in every step */
  if (!d->has_apart) {
    for (int i = 0; i < TRIAD_LANES; i++) e[i] = (triad_real)(column[i] * kz);
    return;
  }
  for (int i = 0; i < TRIAD_LANES; i++) {
    double rate = triad_decay_rate(&d->apart, triad_layout_size2(l, block * TRIAD_LANES + i, j));
    e[i] = (triad_real)(column[i] * kz * exp(-p->tau * rate));
  }
}

void triad_factors_turn(const triad_factors *p, int64_t block, int64_t j, triad_cplx *u0, triad_cplx *u1)
{
  if (!p->turns) return;
  const double *cc = p->column_cos + block * TRIAD_LANES, *cs = p->column_sin + block * TRIAD_LANES;
  double zc = p->kz_cos[j], zs = p->kz_sin[j];
#pragma omp simd
  for (int i = 0; i < TRIAD_LANES; i++) {
    triad_real c = (triad_real)(cc[i] * zc - cs[i] * zs), s = (triad_real)(cs[i] * zc + cc[i] * zs);
    triad_stage_turn(c, s, &u0[i], &u1[i]);
  }
}
