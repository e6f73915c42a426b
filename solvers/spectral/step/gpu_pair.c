/* Time the built-in transform and cuFFT's on the same data, and compare their results. */
#include "solvers/spectral/step/gpu_pair.h"
#include "solvers/spectral/step/gpu_stepper.h"
#include "base/clock.h"
#include "fft/lines/reference.h"

#include <math.h>

enum { PAIR_FIELDS = 3 };

typedef struct pair {
  const triad_gpu_state *state;
  triad_gpu_reference *library;
  triad_real *points; /* [field][z][y][x] */
  const triad_cplx *fields[PAIR_FIELDS];
} pair;

/* Room for the points of three fields, and for cuFFT's. */
static int allocate_buffers(pair *p, triad_gpu_stepper *stepper, const triad_grid *grid)
{
  p->state = triad_gpu_stepper_state(stepper);
  for (int f = 0; f < PAIR_FIELDS; f++) p->fields[f] = p->state->u[f < p->state->n_fields ? f : 0];
  TRIAD_TRY(triad_device_alloc(p->state->device, "pair of transforms", PAIR_FIELDS * triad_grid_points(grid),
                               sizeof *p->points, (void **)&p->points));
  return triad_gpu_reference_create(&p->library, p->state->device, grid);
}

static int to_points(const void *law, const triad_gpu_chunk *c)
{
  int64_t plane = (int64_t)c->shape->n[1] * c->shape->n[0], field = c->count * c->shape->n[1] * c->shape->pitch;
  (void)law;
  for (int f = 0; f < c->n_in; f++)
    TRIAD_TRY(triad_gpu_x_backward(c->shape, 1, c->in + f * field, c->count,
                                   c->kept + f * c->kept_stride + c->first * plane, c->stream));
  return TRIAD_OK;
}

static int from_points(const void *law, const triad_gpu_chunk *c)
{
  int64_t plane = (int64_t)c->shape->n[1] * c->shape->n[0], field = c->count * c->shape->n[1] * c->shape->pitch;
  (void)law;
  for (int f = 0; f < c->n_out; f++)
    TRIAD_TRY(triad_gpu_x_forward(c->shape, 1, c->kept + f * c->kept_stride + c->first * plane, c->count,
                                  c->out + f * field, c->stream));
  return TRIAD_OK;
}

static int transform(pair *p)
{
  triad_gpu_job back = {.n_in = PAIR_FIELDS, .in = p->fields, .visit = to_points, .kept = p->points};
  triad_gpu_job forth = {.n_out = PAIR_FIELDS, .visit = from_points, .kept = p->points};
  TRIAD_TRY(triad_gpu_pass_run(p->state->pass, &back));
  return triad_gpu_pass_run(p->state->pass, &forth);
}

static int time_both(pair *p, double *ours, double *library)
{
  TRIAD_TRY(triad_device_wait(p->state->device));
  double begin = triad_now();
  TRIAD_TRY(transform(p));
  TRIAD_TRY(triad_device_wait(p->state->device));
  *ours = triad_now() - begin;
  begin = triad_now();
  for (int f = 0; f < PAIR_FIELDS; f++) TRIAD_TRY(triad_gpu_reference_both(p->library));
  TRIAD_TRY(triad_device_wait(p->state->device));
  *library = triad_now() - begin;
  return TRIAD_OK;
}

/* Added to sums[]. */
static int add_squares(pair *p, const triad_cplx *field, double sums[2])
{
  const triad_cplx *list[1] = {field};
  double mine[2];
  triad_gpu_measure m = {.modes = p->state->modes,
                         .u = list,
                         .partial = p->state->partial,
                         .out = p->state->out,
                         .stream = triad_device_stream(p->state->device)};
  TRIAD_TRY(triad_gpu_sum_squares(&m, 0));
  TRIAD_TRY(triad_device_get(p->state->device, mine, m.out, (int64_t)sizeof mine));
  sums[0] += mine[0];
  sums[1] += mine[1];
  return TRIAD_OK;
}

static int check(pair *p)
{
  const double most = 100 * (sizeof(triad_real) == 4 ? 1.2e-7 : 2.2e-16);
  double before[2] = {0, 0}, after[2] = {0, 0};
  triad_gpu_results results;
  TRIAD_TRY(transform(p));
  results.base = triad_gpu_pass_result(p->state->pass, &results.stride);
  for (int f = 0; f < PAIR_FIELDS; f++) {
    triad_cplx *back = p->state->scratch[0];
    TRIAD_TRY(triad_gpu_keep(&p->state->modes, &results, f, back, triad_device_stream(p->state->device)));
    TRIAD_TRY(add_squares(p, p->fields[f], before));
    TRIAD_TRY(add_squares(p, back, after));
  }
  for (int i = 0; i < 2; i++)
    if (!(fabs(after[i] - before[i]) <= most * before[i]))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "transforms in both directions: the sum of %s is %.17g instead of %.17g",
                        i ? "k^2 |u|^2" : "|u|^2", after[i], before[i]);
  return TRIAD_OK;
}

int triad_gpu_pair(triad_gpu_stepper *stepper, const triad_grid *grid, int n, double *own_s, double *library_s)
{
  pair p = {.state = NULL};
  int st = allocate_buffers(&p, stepper, grid);
  if (st == TRIAD_OK) st = check(&p);
  if (st == TRIAD_OK) st = time_both(&p, &own_s[0], &library_s[0]); /* warm-up */
  for (int i = 0; st == TRIAD_OK && i < n; i++) st = time_both(&p, &own_s[i], &library_s[i]);
  triad_gpu_reference_destroy(&p.library);
  triad_device_free(p.state->device, (void **)&p.points);
  return st;
}
