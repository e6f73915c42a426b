/* Measure the rates of a node for a machine file: 1-D transforms, steps, memory, messages, GPUs and the disk. */
#include "run/bench/machine.h"

#include "base/clock.h"
#include "fft/lines/line_rates.h"
#include "parallel/device.h"
#include "parallel/host/host_memory.h"
#include "run/bench/bench.h"
#include "run/bench/bench_measure.h"
#include "run/bench/plan.h"
#include "store/disk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  STEPS = 4,
  REPEATS = 5,
  POINTS = 1 << 22 /* that are stepped at least */,
  SIZES = 8,
  FIRST_SIZE = 1 << 10,
  TIMES = 20,
  LONG_TIMES = 4,
  FILE_BYTES = 64 << 20,
  MOST_PROBE = 128
};

/* The lengths where none are given, and the grids whose steps are taken. */
static const int64_t usual[] = {32, 48, 64, 96, 128, 192, 256, 384, 512};
static const int64_t grid_of_steps[] = {32, 48, 64, 96, 128};

static int (*const line_rates[])(triad_context *context, int64_t n, double ns[3]) = {triad_line_rates,
                                                                                     triadf_line_rates};

/* Rank 0 works by itself; the others sleep, since one that waits and spins would share clock and caches. */
static int others_wait(const triad_comm *comm, int status)
{
  MPI_Request done;
  int arrived = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Ibcast(&status, 1, MPI_INT, 0, comm->mpi, &done)));
  while (!arrived) {
    TRIAD_TRY(TRIAD_MPI(MPI_Test(&done, &arrived, MPI_STATUS_IGNORE)));
    if (!arrived) (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return status;
}

static int measure_lines(triad_context *alone, const triad_machine_options *o, triad_machine_rates *r)
{
  char text[96];
  int n = o->n_lengths > 0 ? o->n_lengths : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < n; i++) {
    int64_t length = o->n_lengths > 0 ? o->length[i] : usual[i];
    for (int p = 0; p < 2; p++) {
      double ns[3];
      TRIAD_TRY(line_rates[p](alone, length, ns));
      r->x[p].value[i] = ns[0];
      r->y[p].value[i] = ns[1];
      r->z[p].value[i] = ns[2];
      r->x[p].n = r->y[p].n = r->z[p].n = i + 1;
      (void)snprintf(text, sizeof text, "machine: lines of %" PRId64 " points, %.3g, %.3g, %.3g ns a point", length,
                     ns[0], ns[1], ns[2]);
      triad_log_progress(o->log, text, i + 1 == n && p == 1);
    }
    r->lengths.value[i] = (double)length;
    r->lengths.n = i + 1;
  }
  return TRIAD_OK;
}

/* The one family whose steps are counted. */
static const triad_solver *planned(void)
{
  const triad_solver *s;
  for (int i = 0; (s = triad_solver_family(i)); i++)
    if (s->plan) return s;
  return NULL;
}

static void append(triad_machine_list *list, double value) { list->value[list->n++] = value; }

/* Append the phases of a step on a CPU, per unit counted by a plan, to the lists `transpose` and `points` (products,
 * and the update of the modes). */
static void add_phases(const triad_plan *plan, const triad_bench_result *b, triad_machine_rates *r)
{
  double all = 0, ns;
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) all += b->phases.s[i];
  ns = 1e9 * b->processor_s / all; /* others on the machine take time from every phase alike */
  append(&r->transpose[plan->single], ns * b->phases.s[TRIAD_PHASE_TRANSPOSE] / plan->moved);
  append(&r->points[plan->single],
         ns * (b->phases.s[TRIAD_PHASE_POINTWISE] + b->phases.s[TRIAD_PHASE_REST]) / plan->values);
}

/* A step of the probe on n^3 points: its count, its time, the fastest of a few. */
static int probe(triad_context *alone, const triad_solver *solver, int64_t n, int single, int gpu, triad_plan *plan,
                 triad_bench_result *b)
{
  char grid[96];
  const char *sets[] = {grid, single ? "precision=single" : "precision=double", "parallel.threads=1",
                        gpu ? "parallel.device=gpu" : "parallel.device=cpu"};
  const triad_plan_ranks one = {.ranks = 1, .threads = 1, .gpu = gpu, .split = {1, 1}};
  const triad_bench_options steps = {.steps = (int)fmax(STEPS, (double)POINTS / (double)(n * n * n))};
  triad_case *given = NULL;
  triad_bench_result again;
  (void)snprintf(grid, sizeof grid, "grid.n=[%" PRId64 ",%" PRId64 ",%" PRId64 "]", n, n, n);
  int st = triad_case_parse(&given, "probe", solver->plan->probe, strlen(solver->plan->probe), sets,
                            sizeof sets / sizeof *sets);
  if (st == TRIAD_OK) st = triad_solver_find(&solver, given);
  if (st == TRIAD_OK) st = solver->plan->count(given, &one, plan);
  if (st == TRIAD_OK) st = triad_bench(alone, given, &steps, b);
  for (int i = 1; st == TRIAD_OK && i < REPEATS; i++) {
    st = triad_bench(alone, given, &steps, &again);
    if (st == TRIAD_OK && again.median_s < b->median_s) *b = again;
  }
  triad_case_destroy(&given);
  return st;
}

static int measure_steps(triad_context *alone, const triad_machine_options *o, triad_machine_rates *r)
{
  const triad_solver *solver = planned();
  char text[MOST_PROBE];
  int n = 1,
      all = (int)(sizeof grid_of_steps / sizeof *grid_of_steps); /* the first, and those whose lines were timed */
  while (n < all && (double)grid_of_steps[n] <= r->lengths.value[r->lengths.n - 1]) n++;
  for (int i = 0; solver && i < n; i++)
    for (int p = 0; p < 2; p++) {
      triad_plan plan;
      triad_bench_result b;
      TRIAD_TRY(probe(alone, solver, grid_of_steps[i], p, 0, &plan, &b));
      add_phases(&plan, &b, r);
      if (p == 0) append(&r->sets, plan.set_bytes);
      (void)snprintf(text, sizeof text, "machine: a step of %" PRId64 "^3 points, %.4g ms", grid_of_steps[i],
                     1e3 * b.median_s);
      triad_log_progress(o->log, text, i + 1 == n && p == 1);
    }
  return TRIAD_OK;
}

static int gpu_memory(int number, double *all)
{
  triad_device *device = NULL;
  int64_t available = 0, total = 0;
  TRIAD_TRY(triad_device_create(&device, number));
  int st = triad_device_memory(device, &available, &total);
  triad_device_destroy(&device);
  *all = (double)total;
  return st;
}

/* On a GPU kernels run one after the other: the time of a step is assigned to the axes in proportion to their bytes,
 * and products belong to x. */
static int measure_gpu(triad_context *alone, const triad_machine_options *o, triad_machine_rates *r)
{
  static const double weight[3] = {
    0.36, 1.17, 1}; /* of a real point along x, complex ones along y, z (docs/notebook/gpu-kernels.md) */
  static const int64_t grids[] = {64, 128, 256, 360, 512}; /* 360: lines with factors 3 and 5 take more a point */
  const triad_solver *solver = planned();
  TRIAD_TRY(gpu_memory(alone->gpu, &r->memory));
  for (int i = 0; solver && i < (int)(sizeof grids / sizeof *grids); i++) {
    append(&r->lengths, (double)grids[i]);
    for (int p = 0; p < 2; p++) {
      triad_plan plan;
      triad_bench_result b;
      double work = 0;
      TRIAD_TRY(probe(alone, solver, grids[i], p, 1, &plan, &b));
      r->copies = b.copy_bandwidth;
      for (int axis = 0; axis < 3; axis++) work += weight[axis] * plan.line_points[axis];
      double unit = 1e9 * fmax(b.median_s - plan.mode_bytes / r->copies, 0.1 * b.median_s) / work;
      append(&r->x[p], weight[0] * unit);
      append(&r->y[p], weight[1] * unit);
      append(&r->z[p], weight[2] * unit);
    }
  }
  triad_log_info(o->log, "the GPU copies %.0f GB/s", 1e-9 * r->copies);
  return TRIAD_OK;
}

/* Neighbours 2i, 2i + 1 send each other `bytes` at once: bytes/s out of the slowest. */
static int exchange_rate(const triad_comm *comm, char *out, char *in, int bytes, double *rate)
{
  int peer = comm->rank ^ 1, lots = bytes > 1 << 20 ? 2 : 16 + (1 << 16) / bytes;
  double best = INFINITY, slowest = 0;
  for (int i = 0; i < (bytes > 1 << 20 ? LONG_TIMES : TIMES); i++) {
    TRIAD_TRY(TRIAD_MPI(MPI_Barrier(comm->mpi)));
    double begin = triad_now(), took;
    for (int j = 0; peer < comm->size && j < lots; j++)
      TRIAD_TRY(TRIAD_MPI(
        MPI_Sendrecv(out, bytes, MPI_BYTE, peer, 0, in, bytes, MPI_BYTE, peer, 0, comm->mpi, MPI_STATUS_IGNORE)));
    took = triad_now() - begin;
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm->mpi)));
    best = fmin(best, slowest);
  }
  *rate = (double)bytes * lots / best;
  return TRIAD_OK;
}

static int measure_messages(triad_context *context, triad_machine_rates *r)
{
  triad_memory *m = context->memory;
  char *out = NULL, *in = NULL;
  int64_t most = (int64_t)FIRST_SIZE << (2 * (SIZES - 1));
  int st = TRIAD_ALLOC(m, "messages", most, &out);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "messages", most, &in);
  st = triad_agree(&context->comm, st);
  for (int i = 0; st == TRIAD_OK && i < SIZES; i++) {
    double rate = 0;
    int bytes = FIRST_SIZE << (2 * i);
    st = exchange_rate(&context->comm, out, in, bytes, &rate);
    append(&r->sizes, (double)bytes);
    append(&r->rates, rate);
  }
  TRIAD_FREE(m, &out);
  TRIAD_FREE(m, &in);
  return st;
}

/* A file with a sync, which is gone afterwards. */
static int measure_disk(triad_context *alone, const char *folder, double *rate)
{
  char path[TRIAD_PATH], *data = NULL;
  int fd = -1;
  TRIAD_TRY(triad_disk_path(path, "%s/.triad-machine-%ld", folder, (long)getpid()));
  TRIAD_TRY(TRIAD_ALLOC(alone->memory, "a file", FILE_BYTES, &data));
  memset(data, 1, FILE_BYTES); /* some disks take zeros for nothing */
  double begin = triad_now();
  int st = triad_disk_create(path, &fd);
  if (st == TRIAD_OK) st = triad_disk_write(fd, path, data, FILE_BYTES, 0);
  if (st == TRIAD_OK) st = triad_disk_sync(fd, path);
  *rate = FILE_BYTES / (triad_now() - begin);
  (void)triad_disk_close(&fd, path);
  int gone = triad_disk_remove(path);
  TRIAD_FREE(alone->memory, &data);
  return st == TRIAD_OK ? gone : st;
}

static int measure_alone(triad_context *alone, const triad_machine_options *o, triad_machine *m)
{
  TRIAD_TRY(triad_bench_copies(alone, &m->core.copies));
  TRIAD_TRY(measure_lines(alone, o, &m->core));
  TRIAD_TRY(measure_steps(alone, o, &m->core));
  if (o->gpu) TRIAD_TRY(measure_gpu(alone, o, &m->gpu));
  return measure_disk(alone, o->folder, &m->write);
}

int triad_machine_measure(triad_context *context, const triad_machine_options *o, triad_machine *m)
{
  triad_context *alone = NULL;
  const triad_comm *comm = &context->comm;
  triad_host_memory room;
  TRIAD_TRY(triad_host_memory_measure(&room, comm));
  m->core.memory = (double)room.total; /* 0: the system does not provide it */
  TRIAD_TRY(triad_bench_copies(context, &m->core.copies_all));
  int st = triad_agree(comm, triad_context_create(&alone, MPI_COMM_SELF, 1));
  if (st == TRIAD_OK && alone) alone->gpu = context->gpu;
  if (st == TRIAD_OK) st = others_wait(comm, comm->rank == 0 ? measure_alone(alone, o, m) : TRIAD_OK);
  triad_context_destroy(&alone);
  if (st == TRIAD_OK && comm->size > 1) st = measure_messages(context, &m->core);
  if (st == TRIAD_OK && comm->size == 1)
    triad_log_info(o->log, "one rank only: messages between ranks of a node require two, mpirun -n 2");
  return st;
}
