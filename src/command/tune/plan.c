/* triad plan: predict memory and time of a case on a machine that a file describes. */
#include "run/bench/plan.h"
#include "case/case_load.h"

#include "base/json.h"
#include "base/size.h"
#include "base/output.h"
#include "command/command.h"
#include "command/options.h"
#include "run/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 1 << 24 };

typedef struct choices {
  const char *machine, *ranks, *gpus, *threads, *split, *node;
  int json;
} choices;

/* The state of the report. */
typedef struct told {
  const triad_case *given;
  triad_plan_ranks ranks;
  triad_machine machine;
  triad_plan plan;
  triad_plan_times times;
} told;

static int64_t greatest(int64_t a, int64_t b)
{
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Slabs; with more ranks than planes, groups as small as they can be, of neighbours. */
static void choose_split(triad_plan_ranks *r, int64_t planes)
{
  r->split[0] = r->ranks > planes ? greatest(r->ranks, planes) : r->ranks;
  r->split[1] = r->ranks / r->split[0];
}

static int read_ranks(const choices *c, const triad_case *given, triad_plan_ranks *r, int *node)
{
  int64_t n[3];
  char *end = NULL;
  int gpus = 0;
  *r = (triad_plan_ranks){.ranks = 1, .threads = 1};
  if (c->ranks) TRIAD_TRY(triad_options_count("-n", c->ranks, &r->ranks));
  if (r->ranks > MOST_RANKS)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "-n %d: at most %d ranks can be planned", r->ranks, MOST_RANKS);
  if (c->threads) TRIAD_TRY(triad_options_count("--threads", c->threads, &r->threads));
  if (c->gpus) TRIAD_TRY(triad_options_count("--gpus", c->gpus, &gpus));
  if (c->node) TRIAD_TRY(triad_options_count("--node", c->node, node));
  if (gpus > 0 && c->node && *node != gpus)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--gpus %d sets the number of ranks per node: remove --node", gpus);
  if (gpus > 0 && c->threads)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--gpus and --threads: a rank uses a GPU or threads: give one of them");
  if (gpus > 0) *node = gpus;
  r->gpu = gpus > 0;
  if (r->gpu) r->threads = 1;
  triad_case_integers(given, "grid.n", n, 3);
  choose_split(r, n[2]);
  int64_t own[2] = {0, 0};
  if (triad_case_applies(given, "parallel.split")) triad_case_integers(given, "parallel.split", own, 2);
  if (!c->split && own[0] + own[1] > 0) { /* one that is 0 follows from the other, where it can */
    r->split[0] = own[0] > 0 || r->ranks % own[1] != 0 ? own[0] : r->ranks / own[1];
    r->split[1] = own[1] > 0 || r->ranks % own[0] != 0 ? own[1] : r->ranks / own[0];
  }
  if (!c->split) return TRIAD_OK;
  r->split[0] = strtoll(c->split, &end, 10);
  r->split[1] = *end == ',' ? strtoll(end + 1, &end, 10) : 0;
  if (*end || r->split[0] < 1 || r->split[1] < 1)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--split %.40s: use PLANES,GROUP, such as 4096,8", c->split);
  return TRIAD_OK;
}

/* ---- for people ---- */

static const char *size_of(double bytes, char text[32])
{
  const char *unit = triad_size_unit(&bytes);
  (void)snprintf(text, 32, "%8.4g %s", bytes, unit);
  return text;
}

static void print_rows(const char *what, const triad_rank_needs *needs, double there)
{
  char text[32];
  if (needs->n == 0) return;
  (void)printf("%s of a rank\n", what);
  for (int i = 0; i < needs->n; i++)
    (void)printf("  %-18s %-12s  %s\n", needs->row[i].owner, size_of((double)needs->row[i].bytes, text),
                 needs->row[i].remark);
  (void)printf("  %-18s %-12s", "total", size_of((double)needs->total, text));
  if (there > 0)
    (void)printf("  of %s: %s", size_of(there, text), (double)needs->total > there ? "does not fit" : "fits");
  (void)printf("\n");
}

static void print_messages(const told *t)
{
  char a[32], b[32];
  const triad_plan *p = &t->plan;
  (void)printf("messages of a rank per step\n");
  if (p->between.number > 0)
    (void)printf("  %-18s %.6g to %" PRId64 " ranks, of%s:%s\n", p->within.number > 0 ? "between groups" : "all",
                 p->between.number, p->between.peers, size_of(t->times.message, a), size_of(p->between.bytes, b));
  if (p->within.number > 0)
    (void)printf("  %-18s %.6g to %" PRId64 " ranks, of%s:%s\n", "within a group", p->within.number, p->within.peers,
                 size_of(p->within.bytes / p->within.number, a), size_of(p->within.bytes, b));
  (void)printf("  %-18s%s\n", "to other nodes", size_of(t->times.sent_out, a));
}

static void print_files(const told *t)
{
  char a[32];
  const triad_needs *n = &t->plan.needs;
  (void)printf("files\n  %-18s %-12s", "a checkpoint", size_of((double)n->checkpoint_bytes, a));
  if (t->times.checkpoint_s > 0) (void)printf("  %.3g s", t->times.checkpoint_s);
  (void)printf("  (%.0f written, newest %d retained)\n", n->checkpoints, n->kept);
  if (n->fields > 0) {
    (void)printf("  %-18s %-12s", "a set of fields", size_of((double)n->fields_bytes, a));
    if (t->times.fields_s > 0) (void)printf("  %.3g s", t->times.fields_s);
    (void)printf("  (%.0f planned)\n", n->fields);
  }
  (void)printf("  %-18s %s\n", "total, at most", size_of(n->total_bytes, a));
}

static void print_plan(const told *t)
{
  const triad_plan *p = &t->plan;
  const triad_plan_ranks *r = &t->ranks;
  double ms = 1e3, of_node = (double)t->times.node_ranks;
  (void)printf("%s  %" PRId64 " x %" PRId64 " x %" PRId64 "  %s  %s  on %s\n",
               triad_case_word(t->given, "equations.solver"), p->length[0], p->length[1], p->length[2],
               p->single ? "single" : "double", triad_case_word(t->given, "time.scheme"),
               r->gpu ? t->machine.gpu_name : t->machine.name);
  (void)printf("%d rank%s of %d %s%s on %" PRId64 " node%s, split [%" PRId64 ", %" PRId64
               "]; %d transforms per step, %" PRId64 " chunks of planes\n",
               r->ranks, r->ranks == 1 ? "" : "s", r->gpu ? 1 : r->threads, r->gpu ? "GPU" : "thread",
               !r->gpu && r->threads > 1 ? "s" : "", t->times.nodes, t->times.nodes == 1 ? "" : "s", r->split[0],
               r->split[1], p->transforms, p->chunks);
  if (p->needs.idle_ranks > 0)
    (void)printf("%d ranks have no plane%s\n", p->needs.idle_ranks,
                 r->split[1] > 1 ? ", or no row of a plane"
                                 : ": use --split PLANES,GROUP to share planes in groups of ranks");
  if (r->gpu) print_rows("GPU memory", &p->needs.gpu, t->machine.gpu.memory);
  print_rows(r->gpu ? "memory of the host" : "memory", &p->needs.rank, t->machine.core.memory / of_node);
  if (r->ranks > 1) print_messages(t);
  (void)printf("time of a step\n");
  for (int i = 0; i < TRIAD_PLAN_PHASES; i++)
    if (t->times.s[i] != 0)
      (void)printf("  %-18s %12.4f ms  %5.1f %%\n", triad_planned_phase_name[i], ms * t->times.s[i],
                   100 * t->times.s[i] / t->times.step_s);
  (void)printf("  %-18s %12.4f ms\n", "step", ms * t->times.step_s);
  print_files(t);
}

/* ---- for programs ---- */

static void json_needs(triad_json *j, const char *name, const triad_rank_needs *n)
{
  triad_json_object(j, name, TRIAD_JSON_LINE);
  for (int i = 0; i < n->n; i++) triad_json_integer(j, n->row[i].owner, n->row[i].bytes);
  triad_json_integer(j, "total", n->total);
  triad_json_end(j);
}

static void json_messages(triad_json *j, const char *name, const triad_plan_messages *m)
{
  triad_json_object(j, name, TRIAD_JSON_LINE);
  triad_json_integer(j, "peers", m->peers);
  triad_json_whole(j, "number", m->number);
  triad_json_whole(j, "bytes", m->bytes);
  triad_json_end(j);
}

static void json_integers(triad_json *j, const char *name, const int64_t *value, int n)
{
  triad_json_list(j, name, TRIAD_JSON_LINE);
  for (int i = 0; i < n; i++) triad_json_integer(j, NULL, value[i]);
  triad_json_end(j);
}

/* Files of a kind: the bytes of each, the time to write it, and how many there will be. */
static void json_files(triad_json *j, const char *name, int64_t bytes, double s, double number)
{
  triad_json_object(j, name, TRIAD_JSON_LINE);
  triad_json_integer(j, "bytes", bytes);
  triad_json_number(j, "s", s, 6);
  triad_json_whole(j, "number", number);
  triad_json_end(j);
}

static void json_ranks(triad_json *j, const told *t)
{
  triad_json_integer(j, "ranks", t->ranks.ranks);
  triad_json_integer(j, "threads", t->ranks.threads);
  triad_json_bool(j, "gpu", t->ranks.gpu);
  triad_json_integer(j, "nodes", t->times.nodes);
  json_integers(j, "split", t->ranks.split, 2);
}

static void json_step(triad_json *j, const triad_plan *p)
{
  triad_json_integer(j, "transforms_per_step", p->transforms);
  triad_json_integer(j, "chunks", p->chunks);
  triad_json_list(j, "line_points", TRIAD_JSON_LINE);
  for (int i = 0; i < 3; i++) triad_json_whole(j, NULL, p->line_points[i]);
  triad_json_end(j);
  json_needs(j, "memory_bytes", &p->needs.rank);
  json_needs(j, "gpu_memory_bytes", &p->needs.gpu);
  json_messages(j, "messages_between", &p->between);
  json_messages(j, "messages_within", &p->within);
}

static void json_times(triad_json *j, const triad_plan_times *t)
{
  triad_json_whole(j, "sent_bytes", t->sent);
  triad_json_whole(j, "sent_out_of_node_bytes", t->sent_out);
  triad_json_object(j, "phases_s", TRIAD_JSON_LINE);
  for (int i = 0; i < TRIAD_PLAN_PHASES; i++) triad_json_number(j, triad_planned_phase_name[i], t->s[i], 6);
  triad_json_end(j);
  triad_json_number(j, "step_s", t->step_s, 6);
}

static void print_json(const told *t)
{
  const triad_plan *p = &t->plan;
  const triad_needs *n = &p->needs;
  triad_json j = {.out = stdout};
  triad_json_object(&j, NULL, TRIAD_JSON_LINES);
  triad_json_text(&j, "solver", triad_case_word(t->given, "equations.solver"));
  json_integers(&j, "grid", p->length, 3);
  triad_json_text(&j, "precision", p->single ? "single" : "double");
  triad_json_text(&j, "scheme", triad_case_word(t->given, "time.scheme"));
  json_ranks(&j, t);
  json_step(&j, p);
  json_times(&j, &t->times);
  json_files(&j, "checkpoint", n->checkpoint_bytes, t->times.checkpoint_s, n->checkpoints);
  json_files(&j, "fields", n->fields_bytes, t->times.fields_s, n->fields);
  triad_json_whole(&j, "disk_bytes", n->total_bytes);
  triad_json_end(&j);
  (void)fputc('\n', stdout);
}

/* ---- the command ---- */

static int make_plan(const choices *c, told *t)
{
  const triad_solver *solver;
  int node = 0;
  TRIAD_TRY(read_ranks(c, t->given, &t->ranks, &node));
  TRIAD_TRY(triad_machine_read(c->machine, &t->machine));
  if (!t->ranks.gpu && t->machine.core.lengths.n == 0 && t->machine.gpu.lengths.n > 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "%.300s has rates of GPUs but not of cores: use --gpus N, one GPU per rank",
                      c->machine);
  TRIAD_TRY(triad_solver_find(&solver, t->given));
  if (!solver->plan)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "the step of solver %s cannot be predicted: use triad case --check for its memory, and triad "
                      "bench on a smaller grid for its time per cell",
                      triad_case_word(t->given, "equations.solver"));
  TRIAD_TRY(solver->plan->count(t->given, &t->ranks, &t->plan));
  triad_check_files(t->given, solver, &t->plan.needs);
  return triad_plan_times_of(&t->plan, &t->ranks, &t->machine, c->machine, node, &t->times);
}

static int plan_case(const triad_arguments *a, const choices *c)
{
  char *text = NULL;
  size_t length = 0;
  triad_case *given = NULL;
  told *t = calloc(1, sizeof *t);
  int st = t ? triad_case_load_text(a->words[0], &text, &length) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a plan");
  if (st == TRIAD_OK) st = triad_case_parse(&given, a->words[0], text, length, a->sets, a->n_sets);
  free(text);
  if (st == TRIAD_ERR_CASE && given) {
    (void)fprintf(stderr, "%s", triad_case_errors(given));
    triad_message_clear();
  }
  if (t) t->given = given;
  if (st == TRIAD_OK) st = make_plan(c, t);
  if (st == TRIAD_OK) (c->json ? print_json : print_plan)(t);
  triad_case_destroy(&given);
  free(t);
  return st;
}

static int run_plan(int argc, char **argv)
{
  choices c = {0};
  const triad_option table[] = {{"--machine", &c.machine, NULL}, {"-n", &c.ranks, NULL},    {"--gpus", &c.gpus, NULL},
                                {"--threads", &c.threads, NULL}, {"--node", &c.node, NULL}, {"--split", &c.split, NULL},
                                {"--json", NULL, &c.json},       {NULL, NULL, NULL}};
  triad_arguments a;
  int st = triad_options_parse(argc, argv, table, &a);
  if (st == TRIAD_OK) st = triad_options_words(&a, "plan", 1, 1, "one case file");
  if (st == TRIAD_OK && !c.machine)
    st =
      TRIAD_FAIL(TRIAD_ERR_USAGE, "triad plan requires --machine FILE: triad bench --machine writes it for this node");
  if (st == TRIAD_OK) st = plan_case(&a, &c);
  st = triad_output_end(stdout, st);
  triad_message_print(-1);
  return st;
}

const triad_command triad_command_plan = {
  .name = "plan",
  .summary = "predict time, memory and messages of a step on another machine",
  .help =
    "Usage: triad plan CASE.toml --machine FILE [-n RANKS] [--threads T | --gpus N] [--split PLANES,GROUP] [--json]\n"
    "\n"
    "Predicts the time of a step on the machine described by FILE, phase by phase, and the memory per rank, messages "
    "and\n"
    "files, by counting the work of a step. No flow is computed and no rank is started. For spectral solvers; exit 69 "
    "for\n"
    "other solvers.\n"
    "\n"
    "  --machine FILE        rates of a machine, as written by triad bench --machine; network rates are added by hand\n"
    "  -n RANKS              number of MPI ranks (default 1)\n"
    "  --threads T           number of threads per rank (default 1)\n"
    "  --gpus N              one GPU per rank, N of them on a node\n"
    "  --node RANKS          number of ranks on a node (default: as many as its cores or GPUs allow)\n"
    "  --split PLANES,GROUP  groups of GROUP ranks share planes (default: slabs; with more ranks than planes the "
    "smallest)\n"
    "  --json                print JSON\n"
    "  --set KEY=VALUE       change a key of the case\n",
  .alone = 1,
  .run = run_plan};
