/* The command `triad spectra`: measure the spectra of existing checkpoints and files of fields. */
#include "base/version.h"
#include "base/output.h"
#include "command/command.h"
#include "command/spectra_points.h"
#include "command/spectra_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
  triad_session *session;
  const triad_arguments *arguments;
  const char *dir;
  int64_t written[TRIAD_MAX_ARGUMENTS]; /* steps of the files made so far */
  int n_written, n_tables;
} job;

static void drop_case(triad_session *s)
{
  triad_context_destroy(&s->context);
  triad_case_destroy(&s->given);
  free(s->text);
  s->text = NULL;
}

static int make_notes(const triad_spectra_item *it, triad_notes **notes)
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
static int check_name(const job *j, const triad_spectra_item *it)
{
  for (int i = 0; i < j->n_written; i++)
    if (j->written[i] == it->source.step)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: its step is %" PRId64
                        ", for which this command has already written a file: use another --dir",
                        it->shown, it->source.step);
  return TRIAD_OK;
}

static int measure(job *j, triad_spectra_item *it)
{
  triad_session *s = j->session;
  const triad_solver *solver;
  triad_notes *notes = NULL;
  triad_spectra_target target = {.table = j->dir ? NULL : stdout, .dir = j->dir};
  int st = triad_solver_find(&solver, s->given);
  if (st == TRIAD_OK && !solver->transform && !(it->of_points && solver->spectra))
    st = TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s cannot compute spectra of files",
                    triad_case_word(s->given, "equations.solver"));
  if (st == TRIAD_OK && j->dir) st = check_name(j, it);
  if (st == TRIAD_OK && j->dir) st = make_notes(it, &notes);
  st = triad_agree(&s->comm, st);
  target.notes = notes;
  if (st == TRIAD_OK) {
    if (target.table && j->n_tables++ > 0 && s->comm.rank == 0) (void)fprintf(target.table, "\n\n");
    st = solver->transform ? solver->transform->spectra_of(s->context, s->given, &it->source, &target, s->log)
                           : triad_spectra_of_points(s, solver, it, &target);
  }
  triad_notes_destroy(&notes);
  if (st != TRIAD_OK || !j->dir) return st;
  j->written[j->n_written++] = it->source.step;
  if (s->comm.rank == 0) (void)printf("%s/spectra/spectra-%08" PRId64 ".h5\n", j->dir, it->source.step);
  return TRIAD_OK;
}

static int process_file(job *j, const char *path)
{
  triad_session *s = j->session;
  triad_spectra_item it;
  int st = triad_spectra_find(s, path, &it);
  if (st == TRIAD_OK) st = triad_spectra_case(s, j->arguments, &it);
  if (st == TRIAD_OK) st = measure(j, &it);
  drop_case(s);
  triad_spectra_forget(&it);
  /* report the next file's failure too */
  if (st != TRIAD_OK && s->comm.rank == 0) triad_message_print(-1);
  triad_message_clear();
  return st;
}

/* Standard output is for the tables. */
static int log_to_stderr(triad_session *s, triad_arguments *a)
{
  triad_log_destroy(&s->log);
  a->log.out = 2;
  return triad_agree(&s->comm, triad_log_create(&s->log, &a->log));
}

/* Options that stand for keys of the case, below what the user sets. */
typedef struct choices {
  int lines;
  const char *dir, *structure, *pdf;
  char text[3][64];
} choices;

static int spell_out(choices *o, triad_arguments *a)
{
  const char *sets[3];
  int n = 0, bins = 0;
  if ((o->lines || o->structure || o->pdf) && !o->dir)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--lines, --structure and --pdf write HDF5 files: add --dir DIR");
  if (o->structure && strcmp(o->structure, "log") != 0 && strcmp(o->structure, "all") != 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--structure must be log or all");
  if (o->pdf && !o->structure) o->structure = "log";
  if (o->pdf) TRIAD_TRY(triad_options_count("--pdf", o->pdf, &bins));
  if (a->n_sets + 3 > TRIAD_MAX_ARGUMENTS) return TRIAD_FAIL(TRIAD_ERR_USAGE, "too many --set options");
  if (o->lines) (void)snprintf(o->text[n++], sizeof *o->text, "output.line_spectra=true");
  if (o->structure) (void)snprintf(o->text[n++], sizeof *o->text, "output.structure_functions=%s", o->structure);
  if (o->pdf) (void)snprintf(o->text[n++], sizeof *o->text, "output.increment_pdfs=%d", bins);
  for (int i = 0; i < n; i++) sets[i] = o->text[i];
  memmove(a->sets + n, a->sets, (size_t)a->n_sets * sizeof *a->sets);
  memcpy(a->sets, sets, (size_t)n * sizeof *sets);
  a->n_sets += n;
  return TRIAD_OK;
}

/* An invalid file does not prevent the processing of the others; a failure of the machine does. */
static int spectra(triad_session *s, triad_arguments *a, void *self)
{
  choices *o = self;
  int worst = spell_out(o, a);
  if (worst == TRIAD_OK)
    worst =
      triad_options_words(a, "spectra", 1, TRIAD_MAX_ARGUMENTS, "a run directory, a checkpoint or a file of fields");
  TRIAD_TRY(triad_agree(&s->comm, worst));
  TRIAD_TRY(log_to_stderr(s, a));
  job j = {.session = s, .arguments = a, .dir = o->dir};
  for (int i = 0; i < a->n_words; i++) {
    int st = process_file(&j, a->words[i]);
    if (st > worst) worst = st;
    if (st != TRIAD_OK && st != TRIAD_ERR_CASE && st != TRIAD_ERR_INPUT) break;
  }
  if (s->comm.rank == 0) worst = triad_output_end(stdout, worst);
  return triad_agree(&s->comm, worst);
}

static int run_spectra(int argc, char **argv)
{
  choices o = {0};
  const triad_option table[] = {{"--dir", &o.dir, NULL},
                                {"--lines", NULL, &o.lines},
                                {"--structure", &o.structure, NULL},
                                {"--pdf", &o.pdf, NULL},
                                {NULL, NULL, NULL}};
  return triad_session_run(argc, argv, table, spectra, &o);
}

const triad_command triad_command_spectra = {
  .name = "spectra",
  .summary = "compute spectra and structure functions of checkpoints and files",
  .help =
    "Usage: triad spectra PATH... [--dir DIR] [--set KEY=VALUE]...\n"
    "\n"
    "Prints the shell spectra of each PATH as CSV: comment lines with units and formulae, a header row k,E,H, and one "
    "row\n"
    "a shell at full precision. Tables are separated by two blank lines. The code is that of a run. The sum of E is "
    "checked\n"
    "against the energy; if the check fails, both numbers are printed and the exit code is 65.\n"
    "\n"
    "PATH is one of\n"
    "  a run directory    its newest valid checkpoint\n"
    "  a checkpoint       step-00001234/: the modes of the run, so that the spectra agree bit for bit; also of\n"
    "                     flows in periodic boxes whose values are at points\n"
    "  an HDF5 file       with datasets (z, y, x): fields-00001234.h5 of a run, or your own. u, v, w are a velocity;\n"
    "                     theta makes it stratified flow; bx, by, bz a magnetic field; psi_re, psi_im are a wave\n"
    "                     function. The box lengths are its attribute length (x, y, z), step and time its attributes\n"
    "                     step and t; the defaults are 2 pi each, 0 and 0. All modes of the points are used, so that\n"
    "                     the sum of E is the energy of the data: the mean flow is in shell 0, and a compressive part\n"
    "                     is included. In shells that a run truncates its fields hold rounding errors only.\n"
    "                     Fields of a gas have the spectra of its run: sqrt(rho) u, both parts of u, rho, p.\n"
    "\n"
    "  --dir DIR          write DIR/spectra/spectra-<step>.h5 as a run does, and list the files written.\n"
    "                     With --dir also, for each field, along x, y and z:\n"
    "  --lines            1-D spectra, longitudinal and transverse\n"
    "  --structure log    structure functions of order 2 to 8 over every point, at separations half an octave apart,\n"
    "                     and the 1-D spectra that they are checked against; all: at every separation up to half the "
    "box\n"
    "  --pdf BINS         also PDFs of the increments\n"
    "  --set KEY=VALUE    read the file differently: grid.length=[2pi,2pi,4pi], grid.truncation=sphere to keep the "
    "modes\n"
    "                     of a run, precision=single\n"
    "  -q, -v             print less, print more;  --log-format=jsonl  print one JSON object a line\n"
    "\n"
    "On P ranks: mpirun -n P triad spectra PATH\n",
  .run = run_spectra};
