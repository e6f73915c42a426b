#include "solvers/spectral/start/initial_file.h"

#include "fft/transform.h"
#include "store/fieldfile.h"
#include "solvers/files.h"
#include "solvers/spectral/start/project.h"
#include "base/guard.h"
#include "store/h5read.h"
#include "transpose/remap.h"

#include <stdlib.h>
#include <string.h>

/* Which fields of the equations a file holds: their numbers, in order. */
typedef struct found {
  int count, *field; /* [n_fields] */
} found;

/* Collective. */
static int found_create(found *f, const triad_flow *flow)
{
  return triad_agree(&flow->context->comm,
                     TRIAD_ALLOC(flow->context->memory, "initial field", flow->shape.n_fields, &f->field));
}

/* Fields on the file's own grid, with every mode it can hold. */
typedef struct source {
  triad_grid grid;
  triad_layout *layout;
  triad_pass *pass;
  triad_real *planes;
  found found;
  triad_cplx **u; /* [found.count] */
} source;

static void source_destroy(source *s, triad_context *context)
{
  for (int f = 0; s->u && f < s->found.count; f++) TRIAD_FREE(context->memory, &s->u[f]);
  TRIAD_FREE(context->memory, &s->u);
  TRIAD_FREE(context->memory, &s->found.field);
  TRIAD_FREE(context->memory, &s->planes);
  triad_pass_destroy(&s->pass);
  triad_layout_destroy(&s->layout);
}

typedef struct search {
  const char *path;
  const triad_shape *shape;
  int *there; /* [n_fields] */
} search;

static int look(void *self, const char *name)
{
  search *s = self;
  for (int f = 0; f < s->shape->n_fields; f++)
    if (strcmp(name, s->shape->fields[f].name) == 0) s->there[f] = 1;
  return 0;
}

static int look_into(void *self, triad_guard *guard)
{
  search *s = self;
  triad_h5 *file = NULL;
  TRIAD_TRY(triad_h5_open(&file, s->path));
  TRIAD_TRY(triad_h5_close(&file, triad_h5_each(file, look, s)));
  return triad_guard_give(guard, s->there, s->shape->n_fields * (int64_t)sizeof *s->there);
}

/* The datasets of the file that are fields of the equations: one at least. Collective. */
static int find_datasets(const triad_flow *flow, const char *path, found *out)
{
  const triad_comm *comm = &flow->context->comm;
  int seen[flow->shape.n_fields];
  search s = {.path = path, .shape = &flow->shape, .there = seen};
  int64_t bytes = flow->shape.n_fields * (int64_t)sizeof *seen;
  memset(seen, 0, sizeof seen);
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? triad_guard_run(path, look_into, &s, seen, bytes) : TRIAD_OK));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(s.there, flow->shape.n_fields, MPI_INT, 0, comm->mpi))));
  out->count = 0;
  for (int f = 0; f < flow->shape.n_fields; f++)
    if (s.there[f]) out->field[out->count++] = f;
  /* a component without its fellows is a misspelt name; the one that is missed is then told with what is there */
  for (int f = 0; f < flow->shape.n_fields;) {
    triad_field_group group = triad_field_group_at(flow->shape.fields, flow->shape.n_fields, f);
    int there = 0;
    for (int i = 0; i < group.n; i++) there += s.there[f + i];
    for (int i = 0; i < group.n && there > 0 && there < group.n; i++)
      if (group.role == TRIAD_ROLE_COMPONENT && !s.there[f + i]) out->field[out->count++] = f + i;
    f += group.n;
  }
  if (out->count == 0) out->field[out->count++] = 0;
  return TRIAD_OK;
}

static const char *name_of(const triad_flow *flow, const found *held, int i)
{
  return flow->shape.fields[held->field[i]].name;
}

static int file_grid(const triad_flow *flow, const char *path, const found *held, triad_grid *grid)
{
  const triad_comm *comm = &flow->context->comm;
  int64_t first[3], dims[3];
  for (int f = 0; f < held->count; f++) {
    TRIAD_TRY(triad_fieldfile_dims(comm, path, name_of(flow, held, f), dims));
    if (f == 0) memcpy(first, dims, sizeof first);
    if (memcmp(first, dims, sizeof first) != 0)
      return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s is %lld x %lld x %lld (z, y, x), but %s is not",
                                          path, name_of(flow, held, f), (long long)dims[0], (long long)dims[1],
                                          (long long)dims[2], name_of(flow, held, 0)));
  }
  const int64_t n[3] = {first[2], first[1], first[0]};
  return triad_agree(comm, triad_grid_init(grid, n, flow->grid.length, TRIAD_NONE));
}

static int source_create(source *s, triad_flow *flow)
{
  triad_context *context = flow->context;
  const triad_comm *comm = &context->comm;
  int st = triad_layout_create(&s->layout, &s->grid, comm->rank, comm->size, TRIAD_LANES);
  if (st == TRIAD_OK)
    st = TRIAD_ALLOC(context->memory, "initial field", s->layout->n_planes * s->grid.n[1] * s->grid.n[0], &s->planes);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "initial field", s->found.count, &s->u);
  for (int f = 0; st == TRIAD_OK && f < s->found.count; f++)
    st = TRIAD_ALLOC(context->memory, "initial field", s->layout->modes, &s->u[f]);
  TRIAD_TRY(triad_agree(comm, st));
  triad_pass_options options = {.planning = TRIAD_PLAN_ESTIMATED}; /* used once */
  return triad_pass_create(&s->pass, context, s->layout, 0, 1, &options);
}

static int source_read(source *s, triad_flow *flow, const char *path, triad_log *log)
{
  const triad_comm *comm = &flow->context->comm;
  const triad_layout *l = s->layout;
  triad_cplx *to[s->found.count];
  double dropped;
  for (int f = 0; f < s->found.count; f++) {
    to[f] = flow->u[s->found.field[f]];
    TRIAD_TRY(triad_agree(comm, triad_fieldfile_read(path, name_of(flow, &s->found, f), l->plane_begin[l->rank],
                                                     l->plane_begin[l->rank + 1], s->planes)));
    const triad_real *from[1] = {s->planes};
    TRIAD_TRY(triad_forward(s->pass, l, 1, from, &s->u[f]));
  }
  TRIAD_TRY(triad_remap(comm, l, s->u, flow->layout, to, s->found.count, &dropped));
  triad_log_info(log, "initial field %s: %lld x %lld x %lld points", path, (long long)s->grid.n[0],
                 (long long)s->grid.n[1], (long long)s->grid.n[2]);
  triad_files_found(flow->shape.fields, flow->shape.n_fields, s->found.field, s->found.count, log);
  if (dropped > 0) triad_log_info(log, "  energy %.6g lies in modes that the grid does not keep: left out", dropped);
  return TRIAD_OK;
}

static int path_of(const triad_flow *flow, char **path)
{
  *path = triad_case_path(flow->given, "initial.file");
  int st = *path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path");
  return triad_agree(&flow->context->comm, st);
}

int triad_initial_from_file(triad_flow *flow, triad_log *log)
{
  source s = {0};
  char *path = NULL;
  int st = path_of(flow, &path);
  if (st == TRIAD_OK) st = found_create(&s.found, flow);
  if (st == TRIAD_OK) st = find_datasets(flow, path, &s.found);
  if (st == TRIAD_OK) st = file_grid(flow, path, &s.found, &s.grid);
  if (st == TRIAD_OK) st = source_create(&s, flow);
  if (st == TRIAD_OK) st = source_read(&s, flow, path, log);
  source_destroy(&s, flow->context);
  free(path);
  return st;
}

int triad_initial_settle(triad_flow *flow, triad_log *log)
{
  const triad_shape *s = &flow->shape;
  const char *kind = triad_case_word(flow->given, "initial.kind");
  if (strcmp(kind, "file") != 0 && strcmp(kind, "checkpoint") != 0) return TRIAD_OK;
  for (int f = 0; f < s->n_fields;) {
    triad_field_group group = triad_field_group_at(s->fields, s->n_fields, f);
    double kept = 0, compressive = 0, mean = 0;
    f += group.n;
    if (!group.solenoidal) continue;
    TRIAD_TRY(triad_project(flow, &group, &kept, &compressive, &mean));
    if (compressive > 1e-10 * kept)
      triad_log_warning(log, "the initial %s is not divergence-free: its compressive part, energy %.6g of %.6g, is "
                             "left out", group.name, compressive, kept + compressive);
    if (!(mean > 0)) continue;
    if (strcmp(group.name, "velocity") == 0)
      triad_log_info(log, "  the mean flow, energy %.6g, is left out: the box moves with it", mean);
    else
      triad_log_warning(log, "the mean of b, energy %.6g, is left out: give it as equations.mean_field", mean);
  }
  return TRIAD_OK;
}
