#include "run/spectra_of.h"

#include "base/escape.h"
#include "base/version.h"
#include "command/command.h"
#include "command/session.h"
#include "run/fieldfile.h"
#include "run/store/inspect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 1024 };

/* One PATH: what it turned out to be. */
typedef struct item {
  char shown[SHOWN], folder[TRIAD_PATH];
  triad_manifest *about;
  triad_spectra_source source;
  int64_t dims[3]; /* of physical fields, (z, y, x) */
  double length[3];
} item;

typedef struct job {
  triad_session *session;
  const triad_arguments *arguments;
  const char *dir;
  int64_t written[TRIAD_MOST_ARGUMENTS]; /* steps of the files made so far */
  int n_written, n_tables;
} job;

static void tell_rejected(void *log, const char *name, const char *why)
{
  triad_log_warning(log, "checkpoint %s is passed over: %s", name, why);
}

static int find_checkpoint(const job *j, item *it, int whole_run)
{
  const triad_comm *comm = &j->session->comm;
  const char *path = it->source.path;
  if (whole_run) {
    TRIAD_TRY(triad_checkpoint_find(comm, path, tell_rejected, j->session->log, it->folder, &it->about));
    if (!it->about) return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no valid checkpoint", it->shown));
  } else {
    TRIAD_TRY(triad_checkpoint_about(comm, path, it->folder, &it->about));
  }
  (void)triad_escape(it->shown, sizeof it->shown, it->folder, strlen(it->folder), TRIAD_ESCAPE_PLAIN);
  it->source.path = it->folder;
  it->source.about = it->about;
  it->source.step = it->about->step;
  it->source.t = it->about->t;
  return TRIAD_OK;
}

/* Triad's own files say step, time and lengths; a user's may say nothing, or less. */
static int read_roots(const char *path, double roots[5])
{
  static const double unsaid[5] = {0, 0, 0, 0, 0}, exact = 9007199254740992.0; /* 2^53 */
  double step = 0;
  triad_h5 *file = NULL;
  memcpy(roots, unsaid, sizeof unsaid);
  TRIAD_TRY(triad_h5_open(&file, path));
  if (triad_h5_root_reals(file, "step", 1, &step) == TRIAD_OK && step >= 0 && step <= exact) roots[0] = step;
  (void)triad_h5_root_reals(file, "t", 1, &roots[1]);
  (void)triad_h5_root_reals(file, "length", 3, &roots[2]);
  triad_message_clear();
  return triad_h5_close(&file, TRIAD_OK);
}

static int find_fields(const job *j, item *it)
{
  const triad_comm *comm = &j->session->comm;
  double roots[5];
  TRIAD_TRY(triad_fieldfile_dims(comm, it->source.path, "u", it->dims));
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? read_roots(it->source.path, roots) : TRIAD_OK));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(roots, 5, MPI_DOUBLE, 0, comm->mpi))));
  it->source.step = (int64_t)roots[0];
  it->source.t = roots[1];
  memcpy(it->length, &roots[2], sizeof it->length);
  return TRIAD_OK;
}

static int find(const job *j, item *it)
{
  const triad_comm *comm = &j->session->comm;
  int kind = comm->rank == 0 ? (int)triad_path_look(it->source.path) : 0;
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(&kind, 1, MPI_INT, 0, comm->mpi))));
  if (kind == TRIAD_PATH_MISSING)
    return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such file or folder", it->shown));
  if (kind == TRIAD_PATH_RUN || kind == TRIAD_PATH_CHECKPOINT) return find_checkpoint(j, it, kind == TRIAD_PATH_RUN);
  if (kind == TRIAD_PATH_FILE) return find_fields(j, it);
  return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a run directory, a checkpoint's folder or an HDF5 file of "
                                                      "fields is wanted", it->shown));
}

/* The case that the file stands for. Nothing but names of our own and numbers gets into it: no text of the file's. */
static int write_case(const item *it, FILE *f)
{
  const triad_manifest *m = it->about;
  if (m && !triad_notes_good_name(m->solver))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its solver has an impossible name", it->shown);
  const int64_t own[3] = {it->dims[2], it->dims[1], it->dims[0]}, *n = m ? m->grid.n : own;
  const double *length = m ? m->grid.length : it->length;
  (void)fprintf(f, "precision = \"%s\"\n[equations]\nsolver = \"%s\"\n", m && m->element == 4 ? "single" : "double",
                m ? m->solver : "hd");
  (void)fprintf(f, "[grid]\nn = [%" PRId64 ", %" PRId64 ", %" PRId64 "]\n", n[0], n[1], n[2]);
  /* a file without lengths leaves the default */
  if (m || length[0] != 0 || length[1] != 0 || length[2] != 0)
    (void)fprintf(f, "length = [%.17g, %.17g, %.17g]\n", length[0], length[1], length[2]);
  (void)fprintf(f, "truncation = \"%s\"\n", m ? triad_truncation_name[m->grid.truncation] : "none");
  (void)fprintf(f, "[initial]\nkind = \"rest\"\n[time]\nend = 0\n[parallel]\nreproducible = true\n");
  return TRIAD_OK;
}

static int make_case(job *j, const item *it)
{
  triad_session *s = j->session;
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  int st = f ? write_case(it, f) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case of a file");
  if (f && fclose(f) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case of a file");
  st = triad_agree(&s->comm, st);
  if (st == TRIAD_OK) st = triad_session_case_text(s, it->shown, text, j->arguments);
  free(text);
  return st;
}

static void drop_case(triad_session *s)
{
  triad_context_destroy(&s->context);
  triad_case_destroy(&s->given);
  free(s->text);
  s->text = NULL;
}

static int make_notes(const item *it, triad_notes **notes)
{
  const char *origin = NULL;
  TRIAD_TRY(triad_notes_create(notes));
  TRIAD_TRY(triad_notes_set_text(*notes, "version", triad_version()));
  TRIAD_TRY(triad_notes_set_text(*notes, "commit", triad_commit()));
  TRIAD_TRY(triad_notes_set_text(*notes, "source", it->shown));
  if (!it->about || !triad_notes_has(it->about->notes, "case")) return TRIAD_OK;
  TRIAD_TRY(triad_notes_text(it->about->notes, "case", &origin));
  return triad_notes_set_text(*notes, "case", origin);
}

/* Files are named by their step: two of one step would take each other's place. */
static int check_name(const job *j, const item *it)
{
  for (int i = 0; i < j->n_written; i++)
    if (j->written[i] == it->source.step)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its step is %" PRId64 ", for which this command has just written a file: "
                                        "give it a --dir of its own", it->shown, it->source.step);
  return TRIAD_OK;
}

static int measure(job *j, item *it)
{
  triad_session *s = j->session;
  triad_notes *notes = NULL;
  triad_spectra_target target = {.table = j->dir ? NULL : stdout, .dir = j->dir};
  int st = j->dir ? check_name(j, it) : TRIAD_OK;
  if (st == TRIAD_OK && j->dir) st = make_notes(it, &notes);
  st = triad_agree(&s->comm, st);
  target.notes = notes;
  if (st == TRIAD_OK) {
    if (target.table && j->n_tables++ > 0 && s->comm.rank == 0) (void)fprintf(target.table, "\n\n");
    st = triad_case_is(s->given, "precision", "single")
             ? triadf_spectra_of(s->context, s->given, &it->source, &target, s->log)
             : triad_spectra_of(s->context, s->given, &it->source, &target, s->log);
  }
  triad_notes_destroy(&notes);
  if (st != TRIAD_OK || !j->dir) return st;
  j->written[j->n_written++] = it->source.step;
  if (s->comm.rank == 0) (void)printf("%s/spectra/spectra-%08" PRId64 ".h5\n", j->dir, it->source.step);
  return TRIAD_OK;
}

static int take(job *j, const char *path)
{
  triad_session *s = j->session;
  item it = {.source = {.path = path}};
  (void)triad_escape(it.shown, sizeof it.shown, path, strlen(path), TRIAD_ESCAPE_PLAIN);
  it.source.shown = it.shown;
  int st = find(j, &it);
  if (st == TRIAD_OK) st = make_case(j, &it);
  if (st == TRIAD_OK) st = measure(j, &it);
  drop_case(s);
  triad_manifest_destroy(&it.about);
  return st;
}

/* Standard output is for the tables. */
static int log_to_stderr(triad_session *s, triad_arguments *a)
{
  triad_log_destroy(&s->log);
  a->log.out = 2;
  return triad_agree(&s->comm, triad_log_create(&s->log, &a->log));
}

/* What is wrong with one file is no reason to leave out the others; what is wrong with the machine is. */
static int spectra(triad_session *s, triad_arguments *a, const char *dir)
{
  int worst = TRIAD_OK;
  if (a->n_words == 0)
    worst = TRIAD_FAIL(TRIAD_ERR_USAGE, "triad spectra wants a run directory, a checkpoint or a file of fields; see "
                                        "triad spectra --help");
  TRIAD_TRY(triad_agree(&s->comm, worst));
  TRIAD_TRY(log_to_stderr(s, a));
  job j = {.session = s, .arguments = a, .dir = dir};
  for (int i = 0; i < a->n_words; i++) {
    int st = take(&j, a->words[i]);
    if (st > worst) worst = st;
    if (st != TRIAD_OK && st != TRIAD_ERR_CASE && st != TRIAD_ERR_INPUT) break;
  }
  if (s->comm.rank == 0 && fflush(stdout) != 0 && worst == TRIAD_OK)
    worst = TRIAD_FAIL(TRIAD_ERR_IO, "standard output: writing failed");
  return triad_agree(&s->comm, worst);
}

static int run(int argc, char **argv)
{
  const char *dir = NULL;
  const triad_option table[] = {{"--dir", &dir, NULL}, {NULL, NULL, NULL}};
  triad_session s;
  triad_arguments a;
  int st = triad_session_begin(&s, argc, argv, table, &a);
  if (st == TRIAD_OK) st = spectra(&s, &a, dir);
  return triad_session_end(&s, st);
}

const triad_command triad_command_spectra = {
    .name = "spectra",
    .summary = "shell spectra of checkpoints and of fields in files",
    .help = "Usage: triad spectra PATH... [--dir DIR] [--set KEY=VALUE]...\n\n"
            "Prints the shell spectra of each PATH as CSV, by the code that a run uses: comment lines with units and\n"
            "formulae, a header row k,E,H, a row a shell at full precision. Tables are parted by two blank lines.\n"
            "The sum of E is checked against the energy each time: exit 65, with both numbers, where it fails.\n\n"
            "PATH is one of\n"
            "  a run directory    its newest valid checkpoint\n"
            "  a checkpoint       step-00001234/: the very modes of the run, so that the spectra agree bit for bit\n"
            "  an HDF5 file       with datasets u, v, w as (z, y, x): a run's fields-00001234.h5 or your own. Box\n"
            "                     lengths come from its attribute length (x, y, z), step and time from step and t;\n"
            "                     without them it is 2 pi each, 0 and 0. Every mode of the points is kept, so that\n"
            "                     the sum of E is mean(|u|^2)/2 of the data: the mean flow is in shell 0, a compressive\n"
            "                     part is counted. In shells that a run did not keep its fields hold round-off.\n\n"
            "  --dir DIR          write DIR/spectra/spectra-<step>.h5 as a run does, and name each file written\n"
            "  --set KEY=VALUE    read the file otherwise: grid.length=[2pi,2pi,4pi], grid.truncation=sphere to keep\n"
            "                     the modes of a run, precision=single\n"
            "  -q, -v             say less, say more;  --log-format=jsonl  one JSON object a line\n\n"
            "On P ranks: mpirun -n P triad spectra PATH\n",
    .run = run};
