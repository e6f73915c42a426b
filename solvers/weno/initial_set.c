/* Where a compressible flow starts: a formula of the solver, or the fields of a file. */
#include "grid/slab.h"
#include "solvers/weno/flow.h"
#include "solvers/weno/initial.h"
#include "store/fieldfile.h"

#include <stdlib.h>

static int check_dims(const triad_gas_flow *f, const char *path, const char *name)
{
  int64_t dims[3];
  const int64_t *n = f->setup.n;
  TRIAD_TRY(triad_fieldfile_dims(&f->context->comm, path, name, dims));
  if (dims[0] == n[2] && dims[1] == n[1] && dims[2] == n[0]) return TRIAD_OK;
  return triad_agree(&f->context->comm,
                     TRIAD_FAIL(TRIAD_ERR_CASE, "%s: dataset %s has %lld x %lld x %lld points (z, y, x), the grid %lld x "
                                                "%lld x %lld", path, name, (long long)dims[0], (long long)dims[1],
                                (long long)dims[2], (long long)n[2], (long long)n[1], (long long)n[0]));
}

/* One dataset: each rank's planes from the file, then to the blocks. */
static int read_one(const triad_gas_flow *f, triad_slab *slab, const char *path, const char *name, triad_real *lines,
                    triad_real *out)
{
  int64_t z0 = triad_slab_first(slab) / f->setup.n[1], z1 = z0 + triad_slab_count(slab) / f->setup.n[1];
  TRIAD_TRY(check_dims(f, path, name));
  TRIAD_TRY(triad_agree(&f->context->comm, triad_fieldfile_read(path, name, z0, z1, lines)));
  return triad_slab_scatter(slab, lines, out);
}

static int read_all(triad_gas_flow *f, triad_slab *slab, int64_t points, const char *path)
{
  triad_real *memory = NULL, *lines = NULL;
  const triad_real *fields[TRIAD_WENO_FIELDS];
  int st = TRIAD_ALLOC(f->context->memory, "initial fields", TRIAD_WENO_FIELDS * points, &memory);
  if (st == TRIAD_OK)
    st = TRIAD_ALLOC(f->context->memory, "initial fields", triad_slab_count(slab) * triad_slab_reals(slab), &lines);
  st = triad_agree(&f->context->comm, st);
  for (int i = 0; i < TRIAD_WENO_FIELDS && st == TRIAD_OK; i++) {
    fields[i] = memory + i * points;
    st = read_one(f, slab, path, triad_weno_primitive_fields[i].name, lines, memory + i * points);
  }
  if (st == TRIAD_OK) st = triad_weno_put(f->weno, fields);
  TRIAD_FREE(f->context->memory, &memory);
  TRIAD_FREE(f->context->memory, &lines);
  return st;
}

static int from_file(triad_gas_flow *f, const char *path, triad_log *log)
{
  const triad_space space = triad_gas_bare_space(f);
  triad_slab *slab = NULL;
  int st = triad_slab_create(&slab, f->context, &space);
  if (st == TRIAD_OK) st = read_all(f, slab, space.memory, path);
  triad_slab_destroy(&slab);
  if (st == TRIAD_OK) triad_log_info(log, "initial field %s: rho, u, v, w, p", path);
  return st;
}

static int from_path(triad_gas_flow *f, triad_log *log)
{
  char *path = triad_case_path(f->given, "initial.file");
  int st = triad_agree(&f->context->comm, path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path"));
  if (st == TRIAD_OK) st = from_file(f, path, log);
  free(path);
  return st;
}

static int from_formula(triad_gas_flow *f, triad_log *log)
{
  char text[512] = "";
  TRIAD_TRY(triad_weno_initial(f->weno, f->given, text, sizeof text));
  if (text[0]) triad_log_info(log, "%s", text);
  return TRIAD_OK;
}

int triad_gas_initial(void *flow, triad_log *log)
{
  triad_gas_flow *f = flow;
  if (triad_case_is(f->given, "initial.kind", "checkpoint")) return TRIAD_OK; /* at zero, to be read */
  return triad_case_is(f->given, "initial.kind", "file") ? from_path(f, log) : from_formula(f, log);
}
