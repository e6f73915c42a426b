/* The wavenumbers of chains (transpose/plain/chains.h) on a rank. */
#ifndef TRIAD_TRANSPOSE_CHAIN_WAVES_H
#define TRIAD_TRANSPOSE_CHAIN_WAVES_H

#include "base/precision.h"
#include "grid/layout.h"

/* k_x of each line along y that this rank has, k_y of each y of a line. divisor: k_x, or 1 where it is 0. */
typedef struct triad_chain_waves {
  triad_real *x, *y;   /* [lines], [ny] */
  triad_real *divisor; /* [lines] */
} triad_chain_waves;

int64_t triad_chain_lines(const triad_layout *layout);

/* TRIAD_ERR_MEMORY; destroy takes what create failed at. Not collective. */
int triad_chain_waves_create(triad_chain_waves *out, const triad_layout *layout);
void triad_chain_waves_destroy(triad_chain_waves *waves);

#endif
