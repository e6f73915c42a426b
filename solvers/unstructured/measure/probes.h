/* Probes: density, velocity and pressure at points, along lines, on a cylinder around the x axis of a jet and on the
 * disks that close it, with an interval of their own. A case describes each by a text of output.probes:
 * "axis: line, x=0, to_x=20, n=101".
 *
 * Files are RUN/probes/NAME-STEP.h5 (docs/reference/probes-means-particles.md). Rows are buffered in memory and written
 * before a checkpoint, so that a run that resumes from one deletes later files and writes them again. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_PROBES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_PROBES_H

#include "solvers/unstructured/state/flow.h"

enum { TRIAD_UNSTRUCTURED_PROBES = 16, TRIAD_UNSTRUCTURED_PROBE_WHY = 200 };

typedef struct triad_unstructured_probe {
  char name[TRIAD_MESH_NAME];
  double from[3], to[3], radius; /* radius > 0: a cylinder or a disk */
  int64_t n, around;             /* points along it, or rings of a disk; points of a ring */
  int disk;                      /* ring i of n has the radius (i + 1/2) radius / n */
} triad_unstructured_probe;

/* Create the probes of the flow's case; NULL if it has none. TRIAD_ERR_CASE for a point outside the mesh. Collective,
 * like the following functions. */
int triad_unstructured_probes_create(triad_unstructured_probes **out, triad_unstructured_flow *flow,
                                     const char *run_dir);
void triad_unstructured_probes_destroy(triad_unstructured_probes **probes, triad_unstructured_flow *flow);

/* The flow has been set, at its start or from a checkpoint; a step has been taken: rows that are due are made of it. */
int triad_unstructured_probes_settle(triad_unstructured_flow *flow, int resumed);
int triad_unstructured_probes_take(triad_unstructured_flow *flow);

/* All rows to the disk. */
int triad_unstructured_probes_store(void *flow);

#endif
