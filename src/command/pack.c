#include "command/command.h"
#include "command/pack_own.h"
#include "command/session.h"
#include "store/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  int single, checkpoints, merge, break_lock;
  const char *level;
} options;

static int read_level(const char *text, int *level)
{
  *level = 4;
  if (!text) return TRIAD_OK;
  TRIAD_TRY(triad_options_count("--level", text, level));
  return *level <= 9 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_USAGE, "--level is 1 (fast) to 9 (small), not %d", *level);
}

static int merge(triad_log *log, const triad_arguments *a)
{
  if (a->n_words < 2) return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad pack --series wants OUT.h5 and the pieces to join");
  return triad_pack_series(log, a->words[0], a->n_words - 1, a->words + 1, 0);
}

static int pack_all(triad_log *log, const triad_arguments *a, const options *o, int level)
{
  int worst = TRIAD_OK;
  if (a->n_words == 0) return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad pack wants a run directory; see triad pack --help");
  for (int i = 0; i < a->n_words; i++) {
    triad_pack p = {.log = log, .run = a->words[i], .level = level, .single = o->single, .checkpoints = o->checkpoints,
                    .break_lock = o->break_lock};
    int st = triad_pack_run(&p);
    if (st != TRIAD_OK) {
      triad_log_clear(log);
      triad_message_print(-1);
      triad_message_clear();
    }
    if (st > worst) worst = st;
  }
  return worst;
}

static int pack(triad_session *s, const triad_arguments *a, const options *o)
{
  int level = 0, st = read_level(o->level, &level);
  if (st == TRIAD_OK && a->n_sets > 0)
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "triad pack has no use for --set, which belongs to run, bench, case and spectra");
  if (st == TRIAD_OK && o->merge && (o->single || o->checkpoints || o->level))
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "--series joins series and nothing else: no --float32, --level, --checkpoints with it");
  TRIAD_TRY(triad_agree(&s->comm, st));
  /* one rank packs; the others have nothing to do */
  if (s->comm.rank == 0) st = o->merge ? merge(s->log, a) : pack_all(s->log, a, o, level);
  return triad_agree(&s->comm, st);
}

static int run(int argc, char **argv)
{
  options o = {0};
  const triad_option table[] = {{"--float32", NULL, &o.single}, {"--checkpoints", NULL, &o.checkpoints},
                                {"--series", NULL, &o.merge},   {"--level", &o.level, NULL},
                                {"--break-lock", NULL, &o.break_lock},
                                {NULL, NULL, NULL}};
  triad_session s;
  triad_arguments a;
  int st = triad_session_begin(&s, argc, argv, table, &a);
  if (st == TRIAD_OK) st = pack(&s, &a, &o);
  return triad_session_end(&s, st);
}

const triad_command triad_command_pack = {
    .name = "pack",
    .summary = "compress the finished files of a run, or join series",
    .help = "Usage: triad pack RUN... [--float32] [--level N] [--checkpoints]\n"
            "       triad pack --series OUT.h5 PIECE...\n\n"
            "Compresses fields/ and spectra/ of run directories (shuffle and deflate: any HDF5 tool reads them as\n"
            "before), and writes series.h5 beside series.csv. Each file is written anew under a temporary name, read\n"
            "back, compared with the original, and takes its place by one rename. What is packed already is left\n"
            "alone, so that the same command goes on where it was stopped. A directory in which a run is at work is\n"
            "refused.\n\n"
            "  --float32       fields with reals of 4 bytes in place of 8: half the size, 7 digits\n"
            "  --level N       of deflate, 1 (fast) to 9 (small); default 4\n"
            "  --checkpoints   all checkpoints but the newest two valid ones go to archive/*.h5: compressed,\n"
            "                  with the same datasets and the manifest, but no run can resume from them\n"
            "  --break-lock    go on where a run that was killed has left its lock\n"
            "  --series OUT.h5 PIECE...   join pieces, each a run directory or a series.csv, in the order given; where\n"
            "                  one begins before the end of the piece before it, its rows count. Units and formulae\n"
            "                  become attributes\n\n"
            "Exit codes: 0 all is packed; 64 usage; 65 a file is damaged or not Triad's, and left as it is; 66\n"
            "missing; 74 I/O. No mpirun is needed.\n",
    .run = run};
