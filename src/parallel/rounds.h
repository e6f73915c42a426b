/* The number of blocks of a kernel whose blocks loop over all work, given how many a GPU holds at once. */
#ifndef TRIAD_PARALLEL_ROUNDS_H
#define TRIAD_PARALLEL_ROUNDS_H

#include <stdint.h>

/* For the work of `all` blocks with at most `held` > 0 resident at once: the smallest number of blocks that needs no
 * more rounds. More blocks would finish no sooner, and would keep other messages and kernels off their
 * multiprocessors. */
static inline int64_t triad_blocks_of_rounds(int64_t all, int64_t held)
{
  const int64_t rounds = (all + held - 1) / held;
  return rounds > 0 ? (all + rounds - 1) / rounds : 0;
}

#endif
