/* Left-handed cells of files, whose volume is negative. */
#ifndef TRIAD_MESH_READ_ORIENT_H
#define TRIAD_MESH_READ_ORIENT_H

#include <stdint.h>

/* Is the volume of a cell of a known shape negative? corner: its points, in x. */
int triad_mesh_is_left_handed(int shape, const int32_t *corner, const double (*x)[3]);

/* Reorder the corners of a left-handed cell. */
void triad_mesh_reverse(int shape, int32_t *corner);

#endif
