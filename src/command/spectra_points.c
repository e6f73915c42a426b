/* Compute spectra of a checkpoint of values at points, or of fields of a gas, by the functions that a run uses. The
 * family writes a file; a table is read back from a temporary one. */
#include "command/spectra_points.h"

#include "base/output.h"
#include "solvers/box/files.h"
#include "store/hdf5/h5read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the table ---- */

enum { COLUMNS = 16, NAME = 64 };

typedef struct table {
  triad_h5 *file;
  int st; /* of the columns: triad_h5_each does not return it */
  int64_t shells;
  int n;
  char name[COLUMNS][NAME];
  double *values[COLUMNS];
} table;

/* Datasets over shells: as many numbers as `k` has. */
static int take_column(table *t, const char *name)
{
  int64_t dims[TRIAD_H5_DIMS], first = 0;
  int n_dims;
  if (triad_h5_dims(t->file, name, &n_dims, dims, NULL) != TRIAD_OK || n_dims != 1 || dims[0] != t->shells) return 0;
  if (t->n == COLUMNS || strlen(name) >= NAME)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the table of spectra has no room for %s", name);
  t->values[t->n] = calloc((size_t)t->shells + 1, sizeof *t->values[t->n]);
  if (!t->values[t->n]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a table of spectra");
  (void)strcpy(t->name[t->n], name);
  return triad_h5_read(t->file, name, 1, &first, &t->shells, (int)sizeof(double), t->values[t->n++]);
}

static int read_column(void *who, const char *name)
{
  table *t = who;
  t->st = take_column(t, name);
  return t->st != TRIAD_OK;
}

static void print_columns(const table *t, FILE *out)
{
  int k = 0;
  while (k < t->n && strcmp(t->name[k], "k") != 0) k++;
  (void)fprintf(out, "k");
  for (int i = 0; i < t->n; i++)
    if (i != k) (void)fprintf(out, ",%s", t->name[i]);
  for (int64_t s = 0; s < t->shells; s++) {
    (void)fprintf(out, "\n%.17g", t->values[k][s]);
    for (int i = 0; i < t->n; i++)
      if (i != k) (void)fprintf(out, ",%.17g", t->values[i][s]);
  }
  (void)fprintf(out, "\n");
}

static int print_file(const char *path, FILE *out)
{
  table t = {0};
  int64_t dims[TRIAD_H5_DIMS];
  int n_dims;
  TRIAD_TRY(triad_h5_open(&t.file, path));
  int st = triad_h5_dims(t.file, "k", &n_dims, dims, NULL);
  t.shells = st == TRIAD_OK ? dims[0] : 0;
  if (st == TRIAD_OK) st = triad_h5_each(t.file, read_column, &t);
  if (st == TRIAD_OK) st = t.st;
  if (st == TRIAD_OK) print_columns(&t, out);
  for (int i = 0; i < t.n; i++) free(t.values[i]);
  st = triad_h5_close(&t.file, st);
  return st == TRIAD_OK ? triad_output_end(out, TRIAD_OK) : st;
}

static void print_head(FILE *out, const triad_simulation *sim, const triad_spectra_item *it)
{
  const triad_instant *at = sim->solver->instant(sim->flow);
  int64_t n[3];
  double length[3];
  triad_case_integers(sim->given, "grid.n", n, 3);
  triad_case_reals(sim->given, "grid.length", length, 3);
  (void)fprintf(out, "# triad spectra of %s: step %" PRId64 ", t %.17g, solver %s, %s precision\n", it->shown, at->step,
                at->t, triad_case_word(sim->given, "equations.solver"), triad_case_word(sim->given, "precision"));
  (void)fprintf(out, "# grid %" PRId64 " x %" PRId64 " x %" PRId64 ", lengths %.17g %.17g %.17g\n", n[0], n[1], n[2],
                length[0], length[1], length[2]);
  (void)fprintf(out, "# docs/reference/spectra.md defines the columns; the sum of E is the energy\n");
}

/* ---- the flow ---- */

static int set_flow(const triad_simulation *sim, const triad_spectra_item *it, triad_log *log)
{
  char source[TRIAD_PATH];
  if (it->about) return triad_simulation_resume(sim, it->folder, it->about, log);
  TRIAD_TRY(triad_simulation_start(sim, log, source));
  *sim->solver->instant(sim->flow) = (triad_instant){.step = it->source.step, .t = it->source.t};
  return TRIAD_OK;
}

static int write_file(const triad_simulation *sim, const char *dir, const triad_notes *notes)
{
  const triad_comm *comm = &sim->context->comm;
  triad_series_info info;
  sim->solver->columns(sim->flow, &info);
  double *columns = calloc((size_t)info.n + 1, sizeof *columns);
  int st = triad_agree(comm, columns ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of the series"));
  if (st == TRIAD_OK) st = sim->solver->measure(sim->flow, columns);
  if (st == TRIAD_OK) st = triad_agree(comm, comm->rank == 0 ? triad_disk_make_folder(dir) : TRIAD_OK);
  if (st == TRIAD_OK) st = sim->solver->spectra(sim->flow, dir, columns, notes);
  free(columns);
  return st;
}

/* A folder for a file that is only read back. */
static int make_temporary(const triad_comm *comm, char dir[TRIAD_PATH])
{
  const char *where = getenv("TMPDIR");
  int st = TRIAD_OK;
  if (comm->rank == 0) {
    const int n = snprintf(dir, TRIAD_PATH, "%s/triad-spectra-XXXXXX", where && *where ? where : "/tmp");
    if (n >= TRIAD_PATH || !mkdtemp(dir)) st = TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot create a temporary folder", dir);
  }
  TRIAD_TRY(triad_agree(comm, st));
  return TRIAD_MPI(MPI_Bcast(dir, TRIAD_PATH, MPI_BYTE, 0, comm->mpi));
}

/* The name of the file in `dir`. */
static int path_of(char path[TRIAD_PATH], const char *dir, const triad_simulation *sim)
{
  return snprintf(path, TRIAD_PATH, "%s/spectra/spectra-%08" PRId64 ".h5", dir, sim->solver->instant(sim->flow)->step) <
             TRIAD_PATH
           ? TRIAD_OK
           : TRIAD_FAIL(TRIAD_ERR_IO, "%s: the path is too long", dir);
}

/* Print the file of a temporary folder. Rank 0. */
static int print_temporary(const triad_simulation *sim, const triad_spectra_item *it, const char *dir, FILE *out)
{
  char path[TRIAD_PATH];
  TRIAD_TRY(path_of(path, dir, sim));
  print_head(out, sim, it);
  return print_file(path, out);
}

static void remove_temporary(const triad_simulation *sim, const char *dir)
{
  char path[TRIAD_PATH];
  if (path_of(path, dir, sim) != TRIAD_OK) return;
  (void)remove(path);
  *strrchr(path, '/') = '\0';
  (void)remove(path);
  (void)remove(dir);
}

static int measure(const triad_simulation *sim, const triad_spectra_item *it, const triad_spectra_target *target,
                   triad_log *log)
{
  const triad_comm *comm = &sim->context->comm;
  char dir[TRIAD_PATH] = "";
  TRIAD_TRY(set_flow(sim, it, log));
  if (sim->solver->has_spectra && !sim->solver->has_spectra(sim->flow))
    return triad_agree(
      comm,
      TRIAD_FAIL(TRIAD_ERR_CASE, "%s: spectra require a periodic box with even cells and without solids", it->shown));
  if (!target->table) return write_file(sim, target->dir, target->notes);
  TRIAD_TRY(make_temporary(comm, dir));
  int st = write_file(sim, dir, target->notes);
  if (st == TRIAD_OK) st = triad_agree(comm, comm->rank == 0 ? print_temporary(sim, it, dir, target->table) : TRIAD_OK);
  if (comm->rank == 0) remove_temporary(sim, dir);
  return st;
}

int triad_spectra_of_points(triad_session *s, const triad_solver *solver, const triad_spectra_item *it,
                            const triad_spectra_target *target)
{
  triad_simulation sim = {s->context, s->given, solver, NULL};
  int st = solver->create(&sim.flow, s->context, s->given, NULL);
  if (st == TRIAD_OK) st = measure(&sim, it, target, s->log);
  if (st == TRIAD_ERR_INTERNAL) st = TRIAD_ERR_CASE; /* the sum rule: here it is the data that break it */
  solver->destroy(&sim.flow);
  return st;
}
