/* The subgrid stress on a staggered mesh. nu_t of a cell depends on its sizes, so that constants are set cell by
 * cell. Beyond walls and other ends of the box nu_t continues as it is in the last cells. */
#include "solvers/staggered/closure/closure.h"
#include "solvers/staggered/points/volume_points.h"

#include "solvers/closure/models.h"
#include "solvers/staggered/points/closure_points.h"
#include "solvers/staggered/plain/rows.h"

#include <stdlib.h>

struct triad_staggered_closure {
  const triad_closure_model *model;
  double constant, width; /* width: closure.width, 0: of the cells */
  triad_real *nu;         /* [blocks.volume] */
  double rate;
};

int triad_staggered_closure_create(triad_staggered_closure **out, const triad_staggered_mesh *m,
                                   const triad_case *given)
{
  const triad_closure_model *model = triad_closure_model_of(given);
  *out = NULL;
  if (!model) return TRIAD_OK;
  triad_staggered_closure *c = *out = calloc(1, sizeof *c);
  int st = c ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the closure");
  if (c) {
    c->model = model;
    c->constant = triad_case_real(given, model->constant);
    c->width = triad_case_real(given, "closure.width");
    st = TRIAD_ALLOC(m->context->memory, "closure", m->blocks.volume, &c->nu);
  }
  return triad_agree(&m->context->comm, st);
}

void triad_staggered_closure_destroy(triad_staggered_closure **closure, triad_memory *memory)
{
  if (!*closure) return;
  TRIAD_FREE(memory, &(*closure)->nu);
  free(*closure);
  *closure = NULL;
}

double triad_staggered_closure_rate(const triad_staggered_closure *c) { return c ? c->rate : 0; }

typedef struct work {
  const triad_staggered_closure *c;
  const triad_staggered_mesh *m;
  const triad_real *u[3];
  triad_real *const *out;
  double dt;
} work;

/* ---- nu_t in cells ---- */

/* Of a cell with these sizes. */
static triad_closure_constants constants_of(const triad_staggered_closure *c, const triad_staggered_mesh *m,
                                            const double h[3])
{
  double width[3], used;
  for (int i = 0; i < 3; i++) width[i] = m->setup.n[i] > 1 ? h[i] : 0;
  return triad_closure_constants_of(c->model, c->constant, c->width, width, &used);
}

enum { PIECE = 64 };

static void viscosity_row(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  const triad_staggered_mesh *m = w->m;
  const triad_staggered_sizes s = m->sizes;
  const int64_t nx = m->blocks.local[0], first = triad_partition_at(&m->blocks, 0, y, z);
  const int uniform = !(m->setup.stretch[0] > 0);
  triad_real room[9][PIECE];
  const triad_real *g[9];
  for (int i = 0; i < 9; i++) g[i] = room[i];
  double h[3] = {(double)s.h[0][0], (double)s.h[1][y], (double)s.h[2][z]}, squares = 0;
  triad_closure_constants k = constants_of(w->c, m, h);
  for (int i = 1; i < 3; i++)
    if (m->setup.n[i] > 1) squares += 4 / (h[i] * h[i]);
  for (int64_t from = 0; from < nx; from += PIECE) {
    const int64_t n = nx - from < PIECE ? nx - from : PIECE;
    triad_real *nu = w->c->nu + first + from;
    for (int64_t x = 0; x < n; x++) {
      const int64_t c[3] = {from + x, y, z};
      triad_real one[9];
      triad_staggered_nine(&s, w->u, first + from + x, c, one);
      for (int i = 0; i < 9; i++) room[i][x] = one[i];
    }
    if (uniform) w->c->model->rows(&k, n, g, nu);
    for (int64_t x = 0; x < n; x++) {
      h[0] = (double)s.h[0][from + x];
      if (!uniform) {
        const triad_real *const one[9] = {g[0] + x, g[1] + x, g[2] + x, g[3] + x, g[4] + x,
                                          g[5] + x, g[6] + x, g[7] + x, g[8] + x};
        k = constants_of(w->c, m, h);
        w->c->model->rows(&k, 1, one, nu + x);
      }
      const double rate = (double)nu[x] * (squares + (m->setup.n[0] > 1 ? 4 / (h[0] * h[0]) : 0));
      results[0] = isnan(rate) ? results[0] : fmax(results[0], rate); /* the look at the velocity reports it */
    }
  }
}

/* nu_t beyond the ends of the box, edges too: axis by axis, each with the ghosts of those before. */
static void continue_beyond(const triad_staggered_mesh *m, triad_real *nu)
{
  const triad_partition *b = &m->blocks;
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      if (!triad_staggered_ends_at(m, axis, upper)) continue;
      const int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
      const int64_t last = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
      const int64_t beyond = upper ? b->stride[axis] : -b->stride[axis];
      for (int64_t j = -b->halo[a2]; j < b->local[a2] + b->halo[a2]; j++)
        for (int64_t i = -b->halo[a1]; i < b->local[a1] + b->halo[a1]; i++) {
          const int64_t at = last + i * b->stride[a1] + j * b->stride[a2];
          nu[at + beyond] = nu[at];
        }
    }
}

int triad_staggered_closure_look(triad_staggered_closure *c, const triad_staggered_mesh *m, triad_real *const u[3])
{
  if (!c) return TRIAD_OK;
  work w = {.c = c, .m = m, .u = {u[0], u[1], u[2]}};
  triad_real *const fields[1] = {c->nu};
  TRIAD_TRY(triad_staggered_rows(m, viscosity_row, &w, 0, 1, &c->rate));
  triad_halo_exchange(m->velocities, fields, 1);
  continue_beyond(m, c->nu);
  return TRIAD_OK;
}

/* ---- the force at faces ---- */

TRIAD_POINT_INLINE void add_component(const int a, const work *w, int64_t y, int64_t z)
{
  const triad_staggered_sizes s = w->m->sizes;
  const int64_t first = triad_partition_at(&w->m->blocks, 0, y, z), n = w->m->blocks.local[0];
  const triad_real *const u[3] = {w->u[0], w->u[1], w->u[2]}, *nu = w->c->nu, dt = (triad_real)w->dt;
  triad_real *out = w->out[a];
#pragma GCC ivdep
  for (int64_t x = 0; x < n; x++) {
    const int64_t c[3] = {x, y, z}, at = first + x;
    out[at] += dt * triad_staggered_passes(a, &s, at) * triad_staggered_subgrid(a, &s, u, nu, at, c);
  }
}

static void add_row(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  (void)results;
  add_component(0, w, y, z);
  add_component(1, w, y, z);
  add_component(2, w, y, z);
  if (triad_staggered_closes_rows(w->m)) triad_staggered_close_row(w->m, w->out, y, z);
}

int triad_staggered_closure_add(triad_staggered_closure *c, const triad_staggered_mesh *m, int looked, double dt,
                                triad_real *const in[3], triad_real *const out[3])
{
  const double rate = c->rate;
  work w = {.c = c, .m = m, .u = {in[0], in[1], in[2]}, .out = out, .dt = dt};
  if (!looked) TRIAD_TRY(triad_staggered_closure_look(c, m, in));
  c->rate = rate; /* of the state */
  return triad_staggered_rows(m, add_row, &w, 0, 0, NULL);
}

/* ---- columns ---- */

TRIAD_POINT_INLINE double power_of(const int a, const work *w, int64_t at, const int64_t c[3])
{
  const triad_staggered_sizes *s = &w->m->sizes;
  const triad_real *const u[3] = {w->u[0], w->u[1], w->u[2]};
  return triad_staggered_volume(s, a, c) * (double)triad_staggered_passes(a, s, at) * (double)u[a][at] *
         (double)triad_staggered_subgrid(a, s, u, w->c->nu, at, c);
}

static void measure_row(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  const triad_staggered_mesh *m = w->m;
  for (int64_t x = 0; x < m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&m->blocks, x, y, z);
    results[0] -= power_of(0, w, at, c) + power_of(1, w, at, c) + power_of(2, w, at, c);
    results[1] += triad_staggered_volume(&m->sizes, 3, c) * (double)w->c->nu[at];
    results[2] = fmax(results[2], (double)w->c->nu[at]);
  }
}

int triad_staggered_closure_measure(triad_staggered_closure *c, const triad_staggered_mesh *m, triad_real *const u[3],
                                    double results[3])
{
  work w = {.c = c, .m = m, .u = {u[0], u[1], u[2]}};
  TRIAD_TRY(triad_staggered_closure_look(c, m, u));
  return triad_staggered_rows(m, measure_row, &w, 2, 1, results);
}
