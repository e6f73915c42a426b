/* Write means.h5: each mean and its standard error NAME_error; for columns of the series also their trend. */
#include "run/means/means_file.h"
#include "run/means/means.h"

#include "base/version.h"
#include "store/disk.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
  "running means over time; NAME_error: their standard errors, from the means of consecutive blocks of samples; "
  "NAME_trend: the rise of a straight line from the first block to the last, and NAME_trend_error its standard error";

/* The first of the numbers of an array; -1: none has this name. */
static int64_t number_of(const triad_means *m, const char *name)
{
  int64_t at = 0;
  for (int i = 0; i < m->shape->n; i++) {
    const triad_spectrum *s = &m->shape->list[i];
    if (triad_means_is_scale(s)) continue;
    if (strcmp(s->name, name) == 0) return at;
    at += triad_means_size(s);
  }
  return -1;
}

static int write_array(triad_h5 *h5, const char *name, const char *suffix, int n_dims, const int64_t *dims,
                       const double *values, const char *units, const char *long_name)
{
  char full[TRIAD_MEAN_NAME + 16], text[320];
  (void)snprintf(full, sizeof full, "%.*s%s", TRIAD_MEAN_NAME - 1, name, suffix);
  (void)snprintf(text, sizeof text, "%s%.250s",
                 !*suffix                        ? ""
                 : strcmp(suffix, "_trend") == 0 ? "drift of: "
                                                 : "standard error of: ",
                 long_name);
  TRIAD_TRY(triad_h5_put_doubles(h5, full, n_dims, dims, values));
  TRIAD_TRY(triad_h5_text(h5, full, "units", units));
  return triad_h5_text(h5, full, "long_name", text);
}

static int use_scales(triad_h5 *h5, const triad_spectrum *s)
{
  char error[TRIAD_MEAN_NAME + 16];
  (void)snprintf(error, sizeof error, "%.*s_error", TRIAD_MEAN_NAME - 1, s->name);
  TRIAD_TRY(triad_h5_use_scales(h5, s->name, s->n_dims, s->scale));
  return triad_h5_use_scales(h5, error, s->n_dims, s->scale);
}

/* room[2][size of the array] */
static int put_array(triad_h5 *h5, const triad_means *m, const triad_spectrum *s, int64_t first, double *room)
{
  const int64_t n = triad_means_size(s);
  const int64_t a = s->less[0] ? number_of(m, s->less[0]) : -1, b = s->less[1] ? number_of(m, s->less[1]) : -1;
  for (int64_t j = 0; j < n; j++) {
    const triad_mean mean = triad_means_value(m, first + j, a < 0 ? -1 : a + j, b < 0 ? -1 : b + j);
    room[j] = mean.mean;
    room[n + j] = mean.error;
  }
  TRIAD_TRY(write_array(h5, s->name, "", s->n_dims, s->dims, room, s->units, s->long_name));
  return write_array(h5, s->name, "_error", s->n_dims, s->dims, room + n, s->units, s->long_name);
}

static int put_arrays(triad_h5 *h5, const triad_means *m, double *room)
{
  int64_t first = 0;
  for (int i = 0; i < m->shape->n; i++) {
    const triad_spectrum *s = &m->shape->list[i];
    if (triad_means_is_scale(s)) {
      TRIAD_TRY(write_array(h5, s->name, "", 1, s->dims, s->values, s->units, s->long_name));
      TRIAD_TRY(triad_h5_make_scale(h5, s->name));
      continue;
    }
    TRIAD_TRY(put_array(h5, m, s, first, room));
    first += triad_means_size(s);
  }
  for (int i = 0; i < m->shape->n; i++)
    if (!triad_means_is_scale(&m->shape->list[i])) TRIAD_TRY(use_scales(h5, &m->shape->list[i]));
  return TRIAD_OK;
}

static int put_numbers(triad_h5 *h5, const triad_means *m)
{
  const int64_t one = 1, first = m->values - m->info->n;
  for (int i = 0; i < m->info->n; i++) {
    const triad_column_info *c = &m->info->columns[i];
    const triad_mean mean = triad_means_value(m, first + i, -1, -1);
    char limit[TRIAD_LIMIT_TEXT], text[TRIAD_LIMIT_TEXT + 256],
      name[TRIAD_MEAN_NAME]; /* a spectrum may be called as a number is */
    (void)snprintf(name, sizeof name, "%.48s%s", c->name, number_of(m, c->name) >= 0 ? "_series" : "");
    (void)snprintf(text, sizeof text, "%.250s%s", c->formula, triad_column_limit_text(c, limit));
    TRIAD_TRY(write_array(h5, name, "", 1, &one, &mean.mean, c->unit, text));
    TRIAD_TRY(write_array(h5, name, "_error", 1, &one, &mean.error, c->unit, text));
    TRIAD_TRY(write_array(h5, name, "_trend", 1, &one, &mean.trend, c->unit, text));
    TRIAD_TRY(write_array(h5, name, "_trend_error", 1, &one, &mean.trend_error, c->unit, text));
  }
  return TRIAD_OK;
}

static int fill_file(triad_h5 *h5, const triad_means *m, const triad_notes *notes, double *room)
{
  const double times[2] = {m->begun, m->last};
  TRIAD_TRY(triad_h5_text(h5, "/", "about", about));
  TRIAD_TRY(triad_h5_text(h5, "/", "writer", triad_version_text()));
  TRIAD_TRY(triad_h5_reals(h5, "/", "times", 2, times));
  TRIAD_TRY(triad_h5_integers(h5, "/", "samples", 0, &m->samples));
  TRIAD_TRY(triad_h5_integers(h5, "/", "blocks", 0, &m->blocks));
  TRIAD_TRY(triad_h5_integers(h5, "/", "block_samples", 0, &m->length));
  TRIAD_TRY(triad_h5_put_notes(h5, "notes", notes));
  TRIAD_TRY(put_arrays(h5, m, room));
  return put_numbers(h5, m);
}

static int write_file(const triad_means *m, const char *run_dir, const triad_notes *notes)
{
  char folder[TRIAD_PATH], temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5 = NULL;
  TRIAD_TRY(triad_disk_path(folder, "%s%s", run_dir, m->window > 0 ? "/means" : ""));
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-means.h5", folder));
  if (m->window > 0) TRIAD_TRY(triad_disk_path(final, "%s/means-%04lld.h5", folder, (long long)m->number));
  else TRIAD_TRY(triad_disk_path(final, "%s/means.h5", folder));
  TRIAD_TRY(triad_disk_make_folder(folder));
  TRIAD_TRY(triad_disk_remove(temporary)); /* left by a run that was killed */
  double *room = malloc(2 * (size_t)m->values * sizeof *room);
  if (!room) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "running means");
  int st = triad_h5_create(&h5, temporary);
  if (st == TRIAD_OK) st = triad_h5_close(&h5, fill_file(h5, m, notes, room));
  free(room);
  return st == TRIAD_OK ? triad_disk_commit(temporary, final) : st;
}

int triad_means_write(const triad_means *m, const char *run_dir, const triad_notes *notes)
{
  if (!m || !m->shape || m->samples == 0) return TRIAD_OK;
  const triad_comm *comm = &m->sim->context->comm;
  return triad_agree(comm, comm->rank == 0 ? write_file(m, run_dir, notes) : TRIAD_OK);
}
