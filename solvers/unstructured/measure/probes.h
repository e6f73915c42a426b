/* Probes: density, velocity and pressure at points, along lines, on a cylinder around the x axis of a jet and on the
 * disks that close it, with an interval of their own. A case describes each by a text of output.probes:
 * "axis: line, x=0, to_x=20, n=101".
 *
 * Files are RUN/probes/NAME-STEP.h5 (docs/reference/probes-means-particles.md). Rows are buffered in memory and written
 * before a checkpoint, so that a run that resumes from one deletes later files and writes them again. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_PROBES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_PROBES_H

#include "solvers/unstructured/plain/probe_text.h"
#include "solvers/unstructured/state/flow.h"

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
