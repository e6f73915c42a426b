/* triad tune --sizes: compile the kernels of line lengths for GPU cases in advance. */
#include "command/tune/tune_sizes.h"
#include "base/clock.h"
#include "fft/lines/radices.h"
#include "parallel/kernel_cache.h"
#include "run/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THIN = 16, MOST = 64 };

/* One step of the case on a grid of nx x ny x nz points. Collective. */
static int step_on(triad_session *s, const triad_arguments *a, const char *path, const int n[3])
{
  char grid[64];
  const char *sets[TRIAD_MAX_ARGUMENTS + 1];
  triad_case *given = NULL;
  triad_bench_result r;
  const triad_bench_options o = {.steps = 1};
  (void)snprintf(grid, sizeof grid, "grid.n=[%d,%d,%d]", n[0], n[1], n[2]);
  memcpy(sets, a->sets, (size_t)a->n_sets * sizeof *sets);
  sets[a->n_sets] = grid;
  int st = triad_case_parse(&given, path, s->text, s->text_length, sets, a->n_sets + 1);
  st = triad_agree(&s->comm, st);
  if (st == TRIAD_OK) st = triad_bench(s->context, given, &o, &r);
  if (st == TRIAD_OK && strcmp(r.device, "cpu") == 0)
    st = TRIAD_FAIL(
      TRIAD_ERR_FEATURE,
      "--sizes compiles GPU kernels, but this case runs on the CPU: try --set parallel.device=gpu to see why");
  triad_case_destroy(&given);
  return st;
}

/* Lines of unsupported lengths use cuFFT, and a step on such a grid would compile nothing. */
static int has_kernels(long size)
{
  long near = size < TRIAD_RADICES_LEAST ? TRIAD_RADICES_LEAST : size > TRIAD_RADICES_MAX ? TRIAD_RADICES_MAX : size;
  for (long apart = 1; !triad_radices_serve((int)near, 0); apart++) near += apart % 2 ? -apart : apart;
  return near == size ? TRIAD_OK
                      : TRIAD_FAIL(TRIAD_ERR_USAGE,
                                   "--sizes: %ld points per line require cuFFT; Triad's kernels support %d to %d "
                                   "points without prime factors above 13, the nearest %ld",
                                   size, TRIAD_RADICES_LEAST, TRIAD_RADICES_MAX, near);
}

static int sizes_of(const char *list, int sizes[MOST], int *n)
{
  for (const char *at = list; *at;) {
    char *end = NULL;
    const long size = strtol(at, &end, 10);
    if (end == at || (*end && *end != ',') || (*end == ',' && !end[1]) || size < 1 || size > 65536 || *n == MOST)
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sizes %.80s: give at most %d numbers of points, such as 480,500", list,
                        MOST);
    TRIAD_TRY(has_kernels(size));
    sizes[(*n)++] = (int)size;
    at = *end ? end + 1 : end;
  }
  return *n > 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_USAGE, "--sizes: give numbers of points, such as 480,500");
}

int triad_tune_sizes(triad_session *s, const triad_arguments *a, const char *path, const char *list)
{
  int sizes[MOST], n = 0;
  char folder[TRIAD_KERNEL_PATH];
  TRIAD_TRY(triad_agree(&s->comm, sizes_of(list, sizes, &n)));
  for (int i = 0; i < n; i++) {
    const int wide[3] = {sizes[i], sizes[i], THIN}, tall[3] = {THIN, THIN, sizes[i]};
    const double begin = triad_now();
    TRIAD_TRY(step_on(s, a, path, wide));
    TRIAD_TRY(step_on(s, a, path, tall));
    triad_log_info(s->log, "kernels for %d points per line are ready: %.1f s", sizes[i], triad_now() - begin);
  }
  triad_kernel_cache_folder(folder);
  triad_log_info(s->log, "kernels that are not built in are stored in %s",
                 *folder ? folder : "no folder: set TRIAD_KERNELS");
  return TRIAD_OK;
}
