/* The input files of `triad spectra`: the kind of each, and its case. */
#ifndef TRIAD_COMMAND_SPECTRA_SOURCE_H
#define TRIAD_COMMAND_SPECTRA_SOURCE_H

#include "command/session/session.h"
#include "solvers/solver.h"
#include "store/disk.h"

enum { TRIAD_SHOWN = 1024 };

typedef struct triad_spectra_item {
  char shown[TRIAD_SHOWN], folder[TRIAD_PATH]; /* its name, safe to print; of a checkpoint */
  triad_manifest *about;                       /* of a checkpoint, else NULL; destroy it   */
  triad_spectra_source source;                 /* points into this struct                  */
  int64_t dims[3];                             /* of physical fields, (z, y, x)            */
  double length[3];                            /* of their box; 0: not said                */
  const char *solver;                          /* whose fields they look like              */
  char *carried;                               /* the case that they carry, or NULL        */
  int gas;                                     /* 1: physical fields with a density */
  int of_points; /* 1: values at points, or fields of a solver without modes; the case is that of the run */
} triad_spectra_item;

/* What `path` is: a run directory, whose newest valid checkpoint is meant, a checkpoint, or a file of physical fields.
 * TRIAD_ERR_INPUT, TRIAD_ERR_CASE, TRIAD_ERR_IO. Collective; the message has been printed. Forget the item after use,
 * also after a failure. */
int triad_spectra_find(const triad_session *session, const char *path, triad_spectra_item *item);

void triad_spectra_forget(triad_spectra_item *item);

/* Give the session the case of the item: that of the run where the file carries one, with --set of `given` over it.
 * Collective; the message has been printed. */
int triad_spectra_case(triad_session *session, const triad_arguments *given, triad_spectra_item *item);

#endif
