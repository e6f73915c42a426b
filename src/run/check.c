/* Estimate the files, steps and input of a case and refuse a case that cannot run, before anything is written. */
#include "run/check.h"

#include "run/outputs.h"
#include "solvers/device_choice.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a row of the series: a number at full precision, and what parts it from the next. */
enum { NUMBER_BYTES = 20, COMMON_COLUMNS = 3 };

/* A step takes 0.1 ms at the least, and so these a day. */
static const double MANY_STEPS = 1e9;

/* Can the file be read that initial.kind asks for? */
static int check_input(const triad_case *c)
{
  if (!triad_case_is(c, "initial.kind", "file") && !triad_case_is(c, "initial.kind", "checkpoint")) return TRIAD_OK;
  struct stat about;
  char *path = triad_case_path(c, "initial.file");
  if (!path) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path");
  int st = TRIAD_OK;
  if (access(path, R_OK) != 0) {
    const char *word = triad_case_word(c, "initial.file");
    int why = errno, is_here = word[0] != '/' && access(word, R_OK) == 0;
    st = TRIAD_FAIL(TRIAD_ERR_INPUT, "initial.file: %.500s: %s%s", path, strerror(why),
                    is_here ? ". A file of this name is in the working directory, but relative paths start at the "
                              "folder of the case: use an absolute path"
                            : "");
  } else if (triad_case_is(c, "initial.kind", "checkpoint") && (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)))
    st = TRIAD_FAIL(TRIAD_ERR_CASE,
                    "initial.file: %.500s is a file, but initial.kind = \"checkpoint\" requires a folder, such as "
                    "my-run/checkpoints/step-00000100; kind \"file\" reads field files",
                    path);
  free(path);
  return st;
}

/* Files of an interval until time.end, one a step at most, that of the start among them; none without an interval, or
 * where the solver has no bytes to write. */
static double planned(const triad_case *c, const char *interval, int64_t bytes)
{
  double every = bytes > 0 ? triad_case_real(c, interval) : 0;
  double steps = (double)triad_case_integer(c, "time.max_steps");
  if (every <= 0) return 0;
  return fmin(triad_intervals(every, triad_case_real(c, "time.end")), steps > 0 ? steps : INFINITY) + 1;
}

void triad_check_files(const triad_case *c, const triad_solver *solver, triad_needs *n)
{
  n->fields = planned(c, "output.fields_interval", n->fields_bytes);
  if (n->fields <= 0) n->fields_bytes = 0;
  n->slices = solver->slices ? planned(c, "output.slices_interval", n->slices_bytes) : 0;
  if (solver->slices && n->slices_bytes > 0) n->slices = fmax(1, n->slices); /* those of the end */
  n->spectra = solver->spectra ? planned(c, "output.spectra_interval", n->spectra_bytes) : 0;
  n->checkpoints = fmax(1, planned(c, "output.checkpoint_interval", n->checkpoint_bytes)); /* that of the end */
  /* the start, the end */
  if (n->particles_bytes > 0) n->particles = fmax(2, planned(c, "output.particles_interval", 1));
  n->series_rows = planned(c, "output.series_interval", NUMBER_BYTES);
  n->kept = (int)triad_case_integer(c, "output.keep");
  /* the new one is written before the oldest is deleted */
  double kept = n->checkpoints < n->kept ? n->checkpoints : n->kept + 1;
  n->total_bytes =
    n->fields * (double)n->fields_bytes + n->slices * (double)n->slices_bytes + n->spectra * (double)n->spectra_bytes +
    2 * n->particles * n->particles_bytes + /* each of their files has twice the room of the one before */
    kept * (double)n->checkpoint_bytes + n->series_rows * NUMBER_BYTES * (n->columns + COMMON_COLUMNS);
}

/* Warn of step counts beyond the speed of any computer. */
static void warn_of_length(const triad_case *c, triad_case_warnings *d)
{
  double dt = triad_case_real(c, "time.dt"), end = triad_case_real(c, "time.end"), steps = end / dt;
  if (dt > 0 && triad_case_integer(c, "time.max_steps") == 0 && steps > MANY_STEPS)
    triad_case_warn(d, "time.dt = %g makes %.2g steps until time.end = %g", dt, steps, end);
}

int triad_check(const triad_case *given, int size, int threads, triad_needs *needs)
{
  const triad_solver *solver;
  *needs = (triad_needs){.brief = needs->brief, .ranks = needs->ranks};
  TRIAD_TRY(triad_solver_find(&solver, given));
  TRIAD_TRY(solver->check(given, size, threads, needs));
  TRIAD_TRY(check_input(given));
  TRIAD_TRY(triad_device_check(solver->devices, given));
  triad_check_files(given, solver, needs);
  warn_of_length(given, &needs->warnings);
  for (int i = 0; triad_case_warning(given, i); i++)
    triad_case_warn(&needs->warnings, "%s", triad_case_warning(given, i));
  return TRIAD_OK;
}
