/* `triad bench --machine`: measure the speed of this node in the form that `triad plan` requires
 * (store/formats/machine.h). */
#ifndef TRIAD_RUN_BENCH_MACHINE_H
#define TRIAD_RUN_BENCH_MACHINE_H

#include "base/log.h"
#include "parallel/context.h"
#include "store/formats/machine.h"

enum { TRIAD_MACHINE_LENGTHS = 16 };

typedef struct triad_machine_options {
  int n_lengths; /* of lines, rising; 0: those of n points a side from 32 to 512 */
  int64_t length[TRIAD_MACHINE_LENGTHS];
  const char *folder; /* where files are written */
  int gpu;            /* this build and machine have one */
  triad_log *log;
} triad_machine_options;

/* Memory of the node; copies of one core and of all; lines, transposes and products of rank 0 by itself, in both
 * precisions, while the others sleep; messages between pairs of ranks, where there are two; a file, written by rank
 * 0. With a GPU its memory, its copies, and steps there. name, cores and gpus of *out are the caller's.
 * TRIAD_ERR_MEMORY, TRIAD_ERR_IO. Collective; *out is good on rank 0. */
int triad_machine_measure(triad_context *context, const triad_machine_options *options, triad_machine *out);

#endif
