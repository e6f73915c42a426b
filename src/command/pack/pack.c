/* The command `triad pack`: compress the files of a run under its lock, or join pieces of series.csv. */
#include "command/command.h"
#include "command/pack/pack.h"
#include "command/session/rundir.h"
#include "command/session/session.h"
#include "store/checkpoint/inspect.h"
#include "store/lock/lock.h"
#include "store/fields/fieldfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run directory: its files one after the other, and the results ---- */

/* series.h5 is rewritten if it is older than series.csv; it is small, so always. */
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
  const triad_lock_request request = {.break_stale = p->break_lock, .tell = triad_rundir_tell, .who = p->log};
  TRIAD_TRY(triad_lock_take(&lock, p->run, &request, note));
  if (note[0]) triad_log_warning(p->log, "%s", note);
  int st = pack_parts(p);
  triad_lock_give(&lock);
  return st;
}

static int pack_run(triad_pack *p)
{
  triad_path_kind kind = triad_path_look(p->run);
  if (kind == TRIAD_PATH_MISSING) return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such folder", p->run);
  if (kind != TRIAD_PATH_RUN) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not a run directory", p->run);
  int st = pack_locked(p);
  if (p->packed)
    triad_log_info(p->log, "%s: %d files packed, %.3f MB to %.3f MB%s", p->run, p->packed, 1e-6 * (double)p->before,
                   1e-6 * (double)p->after, p->already ? "; the others were already packed" : "");
  else if (p->already) triad_log_info(p->log, "%s: all %d files are already packed", p->run, p->already);
  if (p->failed) triad_log_warning(p->log, "%s: %d files are unchanged", p->run, p->failed);
  return st == TRIAD_OK ? p->status : st;
}

/* ---- the command line ---- */

typedef struct options {
  int single, checkpoints, merge, break_lock;
  const char *level;
} options;

static int read_level(const char *text, int *level)
{
  *level = 4;
  if (!text) return TRIAD_OK;
  TRIAD_TRY(triad_options_count("--level", text, level));
  return *level <= 9 ? TRIAD_OK
                     : TRIAD_FAIL(TRIAD_ERR_USAGE, "--level must be from 1 (fast) to 9 (small), not %d", *level);
}

static int merge(triad_log *log, const triad_arguments *a)
{
  if (a->n_words < 2) return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad pack --series requires OUT.h5 and the pieces to join");
  return triad_pack_series(log, a->words[0], a->n_words - 1, a->words + 1, 0);
}

static int pack_all(triad_log *log, const triad_arguments *a, const options *o, int level)
{
  int worst = TRIAD_OK;
  TRIAD_TRY(triad_options_words(a, "pack", 1, TRIAD_MAX_ARGUMENTS, "a run directory"));
  for (int i = 0; i < a->n_words; i++) {
    triad_pack p = {.log = log,
                    .run = a->words[i],
                    .level = level,
                    .single = o->single,
                    .checkpoints = o->checkpoints,
                    .break_lock = o->break_lock};
    int st = pack_run(&p);
    if (st != TRIAD_OK) {
      triad_log_clear(log);
      triad_message_print(-1);
      triad_message_clear();
    }
    if (st > worst) worst = st;
  }
  return worst;
}

static int pack(triad_log *log, triad_arguments *a, void *self)
{
  const options *o = self;
  int level = 0, st = read_level(o->level, &level);
  if (st == TRIAD_OK && a->n_sets > 0)
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "triad pack does not accept --set: use it with run, bench, case and spectra");
  if (st == TRIAD_OK && o->merge && (o->single || o->checkpoints || o->level))
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "--series only joins series: it excludes --float32, --level and --checkpoints");
  TRIAD_TRY(st);
  return o->merge ? merge(log, a) : pack_all(log, a, o, level);
}

static int run_pack(int argc, char **argv)
{
  options o = {0};
  const triad_option table[] = {{"--float32", NULL, &o.single},        {"--checkpoints", NULL, &o.checkpoints},
                                {"--series", NULL, &o.merge},          {"--level", &o.level, NULL},
                                {"--break-lock", NULL, &o.break_lock}, {NULL, NULL, NULL}};
  return triad_session_alone(argc, argv, table, pack, &o);
}

const triad_command triad_command_pack = {
  .name = "pack",
  .summary = "compress the finished files of a run, or join series",
  .help =
    "Usage: triad pack RUN... [--float32] [--level N] [--checkpoints]\n"
    "       triad pack --series OUT.h5 PIECE...\n"
    "\n"
    "Compresses fields/ and spectra/ of run directories (shuffle and deflate, which any HDF5 tool reads), and writes\n"
    "series.h5 next to series.csv. Each file is written under a temporary name, read back, compared with the original, "
    "and\n"
    "replaces it by one rename. Packed files are skipped, so that the same command continues after an interruption.\n"
    "A directory with an active run is refused.\n"
    "\n"
    "  --float32       store fields as 4-byte reals: half the size, 7 digits\n"
    "  --level N       level of deflate, 1 (fast) to 9 (small); default 4\n"
    "  --checkpoints   move all checkpoints except the newest two valid ones to archive/*.h5: compressed, with the "
    "same\n"
    "                  datasets and the manifest, but a run cannot resume from them\n"
    "  --break-lock    continue although a lock is present, if its run has surely ended\n"
    "  --series OUT.h5 PIECE...   join pieces, each a run directory or a series.csv, in the order given; if a piece "
    "begins\n"
    "                  before the end of the previous one, its rows are used. Units and formulae become attributes\n"
    "\n"
    "Exit codes: 0 everything is packed; 64 usage; 65 a file is damaged or not one of Triad's, and was left "
    "unchanged;\n"
    "66 missing; 74 I/O. No mpirun is needed.\n",
  .run = run_pack};
