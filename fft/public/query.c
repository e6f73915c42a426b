/* Answer queries on a plan of triad.h: owners of modes and planes, phases, memory and version. */
#include "base/version.h"
#include "fft/public/public_internal.h"

_Static_assert((int)TRIAD_PLAN_PHASES == TRIAD_PHASES, "the public phases are base/clock.h's");

const char *triad_plan_version(void) { return triad_version(); }

const triad_plan_share *triad_plan_query(const triad_plan *plan) { return plan ? &plan->share : NULL; }

/* The name of a wavenumber that columns are listed under: -n/2 and n/2 are one mode of the grid. */
static int64_t listed(const triad_grid *g, int axis, int64_t k) { return 2 * k == -g->n[axis] ? -k : k; }

static int rank_of(const triad_layout *l, int64_t column)
{
  int low = 0, high = l->size; /* column_begin[low] <= column < column_begin[high] */
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (l->column_begin[middle] <= column) low = middle;
    else high = middle;
  }
  return low;
}

static int is_self_conjugate(const triad_grid *g, int64_t kx, int64_t ky)
{
  return (kx == 0 || 2 * kx == g->n[0]) && (ky == 0 || 2 * ky == g->n[1] || 2 * ky == -g->n[1]);
}

int triad_plan_find(const triad_plan *plan, int64_t kx, int64_t ky, int64_t kz, triad_plan_mode *where)
{
  if (!plan) return 0;
  const triad_layout *l = plan->layout;
  const triad_grid *g = &l->grid;
  if (!triad_grid_keeps(g, kx, ky, kz)) return 0;
  int conjugate = kx < 0, other = 0;
  if (conjugate) {
    kx = -kx;
    ky = -ky;
    kz = -kz;
  }
  int64_t column = triad_layout_find(l, kx, listed(g, 1, ky), &other);
  if (column < 0) return 0;
  if (other) { /* its conjugate is held instead: (kx, -ky, -kz) */
    conjugate = !conjugate;
    kz = -kz;
  }
  if (!where) return 1;
  int rank = rank_of(l, column);
  int64_t c = column - l->column_begin[rank];
  *where = (triad_plan_mode){.rank = rank,
                             .place = triad_layout_place(l, c, triad_layout_kz_number(l, listed(g, 2, kz))),
                             .conjugate = conjugate,
                             .mirror = -1};
  if (is_self_conjugate(g, kx, ky))
    where->mirror = triad_layout_place(l, c, triad_layout_kz_number(l, listed(g, 2, -kz)));
  return 1;
}

void triad_plan_phases(triad_plan *plan, double seconds[TRIAD_PLAN_PHASES])
{
  triad_phases phases = {{0}};
  if (plan) phases = plan->engine->phases(plan->pass);
  for (int i = 0; i < TRIAD_PLAN_PHASES; i++) seconds[i] = phases.s[i];
}

const char *triad_plan_phase_name(int phase)
{
  return phase >= 0 && phase < TRIAD_PLAN_PHASES ? triad_phase_name[phase] : "";
}

int64_t triad_plan_memory(const triad_plan *plan) { return plan ? triad_memory_held(plan->context->memory) : 0; }
