/* Closed surfaces of triangles from STL files, ASCII or binary: reading, checks, and signed distances. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_PLAIN_STL_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_PLAIN_STL_H

#include "parallel/comm.h"

#include <stddef.h>
#include <stdint.h>

/* Corners of triangles [n][3][3], counter-clockwise seen from outside; the box around them. */
typedef struct triad_stl {
  int64_t n;
  double *corner;
  double low[3], high[3];
} triad_stl;

/* Read a file; numbers are multiplied by scale. The file is binary if its size is that of the triangles it
 * counts, whatever its first word. Normals in the file are ignored: the rule of the right hand counts. Every edge must
 * belong to two triangles that run along it in opposite directions; a surface that is inside out is turned. Corners
 * closer than 1e-6 of the surface's size are the same. TRIAD_ERR_CASE with `name` and the place; TRIAD_ERR_MEMORY.
 * Any bytes are safe.
 * ranks: rank 0 reads the file and broadcasts the surface; collective, with the same status on all ranks. NULL: this
 * process reads it; not collective, as everything else here. */
int triad_stl_read(triad_stl *out, const triad_comm *ranks, const char *path, double scale);
void triad_stl_clear(triad_stl *stl);

/* distance[n], negative inside, at points (x[i], y, z), x rising, for those nearer than `band`; others keep theirs if
 * they are outside, and become -band inside. work: [2][n]. */
void triad_stl_row(const triad_stl *stl, int64_t n, const double *x, double y, double z, double band, double *work,
                   double *distance);

#endif
