/* Can this case run? What neither the schema nor a single rank's memory can tell, before anything is written. */
#ifndef TRIAD_SOLVERS_CHECK_H
#define TRIAD_SOLVERS_CHECK_H

#include "case/case.h"
#include "base/precision.h"
#include "solvers/needs.h"

/* What a case will take. */
typedef struct triad_needs {
  triad_rank_needs rank;     /* of the rank that needs most [bytes]                          */
  triad_rank_needs gpu;      /* of GPU memory, likewise; none where the CPU takes the steps  */
  int64_t checkpoint_bytes;  /* of one checkpoint; `kept` of them stay                       */
  int64_t fields_bytes;      /* of one set of physical fields                                */
  int64_t slices_bytes;      /* of the slices of one time, at most                           */
  int64_t spectra_bytes;     /* of one file of spectra                                       */
  double fields, slices, spectra, checkpoints, series_rows; /* how many of each are planned          */
  int kept;
  int idle_ranks;            /* with no plane of physical space                              */
  double total_bytes;        /* on the disk at the end                                       */
} triad_needs;

/* Sizes, initial field and forcing of the case on its grid: TRIAD_ERR_CASE, TRIAD_ERR_INPUT where initial.file is
 * missing, TRIAD_ERR_FEATURE for a device or transport that is not there. Then the needs on `size` ranks of `threads`
 * threads. Not collective. */
int triad_check(const triad_case *given, int size, int threads, triad_needs *needs);
int triadf_check(const triad_case *given, int size, int threads, triad_needs *needs);

/* Can the file be read that initial.kind asks for? TRIAD_ERR_INPUT. Not collective. */
int triad_check_input(const triad_case *given);

#endif
