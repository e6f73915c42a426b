/* Classify the files given to `triad spectra` and build the case of each from its notes or attributes. */
#include "command/spectra_source.h"

#include "base/guard.h"
#include "base/text.h"
#include "case/part.h"
#include "case/schema.h"
#include "store/fields/fieldfile.h"
#include "store/checkpoint/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_checkpoint(const triad_session *s, triad_spectra_item *it, int whole_run)
{
  const triad_comm *comm = &s->comm;
  const char *path = it->source.path;
  if (whole_run) {
    TRIAD_TRY(triad_checkpoint_find(comm, path, triad_checkpoint_warn, s->log, it->folder, &it->about));
    if (!it->about) return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no valid checkpoint", it->shown));
  } else {
    TRIAD_TRY(triad_checkpoint_about(comm, path, it->folder, &it->about));
  }
  if (it->about->points && it->about->space[0])
    return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_CASE,
                                        "%s: spectra require values at grid points, not in a space of kind %s",
                                        it->shown, it->about->space));
  if (it->about->points && !triad_notes_has(it->about->notes, "case"))
    return triad_agree(
      comm, TRIAD_FAIL(TRIAD_ERR_CASE,
                       "%s: a checkpoint of values at points without the case of its run: use a file of fields/, which "
                       "has u, v and w",
                       it->shown));
  (void)triad_escape(it->shown, sizeof it->shown, it->folder, strlen(it->folder), TRIAD_ESCAPE_PLAIN);
  it->source.path = it->folder;
  it->source.about = it->about;
  it->source.step = it->about->step;
  it->source.t = it->about->t;
  return TRIAD_OK;
}

/* What a file of physical fields says of itself, as rank 0 reads it. */
enum { CARRIED = 32 << 10 };

typedef struct fields_head {
  double step, t, length[3]; /* 0: not said */
  int set;                   /* number of the solver */
  int gas;                   /* 1: there is a density */
  char carried[CARRIED];     /* the case of the run; "" where there is none */
} fields_head;

/* Find the solver whose fields are in the file: the last one whose mark is a dataset; the first one if none is. */
static int mark(void *who, const char *name)
{
  fields_head *h = who;
  const triad_solver_row *s;
  if (strcmp(name, "rho") == 0) h->gas = 1;
  for (int i = 0; (s = triad_solver_row_at(i)) != NULL; i++)
    if (s->mark && strcmp(name, s->mark) == 0 && i > h->set) h->set = i;
  return 0;
}

typedef struct head_job {
  const char *path;
  fields_head *head;
} head_job;

/* Triad's own files say step, time, lengths and case; a user's may say nothing, or less. */
static int read_head(void *self, triad_guard *guard)
{
  static const double exact = 9007199254740992.0; /* 2^53 */
  const head_job *job = self;
  fields_head *h = job->head;
  const char *path = job->path;
  triad_h5 *file = NULL;
  TRIAD_TRY(triad_h5_open(&file, path));
  if (triad_h5_root_reals(file, "step", 1, &h->step) != TRIAD_OK || !(h->step >= 0) || h->step > exact) h->step = 0;
  (void)triad_h5_root_reals(file, "t", 1, &h->t);
  (void)triad_h5_root_reals(file, "length", 3, h->length);
  if (!triad_h5_attribute_text(file, "notes", "case", h->carried, CARRIED) || strlen(h->carried) >= CARRIED - 1)
    h->carried[0] = '\0';
  triad_message_clear();
  int st = triad_h5_each(file, mark, h);
  if (st == TRIAD_OK) st = triad_guard_give(guard, h, sizeof *h);
  return triad_h5_close(&file, st);
}

static int keep_head(triad_spectra_item *it, const fields_head *h)
{
  it->source.step = (int64_t)h->step;
  it->source.t = h->t;
  memcpy(it->length, h->length, sizeof it->length);
  it->solver = triad_solver_row_at(h->set)->word.name;
  it->gas = h->gas;
  if (!h->carried[0]) return TRIAD_OK;
  it->carried = strdup(h->carried);
  return it->carried ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case of a file");
}

static int find_fields(const triad_session *s, triad_spectra_item *it)
{
  const triad_comm *comm = &s->comm;
  fields_head *h = calloc(1, sizeof *h);
  int st = triad_agree(comm, h ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the head of a file"));
  if (st == TRIAD_OK) {
    head_job job = {it->source.path, h};
    st = comm->rank == 0 ? triad_guard_run(job.path, read_head, &job, h, sizeof *h) : TRIAD_OK;
    st = triad_agree(comm, st);
  }
  if (st == TRIAD_OK) st = triad_agree(comm, TRIAD_MPI(MPI_Bcast(h, (int)sizeof *h, MPI_BYTE, 0, comm->mpi)));
  if (st == TRIAD_OK) st = triad_fieldfile_dims(comm, it->source.path, triad_solver_row_at(h->set)->mark, it->dims);
  if (st == TRIAD_OK) st = triad_agree(comm, keep_head(it, h));
  free(h);
  return st;
}

void triad_spectra_forget(triad_spectra_item *it)
{
  triad_manifest_destroy(&it->about);
  free(it->carried);
  it->carried = NULL;
}

int triad_spectra_find(const triad_session *s, const char *path, triad_spectra_item *it)
{
  const triad_comm *comm = &s->comm;
  memset(it, 0, sizeof *it);
  it->source.path = path;
  it->source.shown = it->shown;
  (void)triad_escape(it->shown, sizeof it->shown, path, strlen(path), TRIAD_ESCAPE_PLAIN);
  int kind = comm->rank == 0 ? (int)triad_path_look(it->source.path) : 0;
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(&kind, 1, MPI_INT, 0, comm->mpi))));
  if (kind == TRIAD_PATH_MISSING)
    return triad_agree(comm, TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such file or folder", it->shown));
  if (kind == TRIAD_PATH_RUN || kind == TRIAD_PATH_CHECKPOINT) return find_checkpoint(s, it, kind == TRIAD_PATH_RUN);
  if (kind == TRIAD_PATH_FILE) return find_fields(s, it);
  return triad_agree(
    comm,
    TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not a run directory, a checkpoint folder or an HDF5 file of fields", it->shown));
}

/* The row of a solver; for an unknown name the first one's, and the check of the case reports the error. */
static const triad_solver_row *solver_of(const char *name)
{
  const triad_solver_row *s;
  for (int i = 0; (s = triad_solver_row_at(i)) != NULL; i++)
    if (strcmp(s->word.name, name) == 0) return s;
  return triad_solver_row_at(0);
}

/* The least case that the file can stand for. Only names of our own and numbers get into it, no text of the file's. */
static int write_case(const triad_spectra_item *it, FILE *f)
{
  const triad_manifest *m = it->about;
  if (m && !triad_notes_good_name(m->solver)) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: invalid solver name", it->shown);
  const int64_t own[3] = {it->dims[2], it->dims[1], it->dims[0]}, *n = m ? m->grid.n : own;
  const double *length = m ? m->grid.length : it->length;
  (void)fprintf(f, "precision = \"%s\"\n[equations]\nsolver = \"%s\"\n", m && m->element == 4 ? "single" : "double",
                m ? m->solver : it->solver);
  (void)fprintf(f, "[grid]\nn = [%" PRId64 ", %" PRId64 ", %" PRId64 "]\n", n[0], n[1], n[2]);
  /* a file without lengths leaves the default */
  if (m || length[0] != 0 || length[1] != 0 || length[2] != 0)
    (void)fprintf(f, "length = [%.17g, %.17g, %.17g]\n", length[0], length[1], length[2]);
  (void)fprintf(f, "truncation = \"%s\"\n", m ? triad_truncation_name[m->grid.truncation] : "none");
  /* without the case of the run, its mean field and the like are not known, on which transfers depend */
  (void)fprintf(
    f, "[initial]\nkind = \"%s\"\n[time]\nend = 0\n[output]\ntransfer = false\n[parallel]\nreproducible = true\n",
    solver_of(m ? m->solver : it->solver)->rest);
  return TRIAD_OK;
}

/* The case of the run, if the file contains it, has everything else that the equations need: scalars, constants. It is
 * overridden by the file's own attributes, by values that a run requires but spectra do not, and by the user's
 * settings. */
enum { OVERRIDES = 11, OVERRIDE = 160 };

static int override(const triad_spectra_item *it, const triad_arguments *given, char text[OVERRIDES][OVERRIDE],
                    triad_arguments *out)
{
  const triad_manifest *m = it->about;
  char owners[TRIAD_SOLVER_NAMES];
  const int64_t own[3] = {it->dims[2], it->dims[1], it->dims[0]}, *n = m ? m->grid.n : own;
  const double *length = m ? m->grid.length : it->length;
  if (given->n_sets + OVERRIDES > TRIAD_MAX_ARGUMENTS)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "more than %d --set options", TRIAD_MAX_ARGUMENTS - OVERRIDES);
  (void)snprintf(text[0], OVERRIDE, "precision=%s", m && m->element == 4 ? "single" : "double");
  if (m) (void)snprintf(text[1], OVERRIDE, "equations.solver=\"%s\"", m->solver);
  else (void)snprintf(text[1], OVERRIDE, "output.transfer=false");
  (void)snprintf(text[2], OVERRIDE, "grid.n=[%" PRId64 ",%" PRId64 ",%" PRId64 "]", n[0], n[1], n[2]);
  (void)snprintf(text[3], OVERRIDE, "grid.length=[%.17g,%.17g,%.17g]", length[0], length[1], length[2]);
  (void)snprintf(text[4], OVERRIDE, "grid.truncation=%s", m ? triad_truncation_name[m->grid.truncation] : "none");
  (void)snprintf(text[5], OVERRIDE, "initial.kind=%s", solver_of(m ? m->solver : it->solver)->rest);
  (void)snprintf(text[6], OVERRIDE, "forcing.kind=none");
  (void)snprintf(text[7], OVERRIDE, "parallel.reproducible=true");
  (void)snprintf(text[8], OVERRIDE, "parallel.threads=0");
  (void)snprintf(text[9], OVERRIDE, "parallel.nstreams=0");
  (void)snprintf(text[10], OVERRIDE, "parallel.split=[0,1]");
  const int count =
    OVERRIDES - !triad_solver_among(triad_schema_key_solvers("parallel.split", owners), m ? m->solver : it->solver);
  *out = *given;
  for (int i = 0; i < count; i++) out->sets[i] = text[i];
  memcpy(out->sets + count, given->sets, (size_t)given->n_sets * sizeof *given->sets);
  out->n_sets = given->n_sets + count;
  return TRIAD_OK;
}

/* Settings over the case of a run whose values are at points: of a checkpoint, or of a gas from a file of fields. */
enum { POINTS = 3, FILE_SETTING = TRIAD_PATH + 32 };

static int override_points(const triad_spectra_item *it, const triad_arguments *given, char text[OVERRIDES][OVERRIDE],
                           char file[FILE_SETTING], triad_arguments *out)
{
  int n = 0;
  if (given->n_sets + POINTS > TRIAD_MAX_ARGUMENTS)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "more than %d --set options", TRIAD_MAX_ARGUMENTS - POINTS);
  *out = *given;
  (void)snprintf(text[0], OVERRIDE, "parallel.threads=0");
  out->sets[n++] = text[0];
  if (it->about) {
    (void)snprintf(text[1], OVERRIDE, "initial.kind=%s", solver_of(it->about->solver)->rest);
    out->sets[n++] = text[1];
  } else {
    if (strpbrk(it->source.path, "\"\\"))
      return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: its name has a quote or a backslash: rename it", it->source.path);
    (void)snprintf(text[1], OVERRIDE, "initial.kind=file");
    (void)snprintf(file, FILE_SETTING, "initial.file=\"%s\"", it->source.path);
    out->sets[n++] = text[1];
    out->sets[n++] = file;
  }
  memcpy(out->sets + n, given->sets, (size_t)given->n_sets * sizeof *given->sets);
  out->n_sets = given->n_sets + n;
  return TRIAD_OK;
}

/* Does this version accept the text as a case, and does the solver compute spectra of files, or of points? A case of
 * another version may be unknown to it. TRIAD_ERR_MEMORY if a rank cannot decide: it must not treat the case as
 * invalid. */
static int judge_case(const char *text, const triad_arguments *a, int of_points, int *good)
{
  triad_case *c = NULL;
  const triad_solver *solver = NULL;
  int st = triad_case_parse(&c, "", text, strlen(text), a->sets, a->n_sets);
  *good = st == TRIAD_OK && triad_solver_find(&solver, c) == TRIAD_OK &&
          (of_points ? !solver->transform && solver->spectra : solver->transform != NULL);
  triad_case_destroy(&c);
  if (st == TRIAD_ERR_MEMORY) return st;
  triad_message_clear();
  return TRIAD_OK;
}

/* The case as text, and the settings over it. malloc'd. file: room for a setting. */
static int choose_case(const triad_session *s, const triad_arguments *given, triad_spectra_item *it,
                       char overrides[OVERRIDES][OVERRIDE], char file[FILE_SETTING], char **text, triad_arguments *a)
{
  const char *carried = it->carried;
  size_t size = 0;
  FILE *f = open_memstream(text, &size);
  int st = f ? write_case(it, f) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case of a file");
  if (f && fclose(f) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case of a file");
  *a = *given;
  if (st == TRIAD_OK && it->about && triad_notes_has(it->about->notes, "case"))
    st = triad_notes_text(it->about->notes, "case", &carried);
  if (st != TRIAD_OK || !carried) return st;
  triad_arguments over;
  int good;
  if (it->about ? it->about->points : it->gas) {
    TRIAD_TRY(override_points(it, given, overrides, file, &over));
    TRIAD_TRY(judge_case(carried, &over, 1, &it->of_points));
  }
  if (!it->of_points) TRIAD_TRY(override(it, given, overrides, &over));
  good = it->of_points;
  if (!good) TRIAD_TRY(judge_case(carried, &over, 0, &good));
  if (!good) { /* if what the user sets is wrong, the plain case says so */
    triad_log_detail(s->log, "%s: the case in the file is not used", it->shown);
    return TRIAD_OK;
  }
  free(*text);
  *text = strdup(carried);
  *a = over;
  return *text ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case of a file");
}

int triad_spectra_case(triad_session *s, const triad_arguments *given, triad_spectra_item *it)
{
  triad_arguments arguments;
  char overrides[OVERRIDES][OVERRIDE], file[FILE_SETTING], *text = NULL;
  int st = triad_agree(&s->comm, choose_case(s, given, it, overrides, file, &text, &arguments));
  if (st == TRIAD_OK) st = triad_session_case_text(s, it->shown, text, &arguments);
  free(text);
  return st;
}
