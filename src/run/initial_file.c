#include "run/initial_file.h"

#include "fft/transform.h"
#include "run/checkpoint.h"
#include "run/fieldfile.h"
#include "run/project.h"
#include "transpose/remap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Fields on the file's own grid, with every mode it can hold. */
typedef struct source {
  triad_grid grid;
  triad_layout *layout;
  triad_pass *pass;
  triad_real *planes;
  triad_cplx *u[TRIAD_MOST_FIELDS];
} source;

static void source_destroy(source *s, triad_context *context, int n_fields)
{
  for (int f = 0; f < n_fields; f++) TRIAD_GIVE(context->memory, &s->u[f]);
  TRIAD_GIVE(context->memory, &s->planes);
  triad_pass_destroy(&s->pass);
  triad_layout_destroy(&s->layout);
}

static int file_grid(const triad_flow *flow, const char *path, triad_grid *grid)
{
  const triad_shape *shape = &flow->shape;
  const triad_comm *comm = &flow->context->comm;
  int64_t first[3], dims[3];
  for (int f = 0; f < shape->n_fields; f++) {
    TRIAD_TRY(triad_fieldfile_dims(comm, path, shape->fields[f].name, dims));
    if (f == 0) memcpy(first, dims, sizeof first);
    if (memcmp(first, dims, sizeof first) != 0)
      return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s is %lld x %lld x %lld (z, y, x), but %s is not",
                                          path, shape->fields[f].name, (long long)dims[0], (long long)dims[1],
                                          (long long)dims[2], shape->fields[0].name));
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
    st = TRIAD_TAKE(context->memory, "initial field", s->layout->n_planes * s->grid.n[1] * s->grid.n[0], &s->planes);
  for (int f = 0; st == TRIAD_OK && f < flow->shape.n_fields; f++)
    st = TRIAD_TAKE(context->memory, "initial field", s->layout->modes, &s->u[f]);
  TRIAD_TRY(triad_agree(comm, st));
  triad_pass_options options = {.planning = TRIAD_PLAN_ESTIMATED}; /* used once */
  return triad_pass_create(&s->pass, context, s->layout, 0, 1, &options);
}

static int source_read(source *s, triad_flow *flow, const char *path, triad_log *log)
{
  const triad_shape *shape = &flow->shape;
  const triad_comm *comm = &flow->context->comm;
  const triad_layout *l = s->layout;
  double dropped;
  for (int f = 0; f < shape->n_fields; f++) {
    TRIAD_TRY(triad_agree(comm, triad_fieldfile_read(path, shape->fields[f].name, l->plane_begin[l->rank],
                                                     l->plane_begin[l->rank + 1], s->planes)));
    const triad_real *from[1] = {s->planes};
    TRIAD_TRY(triad_forward(s->pass, l, 1, from, &s->u[f]));
  }
  TRIAD_TRY(triad_remap(comm, l, s->u, flow->layout, flow->u, shape->n_fields, &dropped));
  triad_log_info(log, "initial field %s: %lld x %lld x %lld points", path, (long long)s->grid.n[0],
                 (long long)s->grid.n[1], (long long)s->grid.n[2]);
  if (dropped > 0) triad_log_info(log, "  energy %.6g lies in modes that the grid does not keep: left out", dropped);
  return TRIAD_OK;
}

/* Make what was read a field of the equations, and say by how much it was not one. */
static int make_solenoidal(triad_flow *flow, triad_log *log)
{
  double kept, compressive, mean;
  TRIAD_TRY(triad_project(flow, &kept, &compressive, &mean));
  if (compressive > 1e-10 * kept)
    triad_log_warning(log, "the initial velocity is not divergence-free: its compressive part, energy %.6g of %.6g, "
                           "is left out", compressive, kept + compressive);
  if (mean > 0) triad_log_info(log, "  the mean flow, energy %.6g, is left out: the box moves with it", mean);
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
  if (st == TRIAD_OK) st = file_grid(flow, path, &s.grid);
  if (st == TRIAD_OK) st = source_create(&s, flow);
  if (st == TRIAD_OK) st = source_read(&s, flow, path, log);
  source_destroy(&s, flow->context, flow->shape.n_fields);
  free(path);
  return st == TRIAD_OK ? make_solenoidal(flow, log) : st;
}

static void tell_rejected(void *log, const char *name, const char *why)
{
  triad_log_warning(log, "checkpoint %s is passed over: %s", name, why);
}

/* A run directory has a folder of checkpoints; a checkpoint's own folder does not. */
static int is_run_directory(const char *path)
{
  char inner[TRIAD_PATH];
  struct stat info;
  return triad_disk_path(inner, "%s/checkpoints", path) == TRIAD_OK && stat(inner, &info) == 0 && S_ISDIR(info.st_mode);
}

static int find(triad_flow *flow, const char *path, triad_log *log, char folder[TRIAD_PATH], triad_manifest **about)
{
  const triad_comm *comm = &flow->context->comm;
  int whole_run = comm->rank == 0 && is_run_directory(path);
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&whole_run, 1, MPI_INT, 0, comm->mpi)));
  if (!whole_run) return triad_checkpoint_about(comm, path, folder, about);
  TRIAD_TRY(triad_checkpoint_find(comm, path, tell_rejected, log, folder, about));
  if (*about) return TRIAD_OK;
  return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no valid checkpoint", path));
}

int triad_initial_from_checkpoint(triad_flow *flow, triad_log *log)
{
  const char *names[TRIAD_MOST_FIELDS];
  char folder[TRIAD_PATH], *path = NULL;
  triad_manifest *about = NULL;
  double dropped = 0;
  triad_flow_names(flow, names);
  int st = path_of(flow, &path);
  if (st == TRIAD_OK) st = find(flow, path, log, folder, &about);
  if (st == TRIAD_OK)
    st = triad_checkpoint_read(flow->context, flow->layout, folder, about, flow->shape.n_fields, names, flow->u, &dropped);
  if (st == TRIAD_OK) {
    triad_log_info(log, "initial field from checkpoint %s (step %lld, t = %g)", folder, (long long)about->step, about->t);
    if (dropped > 0) triad_log_info(log, "  energy %.6g lies in modes that the grid does not keep: left out", dropped);
  }
  triad_manifest_destroy(&about);
  free(path);
  return st == TRIAD_OK ? make_solenoidal(flow, log) : st;
}
