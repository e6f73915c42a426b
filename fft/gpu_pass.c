#include "fft/gpu_pass.h"

#include <math.h>
#include <stdlib.h>

/* Planes in flight: less than the second cache level holds, but enough points to fill the GPU. */
enum { CHUNK_BYTES = 32 << 20, CHUNK_POINTS = 1 << 19 };

struct triad_gpu_pass {
  triad_device *device;
  const triad_layout *layout;
  triad_gpu_shape shape;
  int chunk;
  triad_gpu_row *table;
  triad_cplx *twiddle[3], *work, *planes;
  triad_real *rows;
  double *peaks;
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
  int st = triad_device_take(p->device, "rows", ny, sizeof *host, (void **)&p->table);
  if (st == TRIAD_OK) st = triad_device_put(p->device, p->table, host, ny * (int64_t)sizeof *host);
  free(host);
  p->shape.rows = p->table;
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

static int take_buffers(triad_gpu_pass *p, int row_fields)
{
  const triad_grid *g = &p->layout->grid;
  const int64_t cplx = (int64_t)sizeof(triad_cplx), real = (int64_t)sizeof(triad_real);
  int64_t plane = g->n[1] * p->shape.pitch * p->shape.slots, points = g->n[0] * g->n[1];
  int64_t chunk = CHUNK_BYTES / (plane * cplx + row_fields * points * real), least = CHUNK_POINTS / points;
  if (chunk < least) chunk = least;
  p->chunk = (int)(chunk < 1 ? 1 : chunk > g->n[2] ? g->n[2] : chunk);
  TRIAD_TRY(triad_device_take(p->device, "work columns", g->n[2] * p->shape.slots * p->shape.columns, (size_t)cplx,
                              (void **)&p->work));
  TRIAD_TRY(triad_device_take(p->device, "planes", p->chunk * plane, (size_t)cplx, (void **)&p->planes));
  if (row_fields > 0)
    TRIAD_TRY(triad_device_take(p->device, "rows", p->chunk * row_fields * points, (size_t)real, (void **)&p->rows));
  return triad_device_take(p->device, "peaks", TRIAD_GPU_PEAKS, sizeof(double), (void **)&p->peaks);
}

int triad_gpu_pass_create(triad_gpu_pass **out, triad_device *device, const triad_layout *l, int most_in, int most_out,
                          int row_fields)
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
  if (st == TRIAD_OK) st = take_buffers(p, row_fields);
  if (st != TRIAD_OK) triad_gpu_pass_destroy(&p);
  *out = p;
  return st;
}

void triad_gpu_pass_destroy(triad_gpu_pass **pass)
{
  if (!pass || !*pass) return;
  triad_gpu_pass *p = *pass;
  void **taken[] = {(void **)&p->table, (void **)&p->twiddle[0], (void **)&p->twiddle[1], (void **)&p->twiddle[2],
                    (void **)&p->work,  (void **)&p->planes,     (void **)&p->rows,       (void **)&p->peaks};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_give(p->device, taken[i]);
  free(p);
  *pass = NULL;
}

static int visit_chunk(triad_gpu_pass *p, const triad_gpu_job *job, int z, int count, void *stream)
{
  const triad_gpu_shape *g = &p->shape;
  int64_t points = (int64_t)g->n[1] * g->n[0], field = count * g->n[1] * g->pitch;
  int most = job->n_in > job->n_out ? job->n_in : job->n_out;
  triad_cplx *in = p->planes + (most - job->n_in) * field, *out = p->planes;
  double scale = 1.0 / (double)triad_grid_points(&p->layout->grid);
  triad_gpu_chunk chunk = {.shape = g, .n_in = job->n_in, .n_out = job->n_out, .count = count, .first = z, .in = in,
                           .out = out, .rows_in = p->rows, .rows_out = p->rows + (p->rows ? job->n_in * count * points : 0),
                           .kept = job->kept, .kept_stride = points * g->n[2], .dt = job->dt, .peaks = p->peaks,
                           .stream = stream};
  TRIAD_TRY(triad_gpu_y_backward(g, job->n_in, p->work, z, count, in, stream));
  TRIAD_TRY(job->visit(job->law, &chunk));
  return job->n_out > 0 ? triad_gpu_y_forward(g, job->n_out, out, z, count, scale, p->work, stream) : TRIAD_OK;
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
  return job->n_out > 0 ? triad_gpu_z_forward(&p->shape, job->n_out, p->work, stream) : TRIAD_OK;
}

const triad_cplx *triad_gpu_pass_result(const triad_gpu_pass *p, int64_t *stride)
{
  *stride = p->shape.slots * p->shape.columns;
  return p->work;
}

const triad_gpu_shape *triad_gpu_pass_shape(const triad_gpu_pass *p) { return &p->shape; }

double triad_gpu_pass_points(const triad_gpu_pass *p) { return (double)triad_grid_points(&p->layout->grid); }

int triad_gpu_pass_forget(triad_gpu_pass *p)
{
  const double zero[TRIAD_GPU_PEAKS] = {0};
  return triad_device_put(p->device, p->peaks, zero, sizeof zero);
}

int triad_gpu_pass_peaks(triad_gpu_pass *p, double peaks[TRIAD_GPU_PEAKS])
{
  return triad_device_get(p->device, peaks, p->peaks, TRIAD_GPU_PEAKS * (int64_t)sizeof *peaks);
}
