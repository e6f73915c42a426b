/* Time a pass with each transport between GPUs and choose the fastest. */
#include "solvers/spectral/step/gpu_fastest.h"
#include "solvers/spectral/step/gpu_stepper.h"
#include "base/clock.h"
#include "parallel/context.h"
#include "parallel/transports/messages.h"
#include "parallel/transports/transport.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 3, PASSES = 2 };

/* The slowest rank's time of a pass, best of some rounds [s]. The first pass, which loads kernels, is not counted. */
static int time_pass(const triad_gpu_race *race, triad_gpu_pass *pass, double *best)
{
  const triad_comm *comm = &race->context->comm;
  TRIAD_TRY(triad_gpu_pass_run(pass, race->job));
  for (int round = 0; round < ROUNDS; round++) {
    double all = 0;
    TRIAD_TRY(triad_agree(comm, triad_device_wait(race->device)));
    TRIAD_TRY(TRIAD_MPI(MPI_Barrier(comm->mpi)));
    double begin = triad_now();
    for (int i = 0; i < PASSES; i++) TRIAD_TRY(triad_gpu_pass_run(pass, race->job));
    int st = triad_device_wait(race->device);
    double mine = (triad_now() - begin) / PASSES;
    TRIAD_TRY(triad_agree(comm, st));
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, comm->mpi)));
    if (round == 0 || all < *best) *best = all;
  }
  return TRIAD_OK;
}

static int try_word(const triad_gpu_race *race, const char *word, double *seconds)
{
  triad_gpu_pass_options options = race->options;
  triad_gpu_pass *pass = NULL;
  options.transport = word;
  int st = triad_gpu_pass_create(&pass, race->context, race->device, race->layout, race->most_in, race->most_out,
                                 race->row_fields, &options);
  if (st == TRIAD_OK) st = time_pass(race, pass, seconds);
  triad_gpu_pass_destroy(&pass);
  return st;
}

/* seconds < 0: not available, which is logged. */
static void append(char times[TRIAD_GPU_TIMES], const char *word, double seconds)
{
  size_t used = strlen(times);
  if (seconds < 0) (void)snprintf(times + used, TRIAD_GPU_TIMES - used, "%s%s not available", used ? ", " : "", word);
  else
    (void)snprintf(times + used, TRIAD_GPU_TIMES - used, "%s%s %.3g ms a pass", used ? ", " : "", word, 1e3 * seconds);
}

int triad_gpu_fastest(const triad_gpu_race *race, const char **word, char times[TRIAD_GPU_TIMES])
{
  const char *words[TRIAD_TRANSPORTS];
  double best = 0, seconds = 0;
  int n = 0, tried = 0;
  *word = "auto";
  times[0] = '\0';
  if (race->context->comm.size == 1) return TRIAD_OK;
  TRIAD_TRY(triad_transport_list(race->context, race->device, words, &n));
  for (int i = 0; i < n && n > 1; i++) {
    if (strcmp(words[i], "staged") == 0) continue;
    int st = try_word(race, words[i], &seconds);
    if (st == TRIAD_ERR_FEATURE || st == TRIAD_ERR_INTERNAL) {
      append(times, words[i], -1);
      continue;
    }
    TRIAD_TRY(st);
    append(times, words[i], seconds);
    if (tried++ > 0 && seconds >= best) continue;
    best = seconds;
    *word = words[i];
  }
  if (tried == 0) *word = "staged";
  return TRIAD_OK;
}
