/* Parse one text of output.probes. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_PROBE_TEXT_H
#define TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_PROBE_TEXT_H

#include "solvers/unstructured/measure/probes.h"

/* 1, or 0 and in words why not. Not collective. */
int triad_unstructured_probe_read(triad_unstructured_probe *probe, const char *text,
                                  char why[TRIAD_UNSTRUCTURED_PROBE_WHY]);

#endif
