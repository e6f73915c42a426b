/* The command `triad query`: read the options, evaluate the values and write them as CSV or HDF5. */
#include "command/query/query.h"
#include "command/query/query_device.h"
#include "command/query/query_points.h"
#include "command/query/query_source.h"
#include "command/query/query_values.h"
#include "command/query/query_paths.h"
#include "command/query/query_write.h"

#include "base/clock.h"
#include "base/output.h"
#include "base/text.h"
#include "command/command.h"
#include "store/checkpoint/inspect.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct choices {
  const char *at, *time, *what, *out, *advect, *steps, *device;
  double from, to; /* of --advect */
  triad_query_path path;
} choices;

static int is_h5(const char *path)
{
  size_t n = strlen(path);
  return n > 3 && strcmp(path + n - 3, ".h5") == 0;
}

static int read_time(const char *name, const char *text, double *t)
{
  char *end;
  *t = strtod(text, &end);
  return end == text || *end || !isfinite(*t) ? TRIAD_FAIL(TRIAD_ERR_USAGE, "%s %.40s: not a number", name, text)
                                              : TRIAD_OK;
}

static int check_advect(choices *o)
{
  o->path.steps = 100;
  if (o->steps && !o->advect) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--steps requires --advect");
  if (!o->advect) return TRIAD_OK;
  if (!o->time) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--advect requires --time, the time at which the points start");
  if (o->what) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--advect writes positions and velocities only: remove --what");
  TRIAD_TRY(read_time("--time", o->time, &o->from));
  TRIAD_TRY(read_time("--advect", o->advect, &o->to));
  return o->steps ? triad_options_count("--steps", o->steps, &o->path.steps) : TRIAD_OK;
}

static int check(const triad_session *s, const triad_arguments *a, choices *o)
{
  TRIAD_TRY(check_advect(o));
  TRIAD_TRY(triad_options_words(a, "query", 1, 1, "a run directory or a checkpoint"));
  if (s->comm.size > 1)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad query runs in one process, with threads: start it without mpirun");
  if (a->n_sets) return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad query does not accept --set: it reads no case");
  if (!o->at) return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad query requires --at FILE or --at \"lattice NX NY NZ\"");
  if (!o->out) return TRIAD_OK;
  if (triad_path_look(o->out) != TRIAD_PATH_MISSING)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "-o %s: the file already exists", o->out);
  size_t n = strlen(o->out);
  if (is_h5(o->out) || (n > 4 && strcmp(o->out + n - 4, ".csv") == 0)) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "-o %s: the name must end in .csv or .h5", o->out);
}

static int write_csv(const triad_query *q, const choices *o, const char *shown, FILE *out)
{
  return o->advect ? triad_query_path_csv(q, &o->path, shown, out) : triad_query_write_csv(q, shown, out);
}

static int write_csv_file(const triad_query *q, const choices *o, const char *shown)
{
  const char *path = o->out;
  FILE *file = fopen(path, "wx");
  if (!file) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", path, strerror(errno));
  int st = write_csv(q, o, shown, file);
  if (ferror(file) | (fclose(file) != 0)) {
    st = TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", path, strerror(errno));
    (void)remove(path);
  }
  return st;
}

static int answer(const triad_query *q, const choices *o, const char *path)
{
  char shown[1024];
  (void)triad_escape(shown, sizeof shown, path, strlen(path), TRIAD_ESCAPE_PLAIN);
  if (!o->out) return write_csv(q, o, shown, stdout);
  if (!is_h5(o->out)) return write_csv_file(q, o, shown);
  return o->advect ? triad_query_path_h5(q, &o->path, shown, o->out) : triad_query_write_h5(q, shown, o->out);
}

/* Standard output is for the values. */
static int log_to_stderr(triad_session *s, triad_arguments *a)
{
  triad_log_destroy(&s->log);
  a->log.out = 2;
  return triad_log_create(&s->log, &a->log);
}

static int evaluate(triad_query *q, triad_session *s, const char *path, choices *o)
{
  if (o->advect) return triad_query_advect(q, s, path, o->at, o->from, o->to, &o->path);
  const double begin = triad_now();
  TRIAD_TRY(triad_query_source_find(&q->source, s, path, o->time));
  TRIAD_TRY(triad_query_columns(q, o->what));
  const double found = triad_now();
  TRIAD_TRY(triad_query_points_make(&q->points, o->at, q->source.about[0]->grid.length));
  triad_query_points_warn(&q->points, o->at, q->source.about[0]->grid.length, s->log);
  q->took.checkpoint = found - begin;
  q->took.points = triad_now() - found;
  return triad_query_evaluate(q, s);
}

static int work(triad_query *q, triad_session *s, triad_arguments *a, choices *o)
{
  q->threads = triad_binding_threads(s->binding);
  q->device_word = o->device;
  TRIAD_TRY(triad_query_device_check(q));
  TRIAD_TRY(log_to_stderr(s, a));
  TRIAD_TRY(evaluate(q, s, a->words[0], o));
  const double begin = triad_now();
  TRIAD_TRY(answer(q, o, a->words[0]));
  q->took.answer = triad_now() - begin;
  triad_query_report(q, s->log);
  return TRIAD_OK;
}

static int query(triad_session *s, triad_arguments *a, void *self)
{
  choices *o = self;
  int st = check(s, a, o);
  TRIAD_TRY(triad_agree(&s->comm, st));
  triad_query *q = calloc(1, sizeof *q);
  if (!q) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a query");
  st = work(q, s, a, o);
  if (!o->out) st = triad_output_end(stdout, st);
  triad_query_path_free(&o->path);
  triad_query_source_forget(&q->source);
  triad_device_destroy(&q->device);
  free(q->points.x);
  free(q->values);
  free(q);
  return st;
}

static int run_query(int argc, char **argv)
{
  choices o = {0};
  const triad_option table[] = {{"--at", &o.at, NULL},       {"--time", &o.time, NULL},
                                {"--what", &o.what, NULL},   {"--advect", &o.advect, NULL},
                                {"--steps", &o.steps, NULL}, {"--device", &o.device, NULL},
                                {"-o", &o.out, NULL},        {NULL, NULL, NULL}};
  return triad_session_run(argc, argv, table, query, &o);
}

const triad_command triad_command_query = {
  .name = "query",
  .summary = "evaluate stored fields and their derivatives at any points",
  .help =
    "Usage: triad query RUN|CHECKPOINT --at POINTS [--time T] [--what LIST] [--device D] [-o FILE]\n"
    "       triad query RUN --at POINTS --time T --advect T [--steps N] [--device D] [-o FILE]\n"
    "\n"
    "Evaluates fields at points from the modes in a checkpoint of a spectral solver: sums over all modes, accurate to "
    "1e-12\n"
    "of the rms, not interpolation between grid points. Every byte of the checkpoint is verified first. For a run the "
    "newest\n"
    "valid checkpoint is used. The flow is periodic: points outside the box are equivalent to points inside.\n"
    "\n"
    "  --at FILE          CSV of points: rows x,y,z; an optional header x,y,z; comments after #\n"
    "  --at FILE.h5       its dataset position, (point, 3) as -o FILE.h5 writes it, or the last time of (time, "
    "particle, 3)\n"
    "  --at \"lattice NX NY NZ\"   points L i/N along each axis, x fastest\n"
    "  --time T           time in a run: values are linear in time between two checkpoints; the rms difference of "
    "both\n"
    "                     over the points is printed as a measure of the error\n"
    "  --what LIST        comma-separated list of (default: fields)\n"
    "                       fields          all fields of the checkpoint, by their names there\n"
    "                       NAME            one of them: u, v, w, bx, theta ..\n"
    "                       velocity        u, v and w\n"
    "                       pressure        divided by the density, mean 0, from its Poisson equation\n"
    "                       gradient        du_dx, du_dy .. dw_dz; gradient=NAME: of another field\n"
    "                       hessian         d2u_dxdx, d2u_dydy, d2u_dzdz, d2u_dxdy, d2u_dxdz, d2u_dydz ..\n"
    "                       filtered=K      all of it from the modes with |k| <= K only\n"
    "  --advect T         for a run: advect the points with its velocity from --time to this time, forwards or "
    "backwards,\n"
    "                     and print positions and velocities at each step; exact in space, linear in time between "
    "checkpoints\n"
    "  --steps N          number of steps of --advect, Runge-Kutta of fourth order (default 100)\n"
    "  --device D         gpu, cpu, or auto: a GPU if one is available and faster, its start included\n"
    "  -o FILE            write FILE.csv, or FILE.h5 with one dataset a column and position (point, 3), instead of\n"
    "                     standard output; FILE must not exist\n"
    "  -q, -v             print less, print more;  --log-format=jsonl  print one JSON object a line\n"
    "\n"
    "One process; OMP_NUM_THREADS, or the cores that it is bound to, set the number of threads. Exit codes: 64 for "
    "options;\n"
    "65 for a damaged checkpoint, a time without checkpoints, or a row that is no point, with its line; 66 if a file "
    "is\n"
    "missing; 69 if no GPU is available; 71 if memory is short.\n",
  .run = run_query};
