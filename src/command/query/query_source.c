/* Find the checkpoints on both sides of a time and read the modes of a field from them. */
#include "command/query/query_source.h"
#include "command/query/query.h"
#include "grid/layout.h"
#include "store/checkpoint/commit.h"
#include "store/checkpoint/inspect.h"
#include "store/checkpoint/modefile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_at(double t, double asked) { return fabs(t - asked) <= 1e-12 * fmax(fabs(t), fabs(asked)); }

/* Modes, none of them Nyquist's, of which nobody knows the values between points; at wavenumbers of the box. */
static int suits(const char *folder, const triad_manifest *m)
{
  double skew = 0;
  if (triad_notes_has(m->notes, TRIAD_NOTE_SKEW)) TRIAD_TRY(triad_notes_real(m->notes, TRIAD_NOTE_SKEW, &skew));
  if (fabs(skew) > TRIAD_SKEW_OF_ROUNDING)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "%s: its modes lean with a mean shear (skew %.6g), which triad query does not support: use "
                      "output.fields_interval, or a checkpoint at which equations.shear t Ly/Lx is an integer",
                      folder, skew);
  if (m->points)
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "%s: a checkpoint of values at points, but triad query requires Fourier modes, which spectral solvers write",
      folder);
  if (m->grid.truncation == TRIAD_NONE)
    return TRIAD_FAIL(
      TRIAD_ERR_CASE,
      "%s: its modes are not truncated, and modes at half the number of points are undefined between points", folder);
  return TRIAD_OK;
}

/* Source number i is this one now. */
static int store_checkpoint(triad_query_source *q, int i, const char *folder, triad_manifest **about)
{
  triad_manifest_destroy(&q->about[i]);
  q->about[i] = *about;
  *about = NULL;
  q->n = i + 1;
  TRIAD_TRY(triad_disk_path(q->folder[i], "%s", folder));
  return suits(folder, q->about[i]);
}

/* One that is not sound is passed over: *about is NULL. */
static int verify_checkpoint(const triad_session *s, const char *folder, triad_manifest **about)
{
  char why[1024];
  int st = triad_checkpoint_verify(folder, about);
  if (st == TRIAD_OK) return TRIAD_OK;
  triad_manifest_destroy(about);
  if (st != TRIAD_ERR_CASE && st != TRIAD_ERR_INPUT && st != TRIAD_ERR_IO) return st;
  triad_message_reason(why, sizeof why);
  triad_checkpoint_warn(s->log, triad_path_name(folder), why);
  return TRIAD_OK;
}

/* From the newest on, until one is no later than the time; the one before it is the other end. */
static int find_times(triad_query_source *q, const triad_session *s, const char *run, const int64_t *steps, int count)
{
  char temporary[TRIAD_PATH], folder[TRIAD_PATH];
  double first = NAN, last = NAN;
  triad_manifest *about = NULL;
  for (int i = 0; i < count; i++) {
    TRIAD_TRY(triad_commit_names(run, steps[i], temporary, folder));
    TRIAD_TRY(verify_checkpoint(s, folder, &about));
    if (!about) continue;
    first = about->t;
    if (isnan(last)) last = first;
    if (first > q->t || is_at(first, q->t)) {
      TRIAD_TRY(store_checkpoint(q, 0, folder, &about));
      if (is_at(first, q->t)) return TRIAD_OK;
    } else if (q->n > 0) {
      q->share = (q->about[0]->t - q->t) / (q->about[0]->t - first);
      return store_checkpoint(q, 1, folder, &about);
    }
    triad_manifest_destroy(&about);
  }
  if (isnan(last)) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no valid checkpoint", run);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no checkpoints around --time %.10g: they cover t = %.10g to %.10g", run, q->t,
                    first, last);
}

static int find_newest(triad_query_source *q, const triad_session *s, const char *run)
{
  triad_manifest *about = NULL;
  char folder[TRIAD_PATH];
  TRIAD_TRY(triad_checkpoint_find(&s->comm, run, triad_checkpoint_warn, s->log, folder, &about));
  if (!about) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no valid checkpoint", run);
  q->t = about->t;
  return store_checkpoint(q, 0, folder, &about);
}

static int find_one(triad_query_source *q, const triad_session *s, const char *path, int timed)
{
  triad_manifest *about = NULL;
  char folder[TRIAD_PATH];
  TRIAD_TRY(triad_checkpoint_about(&s->comm, path, folder, &about));
  triad_manifest_destroy(&about);
  int st = triad_checkpoint_verify(folder, &about);
  if (st != TRIAD_OK) {
    triad_manifest_destroy(&about);
    return st;
  }
  if (timed && !is_at(about->t, q->t)) {
    st = TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s has t = %.17g, not %.17g: give the run directory to interpolate between two checkpoints", path,
                    about->t, q->t);
    triad_manifest_destroy(&about);
    return st;
  }
  q->t = about->t;
  return store_checkpoint(q, 0, folder, &about);
}

int triad_query_source_find(triad_query_source *q, const triad_session *s, const char *path, const char *time)
{
  int64_t *steps = NULL;
  int count = 0;
  if (time) {
    char *end;
    q->t = strtod(time, &end);
    if (end == time || *end || !isfinite(q->t))
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--time %.40s is not a number", time);
  }
  triad_path_kind kind = triad_path_look(path);
  if (kind == TRIAD_PATH_MISSING) return TRIAD_FAIL(TRIAD_ERR_INPUT, "%s: no such file or folder", path);
  if (kind == TRIAD_PATH_CHECKPOINT) return find_one(q, s, path, time != NULL);
  if (kind != TRIAD_PATH_RUN) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not a run directory or a checkpoint", path);
  if (!time) return find_newest(q, s, path);
  TRIAD_TRY(triad_commit_list(path, &steps, &count));
  int st = find_times(q, s, path, steps, count);
  free(steps);
  return st;
}

void triad_query_source_forget(triad_query_source *q)
{
  triad_manifest_destroy(&q->about[0]);
  triad_manifest_destroy(&q->about[1]);
}

typedef struct sink {
  double *modes;
  int64_t reals; /* of a line */
  int element;
} sink;

static int take_lines(void *who, int64_t offset, int64_t count, const void *lines)
{
  const sink *s = who;
  const float *singles = lines;
  if (s->element == 8) (void)memcpy(s->modes + offset * s->reals, lines, (size_t)(count * s->reals) * sizeof *s->modes);
  else
    for (int64_t i = 0; i < count * s->reals; i++) s->modes[offset * s->reals + i] = singles[i];
  return TRIAD_OK;
}

int triad_query_source_read(const triad_query_source *q, int i, const char *field, double *modes)
{
  const triad_manifest *m = q->about[i];
  int f = triad_manifest_find(m, field), fd;
  char path[TRIAD_PATH];
  if (f < 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s has no field %s", q->folder[i], field);
  const triad_manifest_field *about = &m->fields[f];
  int64_t line = triad_manifest_line_bytes(m, f), lines = triad_modefile_lines(line, about->lines);
  sink s = {modes, 2 * about->line, m->element};
  TRIAD_TRY(triad_disk_path(path, "%s/%s", q->folder[i], triad_manifest_file(m)));
  void *buffer = malloc((size_t)(line * lines));
  uint64_t *sums = calloc((size_t)about->n_blocks + 1, sizeof *sums);
  int st = buffer && sums ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a buffer", path);
  if (st == TRIAD_OK) st = triad_disk_open(path, 0, &fd);
  if (st == TRIAD_OK) {
    st = triad_modefile_read(fd, path, m, f, 0, about->lines, buffer, lines, sums, take_lines, &s);
    (void)triad_disk_close(&fd, path);
  }
  for (int64_t b = 0; b < about->n_blocks && st == TRIAD_OK; b++)
    if (sums[b] != about->sums[b])
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: field %s: a checksum does not match", path, field);
  free(sums);
  free(buffer);
  return st;
}
