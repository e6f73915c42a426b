/* Every call of the system that writing and reading files makes fails once, on each rank in turn: no rank hangs, all
 * return the same status, what stood still stands, and what is read is what was written or an error.
 * ranks: 1 2 3   threads: 1   timeout: 600 */
#include "folder.h"

#include "inject.h"

#include "store/fields/checkpoint.h"
#include "store/fields/fieldfile.h"
#include "store/formats/spectrafile.h"
#include "store/checkpoint/commit.h"
#include "transpose/remap.h"

enum { FIELDS = 2, LANES = 4 };
static const triad_field_info list[FIELDS] = {{"u", "one", "U", TRIAD_SCALAR}, {"v", "two", "U", TRIAD_SCALAR}};

typedef struct modes {
  triad_layout *layout;
  triad_cplx *u[FIELDS];
  triad_state *state;
} modes;

/* Values that depend on the mode and `stream` only. */
static modes make_modes(const int64_t n[3], uint64_t stream)
{
  const double length[3] = {6.25, 3.5, 9.75};
  const triad_comm *comm = triad_test_comm();
  triad_grid grid;
  modes s = {NULL, {NULL}, NULL};
  TRIAD_CHECK(triad_grid_init(&grid, n, length, TRIAD_SPHERE));
  TRIAD_CHECK(triad_layout_create(&s.layout, &grid, comm->rank, comm->size, LANES));
  const triad_layout *l = s.layout;
  for (int f = 0; f < FIELDS; f++) {
    s.u[f] = calloc((size_t)l->modes + 1, sizeof *s.u[f]);
    assert_non_null(s.u[f]);
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        uint64_t mode = (uint64_t)((l->column_begin[l->rank] + c) * l->nkz + j);
        if (triad_grid_keeps(&grid, l->kx[c], l->ky[c], l->kz[j]))
          s.u[f][triad_layout_place(l, c, j)] = (triad_cplx){triad_test_random(stream + (uint64_t)f, 2 * mode),
                                                             triad_test_random(stream + (uint64_t)f, 2 * mode + 1)};
      }
  }
  triad_space space;
  triad_space_modes(&space, l);
  TRIAD_CHECK(triad_state_create(&s.state, triad_test_context()->memory, &space, list, FIELDS));
  for (int f = 0; f < FIELDS; f++) triad_state_attach(s.state, f, TRIAD_HOST, s.u[f]);
  return s;
}

static void free_modes(modes *s)
{
  triad_state_destroy(&s->state);
  triad_layout_destroy(&s->layout);
  for (int f = 0; f < FIELDS; f++) free(s->u[f]);
}

static int differs(const modes *a, const modes *b)
{
  int mine = 0;
  for (int f = 0; f < FIELDS; f++) mine |= memcmp(a->u[f], b->u[f], (size_t)a->layout->modes * sizeof(triad_cplx)) != 0;
  (void)MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_MAX, triad_test_comm()->mpi);
  return mine;
}

static int write_step(const modes *s, const char *dir, int64_t step, int gather)
{
  triad_checkpoint_info info = {
    .step = step, .t = 1, .dt = 0.5, .solver = "hd", .writer = "triad test", .gather = gather};
  return triad_checkpoint_write(triad_test_context(), s->state, dir, &info, 2);
}

/* The newest valid one and its step; TRIAD_ERR_INPUT when there is none. */
static int read_newest(const char *dir, modes *s, int64_t *step)
{
  char folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  int st = triad_checkpoint_find(triad_test_comm(), dir, NULL, NULL, folder, &about);
  *step = about ? about->step : -1;
  if (st == TRIAD_OK && !about) st = TRIAD_ERR_INPUT;
  if (st == TRIAD_OK) st = triad_checkpoint_read(triad_test_context(), s->state, folder, about, FIELDS, NULL, NULL);
  triad_manifest_destroy(&about);
  return st;
}

/* ---- every fault in turn ---- */

typedef struct trial {
  int kind, victim, k;
  int struck; /* did the fault happen? the same on all ranks       */
  int status; /* of the call, which is checked to be the same too  */
} trial;

typedef void trial_body(void *self, trial *t);

static int injected, reported;

/* Call `body` with the k-th call of each kind failing on each rank, for k = 1, 2 .. until there is no such call. */
static void try_all(trial_body *body, void *self)
{
  injected = reported = 0;
  for (int kind = 0; kind < CALLS; kind++)
    for (int victim = 0; victim < triad_test_comm()->size; victim++) {
      trial t = {.kind = kind, .victim = victim, .struck = 1};
      for (t.k = 1; t.struck && t.k < 1000 && triad_test_now.failures < 20; t.k++) body(self, &t);
    }
  int all[2] = {injected, reported};
  (void)MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, triad_test_comm()->mpi);
  if (triad_test_comm()->rank == 0)
    (void)printf("%s: %d faults injected, %d reported\n", triad_test_now.name, all[0], all[1]);
  TRIAD_HOLDS(all[0] > 15, "only %d faults were injected", all[0]);
}

#define WITH_FAULT(t, call) \
  do { \
    hush(); \
    inject_arm(triad_test_comm()->rank == (t)->victim ? (t)->kind : -1, (t)->k); \
    (t)->status = (call); \
    (t)->struck = inject_struck(); \
    inject_arm(-1, 0); \
    triad_message_clear(); \
    speak(); \
    judge(t); \
  } while (0)

/* All ranks say the same, and a fault that did not come is no failure. */
static void judge(trial *t)
{
  int v[3] = {t->status, -t->status, t->struck};
  (void)MPI_Allreduce(MPI_IN_PLACE, v, 3, MPI_INT, MPI_MAX, triad_test_comm()->mpi);
  t->struck = v[2];
  injected += t->struck;
  reported += t->struck && v[0] != TRIAD_OK;
  TRIAD_HOLDS(v[0] == -v[1], "status %d on one rank, %d on another: %s %d of rank %d", v[0], -v[1], call_name[t->kind],
              t->k, t->victim);
  if (!t->struck) TRIAD_HOLDS(t->status == TRIAD_OK, "status %d without a fault", t->status);
}

/* ---- checkpoints ---- */

typedef struct store {
  char dir[TRIAD_PATH];
  int gather;
  int64_t step;        /* of the newest that was written with success */
  modes kept[2], back; /* those of even and of odd steps              */
} store;

/* The newest valid checkpoint is the one just written, or on failure, that one or the one before; and it holds what was
 * written. */
static void write_faulty(void *self, trial *t)
{
  store *s = self;
  int64_t next = s->step + 1, found;
  WITH_FAULT(t, write_step(&s->kept[next % 2], s->dir, next, s->gather));
  int st = read_newest(s->dir, &s->back, &found);
  TRIAD_HOLDS(st == TRIAD_OK && (found == next || (found == s->step && t->status != TRIAD_OK)),
              "status %d, then step %lld of %lld is found (%d): %s %d of rank %d", t->status, (long long)found,
              (long long)next, st, call_name[t->kind], t->k, t->victim);
  int wrong = st == TRIAD_OK && differs(&s->back, &s->kept[found & 1]);
  TRIAD_HOLDS(!wrong,
              "step %lld is not what was written: %s %d of "
              "rank %d",
              (long long)found, call_name[t->kind], t->k, t->victim);
  s->step = found;
}

static void open_store(store *s, int gather)
{
  const int64_t n[3] = {10, 8, 9};
  folder_make(s->dir);
  s->gather = gather;
  s->step = 1;
  for (int i = 0; i < 2; i++) s->kept[i] = make_modes(n, 10 * (uint64_t)(i + 1));
  s->back = make_modes(n, 77);
  TRIAD_CHECK(write_step(&s->kept[1], s->dir, 1, gather));
}

static void close_store(store *s)
{
  for (int i = 0; i < 2; i++) free_modes(&s->kept[i]);
  free_modes(&s->back);
  folder_delete(s->dir);
}

TRIAD_TEST(a_fault_while_a_checkpoint_is_written_loses_nothing)
{
  store s;
  open_store(&s, 0);
  try_all(write_faulty, &s);
  close_store(&s);
}

TRIAD_TEST(a_fault_while_rank_0_writes_for_all_loses_nothing)
{
  store s;
  open_store(&s, 1);
  try_all(write_faulty, &s);
  close_store(&s);
}

/* What comes back is what was written, or an error. */
static void read_faulty(void *self, trial *t)
{
  store *s = self;
  int64_t found;
  WITH_FAULT(t, read_newest(s->dir, &s->back, &found));
  if (t->status != TRIAD_OK) return;
  int wrong = differs(&s->back, &s->kept[found & 1]);
  TRIAD_HOLDS(!wrong, "step %lld is not what was written: %s %d of rank %d", (long long)found, call_name[t->kind], t->k,
              t->victim);
}

TRIAD_TEST(a_fault_while_a_checkpoint_is_read_gives_no_wrong_values)
{
  store s;
  open_store(&s, 0);
  TRIAD_CHECK(write_step(&s.kept[0], s.dir, 2, 0));
  try_all(read_faulty, &s);
  close_store(&s);
}

/* ---- fields and spectra ---- */

typedef struct fields {
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  triad_layout *layout;
  double *planes, *back;
  int gather;
} fields;

static int write_fields(const fields *s, double factor)
{
  triad_fieldfile_info info = {.step = 7, .t = factor, .n_fields = FIELDS, .fields = list, .gather = s->gather};
  const triad_layout *l = s->layout;
  for (int64_t i = 0; i < l->n_planes * l->grid.n[0] * l->grid.n[1]; i++)
    s->planes[i] = factor * (double)(i + 1000 * (l->rank + 1));
  triad_space space;
  triad_fieldfile *file;
  triad_space_planes(&space, l);
  TRIAD_TRY(triad_fieldfile_create(&file, triad_test_context(), &space, s->dir, &info));
  int st = TRIAD_OK;
  for (int f = 0; f < FIELDS; f++) st = triad_fieldfile_put(file, f, 0, l->n_planes, s->planes);
  return triad_fieldfile_finish(&file, st);
}

/* The file is whole: its first value says which writing it came from, and the others agree. Rank 0 looks. */
static double factor_of(const fields *s)
{
  double factor = NAN;
  const int64_t *n = s->layout->grid.n;
  if (triad_test_comm()->rank == 0 && triad_fieldfile_read(s->path, "v", 0, n[2], s->back) == TRIAD_OK) {
    factor = s->back[0] / 1000;
    for (int r = 0; r < triad_test_comm()->size; r++)
      for (int64_t z = s->layout->plane_begin[r], i = 0; i < (s->layout->plane_begin[r + 1] - z) * n[0] * n[1]; i++)
        if (fabs(s->back[z * n[0] * n[1] + i] - factor * (double)(i + 1000 * (r + 1))) > 0) factor = NAN;
  }
  (void)MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, triad_test_comm()->mpi);
  return factor;
}

/* Written twice: the second one fails, and then the file holds the first or the second, never a mixture. */
static void fields_faulty(void *self, trial *t)
{
  fields *s = self;
  TRIAD_CHECK(write_fields(s, 1));
  WITH_FAULT(t, write_fields(s, 2));
  double factor = factor_of(s);
  TRIAD_HOLDS(factor == 2 || (factor == 1 && t->status != TRIAD_OK),
              "status %d, then the fields of writing %g: %s %d "
              "of rank %d",
              t->status, factor, call_name[t->kind], t->k, t->victim);
}

static void with_fields(int gather)
{
  const int64_t n[3] = {5, 4, 4};
  const double length[3] = {1, 1, 1};
  fields s = {.gather = gather};
  triad_grid grid;
  folder_make(s.dir);
  TRIAD_CHECK(triad_disk_path(s.path, "%s/fields/fields-00000007.h5", s.dir));
  TRIAD_CHECK(triad_grid_init(&grid, n, length, TRIAD_SPHERE));
  TRIAD_CHECK(triad_layout_create(&s.layout, &grid, triad_test_comm()->rank, triad_test_comm()->size, LANES));
  s.planes = calloc(5 * 4 * 4 + 1, sizeof *s.planes);
  s.back = calloc(5 * 4 * 4 + 1, sizeof *s.back);
  try_all(fields_faulty, &s);
  free(s.planes);
  free(s.back);
  triad_layout_destroy(&s.layout);
  folder_delete(s.dir);
}

TRIAD_TEST(a_fault_while_fields_are_written_leaves_whole_files) { with_fields(0); }

TRIAD_TEST(a_fault_while_rank_0_writes_fields_leaves_whole_files) { with_fields(1); }

static void spectra_faulty(void *self, trial *t)
{
  const char *dir = self;
  double k[3] = {0, 1, 2}, e[3] = {1, 2, 3};
  const triad_spectrum both[2] = {{"k", "1/L", "k", 1, {3}, k, {"k"}, {0}}, {"E", "U^2", "E", 1, {3}, e, {"k"}, {0}}};
  WITH_FAULT(t, triad_spectrafile_write(triad_test_context(), dir, 1, 0, 2, both, NULL));
}

TRIAD_TEST(a_fault_while_spectra_are_written_is_told_to_all)
{
  char dir[TRIAD_PATH];
  folder_make(dir);
  try_all(spectra_faulty, dir);
  folder_delete(dir);
}

TRIAD_MAIN
