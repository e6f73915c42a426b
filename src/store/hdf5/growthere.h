/* Existing rows of a growing file: count or remove them. */
#ifndef TRIAD_STORE_HDF5_GROWTHERE_H
#define TRIAD_STORE_HDF5_GROWTHERE_H

#include "store/hdf5/growview.h"

/* growthere.c, on rank 0. take: read times and steps of the existing rows, whose number must match. clear: for a new
 * file, whose first row has step `step`: delete rows of an abandoned start under its name; rows that precede it stay:
 * TRIAD_ERR_CASE. */
int triad_growthere_take(triad_growfile *file, int64_t rows);
int triad_growthere_clear(const triad_growfile *file, int64_t step);

#endif
