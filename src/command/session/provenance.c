/* Write provenance.json: one entry for each session, with command, host, libraries, nodes and result. */
#include "command/session/provenance.h"

#include "base/json.h"
#include "base/version.h"
#include "store/disk.h"

#include <fftw3.h>
#include <hdf5.h>
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

static void put_environment(triad_json *j)
{
  extern char **environ;
  triad_json_object(j, "environment", TRIAD_JSON_LINES);
  for (char **e = environ; *e; e++) {
    const char *equals = strchr(*e, '=');
    int tells = 0;
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
      tells |= strncmp(*e, telling[i], strlen(telling[i])) == 0;
    /* the launcher's own wiring: keys and addresses of this one job */
    if (!tells || !equals || strncmp(*e, "OMPI_MCA_orte_", 14) == 0 || strncmp(*e, "OMPI_MCA_ess_", 13) == 0) continue;
    char name[256];
    (void)snprintf(name, sizeof name, "%.*s", (int)(equals - *e), *e);
    triad_json_text(j, name, equals + 1);
  }
  triad_json_end(j);
}

static void put_libraries(triad_json *j)
{
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "", hdf5[40];
  int length = 0;
  unsigned major = 0, minor = 0, release = 0;
  (void)MPI_Get_library_version(mpi, &length);
  (void)H5get_libversion(&major, &minor, &release);
  (void)snprintf(hdf5, sizeof hdf5, "%u.%u.%u", major, minor, release);
  triad_json_object(j, "libraries", TRIAD_JSON_LINE);
  triad_json_text(j, "mpi", mpi);
  triad_json_text(j, "fftw", fftw_version);
  triad_json_text(j, "hdf5", hdf5);
  triad_json_end(j);
}

static void put_system(triad_json *j)
{
  struct utsname u;
  char text[4 * sizeof u.sysname] = "";
  if (uname(&u) == 0) (void)snprintf(text, sizeof text, "%s %s %s", u.sysname, u.release, u.machine);
  triad_json_text(j, "system", text);
}

/* Kinds of nodes, each once. */
static void put_nodes(triad_json *j, int n, const char (*nodes)[NODE])
{
  triad_json_list(j, "cpu", TRIAD_JSON_LINE);
  for (int i = 0; i < n; i++) {
    int seen = 0;
    for (int k = 0; k < i && !seen; k++) seen = strcmp(nodes[i], nodes[k]) == 0;
    if (!seen) triad_json_text(j, NULL, nodes[i]);
  }
  triad_json_end(j);
}

static void put_command(triad_json *j, const char *program, int argc, char **argv)
{
  char folder[TRIAD_PATH];
  triad_json_list(j, "command", TRIAD_JSON_LINE);
  triad_json_text(j, NULL, program ? program : "triad");
  if (!program) triad_json_text(j, NULL, "run");
  for (int i = 0; i < argc; i++) triad_json_text(j, NULL, argv[i]);
  triad_json_end(j);
  if (getcwd(folder, sizeof folder)) triad_json_text(j, "directory", folder);
}

/* Write the members of a session that are known at its start, without the brackets of an object. */
static void put_about(triad_json *j, const triad_session *s, int argc, char **argv, const char (*nodes)[NODE])
{
  int n_places = 0;
  triad_json_text(j, "version", triad_version());
  triad_json_text(j, "commit", triad_commit());
  triad_json_text(j, "compiler", triad_compiler());
  triad_json_text(j, "build_flags", triad_build_flags());
  put_libraries(j);
  put_system(j);
  put_nodes(j, s->comm.size, nodes);
  put_command(j, s->program, argc, argv);
  put_environment(j);
  const triad_place *places = triad_binding_places(s->binding, &n_places);
  char *binding = triad_cores_json(places, n_places);
  triad_json_raw(j, "binding", binding);
  free(binding);
}

/* An object; NULL without memory. */
static char *describe(const triad_session *s, int argc, char **argv, const char (*nodes)[NODE])
{
  char *text = NULL;
  size_t size = 0;
  triad_json j = {.out = open_memstream(&text, &size)};
  if (!j.out) return NULL;
  triad_json_object(&j, NULL, TRIAD_JSON_LINES);
  put_about(&j, s, argc, argv, nodes);
  triad_json_end(&j);
  if (fclose(j.out) == 0) return text;
  free(text);
  return NULL;
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

/* The sessions in a text: a list of objects; or one object, from earlier versions. 0 if it is anything else. */
static int find_sessions(const char *text, size_t length, triad_json_value *sessions)
{
  size_t bad;
  triad_json_value name, value;
  if (!triad_json_parse(sessions, text, length, &bad)) return 0;
  triad_json_walk w = triad_json_items(*sessions);
  int good = triad_json_is_list(*sessions);
  while (good && triad_json_next(&w, &name, &value)) good = triad_json_is_object(value);
  return good || triad_json_is_object(*sessions);
}

/* Keep the sessions as they are written, in a list, and the newest checkpoint that the last one names. */
static int keep_sessions(triad_provenance *p, triad_json_value sessions)
{
  triad_json_value last = sessions, saved;
  int list = triad_json_is_list(sessions);
  if (list && !triad_json_last(sessions, &last)) return TRIAD_OK;
  p->tells = triad_json_member(last, "saved_step", &saved);
  if (p->tells && !triad_json_to_integer(saved, &p->saved)) p->saved = -1;
  if (asprintf(&p->before, list ? "%.*s" : "[%.*s]", (int)(sessions.end - sessions.at), sessions.at) >= 0)
    return TRIAD_OK;
  p->before = NULL;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "earlier sessions of a run");
}

/* Read the existing file. One without sessions in it is renamed. */
static int load_before(triad_provenance *p, triad_log *log)
{
  char path[TRIAD_PATH], aside[TRIAD_PATH], *text = NULL;
  int64_t bytes = 0;
  triad_json_value sessions;
  TRIAD_TRY(triad_disk_path(path, "%s/provenance.json", p->dir));
  TRIAD_TRY(triad_disk_path(aside, "%s/provenance.json.damaged", p->dir));
  int st = triad_disk_load(path, LIMIT, &text, &bytes);
  if (st == TRIAD_ERR_INPUT || st == TRIAD_ERR_CASE) triad_message_clear();
  if (st == TRIAD_ERR_INPUT) return TRIAD_OK;
  if (st == TRIAD_ERR_CASE) return put_by(p->dir, path, log);
  TRIAD_TRY(st);
  st = find_sessions(text, (size_t)bytes, &sessions) ? keep_sessions(p, sessions) : triad_disk_rename(path, aside);
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

static void put_count(triad_json *j, const char *name, int64_t n)
{
  if (n >= 0) triad_json_integer(j, name, n);
  else triad_json_null(j, name);
}

static void put_session(triad_json *j, const triad_provenance *p)
{
  triad_json_object(j, NULL, TRIAD_JSON_LINES);
  triad_json_text(j, "started", p->started);
  triad_json_text(j, "ended", p->ended[0] ? p->ended : NULL);
  put_count(j, "exit_code", p->code);
  triad_json_integer(j, "step_from", p->from.step);
  triad_json_integer(j, "step_to", p->to.step);
  triad_json_number(j, "t_from", p->from.t, TRIAD_JSON_EXACT);
  triad_json_number(j, "t_to", p->to.t, TRIAD_JSON_EXACT);
  put_count(j, "saved_step", p->saved);
  triad_json_raw(j, "changed", p->changed ? p->changed : "[]");
  triad_json_raw(j, "inputs", p->inputs ? p->inputs : "[]");
  triad_json_copy(j, p->about);
  triad_json_end(j);
}

int triad_provenance_write(const triad_provenance *p)
{
  char *text = NULL;
  size_t size = 0;
  triad_json j = {.out = open_memstream(&text, &size)};
  if (!j.out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the provenance of the run");
  triad_json_list(&j, NULL, TRIAD_JSON_FLUSH);
  triad_json_copy(&j, p->before);
  put_session(&j, p);
  triad_json_end(&j);
  (void)fputc('\n', j.out);
  int st = fclose(j.out) == 0 ? triad_disk_replace(p->dir, "provenance.json", text, (int64_t)size)
                              : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the provenance of the run");
  free(text);
  return st;
}

void triad_provenance_end(triad_provenance *p, int code)
{
  stamp(p->ended);
  p->code = code;
}
