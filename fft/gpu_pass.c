#include "fft/gpu_pass.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK_BYTES = 1 << 30 }; /* of planes and rows at once: larger chunks keep the GPU fuller, smaller ones save memory */

struct triad_gpu_pass {
  triad_device *device;
  const triad_layout *layout;
  triad_gpu_shape shape;
  int chunk;
  triad_gpu_row *rows;
  triad_cplx *twiddle[3], *work, *planes_in, *planes_out;
  triad_real *rows_in, *rows_out;
  double *peak;
};

static int supported(const triad_grid *g)
{
  if (g->truncation == TRIAD_NONE)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "grid.truncation = \"none\" runs on the CPU only: it is for tests");
  for (int i = 0; i < 3; i++)
    if (!triad_gpu_has_size(g->n[i]))
      return TRIAD_FAIL(TRIAD_ERR_FEATURE, "no GPU kernel for %lld points along %c: take 16, 32, 48, 64, 80, 96, 128, 160, "
                                           "192, 256, 320, 384, 512, 640, 768, 1024, 1536 or 2048, or device = \"cpu\"",
                        (long long)g->n[i], "xyz"[i]);
  return TRIAD_OK;
}

static int make_rows(triad_gpu_pass *p)
{
  const triad_layout *l = p->layout;
  int64_t ny = l->grid.n[1];
  triad_gpu_row *host = calloc((size_t)ny, sizeof *host);
  if (!host) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "table of rows");
  /* (0, ky) stands for (0, -ky) too: that row begins at kx = 1, even where it holds no other column */
  for (int64_t ky = 1; ky <= l->grid.kmax[1]; ky++) host[ny - ky].first = 1;
  for (int64_t r = 0; r < l->n_rows; r++)
    host[l->rows[r].y] = (triad_gpu_row){(int32_t)l->rows[r].kx_first, (int32_t)l->rows[r].count, l->rows[r].column};
  int st = triad_device_take(p->device, "rows", ny, sizeof *host, (void **)&p->rows);
  if (st == TRIAD_OK) st = triad_device_put(p->device, p->rows, host, ny * (int64_t)sizeof *host);
  free(host);
  p->shape.rows = p->rows;
  return st;
}

static int make_twiddles(triad_gpu_pass *p, int axis)
{
  int64_t n = p->layout->grid.n[axis];
  triad_cplx *host = calloc((size_t)n, sizeof *host);
  if (!host) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "table of twiddle factors");
  for (int64_t j = 0; j < n; j++) {
    double angle = 6.283185307179586476925286766559 * (double)j / (double)n;
    host[j] = (triad_cplx){(triad_real)cos(angle), (triad_real)-sin(angle)};
  }
  int st = triad_device_take(p->device, "twiddle factors", n, sizeof *host, (void **)&p->twiddle[axis]);
  if (st == TRIAD_OK) st = triad_device_put(p->device, p->twiddle[axis], host, n * (int64_t)sizeof *host);
  free(host);
  p->shape.twiddle[axis] = p->twiddle[axis];
  return st;
}

static int take_buffers(triad_gpu_pass *p, int most_in, int most_out, int fused)
{
  const triad_grid *g = &p->layout->grid;
  const size_t cplx = sizeof(triad_cplx), real = sizeof(triad_real);
  int64_t plane = g->n[1] * p->shape.pitch, points = fused ? 0 : g->n[0] * g->n[1];
  int64_t bytes = (most_in + most_out) * (plane * (int64_t)cplx + points * (int64_t)real);
  int64_t chunk = CHUNK_BYTES / bytes;
  p->chunk = (int)(chunk < 1 ? 1 : chunk > g->n[2] ? g->n[2] : chunk);
  TRIAD_TRY(triad_device_take(p->device, "work columns", g->n[2] * p->shape.slots * p->shape.columns, cplx, (void **)&p->work));
  TRIAD_TRY(triad_device_take(p->device, "planes", p->chunk * most_in * plane, cplx, (void **)&p->planes_in));
  TRIAD_TRY(triad_device_take(p->device, "planes", p->chunk * most_out * plane, cplx, (void **)&p->planes_out));
  TRIAD_TRY(triad_device_take(p->device, "rows", p->chunk * most_in * points, real, (void **)&p->rows_in));
  TRIAD_TRY(triad_device_take(p->device, "rows", p->chunk * most_out * points, real, (void **)&p->rows_out));
  return triad_device_take(p->device, "peak", 1, sizeof(double), (void **)&p->peak);
}

int triad_gpu_pass_create(triad_gpu_pass **out, triad_device *device, const triad_layout *l, int most_in, int most_out,
                          int fused)
{
  const triad_grid *g = &l->grid;
  *out = NULL;
  TRIAD_TRY(supported(g));
  triad_gpu_pass *p = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the GPU pass");
  p->device = device;
  p->layout = l;
  p->shape = (triad_gpu_shape){.n = {(int)g->n[0], (int)g->n[1], (int)g->n[2]},
                               .kx_most = (int)g->kmax[0],
                               .nkz = l->nkz,
                               .kz_positive = l->kz_positive,
                               .columns = l->lanes,
                               .pitch = (g->kmax[0] + 8) / 8 * 8, /* Kx + 1, to whole cache lines */
                               .slots = most_in > most_out ? most_in : most_out};
  int st = make_rows(p);
  for (int axis = 0; st == TRIAD_OK && axis < 3; axis++) st = make_twiddles(p, axis);
  if (st == TRIAD_OK) st = take_buffers(p, most_in, most_out, fused);
  if (st != TRIAD_OK) triad_gpu_pass_destroy(&p);
  *out = p;
  return st;
}

void triad_gpu_pass_destroy(triad_gpu_pass **pass)
{
  if (!pass || !*pass) return;
  triad_gpu_pass *p = *pass;
  void **taken[] = {(void **)&p->rows,       (void **)&p->twiddle[0], (void **)&p->twiddle[1], (void **)&p->twiddle[2],
                    (void **)&p->work,       (void **)&p->planes_in,  (void **)&p->planes_out, (void **)&p->rows_in,
                    (void **)&p->rows_out,   (void **)&p->peak};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_give(p->device, taken[i]);
  free(p);
  *pass = NULL;
}

static int visit_chunk(triad_gpu_pass *p, const triad_gpu_job *job, int z, int count, void *stream)
{
  const triad_gpu_shape *g = &p->shape;
  int64_t points = (int64_t)count * g->n[1] * g->n[0];
  double scale = 1.0 / (double)triad_grid_points(&p->layout->grid);
  TRIAD_TRY(triad_gpu_y_backward(g, job->n_in, p->work, z, count, p->planes_in, stream));
  if (job->rows) {
    TRIAD_TRY(job->rows(job->law, g, p->planes_in, p->planes_out, count, p->peak, stream));
  } else {
    TRIAD_TRY(triad_gpu_x_backward(g, job->n_in, p->planes_in, count, p->rows_in, stream));
    TRIAD_TRY(job->points(job->law, points, points, p->rows_in, p->rows_out, p->peak, stream));
    TRIAD_TRY(triad_gpu_x_forward(g, job->n_out, p->rows_out, count, p->planes_out, stream));
  }
  return triad_gpu_y_forward(g, job->n_out, p->planes_out, z, count, scale, p->work, stream);
}

int triad_gpu_pass_run(triad_gpu_pass *p, const triad_gpu_job *job)
{
  void *stream = triad_device_stream(p->device);
  triad_gpu_fields fields = {{NULL}};
  for (int f = 0; f < job->n_in; f++) fields.field[f] = job->in[f];
  TRIAD_TRY(triad_gpu_z_backward(&p->shape, &fields, job->n_in, p->work, stream));
  for (int z = 0; z < p->shape.n[2]; z += p->chunk) {
    int count = p->shape.n[2] - z < p->chunk ? p->shape.n[2] - z : p->chunk;
    TRIAD_TRY(visit_chunk(p, job, z, count, stream));
  }
  return triad_gpu_z_forward(&p->shape, job->n_out, p->work, stream);
}

const triad_cplx *triad_gpu_pass_result(const triad_gpu_pass *p, int64_t *stride)
{
  *stride = p->shape.slots * p->shape.columns;
  return p->work;
}

const triad_gpu_shape *triad_gpu_pass_shape(const triad_gpu_pass *p) { return &p->shape; }

int triad_gpu_pass_forget(triad_gpu_pass *p)
{
  const double zero = 0;
  return triad_device_put(p->device, p->peak, &zero, sizeof zero);
}

int triad_gpu_pass_peak(triad_gpu_pass *p, double *peak)
{
  return triad_device_get(p->device, peak, p->peak, sizeof *peak);
}
