/* What a run on a GPU copies between it and the host: a case goes through the time loop as `triad run` takes it,
 * files and all, on the device that is the host (tests/help/fake), which counts. For tests of the solvers' GPU
 * parts, which link with fake/device.c: a step after which nothing is due copies a few numbers and no field, and
 * what is due no more than it is of. */
#ifndef TRIAD_TESTS_UNIT_COPIED_H
#define TRIAD_TESTS_UNIT_COPIED_H

#include "test.h"
#include "families.h"

#include "case/case.h"
#include "fake/device.h"
#include "folder.h"
#include "run/run.h"

/* All that a run may write, none of it due in the steps that are counted but what a set asks for. */
#define NOTHING_DUE \
  "[output]\nseries_interval = 50.0\nspectra_interval = 50.0\nfields_interval = 50.0\nslices_interval = " \
  "50.0\ncheckpoint_interval = 50.0\n"

/* Folders that the program makes before it runs a case. */
static inline void copied_folders(const char *dir)
{
  static const char *const names[] = {"checkpoints", "fields", "slices", "spectra", "particles"};
  char path[TRIAD_PATH];
  for (size_t i = 0; i < sizeof names / sizeof *names && triad_test_comm()->rank == 0; i++) {
    TRIAD_CHECK(triad_disk_path(path, "%s/%s", dir, names[i]));
    (void)mkdir(path, 0700);
  }
  (void)MPI_Barrier(triad_test_comm()->mpi);
}

/* The most bytes that one of `steps` steps of a case of this text and these sets (NULL after them) copies, with what
 * is due after it; the first step, which may find the state on the host, does not count. */
static inline int64_t copied_by_a_step(const char *text, const char *const *sets, int steps)
{
  enum { SETS = 16 };
  const char *all[SETS];
  char dir[TRIAD_PATH];
  int n = 0, done = 0, st;
  int64_t most = 0;
  triad_case *given = NULL;
  triad_loop *loop = NULL;
  volatile sig_atomic_t request = TRIAD_REQUEST_NONE;
  for (; sets[n]; n++) all[n] = sets[n];
  all[n++] = "parallel.device=\"gpu\"";
  st = triad_case_parse(&given, "test", text, strlen(text), all, n);
  if (st != TRIAD_OK) fail_msg("the test's case: %s", given ? triad_case_errors(given) : triad_message());
  folder_make(dir);
  copied_folders(dir);
  const triad_run_options options = {.dir = dir, .request = &request};
  TRIAD_CHECK(triad_loop_begin(&loop, triad_test_now.context, given, &options, 1, &done));
  TRIAD_CHECK(triad_loop_open(loop));
  for (int i = 0; i <= steps; i++) {
    const int64_t before = fake_copied();
    TRIAD_CHECK(triad_loop_step(loop, INFINITY));
    const int64_t copied = fake_copied() - before;
    if (i > 0 && copied > most) most = copied;
  }
  TRIAD_HOLDS(!triad_loop_finished(loop), "the run is over: what is due at the end was counted");
  TRIAD_CHECK(triad_loop_end(&loop, TRIAD_OK));
  folder_delete(dir);
  triad_case_destroy(&given);
  return most;
}

#define COPIED(text, ...) copied_by_a_step(text, (const char *const[]){__VA_ARGS__, NULL}, 3)

#endif
