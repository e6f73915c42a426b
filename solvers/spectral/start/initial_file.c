#include "solvers/spectral/start/initial_file.h"

#include "fft/transform.h"
#include "solvers/files.h"
#include "solvers/spectral/start/project.h"
#include "transpose/remap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fields on the file's own grid, with every mode it can hold. */
typedef struct source {
  triad_grid grid;
  triad_layout *layout;
  triad_pass *pass;
  triad_real *planes;
  int count, *field; /* the equations' fields that the file has: how many, their numbers */
  triad_cplx **u;    /* [count] */
} source;

static void source_destroy(source *s, triad_context *context)
{
  for (int f = 0; s->u && f < s->count; f++) TRIAD_FREE(context->memory, &s->u[f]);
  TRIAD_FREE(context->memory, &s->u);
  TRIAD_FREE(context->memory, &s->field);
  TRIAD_FREE(context->memory, &s->planes);
  triad_pass_destroy(&s->pass);
  triad_layout_destroy(&s->layout);
}

/* What the file has, and on what grid. */
static int find(source *s, const triad_flow *flow, const char *path)
{
  const triad_context *context = flow->context;
  const triad_field_info *fields = flow->shape.fields;
  int n = flow->shape.n_fields;
  int64_t dims[3];
  TRIAD_TRY(triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "initial field", n, &s->field)));
  TRIAD_TRY(triad_files_find(context, path, fields, n, s->field, &s->count));
  TRIAD_TRY(triad_files_size(context, path, fields, s->field, s->count, dims));
  const int64_t points[3] = {dims[2], dims[1], dims[0]};
  return triad_agree(&context->comm, triad_grid_init(&s->grid, points, flow->grid.length, TRIAD_NONE));
}

static int source_create(source *s, triad_flow *flow)
{
  triad_context *context = flow->context;
  const triad_comm *comm = &context->comm;
  int st = triad_layout_create(&s->layout, &s->grid, comm->rank, comm->size, TRIAD_LANES);
  if (st == TRIAD_OK)
    st = TRIAD_ALLOC(context->memory, "initial field", s->layout->n_planes * s->grid.n[1] * s->grid.n[0], &s->planes);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "initial field", s->count, &s->u);
  for (int f = 0; st == TRIAD_OK && f < s->count; f++)
    st = TRIAD_ALLOC(context->memory, "initial field", s->layout->modes, &s->u[f]);
  TRIAD_TRY(triad_agree(comm, st));
  triad_pass_options options = {.planning = TRIAD_PLAN_ESTIMATED}; /* used once */
  return triad_pass_create(&s->pass, context, s->layout, 0, 1, &options);
}

/* Numbers whose squares no longer are numbers. */
static int overflow(const triad_comm *comm, const char *what)
{
  return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "initial.file: the energy of %s overflows: its values are too large "
                                                      "to be squared, in whatever unit", what));
}

static int source_read(source *s, triad_flow *flow, const char *path, triad_log *log)
{
  const triad_comm *comm = &flow->context->comm;
  const triad_layout *l = s->layout;
  triad_cplx *to[s->count];
  triad_space points;
  double dropped;
  triad_space_planes(&points, l);
  for (int f = 0; f < s->count; f++) {
    to[f] = flow->u[s->field[f]];
    TRIAD_TRY(triad_files_points(flow->context, &points, path, flow->shape.fields, &s->field[f], 1, &s->planes));
    const triad_real *from[1] = {s->planes};
    TRIAD_TRY(triad_forward(s->pass, l, 1, from, &s->u[f]));
  }
  TRIAD_TRY(triad_remap(comm, l, s->u, flow->layout, to, s->count, &dropped));
  triad_log_info(log, "initial field %s: %lld x %lld x %lld points", path, (long long)s->grid.n[0],
                 (long long)s->grid.n[1], (long long)s->grid.n[2]);
  triad_files_found(flow->shape.fields, flow->shape.n_fields, s->field, s->count, log);
  TRIAD_TRY(triad_files_length(flow->context, path, flow->grid.length, log));
  if (!isfinite(dropped)) return overflow(comm, "what the grid does not keep");
  if (dropped > 0) triad_log_info(log, "  energy %.6g lies in modes that the grid does not keep: left out", dropped);
  return TRIAD_OK;
}

int triad_initial_from_file(triad_flow *flow, triad_log *log)
{
  source s = {0};
  char *path = NULL;
  int st = triad_files_path(flow->context, flow->given, &path);
  if (st == TRIAD_OK) st = find(&s, flow, path);
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
    if (!isfinite(kept + compressive + mean)) return overflow(&flow->context->comm, group.name);
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
