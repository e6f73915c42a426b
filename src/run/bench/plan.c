/* Compute the time of a step from the counts of a solver and the rates of a machine (docs/scaling.md). */
#include "run/bench/plan.h"

#include <math.h>
#include <string.h>

const char *const triad_planned_phase_name[TRIAD_PLAN_PHASES] = {[TRIAD_PLAN_Z] = "lines_z",
                                                                 [TRIAD_PLAN_Y] = "lines_y",
                                                                 [TRIAD_PLAN_X] = "lines_x",
                                                                 [TRIAD_PLAN_TRANSPOSES] = "transpose",
                                                                 [TRIAD_PLAN_POINTS] = "points",
                                                                 [TRIAD_PLAN_UPDATE] = "update",
                                                                 [TRIAD_PLAN_WITHIN] = "within_nodes",
                                                                 [TRIAD_PLAN_BETWEEN] = "between_nodes",
                                                                 [TRIAD_PLAN_STARTS] = "message_starts",
                                                                 [TRIAD_PLAN_HIDDEN] = "hidden"};

/* The request being computed. */
typedef struct job {
  const triad_plan *plan;
  const triad_plan_ranks *ranks;
  const triad_machine *machine;
  const triad_machine_rates *rates;
  const char *path, *who;
  double share; /* processors of a rank */
} job;

static int wants(const job *j, const char *key, int there, const char *why)
{
  char name[64];
  size_t n = strlen(j->who), m = strlen(key);
  memcpy(name, j->who, n);
  memcpy(name + n, key, m + 1);
  return triad_machine_wants(j->path, name, there, why);
}

/* A point of a line takes as long as on the curve; beyond its ends it grows as log n. */
static double line_ns(const triad_machine_list *lengths, const triad_machine_list *ns, int64_t n)
{
  double at = triad_machine_at(lengths, ns, (double)n), last = lengths->value[lengths->n - 1];
  if (n < 2) return 0;
  return (double)n > last ? at * log((double)n) / log(last) : at;
}

static int time_lines(const job *j, triad_plan_times *t)
{
  const triad_machine_rates *r = j->rates;
  int p = j->plan->single;
  const triad_machine_list *list[3] = {&r->x[p], &r->y[p], &r->z[p]};
  static const char *const name[2][3] = {{".x", ".y", ".z"}, {".x_single", ".y_single", ".z_single"}};
  static const enum triad_plan_phase phase[3] = {TRIAD_PLAN_X, TRIAD_PLAN_Y, TRIAD_PLAN_Z};
  TRIAD_TRY(wants(j, ".lengths", r->lengths.n > 0, "line lengths that were timed: run triad bench --machine"));
  for (int i = 0; i < 3; i++) {
    TRIAD_TRY(wants(j, name[p][i], list[i]->n > 0, "transform times in this precision: run triad bench --machine"));
    t->s[phase[i]] = 1e-9 * j->plan->line_points[i] * line_ns(&r->lengths, list[i], j->plan->length[i]) / j->share;
  }
  return TRIAD_OK;
}

/* Memory is shared by the processors of a node: a rank's part of it, and by how much a processor alone would be faster.
 * A GPU has its own. */
static double slower(const job *j, double busy)
{
  const triad_machine_rates *r = j->rates;
  return r->copies_all > 0 && busy > 1 ? fmax(1, r->copies * busy / r->copies_all) : 1;
}

/* Where a plan is on curves over `sets`, which are of double precision: single's were timed on as many points, in
 * half of the bytes. */
static double set_bytes(const triad_plan *plan) { return plan->single ? 2 * plan->set_bytes : plan->set_bytes; }

static int time_memory(const job *j, double busy, triad_plan_times *t)
{
  const triad_machine_rates *r = j->rates;
  const triad_plan *plan = j->plan;
  int p = plan->single;
  double wait = j->ranks->gpu ? 1 : slower(j, busy);
  TRIAD_TRY(wants(j, ".copies", r->copies > 0, "memory bandwidth in bytes per second, read and written"));
  if (j->ranks->gpu) t->s[TRIAD_PLAN_POINTS] = plan->kept_bytes / (r->copies * j->share); /* on cores values have it */
  if (r->points[p].n == 0) t->s[TRIAD_PLAN_UPDATE] = plan->mode_bytes / (r->copies * j->share) * wait;
  if (r->transpose[p].n > 0)
    t->s[TRIAD_PLAN_TRANSPOSES] =
      1e-9 * plan->moved * triad_machine_at(&r->sets, &r->transpose[p], set_bytes(plan)) * wait / j->share;
  else if (!j->ranks->gpu)
    TRIAD_TRY(wants(j, p ? ".transpose_single" : ".transpose", 0, "transpose times: run triad bench --machine"));
  if (r->points[p].n > 0)
    t->s[TRIAD_PLAN_POINTS] +=
      1e-9 * plan->values * triad_machine_at(&r->sets, &r->points[p], set_bytes(plan)) * wait / j->share;
  return TRIAD_OK;
}

/* Bytes of messages to ranks of the node, and to others; peers of a group are neighbours: the node's ranks come first.
 */
static int time_messages(const job *j, const triad_plan_messages *m, double near, triad_plan_times *t)
{
  const triad_machine_rates *r = j->rates;
  const triad_machine *machine = j->machine;
  if (m->bytes <= 0) return TRIAD_OK;
  double size = m->bytes / m->number, in = near * m->bytes, out = m->bytes - in;
  if (in > 0) {
    TRIAD_TRY(
      wants(j, ".rates", r->rates.n > 0, "messages between ranks of a node: run triad bench --machine on two ranks"));
    t->s[TRIAD_PLAN_WITHIN] += in / triad_machine_at(&r->sizes, &r->rates, size);
  }
  if (out > 0) {
    TRIAD_TRY(triad_machine_wants(
      j->path, "network.bandwidth", machine->network.bandwidth > 0,
      "network bandwidth of a node in bytes/s, to be added by hand, since the ranks are on several nodes"));
    t->s[TRIAD_PLAN_BETWEEN] += out * (double)t->node_ranks / machine->network.bandwidth;
    t->s[TRIAD_PLAN_STARTS] +=
      (1 - near) * m->number * machine->network.message + 2.0 * j->plan->stages * machine->network.latency;
  }
  t->sent += m->bytes;
  t->sent_out += out;
  return TRIAD_OK;
}

/* Of all peers, those on the node. Ranks of a group are neighbours. */
static double near_part(int64_t peers, int64_t of_node)
{
  if (peers <= 0) return 0;
  return (double)(of_node - 1 < peers ? of_node - 1 : peers) / (double)peers;
}

static void hide(const job *j, triad_plan_times *t)
{
  double sent = t->s[TRIAD_PLAN_WITHIN] + t->s[TRIAD_PLAN_BETWEEN];
  double busy = t->s[TRIAD_PLAN_Y] + t->s[TRIAD_PLAN_X] + t->s[TRIAD_PLAN_TRANSPOSES] + t->s[TRIAD_PLAN_POINTS];
  if (j->plan->chunks > 1) t->s[TRIAD_PLAN_HIDDEN] = -j->rates->overlap * fmin(sent, busy);
  t->step_s = 0;
  for (int i = 0; i < TRIAD_PLAN_PHASES; i++) t->step_s += t->s[i];
}

int triad_plan_times_of(const triad_plan *plan, const triad_plan_ranks *ranks, const triad_machine *machine,
                        const char *path, int node_ranks, triad_plan_times *t)
{
  const job j = {plan,
                 ranks,
                 machine,
                 ranks->gpu ? &machine->gpu : &machine->core,
                 path,
                 ranks->gpu ? "gpu" : "core",
                 ranks->gpu ? 1 : ranks->threads};
  memset(t, 0, sizeof *t);
  double of_node = ranks->gpu ? machine->gpus : floor(machine->cores / ranks->threads);
  TRIAD_TRY(triad_machine_wants(path, ranks->gpu ? "node.gpus" : "node.cores",
                                node_ranks > 0 || machine->cores + machine->gpus > 0, "the number per node"));
  t->node_ranks = node_ranks > 0 ? node_ranks : of_node > 1 ? (int64_t)of_node : 1;
  if (t->node_ranks > ranks->ranks) t->node_ranks = ranks->ranks;
  t->nodes = (ranks->ranks + t->node_ranks - 1) / t->node_ranks;
  TRIAD_TRY(time_lines(&j, t));
  TRIAD_TRY(time_memory(&j, (double)t->node_ranks * j.share, t));
  int64_t group = ranks->split[1];
  int64_t groups_here = group > t->node_ranks ? 1 : t->node_ranks / group;
  TRIAD_TRY(time_messages(&j, &plan->between, near_part(plan->between.peers, groups_here), t));
  TRIAD_TRY(
    time_messages(&j, &plan->within, near_part(plan->within.peers, group < t->node_ranks ? group : t->node_ranks), t));
  hide(&j, t);
  t->message = plan->between.number > 0 ? plan->between.bytes / plan->between.number : 0;
  if (machine->write > 0) {
    t->checkpoint_s = (double)plan->needs.checkpoint_bytes / machine->write;
    t->fields_s = (double)plan->needs.fields_bytes / machine->write;
  }
  return TRIAD_OK;
}
