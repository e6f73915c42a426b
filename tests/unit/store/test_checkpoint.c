/* Checkpoints: what comes back is what was written, on any number of ranks, and the files are the same.
 * ranks: 1 2 3 5   threads: 1   precision: both */
#include "checkpoints.h"

#include "store/fields/checkpoint.h"
#include "store/checkpoint/commit.h"

#include <sys/stat.h>

static const struct {
  int64_t n[3];
  triad_truncation truncation;
  int64_t lanes;
} shapes[] = {
  {{16, 16, 16}, TRIAD_SPHERE, 8}, {{15, 9, 21}, TRIAD_SPHERE, 4}, {{12, 20, 7}, TRIAD_BOX, 8},
  {{8, 6, 10}, TRIAD_NONE, 4},     {{7, 5, 9}, TRIAD_NONE, 1},     {{32, 1, 1}, TRIAD_SPHERE, 8},
  {{1, 24, 18}, TRIAD_BOX, 8},     {{4, 4, 64}, TRIAD_BOX, 16},    {{1, 1, 1}, TRIAD_SPHERE, 8},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

TRIAD_TEST(same_grid_comes_back_bit_for_bit)
{
  const triad_context *ctx = triad_test_context();
  char dir[TRIAD_PATH];
  folder_make(dir);
  for (int s = 0; s < SHAPES; s++) {
    flow a = flow_make(ctx, shapes[s].n, shapes[s].truncation, shapes[s].lanes, mode_full);
    flow b = flow_make(ctx, shapes[s].n, shapes[s].truncation, shapes[s].lanes, NULL);
    double dropped = 1;
    TRIAD_CHECK(write_step(ctx, &a, dir, s));
    TRIAD_CHECK(read_newest(ctx, dir, &b, &dropped));
    TRIAD_EQUAL(flow_differs(&a, &b), 0, "fields differ");
    TRIAD_EQUAL(dropped > 0, 0, "energy dropped");
    flow_free(&a);
    flow_free(&b);
  }
  folder_delete(dir);
}

/* A context over the first `count` ranks; NULL on the others. */
static triad_context *some_ranks(int count)
{
  MPI_Comm sub = MPI_COMM_NULL;
  triad_context *ctx = NULL;
  int in = triad_test_comm()->rank < count;
  (void)MPI_Comm_split(triad_test_comm()->mpi, in ? 0 : MPI_UNDEFINED, 0, &sub);
  if (!in) return NULL;
  TRIAD_CHECK(triad_context_create(&ctx, sub, 1));
  (void)MPI_Comm_free(&sub);
  return ctx;
}

TRIAD_TEST(any_rank_count_reads_what_any_other_wrote)
{
  int size = triad_test_comm()->size;
  char dir[TRIAD_PATH];
  folder_make(dir);
  for (int w = 1; w <= size; w++)
    for (int r = 1; r <= size; r++)
      for (int s = 0; s < 2; s++) {
        int64_t step = (w * 10 + r) * 10 + s;
        triad_context *writer = some_ranks(w);
        if (writer) {
          flow a = flow_make(writer, shapes[s].n, shapes[s].truncation, shapes[s].lanes, mode_full);
          TRIAD_CHECK(write_step(writer, &a, dir, step));
          flow_free(&a);
        }
        triad_context_destroy(&writer);
        (void)MPI_Barrier(triad_test_comm()->mpi);
        triad_context *reader = some_ranks(r);
        if (reader) {
          flow a = flow_make(reader, shapes[s].n, shapes[s].truncation, shapes[s].lanes, mode_full);
          flow b = flow_make(reader, shapes[s].n, shapes[s].truncation, shapes[s].lanes, NULL);
          TRIAD_CHECK(read_newest(reader, dir, &b, NULL));
          TRIAD_HOLDS(!flow_differs(&a, &b), "written on %d ranks, read on %d", w, r);
          flow_free(&a);
          flow_free(&b);
        }
        triad_context_destroy(&reader);
        (void)MPI_Barrier(triad_test_comm()->mpi);
      }
  folder_delete(dir);
}

TRIAD_TEST(files_are_the_same_on_any_rank_count)
{
  char dir[TRIAD_PATH], one[TRIAD_PATH], all[TRIAD_PATH];
  folder_make(dir);
  triad_context *alone = some_ranks(1);
  const int64_t n[3] = {15, 9, 21};
  char *text[2] = {NULL, NULL}, path[TRIAD_PATH];
  int64_t bytes[2] = {0, 1};
  TRIAD_CHECK(triad_disk_path(one, "%s/one", dir));
  TRIAD_CHECK(triad_disk_path(all, "%s/all", dir));
  if (alone) {
    assert_int_equal(mkdir(one, 0700), 0);
    assert_int_equal(mkdir(all, 0700), 0);
    flow a = flow_make(alone, n, TRIAD_SPHERE, 4, mode_full);
    TRIAD_CHECK(write_step(alone, &a, one, 12));
    flow_free(&a);
  }
  triad_context_destroy(&alone);
  (void)MPI_Barrier(triad_test_comm()->mpi);
  flow b = flow_make(triad_test_context(), n, TRIAD_SPHERE, 8, mode_full);
  TRIAD_CHECK(write_step(triad_test_context(), &b, all, 12));
  flow_free(&b);
  for (int file = 0; file < 2 && triad_test_comm()->rank == 0; file++) {
    for (int i = 0; i < 2; i++) {
      TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000012/%s", i ? all : one,
                                  file ? TRIAD_MANIFEST_FILE : TRIAD_MODES_FILE));
      TRIAD_CHECK(triad_disk_load(path, 1 << 24, &text[i], &bytes[i]));
    }
    TRIAD_EQUAL(bytes[0], bytes[1], "size of the file");
    if (bytes[0] == bytes[1]) TRIAD_EQUAL(memcmp(text[0], text[1], (size_t)bytes[0]), 0, "its bytes");
    free(text[0]);
    free(text[1]);
  }
  folder_delete(dir);
}

TRIAD_TEST(rank_0_writing_for_all_makes_the_same_bytes)
{
  const triad_context *ctx = triad_test_context();
  char dir[2][TRIAD_PATH], path[TRIAD_PATH], *text[2][2];
  int64_t bytes[2][2];
  static const char *const files[2] = {"modes.h5", "manifest.txt"};
  /* the last one takes several rounds: 4 MiB of staging hold a fifth of a field */
  static const int64_t n[3][3] = {{15, 9, 21}, {1, 1, 1}, {200, 200, 40}};
  for (int p = 0; p < 3; p++) {
    flow a = flow_make(ctx, n[p], TRIAD_BOX, 4, mode_full);
    for (int gather = 0; gather < 2; gather++) {
      triad_checkpoint_info info = info_of(7);
      info.gather = gather;
      folder_make(dir[gather]);
      TRIAD_CHECK(triad_checkpoint_write(ctx, a.state, dir[gather], &info, 3));
      for (int f = 0; f < 2; f++) {
        TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000007/%s", dir[gather], files[f]));
        TRIAD_CHECK(triad_disk_load(path, INT64_MAX, &text[gather][f], &bytes[gather][f]));
      }
    }
    for (int f = 0; f < 2; f++) {
      TRIAD_EQUAL(bytes[1][f], bytes[0][f], files[f]);
      TRIAD_HOLDS(bytes[1][f] == bytes[0][f] && memcmp(text[1][f], text[0][f], (size_t)bytes[0][f]) == 0,
                  "%s differs for shape %d", files[f], p);
      for (int gather = 0; gather < 2; gather++) free(text[gather][f]);
    }
    for (int gather = 0; gather < 2; gather++) folder_delete(dir[gather]);
    flow_free(&a);
  }
}

TRIAD_TEST(names_and_values_come_back)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {6, 6, 6};
  char dir[TRIAD_PATH], folder[TRIAD_PATH], *long_text = malloc(100001);
  triad_notes *notes;
  folder_make(dir);
  memset(long_text, 'x', 100000);
  long_text[100000] = '\0';
  TRIAD_CHECK(triad_notes_create(&notes));
  TRIAD_CHECK(triad_notes_set_real(notes, "forcing.phase", 1.0 / 3));
  TRIAD_CHECK(triad_notes_set_real(notes, "tiny", 4.9e-324));
  TRIAD_CHECK(triad_notes_set_integer(notes, "counter", INT64_MIN));
  TRIAD_CHECK(triad_notes_set_text(notes, "case", "a = \"b\"\n\tc = '\\'\r\x01\x7f \xc3\xa9"));
  TRIAD_CHECK(triad_notes_set_text(notes, "long", long_text));
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full);
  triad_checkpoint_info info = info_of(1234567890123);
  info.notes = notes;
  TRIAD_CHECK(triad_checkpoint_write(ctx, a.state, dir, &info, 2));
  triad_notes_destroy(&notes);
  triad_manifest *m;
  TRIAD_CHECK(triad_checkpoint_find(&ctx->comm, dir, NULL, NULL, folder, &m));
  assert_non_null(m);
  TRIAD_EQUAL(m->step, 1234567890123, "step");
  TRIAD_EQUAL(memcmp(&m->t, &info.t, sizeof m->t) | memcmp(&m->dt, &info.dt, sizeof m->dt), 0, "bits of t and dt");
  TRIAD_EQUAL(strcmp(m->solver, "hd") | strcmp(m->writer, "triad test"), 0, "solver and writer");
  double real = 0, third = 1.0 / 3;
  const char *text = "";
  TRIAD_CHECK(triad_notes_real(m->notes, "forcing.phase", &real));
  TRIAD_EQUAL(memcmp(&real, &third, sizeof real), 0, "bits of a real");
  TRIAD_CHECK(triad_notes_real(m->notes, "tiny", &real));
  TRIAD_EQUAL(real > 0, 1, "the smallest real");
  int i = 0;
  while (i < m->notes->count - 1 && strcmp(m->notes->items[i].name, "counter") != 0) i++;
  TRIAD_EQUAL(m->notes->items[i].kind, TRIAD_NOTE_INTEGER, "kind of an integer");
  TRIAD_EQUAL(m->notes->items[i].integer, INT64_MIN, "an integer");
  TRIAD_CHECK(triad_notes_text(m->notes, "case", &text));
  TRIAD_EQUAL(strcmp(text, "a = \"b\"\n\tc = '\\'\r\x01\x7f \xc3\xa9"), 0, "a text with odd bytes");
  TRIAD_CHECK(triad_notes_text(m->notes, "long", &text));
  TRIAD_EQUAL(strcmp(text, long_text), 0, "a long text");
  TRIAD_FAILS(triad_notes_real(m->notes, "counter", &real), TRIAD_ERR_CASE, "integer");
  triad_manifest_destroy(&m);
  flow_free(&a);
  free(long_text);
  folder_delete(dir);
}

TRIAD_MAIN
