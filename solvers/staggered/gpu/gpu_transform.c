/* Direct pressure solve in a box without solids on a GPU, by cuFFT (docs/methods/staggered.md). A periodic uniform box
 * uses one 3-D transform, or transforms of planes and a kernel for lines along z that also divides by the eigenvalues.
 * If y or z has walls, it uses transforms of planes across that axis and a tridiagonal system for each mode. Axes of
 * one cell are left out. Several GPUs: gpu_slabs.c; walls along more axes: gpu_cosines.c. */
#include "solvers/staggered/gpu/gpu_transform.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_slabs.h"
#include "solvers/staggered/plain/waves.h"

#include "fft/gpu/cufft.h"
#include "parallel/comm.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>

#ifdef TRIAD_SINGLE
#define FORWARD CUFFT_R2C
#define BACKWARD CUFFT_C2R
#else
#define FORWARD CUFFT_D2Z
#define BACKWARD CUFFT_Z2D
#endif

struct triad_staggered_gpu_transform {
  triad_device *device;
  triad_staggered_gpu_slabs *slabs;     /* of several ranks: all there is; NULL: one */
  triad_staggered_gpu_cosines *cosines; /* between walls along more axes than one: all there is; NULL: elsewhere */
  cufftHandle plan[2];                  /* forward, backward */
  int planned[2];
  void *area;
  /* on the GPU: 4 sin^2(k h/2)/h^2 of the axes transformed, in their order; times V, whole */
  double *value[3];
  triad_real *upper;               /* of lines, else NULL */
  int line;                        /* the axis of tridiagonal systems, -1: all axes have waves */
  triad_cplx *twiddles;            /* of lines along z by a kernel of ours, planes alone being cuFFT's; NULL: all is */
  triad_staggered_gpu_modes modes; /* of the whole */
  triad_staggered_gpu_lines lines;
  triad_cplx *mode;
};

/* Axes that are transformed, those of more than one cell, x first; how many. */
static int axes_of(const triad_staggered_setup *s, int line, int axis[3])
{
  int rank = 0;
  for (int i = 0; i < 3; i++)
    if (s->n[i] > 1 && i != line) axis[rank++] = i;
  if (rank == 0) axis[rank++] = 0;
  return rank;
}

static int64_t modes_of(const triad_staggered_setup *s)
{
  int axis[3], line;
  (void)triad_staggered_waves_of(s, &line);
  (void)axes_of(s, line, axis);
  return s->n[0] * s->n[1] * s->n[2] / s->n[axis[0]] * (s->n[axis[0]] / 2 + 1);
}

/* cuFFT's work area is as large as the modes, as far as one knows before planning. */
int64_t triad_staggered_gpu_transform_bytes(const triad_partition *b, const triad_staggered_setup *s)
{
  int line;
  if (b->size > 1) return triad_staggered_gpu_slabs_bytes(b, s);
  if (triad_staggered_waves_of(s, &line) == TRIAD_STAGGERED_COSINE_WAVES) return triad_staggered_gpu_cosines_bytes(s);
  return modes_of(s) * (int64_t)(2 * sizeof(triad_cplx) + sizeof(triad_real));
}

/* Real numbers as vectors have them, modes likewise with n/2 + 1 of the first axis. */
static int plan_one(triad_staggered_gpu_transform *t, const triad_staggered_setup *s, int line, int i, size_t *bytes)
{
  int axis[3], rank = axes_of(s, line, axis), n[3] = {1, 1, 1}, real[3], mode[3], batch = 1, distance[2] = {0, 0};
  int64_t row[2] = {s->n[axis[0]], s->n[axis[0]] / 2 + 1};
  for (int a = 0; a < rank; a++) TRIAD_TRY(triad_narrow(s->n[axis[rank - 1 - a]], &n[a]));
  for (int a = 0; a < 3; a++) real[a] = mode[a] = n[a];
  TRIAD_TRY(triad_narrow(row[1], &mode[rank - 1]));
  if (line >= 0) { /* planes across y lie in one another, those across z behind one another */
    int64_t step = line == 1 ? 1 : s->n[1], between = line == 1 ? s->n[1] : 1;
    TRIAD_TRY(triad_narrow(s->n[line], &batch));
    for (int of_modes = 0; of_modes < 2; of_modes++) {
      TRIAD_TRY(triad_narrow(row[of_modes] * step, &distance[of_modes]));
      TRIAD_TRY(triad_narrow(row[of_modes] * between, &(of_modes ? mode : real)[rank > 1]));
    }
  }
  TRIAD_TRY(TRIAD_CUFFT(cufftCreate(&t->plan[i])));
  t->planned[i] = 1;
  TRIAD_TRY(TRIAD_CUFFT(cufftSetAutoAllocation(t->plan[i], 0)));
  /* NULL: all behind one another */
  int *from = line < 0 ? NULL : i ? mode : real, *to = line < 0 ? NULL : i ? real : mode;
  TRIAD_TRY(TRIAD_CUFFT(cufftMakePlanMany(t->plan[i], rank, n, from, 1, distance[i], to, 1, distance[!i],
                                          i ? BACKWARD : FORWARD, batch, bytes)));
  return TRIAD_CUFFT(cufftSetStream(t->plan[i], (cudaStream_t)triad_device_stream(t->device)));
}

static int plan(triad_staggered_gpu_transform *t, const triad_staggered_setup *s, int line)
{
  size_t bytes[2] = {0, 0};
  for (int i = 0; i < 2; i++) TRIAD_TRY(plan_one(t, s, line, i, &bytes[i]));
  TRIAD_TRY(triad_device_alloc(t->device, "pressure's transform", (int64_t)(bytes[0] > bytes[1] ? bytes[0] : bytes[1]),
                               1, &t->area));
  for (int i = 0; i < 2; i++) TRIAD_TRY(TRIAD_CUFFT(cufftSetWorkArea(t->plan[i], t->area)));
  return TRIAD_OK;
}

/* 4 sin^2(k h/2)/h^2 by wavenumber in the order of the transform, of an axis of the box, -1: a single 0. */
int triad_staggered_gpu_eigenvalues(triad_device *device, const triad_staggered_setup *s, int axis, int half,
                                    double factor, double **values, int *kept)
{
  int64_t n = axis >= 0 ? s->n[axis] : 1, count = half ? n / 2 + 1 : n;
  double h = axis >= 0 ? s->length[axis] / (double)n : 1, *value = calloc((size_t)count, sizeof *value);
  if (!value) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "eigenvalues");
  for (int64_t k = 0; k < count; k++) {
    double root = 2 / h * sin(TRIAD_PI * (double)k / (double)n);
    value[k] = factor * root * root;
  }
  int st = TRIAD_OK;
  if (!*values) st = triad_device_alloc(device, "eigenvalues", count, sizeof *value, (void **)values);
  if (st == TRIAD_OK) st = triad_device_put(device, *values, value, count * (int64_t)sizeof *value);
  free(value);
  return st == TRIAD_OK ? triad_narrow(count, kept) : st;
}

int triad_staggered_gpu_twiddles(triad_device *device, int64_t n, triad_cplx **out)
{
  triad_cplx *w = calloc((size_t)n, sizeof *w);
  if (!w) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "twiddle factors");
  for (int64_t j = 0; j < n; j++) {
    double angle = 2 * TRIAD_PI * (double)j / (double)n;
    w[j] = (triad_cplx){(triad_real)cos(angle), (triad_real)-sin(angle)};
  }
  int st = triad_device_table(device, "twiddle factors", n, sizeof *w, w, (void **)out);
  free(w);
  return st;
}

static int put_values(triad_staggered_gpu_transform *t, const triad_staggered_setup *s, int axis, int place,
                      double factor, int *kept)
{
  return triad_staggered_gpu_eigenvalues(t->device, s, axis, place == 0, factor, &t->value[place], kept);
}

static int put_whole(triad_staggered_gpu_transform *t, const triad_staggered_setup *s)
{
  int axis[3] = {-1, -1, -1}, rank = axes_of(s, -1, axis);
  double volume = 1, cells = 1;
  for (int i = 0; i < 3; i++) {
    volume *= s->length[i] / (double)s->n[i];
    cells *= (double)s->n[i];
  }
  t->modes.scale = 1 / cells;
  t->modes.mode = t->mode;
  for (int i = 0; i < 3; i++) {
    TRIAD_TRY(put_values(t, s, i < rank ? axis[i] : -1, i, volume, &t->modes.n[i]));
    t->modes.value[i] = t->value[i];
  }
  return TRIAD_OK;
}

static int put_lines(triad_staggered_gpu_transform *t, const triad_staggered_setup *s)
{
  triad_staggered_gpu_lines *l = &t->lines;
  int other = 3 - t->line;
  for (int i = 0; i < 2; i++) {
    TRIAD_TRY(put_values(t, s, i == 0 ? 0 : s->n[other] > 1 ? other : -1, i, 1, &l->columns[i]));
    l->value[i] = t->value[i];
  }
  l->area = s->length[0] / (double)s->n[0] * s->length[other] / (double)s->n[other];
  return TRIAD_OK;
}

static int make_lines(triad_staggered_gpu_transform *t, const triad_staggered_setup *s,
                      const triad_staggered_gpu *kernel)
{
  triad_staggered_gpu_lines *l = &t->lines;
  int64_t row = s->n[0] / 2 + 1;
  TRIAD_TRY(triad_device_alloc(t->device, "pressure's lines", modes_of(s), sizeof *t->upper, (void **)&t->upper));
  TRIAD_TRY(triad_narrow(s->n[t->line], &l->n));
  l->step = t->line == 1 ? row : row * s->n[1];
  l->column = 1;
  l->row = t->line == 1 ? row * s->n[1] : row;
  l->h = kernel->sizes.h[t->line];
  l->per_d = kernel->sizes.per_d[t->line];
  l->scale = 1 / ((double)s->n[0] * (double)s->n[3 - t->line]);
  l->mode = t->mode;
  l->upper = t->upper;
  return TRIAD_OK;
}

int triad_staggered_gpu_transform_renew(triad_staggered_gpu_transform *t, const triad_staggered_setup *s)
{
  if (t->slabs) return triad_staggered_gpu_slabs_renew(t->slabs, s);
  if (t->cosines) return triad_staggered_gpu_cosines_renew(t->cosines, s);
  return t->line >= 0 ? put_lines(t, s) : put_whole(t, s);
}

/* On one rank. */
static int create_parts(triad_staggered_gpu_transform *t, const triad_staggered_setup *s,
                        const triad_staggered_gpu *kernel)
{
  if (triad_staggered_waves_of(s, &t->line) == TRIAD_STAGGERED_COSINE_WAVES)
    return triad_staggered_gpu_cosines_create(&t->cosines, t->device, s, kernel);
  int waves = t->line < 0 && s->n[0] > 1 && s->n[1] > 1 && triad_staggered_gpu_has_waves(s->n[2]);
  TRIAD_TRY(plan(t, s, waves ? 2 : t->line));
  if (waves) TRIAD_TRY(triad_staggered_gpu_twiddles(t->device, s->n[2], &t->twiddles));
  TRIAD_TRY(triad_device_alloc(t->device, "pressure's modes", modes_of(s), sizeof *t->mode, (void **)&t->mode));
  if (t->line >= 0) TRIAD_TRY(make_lines(t, s, kernel));
  return triad_staggered_gpu_transform_renew(t, s);
}

int triad_staggered_gpu_transform_create(triad_staggered_gpu_transform **out, triad_staggered_flow *f)
{
  triad_staggered_gpu_transform *t = *out = calloc(1, sizeof *t);
  int st = triad_agree(&f->context->comm, t ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure transform"));
  if (st != TRIAD_OK) return st;
  t->device = f->device;
  return f->blocks.size > 1 ? triad_staggered_gpu_slabs_create(&t->slabs, f)
                            : create_parts(t, &f->setup, &f->gpu->kernel);
}

void triad_staggered_gpu_transform_destroy(triad_staggered_gpu_transform **transform)
{
  triad_staggered_gpu_transform *t = *transform;
  if (!t) return;
  triad_staggered_gpu_slabs_destroy(&t->slabs);
  triad_staggered_gpu_cosines_destroy(&t->cosines);
  for (int i = 0; i < 2; i++)
    if (t->planned[i]) (void)cufftDestroy(t->plan[i]);
  triad_device_free(t->device, &t->area);
  for (int i = 0; i < 3; i++) triad_device_free(t->device, (void **)&t->value[i]);
  triad_device_free(t->device, (void **)&t->mode);
  triad_device_free(t->device, (void **)&t->upper);
  triad_device_free(t->device, (void **)&t->twiddles);
  free(t);
  *transform = NULL;
}

int triad_staggered_gpu_transform_solve(const triad_staggered_gpu_transform *t, triad_real *r, triad_real *z)
{
  void *stream = triad_device_stream(t->device);
  if (t->slabs) return triad_staggered_gpu_slabs_solve(t->slabs, r, z);
  if (t->cosines) return triad_staggered_gpu_cosines_solve(t->cosines, r, z);
#ifdef TRIAD_SINGLE
  TRIAD_TRY(TRIAD_CUFFT(cufftExecR2C(t->plan[0], r, (cufftComplex *)t->mode)));
#else
  TRIAD_TRY(TRIAD_CUFFT(cufftExecD2Z(t->plan[0], r, (cufftDoubleComplex *)t->mode)));
#endif
  TRIAD_TRY(t->line >= 0  ? triad_staggered_gpu_eliminate(&t->lines, stream)
            : t->twiddles ? triad_staggered_gpu_divide_waves(&t->modes, t->twiddles, stream)
                          : triad_staggered_gpu_divide(&t->modes, stream));
#ifdef TRIAD_SINGLE
  return TRIAD_CUFFT(cufftExecC2R(t->plan[1], (cufftComplex *)t->mode, z));
#else
  return TRIAD_CUFFT(cufftExecZ2D(t->plan[1], (cufftDoubleComplex *)t->mode, z));
#endif
}
