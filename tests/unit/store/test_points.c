/* Checkpoints of values at points: the same bytes from any division into blocks, read back bit for bit into any
 * other, and nothing damaged is believed.   ranks: 1 2 3 4   precision: both quick: 1 */
#include "test.h"

#include "folder.h"
#include "store/fields/checkpoint.h"
#include "store/checkpoint/commit.h"
#include "store/checkpoint/find.h"

enum { FIELDS = 2, WIDTH = 2 };
static const int64_t n[3] = {13, 9, 11};
static const double length[3] = {1, 2, 3};
static const triad_field_info names[FIELDS] = {{"rho", "", "M", TRIAD_SCALAR}, {"e", "", "M", TRIAD_SCALAR}};

/* A flow's blocks on a communicator, and its fields. */
typedef struct flow {
  const triad_context *context;
  triad_partition blocks;
  triad_state *state;
  triad_real *fields[FIELDS];
} flow;

static triad_real value_at(int f, int64_t x, int64_t y, int64_t z)
{
  return (triad_real)triad_test_random((uint64_t)f, (uint64_t)((z * n[1] + y) * n[0] + x));
}

static void make(flow *a, const triad_context *context, const int dims[3])
{
  a->context = context;
  TRIAD_CHECK(
    triad_partition_init(&a->blocks, n, (const int[3]){1, 0, 1}, WIDTH, context->comm.rank, context->comm.size, dims));
  triad_space space;
  triad_space_box(&space, &a->blocks, length);
  TRIAD_CHECK(triad_state_create(&a->state, context->memory, &space, names, FIELDS));
  for (int f = 0; f < FIELDS; f++) {
    a->fields[f] = calloc((size_t)a->blocks.volume, sizeof(triad_real));
    triad_state_attach(a->state, f, TRIAD_HOST, a->fields[f]);
    for (int64_t i = 0; i < a->blocks.volume; i++) a->fields[f][i] = 77; /* halos are nobody's business */
  }
}

static void fill(flow *a)
{
  const triad_partition *b = &a->blocks;
  for (int f = 0; f < FIELDS; f++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++)
          a->fields[f][triad_partition_at(b, x, y, z)] = value_at(f, b->begin[0] + x, b->begin[1] + y, b->begin[2] + z);
}

static int64_t differences(const flow *a)
{
  const triad_partition *b = &a->blocks;
  int64_t count = 0;
  for (int f = 0; f < FIELDS; f++)
    for (int64_t z = 0; z < b->local[2]; z++)
      for (int64_t y = 0; y < b->local[1]; y++)
        for (int64_t x = 0; x < b->local[0]; x++) {
          triad_real is = a->fields[f][triad_partition_at(b, x, y, z)];
          triad_real should = value_at(f, b->begin[0] + x, b->begin[1] + y, b->begin[2] + z);
          count += memcmp(&is, &should, sizeof is) != 0;
        }
  return count;
}

static void drop(flow *a)
{
  for (int f = 0; f < FIELDS; f++) free(a->fields[f]);
  triad_state_destroy(&a->state);
}

static int save(flow *a, const char *dir, int64_t step)
{
  const triad_checkpoint_info info = {.step = step, .t = 0.5, .dt = 0.25, .solver = "compressible", .writer = "test"};
  return triad_checkpoint_write(a->context, a->state, dir, &info, 3);
}

/* The newest checkpoint of dir into fresh blocks of a context; the status of finding and reading it. */
static int load(const triad_context *context, const char *dir, const int dims[3], int64_t *wrong)
{
  flow a = {0};
  char folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  make(&a, context, dims);
  int st = triad_checkpoint_find(&context->comm, dir, NULL, NULL, folder, &about);
  if (st == TRIAD_OK && !about) st = TRIAD_ERR_INPUT;
  if (st == TRIAD_OK) st = triad_checkpoint_read(context, a.state, folder, about, FIELDS, NULL, NULL);
  *wrong = st == TRIAD_OK ? differences(&a) : -1;
  triad_manifest_destroy(&about);
  drop(&a);
  return st;
}

TRIAD_TEST(a_checkpoint_comes_back_bit_for_bit_in_other_blocks_and_on_fewer_ranks)
{
  const triad_context *all = triad_test_context();
  char dir[TRIAD_PATH];
  int64_t wrong;
  flow a;
  folder_make(dir);
  make(&a, all, (const int[3]){0, 0, all->comm.size});
  fill(&a);
  TRIAD_CHECK(save(&a, dir, 7));
  drop(&a);
  TRIAD_CHECK(load(all, dir, (const int[3]){all->comm.size, 0, 0}, &wrong));
  TRIAD_EQUAL(wrong, 0, "values that differ in other blocks");
  /* each rank by itself, as if it were a run on one rank */
  triad_context *alone;
  MPI_Comm self;
  TRIAD_CHECK(MPI_Comm_split(all->comm.mpi, all->comm.rank, 0, &self));
  TRIAD_CHECK(triad_context_create(&alone, self, 1));
  TRIAD_CHECK(load(alone, dir, NULL, &wrong));
  TRIAD_EQUAL(wrong, 0, "values that differ on one rank");
  triad_context_destroy(&alone);
  (void)MPI_Comm_free(&self);
  folder_delete(dir);
}

static char *read_all(const char *dir, int64_t step, const char *name, int64_t *bytes)
{
  char temporary[TRIAD_PATH], folder[TRIAD_PATH], path[TRIAD_PATH], *text = NULL;
  TRIAD_CHECK(triad_commit_names(dir, step, temporary, folder));
  TRIAD_CHECK(triad_disk_path(path, "%s/%s", folder, name));
  TRIAD_CHECK(triad_disk_load(path, 1 << 24, &text, bytes));
  return text;
}

TRIAD_TEST(files_are_the_same_whatever_the_blocks)
{
  const triad_context *all = triad_test_context();
  static const char *const files[] = {"points.h5", "manifest.txt"};
  char dir[2][TRIAD_PATH];
  for (int i = 0; i < 2; i++) {
    flow a;
    folder_make(dir[i]);
    make(&a, all, i ? (const int[3]){all->comm.size, 0, 0} : (const int[3]){0, 0, all->comm.size});
    fill(&a);
    TRIAD_CHECK(save(&a, dir[i], 7));
    drop(&a);
  }
  for (int i = 0; i < 2; i++) {
    int64_t bytes[2];
    char *text[2];
    for (int k = 0; k < 2; k++) text[k] = read_all(dir[k], 7, files[i], &bytes[k]);
    TRIAD_EQUAL(bytes[0], bytes[1], files[i]);
    TRIAD_HOLDS(bytes[0] == bytes[1] && memcmp(text[0], text[1], (size_t)bytes[0]) == 0, "%s differs", files[i]);
    free(text[0]);
    free(text[1]);
  }
  for (int i = 0; i < 2; i++) folder_delete(dir[i]);
}

/* A bit of every field and of the header flipped in turn: the older checkpoint is taken. */
TRIAD_TEST(a_damaged_checkpoint_is_passed_over)
{
  const triad_context *all = triad_test_context();
  char dir[TRIAD_PATH], temporary[TRIAD_PATH], folder[TRIAD_PATH], path[TRIAD_PATH];
  flow a;
  folder_make(dir);
  make(&a, all, NULL);
  fill(&a);
  TRIAD_CHECK(save(&a, dir, 7));
  TRIAD_CHECK(save(&a, dir, 8));
  drop(&a);
  TRIAD_CHECK(triad_commit_names(dir, 8, temporary, folder));
  TRIAD_CHECK(triad_disk_path(path, "%s/points.h5", folder));
  int64_t bytes = 0;
  for (int i = 0; i < 12; i++) {
    int fd = -1;
    char byte;
    TRIAD_CHECK(triad_disk_open(path, 1, &fd));
    TRIAD_CHECK(triad_disk_size(fd, path, &bytes));
    int64_t at = triad_test_below(1, (uint64_t)i, bytes);
    TRIAD_CHECK(triad_disk_read(fd, path, &byte, 1, at));
    (void)MPI_Barrier(all->comm.mpi);
    char flipped = (char)(byte ^ (1 << i % 8));
    if (all->comm.rank == 0) TRIAD_CHECK(triad_disk_write(fd, path, &flipped, 1, at));
    (void)MPI_Barrier(all->comm.mpi);
    triad_manifest *about = NULL;
    char found[TRIAD_PATH];
    TRIAD_CHECK(triad_checkpoint_find(&all->comm, dir, NULL, NULL, found, &about));
    TRIAD_HOLDS(about && about->step == 7, "byte %" PRId64 " of %" PRId64 " flipped, and step %" PRId64 " was taken",
                at, bytes, about ? about->step : -1);
    triad_manifest_destroy(&about);
    (void)MPI_Barrier(all->comm.mpi);
    if (all->comm.rank == 0) TRIAD_CHECK(triad_disk_write(fd, path, &byte, 1, at));
    (void)MPI_Barrier(all->comm.mpi);
    TRIAD_CHECK(triad_disk_close(&fd, path));
  }
  folder_delete(dir);
}

TRIAD_TEST(values_that_are_not_finite_are_never_saved)
{
  const triad_context *all = triad_test_context();
  char dir[TRIAD_PATH];
  flow a;
  folder_make(dir);
  make(&a, all, NULL);
  fill(&a);
  if (all->comm.rank == all->comm.size - 1) a.fields[1][triad_partition_at(&a.blocks, 1, 1, 1)] = NAN;
  hush();
  int st = save(&a, dir, 7);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_BLOWUP, "status");
  int64_t *steps = NULL;
  int count = -1;
  TRIAD_CHECK(triad_commit_list(dir, &steps, &count));
  TRIAD_EQUAL(count, 0, "checkpoints");
  free(steps);
  drop(&a);
  folder_delete(dir);
}

TRIAD_MAIN
