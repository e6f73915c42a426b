/* Map one allocation of each rank on all ranks: the vectors r and z, buffers of sums, and the number of the last
 * exchange. */
#include "solvers/staggered/gpu/gpu_windows.h"
#include "solvers/staggered/gpu/gpu_internal.h"

#include "parallel/cuda.h"
#include "parallel/transports/messages.h"
#include "parallel/transports/transport.h"
#include "parallel/transports/windows.h"

#include <stdlib.h>
#include <string.h>

/* Messages are apart from it; they have to go by something else than stores. */
static int is_put(const char *transport) { return strcmp(transport, "put") == 0; }

const char *triad_staggered_gpu_carrier(const char *transport) { return is_put(transport) ? "ipc" : transport; }

/* ---- places in it, in bytes ---- */

enum { ALIGNED = 256 };

static int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

static int64_t vector_bytes(const triad_partition *b)
{
  return round_up(triad_staggered_gpu_vector_size(b) * (int64_t)sizeof(triad_real), ALIGNED);
}

static int64_t boxes_at(const triad_partition *b, const triad_staggered_setup *s)
{
  return vector_bytes(b) * (1 + (s->pressure != TRIAD_STAGGERED_CG));
}

static int64_t number_at(const triad_partition *b, const triad_staggered_setup *s)
{
  return boxes_at(b, s) + 2 * b->size * TRIAD_STAGGERED_GPU_WORDS * (int64_t)sizeof(unsigned long long);
}

static int64_t all_bytes(const triad_partition *b, const triad_staggered_setup *s)
{
  return round_up(number_at(b, s) + ALIGNED, TRIAD_GPU_WINDOW_PIECE);
}

int64_t triad_staggered_gpu_windows_bytes(const triad_partition *b, const triad_staggered_setup *s)
{
  int64_t vectors = 1 + (s->pressure != TRIAD_STAGGERED_CG);
  if (b->size == 1) return 0;
  return all_bytes(b, s) - vectors * triad_staggered_gpu_vector_size(b) * (int64_t)sizeof(triad_real);
}

/* ---- this rank's window, and those of its peers ---- */

static int choose(triad_staggered_flow *f, const char *transport)
{
  triad_staggered_gpu_windows *w = &f->gpu->windows;
  triad_transport unused;
  if (f->blocks.size == 1) return TRIAD_OK;
  w->meets = is_put(transport);
  /* of several nodes it is none */
  if (w->meets) return triad_transport_choose(&unused, transport, f->context, f->device);
  if (strcmp(transport, "auto") != 0 || f->setup.overlap == TRIAD_STAGGERED_OVERLAP_OFF) return TRIAD_OK;
  return triad_transport_meets(&w->meets, f->context, f->device);
}

static int allocate_window(triad_staggered_flow *f)
{
  triad_staggered_gpu_windows *w = &f->gpu->windows;
  size_t ranks = (size_t)f->blocks.size;
  w->there = calloc(ranks, sizeof *w->there);
  w->ranks = calloc(ranks, sizeof *w->ranks);
  if (!w->there || !w->ranks) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "windows of %d ranks", f->blocks.size);
  for (int r = 0; r < f->blocks.size; r++) w->ranks[r] = r;
  TRIAD_TRY(triad_device_alloc(f->device, "pressure", all_bytes(&f->blocks, &f->setup), 1, (void **)&w->mine));
  return triad_device_wait(f->device); /* it is 0 before others see it */
}

/* As rank r has it. */
static char *window_of(const triad_staggered_flow *f, int r)
{
  return r == f->blocks.rank ? f->gpu->windows.mine : f->gpu->windows.there[r];
}

static int put_boxes(triad_staggered_flow *f)
{
  triad_staggered_gpu_windows *w = &f->gpu->windows;
  unsigned long long **box = calloc((size_t)f->blocks.size, sizeof *box);
  if (!box) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "boxes of %d ranks", f->blocks.size);
  for (int r = 0; r < f->blocks.size; r++) {
    const triad_partition b = triad_partition_divided(&f->blocks, r);
    box[r] = (unsigned long long *)(void *)(window_of(f, r) + boxes_at(&b, &f->setup));
  }
  int st = triad_device_table(f->device, "boxes for sums", f->blocks.size, sizeof *box, box, (void **)&w->boxes);
  free(box);
  return st;
}

int triad_staggered_gpu_windows_make(triad_staggered_flow *f, const char *transport)
{
  triad_staggered_gpu_windows *w = &f->gpu->windows;
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(choose(f, transport));
  if (!w->meets) return TRIAD_OK;
  int st = triad_agree(&f->context->comm, allocate_window(f));
  w->meets = st == TRIAD_OK; /* nobody has opened what one has not */
  TRIAD_TRY(st);
  TRIAD_TRY(triad_gpu_windows_open(w->there, &f->context->comm, w->mine, w->ranks, f->blocks.size));
  s->r = (triad_real *)(void *)w->mine;
  if (f->setup.pressure != TRIAD_STAGGERED_CG) s->z = (triad_real *)(void *)(w->mine + vector_bytes(&f->blocks));
  return triad_agree(&f->context->comm, put_boxes(f));
}

void triad_staggered_gpu_windows_drop(triad_staggered_flow *f)
{
  triad_staggered_gpu_windows *w = &f->gpu->windows;
  if (w->meets) { /* no other may store here when it goes */
    (void)cudaDeviceSynchronize();
    (void)MPI_Barrier(f->context->comm.mpi);
    triad_gpu_windows_close(w->there, f->blocks.size);
    (void)MPI_Barrier(f->context->comm.mpi);
  }
  if (w->mine) f->gpu->solver.r = f->gpu->solver.z = NULL;
  triad_device_free(f->device, (void **)&w->boxes);
  triad_device_free(f->device, (void **)&w->mine);
  free(w->there);
  free(w->ranks);
  *w = (triad_staggered_gpu_windows){0};
}

/* ---- as kernels have it ---- */

triad_staggered_gpu_meeting triad_staggered_gpu_windows_meeting(const triad_staggered_flow *f)
{
  const triad_staggered_gpu_windows *w = &f->gpu->windows;
  if (!w->meets) return (triad_staggered_gpu_meeting){0};
  return (triad_staggered_gpu_meeting){.ranks = f->blocks.size,
                                       .rank = f->blocks.rank,
                                       .number = (unsigned *)(void *)(w->mine + number_at(&f->blocks, &f->setup)),
                                       .box = (unsigned long long *)(void *)(w->mine + boxes_at(&f->blocks, &f->setup)),
                                       .boxes = w->boxes};
}

triad_staggered_gpu_others triad_staggered_gpu_windows_others(const triad_staggered_flow *f)
{
  const triad_partition b = triad_partition_divided(&f->blocks, f->blocks.rank);
  triad_staggered_gpu_others others = {.sends = f->gpu->windows.meets};
  for (int end = 0; end < TRIAD_STAGGERED_GPU_ENDS; end++) {
    const int axis = end / 2, upper = end % 2, q = b.neighbour[axis][upper];
    if (q == TRIAD_NO_NEIGHBOUR) continue;
    others.beside |= upper ? TRIAD_STAGGERED_UPPER(axis) : TRIAD_STAGGERED_LOWER(axis);
    if (!others.sends) continue;
    const triad_partition there = triad_partition_divided(&f->blocks, q);
    for (int i = 0; i < 3; i++) others.stride[end][i] = i == axis ? 0 : (int)there.stride[i];
    for (int v = 0; v < TRIAD_STAGGERED_GPU_SENT; v++)
      others.there[v][end] = (triad_real *)(void *)(window_of(f, q) + v * vector_bytes(&there)) + there.origin +
                             (upper ? -1 : there.local[axis]) * there.stride[axis];
  }
  return others;
}
