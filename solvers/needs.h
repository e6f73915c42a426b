/* Resource estimate of a case: memory of a rank, by owner, and bytes of its files; warnings about improbable values. */
#ifndef TRIAD_SOLVERS_NEEDS_H
#define TRIAD_SOLVERS_NEEDS_H

#include "parallel/comm.h"

#include <stdint.h>

enum { TRIAD_MOST_NEEDS = 20 };

typedef struct triad_rank_needs {
  int n;
  struct {
    const char *owner, *remark;
    int64_t bytes;
    int for_files; /* 1: needed only while files are written */
  } row[TRIAD_MOST_NEEDS];
  int64_t total, pinned; /* pinned: host memory that a GPU copies from and to */
} triad_rank_needs;

static inline void triad_needs_add(triad_rank_needs *needs, const char *owner, const char *remark, int64_t bytes)
{
  needs->row[needs->n].owner = owner;
  needs->row[needs->n].remark = remark;
  needs->row[needs->n].for_files = 0;
  needs->row[needs->n++].bytes = bytes;
  needs->total += bytes;
}

/* Add memory that is needed only while files are written. */
static inline void triad_needs_add_files(triad_rank_needs *needs, const char *owner, const char *remark, int64_t bytes)
{
  triad_needs_add(needs, owner, remark, bytes);
  needs->row[needs->n - 1].for_files = 1;
}

/* Remove memory for files, for programs that write none. */
void triad_needs_drop_files(triad_rank_needs *needs);

/* Case warnings: values that a run accepts but that act differently from how they read. A sentence each, which
 * begins with the key. */
enum { TRIAD_MAX_CASE_WARNINGS = 48 };
typedef struct triad_case_warnings {
  int n;
  char text[TRIAD_MAX_CASE_WARNINGS][480];
} triad_case_warnings;

/* Add a warning; more than the maximum are dropped. */
void triad_case_warn(triad_case_warnings *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct triad_needs {
  /* set by the caller: ranks that check the same case at the same time and agree on the result, so that the first one
   * may read files for all, a collective call; NULL: this process reads them itself */
  const triad_comm *ranks;
  /* set by the caller: another rank reports the faults of a file in detail, and this one need not find all of them */
  int brief;
  /* set by the solver */
  triad_rank_needs rank;    /* of the rank that needs most [bytes]                         */
  triad_rank_needs gpu;     /* of GPU memory [bytes]; empty if steps run on the CPU        */
  int64_t checkpoint_bytes; /* of one checkpoint                                           */
  int64_t fields_bytes;     /* of one set of physical fields                               */
  int64_t slices_bytes;     /* of the slices of one time, at most; 0: none                 */
  int64_t spectra_bytes;    /* of one file of spectra; 0: the solver has none              */
  double particles_bytes;   /* of a row of the files of particles; 0: there are none       */
  int columns;              /* of the series, after step, t, dt                            */
  int idle_ranks;           /* with no plane of physical space                             */
  triad_case_warnings warnings;
  /* set by src/run/check.c, from the intervals of the case */
  double fields, slices, spectra, checkpoints, series_rows, particles; /* number of each */
  int kept;           /* number of retained checkpoints                              */
  double total_bytes; /* on the disk at the end                                      */
} triad_needs;

#endif
