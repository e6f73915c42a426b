/* Read the list of times of a folder of fields up to a step and append that step. */
#include "store/formats/moments.h"

#include "base/status.h"
#include "store/disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 << 20 };

int triad_moments_read(const char *folder, const char *name, int64_t step, double t, triad_moment **list, int64_t *n)
{
  char path[TRIAD_PATH], *text = NULL;
  int64_t bytes = 0, most = 1;
  *list = NULL;
  *n = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, name));
  int st = triad_disk_load(path, LONGEST, &text, &bytes);
  if (st == TRIAD_ERR_INPUT) triad_message_clear(); /* there is none yet */
  else TRIAD_TRY(st);
  for (int64_t i = 0; text && i < bytes; i++) most += text[i] == '\n';
  triad_moment *moments = calloc((size_t)most + 1, sizeof *moments);
  if (!moments) {
    free(text);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " times", most);
  }
  for (char *at = text; at;) {
    triad_moment m;
    if (sscanf(at, "%" SCNd64 " %lf", &m.step, &m.t) == 2 && m.step < step) moments[(*n)++] = m;
    at = strchr(at, '\n');
    if (at) at++;
  }
  moments[(*n)++] = (triad_moment){step, t};
  *list = moments;
  free(text);
  return TRIAD_OK;
}
