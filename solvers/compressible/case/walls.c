/* Evaluate wall temperatures and velocities that are formulas, at the points of this rank's walls and at the time of
 * a stage. */
#include "solvers/compressible/case/walls.h"
#include "solvers/compressible/state/internal.h"

#include <math.h>
#include <stdlib.h>

enum { VALUES = TRIAD_COMPRESSIBLE_WALL_VALUES, ROW = 128, TIME = 3 };

typedef struct side {
  triad_formula *f[VALUES]; /* NULL: the number of the setup */
  triad_compressible_wall_values at;
  int varies; /* in time */
} side;

struct triad_compressible_walls {
  const triad_compressible *w;
  side side[3][2];
};

/* Formulas of this end of an axis: one of temperatures, three of velocities. */
static int take_formulas(side *s, const triad_case *given, int axis, int upper)
{
  const int number = 2 * axis + upper;
  int any = 0;
  for (int v = 0; v < VALUES; v++) {
    TRIAD_TRY(v == 0 ? triad_case_formula(given, triad_compressible_temperature_key, number, &s->f[v])
                     : triad_case_formula(given, triad_compressible_velocity_key, 3 * number + v - 1, &s->f[v]));
    any |= s->f[v] != NULL;
    s->varies |= s->f[v] && triad_formula_uses(s->f[v], TIME);
  }
  s->at.na = any;
  return TRIAD_OK;
}

static int64_t extent(const triad_partition *b, int axis) { return b->local[axis] + 2 * b->halo[axis]; }

static int first_of(int axis) { return axis == 0 ? 1 : 0; }

static int second_of(int axis) { return axis == 2 ? 1 : 2; }

static int make(triad_compressible_walls *walls, const triad_case *given)
{
  const triad_compressible *w = walls->w;
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      side *s = &walls->side[axis][upper];
      TRIAD_TRY(take_formulas(s, given, axis, upper));
      if (s->at.na == 0 || w->setup.n[axis] == 1 || w->blocks.neighbour[axis][upper] != TRIAD_NO_NEIGHBOUR) {
        s->at.na = 0;
        continue;
      }
      s->at.na = extent(&w->blocks, first_of(axis));
      s->at.nb = extent(&w->blocks, second_of(axis));
      for (int v = 0; v < VALUES; v++)
        TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "walls", s->at.na * s->at.nb, &s->at.value[v]));
    }
  return TRIAD_OK;
}

int64_t triad_compressible_walls_bytes(const triad_case *given, const triad_partition *b)
{
  int64_t points = 0;
  for (int axis = 0; axis < 3; axis++) points += 2 * extent(b, first_of(axis)) * extent(b, second_of(axis));
  return triad_compressible_walls_wanted(given) ? points * VALUES * (int64_t)sizeof(triad_real) : 0;
}

int triad_compressible_walls_create(triad_compressible_walls **out, const triad_compressible *w,
                                    const triad_case *given)
{
  *out = NULL;
  if (!triad_compressible_walls_wanted(given)) return TRIAD_OK;
  triad_compressible_walls *walls = *out = calloc(1, sizeof *walls);
  int st = walls ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "walls by formula");
  if (walls) {
    walls->w = w;
    st = make(walls, given);
  }
  st = triad_agree(&w->context->comm, st);
  if (st != TRIAD_OK) triad_compressible_walls_destroy(out);
  return st;
}

void triad_compressible_walls_destroy(triad_compressible_walls **out)
{
  triad_compressible_walls *walls = *out;
  if (!walls) return;
  for (int i = 0; i < 6; i++) {
    side *s = &walls->side[i / 2][i % 2];
    for (int v = VALUES - 1; v >= 0; v--) {
      triad_formula_destroy(&s->f[v]);
      TRIAD_FREE(walls->w->context->memory, &s->at.value[v]);
    }
  }
  free(walls);
  *out = NULL;
}

const triad_compressible_wall_values *triad_compressible_walls_side(const triad_compressible_walls *walls, int axis,
                                                                    int upper)
{
  return walls && walls->side[axis][upper].at.na > 0 ? &walls->side[axis][upper].at : NULL;
}

/* ---- values ---- */

/* Of own point i, or one of the halo: where it lies around a periodic axis; the last one inside, at others. */
static double place_of(const triad_compressible *w, int axis, int64_t i)
{
  const int64_t n = w->setup.n[axis], global = w->blocks.begin[axis] + i;
  if (w->setup.side[axis][0].kind == TRIAD_COMPRESSIBLE_PERIODIC)
    return triad_compressible_position(&w->setup, axis, ((global % n) + n) % n);
  return triad_compressible_position(&w->setup, axis, global < 0 ? 0 : global < n ? global : n - 1);
}

static int complain(int v, const double at[3], double t, double value)
{
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is %g at x = %g, y = %g, z = %g, t = %g%s",
                    v ? triad_compressible_velocity_key : triad_compressible_temperature_key, value, at[0], at[1],
                    at[2], t, v || !isfinite(value) ? "" : ", but a temperature must be positive");
}

/* Value v in row j of a layer. */
static int fill_row(const triad_compressible *w, side *s, int axis, int upper, int v, int64_t j, double t)
{
  const int a = first_of(axis), b = second_of(axis);
  const triad_compressible_side *setup = &w->setup.side[axis][upper];
  const double number = v == 0 ? setup->temperature : setup->velocity[v - 1];
  triad_real *to = s->at.value[v] + s->at.na * j;
  for (int64_t from = 0; from < s->at.na; from += ROW) {
    const int64_t n = s->at.na - from < ROW ? s->at.na - from : ROW;
    double x[4][ROW], out[ROW];
    const double *const variable[] = {x[0], x[1], x[2], x[TIME]};
    for (int64_t i = 0; i < n; i++) {
      x[axis][i] = upper ? w->setup.length[axis] : 0;
      x[a][i] = place_of(w, a, from + i - w->blocks.halo[a]);
      x[b][i] = place_of(w, b, j - w->blocks.halo[b]);
      x[TIME][i] = t;
      out[i] = number;
    }
    if (s->f[v]) triad_formula_rows(s->f[v], n, variable, out);
    for (int64_t i = 0; i < n; i++) {
      const double at[3] = {x[0][i], x[1][i], x[2][i]};
      if (!isfinite(out[i]) || (v == 0 && !(out[i] > 0))) return complain(v, at, t, out[i]);
      to[from + i] = (triad_real)out[i];
    }
  }
  return TRIAD_OK;
}

static int fill(triad_compressible_walls *walls, double t, int first)
{
  for (int i = 0; i < 6; i++) {
    side *s = &walls->side[i / 2][i % 2];
    for (int v = 0; v < VALUES && s->at.na > 0; v++)
      for (int64_t j = 0; j < s->at.nb && (first || (s->f[v] && triad_formula_uses(s->f[v], TIME))); j++)
        TRIAD_TRY(fill_row(walls->w, s, i / 2, i % 2, v, j, t));
  }
  return TRIAD_OK;
}

int triad_compressible_walls_at(triad_compressible_walls *walls, double t, int first)
{
  int varies = first;
  if (!walls) return TRIAD_OK;
  for (int i = 0; i < 6; i++) varies |= walls->side[i / 2][i % 2].varies; /* the same on all ranks */
  return varies ? triad_agree(&walls->w->context->comm, fill(walls, t, first)) : TRIAD_OK;
}
