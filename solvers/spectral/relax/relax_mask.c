/* Masks of bodies and rates of sponges, row by row; those that do not depend on time are computed once and stored,
 * without the rows and ends of rows where they are 0. */
#include "solvers/spectral/relax/relax_mask.h"

#include "base/status.h"
#include "solvers/box/files.h"
#include "solvers/spectral/flow_pass.h"
#include "solvers/spectral/start/points.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

void triad_relax_note(triad_relaxation *r, const triad_grid *g, int item, const char *key, double value, int64_t x,
                      int64_t y, int64_t z)
{
  const int64_t order = (((int64_t)item * g->n[2] + z) * g->n[1] + y) * g->n[0] + x, place[3] = {x, y, z};
#pragma omp critical(triad_relax_bad)
  if (!r->bad || order < r->bad_order) {
    r->bad = item + 1;
    r->bad_order = order;
    r->bad_value = value;
    (void)snprintf(r->bad_key, sizeof r->bad_key, "%s", key);
    for (int a = 0; a < 3; a++) r->bad_at[a] = triad_grid_spacing(g, a) * (double)place[a];
  }
}

/* The step of a fringe: 0 for s <= 0, 1 for s >= 1, with all derivatives between (Nordstrom, Nordin and Henningson
 * 1999, SIAM J. Sci. Comput. 20, 1365). */
static double smooth_step(double s)
{
  if (s <= 0.001) return 0;
  return s >= 0.999 ? 1 : 1 / (1 + exp(1 / (s - 1) + 1 / s));
}

/* The window of a layer at a position along its axis. */
static double window(const triad_relax_item *p, double at, double length)
{
  const double s = at - p->from, part = (s - length * floor(s / length)) / p->width;
  if (part >= 1) return 0;
  const double up = p->rise > 0 ? smooth_step(part / p->rise) : 1;
  const double down = p->fall > 0 ? smooth_step((1 - part) / p->fall) : 1;
  return up * down;
}

void triad_relax_value_row(const triad_relax_value *v, const triad_grid *g, double t, int64_t y, int64_t z,
                           int64_t begin, int64_t count, double *spare, double *out)
{
  const int64_t n = g->n[0];
  const double *const variable[4] = {spare, spare + n, spare + 2 * n, spare + 3 * n};
  const double at_y = triad_grid_spacing(g, 1) * (double)y, at_z = triad_grid_spacing(g, 2) * (double)z;
  for (int64_t i = 0; i < count; i++) {
    spare[i] = triad_grid_spacing(g, 0) * (double)(begin + i);
    spare[n + i] = at_y;
    spare[2 * n + i] = at_z;
    spare[3 * n + i] = t;
  }
  triad_formula_rows(v->f, count, variable, out);
}

static void sponge_row(const triad_relax_item *p, const triad_grid *g, double t, int64_t y, int64_t z, double *mask,
                       double *spare)
{
  const int64_t n = g->n[0], place[3] = {0, y, z};
  double here = 1;
  if (p->layer > 0) here = window(p, triad_grid_spacing(g, p->layer) * (double)place[p->layer], g->length[p->layer]);
  if (!(here > 0)) {
    memset(mask, 0, (size_t)n * sizeof *mask);
    return;
  }
  triad_relax_value_row(&p->rate, g, t, y, z, 0, n, spare, mask);
  for (int64_t i = 0; i < n; i++) {
    const double part = p->layer == 0 ? window(p, triad_grid_spacing(g, 0) * (double)i, g->length[0]) : here;
    mask[i] = part > 0 ? mask[i] * part : 0;
  }
}

void triad_relax_mask_row(const triad_relax_item *p, const triad_grid *g, double t, int64_t y, int64_t z, double *mask,
                          double *spare, triad_relax_row *row)
{
  const int64_t n = g->n[0];
  int64_t first = 0, last = n;
  *row = (triad_relax_row){0, 0, 0};
  if (p->is_body) {
    if (!triad_shape_solid_row(p->solid, g, t, p->displacement, y, z, p->band, spare, mask)) return;
    for (int64_t i = 0; i < n; i++) mask[i] = mask[i] >= p->band ? 0 : 0.5 * (1 - tanh(2 * mask[i] / p->delta));
  } else {
    sponge_row(p, g, t, y, z, mask, spare);
  }
  while (first < n && mask[first] == 0) first++;
  while (last > first && mask[last - 1] == 0) last--;
  if (!p->in_space && last > first) { /* with zeros, to points that are relaxed at once: the same x in all rows */
    const int64_t until = (last + TRIAD_RELAX_LANES - 1) / TRIAD_RELAX_LANES * TRIAD_RELAX_LANES;
    first -= first % TRIAD_RELAX_LANES;
    last = until < n ? until : n;
  }
  *row = (triad_relax_row){first, last - first, 0};
}

/* ---- stored ---- */

typedef struct rows_of {
  triad_relaxation *r;
  triad_relax_item *p;
  const triad_layout *l;
} rows_of;

/* The mask at all points of the rank, all[row][nx], and the range of each row. */
static void compute_rows(const rows_of *w, double *all)
{
  const triad_layout *l = w->l;
  const int64_t n = l->grid.n[0];
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->r->threads)
  for (int64_t i = 0; i < l->n_planes * l->n_y; i++) {
    double *row = w->r->row + omp_get_thread_num() * TRIAD_RELAX_ROWS * n;
    const int64_t y = l->first_y + i % l->n_y, z = l->first_plane + i / l->n_y;
    triad_relax_mask_row(w->p, &l->grid, 0, y, z, all + i * n, row + TRIAD_RELAX_SPARE_ROWS * n, &w->p->rows[i]);
  }
}

static int store_mask(const rows_of *w, triad_memory *m)
{
  const int64_t rows = w->l->n_planes * w->l->n_y, n = w->l->grid.n[0];
  double *all = NULL;
  TRIAD_TRY(TRIAD_ALLOC(m, "bodies and sponges", rows, &w->p->rows));
  TRIAD_TRY(TRIAD_ALLOC(m, "bodies and sponges", rows * n, &all));
  compute_rows(w, all);
  w->p->stored = 0;
  for (int64_t i = 0; i < rows; i++) {
    w->p->rows[i].at = w->p->stored;
    w->p->stored += w->p->rows[i].count;
  }
  const int st = TRIAD_ALLOC(m, "bodies and sponges", w->p->stored, &w->p->mask);
  for (int64_t i = 0; st == TRIAD_OK && i < rows; i++)
    memcpy(w->p->mask + w->p->rows[i].at, all + i * n + w->p->rows[i].begin, (size_t)w->p->rows[i].count * sizeof *all);
  TRIAD_FREE(m, &all);
  return st;
}

/* A rate that is negative or not finite. */
static void check_mask(const rows_of *w, int item)
{
  const triad_layout *l = w->l;
  for (int64_t i = 0; i < l->n_planes * l->n_y; i++) {
    const triad_relax_row *row = &w->p->rows[i];
    for (int64_t k = 0; k < row->count; k++) {
      const double value = w->p->mask[row->at + k];
      if (!(value >= 0 && isfinite(value)))
        triad_relax_note(w->r, &l->grid, item, w->p->is_body ? w->p->table : w->p->rate.key, value, row->begin + k,
                         l->first_y + i % l->n_y, l->first_plane + i / l->n_y);
    }
  }
}

/* The values of a formula of position alone at the points of a mask. */
static int store_value(const rows_of *w, int item, triad_relax_value *v, triad_memory *m)
{
  const triad_layout *l = w->l;
  const int64_t n = l->grid.n[0];
  if (!v->f || !v->in_space || triad_formula_uses(v->f, TRIAD_RELAX_TIME)) return TRIAD_OK;
  TRIAD_TRY(TRIAD_ALLOC(m, "bodies and sponges", w->p->stored, &v->stored));
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->r->threads)
  for (int64_t i = 0; i < l->n_planes * l->n_y; i++) {
    const triad_relax_row *row = &w->p->rows[i];
    double *spare = w->r->row + omp_get_thread_num() * TRIAD_RELAX_ROWS * n + TRIAD_RELAX_SPARE_ROWS * n;
    const int64_t y = l->first_y + i % l->n_y, z = l->first_plane + i / l->n_y;
    triad_relax_value_row(v, &l->grid, 0, y, z, row->begin, row->count, spare, v->stored + row->at);
    for (int64_t k = 0; k < row->count; k++)
      if (!isfinite(v->stored[row->at + k]))
        triad_relax_note(w->r, &l->grid, item, v->key, v->stored[row->at + k], row->begin + k, y, z);
  }
  return TRIAD_OK;
}

/* ---- targets of files ---- */

typedef struct source {
  char *path;
} source;

static int fill_planes(void *who, const triad_flow *flow, const triad_space *points, int field, triad_real *planes)
{
  const source *s = who;
  return triad_files_points(flow->context, points, s->path, flow->shape.fields, &field, 1, &planes);
}

/* The fields of a file in the state, which is not set yet, and from there at the points of the mask. */
static int store_file(const rows_of *w, triad_flow *flow)
{
  char key[TRIAD_RELAX_KEY];
  const triad_context *context = flow->context;
  const triad_layout *l = flow->layout;
  const triad_field_info *fields = flow->shape.fields;
  int list[flow->shape.n_fields], count = 0;
  int64_t dims[3];
  double dropped;
  source s;
  triad_real *points = NULL;
  (void)snprintf(key, sizeof key, "%s.file", w->p->table);
  s.path = triad_case_path(flow->given, key);
  int st = triad_agree(&context->comm, s.path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path"));
  if (st == TRIAD_OK) st = triad_files_find(context, s.path, fields, flow->shape.n_fields, list, &count);
  if (st == TRIAD_OK) st = triad_files_size(context, s.path, fields, list, count, dims);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, triad_state_overwrite_all(flow->state, TRIAD_HOST));
  for (int f = 0; st == TRIAD_OK && f < flow->shape.n_fields; f++)
    memset(flow->u[f], 0, (size_t)l->modes * sizeof *flow->u[f]);
  const int64_t n[3] = {dims[2], dims[1], dims[0]};
  if (st == TRIAD_OK) st = triad_points_start(flow, n, list, count, fill_planes, &s, NULL, &dropped);
  if (st == TRIAD_OK)
    st =
      triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "bodies and sponges", triad_layout_points(l), &points));
  int kept = 0;
  for (int k = 0; st == TRIAD_OK && k < w->p->n_fields; k++) {
    triad_relax_field f = w->p->fields[k];
    int found = 0;
    for (int i = 0; i < count; i++) found |= list[i] == f.field;
    if (!found) continue; /* a field that the file does not have is not relaxed */
    st = triad_flow_backward(flow, flow->u[f.field], points);
    if (st == TRIAD_OK)
      st =
        triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "bodies and sponges", w->p->stored, &f.target.stored));
    for (int64_t i = 0; st == TRIAD_OK && i < l->n_planes * l->n_y; i++)
      for (int64_t x = 0; x < w->p->rows[i].count; x++)
        f.target.stored[w->p->rows[i].at + x] = (double)points[i * l->grid.n[0] + w->p->rows[i].begin + x];
    w->p->fields[kept++] = f;
  }
  if (st == TRIAD_OK) w->p->n_fields = kept;
  TRIAD_FREE(context->memory, &points);
  free(s.path);
  return st;
}

int triad_relax_fastest(triad_relaxation *r, const triad_flow *flow)
{
  const int64_t n = flow->grid.n[0], rows = flow->layout->n_planes * flow->layout->n_y;
  double most = 0, *total = r->row;
  for (int64_t i = 0; i < rows; i++) {
    memset(total, 0, (size_t)n * sizeof *total);
    for (int k = 0; k < r->n; k++) {
      const triad_relax_row *row = &r->item[k].rows[i];
      for (int64_t x = 0; x < row->count; x++)
        total[row->begin + x] += r->item[k].fastest * r->item[k].mask[row->at + x];
    }
    for (int64_t x = 0; x < n; x++) most = fmax(most, total[x]);
  }
  return TRIAD_MPI(MPI_Allreduce(&most, &r->longest, 1, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi));
}

int triad_relax_store(triad_relaxation *r, triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  for (int i = 0; i < r->n; i++) {
    triad_relax_item *p = &r->item[i];
    const rows_of w = {r, p, flow->layout};
    char key[TRIAD_RELAX_KEY];
    int st = TRIAD_OK;
    (void)snprintf(key, sizeof key, "%s.target", p->table);
    const int of_file = !p->is_body && triad_case_is(flow->given, key, "file");
    if (p->moves && of_file)
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s.rate depends on t, but %s.target = \"file\" requires one that does not",
                      p->table, p->table);
    if (st == TRIAD_OK && !p->moves) {
      st = store_mask(&w, m);
      if (st == TRIAD_OK) check_mask(&w, i);
      for (int f = 0; st == TRIAD_OK && f < p->n_fields; f++) st = store_value(&w, i, &p->fields[f].target, m);
    }
    TRIAD_TRY(triad_agree(&flow->context->comm, st));
    if (of_file) TRIAD_TRY(store_file(&w, flow));
  }
  return TRIAD_OK;
}
