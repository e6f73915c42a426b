/* Boundary conditions of zones of a CGNS file: their number, names and faces. */
#ifndef TRIAD_STORE_FORMATS_CGNS_PATCHES_H
#define TRIAD_STORE_FORMATS_CGNS_PATCHES_H

#include "store/formats/cgns.h"
#include "store/formats/cgns_internal.h"

/* The number of boundary conditions of a zone. */
int triad_cgns_patches(const triad_cgns *file, int zone, int *n);
/* Patch number `patch` of a zone; at[n][dims], counted from 1 as in the file; NULL: only its size. */
int triad_cgns_patch_at(const triad_cgns *file, int zone, int patch, triad_cgns_patch *out, int64_t *at);

/* The face of a structured zone on which a boundary condition lies, which must be a rectangle on one face. */
int triad_cgns_patch_face(const triad_cgns *file, int zone, int patch, triad_cgns_patch *out, triad_cgns_face *face);

/* The face of a zone of n points along each axis that the points low .. high (from 1) cover; with faces set, low and
 * high are numbers of face centres across `axis` unless it is -1. Returns 0 if they cover no face. */
int triad_cgns_face_of(const int64_t n[3], const int64_t low[3], const int64_t high[3], int faces, int axis,
                       triad_cgns_face *face);

#endif
