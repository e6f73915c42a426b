/* The kinds of output of a run: one row each. A further kind is a row here and the functions that its name stands for:
 * NAME_due, NAME_write and the others of src/run/outputs.c, and show_NAME of src/command/info/info_run.c. Without them
 * it does not compile. */
#ifndef TRIAD_RUN_OUTPUT_KINDS_H
#define TRIAD_RUN_OUTPUT_KINDS_H

#include <stddef.h>

/* What is written after a step is written in this order; before the last checkpoint of a run its other files are
 * complete, and after any other one they are written while the next steps are computed. */
typedef enum triad_output_phase {
  TRIAD_OUTPUT_AT_ONCE,    /* complete when the function returns, apart from rows that wait for more of them */
  TRIAD_OUTPUT_BACKGROUND, /* written during the following steps                                            */
  TRIAD_OUTPUT_LAST        /* relies on rows, which must be on the disk before                              */
} triad_output_phase;

/* X(KIND, name, key, files, by_step, phase, doing)
 *   name     for messages and functions
 *   key      its interval of time; NULL: it has none
 *   files    in the run directory, separated by blanks; a name without a dot is a folder
 *   by_step  1: files are numbered by step; those after the step at which a run resumes are moved away
 *   doing    for the watchdog's message, if a write does not return
 * In the order in which triad info lists them; within a phase they are written in it. */
#define TRIAD_OUTPUT_KINDS(X) \
  X(SERIES, series, "output.series_interval", "series.csv series.discarded.csv series.h5", 0, TRIAD_OUTPUT_AT_ONCE, \
    "writing the series") \
  X(MEANS, means, "output.means_interval", "means.h5 means", 0, TRIAD_OUTPUT_AT_ONCE, "writing means") \
  X(SPECTRA, spectra, "output.spectra_interval", "spectra", 1, TRIAD_OUTPUT_AT_ONCE, "writing spectra") \
  X(FIELDS, fields, "output.fields_interval", "fields surfaces", 1, TRIAD_OUTPUT_AT_ONCE, "writing fields") \
  X(SLICES, slices, "output.slices_interval", "slices", 1, TRIAD_OUTPUT_BACKGROUND, "writing slices") \
  X(PARTICLES, particles, "output.particles_interval", "particles", 0, TRIAD_OUTPUT_AT_ONCE, \
    "writing rows of particles") \
  X(PROBES, probes, "output.probes_interval", "probes.csv probes.discarded.csv probes.h5 probes", 0, \
    TRIAD_OUTPUT_AT_ONCE, "writing probes") \
  X(CHECKPOINT, checkpoint, "output.checkpoint_interval", "checkpoints", 0, TRIAD_OUTPUT_LAST, "writing a checkpoint")

/* TRIAD_OUTPUT_SERIES and so on, from 0. */
#define TRIAD_OUTPUT_ENUM(kind, name, key, files, by_step, phase, doing) TRIAD_OUTPUT_##kind,
enum { TRIAD_OUTPUT_KINDS(TRIAD_OUTPUT_ENUM) TRIAD_OUTPUT_N };
#undef TRIAD_OUTPUT_ENUM

/* The kinds' files as one list of strings, and whether they are numbered by step; src/command uses it. */
typedef struct triad_output_files {
  const char *files;
  int by_step;
} triad_output_files;
#define TRIAD_OUTPUT_FILES(kind, name, key, files, by_step, phase, doing) {files, by_step},

/* The name that begins at *at, copied to name[TRIAD_OUTPUT_NAME]; *at moves behind it. 0: there are no more. */
enum { TRIAD_OUTPUT_NAME = 64 };
static inline int triad_output_next_name(const char **at, char name[TRIAD_OUTPUT_NAME])
{
  size_t n = 0;
  while (**at == ' ') ++*at;
  while (**at && **at != ' ' && n < TRIAD_OUTPUT_NAME - 1) name[n++] = *(*at)++;
  name[n] = '\0';
  return n > 0;
}

#endif
