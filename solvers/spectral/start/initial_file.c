/* Read initial fields from a file or a checkpoint and make the velocity solenoidal. */
#include "solvers/spectral/start/initial_file.h"

#include "solvers/box/files.h"
#include "solvers/spectral/start/points.h"
#include "solvers/spectral/start/project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the file has, and on what grid. */
typedef struct source {
  const char *path;
  int64_t n[3];
  int count, *field; /* the equations' fields that it has: how many, their numbers */
} source;

static int find(source *s, const triad_flow *flow)
{
  const triad_context *context = flow->context;
  const triad_field_info *fields = flow->shape.fields;
  int n = flow->shape.n_fields;
  int64_t dims[3];
  TRIAD_TRY(triad_agree(&context->comm, TRIAD_ALLOC(context->memory, "initial field", n, &s->field)));
  TRIAD_TRY(triad_files_find(context, s->path, fields, n, s->field, &s->count));
  TRIAD_TRY(triad_files_size(context, s->path, fields, s->field, s->count, dims));
  for (int i = 0; i < 3; i++) s->n[i] = dims[2 - i];
  return TRIAD_OK;
}

static int fill_planes(void *who, const triad_flow *flow, const triad_space *points, int field, triad_real *planes)
{
  const source *s = who;
  return triad_files_points(flow->context, points, s->path, flow->shape.fields, &field, 1, &planes);
}

static int source_read(source *s, triad_flow *flow, triad_log *log)
{
  double dropped;
  TRIAD_TRY(triad_points_start(flow, s->n, s->field, s->count, fill_planes, s, log, &dropped));
  triad_log_info(log, "initial field %s: %lld x %lld x %lld points", s->path, (long long)s->n[0], (long long)s->n[1],
                 (long long)s->n[2]);
  triad_files_found(flow->shape.fields, flow->shape.n_fields, s->field, s->count, log);
  TRIAD_TRY(triad_files_length(flow->context, s->path, flow->grid.length, log));
  if (!isfinite(dropped)) return triad_points_overflow(&flow->context->comm, "modes outside the grid");
  if (dropped > 0) triad_log_info(log, "  energy %.6g is in modes outside the grid and is dropped", dropped);
  return TRIAD_OK;
}

int triad_initial_from_file(triad_flow *flow, triad_log *log)
{
  source s = {0};
  char *path = NULL;
  int st = triad_files_path(flow->context, flow->given, &path);
  s.path = path;
  if (st == TRIAD_OK) st = find(&s, flow);
  if (st == TRIAD_OK) st = source_read(&s, flow, log);
  TRIAD_FREE(flow->context->memory, &s.field);
  free(path);
  return st;
}

int triad_initial_settle(triad_flow *flow, triad_log *log)
{
  const double rounding = 16 * (double)TRIAD_EPSILON; /* of sums over points, which a formula's mean may be */
  const char *kind = triad_case_word(flow->given, "initial.kind");
  if (strcmp(kind, "file") != 0 && strcmp(kind, "checkpoint") != 0 && strcmp(kind, "formula") != 0) return TRIAD_OK;
  return triad_initial_project(flow, log, strcmp(kind, "formula") == 0 ? rounding : 0);
}

int triad_initial_project(triad_flow *flow, triad_log *log, double rounding)
{
  const triad_shape *s = &flow->shape;
  for (int f = 0; f < s->n_fields;) {
    triad_field_group group = triad_field_group_at(s->fields, s->n_fields, f);
    double kept = 0, compressive = 0, mean = 0;
    f += group.n;
    if (!group.solenoidal) continue;
    TRIAD_TRY(triad_project(flow, &group, &kept, &compressive, &mean));
    if (!isfinite(kept + compressive + mean)) return triad_points_overflow(&flow->context->comm, group.name);
    if (compressive > 1e-10 * kept)
      triad_log_warning(log,
                        "the initial %s is not divergence-free: its compressive part, energy %.6g of %.6g, is removed",
                        group.name, compressive, kept + compressive);
    if (!(mean > rounding * rounding * kept)) continue;
    if (strcmp(group.name, "velocity") == 0)
      triad_log_info(log, "  the mean flow, energy %.6g, is removed: the box moves with it", mean);
    else if (!triad_case_applies(flow->given, "equations.mean_field"))
      triad_log_warning(log, "the mean of %s, energy %.6g, is removed", group.name, mean);
    else triad_log_warning(log, "the mean of b, energy %.6g, is removed: use equations.mean_field instead", mean);
  }
  return TRIAD_OK;
}
