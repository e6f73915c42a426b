/* A force that a file has mode by mode over time (docs/methods/forcing.md). */
#include "solvers/spectral/force/file.h"
#include "solvers/spectral/force/forced_modes.h"
#include "solvers/spectral/force/plain/modes_file.h"
#include "solvers/spectral/force/plain/modes_in_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct triad_force_in_file {
  triad_modes_file of;
  int cubic;
  int64_t *number; /* [forcing->count] in the file, of modes held here */
  double *sign;    /* [forcing->count] -1: its conjugate */
  double *size;    /* [n_times] the largest that the force can be at any point */
  char checksum[24];
} triad_force_in_file;

static int is_forced(const triad_forcing *p, const triad_layout *l, int64_t c, int64_t j, int64_t *number, double *sign)
{
  const int64_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
  if (llabs(l->kz[j]) > l->kz_extent[c]) return 0;
  *number = triad_modes_file_find(&p->file->of, k, sign);
  return *number >= 0;
}

static int take_modes(triad_forcing *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  triad_force_in_file *q = p->file;
  int64_t n = 0, number;
  double sign;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) n += is_forced(p, l, c, j, &number, &sign);
  TRIAD_TRY(triad_force_take(p, flow, n));
  TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "forcing", n, &q->number));
  TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "forcing", n, &q->sign));
  TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "forcing", q->of.n_times, &q->size));
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++)
      if (is_forced(p, l, c, j, &number, &sign)) {
        q->number[p->count] = number;
        q->sign[p->count] = sign;
        triad_force_push(p, flow, c, j);
      }
  return TRIAD_OK;
}

/* Without what a vector has along k, which the modes of a file may have. */
static void project(const triad_forcing *p, const triad_layout *l)
{
  for (int64_t m = 0; m < p->count && p->components == 3; m++) {
    double *f = p->f + 6 * m;
    double k[3];
    triad_layout_derivative(l, p->column[m], p->kz_number[m], k); /* of no mode that is forced is it 0 */
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    for (int part = 0; part < 2; part++) {
      const double along = (k[0] * f[part] + k[1] * f[2 + part] + k[2] * f[4 + part]) / k2;
      for (int a = 0; a < 3; a++) f[2 * a + part] -= k[a] * along;
    }
  }
}

static int at(triad_forcing *p, const triad_flow *flow, double t, int first)
{
  const triad_force_in_file *q = p->file;
  const int64_t row_size = 2 * p->components * q->of.n_modes;
  int64_t row[4];
  double weight[4];
  (void)first;
  triad_modes_file_weights(&q->of, q->cubic, t, row, weight);
  p->amplitude = 0;
  for (int a = 0; a < 4; a++) p->amplitude += fabs(weight[a]) * q->size[row[a]];
  for (int64_t m = 0; m < p->count; m++)
    for (int i = 0; i < 2 * p->components; i++) {
      double sum = 0;
      for (int a = 0; a < 4; a++) sum += weight[a] * q->of.f[row[a] * row_size + 2 * p->components * q->number[m] + i];
      p->f[2 * p->components * m + i] = i % 2 ? q->sign[m] * sum : sum;
    }
  project(p, flow->layout);
  return TRIAD_OK;
}

static int read(triad_forcing *p, const triad_flow *flow)
{
  const triad_comm *comm = &flow->context->comm;
  char *path = triad_case_path(flow->given, "forcing.file");
  TRIAD_TRY(triad_agree(comm, path ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a path")));
  int st = triad_modes_file_read(&p->file->of, comm, path, p->components, &flow->layout->grid,
                                 triad_case_real(flow->given, "time.end"));
  free(path);
  return st;
}

int triad_force_file_create(triad_forcing *p, const triad_flow *flow)
{
  triad_force_in_file *q = p->file = calloc(1, sizeof *q);
  TRIAD_TRY(triad_agree(&flow->context->comm, q ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the forcing")));
  q->cubic = triad_case_is(flow->given, "forcing.interpolation", "cubic");
  TRIAD_TRY(read(p, flow));
  TRIAD_TRY(triad_agree(&flow->context->comm, take_modes(p, flow)));
  (void)snprintf(q->checksum, sizeof q->checksum, "%016" PRIx64, q->of.checksum);
  for (int64_t i = 0; i < q->of.n_times; i++)
    for (int64_t k = 0; k < q->of.n_modes; k++) {
      const double *f = q->of.f + 2 * p->components * (i * q->of.n_modes + k);
      double square = 0;
      for (int a = 0; a < 2 * p->components; a++) square += f[a] * f[a];
      q->size[i] += 2 * sqrt(square);
    }
  return at(p, flow, flow->at.t, 0);
}

void triad_force_file_free(triad_forcing *p, triad_memory *m)
{
  if (!p->file) return;
  triad_modes_file_free(&p->file->of);
  TRIAD_FREE(m, &p->file->number);
  TRIAD_FREE(m, &p->file->sign);
  TRIAD_FREE(m, &p->file->size);
  free(p->file);
  p->file = NULL;
}

int triad_force_file_keep(const triad_forcing *p, triad_notes *notes)
{
  return p->file ? triad_notes_set_text(notes, "forcing_file", p->file->checksum) : TRIAD_OK;
}

void triad_force_file_settle(const triad_forcing *p, const triad_notes *notes, triad_log *log)
{
  const char *was = "";
  if (!p->file || !log) return;
  triad_log_info(log, "  forcing.file: %" PRId64 " modes at %" PRId64 " times, checksum %s", p->file->of.n_modes,
                 p->file->of.n_times, p->file->checksum);
  if (!notes || !triad_notes_has(notes, "forcing_file") || triad_notes_text(notes, "forcing_file", &was) != TRIAD_OK)
    return;
  if (strcmp(was, p->file->checksum) != 0)
    triad_log_warning(log, "forcing.file differs from that of the checkpoint, whose checksum was %s", was);
}

static int power(triad_forcing *p, const triad_flow *flow, double *put)
{
  double sums[TRIAD_FORCE_SUMS];
  TRIAD_TRY(at(p, flow, flow->at.t, 0));
  TRIAD_TRY(triad_force_measure(p, flow, sums));
  *put = sums[TRIAD_FORCE_WORK];
  return TRIAD_OK;
}

static double longest(const triad_forcing *p, double cfl)
{
  return p->amplitude > 0 ? triad_force_longest_pushed(p->amplitude, p->spacing, cfl) : INFINITY;
}

const triad_force_kind triad_force_file = {.at = at, .power = power, .longest = longest};
