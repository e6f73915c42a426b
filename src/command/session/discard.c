/* Move files of later steps to the folder discarded/ when a run resumes from an earlier checkpoint. */
#include "command/session/discard.h"

#include "run/output_kinds.h"
#include "store/disk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The step in "fields-00000520.h5", "slice1-vorticity-00000520.png"; -1: the name has none. */
static int64_t step_of(const char *name)
{
  enum { LEAST = 8, MOST = 18 };
  const char *dash = strrchr(name, '-');
  size_t digits = dash ? strspn(dash + 1, "0123456789") : 0;
  return name[0] != '.' && digits >= LEAST && digits <= MOST && dash[1 + digits] == '.' ? strtoll(dash + 1, NULL, 10)
                                                                                        : -1;
}

static int move(const char *dir, const char *part, const char *name)
{
  char from[TRIAD_PATH], to[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(to, "%s/discarded", dir));
  TRIAD_TRY(triad_disk_make_folder(to));
  TRIAD_TRY(triad_disk_path(to, "%s/discarded/%s", dir, part));
  TRIAD_TRY(triad_disk_make_folder(to));
  TRIAD_TRY(triad_disk_path(from, "%s/%s/%s", dir, part, name));
  TRIAD_TRY(triad_disk_path(to, "%s/discarded/%s/%s", dir, part, name));
  return triad_disk_rename(from, to);
}

static int move_later(const char *dir, const char *part, int64_t step, int64_t *moved)
{
  char folder[TRIAD_PATH];
  struct dirent **list = NULL;
  int st = triad_disk_path(folder, "%s/%s", dir, part), n = 0;
  if (st == TRIAD_OK) n = scandir(folder, &list, NULL, alphasort);
  if (n < 0 && errno == ENOENT) return TRIAD_OK;
  if (n < 0) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", folder, strerror(errno));
  for (int i = 0; i < n; i++) {
    if (st == TRIAD_OK && step_of(list[i]->d_name) > step) {
      st = move(dir, part, list[i]->d_name);
      ++*moved;
    }
    free(list[i]);
  }
  free(list);
  return st;
}

int triad_discard_later(const char *dir, int64_t step, int64_t *moved)
{
  static const triad_output_files outputs[] = {TRIAD_OUTPUT_KINDS(TRIAD_OUTPUT_FILES)};
  char name[TRIAD_OUTPUT_NAME];
  *moved = 0;
  for (int i = 0; i < TRIAD_OUTPUT_N; i++)
    for (const char *at = outputs[i].by_step ? outputs[i].files : ""; triad_output_next_name(&at, name);)
      TRIAD_TRY(move_later(dir, name, step, moved));
  return TRIAD_OK;
}
