/* Write provenance.json: one entry for each session, with command, host, libraries, nodes and result. */
#include "command/session/provenance.h"

#include "base/text.h"
#include "base/version.h"
#include "store/disk.h"

#include <fftw3.h>
#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* maximum bytes of the file, which is rewritten with each checkpoint and lists every rank of a session */
enum { LIMIT = 16 << 20, NODE = 160 };

/* Environment that changes how a run behaves; nothing else of it is anybody's business. */
static const char *const telling[] = {
  "OMP_",   "OMPI_MCA_", "SLURM_JOB_ID", "SLURM_JOB_NODELIST", "PBS_JOBID", "CUDA_VISIBLE_DEVICES", "NCCL_", "UCX_",
  "TRIAD_", "GOMP_",     "HDF5_"};

void triad_provenance_text(FILE *f, const char *text)
{
  enum { PIECE = 256 };
  char safe[6 * PIECE + 1];
  (void)fputc('"', f);
  for (size_t n, left = strlen(text); left > 0; text += n, left -= n) {
    n = left < PIECE ? left : PIECE;
    for (int i = 0; i < 3 && n < left && ((unsigned char)text[n] & 0xc0) == 0x80; i++) n--; /* not within a character */
    (void)triad_escape(safe, sizeof safe, text, n, TRIAD_ESCAPE_JSON);
    (void)fputs(safe, f);
  }
  (void)fputc('"', f);
}

static void put_item(FILE *f, const char *name, const char *text)
{
  (void)fprintf(f, "  \"%s\": ", name);
  triad_provenance_text(f, text);
  (void)fprintf(f, ",\n");
}

static void put_environment(FILE *f)
{
  extern char **environ;
  const char *comma = "";
  (void)fprintf(f, "  \"environment\": {");
  for (char **e = environ; *e; e++) {
    const char *equals = strchr(*e, '=');
    int tells = 0;
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
      tells |= strncmp(*e, telling[i], strlen(telling[i])) == 0;
    /* the launcher's own wiring: keys and addresses of this one job */
    if (!tells || !equals || strncmp(*e, "OMPI_MCA_orte_", 14) == 0 || strncmp(*e, "OMPI_MCA_ess_", 13) == 0) continue;
    char name[256];
    (void)snprintf(name, sizeof name, "%.*s", (int)(equals - *e), *e);
    (void)fprintf(f, "%s\n    ", comma);
    triad_provenance_text(f, name);
    (void)fprintf(f, ": ");
    triad_provenance_text(f, equals + 1);
    comma = ",";
  }
  (void)fprintf(f, "\n  },\n");
}

static void put_libraries(FILE *f)
{
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  unsigned major = 0, minor = 0, release = 0;
  (void)MPI_Get_library_version(mpi, &length);
  (void)H5get_libversion(&major, &minor, &release);
  (void)fprintf(f, "  \"libraries\": {\"mpi\": ");
  triad_provenance_text(f, mpi);
  (void)fprintf(f, ", \"fftw\": ");
  triad_provenance_text(f, fftw_version);
  (void)fprintf(f, ", \"hdf5\": \"%u.%u.%u\"},\n", major, minor, release);
}

static void put_system(FILE *f)
{
  struct utsname u;
  char text[4 * sizeof u.sysname] = "";
  if (uname(&u) == 0) (void)snprintf(text, sizeof text, "%s %s %s", u.sysname, u.release, u.machine);
  put_item(f, "system", text);
}

/* Kinds of nodes, each once. */
static void put_nodes(FILE *f, int n, const char (*nodes)[NODE])
{
  const char *comma = "";
  (void)fprintf(f, "  \"cpu\": [");
  for (int i = 0; i < n; i++) {
    int seen = 0;
    for (int j = 0; j < i && !seen; j++) seen = strcmp(nodes[i], nodes[j]) == 0;
    if (seen) continue;
    (void)fprintf(f, "%s", comma);
    triad_provenance_text(f, nodes[i]);
    comma = ", ";
  }
  (void)fprintf(f, "],\n");
}

static void put_command(FILE *f, const char *program, int argc, char **argv)
{
  char folder[TRIAD_PATH];
  (void)fprintf(f, "  \"command\": [");
  if (program) triad_provenance_text(f, program);
  else (void)fprintf(f, "\"triad\", \"run\"");
  for (int i = 0; i < argc; i++) {
    (void)fprintf(f, ", ");
    triad_provenance_text(f, argv[i]);
  }
  (void)fprintf(f, "],\n");
  if (getcwd(folder, sizeof folder)) put_item(f, "directory", folder);
}

/* NULL without memory. */
static char *describe(const triad_session *s, int argc, char **argv, const char (*nodes)[NODE])
{
  char *text = NULL;
  size_t size = 0;
  int n_places = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  put_item(f, "version", triad_version());
  put_item(f, "commit", triad_commit());
  put_item(f, "compiler", triad_compiler());
  put_item(f, "build_flags", triad_build_flags());
  put_libraries(f);
  put_system(f);
  put_nodes(f, s->comm.size, nodes);
  put_command(f, s->program, argc, argv);
  put_environment(f);
  const triad_place *places = triad_binding_places(s->binding, &n_places);
  char *binding = triad_cores_json(places, n_places);
  (void)fprintf(f, "  \"binding\": %s", binding ? binding : "null");
  free(binding);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

/* The first and the last byte that are no blanks; 0 where there are none. */
static int find_ends(const char *text, const char **first, const char **last)
{
  static const char blanks[] = " \t\r\n";
  *first = text + strspn(text, blanks);
  *last = text + strlen(text);
  while (*last > *first && strchr(blanks, (*last)[-1])) --*last;
  if (*last == *first) return 0;
  --*last;
  return 1;
}

/* The newest checkpoint that the last session says there is, -1 for none; 0 where it does not say. */
static int saved_by(const char *text, int64_t *saved)
{
  static const char name[] = "\n  \"saved_step\": ";
  int told = 0;
  for (const char *at = text; (at = strstr(at, name)); at++) {
    char *end;
    long long step = strtoll(at + sizeof name - 1, &end, 10);
    *saved = end > at + sizeof name - 1 ? step : -1;
    told = 1;
  }
  return told;
}

/* The sessions so far, too many to be carried on, get a file of their own: the first name that is free. */
static int put_by(const char *dir, const char *path, triad_log *log)
{
  char aside[TRIAD_PATH];
  for (int i = 1;; i++) {
    TRIAD_TRY(triad_disk_path(aside, "%s/provenance.%d.json", dir, i));
    if (access(aside, F_OK) != 0) break;
  }
  TRIAD_TRY(triad_disk_rename(path, aside));
  triad_log_info(log, "provenance.json exceeded %d MB: earlier sessions are now in %s", LIMIT >> 20, aside);
  return TRIAD_OK;
}

/* Read the existing file: a list, whose brackets are removed; a single object, from earlier versions, becomes a list
 * of one. Any other file is renamed. */
static int load_before(triad_provenance *p, triad_log *log)
{
  char path[TRIAD_PATH], aside[TRIAD_PATH], *text = NULL;
  const char *first, *last;
  int64_t bytes = 0;
  size_t size = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/provenance.json", p->dir));
  TRIAD_TRY(triad_disk_path(aside, "%s/provenance.json.damaged", p->dir));
  int st = triad_disk_load(path, LIMIT, &text, &bytes);
  if (st == TRIAD_ERR_INPUT || st == TRIAD_ERR_CASE) triad_message_clear();
  if (st == TRIAD_ERR_INPUT) return TRIAD_OK;
  if (st == TRIAD_ERR_CASE) return put_by(p->dir, path, log);
  TRIAD_TRY(st);
  p->tells = saved_by(text, &p->saved);
  int found = find_ends(text, &first, &last), list = found && *first == '[' && *last == ']';
  if (list) {
    text[last - text] = '\0';
    found = find_ends(first + 1, &first, &last);
  }
  if (found && *first == '{' && *last == '}') {
    FILE *f = open_memstream(&p->before, &size);
    if (f) (void)fprintf(f, "%.*s,\n", (int)(last + 1 - first), first);
    if (!f || fclose(f) != 0) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "earlier sessions of %s", path);
  } else if (!list || found) {
    st = triad_disk_rename(path, aside);
  }
  free(text);
  return st;
}

static void stamp(char when[32])
{
  time_t now = time(NULL);
  struct tm utc;
  if (!gmtime_r(&now, &utc) || strftime(when, 32, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) when[0] = '\0';
}

int triad_provenance_create(triad_provenance *p, const triad_session *s, const char *dir, int argc, char **argv)
{
  int root = s->comm.rank == 0;
  char mine[NODE] = "", (*nodes)[NODE] = root ? calloc((size_t)s->comm.size, NODE) : NULL;
  memset(p, 0, sizeof *p);
  p->dir = dir;
  p->saved = p->code = -1;
  stamp(p->started);
  triad_binding_node(s->binding, mine, sizeof mine);
  TRIAD_TRY(triad_agree(&s->comm, !root || nodes ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "kinds of nodes")));
  int st = TRIAD_MPI(MPI_Gather(mine, NODE, MPI_CHAR, nodes, NODE, MPI_CHAR, 0, s->comm.mpi));
  if (st == TRIAD_OK && root) {
    p->about = describe(s, argc, argv, (const char(*)[NODE])nodes);
    st = p->about ? load_before(p, s->log) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the provenance of the run");
  }
  free(nodes);
  return triad_agree(&s->comm, st);
}

void triad_provenance_free(triad_provenance *p)
{
  free(p->before);
  free(p->about);
  free(p->inputs);
  free(p->changed);
  memset(p, 0, sizeof *p);
}

static void put_session(FILE *f, const triad_provenance *p)
{
  (void)fprintf(f, "{\n");
  put_item(f, "started", p->started);
  (void)fprintf(f, "  \"ended\": ");
  if (p->ended[0]) triad_provenance_text(f, p->ended);
  else (void)fprintf(f, "null");
  (void)fprintf(f, ",\n  \"exit_code\": ");
  if (p->code >= 0) (void)fprintf(f, "%d", p->code);
  else (void)fprintf(f, "null");
  (void)fprintf(f, ",\n  \"step_from\": %" PRId64 ",\n  \"step_to\": %" PRId64 ",\n", p->from.step, p->to.step);
  (void)fprintf(f, "  \"t_from\": %.17g,\n  \"t_to\": %.17g,\n  \"saved_step\": ", p->from.t, p->to.t);
  if (p->saved >= 0) (void)fprintf(f, "%" PRId64, p->saved);
  else (void)fprintf(f, "null");
  (void)fprintf(f, ",\n  \"changed\": [%s],\n  \"inputs\": [%s],\n", p->changed ? p->changed : "",
                p->inputs ? p->inputs : "");
  (void)fprintf(f, "%s\n}", p->about);
}

int triad_provenance_write(const triad_provenance *p)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the provenance of the run");
  (void)fprintf(f, "[\n%s", p->before ? p->before : "");
  put_session(f, p);
  (void)fprintf(f, "\n]\n");
  int st = fclose(f) == 0 ? triad_disk_replace(p->dir, "provenance.json", text, (int64_t)size)
                          : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the provenance of the run");
  free(text);
  return st;
}

void triad_provenance_end(triad_provenance *p, int code)
{
  stamp(p->ended);
  p->code = code;
}
