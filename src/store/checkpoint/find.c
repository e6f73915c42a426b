/* List the checkpoints of a run, verify manifests and checksums on all ranks, and find the newest valid one. */
#include "store/checkpoint/find.h"
#include "store/checkpoint/manifest_parse.h"

#include "base/log.h"
#include "grid/layout.h"
#include "parallel/comm.h"
#include "store/checkpoint/commit.h"
#include "store/checkpoint/modefile.h"
#include "store/checkpoint/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WHY = 1024 };

/* As triad_agree, but the message of the lowest rank with the worst status is put into why[WHY] on every rank, without
 * its place in the sources, and forgotten, instead of printed. why is "" when all is well. Collective. */
static int verdict(const triad_comm *comm, int status, char why[WHY])
{
  struct {
    int status, rank;
  } mine = {status, comm->rank}, worst = {status, comm->rank};
  memset(why, 0, WHY);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm->mpi)));
  if (worst.status == TRIAD_OK) return TRIAD_OK;
  if (comm->rank == worst.rank) triad_message_reason(why, WHY);
  triad_message_clear();
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(why, WHY, MPI_CHAR, worst.rank, comm->mpi)));
  return worst.status;
}

/* "a/step-00000010/", "a/step-00000010/modes.h5" -> "a/step-00000010" */
static int folder_of(const char *path, char folder[TRIAD_PATH])
{
  static const char *const files[] = {TRIAD_MANIFEST_FILE, TRIAD_MODES_FILE, TRIAD_POINTS_FILE};
  TRIAD_TRY(triad_disk_path(folder, "%s", path[0] ? path : "."));
  size_t n = strlen(folder);
  while (n > 1 && folder[n - 1] == '/') folder[--n] = '\0';
  for (int i = 0; i < 3; i++) {
    size_t m = strlen(files[i]);
    if (n < m || strcmp(folder + n - m, files[i]) != 0 || (n > m && folder[n - m - 1] != '/')) continue;
    return triad_disk_path(folder, "%.*s", n > m ? (int)(n - m - 1) : 1, n > m ? path : ".");
  }
  return TRIAD_OK;
}

/* On rank 0: the text of the manifest, with words for what is missing. */
static int load_manifest(const char *folder, char path[TRIAD_PATH], char **text, int64_t *bytes)
{
  struct stat about;
  if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
    return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such checkpoint folder", folder);
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_MANIFEST_FILE, folder));
  if (stat(path, &about) != 0)
    return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no " TRIAD_MANIFEST_FILE " in it: not a complete checkpoint", folder);
  return triad_disk_load(path, TRIAD_MANIFEST_BYTES, text, bytes);
}

/* Size and header of the large file. Not collective. */
static int check_file(const char *folder, const triad_manifest *m)
{
  char path[TRIAD_PATH];
  int64_t bytes;
  uint64_t header = 0;
  int fd;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, triad_manifest_file(m)));
  TRIAD_TRY(triad_disk_open(path, 0, &fd));
  int st = triad_disk_size(fd, path, &bytes);
  if (st == TRIAD_OK && bytes != m->file_bytes)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld bytes, but the manifest has %lld", path, (long long)bytes,
                    (long long)m->file_bytes);
  if (st == TRIAD_OK) st = triad_modefile_header(fd, path, m, &header);
  if (st == TRIAD_OK && header != m->header)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: the checksum of its header does not match", path);
  (void)triad_disk_close(&fd, path);
  return st;
}

static int learn(const triad_comm *comm, const char *folder, triad_manifest **about, char why[WHY])
{
  char path[TRIAD_PATH] = "", *text = NULL;
  int64_t bytes = 0;
  *about = NULL;
  int st = verdict(comm, comm->rank == 0 ? load_manifest(folder, path, &text, &bytes) : TRIAD_OK, why);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, comm->mpi));
  if (st == TRIAD_OK) {
    if (comm->rank != 0) text = malloc((size_t)bytes + 1);
    st = verdict(comm, text ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld bytes", (long long)bytes), why);
  }
  /* never more than TRIAD_MANIFEST_BYTES, so an int holds it */
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Bcast(text, (int)bytes + 1, MPI_CHAR, 0, comm->mpi));
  if (st == TRIAD_OK) st = verdict(comm, triad_manifest_parse(about, path, text, bytes), why);
  free(text);
  if (st == TRIAD_OK) st = verdict(comm, comm->rank == 0 ? check_file(folder, *about) : TRIAD_OK, why);
  if (st != TRIAD_OK) triad_manifest_destroy(about);
  return st;
}

/* The share of one rank of `size` of all lines of all fields: the sums it can contribute, those of the fields one after
 * another. */
static int sum_share(const triad_manifest *m, const char *folder, int rank, int size, uint64_t *sums)
{
  char path[TRIAD_PATH];
  int fd;
  int64_t longest = triad_manifest_longest(m), room = triad_modefile_lines(longest, INT64_MAX) * longest;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, triad_manifest_file(m)));
  void *buffer = malloc((size_t)room);
  if (!buffer) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a buffer of %lld bytes", path, (long long)room);
  int st = triad_disk_open(path, 0, &fd);
  for (int f = 0; f < m->n_fields && st == TRIAD_OK; f++) {
    int64_t first = triad_deal(m->fields[f].lines, rank, size);
    int64_t count = triad_deal(m->fields[f].lines, rank + 1, size) - first;
    st = triad_modefile_read(fd, path, m, f, first, count, buffer, room / triad_manifest_line_bytes(m, f),
                             sums + triad_manifest_blocks(m, f), NULL, NULL);
  }
  (void)triad_disk_close(&fd, path);
  free(buffer);
  return st;
}

/* Every byte of the fields; comm NULL: on this rank alone. */
static int check_sums(const triad_comm *comm, const char *folder, const triad_manifest *m, char why[WHY])
{
  int64_t n = triad_manifest_blocks(m, m->n_fields);
  uint64_t *sums = calloc((size_t)n, sizeof *sums), *at = sums;
  int st = sums ? sum_share(m, folder, comm ? comm->rank : 0, comm ? comm->size : 1, sums)
                : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld checksums", (long long)n);
  if (comm) st = verdict(comm, st, why);
  if (comm && st == TRIAD_OK) st = triad_modefile_add_sums(comm, sums, n);
  for (const triad_manifest_field *f = m->fields; f < m->fields + m->n_fields; f++)
    for (int64_t b = 0; b < f->n_blocks && st == TRIAD_OK; b++)
      if (*at++ != f->sums[b]) {
        st = TRIAD_ERR_CASE;
        (void)snprintf(why, WHY, "%s/%s: damaged: field %s, block %lld of %lld: the checksum does not match", folder,
                       triad_manifest_file(m), f->name, (long long)b, (long long)f->n_blocks);
      }
  free(sums);
  return st;
}

int triad_checkpoint_verify(const char *folder, triad_manifest **about)
{
  char path[TRIAD_PATH], why[WHY] = "", *text = NULL;
  int64_t bytes = 0;
  *about = NULL;
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_MANIFEST_FILE, folder));
  TRIAD_TRY(triad_disk_load(path, TRIAD_MANIFEST_BYTES, &text, &bytes));
  int st = triad_manifest_parse(about, path, text, bytes);
  free(text);
  if (st == TRIAD_OK)
    st = check_file(folder, *about); /* only then are the manifest's counts known not to be invented */
  if (st == TRIAD_OK) st = check_sums(NULL, folder, *about, why);
  if (st == TRIAD_OK) st = triad_tables_check(folder, (*about)->notes);
  return why[0] ? TRIAD_FAIL(st, "%s", why) : st;
}

int triad_checkpoint_about(const triad_comm *comm, const char *path, char folder[TRIAD_PATH], triad_manifest **about)
{
  char why[WHY] = "";
  *about = NULL;
  TRIAD_TRY(triad_agree(comm, folder_of(path, folder)));
  int st = learn(comm, folder, about, why);
  return st == TRIAD_OK ? TRIAD_OK : triad_agree(comm, TRIAD_FAIL(st, "%s", why));
}

/* The list of rank 0, on every rank. */
static int share_list(const triad_comm *comm, const char *run_dir, int64_t **steps, int *count)
{
  *steps = NULL;
  *count = 0;
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? triad_commit_list(run_dir, steps, count) : TRIAD_OK));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(count, 1, MPI_INT, 0, comm->mpi)));
  if (comm->rank != 0) *steps = malloc((size_t)(*count + 1) * sizeof **steps);
  int st = *steps || *count == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a list of %d checkpoints", *count);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK && *count > 0) st = TRIAD_MPI(MPI_Bcast(*steps, *count, MPI_INT64_T, 0, comm->mpi));
  if (st == TRIAD_OK) return TRIAD_OK;
  free(*steps);
  *steps = NULL;
  return st;
}

void triad_checkpoint_warn(void *log, const char *name, const char *why)
{
  triad_log_warning(log, "checkpoint %s is skipped: %s", name, why);
}

int triad_checkpoint_find(const triad_comm *comm, const char *run_dir, triad_checkpoint_rejected *tell, void *who,
                          char folder[TRIAD_PATH], triad_manifest **about)
{
  return triad_checkpoint_find_below(comm, run_dir, INT64_MAX, tell, who, folder, about);
}

int triad_checkpoint_find_below(const triad_comm *comm, const char *run_dir, int64_t below,
                                triad_checkpoint_rejected *tell, void *who, char folder[TRIAD_PATH],
                                triad_manifest **about)
{
  int64_t *steps;
  int count, st = TRIAD_OK;
  *about = NULL;
  TRIAD_TRY(share_list(comm, run_dir, &steps, &count));
  for (int i = 0; i < count && st == TRIAD_OK && !*about; i++) {
    char temporary[TRIAD_PATH], why[WHY] = "";
    if (steps[i] >= below) continue;
    st = triad_agree(comm, triad_commit_names(run_dir, steps[i], temporary, folder));
    if (st != TRIAD_OK) break;
    st = learn(comm, folder, about, why);
    if (st == TRIAD_OK) st = check_sums(comm, folder, *about, why);
    if (st == TRIAD_OK)
      st = verdict(comm, comm->rank == 0 ? triad_tables_check(folder, (*about)->notes) : TRIAD_OK, why);
    if (st == TRIAD_OK) break;
    triad_manifest_destroy(about);
    if (st != TRIAD_ERR_CASE && st != TRIAD_ERR_INPUT && st != TRIAD_ERR_IO) { /* not the checkpoint's fault */
      st = triad_agree(comm, TRIAD_FAIL(st, "%s", why));
      break;
    }
    if (comm->rank == 0 && tell) tell(who, strrchr(folder, '/') + 1, why);
    st = TRIAD_OK;
  }
  free(steps);
  return st;
}

/* A run directory has a folder of checkpoints; a checkpoint's own folder does not. */
static int is_run_directory(const char *path)
{
  char inner[TRIAD_PATH];
  struct stat info;
  return triad_disk_path(inner, "%s/checkpoints", path) == TRIAD_OK && stat(inner, &info) == 0 && S_ISDIR(info.st_mode);
}

int triad_checkpoint_at(const triad_comm *comm, const char *path, triad_checkpoint_rejected *tell, void *who,
                        char folder[TRIAD_PATH], triad_manifest **about)
{
  int whole_run = comm->rank == 0 && is_run_directory(path);
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&whole_run, 1, MPI_INT, 0, comm->mpi)));
  if (!whole_run) return triad_checkpoint_about(comm, path, folder, about);
  TRIAD_TRY(triad_checkpoint_find(comm, path, tell, who, folder, about));
  if (*about) return TRIAD_OK;
  return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no valid checkpoint", path));
}
