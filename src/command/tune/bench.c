/* The command `triad bench`: print the measured times as a table and write them as JSON. */
#include "run/bench/bench.h"

#include "base/json.h"
#include "base/version.h"
#include "command/command.h"
#include "command/tune/machine.h"
#include "command/session/session.h"
#include "fft/lines/wisdom.h"
#include "parallel/fibers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Core time per cell and stage [s]. */
static double cell_time(const triad_session *s, const triad_bench_result *r)
{
  return r->median_s * s->comm.size * s->context->threads / ((double)r->cells * r->stages);
}

/* Of the time of all phases, were one done after the other: what ranks send each other. */
static double communication_share(const triad_session *s, const triad_bench_result *r)
{
  double all = 0, sent = r->phases.s[TRIAD_PHASE_EXCHANGE] + r->phases.s[TRIAD_PHASE_COPIES];
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) all += i == TRIAD_PHASE_REST ? 0 : r->phases.s[i];
  return all > 0 && s->comm.size > 1 ? sent / all : 0;
}

/* Million cells that one processor, a core or a GPU, takes through one iteration of a linear solver in a second. */
static double mcups(const triad_session *s, const triad_bench_result *r)
{
  int processors = s->comm.size * (strcmp(r->device, "cpu") == 0 ? s->context->threads : 1);
  return 1e-6 * (double)r->cells * r->iterations / (r->solve_s * processors);
}

/* Of the copy bandwidth, by the bytes that iterations move. */
static double iterations_fraction(const triad_bench_result *r)
{
  return r->iteration_bytes * r->iterations / r->solve_s / r->copy_bandwidth;
}

static const char *const solve_part[TRIAD_SOLVE_PARTS] = {[TRIAD_SOLVE_INTERIOR] = "interior",
                                                          [TRIAD_SOLVE_PLANES] = "boundary_planes",
                                                          [TRIAD_SOLVE_COPIES] = "copies",
                                                          [TRIAD_SOLVE_MESSAGES] = "messages",
                                                          [TRIAD_SOLVE_SUMS] = "sums"};

static int tells_parts(const triad_bench_result *r)
{
  double all = 0;
  for (int i = 0; i < TRIAD_SOLVE_PARTS; i++) all += r->solve_part_s[i];
  return all > 0;
}

static void print_solves(triad_log *log, const triad_session *s, const triad_bench_result *r)
{
  triad_log_info(log, "%-12s %10.3f ms  each of %.4g per step, %.4g iterations", "solves", 1e3 * r->solve_s / r->solves,
                 r->solves, r->iterations / r->solves);
  triad_log_info(log,
                 "%-12s %10.1f MCUPS (million cell iterations per second and processor); %.4g bytes per cell: %.0f %% "
                 "of copy bandwidth",
                 "iterations", mcups(s, r), r->iteration_bytes / (double)r->cells, 100 * iterations_fraction(r));
  for (int i = 0; tells_parts(r) && i < TRIAD_SOLVE_PARTS; i++)
    triad_log_info(log, "  %-16s %8.3f us  per iteration, timed separately", solve_part[i],
                   1e6 * r->solve_part_s[i] / r->iterations);
}

static void write_solves(triad_json *j, const triad_session *s, const triad_bench_result *r)
{
  triad_json_object(j, "linear_solver", TRIAD_JSON_LINE);
  triad_json_number(j, "solves_per_step", r->solves, 6);
  triad_json_number(j, "iterations_per_step", r->iterations, 6);
  triad_json_number(j, "solve_s", r->solve_s / r->solves, 9);
  triad_json_number(j, "mcups", mcups(s, r), 6);
  triad_json_number(j, "bytes_per_cell", r->iteration_bytes / (double)r->cells, 6);
  triad_json_number(j, "fraction_of_copies", iterations_fraction(r), 6);
  if (s->comm.size > 1) triad_json_bool(j, "overlap", r->solve_overlaps);
  if (tells_parts(r)) {
    triad_json_object(j, "parts_s", TRIAD_JSON_LINE);
    for (int i = 0; i < TRIAD_SOLVE_PARTS; i++) triad_json_number(j, solve_part[i], r->solve_part_s[i], 6);
    triad_json_end(j);
  }
  triad_json_end(j);
}

static void print_cells(triad_log *log, const triad_session *s, const triad_bench_result *r)
{
  triad_log_info(log, "%-12s %10.4f us  per cell, stage and core; %.3f million cell steps/s; %.0f bytes per cell",
                 "cells", 1e6 * cell_time(s, r), 1e-6 * (double)r->cells / r->median_s,
                 r->peak_bytes / (double)r->cells);
  if (r->iteration_bytes > 0 && r->iterations > 0) print_solves(log, s, r);
  triad_log_info(log, "%-12s %10.1f Gflop/s; %.1f MB per step between ranks", "rates", 1e-9 * r->flops / r->median_s,
                 1e-6 * r->sent_bytes);
  if (s->comm.size > 1)
    triad_log_info(log, "%-12s %10.1f %%   of all phases, timed one after the other, is communication", "messages",
                   100 * communication_share(s, r));
}

/* Of a solver with a list of its own, only phases that took time. */
static void print_phases(triad_log *log, const triad_bench_result *r)
{
  const triad_phase_list *list = r->phase_list;
  int width = 10;
  for (int i = 0; i < list->n; i++) {
    const int length = (int)strlen(list->row[i].name);
    if (length > width && r->phases.s[list->row[i].slot] > 0) width = length;
  }
  for (int i = 0; i < list->n; i++) {
    const double s = r->phases.s[list->row[i].slot];
    if (s > 0 || list == &triad_common_phases)
      triad_log_info(log, "  %-*s %10.3f ms  %5.1f %%", width, list->row[i].name, 1e3 * s, 100 * s / r->median_s);
  }
}

static void print_report(triad_log *log, const triad_session *s, const triad_bench_result *r, int steps, int at_once)
{
  const triad_case *c = s->given;
  char grid[256];
  triad_grid_words(c, grid, sizeof grid);
  triad_log_info(log, "%s  %s  %s  %s  %d rank%s x %d thread%s", triad_case_word(c, "equations.solver"), grid,
                 triad_case_word(c, "precision"), triad_case_word(c, "time.scheme"), s->comm.size,
                 s->comm.size == 1 ? "" : "s", s->context->threads, s->context->threads == 1 ? "" : "s");
  triad_log_info(log, "%-12s %10.3f ms  (quartiles %.3f to %.3f, %d steps, %d %s each)", "step", 1e3 * r->median_s,
                 1e3 * r->q1_s, 1e3 * r->q3_s, steps, r->cells ? r->stages : r->transforms,
                 r->cells ? "stages" : "transforms");
  print_phases(log, r);
  triad_log_info(log, "%-12s %10.3f ms  (%.1f MB per step at %.1f GB/s of %s): %.0f %% of it reached", "floor",
                 1e3 * r->floor_s, 1e-6 * r->bytes, 1e-9 * r->copy_bandwidth,
                 r->over_bus ? "the bus, each way" : "copy bandwidth", 100 * r->fraction);
  if (r->cells) print_cells(log, s, r);
  else
    triad_log_info(log, "%-12s %10.1f Gflop/s in the transforms; %.1f MB per step between ranks, %d chunk%s in flight",
                   "rates", 1e-9 * r->flops / r->median_s, 1e-6 * r->sent_bytes, r->nstreams,
                   r->nstreams == 1 ? "" : "s");
  if (r->lines[0])
    triad_log_info(log, "%-12s %s along x, %s along y, %s along z", "lines", r->lines[0], r->lines[1], r->lines[2]);
  triad_log_info(log, "%-12s %10.5f ms  additional time of a step in `triad run`: %.3f %%", "checks", 1e3 * r->checks_s,
                 100 * r->checks_s / r->median_s);
  triad_log_info(log, "%-12s %10.1f MB  (%.1f MB on the largest rank)", "peak memory", 1e-6 * r->peak_bytes,
                 1e-6 * r->largest_rank_bytes);
  if (r->device_peak_bytes > 0)
    triad_log_info(
      log,
      "%-12s %10.1f MB  on %s, the maximum over all ranks; transport %s, phases timed separately, one after the other",
      "GPU memory", 1e-6 * r->device_peak_bytes, r->device, r->transport);
  int gpu = strcmp(r->device, "cpu") != 0;
  if (r->reference_s > 0) {
    triad_log_info(log, "%-12s %10.3f ms  (%s real-to-complex transform of the grid, one %s)", "reference",
                   1e3 * r->reference_s, gpu ? "cuFFT's 3-D" : "FFTW's", gpu ? "GPU" : "core");
    triad_log_info(log, "%-12s %10.2f     step time over reference", "ratio", r->median_s / r->reference_s);
  }
  if (r->at_once_s > 0)
    triad_log_info(log, "%-12s %10.1f us  per step of each of %d alternating flows, and %.1f us of a single flow",
                   "at once", 1e6 * r->at_once_s, at_once, 1e6 * r->median_s);
  if (r->pair_s > 0) {
    triad_log_info(log, "%-12s %10.3f ms  (three fields to points and back; by cuFFT's 3-D transforms %.3f ms)",
                   "transforms", 1e3 * r->pair_s, 1e3 * r->pair_reference_s);
    triad_log_info(log, "%-12s %10.3f     of cuFFT's", "ratio", r->pair_s / r->pair_reference_s);
  }
}

/* Write which case it was, and what the command line said of it. */
static void write_case(triad_json *j, const triad_session *s, const triad_bench_result *r, const triad_arguments *a)
{
  const triad_case *c = s->given;
  int64_t n[3];
  triad_case_integers(c, "grid.n", n, 3);
  triad_json_text(j, "solver", triad_case_word(c, "equations.solver"));
  triad_json_list(j, "grid", TRIAD_JSON_LINE);
  for (int i = 0; i < 3; i++) triad_json_integer(j, NULL, n[i]);
  triad_json_end(j);
  triad_json_text(j, "case", a->words[0]);
  triad_json_list(j, "set", TRIAD_JSON_LINE);
  for (int i = 0; i < a->n_sets; i++) triad_json_text(j, NULL, a->sets[i]);
  triad_json_end(j);
  triad_json_text(j, "precision", triad_case_word(c, "precision"));
  triad_json_text(j, "scheme", triad_case_word(c, "time.scheme"));
  triad_json_text(j, "device", r->device);
  triad_json_integer(j, "ranks", s->comm.size);
  triad_json_integer(j, "threads", s->context->threads);
  triad_json_integer(j, "nstreams", r->nstreams);
  triad_json_text(j, "transport", r->transport);
  if (!r->lines[0]) return;
  triad_json_list(j, "lines", TRIAD_JSON_LINE);
  for (int i = 0; i < 3; i++) triad_json_text(j, NULL, r->lines[i]);
  triad_json_end(j);
}

static void write_times(triad_json *j, const triad_bench_result *r, int steps)
{
  triad_json_integer(j, "steps", steps);
  triad_json_object(j, "step_s", TRIAD_JSON_LINE);
  triad_json_number(j, "median", r->median_s, 9);
  triad_json_number(j, "q1", r->q1_s, 9);
  triad_json_number(j, "q3", r->q3_s, 9);
  triad_json_end(j);
  triad_json_object(j, "phases_s", TRIAD_JSON_LINE);
  for (int i = 0; i < r->phase_list->n; i++)
    triad_json_number(j, r->phase_list->row[i].name, r->phases.s[r->phase_list->row[i].slot], 9);
  triad_json_end(j);
  triad_json_number(j, "processor_s", r->processor_s, 9);
  triad_json_integer(j, "transforms_per_step", r->transforms);
  triad_json_whole(j, "bytes_per_step", r->bytes);
  triad_json_whole(j, "flops_per_step", r->flops);
  triad_json_whole(j, "sent_bytes_per_step", r->sent_bytes);
  triad_json_number(j, "copy_bandwidth", r->copy_bandwidth, 9);
  triad_json_number(j, "floor_s", r->floor_s, 9);
  triad_json_number(j, "fraction_of_floor", r->fraction, 6);
  triad_json_object(j, "peak_memory_bytes", TRIAD_JSON_LINE);
  triad_json_whole(j, "host", r->peak_bytes);
  triad_json_whole(j, "device", r->device_peak_bytes);
  triad_json_end(j);
}

static void write_cells(triad_json *j, const triad_session *s, const triad_bench_result *r)
{
  triad_json_integer(j, "cells", r->cells);
  triad_json_integer(j, "stages", r->stages);
  triad_json_number(j, "core_s_per_cell_and_stage", cell_time(s, r), 6);
  triad_json_number(j, "communication_share", communication_share(s, r), 6);
}

static void write_start(triad_json *j, const triad_bench_result *r)
{
  triad_json_object(j, "start_s", TRIAD_JSON_LINE);
  for (int i = 0; i < r->start_parts; i++) triad_json_number(j, r->start[i].name, r->start[i].s, 6);
  triad_json_end(j);
}

/* Write the times of libraries' transforms that were measured with the steps. */
static void write_references(triad_json *j, const triad_bench_result *r)
{
  if (r->reference_s > 0) {
    int gpu = strcmp(r->device, "cpu") != 0;
    triad_json_object(j, "reference", TRIAD_JSON_LINE);
    triad_json_text(j, "name", gpu ? "cuFFT 3-D real-to-complex, one GPU" : "FFTW 3-D real-to-complex, one core");
    triad_json_number(j, "median_s", r->reference_s, 9);
    triad_json_end(j);
    triad_json_number(j, "ratio", r->median_s / r->reference_s, 6);
  }
  if (r->pair_s > 0) {
    triad_json_object(j, "transform_pair", TRIAD_JSON_LINE);
    triad_json_number(j, "median_s", r->pair_s, 9);
    triad_json_number(j, "reference_s", r->pair_reference_s, 9);
    triad_json_number(j, "ratio", r->pair_s / r->pair_reference_s, 6);
    triad_json_end(j);
  }
}

static int write_json(const char *path, const triad_session *s, const triad_bench_result *r, const triad_arguments *a,
                      const triad_bench_options *o)
{
  triad_json j = {.out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w")};
  if (!j.out) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot be written", path);
  triad_json_object(&j, NULL, TRIAD_JSON_LINES);
  write_case(&j, s, r, a);
  write_times(&j, r, o->steps);
  if (r->cells) write_cells(&j, s, r);
  if (r->start_parts > 0) write_start(&j, r);
  if (r->iteration_bytes > 0 && r->iterations > 0) write_solves(&j, s, r);
  write_references(&j, r);
  if (r->at_once_s > 0) {
    triad_json_object(&j, "at_once", TRIAD_JSON_LINE);
    triad_json_integer(&j, "flows", o->at_once);
    triad_json_number(&j, "step_s", r->at_once_s, 9);
    triad_json_end(&j);
  }
  triad_json_number(&j, "checks_s", r->checks_s, 6);
  triad_json_text(&j, "version", triad_version());
  triad_json_text(&j, "commit", triad_commit());
  triad_json_end(&j);
  (void)fputc('\n', j.out);
  int failed = ferror(j.out);
  if (j.out == stdout ? fflush(j.out) : fclose(j.out)) failed = 1;
  return failed ? TRIAD_FAIL(TRIAD_ERR_IO, "%s: writing failed", path) : TRIAD_OK;
}

typedef struct choices {
  triad_bench_options bench;
  int new_plans;
  const char *steps, *json, *out, *lengths, *at_once;
  int machine;
} choices;

static int read_at_once(const triad_session *s, choices *c)
{
  int *n = &c->bench.at_once;
  TRIAD_TRY(triad_options_count("--at-once", c->at_once, n));
  if (*n > TRIAD_FIBERS_MAX)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--at-once %d: at most %d flows can be computed at once in a process", *n,
                      TRIAD_FIBERS_MAX);
  if (c->machine) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--at-once requires a case, not --machine");
  return s->comm.size == 1 ? TRIAD_OK
                           : TRIAD_FAIL(TRIAD_ERR_USAGE,
                                        "--at-once: flows on several ranks are computed one at a time: start one rank");
}

/* Can the file of --json be written? Asked before the steps, which may take minutes. It is left as it is. */
static int try_json(const char *path)
{
  if (strcmp(path, "-") == 0) return TRIAD_OK;
  int stood = access(path, F_OK) == 0;
  FILE *f = fopen(path, "a");
  if (!f) return TRIAD_FAIL(TRIAD_ERR_IO, "--json %.300s: cannot be written: %s", path, strerror(errno));
  (void)fclose(f);
  if (!stood) (void)unlink(path);
  return TRIAD_OK;
}

static int bench(triad_session *s, triad_arguments *a, void *self)
{
  choices *c = self;
  triad_bench_options *o = &c->bench;
  triad_bench_result r;
  triad_needs needs;
  int st = triad_options_words(a, "bench", c->machine ? 0 : 1, c->machine ? 0 : 1,
                               c->machine ? "--machine excludes a case" : "one case file");
  if (st == TRIAD_OK && !c->machine && (c->out || c->lengths))
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "%s requires --machine", c->out ? "--out" : "--lengths");
  if (st == TRIAD_OK && c->steps) st = triad_options_count("--steps", c->steps, &o->steps);
  if (st == TRIAD_OK && c->at_once) st = read_at_once(s, c);
  TRIAD_TRY(triad_agree(&s->comm, st));
  if (o->at_once > 1) triad_device_many();
  if (c->new_plans) (void)setenv(TRIAD_NEW_PLANS, "1", 1);
  if (c->machine) return triad_machine_command(s, c->out, c->lengths);
  s->takes_tuned = 1;
  TRIAD_TRY(triad_session_case(s, a->words[0], a));
  TRIAD_TRY(triad_agree(&s->comm, c->json && s->comm.rank == 0 ? try_json(c->json) : TRIAD_OK));
  TRIAD_TRY(triad_session_check(s, &needs));
  o->log = s->log;
  triad_binding_log(s->binding, s->log);
  TRIAD_TRY(triad_bench(s->context, s->given, o, &r));
  print_report(s->log, s, &r, o->steps, o->at_once);
  return triad_agree(&s->comm, c->json && s->comm.rank == 0 ? write_json(c->json, s, &r, a, o) : TRIAD_OK);
}

static int run_bench(int argc, char **argv)
{
  choices c = {.bench = {.steps = 20}};
  const triad_option table[] = {
    {"--steps", &c.steps, NULL},     {"--json", &c.json, NULL},           {"--reference", NULL, &c.bench.reference},
    {"--at-once", &c.at_once, NULL}, {"--new-plans", NULL, &c.new_plans}, {"--machine", NULL, &c.machine},
    {"--out", &c.out, NULL},         {"--lengths", &c.lengths, NULL},     {NULL, NULL, NULL}};
  return triad_session_run(argc, argv, table, bench, &c);
}

const triad_command triad_command_bench = {
  .name = "bench",
  .summary = "time the steps of a case, phase by phase",
  .help =
    "Usage: triad bench CASE.toml [--steps N] [--at-once N] [--reference] [--new-plans] [--json FILE]\n"
    "                   [--set KEY=VALUE]...\n"
    "       triad bench --machine [--out FILE] [--lengths N,N,..]\n"
    "\n"
    "Times N steps of the case after a warm-up. Prints the median and quartiles, the time in each phase, the bytes "
    "and\n"
    "operations counted, the copy bandwidth measured in the same run, the bandwidth limit that follows from them, and\n"
    "the fraction of it that the step reaches. The output of the case is not written.\n"
    "\n"
    "  --steps N          number of steps to time (default 20)\n"
    "  --reference        also time the library's 3-D transform of the same grid, alternately with the steps: FFTW on\n"
    "                     one core or cuFFT on one GPU; on one GPU also three fields there and back, by Triad's\n"
    "                     transform and by cuFFT\n"
    "  --at-once N        then time N flows of the case in this process, advanced alternately (at most 64)\n"
    "  --new-plans        measure FFTW's plans again; they replace those stored for later runs\n"
    "  --json FILE        write the figures as JSON (- for standard output)\n"
    "  --machine          measure this node for triad plan instead: copies, 1-D transforms by length, steps, a file;\n"
    "                     and messages between ranks if there are two, as with mpirun -n 2\n"
    "  --out FILE         write the result of --machine to FILE (default: standard output)\n"
    "  --lengths N,N,..   lengths of the 1-D transforms that --machine times (default 32 to 512)\n"
    "  --set KEY=VALUE    change a key of the case, for example --set 'grid.n=[128,128,128]'\n"
    "  -q, -v             print less, print more;  --log-format=jsonl  print one JSON object a line\n",
  .run = run_bench};
