/* Places that a case names, output.probes: "[1.0, 2pi, 3.0]", a point; "lattice NX NY NZ", points at L i/N along
 * each axis of the box, x fastest. */
#ifndef TRIAD_CASE_PROBE_H
#define TRIAD_CASE_PROBE_H

#include "case/case.h"

#include <stddef.h>
#include <stdint.h>

enum { TRIAD_PROBES = 256 /* entries */, TRIAD_PROBE_PLACES = 4096 /* of all of them */ };

typedef struct triad_probe {
  int lattice; /* n points along each axis; else one, at x */
  double x[3];
  int64_t n[3]; /* 1 1 1 of a point */
} triad_probe;

/* Read an entry. Returns 0 if it is invalid, with the reason in why[size] as clean text. `text` is UTF-8 without NUL.
 */
int triad_probe_read(const char *text, triad_probe *out, char *why, size_t size);

/* Places of n entries. */
int64_t triad_probe_places(const triad_probe *list, int n);

/* The entries of a case's output.probes, which has been checked; how many. */
int triad_probe_list(const triad_case *given, triad_probe list[TRIAD_PROBES]);

/* For the rules of a family that has the key: report invalid entries, and too many points, at their position. */
void triad_probe_rule(triad_case *c);

/* Coordinate i of an entry along an axis of this length. */
static inline double triad_probe_at(const triad_probe *p, int axis, int64_t i, double length)
{
  return p->lattice ? length * (double)i / (double)p->n[axis] : p->x[axis];
}

#endif
