/* A list of times beside a run's files of fields: one line, "step t", for each file that stands. What shows all of them
 * (fields.xmf) is made of it anew with every file. */
#ifndef TRIAD_STORE_FORMATS_MOMENTS_H
#define TRIAD_STORE_FORMATS_MOMENTS_H

#include <stdint.h>

typedef struct triad_moment {
  int64_t step;
  double t;
} triad_moment;

/* What FOLDER/NAME says of steps before this one, and this one last: a run that was resumed writes some anew. *list
 * is malloc'd, [*n]. That there is no such list yet is no failure; one that cannot be read is: TRIAD_ERR_IO,
 * TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. Not collective. */
int triad_moments_read(const char *folder, const char *name, int64_t step, double t, triad_moment **list, int64_t *n);

#endif
