/* Slabs: conversion of a field of any space to the lines of its dataset in a file, and back.
 *
 * A line is the last dimension of the dataset (one entry if there is only one dimension). Lines are assigned to ranks
 * in order, in units of the first dimension: whole planes of [z][y][x], columns of [column][kz]. If the runs of the
 * space are already these lines in this order, nothing is exchanged. Compiled in both precisions. */
#ifndef TRIAD_GRID_FIELDS_SLAB_H
#define TRIAD_GRID_FIELDS_SLAB_H

#include "base/precision.h"
#include "grid/space.h"
#include "parallel/context.h"

typedef struct triad_slab triad_slab;

/* Copies *space. If runs must be exchanged between ranks, allocates a buffer for the field's own entries and one for
 * its lines. TRIAD_ERR_MEMORY. Collective. */
int triad_slab_create(triad_slab **out, const triad_context *context, const triad_space *space);
void triad_slab_destroy(triad_slab **slab);

/* This rank's lines: the index of the first, their number, and the reals in each. */
int64_t triad_slab_first(const triad_slab *slab);
int64_t triad_slab_count(const triad_slab *slab);
int64_t triad_slab_reals(const triad_slab *slab);

/* gather: field to lines, real [count][reals]. scatter: the reverse; ghosts are not written. TRIAD_ERR_INTERNAL if MPI
 * fails. Collective. */
int triad_slab_gather(triad_slab *slab, const triad_real *field, triad_real *lines);
int triad_slab_scatter(triad_slab *slab, const triad_real *lines, triad_real *field);

/* is_direct: 1 if nothing is exchanged. Then pack and unpack convert lines at .. at + n - 1 of this rank's. Not
 * collective. */
int triad_slab_is_direct(const triad_slab *slab);
void triad_slab_pack(const triad_slab *slab, int64_t at, int64_t n, const triad_real *field, triad_real *lines);
void triad_slab_unpack(const triad_slab *slab, int64_t at, int64_t n, const triad_real *lines, triad_real *field);

#endif
