/* Checkpoints: which stand after a write, a failed one too; the last good ones never go.
 * ranks: 1 2 3 5   threads: 1   precision: both */
#include "checkpoints.h"

#include "store/fields/checkpoint.h"
#include "store/checkpoint/commit.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

TRIAD_TEST(a_field_that_is_not_finite_is_never_written)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  two_checkpoints(dir);
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full);
  if (ctx->comm.rank == ctx->comm.size - 1) a.u[1][triad_layout_place(a.layout, 0, 0)].im = (triad_real)NAN;
  hush();
  int st = write_step(ctx, &a, dir, 3), again = write_step(ctx, &a, dir, 2);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_BLOWUP, "writing NaN");
  TRIAD_EQUAL(again, TRIAD_ERR_BLOWUP, "writing NaN over a good checkpoint");
  TRIAD_EQUAL(newest_step(dir, NULL), 2, "newest valid step");
  TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/.tmp-step-00000003", dir));
  TRIAD_EQUAL(access(path, F_OK) == 0, 0, "the temporary folder is left");
  flow_free(&a);
  folder_delete(dir);
}

TRIAD_TEST(old_ones_go_but_never_the_last_good_ones)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {8, 8, 8};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  folder_make(dir);
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full);
  for (int64_t step = 1; step <= 3; step++) TRIAD_CHECK(write_step(ctx, &a, dir, step));
  if (ctx->comm.rank == 0) { /* step 3 loses its tail, step 1 gets a visitor */
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000003/" TRIAD_MODES_FILE, dir));
    assert_int_equal(truncate(path, 100), 0);
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000001/notes-of-mine", dir));
    assert_int_equal(mkdir(path, 0700), 0);
    /* a folder that a killed run left */
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/.tmp-step-00000004", dir));
    assert_int_equal(mkdir(path, 0700), 0);
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/.tmp-step-00000004/" TRIAD_MODES_FILE, dir));
    int fd;
    TRIAD_CHECK(triad_disk_create(path, &fd));
    (void)triad_disk_close(&fd, path);
  }
  (void)MPI_Barrier(ctx->comm.mpi);
  for (int64_t step = 4; step <= 6; step++) {
    triad_checkpoint_info info = info_of(step);
    TRIAD_CHECK(triad_checkpoint_write(ctx, a.state, dir, &info, 0)); /* keep 0 means 2 */
    if (step == 4) { /* 4 and 2 are sound, 3 is not: it must not push 2 out */
      TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/step-00000002", dir));
      TRIAD_EQUAL(access(path, F_OK), 0, "step 2 stands while step 3 is broken");
    }
  }
  int64_t *steps;
  int count;
  TRIAD_CHECK(triad_commit_list(dir, &steps, &count));
  TRIAD_EQUAL(count, 3, "checkpoints that stand");
  if (count == 3) TRIAD_EQUAL(steps[0] * 100 + steps[1] * 10 + steps[2], 651, "their steps");
  free(steps);
  if (ctx->comm.rank == 0) {
    char *text;
    int64_t bytes;
    TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/latest", dir));
    TRIAD_CHECK(triad_disk_load(path, 100, &text, &bytes));
    TRIAD_EQUAL(strcmp(text, "step-00000006\n"), 0, "latest");
    free(text);
  }
  flow_free(&a);
  folder_delete(dir);
}

TRIAD_TEST(the_same_step_is_replaced_in_one_piece)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  two_checkpoints(dir);
  newer_file(dir, TRIAD_MODES_FILE, path);
  flip(path, 5000, 1);
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_value), b = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  TRIAD_CHECK(write_step(ctx, &a, dir, 2));
  TRIAD_CHECK(read_newest(ctx, dir, &b, NULL));
  TRIAD_EQUAL(flow_differs(&a, &b), 0, "fields differ");
  TRIAD_CHECK(triad_disk_path(path, "%s/checkpoints/.tmp-step-00000002", dir));
  TRIAD_EQUAL(access(path, F_OK) == 0, 0, "the temporary folder is left");
  flow_free(&a);
  flow_free(&b);
  folder_delete(dir);
}

TRIAD_TEST(failure_on_rank_0_fails_all)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {8, 8, 8};
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full);
  hush();
  int st = write_step(ctx, &a, "/nowhere/at/all", 1);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_IO, "writing to a folder that is not there");
  flow_free(&a);
}

/* A tmpfs of a few pages is filled to a different degree each time, so that each stage of a write meets the end of the
 * disk. Whatever happens, ranks agree and the checkpoint that stood still stands. */
TRIAD_TEST(a_full_disk_is_an_error_on_all_ranks_and_loses_nothing)
{
  const triad_context *ctx = triad_test_context();
  const int64_t n[3] = {12, 10, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  int mounted = 0;
  folder_make(dir);
  if (ctx->comm.rank == 0) mounted = mount("none", dir, "tmpfs", 0, "size=1m,mode=700") == 0;
  (void)MPI_Bcast(&mounted, 1, MPI_INT, 0, ctx->comm.mpi);
  if (!mounted) {
    folder_delete(dir);
    TRIAD_SKIP("mounting a tmpfs is not allowed here");
  }
  flow a = flow_make(ctx, n, TRIAD_SPHERE, 4, mode_full), b = flow_make(ctx, n, TRIAD_SPHERE, 4, NULL);
  TRIAD_CHECK(write_step(ctx, &a, dir, 1));
  int failed = 0, succeeded = 0;
  TRIAD_CHECK(triad_disk_path(path, "%s/ballast", dir));
  for (int64_t pages = 0; pages < 40; pages++) {
    if (ctx->comm.rank == 0) { /* fill the disk, but for some pages */
      struct stat about;
      char page[4096];
      memset(page, 1, sizeof page);
      int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      while (write(fd, page, sizeof page) > 0) continue;
      (void)fstat(fd, &about);
      (void)ftruncate(fd, about.st_size - pages * 4096);
      (void)close(fd);
    }
    (void)MPI_Barrier(ctx->comm.mpi);
    hush();
    int st = write_step(ctx, &a, dir, 2 + pages);
    speak();
    int same[2] = {st, -st};
    (void)MPI_Allreduce(MPI_IN_PLACE, same, 2, MPI_INT, MPI_MAX, ctx->comm.mpi);
    TRIAD_EQUAL(same[0], -same[1], "status on all ranks");
    TRIAD_HOLDS(st == TRIAD_OK || st == TRIAD_ERR_IO, "status %d with %lld pages", st, (long long)pages);
    failed += st != TRIAD_OK;
    succeeded += st == TRIAD_OK;
    TRIAD_CHECK(read_newest(ctx, dir, &b, NULL));
    TRIAD_HOLDS(!flow_differs(&a, &b), "fields differ with %lld pages", (long long)pages);
    if (st == TRIAD_OK) break;
  }
  TRIAD_HOLDS(failed > 3 && succeeded == 1, "%d writes failed, %d succeeded", failed, succeeded);
  flow_free(&a);
  flow_free(&b);
  (void)MPI_Barrier(ctx->comm.mpi);
  if (ctx->comm.rank == 0) (void)umount2(dir, MNT_DETACH);
  folder_delete(dir);
}

TRIAD_MAIN
