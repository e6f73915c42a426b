/* Parse one text of output.probes. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_PROBE_TEXT_H
#define TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_PROBE_TEXT_H

#include "mesh/mesh.h"

enum { TRIAD_UNSTRUCTURED_PROBES = 16, TRIAD_UNSTRUCTURED_PROBE_WHY = 200 };

typedef struct triad_unstructured_probe {
  char name[TRIAD_MESH_NAME];
  double from[3], to[3], radius; /* radius > 0: a cylinder or a disk */
  int64_t n, around;             /* points along it, or rings of a disk; points of a ring */
  int disk;                      /* ring i of n has the radius (i + 1/2) radius / n */
} triad_unstructured_probe;

/* 1, or 0 and in words why not. Not collective. */
int triad_unstructured_probe_read(triad_unstructured_probe *probe, const char *text,
                                  char why[TRIAD_UNSTRUCTURED_PROBE_WHY]);

#endif
