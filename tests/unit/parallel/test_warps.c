/* CUDA's functions of a warp on warps of 32 threads, and on waves of 64 lanes as src/parallel/hip has them for AMD
 * GPUs. Kernels that use them are tested on both in the rooms of their solvers. ranks: 1 waves: 64 32 */
#include "test.h"

#include "tests/unit/parallel/warp_functions.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 160 /* two waves of 64 and a half */, WARP = 32 };

static double row[WARP_ROWS][THREADS];

/* Of threads of its own warp with the same number. */
static double same_as(int me)
{
  unsigned bits = 0;
  for (int i = 0; i < WARP; i++) {
    const int other = me / WARP * WARP + i;
    if (other % 3 + other / 40 == me % 3 + me / 40) bits |= 1u << i;
  }
  return bits;
}

TRIAD_TEST(functions_of_a_warp_see_their_32_threads)
{
  warp_functions(&row[0][0], THREADS);
  for (int me = 0; me < THREADS; me++) {
    const int first = me / WARP * WARP, lane = me % WARP;
    TRIAD_EQUAL(row[WARP_XOR_1][me], 1000 + first + (lane ^ 1), "xor 1");
    TRIAD_EQUAL(row[WARP_XOR_16][me], 1000 + first + (lane ^ 16), "xor 16");
    TRIAD_EQUAL(row[WARP_UP][me], 1000 + (lane < 3 ? me : me - 3), "up");
    TRIAD_EQUAL(row[WARP_DOWN][me], 1000 + (lane + 3 < WARP ? me + 3 : me), "down");
    TRIAD_EQUAL(row[WARP_OF_5][me], 1000 + first + 5, "of lane 5");
    TRIAD_EQUAL(row[WARP_INTEGER][me], -(first + 7), "an integer of lane 7");
    TRIAD_EQUAL(row[WARP_ACTIVE][me], 0xffffffffu, "active threads");
    TRIAD_EQUAL(row[WARP_SAME][me], same_as(me), "threads with the same number");
    TRIAD_EQUAL(row[WARP_SUM][me], WARP * first + WARP * (WARP - 1) / 2, "sum");
  }
}

TRIAD_TEST(sums_of_a_block_are_of_all_its_warps)
{
  for (int threads = WARP; threads <= 256; threads += WARP) {
    double out[2] = {0, 0};
    warp_block(out, threads);
    TRIAD_EQUAL(out[0], threads * (threads + 1) / 2, "sum over a block");
    TRIAD_EQUAL(out[1], threads - 1, "maximum over a block");
  }
}

TRIAD_TEST(lines_wait_for_their_own_threads)
{
  double out[128] = {0};
  warp_lines(out, 0);
  for (int me = 0; me < 128; me++) TRIAD_EQUAL(out[me], me / 64 * 64 + 63 - me % 64, "the other end of the line");
}

/* On an AMD GPU such a block would wait for ever. */
TRIAD_TEST(a_barrier_that_some_threads_miss_is_found_on_waves_alone)
{
  double out[128] = {0};
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    (void)freopen("/dev/null", "w", stderr);
    (void)signal(SIGABRT, SIG_DFL);
    warp_lines(out, 1);
    _exit(0);
  }
  TRIAD_HOLDS(child > 0 && waitpid(child, &status, 0) == child, "a process of its own");
  if (getenv("TRIAD_FAKE_WAVE")) TRIAD_HOLDS(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %d", status);
  else TRIAD_HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
}

TRIAD_MAIN
