/* Transform lines of any length by cuFFT in batches on streams, between kernels that fill and empty the buffer. */
#include "fft/gpu/gpu_library.h"
#include "fft/gpu/cufft.h"
#include "fft/gpu/gpu_compiled.h"
#include "parallel/comm.h"
#include "parallel/cuda.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 16 << 20, STREAMS = 65 /* 64 chunks in flight, and the device's own */ };

#ifdef TRIAD_SINGLE
#define KIND CUFFT_C2C
#define EXECUTE(plan, data, sign) cufftExecC2C(plan, (cufftComplex *)(data), (cufftComplex *)(data), sign)
#else
#define KIND CUFFT_Z2Z
#define EXECUTE(plan, data, sign) cufftExecZ2Z(plan, (cufftDoubleComplex *)(data), (cufftDoubleComplex *)(data), sign)
#endif

/* The resources of one stream. */
typedef struct desk {
  void *stream, *area;
  triad_cplx *buffer;
  cufftHandle plan[3];
  int planned[3];
} desk;

struct triad_gpu_library {
  triad_device *device;
  int serves[3];
  int64_t n[3], batch[3]; /* points; lines of a plan */
  desk desks[STREAMS];
  int n_desks;
};

int triad_gpu_library_serves(const triad_grid *g, int axis)
{
  const char *word = getenv("TRIAD_GPU_LINES");
  if (g->lines == TRIAD_LINES_LIBRARY || (word && strcmp(word, "library") == 0)) return 1;
  return !triad_gpu_compiled_serves(g, axis) && (!triad_gpu_has_size(g->n[axis]) || g->truncation == TRIAD_NONE);
}

/* The number of lines in a plan, at most those of eight fields. A plan always transforms all its lines, even if fewer
 * are used. */
static int64_t batch_of(const triad_grid *g, int axis)
{
  const int64_t n = g->n[axis], there = 8 * (g->n[0] * g->n[1] * g->n[2] / n);
  int64_t lines = BUFFER_BYTES / (n * (int64_t)sizeof(triad_cplx));
  if (lines > there) lines = there;
  return lines > 1 ? lines : 1;
}

/* cuFFT needs a second buffer where a line takes several kernels, and lines of the next power of two above 2 n where n
 * has large prime factors. */
static int64_t area_of(const triad_grid *g, int axis)
{
  const int64_t n = g->n[axis];
  int64_t rest = n;
  for (int64_t p = 2; p <= 7; p++)
    while (rest % p == 0) rest /= p;
  return batch_of(g, axis) * n * (rest > 1 ? 4 : 1) * (int64_t)sizeof(triad_cplx);
}

int64_t triad_gpu_library_bytes(const triad_grid *g)
{
  int64_t buffer = 0, area = 0;
  for (int i = 0; i < 3; i++) {
    if (!triad_gpu_library_serves(g, i)) continue;
    int64_t b = batch_of(g, i) * g->n[i] * (int64_t)sizeof(triad_cplx), a = area_of(g, i);
    buffer = b > buffer ? b : buffer;
    area = a > area ? a : area;
  }
  return buffer + area;
}

int triad_gpu_library_rows(const triad_grid *g, int n_in, int n_out, int row_fields)
{
  return triad_gpu_library_serves(g, 0) && n_in + n_out > row_fields ? n_in + n_out : row_fields;
}

int triad_gpu_library_create(triad_gpu_library **out, triad_device *device, const triad_grid *g,
                             triad_gpu_library *lines[3])
{
  *out = NULL;
  if (triad_gpu_library_bytes(g) == 0) return TRIAD_OK;
  triad_gpu_library *l = *out = calloc(1, sizeof *l);
  if (!l) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "lines by cuFFT");
  l->device = device;
  for (int i = 0; i < 3; i++) {
    l->serves[i] = triad_gpu_library_serves(g, i);
    if (l->serves[i]) lines[i] = l;
    l->n[i] = g->n[i];
    l->batch[i] = batch_of(g, i);
  }
  return TRIAD_OK;
}

void triad_gpu_library_destroy(triad_gpu_library **library)
{
  if (!library || !*library) return;
  triad_gpu_library *l = *library;
  for (int d = 0; d < l->n_desks; d++) {
    desk *k = &l->desks[d];
    for (int i = 0; i < 3; i++)
      if (k->planned[i]) (void)cufftDestroy(k->plan[i]);
    triad_device_free(l->device, (void **)&k->buffer);
    triad_device_free(l->device, &k->area);
  }
  free(l);
  *library = NULL;
}

static int plan_axis(const triad_gpu_library *l, desk *k, int axis, size_t *bytes)
{
  int n = 0, batch = 0;
  TRIAD_TRY(triad_narrow(l->n[axis], &n));
  TRIAD_TRY(triad_narrow(l->batch[axis], &batch));
  TRIAD_TRY(TRIAD_CUFFT(cufftCreate(&k->plan[axis])));
  k->planned[axis] = 1;
  TRIAD_TRY(TRIAD_CUFFT(cufftSetAutoAllocation(k->plan[axis], 0)));
  TRIAD_TRY(TRIAD_CUFFT(cufftMakePlanMany(k->plan[axis], 1, &n, NULL, 1, n, NULL, 1, n, KIND, batch, bytes)));
  return TRIAD_CUFFT(cufftSetStream(k->plan[axis], (cudaStream_t)k->stream));
}

int triad_gpu_library_open(triad_gpu_library *l, void *stream)
{
  int64_t points = 0;
  size_t area = 0;
  if (l->n_desks == STREAMS) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "lines by cuFFT: at most %d streams", STREAMS);
  desk *k = &l->desks[l->n_desks++];
  k->stream = stream;
  for (int i = 0; i < 3; i++) {
    size_t bytes = 0;
    if (!l->serves[i]) continue;
    if (l->n[i] > 1) TRIAD_TRY(plan_axis(l, k, i, &bytes));
    if (bytes > area) area = bytes;
    if (l->batch[i] * l->n[i] > points) points = l->batch[i] * l->n[i];
  }
  TRIAD_TRY(triad_device_alloc(l->device, "lines by cuFFT", points, sizeof *k->buffer, (void **)&k->buffer));
  TRIAD_TRY(triad_device_alloc(l->device, "lines by cuFFT", (int64_t)area, 1, &k->area));
  for (int i = 0; i < 3; i++)
    if (k->planned[i]) TRIAD_TRY(TRIAD_CUFFT(cufftSetWorkArea(k->plan[i], k->area)));
  return TRIAD_OK;
}

/* ---- batch by batch ---- */

int triad_gpu_batch_begin(triad_gpu_batch *b, const triad_gpu_library *l, int axis, int64_t lines, void *stream)
{
  int d = 0;
  while (d < l->n_desks && l->desks[d].stream != stream) d++;
  if (d == l->n_desks) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "lines by cuFFT: not opened on this stream");
  *b = (triad_gpu_batch){
    .library = l, .desk = d, .axis = axis, .lines = lines, .buffer = l->desks[d].buffer, .stream = stream};
  return TRIAD_OK;
}

int triad_gpu_batch_next(triad_gpu_batch *b)
{
  b->first += b->count;
  int64_t left = b->lines - b->first, most = b->library->batch[b->axis];
  b->count = left < most ? left : most;
  return left > 0;
}

/* All lines of the plan, though the last batch fills fewer: the others hold what an earlier one left, and nobody reads
 * them. */
int triad_gpu_batch_transform(const triad_gpu_batch *b, int backward)
{
  const desk *k = &b->library->desks[b->desk];
  if (!k->planned[b->axis]) return TRIAD_OK; /* one point is its own transform */
  return TRIAD_CUFFT(EXECUTE(k->plan[b->axis], b->buffer, backward ? CUFFT_INVERSE : CUFFT_FORWARD));
}
