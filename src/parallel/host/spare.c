/* Count the cores that the threads of a node's ranks leave free. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "parallel/host/spare.h"
#include "parallel/host/bind.h"

#include <stdlib.h>

typedef struct claim {
  cpu_set_t cpus;
  int threads;
} claim;

static double left_by(const claim *all, int n, const claim *mine)
{
  const double quota = triad_cpu_limit();
  double left = CPU_COUNT(&mine->cpus), threads = 0;
  for (int r = 0; r < n; r++) {
    cpu_set_t both;
    CPU_AND(&both, &all[r].cpus, &mine->cpus);
    const int cores = CPU_COUNT(&all[r].cpus);
    if (cores > 0) left -= (double)all[r].threads * CPU_COUNT(&both) / cores;
    threads += all[r].threads;
  }
  return quota > 0 && quota - threads < left ? quota - threads : left;
}

int triad_spare_cores(const triad_comm *comm, const cpu_set_t *cpus, int threads, double *spare)
{
  const claim mine = {.cpus = *cpus, .threads = threads};
  MPI_Comm node;
  int n = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_split_type(comm->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &node)));
  int st = TRIAD_MPI(MPI_Comm_size(node, &n));
  claim *all = st == TRIAD_OK ? calloc((size_t)n, sizeof *all) : NULL;
  if (st == TRIAD_OK && !all) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "cores of %d ranks", n);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, node));
  if (st == TRIAD_OK) *spare = left_by(all, n, &mine);
  free(all);
  (void)MPI_Comm_free(&node);
  return st;
}
