/* Check whether a case can run, and estimate its resources, before anything is written: checks that neither the schema
 * nor the memory of a single rank can provide. */
#ifndef TRIAD_RUN_CHECK_H
#define TRIAD_RUN_CHECK_H

#include "base/log.h"
#include "case/case.h"
#include "parallel/context.h"
#include "solvers/solver.h"

/* Check a case with its solver (check of solvers/solver.h): TRIAD_ERR_CASE; TRIAD_ERR_INPUT if initial.file is
 * missing; TRIAD_ERR_FEATURE for a solver, device or transport that is not available. Then compute its needs on `size`
 * ranks with `threads` threads, including planned files, and add warnings. Not collective. */
int triad_check(const triad_case *given, int size, int threads, triad_needs *needs);

/* Of needs whose bytes are known: how many of each file the case plans, and bytes on the disk at its end. Not
 * collective. */
void triad_check_files(const triad_case *given, const triad_solver *solver, triad_needs *needs);

/* ---- resources.c: will it fit? Memory of the nodes and GPUs, and disk under the run directory ---- */

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
