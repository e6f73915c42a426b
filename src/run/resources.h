/* Compare the memory of nodes and GPUs and the disk space under the run directory with the needs of a case. */
#ifndef TRIAD_RUN_RESOURCES_H
#define TRIAD_RUN_RESOURCES_H

#include "run/check.h"

/* Log the memory of each rank (level detail). TRIAD_ERR_MEMORY if a node has less: the message gives the required and
 * the free memory, its owners, and a size that would fit. Collective. */
int triad_resources_memory(const triad_comm *comm, const triad_case *given, const triad_needs *needs, triad_log *log);

/* The same for the GPU of this rank, which `sharers` ranks use; its table is logged (level info). */
int triad_resources_gpu(const triad_context *context, const triad_case *given, const triad_needs *needs, int sharers,
                        triad_log *log);

/* Set *fits to the number of runs, each with this many bytes of GPU memory, that one process can run on GPU `gpu` at a
 * time if sharers - 1 other processes do the same. TRIAD_ERR_FEATURE. Not collective. */
int triad_resources_runs(int gpu, int sharers, int64_t bytes, int *fits);

/* What each of `runs` that this process has there at once may take, so that all of them fit [bytes]; 1 at least.
 * TRIAD_ERR_FEATURE. Not collective. */
int triad_resources_share(int gpu, int sharers, int runs, int64_t *each);

/* TRIAD_ERR_IO if the planned output exceeds the free disk space plus the files that the run has already written (with
 * from_start these do not count, since they are moved aside), unless output.disk_check only warns. Collective; the
 * directory exists. */
int triad_resources_disk(const triad_comm *comm, const triad_case *given, const triad_needs *needs, const char *run_dir,
                         int from_start, triad_log *log);

/* The largest n' <= factor n that is 2^a 3^b 5^c 7^d and even; n where n is 1. */
int64_t triad_resources_size(int64_t n, double factor);

#endif
