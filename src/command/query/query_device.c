/* Evaluate a query on the CPU or on a GPU, whichever is expected to be faster, and record the time of each part. */
#include "command/query/query_device.h"
#include "base/clock.h"
#include "command/query/query.h"
#include "parallel/host/gpus.h"

#include <string.h>

/* Below so many seconds of the host a GPU does not pay: starting one takes 0.12 to 0.5 s, and several threads take
 * longer than their share of one. */
static const double least_that_pays = 0.3;

static int is(const triad_query *q, const char *word)
{
  return strcmp(q->device_word ? q->device_word : "auto", word) == 0;
}

/* Why there is no GPU; NULL: there is one. */
static const char *refusal(void)
{
  if (!triad_device_built()) return "this build has no CUDA support (build with make CUDA=1)";
  return triad_device_count() == 0 ? "no GPU is available" : NULL;
}

int triad_query_device_check(triad_query *q)
{
  const double begin = triad_now();
  if (!is(q, "gpu") && !is(q, "cpu") && !is(q, "auto"))
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--device %.40s: use gpu, cpu or auto", q->device_word);
  const char *why = is(q, "gpu") ? refusal() : NULL;
  q->took.start = triad_now() - begin;
  return why ? TRIAD_FAIL(TRIAD_ERR_FEATURE, "--device gpu: %s; use cpu or auto", why) : TRIAD_OK;
}

/* Choose the GPU closest to this process's cores. */
static int choose(triad_query *q, const triad_session *s, double seconds)
{
  int number, sharers;
  q->chosen = 1;
  if (is(q, "cpu") || (is(q, "auto") && (seconds < least_that_pays || refusal()))) return TRIAD_OK;
  TRIAD_TRY(triad_gpus_choose(&number, &sharers, &s->comm, s->binding));
  return triad_device_create(&q->device, number);
}

static int create(triad_at_points **out, triad_query *q, const triad_session *s, const triad_layout *layout, int order)
{
  const triad_at_options options = {.threads = q->threads, .device = q->device};
  char why[512];
  int st = triad_at_points_create(out, layout, q->points.n, order, &options);
  if (st != TRIAD_ERR_MEMORY || !q->device || is(q, "gpu")) return st;
  triad_message_reason(why, sizeof why);
  triad_log_warning(s->log, "--device auto uses the CPU, because the GPU has too little memory: %s", why);
  triad_device_destroy(&q->device);
  return create(out, q, s, layout, order);
}

int triad_query_at(triad_at_points **out, triad_query *q, const triad_session *s, const triad_layout *layout, int order,
                   double fields)
{
  const double begin = triad_now();
  int st = TRIAD_OK;
  *out = NULL;
  if (!q->chosen) st = choose(q, s, fields * triad_at_points_seconds(layout, q->points.n, order) / q->threads);
  if (st == TRIAD_OK) st = create(out, q, s, layout, order);
  q->took.start += triad_now() - begin;
  return st;
}

void triad_query_at_done(triad_query *q, triad_at_points **at)
{
  if (!*at) return;
  const triad_at_about *a = triad_at_points_about(*at);
  q->done.order += a->order;
  q->done.copies += a->copies;
  q->done.transforms += a->transforms;
  q->done.sums += a->sums;
  q->done.gridded = a->gridded;
  q->done.pieces = a->pieces;
  memcpy(q->done.n, a->n, sizeof a->n);
  triad_at_points_destroy(at);
}

void triad_query_report(const triad_query *q, triad_log *log)
{
  const triad_at_about *a = &q->done;
  const triad_query_took *t = &q->took;
  char where[300], way[160] = "sums over modes", pressure[40] = "";
  if (q->device) (void)snprintf(where, sizeof where, "%s", triad_device_name(q->device));
  else (void)snprintf(where, sizeof where, "%d thread%s", q->threads, q->threads == 1 ? "" : "s");
  if (a->gridded)
    (void)snprintf(way, sizeof way, "a grid of %lld x %lld x %lld in %d piece%s", (long long)a->n[0],
                   (long long)a->n[1], (long long)a->n[2], a->pieces, a->pieces == 1 ? "" : "s");
  if (t->pressure > 0) (void)snprintf(pressure, sizeof pressure, ", pressure %.3f", t->pressure);
  triad_log_info(log, "%lld points on %s by %s: order %.3f s, copies %.3f, transforms %.3f, sums %.3f",
                 (long long)q->points.n, where, way, a->order, a->copies, a->transforms, a->sums);
  triad_log_info(log, "also: points read %.3f s, checkpoint %.3f, %s %.3f%s, answer written %.3f", t->points,
                 t->checkpoint, q->device ? "GPU started" : "plans", t->start, pressure, t->answer);
}
