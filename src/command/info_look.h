/* What the sources of `triad info` that look into HDF5 files share; nobody else includes it. */
#ifndef TRIAD_COMMAND_INFO_LOOK_H
#define TRIAD_COMMAND_INFO_LOOK_H

#include "base/guard.h"
#include "command/info_own.h"
#include "store/inspect.h"

enum { TRIAD_LOOK_NAME = 128 };

typedef struct triad_look_set {
  char name[TRIAD_LOOK_NAME];
  int n_dims, bytes; /* bytes of a number */
  int64_t dims[TRIAD_H5_DIMS], values;
  int64_t bad;       /* values that are not finite */
  double least, most, sum, squares;
} triad_look_set;

typedef struct triad_look {
  const char *path;
  int how, n_sets, room, no_memory;
  int64_t file_bytes;
  triad_h5 *file;
  triad_guard *guard;
  triad_look_set *sets; /* [room] */
} triad_look;

/* The dataset of that name, or NULL. */
triad_look_set *triad_look_find(const triad_look *k, const char *name);

/* Every value of it, a piece at a time, into least, most, sum, squares, bad; and into all[values] unless NULL. */
int triad_look_values(triad_look *k, triad_look_set *d, double *all);

/* All of its values in *out, which the caller frees. */
int triad_look_take(triad_look *k, triad_look_set *d, double **out);

/* Lines of the report. */
void triad_look_print(const triad_look *k, const triad_look_set *d);
void triad_look_print_notes(const triad_look *k);

/* Values that are not finite; a name that tells another step than the attribute. TRIAD_OK or TRIAD_ERR_CASE, told. */
int triad_look_check_finite(const triad_look *k);
int triad_look_check_step(const triad_look *k, const char *prefix, double step);

/* A file of spectra: report and check. */
int triad_look_at_spectra(triad_look *k, double step, double t);

/* Likewise of a slice; axis: the name of the one across it. */
int triad_look_at_slice(triad_look *k, double step, double t, const char *axis);

#endif
