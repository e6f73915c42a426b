/* The exact solve of a periodic uniform box on one GPU: cuFFT's transform of the box as a whole (docs/numerics.md section
 * 15). Axes of one cell are left out. */
#include "solvers/staggered/gpu_own.h"

#include "fft/cufft.h"
#include "parallel/comm.h"

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
  cufftHandle plan[2];          /* forward, backward */
  int planned[2];
  void *area;
  double *value[3];             /* on the GPU: V 4 sin^2(k h/2)/h^2 */
  triad_staggered_gpu_modes modes;
};

/* Axes of more than one cell, x first; how many. */
static int axes_of(const triad_staggered_setup *s, int axis[3])
{
  int rank = 0;
  for (int i = 0; i < 3; i++)
    if (s->n[i] > 1) axis[rank++] = i;
  if (rank == 0) axis[rank++] = 0;
  return rank;
}

static int64_t modes_of(const triad_staggered_setup *s)
{
  int axis[3], rank = axes_of(s, axis);
  int64_t modes = s->n[axis[0]] / 2 + 1;
  for (int i = 1; i < rank; i++) modes *= s->n[axis[i]];
  return modes;
}

/* cuFFT's work area is as large as the modes, as far as one knows before planning. */
int64_t triad_staggered_gpu_transform_bytes(const triad_staggered_setup *s)
{
  return 2 * modes_of(s) * (int64_t)sizeof(triad_cplx);
}

static int plan(triad_staggered_gpu_transform *t, const triad_staggered_setup *s)
{
  int axis[3], rank = axes_of(s, axis), n[3] = {1, 1, 1};
  size_t bytes[2] = {0, 0}, area;
  for (int i = 0; i < rank; i++) TRIAD_TRY(triad_narrow(s->n[axis[rank - 1 - i]], &n[i]));
  for (int i = 0; i < 2; i++) {
    TRIAD_TRY(TRIAD_CUFFT(cufftCreate(&t->plan[i])));
    t->planned[i] = 1;
    TRIAD_TRY(TRIAD_CUFFT(cufftSetAutoAllocation(t->plan[i], 0)));
    TRIAD_TRY(TRIAD_CUFFT(cufftMakePlanMany(t->plan[i], rank, n, NULL, 1, 0, NULL, 1, 0, i ? BACKWARD : FORWARD, 1,
                                            &bytes[i])));
    TRIAD_TRY(TRIAD_CUFFT(cufftSetStream(t->plan[i], (cudaStream_t)triad_device_stream(t->device))));
  }
  area = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  TRIAD_TRY(triad_device_alloc(t->device, "pressure's transform", (int64_t)area, 1, &t->area));
  for (int i = 0; i < 2; i++) TRIAD_TRY(TRIAD_CUFFT(cufftSetWorkArea(t->plan[i], t->area)));
  return TRIAD_OK;
}

/* Eigenvalues by wavenumber in the order of the transform; those along an axis that is left out are 0. */
static int make_values(triad_staggered_gpu_transform *t, const triad_staggered_setup *s)
{
  int axis[3] = {0, 0, 0}, rank = axes_of(s, axis);
  double volume = 1, cells = 1;
  for (int i = 0; i < 3; i++) {
    volume *= s->length[i] / (double)s->n[i];
    cells *= (double)s->n[i];
  }
  t->modes.scale = 1 / cells;
  for (int i = 0; i < 3; i++) {
    int64_t n = i < rank ? s->n[axis[i]] : 1, kept = i == 0 ? n / 2 + 1 : n;
    double h = s->length[axis[i]] / (double)s->n[axis[i]], *value = calloc((size_t)kept, sizeof *value);
    if (!value) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "eigenvalues");
    for (int64_t k = 0; k < kept && i < rank; k++) {
      double half = 2 / h * sin(3.14159265358979323846 * (double)k / (double)n);
      value[k] = volume * half * half;
    }
    int st = triad_device_table(t->device, "eigenvalues", kept, sizeof *value, value, (void **)&t->value[i]);
    free(value);
    TRIAD_TRY(st);
    TRIAD_TRY(triad_narrow(kept, &t->modes.n[i]));
    t->modes.value[i] = t->value[i];
  }
  return TRIAD_OK;
}

int triad_staggered_gpu_transform_create(triad_staggered_gpu_transform **out, triad_device *device,
                                         const triad_staggered_setup *s)
{
  triad_staggered_gpu_transform *t = *out = calloc(1, sizeof *t);
  if (!t) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure's transform");
  t->device = device;
  TRIAD_TRY(plan(t, s));
  TRIAD_TRY(make_values(t, s));
  return triad_device_alloc(device, "pressure's modes", modes_of(s), sizeof(triad_cplx), (void **)&t->modes.mode);
}

void triad_staggered_gpu_transform_destroy(triad_staggered_gpu_transform **transform)
{
  triad_staggered_gpu_transform *t = *transform;
  if (!t) return;
  for (int i = 0; i < 2; i++)
    if (t->planned[i]) (void)cufftDestroy(t->plan[i]);
  triad_device_free(t->device, &t->area);
  for (int i = 0; i < 3; i++) triad_device_free(t->device, (void **)&t->value[i]);
  triad_device_free(t->device, (void **)&t->modes.mode);
  free(t);
  *transform = NULL;
}

int triad_staggered_gpu_transform_solve(const triad_staggered_gpu_transform *t, triad_real *r, triad_real *z)
{
#ifdef TRIAD_SINGLE
  TRIAD_TRY(TRIAD_CUFFT(cufftExecR2C(t->plan[0], r, (cufftComplex *)t->modes.mode)));
#else
  TRIAD_TRY(TRIAD_CUFFT(cufftExecD2Z(t->plan[0], r, (cufftDoubleComplex *)t->modes.mode)));
#endif
  TRIAD_TRY(triad_staggered_gpu_divide(&t->modes, triad_device_stream(t->device)));
#ifdef TRIAD_SINGLE
  return TRIAD_CUFFT(cufftExecC2R(t->plan[1], (cufftComplex *)t->modes.mode, z));
#else
  return TRIAD_CUFFT(cufftExecZ2D(t->plan[1], (cufftDoubleComplex *)t->modes.mode, z));
#endif
}
