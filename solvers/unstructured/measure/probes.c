/* Sample probe points, lines, cylinders and disks of an unstructured flow and write their rows as HDF5. */
#include "solvers/unstructured/measure/probes.h"
#include "solvers/unstructured/plain/probe_text.h"

#include "solvers/unstructured/measure/places.h"
#include "store/disk.h"
#include "store/hdf5/h5file.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 5, ROOM = 1 << 23 /* bytes of rows that wait, of a probe */ };

typedef struct probe {
  triad_unstructured_probe about;
  triad_unstructured_places places;
  double (*x)[3], *mine, *rows; /* rows[room][VALUES][places], on rank 0 */
} probe;

struct triad_unstructured_probes {
  char folder[TRIAD_PATH];
  double interval, next;
  int n;
  probe probe[TRIAD_UNSTRUCTURED_PROBES];
  int64_t room, waiting, first; /* rows; the step of the first of them */
  double *t;                    /* [room]                              */
  int64_t n_own;                /* places of all probes whose cells are this rank's, */
  int32_t *own;                 /* [n_own] these cells                 */
  triad_real *values;           /* [VALUES][n_own]                     */
};

static int64_t places_of(const triad_unstructured_probe *p) { return p->n * p->around; }

static void set_places(const triad_unstructured_probe *p, double (*x)[3])
{
  for (int64_t i = 0; i < p->n; i++)
    for (int64_t j = 0; j < p->around; j++) {
      const double along = p->n > 1 ? (double)i / (double)(p->n - 1) : 0;
      const double angle = 2 * TRIAD_PI * (double)j / (double)p->around;
      const double radius = p->disk ? p->radius * ((double)i + 0.5) / (double)p->n : p->radius;
      double *at = x[i * p->around + j];
      for (int a = 0; a < 3; a++) at[a] = p->from[a] + along * (p->to[a] - p->from[a]);
      at[1] += radius * cos(angle);
      at[2] += radius * sin(angle);
    }
}

static int allocate_buffers(triad_unstructured_probes *s, triad_unstructured_flow *f)
{
  triad_memory *memory = f->context->memory;
  int64_t most = 1;
  for (int i = 0; i < s->n; i++)
    if (places_of(&s->probe[i].about) > most) most = places_of(&s->probe[i].about);
  s->room = ROOM / (most * VALUES * (int64_t)sizeof(double)) + 1;
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", s->room, &s->t));
  for (int i = 0; i < s->n; i++) {
    probe *p = &s->probe[i];
    const int64_t n = places_of(&p->about);
    TRIAD_TRY(TRIAD_ALLOC(memory, "probes", n, &p->x));
    TRIAD_TRY(TRIAD_ALLOC(memory, "probes", n * VALUES, &p->mine));
    TRIAD_TRY(TRIAD_ALLOC(memory, "probes", f->context->comm.rank == 0 ? s->room * n * VALUES : 0, &p->rows));
    set_places(&p->about, p->x);
  }
  return TRIAD_OK;
}

static int read_texts(triad_unstructured_probes *s, const triad_unstructured_flow *f)
{
  const char *text[TRIAD_UNSTRUCTURED_PROBES];
  char why[TRIAD_UNSTRUCTURED_PROBE_WHY];
  s->n = triad_case_texts(f->given, "output.probes", text, TRIAD_UNSTRUCTURED_PROBES);
  s->interval = triad_case_real(f->given, "output.probes_interval");
  for (int i = 0; i < s->n; i++) {
    if (!triad_unstructured_probe_read(&s->probe[i].about, text[i], why))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "output.probes: %s: %s", text[i], why);
    for (int other = 0; other < i; other++)
      if (strcmp(s->probe[other].about.name, s->probe[i].about.name) == 0)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "output.probes: two probes have the name %s: rename one",
                          s->probe[i].about.name);
  }
  return TRIAD_OK;
}

/* This rank's cells, one probe's behind the other's. */
static int list_own(triad_unstructured_probes *s, triad_unstructured_flow *f)
{
  triad_memory *memory = f->context->memory;
  int64_t n = 0;
  for (int i = 0; i < s->n; i++)
    for (int64_t at = 0; at < s->probe[i].places.n; at++) s->n_own += s->probe[i].places.cell[at] >= 0;
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", s->n_own, &s->own));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", s->n_own * VALUES, &s->values));
  for (int i = 0; i < s->n; i++)
    for (int64_t at = 0; at < s->probe[i].places.n; at++)
      if (s->probe[i].places.cell[at] >= 0) s->own[n++] = s->probe[i].places.cell[at];
  return f->loops->watch(f, s->own, s->n_own);
}

int triad_unstructured_probes_create(triad_unstructured_probes **out, triad_unstructured_flow *f, const char *run_dir)
{
  const char *text[TRIAD_UNSTRUCTURED_PROBES];
  *out = NULL;
  if (!run_dir || triad_case_texts(f->given, "output.probes", text, TRIAD_UNSTRUCTURED_PROBES) == 0) return TRIAD_OK;
  triad_unstructured_probes *s = *out = calloc(1, sizeof *s);
  int st = s ? triad_disk_path(s->folder, "%s/probes", run_dir) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "probes");
  if (st == TRIAD_OK) st = read_texts(s, f);
  if (st == TRIAD_OK) st = allocate_buffers(s, f);
  st = triad_agree(&f->context->comm, st);
  for (int i = 0; st == TRIAD_OK && i < s->n; i++) {
    probe *p = &s->probe[i];
    st = triad_unstructured_places_find(&p->places, f->domain, (const double(*)[3])p->x, places_of(&p->about));
    if (st == TRIAD_OK && p->places.outside > 0)
      st = TRIAD_FAIL(TRIAD_ERR_CASE,
                      "output.probes: %s: %" PRId64 " of its %" PRId64 " points are outside the mesh: move them",
                      p->about.name, p->places.outside, p->places.n);
  }
  return st == TRIAD_OK ? triad_agree(&f->context->comm, list_own(s, f)) : st;
}

void triad_unstructured_probes_destroy(triad_unstructured_probes **probes, triad_unstructured_flow *f)
{
  triad_unstructured_probes *s = *probes;
  if (!s) return;
  triad_memory *memory = f->context->memory;
  for (int i = 0; i < s->n; i++) {
    triad_unstructured_places_free(&s->probe[i].places, f->domain);
    TRIAD_FREE(memory, &s->probe[i].x);
    TRIAD_FREE(memory, &s->probe[i].mine);
    TRIAD_FREE(memory, &s->probe[i].rows);
  }
  TRIAD_FREE(memory, &s->t);
  TRIAD_FREE(memory, &s->own);
  TRIAD_FREE(memory, &s->values);
  free(s);
  *probes = NULL;
}

/* ---- files ---- */

static int fill_file(triad_h5 *h5, const triad_unstructured_probes *s, const probe *p, double *room)
{
  static const char *const names[VALUES] = {"rho", "u", "v", "w", "p"}, *const units[VALUES] = {"M/L^3", "U", "U", "U",
                                                                                                "M/(L T^2)"};
  const int64_t n = p->places.n, places[2] = {n, 3}, values[2] = {s->waiting, n},
                shape[2] = {p->about.n, p->about.around};
  TRIAD_TRY(triad_h5_put_doubles(h5, "t", 1, &s->waiting, s->t));
  TRIAD_TRY(triad_h5_put_doubles(h5, "x", 2, places, p->x[0]));
  TRIAD_TRY(triad_h5_integers(h5, "/", "shape", 2, shape));
  for (int k = 0; k < VALUES; k++) {
    for (int64_t row = 0; row < s->waiting; row++)
      memcpy(room + row * n, p->rows + (row * VALUES + k) * n, (size_t)n * sizeof *room);
    TRIAD_TRY(triad_h5_put_doubles(h5, names[k], 2, values, room));
    TRIAD_TRY(triad_h5_text(h5, names[k], "units", units[k]));
  }
  return TRIAD_OK;
}

static int store_one(const triad_unstructured_probes *s, const probe *p)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_h5 *h5;
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-%s.h5", s->folder, p->about.name));
  TRIAD_TRY(triad_disk_path(final, "%s/%s-%08" PRId64 ".h5", s->folder, p->about.name, s->first));
  TRIAD_TRY(triad_disk_remove(temporary));
  double *room = calloc((size_t)(s->waiting * p->places.n), sizeof *room);
  if (!room) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of probe %s", p->about.name);
  int st = triad_h5_create(&h5, temporary);
  if (st == TRIAD_OK) st = triad_h5_close(&h5, fill_file(h5, s, p, room));
  free(room);
  return st == TRIAD_OK ? triad_disk_commit(temporary, final) : st;
}

int triad_unstructured_probes_store(void *flow)
{
  triad_unstructured_flow *f = flow;
  triad_unstructured_probes *s = f->probes;
  int st = TRIAD_OK;
  if (!s || s->waiting == 0) return TRIAD_OK;
  const int root = f->context->comm.rank == 0;
  if (root) st = triad_disk_make_folder(s->folder);
  for (int i = 0; i < s->n && root && st == TRIAD_OK; i++) st = store_one(s, &s->probe[i]);
  s->waiting = 0;
  return triad_agree(&f->context->comm, st);
}

/* Files whose rows begin after this step are of a run that went back. */
static int drop_later(const triad_unstructured_probes *s, int64_t step)
{
  char path[TRIAD_PATH];
  DIR *folder = opendir(s->folder);
  int st = TRIAD_OK;
  if (!folder) return TRIAD_OK;
  for (const struct dirent *e = readdir(folder); e && st == TRIAD_OK; e = readdir(folder)) {
    const char *dash = strrchr(e->d_name, '-');
    if (!dash || strtoll(dash + 1, NULL, 10) <= step) continue;
    st = triad_disk_path(path, "%s/%s", s->folder, e->d_name);
    if (st == TRIAD_OK) st = triad_disk_remove(path);
  }
  (void)closedir(folder);
  return st;
}

/* ---- rows ---- */

static int add_row(triad_unstructured_flow *f)
{
  triad_unstructured_probes *s = f->probes;
  int64_t own = 0;
  TRIAD_TRY(triad_agree(&f->context->comm, f->loops->pick(f, s->values)));
  for (int i = 0; i < s->n; i++) {
    probe *p = &s->probe[i];
    const int64_t n = p->places.n;
    for (int64_t at = 0; at < n; at++) {
      const int here = p->places.cell[at] >= 0;
      for (int k = 0; k < VALUES; k++) p->mine[k * n + at] = here ? (double)s->values[k * s->n_own + own] : -INFINITY;
      own += here;
    }
    double *row = p->rows ? p->rows + s->waiting * n * VALUES : NULL;
    TRIAD_TRY(TRIAD_MPI(MPI_Reduce(p->mine, row, (int)(n * VALUES), MPI_DOUBLE, MPI_MAX, 0, f->context->comm.mpi)));
  }
  if (s->waiting == 0) s->first = f->at.step;
  s->t[s->waiting++] = f->at.t;
  return s->waiting == s->room ? triad_unstructured_probes_store(f) : TRIAD_OK;
}

/* The first time that is a multiple of the interval, and later than now. */
static double next_time(const triad_unstructured_probes *s, double now)
{
  if (!(s->interval > 0)) return now;
  double next = (floor(now / s->interval) + 1) * s->interval;
  return next > now * (1 + 1e-12) ? next : next + s->interval;
}

int triad_unstructured_probes_settle(triad_unstructured_flow *f, int resumed)
{
  triad_unstructured_probes *s = f->probes;
  if (!s) return TRIAD_OK;
  s->waiting = 0;
  s->next = next_time(s, f->at.t);
  if (!resumed) return add_row(f);
  return triad_agree(&f->context->comm, f->context->comm.rank == 0 ? drop_later(s, f->at.step) : TRIAD_OK);
}

int triad_unstructured_probes_take(triad_unstructured_flow *f)
{
  triad_unstructured_probes *s = f->probes;
  if (!s || f->at.t < s->next * (1 - 1e-12)) return TRIAD_OK;
  s->next = next_time(s, f->at.t);
  return add_row(f);
}
