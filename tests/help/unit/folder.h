/* A folder for the files of a test, the same on every rank, and silence where failures are expected. */
#ifndef TRIAD_TESTS_UNIT_FOLDER_H
#define TRIAD_TESTS_UNIT_FOLDER_H

#include "test.h"

#include "store/disk.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static int delete_one(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
  (void)about, (void)kind, (void)walk;
  return remove(path);
}

static void folder_delete(const char *path)
{
  (void)MPI_Barrier(triad_test_comm()->mpi);
  if (triad_test_comm()->rank == 0) (void)nftw(path, delete_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void folder_make(char path[TRIAD_PATH])
{
  const char *base = getenv("TMPDIR");
  int made = 0;
  if (triad_test_comm()->rank == 0) {
    (void)snprintf(path, TRIAD_PATH, "%s/triad-test-XXXXXX", base && *base ? base : "/tmp");
    made = mkdtemp(path) != NULL;
  }
  (void)MPI_Bcast(&made, 1, MPI_INT, 0, triad_test_comm()->mpi);
  (void)MPI_Bcast(path, TRIAD_PATH, MPI_CHAR, 0, triad_test_comm()->mpi);
  if (!made) fail_msg("no folder for the test");
}

/* Failures are expected here: their lines would only confuse whoever reads the output. */
static int quiet_fd = -1;
static inline void hush(void)
{
  (void)fflush(stderr);
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  quiet_fd = dup(2);
  (void)dup2(null, 2);
  (void)close(null);
}
static inline void speak(void)
{
  (void)fflush(stderr);
  (void)dup2(quiet_fd, 2);
  (void)close(quiet_fd);
}

#endif
