/* Fill the points beyond the boundaries of a block on the CPU, by the rule of each boundary. */
#include "solvers/compressible/points/boundary_points.h"
#include "solvers/compressible/state/internal.h"
#include "solvers/compressible/case/walls.h"

triad_compressible_rule triad_compressible_rule_of(const triad_compressible *w, int axis, int upper)
{
  const triad_compressible_side *side = &w->setup.side[axis][upper];
  triad_compressible_rule r = {.kind = (int)side->kind, .axis = axis, .temperature = (triad_real)side->temperature};
  const double *s = side->state;
  double energy = s[4] / (w->setup.gamma - 1);
  for (int i = 0; i < 3; i++) {
    r.velocity[i] = (triad_real)side->velocity[i];
    r.fixed[1 + i] = (triad_real)(s[0] * s[1 + i]);
    energy += s[0] * s[1 + i] * s[1 + i] / 2;
  }
  r.fixed[0] = (triad_real)s[0];
  r.fixed[4] = (triad_real)energy;
  return r;
}

/* One point beyond the face, `depth` points from the last one inside. */
static void point(const triad_compressible_gas *g, const triad_compressible_rule *r, triad_real *const *u, int64_t last,
                  int64_t inwards, int64_t depth)
{
  int64_t to = last - depth * inwards, from = last + (depth - 1) * inwards;
  triad_real mirror[5], end[5], out[5];
  for (int f = 0; f < 5; f++) {
    mirror[f] = u[f][from];
    end[f] = u[f][last];
  }
  triad_compressible_beyond(g, r, mirror, end, out);
  for (int f = 0; f < 5; f++) u[f][to] = out[f];
}

/* The rule where the layer has values of its own. */
static triad_compressible_rule rule_at(const triad_compressible_rule *r, const triad_compressible_wall_values *at,
                                       int64_t place)
{
  triad_compressible_rule here = *r;
  here.temperature = at->value[0][place];
  for (int i = 0; i < 3; i++)
    if (i != r->axis) here.velocity[i] = at->value[1 + i][place];
  return here;
}

static void face(const triad_compressible *w, triad_real *const *u, int axis, int upper)
{
  const triad_partition *b = &w->blocks;
  const triad_compressible_gas g = w->gas;
  const triad_compressible_rule r = triad_compressible_rule_of(w, axis, upper);
  const triad_compressible_wall_values *at = triad_compressible_walls_side(w->walls, axis, upper);
  int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  int64_t inwards = upper ? -b->stride[axis] : b->stride[axis];
  int64_t last = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
#pragma omp parallel for schedule(static) num_threads(triad_compressible_threads(w, b->volume / b->local[axis]))
  for (int64_t j = -b->halo[a2]; j < b->local[a2] + b->halo[a2]; j++)
    for (int64_t depth = 1; depth <= b->halo[axis]; depth++)
      for (int64_t i = -b->halo[a1]; i < b->local[a1] + b->halo[a1]; i++) {
        triad_compressible_rule here;
        if (at) here = rule_at(&r, at, i + b->halo[a1] + at->na * (j + b->halo[a2]));
        point(&g, at ? &here : &r, u, last + i * b->stride[a1] + j * b->stride[a2], inwards, depth);
      }
}

void triad_compressible_fill(const triad_compressible *w, triad_real *const *u)
{
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (w->setup.n[axis] > 1 && w->setup.side[axis][upper].kind != TRIAD_COMPRESSIBLE_PERIODIC &&
          w->blocks.neighbour[axis][upper] == TRIAD_NO_NEIGHBOUR)
        face(w, u, axis, upper);
}
