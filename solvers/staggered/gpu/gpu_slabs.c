/* The pressure's transform on several GPUs, a slab of planes across z each (gpu_transform.c is that of one). Modes
 * along x, and along y where it has waves, are each rank's own; an exchange then gives each a range of wavenumbers
 * along x with all of z, where z is transformed, or tridiagonal systems are solved along the axis that has walls;
 * and all the way back.
 *
 * One piece of memory has planes [z][y][kx] of own z, then columns [z][y][kx] of own kx, in the numbers of which
 * plans count. */
#include "solvers/staggered/gpu/gpu_slabs.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_windows.h"
#include "solvers/staggered/gpu/gpu_transform.h"
#include "solvers/staggered/plain/waves.h"

#include "fft/gpu/cufft.h"
#include "grid/layout.h"
#include "parallel/comm.h"

#include <stdlib.h>

#ifdef TRIAD_SINGLE
#define FORWARD CUFFT_R2C
#define BACKWARD CUFFT_C2R
#define ACROSS CUFFT_C2C
#define EXEC_FORWARD(plan, at) cufftExecR2C(plan, at, (cufftComplex *)(void *)(at))
#define EXEC_BACKWARD(plan, at) cufftExecC2R(plan, (cufftComplex *)(void *)(at), at)
#define EXEC_ACROSS(plan, at, way) cufftExecC2C(plan, (cufftComplex *)(void *)(at), (cufftComplex *)(void *)(at), way)
#else
#define FORWARD CUFFT_D2Z
#define BACKWARD CUFFT_Z2D
#define ACROSS CUFFT_Z2Z
#define EXEC_FORWARD(plan, at) cufftExecD2Z(plan, at, (cufftDoubleComplex *)(void *)(at))
#define EXEC_BACKWARD(plan, at) cufftExecZ2D(plan, (cufftDoubleComplex *)(void *)(at), at)
#define EXEC_ACROSS(plan, at, way) \
  cufftExecZ2Z(plan, (cufftDoubleComplex *)(void *)(at), (cufftDoubleComplex *)(void *)(at), way)
#endif

enum { PLANES, PLANES_BACK, COLUMNS, PLANS };

struct triad_staggered_gpu_slabs {
  triad_staggered_flow *f;
  int line;                        /* the axis of tridiagonal systems, -1: all axes have waves */
  int64_t half, first_k, own_k;    /* wavenumbers along x: all, and this rank's */
  triad_real *memory, *columns;    /* planes; behind them */
  triad_staggered_gpu_cells cells; /* of planes */
  triad_staggered_gpu layout;      /* the same as of a field */
  triad_staggered_gpu vector;      /* how vectors lie, as of a field */
  cufftHandle plan[PLANS];
  int planned[PLANS];
  void *area;
  triad_gpu_halo *forth, *back;
  double *value[3];              /* 4 sin^2(k h/2)/h^2 of x, y and z; times V without lines */
  triad_cplx *twiddles;          /* of lines along z by a kernel of ours; NULL: they are cuFFT's */
  triad_real *upper, *h, *per_d; /* of lines: what elimination leaves, sizes of cells along z on the whole grid */
  triad_staggered_gpu_modes modes;
  triad_staggered_gpu_lines lines;
};

/* Wavenumbers along x of rank r. */
static void share_of(const triad_staggered_setup *s, int r, int size, int64_t *first, int64_t *n)
{
  int64_t half = s->n[0] / 2 + 1;
  *first = triad_deal(half, r, size);
  *n = triad_deal(half, r + 1, size) - *first;
}

static int64_t numbers_of_planes(const triad_partition *b, const triad_staggered_setup *s)
{
  return 2 * (s->n[0] / 2 + 1) * b->local[1] * b->local[2];
}

static int64_t numbers_of_columns(const triad_partition *b, const triad_staggered_setup *s)
{
  int64_t first, own;
  share_of(s, b->rank, b->size, &first, &own);
  return 2 * own * s->n[1] * s->n[2];
}

/* Planes, columns and as much for cuFFT; messages both ways. */
int64_t triad_staggered_gpu_slabs_bytes(const triad_partition *b, const triad_staggered_setup *s)
{
  return (2 * numbers_of_planes(b, s) + 5 * numbers_of_columns(b, s)) * (int64_t)sizeof(triad_real);
}

/* ---- the exchange ---- */

/* What of rank r's planes is in rank q's columns: in either memory. */
static void runs_between(const triad_staggered_gpu_slabs *t, int r, int q, triad_exchange_run *planes,
                         triad_exchange_run *columns)
{
  const triad_staggered_setup *s = &t->f->setup;
  int64_t begin[3], local[3], first, own, ny = s->n[1];
  triad_partition_of(&t->f->blocks, r, begin, local);
  share_of(s, q, t->f->blocks.size, &first, &own);
  *planes = (triad_exchange_run){
    .first = 2 * first, .count = {2 * own, ny, local[2]}, .stride = {1, 2 * t->half, 2 * t->half * ny}};
  *columns = (triad_exchange_run){.first = (t->columns - t->memory) + 2 * begin[2] * ny * own,
                                  .count = {2 * own, ny, local[2]},
                                  .stride = {1, 2 * own, 2 * own * ny}};
}

static int add_runs(triad_exchange_plan *p, const triad_staggered_gpu_slabs *t, int back)
{
  int mine = t->f->blocks.rank;
  for (int r = 0; r < t->f->blocks.size; r++) {
    triad_exchange_run out, in, unused;
    runs_between(t, mine, r, &out, &unused); /* my planes, in their columns */
    runs_between(t, r, mine, &unused, &in);  /* their planes, in my columns */
    if (r == mine) TRIAD_TRY(triad_exchange_plan_copy(p, back ? &in : &out, back ? &out : &in));
    if (r == mine) continue;
    TRIAD_TRY(triad_exchange_plan_send(p, r, back ? &in : &out));
    TRIAD_TRY(triad_exchange_plan_receive(p, r, back ? &out : &in));
  }
  return TRIAD_OK;
}

static int make_exchange(triad_staggered_gpu_slabs *t, int back, triad_gpu_halo **out)
{
  triad_exchange_plan *p = NULL;
  triad_context *context = t->f->context;
  int st = triad_exchange_plan_create(&p);
  if (st == TRIAD_OK) st = add_runs(p, t, back);
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK)
    st = triad_gpu_halo_create(out, context, t->f->device, &p, 1,
                               triad_staggered_gpu_carrier(triad_case_word(t->f->given, "parallel.transport")));
  triad_exchange_plan_destroy(&p);
  return st;
}

static void exchange(const triad_staggered_gpu_slabs *t, triad_gpu_halo *plan)
{
  triad_real *const fields[1] = {t->memory};
  void *stream = triad_device_stream(t->f->device);
  triad_gpu_halo_begin(plan, fields, 1, stream);
  triad_gpu_halo_end(plan, stream);
}

/* ---- cuFFT ---- */

/* Planes are stored with space for their modes; along z the modes of a plane are adjacent. */
static int plan_one(triad_staggered_gpu_slabs *t, int i, size_t *bytes)
{
  const triad_partition *b = &t->f->blocks;
  int n[3], half, own, batch, ny, nz;
  TRIAD_TRY(triad_narrow(b->n[0], &n[0]));
  TRIAD_TRY(triad_narrow(b->n[1], &ny));
  TRIAD_TRY(triad_narrow(b->n[2], &nz));
  TRIAD_TRY(triad_narrow(t->half, &half));
  TRIAD_TRY(triad_narrow(t->own_k * b->n[1], &own));
  TRIAD_TRY(triad_narrow(b->local[1] * b->local[2], &batch));
  TRIAD_TRY(TRIAD_CUFFT(cufftCreate(&t->plan[i])));
  t->planned[i] = 1;
  TRIAD_TRY(TRIAD_CUFFT(cufftSetAutoAllocation(t->plan[i], 0)));
  if (i == COLUMNS) {
    TRIAD_TRY(TRIAD_CUFFT(cufftMakePlanMany(t->plan[i], 1, &nz, &nz, own, 1, &nz, own, 1, ACROSS, own, bytes)));
  } else {
    int flat = t->line == 1 || ny == 1, rank = flat ? 1 : 2, rows = flat ? 1 : ny;
    int size[2] = {flat ? n[0] : ny, n[0]}, real[2] = {flat ? 2 * half : ny, 2 * half},
        mode[2] = {flat ? half : ny, half};
    int back = i == PLANES_BACK;
    TRIAD_TRY(TRIAD_CUFFT(cufftMakePlanMany(t->plan[i], rank, size, back ? mode : real, 1, (back ? 1 : 2) * half * rows,
                                            back ? real : mode, 1, (back ? 2 : 1) * half * rows,
                                            back ? BACKWARD : FORWARD, batch / rows, bytes)));
  }
  return TRIAD_CUFFT(cufftSetStream(t->plan[i], (cudaStream_t)triad_device_stream(t->f->device)));
}

static int plan_all(triad_staggered_gpu_slabs *t)
{
  size_t bytes[PLANS] = {0}, most = 1;
  for (int i = 0; i < PLANS; i++) {
    if (i == COLUMNS && (t->line == 2 || t->twiddles)) continue;
    TRIAD_TRY(plan_one(t, i, &bytes[i]));
    if (bytes[i] > most) most = bytes[i];
  }
  TRIAD_TRY(triad_device_alloc(t->f->device, "pressure's transform", (int64_t)most, 1, &t->area));
  for (int i = 0; i < PLANS; i++)
    if (t->planned[i]) TRIAD_TRY(TRIAD_CUFFT(cufftSetWorkArea(t->plan[i], t->area)));
  return TRIAD_OK;
}

/* ---- modes ---- */

int triad_staggered_gpu_slabs_renew(triad_staggered_gpu_slabs *t, const triad_staggered_setup *s)
{
  int kept[3], n_k, whole = t->line < 0;
  double volume = 1, cells = 1;
  TRIAD_TRY(triad_narrow(t->own_k, &n_k));
  for (int i = 0; i < 3; i++) {
    volume *= s->length[i] / (double)s->n[i];
    cells *= (double)s->n[i];
  }
  for (int i = 0; i < 3; i++)
    if (i != t->line)
      TRIAD_TRY(triad_staggered_gpu_eigenvalues(t->f->device, s, s->n[i] > 1 ? i : -1, i == 0, whole ? volume : 1,
                                                &t->value[i], &kept[i]));
  const double *along_x = t->value[0] + t->first_k;
  if (whole) {
    t->modes = (triad_staggered_gpu_modes){.n = {n_k, kept[1], kept[2]},
                                           .value = {along_x, t->value[1], t->value[2]},
                                           .scale = 1 / cells,
                                           .mode = (triad_cplx *)(void *)t->columns};
    return TRIAD_OK;
  }
  int other = 3 - t->line;
  int64_t ny = s->n[1];
  t->lines =
    (triad_staggered_gpu_lines){.columns = {n_k, kept[other]},
                                .value = {along_x, t->value[other]},
                                .step = t->line == 1 ? t->own_k : t->own_k * ny,
                                .column = 1,
                                .row = t->line == 1 ? t->own_k * ny : t->own_k,
                                .h = t->h,
                                .per_d = t->per_d,
                                .upper = t->upper,
                                .mode = t->columns,
                                .area = s->length[0] / (double)s->n[0] * s->length[other] / (double)s->n[other],
                                .scale = (double)s->n[t->line] / cells};
  return triad_narrow(s->n[t->line], &t->lines.n);
}

/* Sizes of cells along the axis of lines on the whole grid. */
static int make_lines(triad_staggered_gpu_slabs *t)
{
  const triad_staggered_setup *s = &t->f->setup;
  const double *face = t->f->mesh->face[t->line];
  int64_t n = s->n[t->line];
  triad_real *sizes = calloc(2 * (size_t)n + 1, sizeof *sizes), *per_d = sizes ? sizes + n : NULL;
  if (!sizes) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "sizes of cells");
  for (int64_t l = 0; l < n; l++) sizes[l] = (triad_real)(face[l + 1] - face[l]);
  for (int64_t l = 1; l < n; l++) per_d[l] = (triad_real)(2 / (face[l + 1] - face[l - 1]));
  int st = triad_device_table(t->f->device, "sizes of cells", 2 * n + 1, sizeof *sizes, sizes, (void **)&t->h);
  free(sizes);
  t->per_d = t->h + n;
  if (st != TRIAD_OK) return st;
  return triad_device_alloc(t->f->device, "pressure's lines", numbers_of_columns(&t->f->blocks, s) / 2,
                            sizeof *t->upper, (void **)&t->upper);
}

/* ---- all of it ---- */

/* Planes as vectors and as fields are laid out. */
static void lay_out(triad_staggered_gpu_slabs *t)
{
  const triad_partition *b = &t->f->blocks;
  t->cells = t->f->gpu->solver.cells;
  t->layout = t->vector = t->f->gpu->kernel;
  t->vector.origin = t->cells.origin;
  t->cells.origin = 0;
  t->layout.origin = 0;
  for (int i = 0; i < 3; i++) {
    t->vector.stride[i] = t->cells.stride[i];
    t->layout.stride[i] = i == 0 ? 1 : i == 1 ? 2 * t->half : 2 * t->half * b->local[1];
    t->cells.stride[i] = (int)t->layout.stride[i];
  }
}

static int prepare(triad_staggered_gpu_slabs *t)
{
  const triad_partition *b = &t->f->blocks;
  const triad_staggered_setup *s = &t->f->setup;
  int64_t planes = numbers_of_planes(b, s), columns = numbers_of_columns(b, s);
  int unused;
  if (triad_staggered_waves_of(s, &t->line) != TRIAD_STAGGERED_FOURIER_WAVES)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "there is no transform of this box on GPUs");
  t->half = s->n[0] / 2 + 1;
  share_of(s, b->rank, b->size, &t->first_k, &t->own_k);
  TRIAD_TRY(triad_narrow(planes + columns, &unused)); /* kernels find their way by 32 bits */
  TRIAD_TRY(
    triad_device_alloc(t->f->device, "pressure's modes", planes + columns, sizeof *t->memory, (void **)&t->memory));
  t->columns = t->memory + planes;
  lay_out(t);
  if (t->line < 0 && triad_staggered_gpu_has_waves(s->n[2]))
    TRIAD_TRY(triad_staggered_gpu_twiddles(t->f->device, s->n[2], &t->twiddles));
  TRIAD_TRY(plan_all(t));
  if (t->line >= 0) TRIAD_TRY(make_lines(t));
  return triad_staggered_gpu_slabs_renew(t, s);
}

int triad_staggered_gpu_slabs_create(triad_staggered_gpu_slabs **out, triad_staggered_flow *f)
{
  triad_staggered_gpu_slabs *t = *out = calloc(1, sizeof *t);
  if (t) t->f = f; /* who destroys one that another rank has no memory for asks it */
  TRIAD_TRY(triad_agree(&f->context->comm, t ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure transform")));
  TRIAD_TRY(triad_agree(&f->context->comm, prepare(t)));
  TRIAD_TRY(make_exchange(t, 0, &t->forth));
  return make_exchange(t, 1, &t->back);
}

void triad_staggered_gpu_slabs_destroy(triad_staggered_gpu_slabs **slabs)
{
  triad_staggered_gpu_slabs *t = *slabs;
  if (!t) return;
  triad_device *device = t->f->device;
  triad_gpu_halo_destroy(&t->forth);
  triad_gpu_halo_destroy(&t->back);
  for (int i = 0; i < PLANS; i++)
    if (t->planned[i]) (void)cufftDestroy(t->plan[i]);
  for (int i = 0; i < 3; i++) triad_device_free(device, (void **)&t->value[i]);
  triad_device_free(device, &t->area);
  triad_device_free(device, (void **)&t->memory);
  triad_device_free(device, (void **)&t->upper);
  triad_device_free(device, (void **)&t->h);
  triad_device_free(device, (void **)&t->twiddles);
  free(t);
  *slabs = NULL;
}

/* Columns to the answer's. */
static int across(triad_staggered_gpu_slabs *t)
{
  void *stream = triad_device_stream(t->f->device);
  if (t->twiddles) return triad_staggered_gpu_divide_waves(&t->modes, t->twiddles, stream);
  if (t->line != 2) TRIAD_TRY(TRIAD_CUFFT(EXEC_ACROSS(t->plan[COLUMNS], t->columns, CUFFT_FORWARD)));
  TRIAD_TRY(t->line >= 0 ? triad_staggered_gpu_eliminate(&t->lines, stream)
                         : triad_staggered_gpu_divide(&t->modes, stream));
  return t->line != 2 ? TRIAD_CUFFT(EXEC_ACROSS(t->plan[COLUMNS], t->columns, CUFFT_INVERSE)) : TRIAD_OK;
}

int triad_staggered_gpu_slabs_solve(triad_staggered_gpu_slabs *t, triad_real *r, triad_real *z)
{
  const triad_staggered_gpu_solver *s = &t->f->gpu->solver;
  void *stream = triad_device_stream(t->f->device);
  TRIAD_TRY(triad_staggered_gpu_take(&t->vector, &t->cells, r, t->memory, stream));
  TRIAD_TRY(TRIAD_CUFFT(EXEC_FORWARD(t->plan[PLANES], t->memory)));
  exchange(t, t->forth);
  TRIAD_TRY(across(t));
  exchange(t, t->back);
  TRIAD_TRY(TRIAD_CUFFT(EXEC_BACKWARD(t->plan[PLANES_BACK], t->memory)));
  return triad_staggered_gpu_take(&t->layout, &s->cells, t->memory, z, stream);
}
