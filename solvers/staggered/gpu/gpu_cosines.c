/* Direct pressure solve between walls along more than one axis, on one GPU (docs/methods/staggered.md): along each
 * axis of waves, lines are copied to rows, cuFFT transforms these, and real numbers are copied back to the order of
 * cells. */
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/plain/waves.h"

#include "fft/gpu/cufft.h"
#include "parallel/comm.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>

#ifdef TRIAD_SINGLE
#define FORWARD CUFFT_R2C
#define BACKWARD CUFFT_C2R
#define EXEC_FORWARD(plan, at) cufftExecR2C(plan, at, (cufftComplex *)(void *)(at))
#define EXEC_BACKWARD(plan, at) cufftExecC2R(plan, (cufftComplex *)(void *)(at), at)
#else
#define FORWARD CUFFT_D2Z
#define BACKWARD CUFFT_Z2D
#define EXEC_FORWARD(plan, at) cufftExecD2Z(plan, at, (cufftDoubleComplex *)(void *)(at))
#define EXEC_BACKWARD(plan, at) cufftExecZ2D(plan, (cufftDoubleComplex *)(void *)(at), at)
#endif

struct triad_staggered_gpu_cosines {
  triad_device *device;
  int n_axes, axis[2]; /* with waves */
  triad_staggered_gpu_rows rows[2];
  cufftHandle plan[2][2]; /* forward, backward */
  int planned[2][2];
  void *area;
  triad_real *memory, *upper; /* rows; what elimination leaves */
  double *value[3];           /* by place of a wave; of an axis of one cell, and of the lines, a single 0 */
  triad_staggered_gpu_lines lines;
};

static int64_t cells_of(const triad_staggered_setup *s) { return s->n[0] * s->n[1] * s->n[2]; }

static int64_t numbers_of_rows(const triad_staggered_setup *s, int axis)
{
  return cells_of(s) / s->n[axis] * 2 * (s->n[axis] / 2 + 1);
}

static int64_t most_rows(const triad_staggered_setup *s)
{
  int64_t most = 1, line = triad_staggered_line_axis(s);
  for (int i = 0; i < 3; i++)
    if (i != line && s->n[i] > 1 && numbers_of_rows(s, i) > most) most = numbers_of_rows(s, i);
  return most;
}

/* cuFFT's work area is as large as the rows, as far as one knows before planning. */
int64_t triad_staggered_gpu_cosines_bytes(const triad_staggered_setup *s)
{
  return (2 * most_rows(s) + cells_of(s)) * (int64_t)sizeof(triad_real);
}

/* Of a vector the fast index of lines is x, or y where they run along x. */
static int lay_out(triad_staggered_gpu_rows *r, const triad_staggered_setup *s, int axis, triad_real *memory)
{
  const int64_t stride[3] = {1, s->n[0], s->n[0] * s->n[1]};
  const int fast = axis == 0 ? 1 : 0, slow = 3 - axis - fast;
  *r = (triad_staggered_gpu_rows){.walls = s->side[axis][0] != TRIAD_STAGGERED_PERIODIC,
                                  .step = stride[axis],
                                  .stride = {stride[fast], stride[slow]},
                                  .rows = memory};
  TRIAD_TRY(triad_narrow(s->n[axis], &r->n));
  TRIAD_TRY(triad_narrow(s->n[fast], &r->count[0]));
  return triad_narrow(s->n[slow], &r->count[1]);
}

static int plan_axis(triad_staggered_gpu_cosines *c, int i, size_t *most)
{
  triad_staggered_gpu_rows *r = &c->rows[i];
  int half = r->n / 2 + 1, row = 2 * half, batch;
  size_t bytes = 0;
  TRIAD_TRY(triad_narrow((int64_t)r->count[0] * r->count[1], &batch));
  for (int back = 0; back < 2; back++) {
    cufftHandle *plan = &c->plan[i][back];
    TRIAD_TRY(TRIAD_CUFFT(cufftCreate(plan)));
    c->planned[i][back] = 1;
    TRIAD_TRY(TRIAD_CUFFT(cufftSetAutoAllocation(*plan, 0)));
    TRIAD_TRY(
      TRIAD_CUFFT(cufftMakePlanMany(*plan, 1, &r->n, back ? &half : &row, 1, back ? half : row, back ? &row : &half, 1,
                                    back ? row : half, back ? BACKWARD : FORWARD, batch, &bytes)));
    if (bytes > *most) *most = bytes;
    TRIAD_TRY(TRIAD_CUFFT(cufftSetStream(*plan, (cudaStream_t)triad_device_stream(c->device))));
  }
  return TRIAD_OK;
}

static int plan(triad_staggered_gpu_cosines *c)
{
  size_t most = 1;
  for (int i = 0; i < c->n_axes; i++) TRIAD_TRY(plan_axis(c, i, &most));
  TRIAD_TRY(triad_device_alloc(c->device, "pressure's transform", (int64_t)most, 1, &c->area));
  for (int i = 0; i < c->n_axes; i++)
    for (int back = 0; back < 2; back++) TRIAD_TRY(TRIAD_CUFFT(cufftSetWorkArea(c->plan[i][back], c->area)));
  return TRIAD_OK;
}

/* Eigenvalues of an axis by the places of its waves; a single 0 where there are none. */
static int put_values(triad_staggered_gpu_cosines *c, const triad_staggered_setup *s, int axis, int waves)
{
  const int64_t n = waves ? s->n[axis] : 1;
  const int walls = s->side[axis][0] != TRIAD_STAGGERED_PERIODIC;
  const double h = s->length[axis] / (double)s->n[axis];
  double *value = calloc((size_t)n, sizeof *value);
  if (!value) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "eigenvalues");
  for (int64_t k = 0; k < n; k++) {
    double root = 2 / h * sin(TRIAD_PI * (double)k / (double)(walls ? 2 * n : n));
    value[k] = root * root;
  }
  int st = TRIAD_OK;
  if (!c->value[axis]) st = triad_device_alloc(c->device, "eigenvalues", n, sizeof *value, (void **)&c->value[axis]);
  if (st == TRIAD_OK) st = triad_device_put(c->device, c->value[axis], value, n * (int64_t)sizeof *value);
  free(value);
  return st;
}

int triad_staggered_gpu_cosines_renew(triad_staggered_gpu_cosines *c, const triad_staggered_setup *s)
{
  triad_staggered_gpu_lines *l = &c->lines;
  const int line = triad_staggered_line_axis(s);
  l->area = l->scale = 1;
  for (int i = 0; i < 3; i++) {
    const int waves = i != line && s->n[i] > 1;
    TRIAD_TRY(put_values(c, s, i, waves));
    if (i != line) l->area *= s->length[i] / (double)s->n[i];
    if (waves) l->scale /= (double)s->n[i] * (s->side[i][0] == TRIAD_STAGGERED_PERIODIC ? 1 : 2);
  }
  l->value[0] = c->value[line == 0 ? 1 : 0];
  l->value[1] = c->value[line == 2 ? 1 : 2];
  return TRIAD_OK;
}

static int make_lines(triad_staggered_gpu_cosines *c, const triad_staggered_setup *s, const triad_staggered_gpu *kernel)
{
  triad_staggered_gpu_lines *l = &c->lines;
  const int64_t stride[3] = {1, s->n[0], s->n[0] * s->n[1]};
  const int line = triad_staggered_line_axis(s), first = line == 0 ? 1 : 0, second = line == 2 ? 1 : 2;
  TRIAD_TRY(triad_narrow(s->n[line], &l->n));
  TRIAD_TRY(triad_narrow(s->n[first], &l->columns[0]));
  TRIAD_TRY(triad_narrow(s->n[second], &l->columns[1]));
  l->real = 1;
  l->step = stride[line];
  l->column = stride[first];
  l->row = stride[second];
  l->h = kernel->sizes.h[line];
  l->per_d = kernel->sizes.per_d[line];
  l->upper = c->upper;
  return TRIAD_OK;
}

static int create_plans(triad_staggered_gpu_cosines *c, const triad_staggered_setup *s,
                        const triad_staggered_gpu *kernel)
{
  const int line = triad_staggered_line_axis(s);
  TRIAD_TRY(triad_device_alloc(c->device, "pressure's rows", most_rows(s), sizeof *c->memory, (void **)&c->memory));
  TRIAD_TRY(triad_device_alloc(c->device, "pressure's lines", cells_of(s), sizeof *c->upper, (void **)&c->upper));
  for (int i = 0; i < 3; i++) {
    if (i == line || s->n[i] == 1) continue;
    c->axis[c->n_axes] = i;
    TRIAD_TRY(lay_out(&c->rows[c->n_axes++], s, i, c->memory));
  }
  TRIAD_TRY(plan(c));
  TRIAD_TRY(make_lines(c, s, kernel));
  return triad_staggered_gpu_cosines_renew(c, s);
}

int triad_staggered_gpu_cosines_create(triad_staggered_gpu_cosines **out, triad_device *device,
                                       const triad_staggered_setup *s, const triad_staggered_gpu *kernel)
{
  triad_staggered_gpu_cosines *c = *out = calloc(1, sizeof *c);
  if (!c) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure transform");
  c->device = device;
  return create_plans(c, s, kernel);
}

void triad_staggered_gpu_cosines_destroy(triad_staggered_gpu_cosines **cosines)
{
  triad_staggered_gpu_cosines *c = *cosines;
  if (!c) return;
  for (int i = 0; i < 2; i++)
    for (int back = 0; back < 2; back++)
      if (c->planned[i][back]) (void)cufftDestroy(c->plan[i][back]);
  triad_device_free(c->device, &c->area);
  triad_device_free(c->device, (void **)&c->memory);
  triad_device_free(c->device, (void **)&c->upper);
  for (int i = 0; i < 3; i++) triad_device_free(c->device, (void **)&c->value[i]);
  free(c);
  *cosines = NULL;
}

int triad_staggered_gpu_cosines_solve(triad_staggered_gpu_cosines *c, const triad_real *r, triad_real *z)
{
  void *stream = triad_device_stream(c->device);
  if (c->n_axes == 0) TRIAD_TRY(triad_staggered_gpu_combine(c->lines.n, 1, r, NULL, z, stream));
  for (int i = 0; i < c->n_axes; i++) {
    TRIAD_TRY(triad_staggered_gpu_to_rows(&c->rows[i], i == 0 ? r : z, stream));
    TRIAD_TRY(TRIAD_CUFFT(EXEC_FORWARD(c->plan[i][0], c->memory)));
    TRIAD_TRY(triad_staggered_gpu_from_modes(&c->rows[i], z, stream));
  }
  c->lines.mode = z;
  TRIAD_TRY(triad_staggered_gpu_eliminate(&c->lines, stream));
  for (int i = c->n_axes - 1; i >= 0; i--) {
    TRIAD_TRY(triad_staggered_gpu_to_modes(&c->rows[i], z, stream));
    TRIAD_TRY(TRIAD_CUFFT(EXEC_BACKWARD(c->plan[i][1], c->memory)));
    TRIAD_TRY(triad_staggered_gpu_from_rows(&c->rows[i], z, stream));
  }
  return TRIAD_OK;
}
