/* Average velocities and stresses over planes between walls, and over time. */
#include "solvers/staggered/measure/profiles.h"

#include "solvers/staggered/points/heat_points.h"
#include "store/disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MEAN = TRIAD_STAGGERED_PROFILE_MEAN,
  SQUARE = TRIAD_STAGGERED_PROFILE_SQUARE,
  HEAT = TRIAD_STAGGERED_PROFILE_HEAT,
  ALL = TRIAD_STAGGERED_PROFILE_ALL
};

int triad_staggered_profile_sums(const triad_staggered_setup *s) { return s->thermal.on ? ALL : HEAT; }

struct triad_staggered_profiles {
  const triad_staggered_mesh *m;
  int axis;
  int64_t n, every, sums;
  double start, since, counted; /* since: time since the last sample; counted: time in the sums */
  double *sum;                  /* [sums][n] over time */
  double *plane;                /* [sums][n] of a sample */
  triad_sum *work;              /* [threads][sums][n] */
};

/* The one axis with ends, -1: there is none, or more. */
static int axis_of(const triad_staggered_setup *s)
{
  int axis = -1, n = 0;
  for (int i = 0; i < 3; i++)
    if (s->side[i][0] != TRIAD_STAGGERED_PERIODIC) {
      axis = i;
      n++;
    }
  return n == 1 ? axis : -1;
}

int64_t triad_staggered_profiles_bytes(const triad_staggered_setup *s, const triad_case *given, int threads)
{
  int axis = axis_of(s);
  if (axis < 0 || triad_case_integer(given, "profiles.every") == 0) return 0;
  return triad_staggered_profile_sums(s) * s->n[axis] *
         (2 * (int64_t)sizeof(double) + threads * (int64_t)sizeof(triad_sum));
}

int triad_staggered_profiles_create(triad_staggered_profiles **out, const triad_staggered_mesh *m,
                                    const triad_case *given)
{
  triad_memory *memory = m->context->memory;
  int64_t every = triad_case_integer(given, "profiles.every");
  *out = NULL;
  if (every == 0) return TRIAD_OK;
  triad_staggered_profiles *f = *out = calloc(1, sizeof *f);
  int st = f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "profiles");
  if (f) {
    f->m = m;
    f->every = every;
    f->start = triad_case_real(given, "profiles.start");
    f->axis = axis_of(&m->setup);
    f->n = m->setup.n[f->axis];
    f->sums = triad_staggered_profile_sums(&m->setup);
    st = TRIAD_ALLOC(memory, "profiles", f->sums * f->n, &f->sum);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "profiles", f->sums * f->n, &f->plane);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "profiles", m->context->threads * f->sums * f->n, &f->work);
  }
  st = triad_agree(&m->context->comm, st);
  if (st != TRIAD_OK) triad_staggered_profiles_destroy(out);
  return st;
}

void triad_staggered_profiles_destroy(triad_staggered_profiles **profiles)
{
  triad_staggered_profiles *f = *profiles;
  if (!f) return;
  triad_memory *memory = f->m->context->memory;
  TRIAD_FREE(memory, &f->sum);
  TRIAD_FREE(memory, &f->plane);
  TRIAD_FREE(memory, &f->work);
  free(f);
  *profiles = NULL;
}

/* ---- a sample ---- */

/* What planes are summed from: n across axis. */
typedef struct plane_job {
  const triad_staggered_mesh *m;
  int axis;
  int64_t n;
  const triad_real *const *u, *p, *heat; /* heat NULL: there is no temperature */
} plane_job;

static void give(const plane_job *f, triad_sum *sums, int64_t plane, double row[ALL])
{
  const int n = triad_staggered_profile_sums(&f->m->setup);
  for (int i = 0; i < n; i++) triad_sum_add(&sums[i * f->n + plane], row[i]);
  memset(row, 0, ALL * sizeof *row);
}

/* Rows begin .. end - 1, z slowest: across x each is of one plane, along x each cell is of its own. */
static void some_rows(const plane_job *f, int64_t begin, int64_t end, triad_sum *sums)
{
  const triad_partition *b = &f->m->blocks;
  const triad_staggered_sizes *s = &f->m->sizes;
  for (int64_t row = begin; row < end; row++) {
    int64_t c[3] = {0, row % b->local[1], row / b->local[1]};
    double sum[ALL] = {0};
    for (c[0] = 0; c[0] < b->local[0]; c[0]++) {
      int64_t at = triad_partition_at(b, c[0], c[1], c[2]);
      double area = 1;
      for (int i = 0; i < 3; i++) area *= i == f->axis ? 1 : (double)s->h[i][c[i]];
      if (!(f->m->open[at] & TRIAD_STAGGERED_SOLID)) {
        triad_staggered_profile(s, f->u, f->p, at, area, sum);
        if (f->heat) triad_staggered_profile_heat(s, f->u, f->heat, at, area, sum);
      }
      if (f->axis == 0) give(f, sums, b->begin[0] + c[0], sum);
    }
    if (f->axis > 0) give(f, sums, b->begin[f->axis] + c[f->axis], sum);
  }
}

int triad_staggered_profile_planes(const triad_staggered_mesh *m, int axis, triad_real *const u[3], const triad_real *p,
                                   const triad_real *heat, triad_sum *work, double *plane)
{
  const triad_real *const from[3] = {u[0], u[1], u[2]};
  const plane_job f = {m, axis, m->setup.n[axis], from, p, heat};
  const int threads = m->context->threads;
  int64_t n = triad_staggered_profile_sums(&m->setup) * f.n, rows = m->blocks.local[1] * m->blocks.local[2];
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int i = 0; i < threads; i++) {
    for (int64_t j = 0; j < n; j++) triad_sum_clear(&work[i * n + j]);
    some_rows(&f, triad_deal(rows, i, threads), triad_deal(rows, i + 1, threads), work + i * n);
  }
  return triad_sum_threads(&m->context->comm, work, n, threads, plane);
}

static int counts(const triad_staggered_profiles *f, double t) { return f && t > f->start * (1 + 1e-12); }

int triad_staggered_profiles_due(const triad_staggered_profiles *f, int64_t step, double t)
{
  return counts(f, t) && step % f->every == 0;
}

int triad_staggered_profile_collect(const triad_staggered_mesh *m, int axis, const double *here, triad_sum *work,
                                    double *plane)
{
  const int64_t n = m->setup.n[axis], local = m->blocks.local[axis], begin = m->blocks.begin[axis];
  const int sums = triad_staggered_profile_sums(&m->setup);
  for (int64_t j = 0; j < sums * n; j++) triad_sum_clear(&work[j]);
  for (int i = 0; i < sums; i++)
    for (int64_t j = 0; j < local; j++) triad_sum_add(&work[i * n + begin + j], here[i * local + j]);
  return triad_sum_threads(&m->context->comm, work, sums * n, 1, plane);
}

int triad_staggered_profiles_axis(const triad_staggered_profiles *f) { return f->axis; }

int triad_staggered_profiles_add(triad_staggered_profiles *f, int64_t step, double t, double dt, triad_real *const u[3],
                                 const triad_real *p, const triad_real *heat, const double *planes)
{
  if (!counts(f, t)) return TRIAD_OK;
  int64_t n = f->sums * f->n;
  f->since += dt;
  if (!triad_staggered_profiles_due(f, step, t)) return TRIAD_OK;
  TRIAD_TRY(planes ? triad_staggered_profile_collect(f->m, f->axis, planes, f->work, f->plane)
                   : triad_staggered_profile_planes(f->m, f->axis, u, p, heat, f->work, f->plane));
  for (int64_t i = f->n; i < n; i++) {
    double area = f->plane[i % f->n];
    f->sum[i] += area > 0 ? f->since * f->plane[i] / area : 0;
  }
  for (int64_t i = 0; i < f->n; i++) f->sum[i] = f->plane[i]; /* the area is no sum over time */
  f->counted += f->since;
  f->since = 0;
  return TRIAD_OK;
}

/* ---- checkpoints: bits of doubles as hexadecimal digits ---- */

enum { DIGITS = 16 };

static void to_text(const double *values, int64_t n, char *text)
{
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    (void)snprintf(text + i * DIGITS, DIGITS + 1, "%016" PRIx64, bits);
  }
}

static void from_text(const char *text, int64_t n, double *values)
{
  for (int64_t i = 0; i < n; i++) {
    char digits[DIGITS + 1] = "";
    memcpy(digits, text + i * DIGITS, DIGITS);
    uint64_t bits = strtoull(digits, NULL, 16);
    memcpy(&values[i], &bits, sizeof bits);
  }
}

int triad_staggered_profiles_keep(const triad_staggered_profiles *f, triad_notes *notes)
{
  if (!f) return TRIAD_OK;
  char *text = malloc((size_t)(f->sums * f->n * DIGITS) + 1);
  if (!text) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "profiles");
  to_text(f->sum, f->sums * f->n, text);
  int st = triad_notes_set_text(notes, "profiles", text);
  free(text);
  if (st == TRIAD_OK) st = triad_notes_set_real(notes, "profiles_counted", f->counted);
  return st == TRIAD_OK ? triad_notes_set_real(notes, "profiles_since", f->since) : st;
}

void triad_staggered_profiles_take(triad_staggered_profiles *f, const triad_notes *notes)
{
  const char *text;
  if (!f) return;
  f->counted = f->since = 0;
  memset(f->sum, 0, (size_t)(f->sums * f->n) * sizeof *f->sum);
  if (!notes || !triad_notes_has(notes, "profiles") || !triad_notes_has(notes, "profiles_counted") ||
      !triad_notes_has(notes, "profiles_since"))
    return;
  if (triad_notes_text(notes, "profiles", &text) != TRIAD_OK) return;
  if (strlen(text) != (size_t)(f->sums * f->n * DIGITS)) return; /* of another grid */
  from_text(text, f->sums * f->n, f->sum);
  (void)triad_notes_real(notes, "profiles_counted", &f->counted);
  (void)triad_notes_real(notes, "profiles_since", &f->since);
}

/* ---- the file ---- */

static int write_rows(const triad_staggered_profiles *f, FILE *file, int64_t step, double t)
{
  static const char *const column[] = {"u", "v", "w", "p", "uu", "vv", "ww", "uv", "uw", "vw", "pp"};
  static const int of[][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}, {3, 3}};
  const double *sum = f->sum, time = f->counted > 0 ? f->counted : 1;
  fprintf(file,
          "# means over planes and time, at step %" PRId64 ", t = %.17g, of %.17g of time; uu .. pp: covariances\n",
          step, t, f->counted);
  fprintf(file, "%c", "xyz"[f->axis]);
  for (size_t i = 0; i < sizeof column / sizeof *column; i++) fprintf(file, ",%s", column[i]);
  fprintf(file, f->sums > HEAT ? ",T,TT,uT,vT,wT\n" : "\n");
  for (int64_t j = 0; j < f->n; j++) {
    double mean[4];
    fprintf(file, "%.17g", f->m->centre[f->axis][j]);
    for (int i = 0; i < 4; i++) fprintf(file, ",%.17g", mean[i] = sum[(MEAN + i) * f->n + j] / time);
    for (int i = 0; i < 7; i++)
      fprintf(file, ",%.17g", sum[(SQUARE + i) * f->n + j] / time - mean[of[i][0]] * mean[of[i][1]]);
    for (int i = HEAT; i < f->sums; i++) { /* the mean of T, then covariances with it */
      const double heat = sum[HEAT * f->n + j] / time;
      const double with = i == HEAT ? 0 : i == HEAT + 1 ? heat : mean[i - HEAT - 2];
      fprintf(file, ",%.17g", sum[i * f->n + j] / time - with * heat);
    }
    fprintf(file, "\n");
  }
  return ferror(file) ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "profiles") : TRIAD_OK;
}

static int write_file(const triad_staggered_profiles *f, const char *run_dir, int64_t step, double t)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "profiles");
  int st = write_rows(f, file, step, t);
  if (fclose(file) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "profiles");
  if (st == TRIAD_OK) st = triad_disk_replace(run_dir, "profiles.csv", text, (int64_t)size);
  free(text);
  return st;
}

int triad_staggered_profiles_write(const triad_staggered_profiles *f, const char *run_dir, int64_t step, double t)
{
  if (!f) return TRIAD_OK;
  const triad_comm *comm = &f->m->context->comm;
  return triad_agree(comm, comm->rank == 0 ? write_file(f, run_dir, step, t) : TRIAD_OK);
}
