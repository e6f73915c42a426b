/* Memory that a rank takes, by owner. */
#ifndef TRIAD_SOLVERS_NEEDS_H
#define TRIAD_SOLVERS_NEEDS_H

#include <stdint.h>

enum { TRIAD_MOST_NEEDS = 12 };

typedef struct triad_rank_needs {
  int n;
  struct {
    const char *owner, *remark;
    int64_t bytes;
  } row[TRIAD_MOST_NEEDS];
  int64_t total, pinned; /* pinned: of the host, what a GPU copies to and from */
} triad_rank_needs;

static inline void triad_needs_add(triad_rank_needs *needs, const char *owner, const char *remark, int64_t bytes)
{
  needs->row[needs->n].owner = owner;
  needs->row[needs->n].remark = remark;
  needs->row[needs->n++].bytes = bytes;
  needs->total += bytes;
}

#endif
