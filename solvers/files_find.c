/* initial.file: where it is, and which fields it has. */
#include "solvers/box/files.h"

#include "base/guard.h"
#include "store/fields/fieldfile.h"
#include "store/hdf5/h5read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int triad_files_path(const triad_context *context, const triad_case *given, char **path)
{
  *path = triad_case_path(given, "initial.file");
  return triad_agree(&context->comm, *path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path"));
}

typedef struct search {
  const char *path;
  const triad_field_info *fields;
  int n, *there; /* [n] */
} search;

static int look(void *self, const char *name)
{
  search *s = self;
  int f = triad_field_find(s->fields, s->n, name);
  if (f >= 0) s->there[f] = 1;
  return 0;
}

static int look_into(void *self, triad_guard *guard)
{
  search *s = self;
  triad_h5 *file = NULL;
  TRIAD_TRY(triad_h5_open(&file, s->path));
  TRIAD_TRY(triad_h5_close(&file, triad_h5_each(file, look, s)));
  return triad_guard_give(guard, s->there, s->n * (int64_t)sizeof *s->there);
}

/* List the fields found, and missing components of incomplete vectors, which the reader then reports. */
static void list_found(const search *s, int *list, int *count)
{
  *count = 0;
  for (int f = 0; f < s->n; f++)
    if (s->there[f]) list[(*count)++] = f;
  for (int f = 0; f < s->n;) {
    triad_field_group group = triad_field_group_at(s->fields, s->n, f);
    int there = 0;
    for (int i = 0; i < group.n; i++) there += s->there[f + i];
    for (int i = 0; i < group.n && there > 0 && there < group.n; i++)
      if (group.role == TRIAD_ROLE_COMPONENT && !s->there[f + i]) list[(*count)++] = f + i;
    f += group.n;
  }
  if (*count == 0) list[(*count)++] = 0;
}

int triad_files_find(const triad_context *context, const char *path, const triad_field_info *fields, int n, int *list,
                     int *count)
{
  const triad_comm *comm = &context->comm;
  int there[n];
  search s = {path, fields, n, there};
  int64_t bytes = n * (int64_t)sizeof *there;
  memset(there, 0, (size_t)bytes);
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? triad_guard_run(path, look_into, &s, there, bytes) : TRIAD_OK));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(there, n, MPI_INT, 0, comm->mpi))));
  list_found(&s, list, count);
  return TRIAD_OK;
}

int triad_files_size(const triad_context *context, const char *path, const triad_field_info *fields, const int *list,
                     int count, int64_t first[3])
{
  const triad_comm *comm = &context->comm;
  int64_t dims[3];
  for (int i = 0; i < count; i++) {
    const char *name = fields[list[i]].name;
    TRIAD_TRY(triad_fieldfile_dims(comm, path, name, i == 0 ? first : dims));
    if (i > 0 && memcmp(first, dims, sizeof dims) != 0)
      return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE,
                                          "%s: dataset %s is %lld x %lld x %lld (z, y, x), but %s is "
                                          "not: all fields must have the same points",
                                          path, name, (long long)dims[0], (long long)dims[1], (long long)dims[2],
                                          fields[list[0]].name));
  }
  return TRIAD_OK;
}

typedef struct sides {
  const char *path;
  double length[3]; /* 0: the file does not say */
} sides;

static int look_at_length(void *self, triad_guard *guard)
{
  sides *s = self;
  triad_h5 *file = NULL;
  TRIAD_TRY(triad_h5_open(&file, s->path));
  if (triad_h5_root_reals(file, "length", 3, s->length) != TRIAD_OK) {
    s->length[0] = 0;
    triad_message_clear();
  }
  TRIAD_TRY(triad_h5_close(&file, TRIAD_OK));
  return triad_guard_give(guard, s->length, (int64_t)sizeof s->length);
}

int triad_files_length(const triad_context *context, const char *path, const double box[3], triad_log *log)
{
  const triad_comm *comm = &context->comm;
  sides s = {.path = path};
  double there[3] = {0, 0, 0};
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? triad_guard_run(path, look_at_length, &s, there, (int64_t)sizeof there)
                                              : TRIAD_OK));
  int other = 0; /* known to rank 0, which alone speaks */
  for (int i = 0; i < 3; i++) other |= !(fabs(there[i] - box[i]) <= 1e-6 * box[i]);
  if (there[0] > 0 && other)
    triad_log_warning(log,
                      "initial.file: the box of the fields is %.8g x %.8g x %.8g, but grid.length is %.8g x %.8g x "
                      "%.8g: the fields are stretched",
                      there[0], there[1], there[2], box[0], box[1], box[2]);
  return TRIAD_OK;
}

void triad_files_found(const triad_field_info *fields, int n, const int *list, int count, triad_log *log)
{
  char here[256] = "", missing[256] = "";
  int at[2] = {0, 0};
  for (int f = 0, i = 0; f < n; f++) {
    int is = i < count && list[i] == f;
    char *text = is ? here : missing;
    int *end = &at[is ? 0 : 1];
    if (*end < (int)sizeof here)
      *end += snprintf(text + *end, sizeof here - (size_t)*end, "%s%s", *end ? ", " : "", fields[f].name);
    i += is;
  }
  triad_log_info(log, "  found %s", here);
  if (at[1]) triad_log_warning(log, "initial.file has no %s: it starts from zero", missing);
}
