/* Write rows of particles/NAME.h5 and the particles of a checkpoint, sorted by number, whatever rank owns them. */
#include "solvers/compressible/particles/files.h"
#include "solvers/compressible/particles/internal.h"
#include "solvers/compressible/particles/motion.h"
#include "solvers/particles/exchange.h"
#include "solvers/particles/restore.h"

#include "store/disk.h"
#include "store/hdf5/growfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = TRIAD_GAS_WIDTH - 1, SETS = 3 };

void triad_gas_particles_close(triad_gas_particles *p)
{
  for (int i = 0; i < p->n; i++) {
    triad_growfile_close(&p->group[i].file);
    free(p->group[i].kept);
  }
}

/* ---- rows ---- */

/* position, velocity and, of spheres that ask for it, the gas's. */
static int sets_of(const triad_gas_particles *p, const triad_gas_group *g, triad_growfile_set set[SETS])
{
  char key[96];
  const char *list[16];
  (void)snprintf(key, sizeof key, "particles[%d].sample", g->about.number);
  const int sampled = triad_case_texts(p->given, key, list, 16) > 0 && g->about.kind == TRIAD_INERTIAL;
  set[0] = (triad_growfile_set){"position", "L", "position, not wrapped into the box along periodic axes", 1, {3, 3}};
  set[1] = (triad_growfile_set){"velocity", "L/T", "velocity of the particle", 1, {3, 3}};
  set[2] = (triad_growfile_set){"fluid_velocity", "L/T", "velocity of the gas at the particle", 1, {3, 3}};
  return 2 + sampled;
}

/* rows[n][1 + 9]: number, position, velocity, the gas's velocity, of what was brought; one that a boundary has taken
 * has none. */
static int sample(triad_gas_particles *p, triad_gas_group *g, double *rows)
{
  double *u = malloc((size_t)(3 * g->n + 1) * sizeof *u);
  int st = u ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a row of particles");
  if (st == TRIAD_OK) st = triad_gas_group_velocities(p, g, u);
  for (int64_t i = 0; st == TRIAD_OK && i < g->n; i++) {
    const double *r = g->record + i * TRIAD_GAS_WIDTH;
    double *row = rows + i * 10;
    row[0] = r[TRIAD_GAS_ID];
    memcpy(row + 1, r + TRIAD_GAS_X, 3 * sizeof *row);
    memcpy(row + 7, u + 3 * i, 3 * sizeof *row);
    memcpy(row + 4, g->about.kind == TRIAD_INERTIAL ? r + TRIAD_GAS_V : row + 7, 3 * sizeof *row);
  }
  free(u);
  return st;
}

static int write_row(triad_gas_particles *p, triad_gas_group *g, int n_sets, const triad_instant *at,
                     const triad_notes *notes)
{
  const triad_comm *comm = &p->context->comm;
  const double *set[SETS];
  double *rows = malloc((size_t)(g->n * 10 + 1) * sizeof *rows), *sorted = NULL, *values = NULL;
  int64_t first = 0, count = 0;
  int st = rows ? triad_gas_group_get(p, g) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a row of particles");
  if (st == TRIAD_OK) st = sample(p, g, rows);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = triad_particles_by_number(comm, g->about.count, 9, g->n, rows, &sorted, &first, &count);
  free(rows); /* before the row lies there a third time */
  if (st == TRIAD_OK) {
    values = malloc((size_t)(count * 9 + 1) * sizeof *values);
    st = triad_agree(comm, values ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a row of particles"));
  }
  for (int s = 0; st == TRIAD_OK && s < n_sets; s++) {
    set[s] = values + 3 * s * count;
    for (int64_t k = 0; k < count; k++)
      memcpy(values + 3 * (s * count + k), sorted + k * 9 + 3 * s, 3 * sizeof *values);
  }
  if (st == TRIAD_OK) st = triad_growfile_add(g->file, at->step, at->t, first, count, set, notes);
  free(values);
  free(sorted);
  return st;
}

static int write_group(triad_gas_particles *p, triad_gas_group *g, const triad_instant *at, const char *run_dir,
                       const triad_notes *notes)
{
  char folder[TRIAD_PATH];
  triad_growfile_set set[SETS];
  const int n = sets_of(p, g, set);
  if (!g->file) {
    TRIAD_TRY(triad_agree(&p->context->comm, triad_disk_path(folder, "%s/particles", run_dir)));
    TRIAD_TRY(triad_growfile_open(&g->file, p->context, folder, g->about.name, g->about.count, n, set,
                                  triad_case_is(p->given, "output.writer", "gather"), g->rows, at->step));
  }
  /* after a failure of a later group this one has its row already */
  return g->rows == triad_growfile_rows(g->file) ? write_row(p, g, n, at, notes) : TRIAD_OK;
}

int triad_gas_particles_write(triad_gas_particles *p, const triad_instant *at, const char *run_dir,
                              const triad_notes *notes, int sync)
{
  if (!p) return TRIAD_OK;
  if (!sync) TRIAD_TRY(triad_compressible_bring_velocity(p->weno));
  for (int i = 0; i < p->n; i++) {
    if (!sync) TRIAD_TRY(write_group(p, &p->group[i], at, run_dir, notes));
    else if (p->group[i].file) TRIAD_TRY(triad_growfile_sync(p->group[i].file, notes));
  }
  for (int i = 0; i < p->n && !sync; i++) p->group[i].rows = triad_growfile_rows(p->group[i].file);
  return TRIAD_OK;
}

/* ---- checkpoints ---- */

int triad_gas_particles_tables(triad_gas_particles *p, triad_table *tables, int *n)
{
  *n = 0;
  for (int i = 0; p && i < p->n; i++) {
    triad_gas_group *g = &p->group[i];
    int64_t first, count;
    free(g->kept);
    g->kept = NULL;
    TRIAD_TRY(triad_agree(&p->context->comm, triad_gas_group_get(p, g)));
    TRIAD_TRY(
      triad_particles_by_number(&p->context->comm, g->about.count, KEPT, g->n, g->record, &g->kept, &first, &count));
    tables[(*n)++] = (triad_table){
      .name = g->about.name, .rows = g->about.count, .width = KEPT, .first = first, .count = count, .values = g->kept};
  }
  return TRIAD_OK;
}

static const char *rows_note(char text[96], const triad_gas_group *g)
{
  (void)snprintf(text, 96, "rows.%.80s", g->about.name);
  return text;
}

int triad_gas_particles_notes(const triad_gas_particles *p, triad_notes *notes)
{
  char text[96];
  for (int i = 0; p && i < p->n; i++)
    TRIAD_TRY(triad_notes_set_integer(notes, rows_note(text, &p->group[i]), p->group[i].rows));
  return TRIAD_OK;
}

static int64_t rows_seen(const triad_notes *notes, const triad_gas_group *g)
{
  char text[96];
  for (int i = 0; i < notes->count; i++)
    if (notes->items[i].kind == TRIAD_NOTE_INTEGER && strcmp(notes->items[i].name, rows_note(text, g)) == 0)
      return notes->items[i].integer;
  return 0;
}

static int from_table(void *self, const triad_group *about, int64_t begin, int64_t end, double *rows)
{
  const char *const *folder = self;
  double *read = malloc((size_t)((end - begin) * KEPT + 1) * sizeof *read);
  int st = read ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " particles", end - begin);
  if (st == TRIAD_OK) st = triad_tables_read(*folder, about->name, KEPT, begin, end - begin, read);
  for (int64_t k = 0; st == TRIAD_OK && k < end - begin; k++)
    memcpy(rows + k * TRIAD_GAS_WIDTH + 1, read + k * KEPT, KEPT * sizeof *rows);
  free(read);
  return st;
}

/* Rows of its files so far are those of this run, of which a branch has none. */
int triad_gas_particles_restore(triad_gas_particles *p, const triad_case *given, const char *folder,
                                const triad_manifest *about, int branch, triad_log *log)
{
  for (int i = 0; p && i < p->n; i++) {
    triad_gas_group *g = &p->group[i];
    int st;
    const int goes_on = triad_group_goes_on(&g->about, given, folder, about->notes, KEPT, branch, log, &st);
    TRIAD_TRY(triad_agree(&p->context->comm, st));
    if (!goes_on) continue;
    TRIAD_TRY(triad_gas_group_take(p, g, from_table, &folder));
    g->rows = branch ? 0 : rows_seen(about->notes, g);
    g->placed = 1;
  }
  if (branch) triad_groups_left_out(given, about->notes, log);
  return TRIAD_OK;
}
