/* A run directory: its files in turn, and what came of it. */
#include "command/pack_own.h"

#include "store/inspect.h"
#include "store/lock.h"
#include "store/xdmf.h"

#include <string.h>

/* series.h5 is made anew when it is older than series.csv would make it: it is small, so always. */
static int pack_own_series(triad_pack *p)
{
  char csv[TRIAD_PATH], h5[TRIAD_PATH];
  const char *pieces[1] = {csv};
  TRIAD_TRY(triad_disk_path(csv, "%s/series.csv", p->run));
  TRIAD_TRY(triad_disk_path(h5, "%s/series.h5", p->run));
  if (triad_path_look(csv) != TRIAD_PATH_FILE) return TRIAD_OK;
  return triad_pack_series(p->log, h5, 1, pieces, 1);
}

static int pack_parts(triad_pack *p)
{
  char fields[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(fields, "%s/fields", p->run));
  int st = triad_pack_folder(p, "fields", "fields-", p->single), had = p->packed;
  if (had && triad_path_look(fields) == TRIAD_PATH_FOLDER) { /* sizes and precision of files have changed */
    int index = triad_xdmf_update(fields, -1);
    if (st == TRIAD_OK) st = index;
  }
  if (st == TRIAD_OK) st = triad_pack_folder(p, "spectra", "spectra-", 0);
  if (st == TRIAD_OK && p->checkpoints) st = triad_pack_checkpoints(p);
  return st == TRIAD_OK ? pack_own_series(p) : st;
}

/* No run may begin while its files are replaced, so packing holds the lock that a run would. */
static int pack_locked(triad_pack *p)
{
  char note[512] = "";
  triad_lock *lock = NULL;
  TRIAD_TRY(triad_lock_take(&lock, p->run, p->break_lock, note));
  if (note[0]) triad_log_warning(p->log, "%s", note);
  int st = pack_parts(p);
  triad_lock_give(&lock);
  return st;
}

int triad_pack_run(triad_pack *p)
{
  triad_path_kind kind = triad_path_look(p->run);
  if (kind == TRIAD_PATH_MISSING) return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such folder", p->run);
  if (kind != TRIAD_PATH_RUN) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not a run directory", p->run);
  int st = pack_locked(p);
  if (p->packed)
    triad_log_info(p->log, "%s: %d files packed, %.3f MB to %.3f MB%s", p->run, p->packed, 1e-6 * (double)p->before,
                   1e-6 * (double)p->after, p->already ? "; the others were packed already" : "");
  else if (p->already)
    triad_log_info(p->log, "%s: all %d files are packed already", p->run, p->already);
  if (p->failed) triad_log_warning(p->log, "%s: %d files are left as they are", p->run, p->failed);
  return st == TRIAD_OK ? p->status : st;
}
