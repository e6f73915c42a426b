/* The frame of a sheared flow: its skew in time, the end of a step, its notes in checkpoints. */
#include "solvers/spectral/shear/shear_internal.h"

#include "solvers/spectral/equations/velocity_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double triad_shear_rate(const triad_shear *s) { return s ? s->rate : 0; }

static double skew_at(const triad_shear *s, double t) { return s->rate * (t - s->origin) - s->turns * s->period; }

int triad_shear_create(triad_shear **out, triad_flow *flow)
{
  const double rate = triad_shear_of(flow->given);
  *out = NULL;
  if (rate == 0) return TRIAD_OK;
  triad_shear *s = *out = calloc(1, sizeof *s);
  if (!s) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the mean shear");
  s->rate = rate;
  s->period = flow->grid.length[0] / flow->grid.length[1];
  s->power = NAN;
  s->n_energy = flow->shape.n_fields - triad_case_length(flow->given, "equations.scalars");
  s->first_column = triad_shape_column(&flow->shape, TRIAD_SHEAR_FIRST_COLUMN);
  return TRIAD_OK;
}

void triad_shear_destroy(triad_shear **shear)
{
  free(*shear);
  *shear = NULL;
}

/* A leaning mode has |k_y| up to pi/dy + |skew| k_x: the velocity along y crosses 1/dy + |skew|/dx cells per length. */
static int set_skew(triad_flow *flow, double skew)
{
  triad_velocity_constants *c = flow->self; /* every set with a shear begins with these */
  TRIAD_TRY(triad_layout_set_skew(flow->layout, skew));
  if (flow->planes != flow->layout) TRIAD_TRY(triad_layout_set_skew(flow->planes, skew));
  c->per_spacing[1] =
    (triad_real)(1 / triad_grid_spacing(&flow->grid, 1) + fabs(skew) / triad_grid_spacing(&flow->grid, 0));
  return TRIAD_OK;
}

int triad_shear_at(triad_shear *s, triad_flow *flow, double t) { return s ? set_skew(flow, skew_at(s, t)) : TRIAD_OK; }

/* ---- the end of a step ---- */

/* A row of a block of a vector: u -= k (k.u)/k^2. */
static void project_row(const triad_layout *l, int64_t block, int64_t j, triad_cplx *const u[3])
{
  const double *x = l->wx + block * TRIAD_LANES, *y = l->wy + block * TRIAD_LANES, z = l->wz[j];
#pragma omp simd
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)x[i], (triad_real)y[i], (triad_real)z};
    const triad_real k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const triad_cplx given[3] = {u[0][i], u[1][i], u[2][i]};
    triad_cplx left[3];
    triad_velocity_project(k, 1 / (k2 > 0 ? k2 : 1), given, left);
    for (int a = 0; a < 3; a++) u[a][i] = left[a];
  }
}

/* k moves with time, so a Runge-Kutta step leaves a divergence of the order of its error. */
static void project(triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  const triad_shape *shape = &flow->shape;
  for (int f = 0; f < shape->n_fields;) {
    const triad_field_group group = triad_field_group_at(shape->fields, shape->n_fields, f);
    if (group.solenoidal) {
#pragma omp parallel for schedule(static) num_threads(flow->context->threads)
      for (int64_t b = 0; b < l->n_blocks; b++)
        for (int64_t j = 0; j < l->nkz; j++) {
          const int64_t at = (b * l->nkz + j) * TRIAD_LANES;
          triad_cplx *const u[3] = {flow->u[f] + at, flow->u[f + 1] + at, flow->u[f + 2] + at};
          project_row(l, b, j, u);
        }
    }
    f += group.n;
  }
}

static int find_power(triad_shear *s, const triad_flow *flow)
{
  double sums[TRIAD_SHEAR_SUMS];
  TRIAD_TRY(triad_shear_sums(flow, sums));
  s->power = triad_shear_power(s, sums);
  return TRIAD_OK;
}

void triad_shear_forget(triad_shear *s)
{
  if (s) s->power = NAN;
}

int triad_shear_begin(triad_shear *s, triad_flow *flow)
{
  if (!s) return TRIAD_OK;
  TRIAD_TRY(triad_shear_at(s, flow, flow->at.t));
  return isnan(s->power) ? find_power(s, flow) : TRIAD_OK;
}

int triad_shear_end(triad_shear *s, triad_flow *flow, triad_cplx *const *room)
{
  if (!s) return TRIAD_OK;
  const double before = s->power, skew = skew_at(s, flow->at.t), turns = nearbyint(skew / s->period);
  double dropped = 0;
  TRIAD_TRY(set_skew(flow, skew));
  project(flow);
  TRIAD_TRY(find_power(s, flow));
  flow->work += flow->at.dt * (before + s->power) / 2;
  if (turns == 0) return TRIAD_OK;
  TRIAD_TRY(triad_shear_remesh(flow, (int64_t)turns, s->n_energy, room, &dropped));
  s->turns += turns;
  s->dropped += dropped;
  flow->work -= dropped;
  TRIAD_TRY(triad_shear_at(s, flow, flow->at.t));
  return find_power(s, flow);
}

/* ---- notes ---- */

static const char note_skew[] = TRIAD_NOTE_SKEW, note_rate[] = "shear_rate", note_origin[] = "shear_origin",
                  note_turns[] = "shear_turns", note_dropped[] = "shear_dropped";

int triad_shear_keep(const triad_flow *flow, triad_notes *notes)
{
  const triad_shear *s = flow->shear;
  if (!s) return TRIAD_OK;
  TRIAD_TRY(triad_notes_set_real(notes, note_skew, skew_at(s, flow->at.t)));
  TRIAD_TRY(triad_notes_set_real(notes, note_rate, s->rate));
  TRIAD_TRY(triad_notes_set_real(notes, note_origin, s->origin));
  TRIAD_TRY(triad_notes_set_real(notes, note_turns, s->turns));
  return triad_notes_set_real(notes, note_dropped, s->dropped);
}

/* The frame of the notes: bit for bit if it is that of this case at this time, else one with the same skew now. */
static int continue_frame(triad_shear *s, const triad_notes *notes, double t, double skew)
{
  double rate;
  TRIAD_TRY(triad_notes_real(notes, note_rate, &rate));
  TRIAD_TRY(triad_notes_real(notes, note_origin, &s->origin));
  TRIAD_TRY(triad_notes_real(notes, note_turns, &s->turns));
  if (rate == s->rate && skew_at(s, t) == skew) return TRIAD_OK;
  s->origin = t - skew / s->rate;
  s->turns = 0;
  return TRIAD_OK;
}

int triad_shear_restore(triad_flow *flow, const triad_notes *notes, int branch)
{
  triad_shear *s = flow->shear;
  double skew = 0;
  const int leaning = notes && triad_notes_has(notes, note_skew);
  if (leaning) TRIAD_TRY(triad_notes_real(notes, note_skew, &skew));
  if (!s && fabs(skew) > TRIAD_SKEW_OF_ROUNDING)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "the checkpoint is of a sheared flow, whose modes lean (skew %.6g): set equations.shear, or use "
                      "a checkpoint of a time at which equations.shear t Ly/Lx is an integer",
                      skew);
  if (!s) return TRIAD_OK;
  s->origin = flow->at.t;
  s->turns = s->dropped = 0;
  s->power = NAN;
  if (leaning) TRIAD_TRY(continue_frame(s, notes, flow->at.t, skew));
  if (leaning && !branch) TRIAD_TRY(triad_notes_real(notes, note_dropped, &s->dropped));
  return triad_shear_at(s, flow, flow->at.t);
}
