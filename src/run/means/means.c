/* Add samples to running means in blocks and compute means, trends and their standard errors from the blocks. */
#include "run/means/means.h"
#include "run/means/means_state.h"

#include "case/mean.h"
#include "run/outputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- open, close ---- */

int triad_means_open(triad_means **out, const triad_simulation *sim, const triad_series_info *info, const char *folder,
                     const triad_manifest *resumed, triad_log *log)
{
  const triad_comm *comm = &sim->context->comm;
  const char *texts[TRIAD_MEANS];
  *out = NULL;
  if (!sim->solver->samples || triad_case_texts(sim->given, "output.means", texts, TRIAD_MEANS) == 0) return TRIAD_OK;
  triad_means *m = *out = calloc(1, sizeof *m);
  int st = m ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "running means");
  if (m) {
    *m = (triad_means){.sim = sim,
                       .info = info,
                       .log = log,
                       .length = 1,
                       .number = 1,
                       .interval = triad_case_real(sim->given, "output.means_interval"),
                       .from = triad_case_real(sim->given, "output.means_from"),
                       .window = triad_case_real(sim->given, "output.means_window")};
    if (resumed && comm->rank == 0) st = triad_means_take(m, folder, resumed);
  }
  TRIAD_TRY(triad_agree(comm, st));
  /* what decides when files are written is the same on all ranks */
  int64_t shared[2] = {m->samples, m->number};
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(shared, 2, MPI_INT64_T, 0, comm->mpi)));
  m->samples = shared[0];
  m->number = shared[1];
  return TRIAD_OK;
}

void triad_means_close(triad_means **means)
{
  triad_means *m = *means;
  if (!m) return;
  triad_contents_destroy(&m->shape);
  free(m->sum);
  free(m);
  *means = NULL;
}

/* ---- when ---- */

static int is_past(const triad_means *m, double t) { return t >= m->from * (1 - 1e-12); }

int triad_means_due(const triad_means *m, double before, double t, int first)
{
  if (!m || !is_past(m, t)) return 0;
  return first || m->interval <= 0 || triad_due(m->interval, before, t);
}

double triad_means_next(const triad_means *m, double t)
{
  if (!m || m->interval <= 0) return INFINITY;
  double start = ceil(m->from / m->interval - 1e-9) * m->interval;
  return fmax(triad_next(m->interval, t), start);
}

static int64_t window_of(const triad_means *m, double t)
{
  return m->window > 0 ? 1 + (int64_t)floor((t - m->from) / m->window + 1e-9) : 1;
}

int triad_means_ended(const triad_means *m, double t) { return m && m->samples > 0 && window_of(m, t) > m->number; }

/* ---- a sample ---- */

static int64_t count_values(const triad_means *m)
{
  int64_t n = m->info->n;
  for (int i = 0; i < m->shape->n; i++)
    if (!triad_means_is_scale(&m->shape->list[i])) n += triad_means_size(&m->shape->list[i]);
  return n;
}

static int layout_of(const triad_means *m, uint64_t *layout)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "running means");
  for (int i = 0; i < m->shape->n; i++)
    (void)fprintf(f, "%s %" PRId64 "\n", m->shape->list[i].name, triad_means_size(&m->shape->list[i]));
  for (int i = 0; i < m->info->n; i++) (void)fprintf(f, "%s\n", m->info->columns[i].name);
  if (fclose(f) != 0) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "running means");
  *layout = triad_means_checksum((int64_t)size, text);
  free(text);
  return TRIAD_OK;
}

static void begin_anew(triad_means *m)
{
  m->samples = m->blocks = m->partial = 0;
  m->length = 1;
  if (m->sum) memset(m->sum, 0, (size_t)(m->values * (TRIAD_MEAN_BLOCKS + 1)) * sizeof *m->sum);
}

/* Room for what is sampled; means of a checkpoint that are of something else come to their end. */
static int fit(triad_means *m)
{
  uint64_t layout = 0;
  TRIAD_TRY(layout_of(m, &layout));
  if (m->sum && m->layout == layout && m->values == count_values(m)) return TRIAD_OK;
  if (m->sum && m->samples > 0)
    triad_log_warning(
      m->log, "running means restart: output.means differs from that of the previous %" PRId64 " samples", m->samples);
  free(m->sum);
  m->layout = layout;
  m->values = count_values(m);
  m->sum = calloc((size_t)(m->values * (TRIAD_MEAN_BLOCKS + 1)), sizeof *m->sum);
  begin_anew(m);
  return m->sum ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "running means of %" PRId64 " numbers", m->values);
}

/* Add a sample to the open block. A full block is closed; in a full table neighbouring blocks are merged. */
static void add_up(triad_means *m, const double *columns)
{
  double *open = m->sum + m->blocks * m->values;
  for (int i = 0; i < m->shape->n; i++) {
    const triad_spectrum *s = &m->shape->list[i];
    if (triad_means_is_scale(s)) continue;
    for (int64_t j = 0; j < triad_means_size(s); j++) *open++ += s->values[j];
  }
  for (int i = 0; i < m->info->n; i++) *open++ += columns[i];
  if (++m->partial < m->length) return;
  m->partial = 0;
  if (++m->blocks < TRIAD_MEAN_BLOCKS) return;
  for (int64_t b = 0; b < TRIAD_MEAN_BLOCKS / 2; b++)
    for (int64_t j = 0; j < m->values; j++)
      m->sum[b * m->values + j] = m->sum[2 * b * m->values + j] + m->sum[(2 * b + 1) * m->values + j];
  m->blocks = TRIAD_MEAN_BLOCKS / 2;
  m->length *= 2;
  memset(m->sum + m->blocks * m->values, 0, (size_t)((TRIAD_MEAN_BLOCKS / 2 + 1) * m->values) * sizeof *m->sum);
}

int triad_means_add(triad_means *m, const double *columns, double t)
{
  const triad_comm *comm = &m->sim->context->comm;
  if (triad_means_ended(m, t)) begin_anew(m);
  triad_contents_destroy(&m->shape);
  TRIAD_TRY(m->sim->solver->samples(m->sim->flow, columns, &m->shape));
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? fit(m) : TRIAD_OK));
  if (comm->rank == 0) add_up(m, columns);
  if (m->samples == 0) m->begun = t;
  m->samples++;
  m->number = window_of(m, t);
  m->last = t;
  return TRIAD_OK;
}

/* ---- what they come to ---- */

static double over_all(const triad_means *m, int64_t i)
{
  double sum = 0;
  for (int64_t b = 0; b <= m->blocks; b++) sum += m->sum[b * m->values + i];
  return sum / (double)m->samples;
}

/* The straight line through (b, x[b]): its rise from the first to the last, and the standard error of that. */
static void fit_line(int64_t n, const double *x, double mean, triad_mean *out)
{
  double middle = 0.5 * (double)(n - 1), square = 0, slope = 0, rest = 0;
  for (int64_t b = 0; b < n; b++) {
    square += ((double)b - middle) * ((double)b - middle);
    slope += ((double)b - middle) * (x[b] - mean);
  }
  slope /= square;
  for (int64_t b = 0; b < n; b++) {
    double left = x[b] - mean - slope * ((double)b - middle);
    rest += left * left;
  }
  out->trend = slope * (double)(n - 1);
  out->trend_error = sqrt(rest / (double)(n - 2) / square) * (double)(n - 1);
}

triad_mean triad_means_value(const triad_means *m, int64_t i, int64_t a, int64_t b)
{
  triad_mean out = {NAN, NAN, NAN, NAN};
  if (m->samples == 0) return out;
  const double of_a = a >= 0 ? over_all(m, a) : 0, of_b = b >= 0 ? over_all(m, b) : 0, n = (double)m->blocks;
  double x[TRIAD_MEAN_BLOCKS], mean = 0, square = 0;
  out.mean = over_all(m, i) - of_a * of_b;
  for (int64_t k = 0; k < m->blocks; k++) {
    const double *row = m->sum + k * m->values;
    x[k] = (row[i] - (a >= 0 ? of_b * row[a] : 0) - (b >= 0 ? of_a * row[b] : 0)) / (double)m->length;
    mean += x[k] / n;
  }
  if (m->blocks < 2) return out;
  for (int64_t k = 0; k < m->blocks; k++) square += (x[k] - mean) * (x[k] - mean);
  out.error = sqrt(square / (n * (n - 1)));
  if (m->blocks > 2) fit_line(m->blocks, x, mean, &out);
  return out;
}
