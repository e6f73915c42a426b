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
    int for_files; /* taken while files are written, and only then */
  } row[TRIAD_MOST_NEEDS];
  int64_t total, pinned; /* pinned: of the host, what a GPU copies to and from */
} triad_rank_needs;

static inline void triad_needs_add(triad_rank_needs *needs, const char *owner, const char *remark, int64_t bytes)
{
  needs->row[needs->n].owner = owner;
  needs->row[needs->n].remark = remark;
  needs->row[needs->n].for_files = 0;
  needs->row[needs->n++].bytes = bytes;
  needs->total += bytes;
}

/* What is taken while files are written, and only then. */
static inline void triad_needs_add_files(triad_rank_needs *needs, const char *owner, const char *remark, int64_t bytes)
{
  triad_needs_add(needs, owner, remark, bytes);
  needs->row[needs->n - 1].for_files = 1;
}

/* Of what writes nothing. */
void triad_needs_drop_files(triad_rank_needs *needs);

/* Case warnings: values that a run accepts but that act differently from how they read. A sentence each, which
 * begins with the key. */
enum { TRIAD_MAX_CASE_WARNINGS = 48 };
typedef struct triad_case_warnings {
  int n;
  char text[TRIAD_MAX_CASE_WARNINGS][480];
} triad_case_warnings;

/* One more; beyond the most nothing is kept. */
void triad_case_warn(triad_case_warnings *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct triad_needs {
  /* given by who asks: all of these check one case at one time and agree on what comes of it, so that the first may
   * look at files for the others, a collective call; NULL: this process looks for itself */
  const triad_comm *ranks;
  /* set by the caller: another rank reports the faults of a file in detail, and this one need not find all of them */
  int brief;
  /* a solver counts */
  triad_rank_needs rank;    /* of the rank that needs most [bytes]                         */
  triad_rank_needs gpu;     /* of GPU memory, likewise; none where the CPU takes the steps */
  int64_t checkpoint_bytes; /* of one checkpoint                                           */
  int64_t fields_bytes;     /* of one set of physical fields                               */
  int64_t slices_bytes;     /* of the slices of one time, at most; 0: none                 */
  int64_t spectra_bytes;    /* of one file of spectra; 0: the solver has none              */
  double particles_bytes;   /* of a row of the files of particles; 0: there are none       */
  int columns;              /* of the series, after step, t, dt                            */
  int idle_ranks;           /* with no plane of physical space                             */
  triad_case_warnings warnings;
  /* src/run/check.c plans, from the case's intervals */
  double fields, slices, spectra, checkpoints, series_rows, particles; /* how many of each */
  int kept;           /* checkpoints that stay                                       */
  double total_bytes; /* on the disk at the end                                      */
} triad_needs;

#endif
