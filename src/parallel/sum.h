/* Exact sums: the result depends neither on the order of the terms nor on the numbers of ranks and threads.
 *
 * Terms are added exactly into a wide integer that covers the whole range of double (R. M. Neal 2015, "Fast exact
 * summation using small and large superaccumulators", arXiv:1505.05571, section 2), and rounded once, to nearest even,
 * when the value is read. A partial sum above the largest double does no harm if the final one is in range. As in IEEE
 * arithmetic: a NaN among the terms, or both infinities, give NaN; one infinity gives itself; a sum too large for
 * double gives an infinity. An empty sum and any sum that is exactly zero are +0. A term costs about 3 ns (a plain sum
 * 0.3): for budgets and spectra of runs that ask for reproducible output.
 *
 *   triad_sum s;                               one per thread: #pragma omp parallel reduction(triad_exact : s)
 *   triad_sum_clear(&s);
 *   for (...) triad_sum_add(&s, x[i]);
 *   TRIAD_TRY(triad_sum_all(comm, &s, 1, &total)); */
#ifndef TRIAD_PARALLEL_SUM_H
#define TRIAD_PARALLEL_SUM_H

#include "parallel/comm.h"

#include <stdint.h>
#include <string.h>

/* Chunk i has weight 2^(32 i - 1074). 2098 bits span all doubles; the last chunk can hold 2^76 of the largest. */
enum { TRIAD_SUM_CHUNKS = 67 };

/* Chunks overlap between carries: one term changes a chunk by less than 2^53, so 2^9 terms fit in addition to a
 * carried chunk (below 2^32 in absolute value). All members are int64_t, so that an array of sums can be sent as one
 * message of integers. */
typedef struct triad_sum {
  int64_t chunk[TRIAD_SUM_CHUNKS];
  int64_t plus_infinities, minus_infinities, nans; /* terms of each kind       */
  int64_t pending;                                 /* terms since the last carry */
} triad_sum;

void triad_sum_clear(triad_sum *sum);

/* Propagate carries: 0 <= chunk[i] < 2^32 for all except the last, which has the sign. The form is unique for each
 * value. */
void triad_sum_carry(triad_sum *sum);

/* Add one term: exact, for any double. */
static inline void triad_sum_add(triad_sum *sum, double term)
{
  uint64_t bits;
  memcpy(&bits, &term, sizeof bits);
  uint64_t exponent = bits >> 52 & 0x7ff, mantissa = bits & (((uint64_t)1 << 52) - 1);
  if (exponent == 0x7ff) {
    if (mantissa) sum->nans++;
    else if (bits >> 63) sum->minus_infinities++;
    else sum->plus_infinities++;
    return;
  }
  if (exponent) { /* else zero or subnormal: no hidden bit, and the weight of exponent 1 */
    mantissa |= (uint64_t)1 << 52;
    exponent--;
  }
  int shift = (int)(exponent & 31);
  int64_t low = (int64_t)(mantissa << shift & 0xffffffff), high = (int64_t)(mantissa >> (32 - shift));
  int64_t *c = sum->chunk + (exponent >> 5);
  int64_t sign = -(int64_t)(bits >> 63); /* 0 or -1: (x ^ sign) - sign negates without a branch */
  c[0] += (low ^ sign) - sign;
  c[1] += (high ^ sign) - sign;
  if (++sum->pending >= 512) triad_sum_carry(sum);
}

/* Add n terms. */
void triad_sum_add_array(triad_sum *sum, int64_t n, const double *term);

/* into += from, exactly. */
void triad_sum_merge(triad_sum *into, const triad_sum *from);

/* The sum rounded to nearest, ties to even. */
double triad_sum_value(const triad_sum *sum);

/* The sums of all ranks, on all ranks: sums[0..n-1] become the totals, values[i] (unless NULL) their values.
 * Collective, one message; up to 2^20 ranks. TRIAD_ERR_INTERNAL if MPI fails. */
int triad_sum_all(const triad_comm *comm, triad_sum *sums, int n, double *values);

/* The same for sums[thread][n]: first add those of this rank's threads. */
int triad_sum_threads(const triad_comm *comm, triad_sum *sums, int64_t n, int threads, double *values);

#ifdef _OPENMP
#pragma omp declare reduction(triad_exact:triad_sum \
                              : triad_sum_merge(&omp_out, &omp_in)) initializer(triad_sum_clear(&omp_priv))
#endif

#endif
