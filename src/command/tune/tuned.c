/* Find the entry of tune.toml for this machine and problem and apply it to the case. */
#include "command/session/session.h"
#include "case/case_tune.h"

#include "solvers/device_choice.h"
#include "solvers/solver.h"
#include "store/disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_tuned_key_of(const triad_session *s, triad_tuned_key *key)
{
  const triad_case *c = s->given;
  const triad_place *place = triad_binding_place(s->binding);
  const triad_solver *solver;
  int first = place->local_rank == 0;
  TRIAD_TRY(triad_solver_find(&solver, c));
  const int offload = triad_case_is(c, "parallel.device", "offload");
  const int on_gpu = place->gpu[0] && (offload || triad_device_expected(solver->devices, c));
  memset(key, 0, sizeof *key);
  triad_binding_node(s->binding, key->node, sizeof key->node);
  for (char *t = key->node; *t; t++)
    if (*t == '"' || *t == '\\') *t = '\'';
  (void)snprintf(key->gpu, sizeof key->gpu, "%s%s", offload ? "offload to " : "", on_gpu ? place->gpu : "none");
  (void)snprintf(key->solver, sizeof key->solver, "%s", triad_case_word(c, "equations.solver"));
  (void)snprintf(key->precision, sizeof key->precision, "%s", triad_case_word(c, "precision"));
  const int shifted = triad_case_applies(c, "grid.dealiasing") && triad_case_is(c, "grid.dealiasing", "phase-shift");
  const char *word = shifted ? "grid.dealiasing" : "grid.truncation";
  (void)snprintf(key->truncation, sizeof key->truncation, "%s",
                 triad_case_applies(c, word) ? triad_case_word(c, word) : "none");
  /* a mesh: what it is made of, or its file */
  if (triad_case_applies(c, "grid.kind") && !triad_case_applies(c, word)) {
    const char *file = triad_case_applies(c, "grid.file") ? triad_case_word(c, "grid.file") : "";
    uint32_t sum = 2166136261u;
    for (const char *t = file; *t; t++) sum = (sum ^ (unsigned char)*t) * 16777619u;
    if (*file) (void)snprintf(key->truncation, sizeof key->truncation, "file-%08" PRIx32, sum);
    else (void)snprintf(key->truncation, sizeof key->truncation, "%.15s", triad_case_word(c, "grid.kind"));
  }
  triad_case_integers(c, "grid.n", key->n, 3);
  key->ranks = s->comm.size;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&first, &key->nodes, 1, MPI_INT, MPI_SUM, s->comm.mpi)));
  /* one kind of node: the first rank's */
  return TRIAD_MPI(MPI_Bcast(key, (int)sizeof *key, MPI_BYTE, 0, s->comm.mpi));
}

void triad_tuned_folder(const char *case_path, char *out, size_t size)
{
  const char *slash = strrchr(case_path, '/');
  if (!slash) (void)snprintf(out, size, ".");
  else (void)snprintf(out, size, "%.*s", slash == case_path ? 1 : (int)(slash - case_path), case_path);
}

static int read_entry(const char *folder, const triad_tuned_key *key, triad_tuned *entry, char *place, size_t size,
                      int *found)
{
  char path[TRIAD_PATH];
  int line = 0;
  if (*found || !*folder) return TRIAD_OK;
  TRIAD_TRY(triad_disk_path(path, "%s/tune.toml", folder));
  TRIAD_TRY(triad_tuned_find(path, key, entry, &line));
  if (line == 0) return TRIAD_OK;
  *found = 1;
  (void)snprintf(place, size, "%.200s:%d", path, line);
  return TRIAD_OK;
}

/* Does the case leave open how many ranks share planes? */
static int split_is_open(const triad_case *given)
{
  int64_t split[2];
  if (!triad_case_applies(given, "parallel.split")) return 0;
  triad_case_integers(given, "parallel.split", split, 2);
  return split[0] == 0 && split[1] == 0;
}

int triad_tuned_is_default(const triad_tuned *e)
{
  return e->nstreams == 0 && e->threads == 0 && e->group == 0 && e->n_own == 0 && strcmp(e->transport, "auto") == 0;
}

const char *triad_tuned_own_text(const triad_tuned *e, char text[TRIAD_TUNED_TEXT])
{
  size_t at = 0;
  text[0] = 0;
  for (int i = 0; i < e->n_own; i++)
    at += (size_t)snprintf(text + at, TRIAD_TUNED_TEXT - at, ", %s %s", e->own[i].key, e->own[i].word);
  return text;
}

static int is_tunable(const triad_case *given, const char *key)
{
  const triad_solver *solver;
  const triad_tunable *k =
    triad_solver_find(&solver, given) == TRIAD_OK && solver->tune ? solver->tune->tunables : NULL;
  while (k && k->key && strcmp(k->key, key) != 0) k++;
  return k && k->key;
}

int triad_tuned_put(triad_case *given, const triad_tuned *entry, const char *origin)
{
  char number[32];
  if (entry->group > 0 && split_is_open(given)) {
    (void)snprintf(number, sizeof number, "[0, %d]", entry->group);
    TRIAD_TRY(triad_case_tune(given, "parallel.split", number, origin));
  }
  if (entry->nstreams > 0 && triad_case_integer(given, "parallel.nstreams") == 0) {
    (void)snprintf(number, sizeof number, "%d", entry->nstreams);
    TRIAD_TRY(triad_case_tune(given, "parallel.nstreams", number, origin));
  }
  if (entry->threads > 0 && triad_case_integer(given, "parallel.threads") == 0 && !getenv("OMP_NUM_THREADS")) {
    (void)snprintf(number, sizeof number, "%d", entry->threads);
    TRIAD_TRY(triad_case_tune(given, "parallel.threads", number, origin));
  }
  if (strcmp(entry->transport, "auto") != 0 && triad_case_is(given, "parallel.transport", "auto"))
    TRIAD_TRY(triad_case_tune(given, "parallel.transport", entry->transport, origin));
  for (int i = 0; i < entry->n_own; i++)
    if (!is_tunable(given, entry->own[i].key))
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: %s is not a setting of triad tune: remove the entry or run triad tune again", origin,
                        entry->own[i].key);
    else if (!triad_case_given(given, entry->own[i].key))
      TRIAD_TRY(triad_case_tune(given, entry->own[i].key, entry->own[i].word, origin));
  return TRIAD_OK;
}

typedef struct finding {
  triad_tuned entry;
  char place[256];
  int found;
} finding;

int triad_tuned_apply(triad_session *s, const char *case_path)
{
  triad_tuned_key key;
  finding f = {.found = 0};
  char beside[TRIAD_PATH], cache[TRIAD_PATH];
  int st = TRIAD_OK;
  TRIAD_TRY(triad_tuned_key_of(s, &key));
  if (s->comm.rank == 0) {
    triad_tuned_folder(case_path, beside, sizeof beside);
    triad_tuned_cache(cache, (int)sizeof cache);
    st = read_entry(beside, &key, &f.entry, f.place, sizeof f.place, &f.found);
    if (st == TRIAD_OK) st = read_entry(cache, &key, &f.entry, f.place, sizeof f.place, &f.found);
  }
  TRIAD_TRY(triad_agree(&s->comm, st));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&f, (int)sizeof f, MPI_BYTE, 0, s->comm.mpi)));
  if (!f.found) return TRIAD_OK;
  /* results that are to be the same on any ranks do not depend on what was the fastest */
  if (triad_case_flag(s->given, "parallel.reproducible")) f.entry.n_own = 0;
  st = triad_tuned_put(s->given, &f.entry, f.place);
  if (st == TRIAD_ERR_CASE)
    st = TRIAD_FAIL(st, "%s: a value is not allowed: remove the entry or run triad tune again", f.place);
  TRIAD_TRY(triad_agree(&s->comm, st));
  if (f.entry.group > 0)
    triad_log_info(s->log, "tuned: parallel.split = [%d, %d], which the case does not set (%s)",
                   s->comm.size / f.entry.group, f.entry.group, f.place);
  char own[TRIAD_TUNED_TEXT];
  if (triad_tuned_is_default(&f.entry)) {
    triad_log_detail(s->log, "tuned: no setting was faster than the default (%s)", f.place);
    return TRIAD_OK;
  }
  triad_log_info(s->log, "tuned: nstreams %d, transport %s, threads %d%s, where the case does not set them (%s)",
                 f.entry.nstreams, f.entry.transport, f.entry.threads, triad_tuned_own_text(&f.entry, own), f.place);
  return TRIAD_OK;
}
