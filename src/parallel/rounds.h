/* How many blocks a kernel is launched with that goes through all its work with those that a GPU holds at once. */
#ifndef TRIAD_PARALLEL_ROUNDS_H
#define TRIAD_PARALLEL_ROUNDS_H

#include <stdint.h>

/* For the work of `all` blocks with at most `held` > 0 of them at once: the fewest that need no more rounds. Others
 * would finish no sooner, and keep messages and kernels of other chunks off their multiprocessors until then. */
static inline int64_t triad_blocks_of_rounds(int64_t all, int64_t held)
{
  const int64_t rounds = (all + held - 1) / held;
  return rounds > 0 ? (all + rounds - 1) / rounds : 0;
}

#endif
