/* A run of a sweep resumes in the folder of its number, which may contain a run with different values. */
#include "command/sweep/sweep_folders.h"
#include "command/sweep/sweep.h"

#include "command/session/changes.h"
#include "command/session/settings.h"
#include "store/checkpoint/commit.h"
#include "store/disk.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = TRIAD_CASE_MOST_BYTES + (1 << 20) };

/* *text stays NULL if the file does not exist. */
static int load(const char *dir, const char *name, char **text)
{
  char path[TRIAD_PATH];
  int64_t bytes;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", dir, name));
  const int st = triad_disk_load(path, LIMIT, text, &bytes);
  if (st != TRIAD_ERR_INPUT) return st;
  triad_message_clear();
  return TRIAD_OK;
}

/* A run without a checkpoint starts over, whatever run it was. */
static int goes_on(const char *dir, int *yes)
{
  int64_t *steps = NULL;
  int count = 0;
  TRIAD_TRY(triad_commit_list(dir, &steps, &count));
  free(steps);
  *yes = count > 0;
  return TRIAD_OK;
}

static int is_swept(const triad_sweep *sweep, const char *key)
{
  for (int k = 0; k < sweep->n_keys; k++)
    if (strcmp(sweep->keys[k].key, key) == 0) return 1;
  return 0;
}

/* End times, outputs and hardware may change when a run resumes; the other keys identify it. */
static int tells_runs_apart(const triad_change *c)
{
  return c->results || strncmp(c->key, "parameters.", strlen("parameters.")) == 0 ||
         strcmp(c->key, "initial.file") == 0;
}

static int compare(const triad_sweep *sweep, const char *dir, const triad_case *was, const triad_case *is)
{
  triad_changes c = {0};
  int st = triad_changes_between(&c, was, is);
  for (int i = 0; i < c.n && st == TRIAD_OK; i++)
    if (is_swept(sweep, c.list[i].key) && tells_runs_apart(&c.list[i]))
      st = TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%.300s contains a run with %s = %.100s, but this sweep has %.100s: its values or their order "
                      "differ. Use another --dir, --from-start to start over, or --new-case to continue there",
                      dir, c.list[i].key, c.list[i].was, c.list[i].is);
  triad_changes_free(&c);
  return st;
}

int triad_sweep_check_folder(const triad_sweep *sweep, const char *dir, int run, const triad_session *s,
                             const triad_arguments *own)
{
  char path[TRIAD_PATH], *resolved = NULL, *settings = NULL;
  triad_case *was = NULL, *is = NULL;
  int is_there = 0, unused;
  if (sweep->from_start || sweep->new_case) return TRIAD_OK;
  TRIAD_TRY(triad_disk_path(path, "%s/run-%03d", dir, run + 1));
  TRIAD_TRY(goes_on(path, &is_there));
  if (!is_there) return TRIAD_OK;
  int st = load(path, "case.resolved.toml", &resolved);
  if (st == TRIAD_OK) st = load(path, TRIAD_SETTINGS_FILE, &settings);
  if (st == TRIAD_OK && resolved) {
    st = triad_case_parse(&was, path, resolved, strlen(resolved), NULL, 0);
    if (st == TRIAD_ERR_CASE) { /* written by another version: the run itself reports it */
      triad_message_clear();
      st = TRIAD_OK;
    } else if (st == TRIAD_OK) {
      st = triad_settings_case(&is, s, own->words[0], own, settings, NULL, &unused);
      if (st == TRIAD_OK) st = compare(sweep, path, was, is);
    }
  }
  triad_case_destroy(&was);
  triad_case_destroy(&is);
  free(resolved);
  free(settings);
  return st;
}
