/* The command `triad cite`: print BibTeX entries for the code, the methods that a case uses, and the libraries. */
#include "command/command.h"
#include "case/case_load.h"

#include "base/json.h"
#include "base/status.h"
#include "base/output.h"
#include "base/version.h"
#include "case/part.h"
#include "command/session/session.h"
#include "store/checkpoint/inspect.h"

#include <ctype.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PROVENANCE_BYTES = 16 << 20 };

static void put_work(void *out, const triad_reference *w)
{
  (void)fprintf(out, "\n@%s{%s,\n  author = {%s},\n  title = {%s},\n", w->journal ? "article" : "misc", w->name,
                w->author, w->title);
  if (w->journal) (void)fprintf(out, "  journal = {%s},\n", w->journal);
  if (w->volume) (void)fprintf(out, "  volume = {%s},\n", w->volume);
  if (w->pages) (void)fprintf(out, "  %s = {%s},\n", w->journal ? "pages" : "howpublished", w->pages);
  (void)fprintf(out, "%s%s%s}\n", w->year ? "  year = {" : "", w->year ? w->year : "", w->year ? "},\n" : "");
}

static void put_code(const char *version, const char *commit)
{
  (void)printf("@software{Triad,\n  author = {{The Triad authors}},\n"
               "  title = {Triad, a turbulence code for MPI, OpenMP and GPUs},\n  version = {%s},\n",
               version);
  if (*commit) (void)printf("  note = {commit %s},\n", commit);
  (void)printf("  year = {%.4s},\n}\n", triad_date());
}

/* Those that every run uses, and which MPI this is. */
static void put_libraries(void)
{
  static const triad_reference fftw = {NULL,
                                       "FFTW",
                                       "Frigo, Matteo and Johnson, Steven G.",
                                       "The design and implementation of {FFTW3}",
                                       "Proceedings of the IEEE",
                                       "93",
                                       "216--231",
                                       "2005",
                                       NULL};
  static const triad_reference hdf5 = {NULL,
                                       "HDF5",
                                       "{The HDF Group}",
                                       "Hierarchical Data Format, version 5",
                                       NULL,
                                       NULL,
                                       "\\url{https://www.hdfgroup.org/HDF5}",
                                       NULL,
                                       NULL};
  static const struct {
    const char *begin;
    triad_reference work;
  } mpis[] = {
    {"Open MPI",
     {NULL, "OpenMPI", "Gabriel, Edgar and Fagg, Graham E. and Bosilca, George and others",
      "{Open MPI}: goals, concept, and design of a next generation {MPI} implementation",
      "Recent Advances in Parallel Virtual Machine and Message Passing Interface", "3241", "97--104", "2004", NULL}},
    {"MPICH",
     {NULL, "MPICH", "Gropp, William and Lusk, Ewing and Doss, Nathan and Skjellum, Anthony",
      "A high-performance, portable implementation of the {MPI} message passing interface standard",
      "Parallel Computing", "22", "789--828", "1996", NULL}}};
  char name[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  (void)MPI_Get_library_version(name, &length); /* needs no MPI_Init */
  put_work(stdout, &fftw);
  put_work(stdout, &hdf5);
  for (size_t i = 0; i < sizeof mpis / sizeof *mpis; i++)
    if (strncmp(name, mpis[i].begin, strlen(mpis[i].begin)) == 0) put_work(stdout, &mpis[i].work);
}

/* The member of a session if it has nothing but what versions are made of; else `out` is unchanged. */
static void read_member(triad_json_value session, const char *name, char *out, size_t size)
{
  triad_json_value value;
  char *text = triad_json_member(session, name, &value) ? triad_json_decode(value) : NULL;
  size_t n = 0;
  while (text && (isalnum((unsigned char)text[n]) || (text[n] && strchr(".-+", text[n])))) n++;
  if (text && n < size) (void)snprintf(out, size, "%.*s", (int)n, text);
  free(text);
}

/* What the last session of a run was made by, where its provenance says so; else this program. */
static void read_provenance(const char *run, char version[64], char commit[64])
{
  char path[TRIAD_PATH], *text = NULL;
  int64_t bytes;
  size_t bad;
  triad_json_value sessions, last;
  if (triad_disk_path(path, "%s/provenance.json", run) == TRIAD_OK &&
      triad_disk_load(path, PROVENANCE_BYTES, &text, &bytes) == TRIAD_OK &&
      triad_json_parse(&sessions, text, (size_t)bytes, &bad)) {
    if (!triad_json_last(sessions, &last)) last = sessions;
    read_member(last, "version", version, 64);
    commit[0] = '\0';
    read_member(last, "commit", commit, 64);
  }
  triad_message_clear();
  free(text);
}

static int read_case(triad_case **c, const char *path)
{
  char *text = NULL;
  size_t length = 0;
  TRIAD_TRY(triad_case_load_text(path, &text, &length));
  int st = triad_case_parse(c, path, text, length, NULL, 0);
  if (st == TRIAD_ERR_CASE && *c) {
    (void)fprintf(stderr, "%s", triad_case_errors(*c));
    triad_message_clear();
  }
  free(text);
  return st;
}

static int cite(triad_log *log, triad_arguments *a, void *unused)
{
  char version[64], commit[64], path[TRIAD_PATH];
  triad_case *c = NULL;
  int st = TRIAD_OK;
  (void)log, (void)unused;
  TRIAD_TRY(triad_options_words(a, "cite", 0, 1, "a run directory or a case file"));
  if (a->n_sets > 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad cite does not accept --set: use it with run, bench, case and spectra");
  (void)snprintf(version, sizeof version, "%s", triad_version());
  (void)snprintf(commit, sizeof commit, "%s", triad_commit());
  if (a->n_words == 1) {
    int run = triad_path_look(a->words[0]) == TRIAD_PATH_RUN;
    TRIAD_TRY(triad_disk_path(path, run ? "%s/case.resolved.toml" : "%s", a->words[0]));
    if (run) read_provenance(a->words[0], version, commit);
    st = read_case(&c, path);
  }
  if (st == TRIAD_OK) {
    put_code(version, commit);
    if (c) triad_case_references(c, put_work, stdout);
    put_libraries();
  }
  triad_case_destroy(&c);
  return triad_output_end(stdout, st);
}

static int run_cite(int argc, char **argv)
{
  const triad_option table[] = {{NULL, NULL, NULL}};
  return triad_session_alone(argc, argv, table, cite, NULL);
}

const triad_command triad_command_cite = {
  .name = "cite",
  .summary = "print BibTeX entries for Triad, a run's methods and the libraries",
  .help = "Usage: triad cite [RUN | CASE.toml]\n"
          "\n"
          "Prints BibTeX entries for Triad, with the version and commit of the run or of this program; for the "
          "publications behind\n"
          "the methods of the run or case; and for the libraries that every run uses.\n",
  .run = run_cite};
