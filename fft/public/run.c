/* Forward, backward and the pass: all are passes of the engine; the first two copy rows from or to planes. */
#include "fft/public/public_internal.h"

#include <math.h>
#include <string.h>

_Static_assert((int)TRIAD_PLAN_PEAKS <= (int)TRIAD_ENGINE_PEAKS, "the engine collects enough maxima");

enum kind { FORWARD, BACKWARD, PASS };

typedef struct call {
  triad_plan *plan;
  const triad_plan_work *work;
  const void *const *from_planes; /* of a forward transform  */
  void *const *to_planes;         /* of a backward transform */
} call;

/* ---- is this a call that can be carried out? ---- */

static int check_number(const char *what, int n, int most)
{
  if (n >= 0 && n <= most) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "%d %s, but the plan is for 0 to %d", n, what, most);
}

/* A rank whose share is empty need not have fields. */
static int check_fields(const char *what, int n, const void *const *fields, int64_t numbers)
{
  if (n == 0 || numbers == 0) return TRIAD_OK;
  if (!fields) return TRIAD_FAIL(TRIAD_ERR_USAGE, "the list of %s is NULL", what);
  for (int f = 0; f < n; f++)
    if (!fields[f]) return TRIAD_FAIL(TRIAD_ERR_USAGE, "number %d of the %s is NULL", f, what);
  return TRIAD_OK;
}

static int check_apart(const char *what, int n, void *const *fields, int64_t bytes)
{
  for (int f = 0; bytes > 0 && f < n; f++)
    for (int g = 0; g < f; g++) {
      uintptr_t a = (uintptr_t)fields[f], b = (uintptr_t)fields[g];
      if ((a > b ? a - b : b - a) < (uintptr_t)bytes)
        return TRIAD_FAIL(TRIAD_ERR_USAGE, "numbers %d and %d of the %s overlap", g, f, what);
    }
  return TRIAD_OK;
}

/* Without which there is no communicator to agree over. */
static int check_plan(const triad_plan *plan)
{
  if (!plan) return TRIAD_FAIL(TRIAD_ERR_USAGE, "the plan is NULL");
  return triad_public_mpi();
}

static int check_transform(const char *in, int n, int most, const void *const *from, int64_t from_numbers,
                           const char *out, void *const *to, int64_t to_numbers, int64_t to_bytes)
{
  TRIAD_TRY(check_number(in, n, most));
  TRIAD_TRY(check_fields(in, n, from, from_numbers));
  TRIAD_TRY(check_fields(out, n, (const void *const *)to, to_numbers));
  return check_apart(out, n, to, to_numbers * to_bytes);
}

/* The worst status of all ranks, and the same call on each. */
static int same_call(const triad_plan *p, int st, enum kind kind, const triad_plan_work *w)
{
  const triad_public_value values[] = {{"what to run: forward, backward or a pass", kind},
                                       {"the number of fields in", w->n_in},
                                       {"the number of fields out", w->n_out},
                                       {"having a settle function", w->settle != NULL},
                                       {"asking for peaks", w->peaks != NULL}};
  return triad_public_same(&p->context->comm, st, values, (int)(sizeof values / sizeof *values));
}

/* ---- forward, backward ---- */

static int64_t row_offset(const triad_plan *p, int64_t y, int64_t z)
{
  const triad_plan_share *s = &p->share;
  return ((z - s->first_plane) * s->n[1] + y) * s->n[0] * p->engine->real_bytes;
}

static void load_row(void *self, int64_t y, int64_t z, int64_t n, void *const *in, void *const *out, double *peaks)
{
  const call *c = self;
  (void)in;
  (void)peaks;
  int64_t offset = row_offset(c->plan, y, z);
  for (int f = 0; f < c->work->n_out; f++)
    memcpy(out[f], (const char *)c->from_planes[f] + offset, (size_t)(n * c->plan->engine->real_bytes));
}

static void store_row(void *self, int64_t y, int64_t z, int64_t n, void *const *in, void *const *out, double *peaks)
{
  const call *c = self;
  (void)out;
  (void)peaks;
  int64_t offset = row_offset(c->plan, y, z);
  for (int f = 0; f < c->work->n_in; f++)
    memcpy((char *)c->to_planes[f] + offset, in[f], (size_t)(n * c->plan->engine->real_bytes));
}

static int transform(triad_plan *p, int st, enum kind kind, const triad_plan_work *work, const void *const *from,
                     void *const *to)
{
  st = same_call(p, st, kind, work);
  if (st == TRIAD_OK && work->n_in + work->n_out > 0) {
    call c = {.plan = p, .work = work, .from_planes = from, .to_planes = to};
    triad_engine_job job = {.n_in = work->n_in,
                            .n_out = work->n_out,
                            .in = work->in,
                            .out = work->out,
                            .points = kind == FORWARD ? load_row : store_row,
                            .points_self = &c};
    st = p->engine->run(p->pass, &job);
  }
  return triad_public_end(&p->context->comm, st);
}

int triad_plan_forward(triad_plan *p, int n, const void *const *physical, void *const *spectral)
{
  triad_public_begin();
  int st = check_plan(p);
  if (st != TRIAD_OK) return triad_public_end(NULL, st);
  const triad_plan_work work = {.n_out = n, .out = spectral};
  st = check_transform("physical fields", n, p->most_out, physical, p->share.points, "spectral fields", spectral,
                       p->share.modes, 2 * p->engine->real_bytes);
  return transform(p, st, FORWARD, &work, physical, NULL);
}

int triad_plan_backward(triad_plan *p, int n, const void *const *spectral, void *const *physical)
{
  triad_public_begin();
  int st = check_plan(p);
  if (st != TRIAD_OK) return triad_public_end(NULL, st);
  const triad_plan_work work = {.n_in = n, .in = spectral};
  st = check_transform("spectral fields", n, p->most_in, spectral, p->share.modes, "physical fields", physical,
                       p->share.points, p->engine->real_bytes);
  return transform(p, st, BACKWARD, &work, NULL, physical);
}

/* ---- the pass ---- */

static int check_work(const triad_plan *p, const triad_plan_work *w)
{
  if (!w) return TRIAD_FAIL(TRIAD_ERR_USAGE, "the work is NULL");
  if (!w->points) return TRIAD_FAIL(TRIAD_ERR_USAGE, "the points function is NULL");
  TRIAD_TRY(check_number("inputs", w->n_in, p->most_in));
  TRIAD_TRY(check_number("results", w->n_out, p->most_out));
  TRIAD_TRY(check_fields("inputs", w->n_in, w->in, p->share.modes));
  TRIAD_TRY(check_fields("results", w->n_out, (const void *const *)w->out, p->share.modes));
  return check_apart("results", w->n_out, w->out, p->share.modes * 2 * p->engine->real_bytes);
}

/* The result of MPI_MAX is undefined for NaN, so NaNs are counted separately. */
static int largest_peaks(const triad_comm *comm, const double *mine, double *all)
{
  double most[2 * TRIAD_PLAN_PEAKS];
  for (int i = 0; i < TRIAD_PLAN_PEAKS; i++) {
    most[i] = isnan(mine[i]) ? 0 : mine[i];
    most[TRIAD_PLAN_PEAKS + i] = isnan(mine[i]) ? 1 : 0;
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, most, 2 * TRIAD_PLAN_PEAKS, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  for (int i = 0; i < TRIAD_PLAN_PEAKS; i++) all[i] = most[TRIAD_PLAN_PEAKS + i] > 0 ? NAN : most[i];
  return TRIAD_OK;
}

static int settle_peaks(void *self, const double *mine)
{
  const call *c = self;
  const triad_plan_work *w = c->work;
  const triad_comm *comm = &c->plan->context->comm;
  double peaks[TRIAD_PLAN_PEAKS];
  TRIAD_TRY(largest_peaks(comm, mine, peaks));
  if (w->peaks) memcpy(w->peaks, peaks, sizeof peaks);
  if (!w->settle) return TRIAD_OK;
  int st = w->settle(w->user, peaks);
  if (st < 0) st = TRIAD_FAIL(TRIAD_ERR_USAGE, "the settle function returned %d, must be 0 or positive", st);
  else if (st > 0) st = TRIAD_FAIL(st, "the settle function ended the pass with %d", st);
  return triad_public_same(comm, st, NULL, 0);
}

int triad_plan_pass(triad_plan *p, const triad_plan_work *work)
{
  triad_public_begin();
  int st = check_plan(p);
  if (st != TRIAD_OK) return triad_public_end(NULL, st);
  const triad_comm *comm = &p->context->comm;
  st = check_work(p, work);
  const triad_plan_work none = {0}, *w = work ? work : &none;
  st = same_call(p, st, PASS, w);
  if (st == TRIAD_OK) {
    call c = {.plan = p, .work = w};
    triad_engine_job job = {.n_in = w->n_in,
                            .n_out = w->n_out,
                            .in = w->in,
                            .out = w->out,
                            .points = w->points,
                            .points_self = w->user,
                            .settle = w->settle || w->peaks ? settle_peaks : NULL,
                            .settle_self = &c};
    st = p->engine->run(p->pass, &job);
  }
  return triad_public_end(comm, st);
}
