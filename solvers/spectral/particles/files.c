/* Write files of particles and their part of checkpoints: records sorted by number, whatever rank owns them. */
#include "solvers/spectral/particles/files.h"
#include "solvers/spectral/particles/samples.h"
#include "solvers/spectral/particles/particles_gather.h"
#include "solvers/particles/exchange.h"
#include "solvers/particles/restore.h"
#include "solvers/particles/start.h"

#include "store/disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int kept_width(const triad_group *g) { return g->kind == TRIAD_TRACER ? 3 : 6; }

void triad_particles_bytes(const triad_case *given, double *row, int64_t *kept)
{
  *row = 0;
  *kept = 0;
  for (int i = 1; i <= triad_case_tables(given, "particles"); i++) {
    triad_particle_samples c;
    triad_group g;
    triad_group_read(&g, given, i);
    g.count = triad_start_planned(given, i);
    triad_particle_samples_read(&c, given, NULL, i, g.kind == TRIAD_INERTIAL);
    *row += 8. * c.width * (double)g.count;
    *kept += 8 * kept_width(&g) * g.count;
  }
}

/* ---- files ---- */

static int open_file(triad_particles *p, int i, const triad_particle_samples *c, const char *run_dir)
{
  char folder[TRIAD_PATH];
  if (p->file[i]) return TRIAD_OK;
  TRIAD_TRY(triad_agree(&p->flow->context->comm, triad_disk_path(folder, "%s/particles", run_dir)));
  return triad_growfile_open(&p->file[i], p->flow->context, folder, p->group[i].name, p->group[i].count, c->n, c->set,
                             triad_case_is(p->flow->given, "output.writer", "gather"), p->rows[i], p->flow->at.step);
}

/* The rows are given back as soon as they lie by number: with all of a flow's points for particles no copy is small. */
static int write_group(triad_particles *p, int i, const triad_particle_samples *c, double **rows,
                       const triad_notes *notes)
{
  const triad_group *g = &p->group[i];
  double *sorted = NULL, *values = NULL;
  const double *set[TRIAD_SAMPLE_SETS];
  int64_t first, count;
  TRIAD_TRY(
    triad_particles_by_number(&p->flow->context->comm, g->count, c->width, g->n, *rows, &sorted, &first, &count));
  free(*rows);
  *rows = NULL;
  values = malloc((size_t)(count * c->width + 1) * sizeof *values);
  int st = triad_agree(&p->flow->context->comm, values ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a row of particles"));
  double *next = values;
  for (int s = 0; st == TRIAD_OK && s < c->n; s++) {
    const int width = (s + 1 < c->n ? c->begin[s + 1] : c->width) - c->begin[s];
    set[s] = next;
    for (int64_t k = 0; k < count; k++, next += width)
      memcpy(next, sorted + k * c->width + c->begin[s], (size_t)width * sizeof *next);
  }
  if (st == TRIAD_OK) st = triad_growfile_add(p->file[i], p->flow->at.step, p->flow->at.t, first, count, set, notes);
  free(values);
  free(sorted);
  return st;
}

static int write_rows(triad_particles *p, const triad_particle_samples *c, double **rows, const char *run_dir,
                      const triad_notes *notes)
{
  TRIAD_TRY(triad_particle_samples_take(p, c, rows));
  for (int i = 0; i < p->n; i++) {
    TRIAD_TRY(open_file(p, i, &c[i], run_dir));
    if (p->rows[i] == triad_growfile_rows(p->file[i])) TRIAD_TRY(write_group(p, i, &c[i], &rows[i], notes));
  }
  for (int i = 0; i < p->n; i++) p->rows[i] = triad_growfile_rows(p->file[i]);
  return TRIAD_OK;
}

static int write_all(triad_particles *p, const char *run_dir, const triad_notes *notes)
{
  triad_particle_samples c[p->n];
  double *rows[p->n];
  int st = TRIAD_OK;
  TRIAD_TRY(triad_particles_sort(p));
  for (int i = 0; i < p->n; i++) {
    triad_particle_samples_read(&c[i], p->flow->given, &p->flow->shape, i + 1, p->group[i].kind == TRIAD_INERTIAL);
    rows[i] = malloc((size_t)(p->group[i].n * (1 + c[i].width) + 1) * sizeof **rows);
    if (!rows[i]) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a row of particles");
  }
  st = triad_agree(&p->flow->context->comm, st);
  if (st == TRIAD_OK) st = write_rows(p, c, rows, run_dir, notes);
  for (int i = 0; i < p->n; i++) free(rows[i]);
  return st;
}

int triad_particles_write(triad_particles *p, const char *run_dir, const triad_notes *notes, int sync)
{
  if (!p) return TRIAD_OK;
  if (!sync) return write_all(p, run_dir, notes);
  for (int i = 0; i < p->n; i++)
    if (p->file[i]) TRIAD_TRY(triad_growfile_sync(p->file[i], notes));
  return TRIAD_OK;
}

void triad_particles_close(triad_particles *p)
{
  for (int i = 0; p->file && i < p->n; i++) triad_growfile_close(&p->file[i]);
  for (int i = 0; p->kept && i < p->n; i++) free(p->kept[i]);
}

/* ---- checkpoints ---- */

int triad_particles_tables(triad_particles *p, triad_table *tables, int *n)
{
  *n = 0;
  if (p) TRIAD_TRY(p->way->get(p));
  for (int i = 0; p && i < p->n; i++) {
    const triad_group *g = &p->group[i];
    const int width = kept_width(g);
    int64_t first, count;
    double *rows = malloc((size_t)(g->n * (1 + width) + 1) * sizeof *rows);
    TRIAD_TRY(triad_agree(&p->flow->context->comm,
                          rows ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "particles of a checkpoint")));
    for (int64_t k = 0; k < g->n; k++) {
      const double *r = triad_group_record(g, k);
      double *row = rows + k * (1 + width);
      row[0] = r[TRIAD_PARTICLE_ID];
      memcpy(row + 1, r + TRIAD_PARTICLE_X, 3 * sizeof *row);
      if (width > 3) memcpy(row + 4, r + TRIAD_PARTICLE_V, 3 * sizeof *row);
    }
    free(p->kept[i]);
    p->kept[i] = NULL;
    int st =
      triad_particles_by_number(&p->flow->context->comm, g->count, width, g->n, rows, &p->kept[i], &first, &count);
    free(rows);
    TRIAD_TRY(st);
    tables[(*n)++] = (triad_table){
      .name = g->name, .rows = g->count, .width = width, .first = first, .count = count, .values = p->kept[i]};
  }
  return TRIAD_OK;
}

static const char *rows_note(char text[96], const triad_group *g)
{
  (void)snprintf(text, 96, "rows.%s", g->name);
  return text;
}

int triad_particles_notes(const triad_particles *p, triad_notes *notes)
{
  char text[96];
  for (int i = 0; p && i < p->n; i++)
    TRIAD_TRY(triad_notes_set_integer(notes, rows_note(text, &p->group[i]), p->rows[i]));
  return TRIAD_OK;
}

static int64_t rows_seen(const triad_notes *notes, const triad_group *g)
{
  char text[96];
  for (int i = 0; i < notes->count; i++)
    if (notes->items[i].kind == TRIAD_NOTE_INTEGER && strcmp(notes->items[i].name, rows_note(text, g)) == 0)
      return notes->items[i].integer;
  return 0;
}

typedef struct kept_table {
  const char *folder;
  int width;
} kept_table;

static int from_table(void *self, const triad_group *g, int64_t begin, int64_t end, double *rows)
{
  const kept_table *kept = self;
  const int width = kept->width;
  double *read = malloc((size_t)((end - begin) * width + 1) * sizeof *read);
  int st = read ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " particles", end - begin);
  if (st == TRIAD_OK) st = triad_tables_read(kept->folder, g->name, width, begin, end - begin, read);
  for (int64_t k = 0; st == TRIAD_OK && k < end - begin; k++) {
    double *r = rows + k * g->width;
    memcpy(r + TRIAD_PARTICLE_X, read + k * width, 3 * sizeof *r);
    if (width > 3) memcpy(r + TRIAD_PARTICLE_V, read + k * width + 3, 3 * sizeof *r);
  }
  free(read);
  return st;
}

static int read_group(triad_group *g, const triad_flow *flow, const char *folder)
{
  kept_table kept = {folder, kept_width(g)};
  return triad_group_take(g, flow->context, flow->planes, from_table, &kept);
}

/* Rows of its files so far are those of this run, of which a branch has none. */
int triad_particles_restore(triad_particles *p, const triad_flow *flow, const char *folder, const triad_manifest *about,
                            int branch, triad_log *log)
{
  for (int i = 0; p && i < p->n; i++) {
    int st;
    const int goes_on =
      triad_group_goes_on(&p->group[i], flow->given, folder, about->notes, kept_width(&p->group[i]), branch, log, &st);
    TRIAD_TRY(triad_agree(&flow->context->comm, st));
    if (!goes_on) continue;
    TRIAD_TRY(read_group(&p->group[i], flow, folder));
    p->rows[i] = branch ? 0 : rows_seen(about->notes, &p->group[i]);
    p->placed[i] = 1;
  }
  if (branch) triad_groups_left_out(flow->given, about->notes, log);
  return TRIAD_OK;
}
