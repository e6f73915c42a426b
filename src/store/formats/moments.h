/* The list of times of a run's files of fields: one line, "step t", per existing file. The index of all files
 * (fields.xmf) is rebuilt from it with every file. */
#ifndef TRIAD_STORE_FORMATS_MOMENTS_H
#define TRIAD_STORE_FORMATS_MOMENTS_H

#include <stdint.h>

typedef struct triad_moment {
  int64_t step;
  double t;
} triad_moment;

/* Read the entries of FOLDER/NAME before this step, and append this step (a resumed run writes some steps again).
 * *list is malloc'd, [*n]. A missing list is no failure; an unreadable one is: TRIAD_ERR_IO, TRIAD_ERR_CASE,
 * TRIAD_ERR_MEMORY. Not collective. */
int triad_moments_read(const char *folder, const char *name, int64_t step, double t, triad_moment **list, int64_t *n);

#endif
