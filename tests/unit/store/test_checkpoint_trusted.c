/* Checkpoints: nothing corrupt, foreign or unfit is trusted.
 * ranks: 1 2 3 5   threads: 1   precision: both */
#include "checkpoints.h"

#include "store/fields/checkpoint.h"
#include "store/checkpoint/commit.h"

#include <sys/stat.h>
#include <unistd.h>

TRIAD_TEST(a_flipped_bit_anywhere_is_detected)
{
  static const char *const files[] = {TRIAD_MODES_FILE, TRIAD_MANIFEST_FILE};
  enum { SAMPLES = 150 };
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  two_checkpoints(dir);
  for (int f = 0; f < 2; f++) {
    struct stat about;
    newer_file(dir, files[f], path);
    assert_int_equal(stat(path, &about), 0);
    for (uint64_t i = 0; i < SAMPLES; i++) {
      /* every region: the samples are spread over the file, at a random place in each stretch; the ends, too */
      int64_t size = about.st_size, stretch = size / SAMPLES + 1;
      int64_t at = (int64_t)i * stretch + triad_test_below(20, i, stretch);
      if (i == 0) at = 0;
      if (at >= size) at = size - 1;
      int bit = (int)triad_test_below(21, i, 8);
      rejections r;
      flip(path, at, bit);
      int64_t step = newest_step(dir, &r);
      TRIAD_HOLDS(step == 1 && r.count == 1, "%s, byte %lld, bit %d: step %lld is trusted, %d rejected", files[f],
                  (long long)at, bit, (long long)step, r.count);
      flip(path, at, bit);
    }
  }
  TRIAD_EQUAL(newest_step(dir, NULL), 2, "step that is valid once all is put right");
  folder_delete(dir);
}

TRIAD_TEST(reading_verifies_what_it_reads)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH], folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  two_checkpoints(dir);
  newer_file(dir, TRIAD_MODES_FILE, path);
  TRIAD_CHECK(triad_checkpoint_about(&ctx->comm, path, folder, &about));
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  flip(path, about->fields[2].offset + triad_manifest_field_bytes(about, 2) - 3, 5);
  hush();
  int all = triad_checkpoint_read(ctx, a.state, folder, about, FIELDS, NULL, NULL);
  int two = triad_checkpoint_read(ctx, a.state, folder, about, 2, NULL, NULL);
  speak();
  TRIAD_EQUAL(all, TRIAD_ERR_CASE, "reading a damaged field");
  TRIAD_EQUAL(two, TRIAD_OK, "reading the fields beside it");
  flow_free(&a);
  triad_manifest_destroy(&about);
  folder_delete(dir);
}

TRIAD_TEST(incomplete_and_foreign_folders_are_rejected_with_a_reason)
{
  static const char *const whats[] = {"cut",    "empty", "missing",  "no manifest",   "manifest cut",
                                      "a pipe", "long",  "a folder", "empty manifest"};
  static const char *const reasons[] = {
    "but the manifest has", "but the manifest has", "No such file",  "not a complete", "damaged",
    "not a regular",        "but the manifest has", "not a regular", "not a manifest"};
  for (int what = 0; what < 9; what++) {
    char dir[TRIAD_PATH], modes[TRIAD_PATH], manifest[TRIAD_PATH];
    rejections r;
    two_checkpoints(dir);
    newer_file(dir, TRIAD_MODES_FILE, modes);
    newer_file(dir, TRIAD_MANIFEST_FILE, manifest);
    if (triad_test_comm()->rank == 0) {
      struct stat about;
      int bad = stat(modes, &about);
      switch (what) {
      case 0: bad |= truncate(modes, about.st_size - 1); break;
      case 1: bad |= truncate(modes, 0); break;
      case 2: bad |= unlink(modes); break;
      case 3: bad |= unlink(manifest); break;
      case 4: bad |= truncate(manifest, 300); break;
      case 5: bad |= unlink(modes) | mkfifo(modes, 0600); break;
      case 6: bad |= truncate(modes, about.st_size + 4096); break;
      case 7: bad |= unlink(modes) | mkdir(modes, 0700); break;
      case 8: bad |= truncate(manifest, 0); break;
      default: break;
      }
      assert_int_equal(bad, 0);
    }
    (void)MPI_Barrier(triad_test_comm()->mpi);
    TRIAD_EQUAL(newest_step(dir, &r), 1, whats[what]);
    TRIAD_HOLDS(r.count == 1 && strstr(r.why, reasons[what]), "%s: %d rejected, \"%s\"", whats[what], r.count, r.why);
    folder_delete(dir);
  }
}

TRIAD_TEST(a_run_without_checkpoints_has_none)
{
  char dir[TRIAD_PATH], folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  folder_make(dir);
  TRIAD_EQUAL(newest_step(dir, NULL), -1, "newest step");
  hush();
  int st = triad_checkpoint_about(triad_test_comm(), "/nowhere/at/all", folder, &about);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_INPUT, "a checkpoint that is not there");
  folder_delete(dir);
}

TRIAD_TEST(misfits_are_refused)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  static const triad_field_info others[] = {{"u", "", "U", TRIAD_SCALAR}, {"theta", "", "U", TRIAD_SCALAR}};
  char dir[TRIAD_PATH], folder[TRIAD_PATH];
  triad_manifest *m = NULL;
  two_checkpoints(dir);
  TRIAD_CHECK(triad_checkpoint_find(&ctx->comm, dir, NULL, NULL, folder, &m));
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  hush();
  triad_state *wrong = state_of(ctx, a.layout, others, 2, (void *const[]){a.u[0], a.u[1]});
  int name = triad_checkpoint_read(ctx, wrong, folder, m, 2, NULL, NULL);
  triad_state_destroy(&wrong);
  a.layout->grid.length[1] *= 1 + 1e-11;
  int length = triad_checkpoint_read(ctx, a.state, folder, m, FIELDS, NULL, NULL);
  a.layout->grid.length[1] = box_length[1] * (1 + 4e-13);
  int near = triad_checkpoint_read(ctx, a.state, folder, m, FIELDS, NULL, NULL);
  speak();
  TRIAD_EQUAL(name, TRIAD_ERR_CASE, "a field that is not there");
  TRIAD_EQUAL(length, TRIAD_ERR_CASE, "another box");
  TRIAD_EQUAL(near, TRIAD_OK, "a box that differs by round-off");
  triad_manifest_destroy(&m);
  flow_free(&a);
  folder_delete(dir);
}

TRIAD_MAIN
