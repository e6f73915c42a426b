/* Results of a pass that are summed at the end of lines along y, before they are sent: fewer fields are communicated
 * and transformed along z.
 *
 * A divergence needs i k_x p_0 + i k_y p_1 of two results p, never either alone. So of a chain of c >= 2 results
 * that follow one another c - 1 are left,
 *   q_i = i k_x p_i + i k_y p_(i+1),   i = 0 .. c - 2,
 * where p_i are complex values at (kx, ky, z), transformed along x and y (docs/methods/spectral.md#the-nonlinear-term).
 * Results that are in no chain pass as they are. Wavenumbers are those of columns (triad_layout.wx, .wy). On CPUs these
 * may lean (triad_layout.skew). */
#ifndef TRIAD_TRANSPOSE_PLAIN_CHAINS_H
#define TRIAD_TRANSPOSE_PLAIN_CHAINS_H

#include "base/precision.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_CHAIN_UNITS = 2, TRIAD_CHAIN_RUNS = 2 * TRIAD_CHAIN_UNITS + 1 };

/* `count` times a chain of `length` results, and behind each of them `alone` results in no chain: at most one where
 * count > 1. */
typedef struct triad_chain_unit {
  int length, alone, count;
} triad_chain_unit;

/* Units in order, from the first result on; results behind the last are in no chain. All zero: there are no chains. */
typedef struct triad_chains {
  triad_chain_unit unit[TRIAD_CHAIN_UNITS];
} triad_chains;

/* A set of chains of equal length (1: results in no chain): chain j begins with result first + j step, and its sum is
 * number joined + j joined_step of all sums. */
typedef struct triad_chain_run {
  int length, count, first, step, joined, joined_step;
} triad_chain_run;

#ifndef __CUDACC_RTC__ /* the host's */
/* How many fields are left of n_out results, which all chains are among. */
int triad_chains_left(const triad_chains *chains, int n_out);

/* All of them, run by run; returns the number of runs. */
int triad_chains_runs(const triad_chains *chains, int n_out, triad_chain_run runs[TRIAD_CHAIN_RUNS]);
#endif

#ifdef __cplusplus
}
#endif
#endif
