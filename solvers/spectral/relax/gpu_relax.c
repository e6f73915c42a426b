/* Bodies and sponges at rest, for a state on a GPU. A stage's pass transforms the rows of the fields that they relax
 * once more, since the set's own x pass keeps no values at points. Sums of forces and powers stay on the GPU until the
 * end of a step. */
#include "solvers/spectral/relax/gpu_relax.h"

#include "base/status.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/relax/relax_internal.h"
#include "solvers/spectral/relax/relax_points.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct triad_gpu_relaxation {
  triad_flow *flow;
  triad_relaxation *of;
  triad_device *device;
  const triad_layout *layout; /* of the GPU's fields */
  triad_gpu_visit *visit;     /* the set's x pass, and its numbers */
  const void *law;
  int own_in, own_out;
  triad_gpu_relax_rows rows; /* of a chunk; some members change with it */
  double *number;            /* [n_fields] the host's */
  int is_current;            /* the GPU has these numbers */
  double *sums;              /* [TRIAD_SCHEME_STAGES][n_fields][TRIAD_RELAX_SUMS] the GPU's */
  triad_gpu_force *force;    /* [fields of the flow] */
  void **tables;             /* [n_tables] memory of the GPU, which does not grow with the number of items */
  int n_tables;
};

/* ---- what a GPU supports ---- */

static int depends_on_time(const triad_relax_value *v)
{
  return v->f && v->in_space && triad_formula_uses(v->f, TRIAD_RELAX_TIME);
}

static int is_by_distance(const triad_case *c, const triad_relax_item *p)
{
  char key[TRIAD_RELAX_KEY];
  (void)snprintf(key, sizeof key, "%s.shape", p->table);
  return p->is_body && triad_case_is(c, key, "distance");
}

const char *triad_gpu_relaxation_refusal(const triad_case *c, const triad_grid *grid, const triad_shape *shape)
{
  const char *why = NULL;
  for (int i = 0; !why && i < triad_relaxation_wanted(c); i++) {
    triad_relax_item p;
    int st = triad_relax_item_read(&p, c, grid, shape, i);
    if (st == TRIAD_OK && is_by_distance(c, &p)) st = triad_relax_item_shape(&p, NULL, c, grid);
    if (st != TRIAD_OK) triad_message_clear(); /* creating it reports the error */
    if (p.moves)
      why = p.is_body ? "bodies that move are supported on CPUs only"
                      : "sponges whose rate depends on t are supported on CPUs only";
    for (int f = 0; f < p.n_fields; f++)
      if (depends_on_time(&p.fields[f].target))
        why = "targets of [[bodies]] and [[sponges]] that depend on position and t are supported on CPUs only";
    triad_relax_item_clear(&p, NULL);
  }
  return why;
}

/* ---- made and freed ---- */

enum { TABLES = 7 };

/* A table of the host in memory of the GPU, which is freed at the end. */
static int take(triad_gpu_relaxation *g, int64_t count, size_t size, const void *host, const void **out)
{
  void **at = &g->tables[g->n_tables++];
  TRIAD_TRY(host ? triad_device_table(g->device, "bodies and sponges", count, size, host, at)
                 : triad_device_alloc(g->device, "bodies and sponges", count, size, at));
  *out = *at;
  return TRIAD_OK;
}

static int64_t rows_of(const triad_gpu_relaxation *g) { return g->flow->layout->n_planes * g->flow->layout->n_y; }

/* A target that is a mean is found at each step, one without numbers is the same everywhere. */
static int has_values(const triad_relax_field *f) { return f->target.stored && !f->mean; }

/* Numbers of all items, one after the other in one array of the GPU: a device holds few arrays. */
static int64_t values_of(const triad_relax_item *p)
{
  int64_t n = p->stored;
  for (int f = 0; f < p->n_fields; f++)
    if (has_values(&p->fields[f])) n += p->stored;
  return n;
}

static int put(triad_gpu_relaxation *g, int64_t count, const double *host, double **next, const double **out)
{
  *out = *next;
  *next += count;
  return triad_device_put(g->device, (void *)(uintptr_t)*out, host, count * (int64_t)sizeof *host);
}

static int take_items(triad_gpu_relaxation *g, triad_gpu_relax_item *items, triad_gpu_relax_field *fields)
{
  const triad_relaxation *r = g->of;
  const triad_relax_row *rows;
  double *values;
  int64_t count = 0;
  for (int i = 0; i < r->n; i++) count += values_of(&r->item[i]);
  TRIAD_TRY(take(g, r->n * rows_of(g), sizeof *rows, NULL, (const void **)&rows));
  TRIAD_TRY(take(g, count, sizeof *values, NULL, (const void **)&values));
  for (int i = 0, next = 0; i < r->n; i++) {
    const triad_relax_item *p = &r->item[i];
    items[i] = (triad_gpu_relax_item){.first_field = next, .n_fields = p->n_fields, .rows = rows + i * rows_of(g)};
    TRIAD_TRY(
      triad_device_put(g->device, (void *)(uintptr_t)items[i].rows, p->rows, rows_of(g) * (int64_t)sizeof *p->rows));
    TRIAD_TRY(put(g, p->stored, p->mask, &values, &items[i].mask));
    for (int f = 0; f < p->n_fields; f++, next++) {
      const triad_relax_field *field = &p->fields[f];
      fields[next] = (triad_gpu_relax_field){.result = field->result, .factor = field->factor};
      if (has_values(field)) TRIAD_TRY(put(g, p->stored, field->target.stored, &values, &fields[next].target));
    }
  }
  TRIAD_TRY(take(g, r->n, sizeof *items, items, (const void **)&g->rows.items));
  return take(g, g->rows.n_fields, sizeof *fields, fields, (const void **)&g->rows.fields);
}

static int make(triad_gpu_relaxation *g)
{
  const triad_relaxation *r = g->of;
  const triad_shape *s = &g->flow->shape;
  g->rows = (triad_gpu_relax_rows){.n_items = r->n, .n_results = r->n_results, .nx = g->flow->grid.n[0]};
  for (int i = 0; i < r->n; i++) g->rows.n_fields += r->item[i].n_fields;
  const int n = g->rows.n_fields;
  g->tables = calloc(TABLES, sizeof *g->tables);
  g->number = calloc((size_t)n + 1, sizeof *g->number);
  g->force = calloc((size_t)s->n_fields, sizeof *g->force);
  triad_gpu_relax_item *items = calloc((size_t)r->n, sizeof *items);
  triad_gpu_relax_field *fields = calloc((size_t)n + 1, sizeof *fields);
  int st = g->tables && g->number && g->force && items && fields
             ? TRIAD_OK
             : TRIAD_FAIL(TRIAD_ERR_MEMORY, "bodies and sponges on a GPU");
  if (st == TRIAD_OK) st = take_items(g, items, fields);
  free(items);
  free(fields);
  TRIAD_TRY(st);
  TRIAD_TRY(take(g, n, sizeof *g->number, NULL, (const void **)&g->rows.number));
  TRIAD_TRY(take(g, rows_of(g) * n * TRIAD_RELAX_SUMS, sizeof(double), NULL, (const void **)&g->rows.partial));
  return take(g, (int64_t)TRIAD_SCHEME_STAGES * n * TRIAD_RELAX_SUMS, sizeof(double), NULL, (const void **)&g->sums);
}

int triad_gpu_relaxation_create(triad_gpu_relaxation **out, triad_device *device, triad_flow *flow,
                                const triad_layout *layout)
{
  *out = NULL;
  if (!flow->relaxation) return TRIAD_OK;
  triad_gpu_relaxation *g = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "bodies and sponges on a GPU");
  g->flow = flow;
  g->of = flow->relaxation;
  g->device = device;
  g->layout = layout;
  const int st = make(g);
  if (st != TRIAD_OK) triad_gpu_relaxation_destroy(&g);
  *out = g;
  return st;
}

void triad_gpu_relaxation_destroy(triad_gpu_relaxation **relaxation)
{
  if (!relaxation || !*relaxation) return;
  triad_gpu_relaxation *g = *relaxation;
  for (int i = 0; i < g->n_tables; i++) triad_device_free(g->device, &g->tables[i]);
  free(g->tables);
  free(g->number);
  free(g->force);
  free(g);
  *relaxation = NULL;
}

/* ---- a stage ---- */

/* The means of fields u, which are modes k = 0 of one rank. */
static int find_means(triad_gpu_relaxation *g, triad_cplx *const *u)
{
  const triad_layout *l = g->layout;
  triad_relaxation *r = g->of;
  const int n = g->flow->shape.n_fields;
  for (int f = 0; f < n; f++) r->mean[f] = 0;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int f = 0; f < n && l->kx[c] == 0 && l->ky[c] == 0; f++) {
      triad_cplx mean;
      TRIAD_TRY(triad_device_get(g->device, &mean, u[f] + triad_layout_place(l, c, 0), sizeof mean));
      r->mean[f] = (double)mean.re;
    }
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, r->mean, n, MPI_DOUBLE, MPI_SUM, g->flow->context->comm.mpi));
}

int triad_gpu_relaxation_prepare(triad_gpu_relaxation *g, double t, int stage, triad_cplx *const *u)
{
  if (!g) return TRIAD_OK;
  const triad_relaxation *r = g->of;
  TRIAD_TRY(triad_relaxation_at(g->of, g->flow, t, stage == 0));
  TRIAD_TRY(triad_relax_good(g->of, g->flow));
  if (r->needs_means) TRIAD_TRY(find_means(g, u));
  for (int i = 0, next = 0; i < r->n; i++)
    for (int f = 0; f < r->item[i].n_fields; f++, next++) {
      const triad_relax_field *field = &r->item[i].fields[f];
      const double number = field->mean ? r->mean[field->field] : field->target.now;
      if (number < g->number[next] || number > g->number[next]) g->is_current = 0;
      g->number[next] = number;
    }
  if (g->is_current) return TRIAD_OK;
  g->is_current = 1;
  return triad_device_put(g->device, (void *)(uintptr_t)g->rows.number, g->number,
                          g->rows.n_fields * (int64_t)sizeof *g->number);
}

/* Lines along x of the fields, their terms, the set's own x pass, lines along x of the terms. */
static int visit(const void *law, const triad_gpu_chunk *c)
{
  const triad_gpu_relaxation *g = law;
  const triad_relaxation *r = g->of;
  const int64_t rows = (int64_t)c->count * c->shape->n[1], n = rows * c->shape->n[0], field = rows * c->shape->pitch;
  triad_real *terms = c->rows_in + (g->own_in + g->own_out) * n;
  triad_gpu_relax_rows p = g->rows;
  triad_gpu_chunk own = *c;
  for (int i = 0; i < r->n_results; i++)
    TRIAD_TRY(triad_gpu_x_backward(c->shape, 1, c->in + r->field[i] * field, c->count, c->rows_in + i * n, c->stream));
  p.first = c->first * c->shape->n[1];
  p.rows = rows;
  p.in = c->rows_in;
  p.out = terms;
  TRIAD_TRY(triad_gpu_relax_terms(&p, c->stream));
  own.n_out = g->own_out;
  TRIAD_TRY(g->visit(g->law, &own));
  return triad_gpu_x_forward(c->shape, r->n_results, terms, c->count, c->out + g->own_out * field, c->stream);
}

void triad_gpu_relaxation_join(triad_gpu_relaxation *g, triad_gpu_job *job)
{
  if (!g) return;
  g->visit = job->visit;
  g->law = job->law;
  g->own_in = job->n_in;
  g->own_out = job->n_out;
  job->visit = visit;
  job->law = g;
  job->n_out += g->rows.n_results;
}

int triad_gpu_relaxation_sum(triad_gpu_relaxation *g, int stage)
{
  if (!g) return TRIAD_OK;
  const int n = g->rows.n_fields * TRIAD_RELAX_SUMS;
  return triad_gpu_relax_sum(rows_of(g), n, g->rows.partial, g->sums + stage * n, triad_device_stream(g->device));
}

const triad_gpu_force *triad_gpu_relaxation_force(triad_gpu_relaxation *g, const triad_gpu_force *force)
{
  if (!g) return force;
  const triad_shape *s = &g->flow->shape;
  for (int f = 0; f < s->n_fields;) {
    const triad_field_group group = triad_field_group_at(s->fields, s->n_fields, f);
    for (int k = f; k < f + group.n; k++) {
      g->force[k] = force ? force[k] : (triad_gpu_force){.result = -1};
      g->force[k].vector = k == f && group.solenoidal;
    }
    f += group.n;
  }
  for (int i = 0; i < g->rows.n_results; i++) g->force[g->of->field[i]].result = triad_shape_left(s, 0) + i;
  return g->force;
}

/* ---- a step ---- */

int triad_gpu_relaxation_finish(triad_gpu_relaxation *g, const triad_scheme *scheme, double dt)
{
  if (!g) return TRIAD_OK;
  triad_relaxation *r = g->of;
  const int n = g->rows.n_fields * TRIAD_RELAX_SUMS, all = scheme->n_stages * n;
  double mine[all], sums[all];
  TRIAD_TRY(triad_device_get(g->device, mine, g->sums, all * (int64_t)sizeof *mine));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, sums, all, MPI_DOUBLE, MPI_SUM, g->flow->context->comm.mpi)));
  for (int stage = 0; stage < scheme->n_stages; stage++) {
    const double *from = sums + stage * n;
    for (int i = 0; i < r->n; i++)
      for (int k = 0; k < TRIAD_RELAX_SUMS * r->item[i].n_fields; k++)
        r->now[r->item[i].first_sum + k] = *from++ / (double)triad_grid_points(&g->flow->grid);
    r->now[r->n_sums - 1] = triad_relax_power_of_all(r, g->flow);
    triad_relaxation_stage(r, scheme, stage, dt);
  }
  return TRIAD_OK;
}
