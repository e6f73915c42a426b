/* Take slices of a run at their interval, and write files and pictures in a thread while the next steps run. */
#include "solvers/spectral/measure/slices.h"
#include "parallel/host/spare.h"
#include "base/locale.h"
#include "base/clock.h"
#include "parallel/fibers.h"
#include "solvers/slice_list.h"
#include "store/formats/slicefile.h"
#include "solvers/spectral/measure/pressure.h"
#include "solvers/spectral/plain/quantity.h"
#include "solvers/spectral/plain/slice_image.h"
#include "solvers/spectral/measure/slice_sums.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct triad_slices {
  triad_flow *flow;
  triad_grid grid; /* of the pictures */
  triad_log *log;
  int n, times;
  double first, held, busy; /* when the first were taken; seconds that steps waited; of the thread's own work */
  triad_slice slice[TRIAD_SLICES];
  triad_slice_image *image[TRIAD_SLICES]; /* on rank 0 */
  triad_slice_plane plane[TRIAD_SLICES];
  triad_slice_sources sources[TRIAD_SLICES];
  int64_t *mine; /* this rank's sums of a plane */
  double *phases;
  /* on rank 0, for the thread while it runs */
  int64_t *sums[TRIAD_SLICES];
  double units[TRIAD_SLICES][TRIAD_SLICE_SOURCES], *values[TRIAD_SLICE_MOST_QUANTITIES];
  unsigned char *pixels;
  const char *run_dir;
  triad_notes *notes; /* a copy: the caller's may be gone before the thread is done */
  int64_t step;
  double t, skew; /* of the modes then */
  pthread_t thread;
  cpu_set_t cpus; /* all that this rank's threads may run on */
  int spare;      /* is one of them free while steps run? */
  double taken;   /* of busy, since triad_slices_taken: what the thread took from the cores of steps */
  int running, status;
  double worked; /* the thread's processor time, set when it ends */
};

/* The flow's modes on the points that pictures have: output.slices_points along the longest axis, in proportion
 * along the others, never fewer than the flow's. */
static triad_grid grid_of_pictures(const triad_case *given, const triad_grid *grid)
{
  triad_grid out = *grid;
  int64_t most = 1, points = triad_case_integer(given, "output.slices_points");
  for (int i = 0; i < 3; i++) most = grid->n[i] > most ? grid->n[i] : most;
  for (int i = 0; i < 3 && points > most; i++)
    if (grid->n[i] > 1) out.n[i] = (grid->n[i] * points + most - 1) / most;
  return out;
}

int triad_slices_check(const triad_case *given, const triad_shape *shape)
{
  triad_slice list[TRIAD_SLICES];
  triad_slice_sources sources;
  int n = 0;
  TRIAD_TRY(triad_slice_list_read(given, list, &n));
  for (int i = 0; i < n; i++) TRIAD_TRY(triad_slice_sources_of(shape, &list[i], &sources));
  return TRIAD_OK;
}

int64_t triad_slices_bytes(const triad_case *given, const triad_grid *grid)
{
  triad_slice list[TRIAD_SLICES];
  triad_axis axis[3];
  int n = 0;
  const triad_grid pictures = grid_of_pictures(given, grid);
  triad_axes_of_grid(axis, &pictures);
  return triad_slice_list_read(given, list, &n) == TRIAD_OK ? triad_slice_list_bytes(list, n, axis) : 0;
}

int64_t triad_slices_memory(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  triad_slice list[TRIAD_SLICES];
  triad_axis axis[3];
  int n = 0;
  int64_t bytes = 0, most = 0;
  const triad_grid pictures = grid_of_pictures(given, grid);
  triad_axes_of_grid(axis, &pictures);
  if (triad_slice_list_read(given, list, &n) != TRIAD_OK) return 0;
  for (int i = 0; i < n; i++) {
    triad_slice_sources sources;
    triad_slice_plane p = triad_slice_plane_make(grid, list[i].axis, list[i].at);
    if (triad_slice_sources_of(shape, &list[i], &sources) != TRIAD_OK) return 0;
    int64_t points = triad_slice_points(&list[i], axis), sum = 2 * sources.n * p.size * (int64_t)sizeof(int64_t);
    bytes += sum + points * (int64_t)(sizeof(fftw_complex) + 2 * sizeof(double));
    int64_t work = sum + list[i].n * points * (int64_t)sizeof(double) + triad_slice_list_most(&list[i], 1, axis).pixels;
    most = work > most ? work : most;
  }
  return bytes + most;
}

int64_t triad_slices_pressure(const triad_case *given, const triad_layout *l)
{
  triad_slice list[TRIAD_SLICES];
  int n = 0, shown = triad_slice_list_read(given, list, &n) == TRIAD_OK && triad_slice_shows_pressure(list, n);
  return shown ? l->modes * (int64_t)sizeof(triad_cplx) : 0;
}

/* ---- create, destroy ---- */

/* The thread may go wherever this rank's OpenMP threads are, not only where the one that makes it is bound. */
static void gather_cpus(cpu_set_t *all, int threads)
{
  CPU_ZERO(all);
#pragma omp parallel num_threads(threads)
  {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) == 0) {
#pragma omp critical(triad_slices_cpus)
      CPU_OR(all, all, &mine);
    }
  }
}

/* Steps on a GPU leave all cores free. */
static int find_spare(triad_slices *s)
{
  const triad_context *context = s->flow->context;
  double spare = 0;
  gather_cpus(&s->cpus, context->threads);
  TRIAD_TRY(triad_spare_cores(&context->comm, &s->cpus, context->threads, &spare));
  s->spare = s->flow->device || spare >= 1;
  return TRIAD_OK;
}

static int take_for_files(triad_slices *s, const triad_shape *shape, triad_memory *memory)
{
  const triad_grid *g = &s->grid;
  triad_axis axis[3];
  triad_axes_of_grid(axis, g);
  const triad_slice_most most = triad_slice_list_most(s->slice, s->n, axis);
  for (int i = 0; i < s->n; i++) {
    TRIAD_TRY(triad_slice_image_create(&s->image[i], memory, g, shape, &s->slice[i]));
    TRIAD_TRY(TRIAD_ALLOC(memory, "slices", 2 * s->plane[i].size * s->sources[i].n, &s->sums[i]));
  }
  for (int i = 0; i < most.quantities; i++) TRIAD_TRY(TRIAD_ALLOC(memory, "slices", most.points, &s->values[i]));
  return TRIAD_ALLOC(memory, "slices", most.pixels, &s->pixels);
}

static int create_own(triad_slices *s)
{
  triad_flow *flow = s->flow;
  triad_memory *memory = flow->context->memory;
  int64_t most = 0, k = 0;
  TRIAD_TRY(triad_slice_list_read(flow->given, s->slice, &s->n));
  if (triad_slice_shows_pressure(s->slice, s->n))
    TRIAD_TRY(TRIAD_ALLOC(memory, "pressure", flow->layout->modes, &flow->pressure));
  for (int i = 0; i < s->n; i++) {
    s->plane[i] = triad_slice_plane_make(&flow->grid, s->slice[i].axis, s->slice[i].at);
    TRIAD_TRY(triad_slice_sources_of(&flow->shape, &s->slice[i], &s->sources[i]));
    int64_t numbers = 2 * s->plane[i].size * s->sources[i].n;
    most = numbers > most ? numbers : most;
  }
  for (int axis = 0; axis < 3; axis++) k = flow->grid.kmax[axis] > k ? flow->grid.kmax[axis] : k;
  TRIAD_TRY(TRIAD_ALLOC(memory, "slices", most, &s->mine));
  TRIAD_TRY(TRIAD_ALLOC(memory, "slices", 2 * (2 * k + 1), &s->phases));
  return flow->context->comm.rank == 0 ? take_for_files(s, &flow->shape, memory) : TRIAD_OK;
}

int triad_slices_create(triad_slices **out, triad_flow *flow)
{
  *out = NULL;
  if (!triad_slice_list_wanted(flow->given)) return TRIAD_OK;
  int st = TRIAD_ALLOC(flow->context->memory, "slices", 1, out);
  if (st == TRIAD_OK) {
    (*out)->flow = flow;
    (*out)->grid = grid_of_pictures(flow->given, &flow->grid);
    st = create_own(*out);
  }
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) st = find_spare(*out);
  if (st != TRIAD_OK) triad_slices_destroy(out);
  return st;
}

static void join(triad_slices *s)
{
  if (!s->running) return;
  (void)pthread_join(s->thread, NULL);
  s->running = 0;
  s->busy += s->worked;
  if (!s->spare) s->taken += s->worked;
}

void triad_slices_destroy(triad_slices **slices)
{
  triad_slices *s = *slices;
  if (!s) return;
  triad_memory *memory = s->flow->context->memory;
  join(s);
  if (s->times > 1) /* nothing to log if there are only those of the end */
    triad_log_info(s->log,
                   "slices: %d plane%s at each of %d times; steps waited for them %.3g s, %.2f %% of %.4g s; %.3g s of "
                   "work were done meanwhile, %s",
                   s->n, s->n == 1 ? "" : "s", s->times, s->held, 100 * s->held / (triad_now() - s->first),
                   triad_now() - s->first, s->busy,
                   s->spare ? "on cores that steps leave free" : "on cores of the steps, which it delayed by as much");
  triad_notes_destroy(&s->notes);
  TRIAD_FREE(memory, &s->pixels);
  for (int i = 0; i < TRIAD_SLICE_MOST_QUANTITIES; i++) TRIAD_FREE(memory, &s->values[i]);
  for (int i = 0; i < s->n; i++) {
    TRIAD_FREE(memory, &s->sums[i]);
    triad_slice_image_destroy(&s->image[i], memory);
  }
  TRIAD_FREE(memory, &s->phases);
  TRIAD_FREE(memory, &s->flow->pressure);
  TRIAD_FREE(memory, &s->mine);
  TRIAD_FREE(memory, slices);
}

void triad_slices_log(triad_slices *s, triad_log *log)
{
  if (s) s->log = log;
}

/* ---- files, on rank 0 ---- */

/* Values of a quantity of the case's own: those that are not finite, and the first of them in the order of the file. */
static void warn_of_values(const triad_slices *s, int i, const triad_slice_quantity *q, const double *values)
{
  if (triad_quantity_way_of(q->kind) != TRIAD_QUANTITY_OF_FORMULA) return;
  const triad_slice_image *m = s->image[i];
  triad_own_bad bad = {.all = m->n[0] * m->n[1]};
  int64_t first = -1;
  for (int64_t x = bad.all - 1; x >= 0; x--) {
    if (isfinite(values[x])) continue;
    bad.count++;
    first = x;
  }
  if (bad.count == 0) return;
  const int64_t place[2] = {first / m->n[1], first % m->n[1]};
  bad.is_nan = isnan(values[first]);
  bad.at[m->plane.axis] = m->plane.at;
  for (int a = 0; a < 2; a++)
    bad.at[m->plane.across[a]] = triad_grid_spacing(m->grid, m->plane.across[a]) * (double)place[a];
  (void)snprintf(bad.where, sizeof bad.where, "slice %d", i + 1);
  triad_own_quantity_warn(&s->flow->shape.own[q->component], TRIAD_QUANTITY_IN_SLICES, s->log, &bad, s->step, s->t);
}

static int make_files(triad_slices *s)
{
  triad_axis axis[3];
  triad_axes_of_grid(axis, &s->grid);
  for (int i = 0; i < s->n; i++) {
    const triad_slice_file file = {.run_dir = s->run_dir,
                                   .number = i + 1,
                                   .step = s->step,
                                   .t = s->t,
                                   .axis = axis,
                                   .slice = &s->slice[i],
                                   .notes = s->notes,
                                   .values = s->values,
                                   .pixels = s->pixels};
    s->image[i]->skew = s->skew;
    for (int q = 0; q < s->slice[i].n; q++) {
      triad_slice_image_values(s->image[i], &s->slice[i].quantity[q], s->sums[i], s->units[i], s->values[q]);
      warn_of_values(s, i, &s->slice[i].quantity[q], s->values[q]);
    }
    TRIAD_TRY(triad_slice_file_write(&file));
  }
  return TRIAD_OK;
}

static void *work(void *self)
{
  TRIAD_PLAIN_TEXT;
  triad_slices *s = self;
  /* As important as the threads of the steps, which wait for this one at the next slices: with a lower priority it
   * would starve on a node that others use. A batch thread does not interrupt a step when it wakes up. */
  const struct sched_param none = {0};
  (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
  struct timespec used = {0, 0};
  s->status = make_files(s);
  s->worked =
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0 ? (double)used.tv_sec + 1e-9 * (double)used.tv_nsec : 0;
  return NULL;
}

/* Beside the steps to come, or at once where there can be no thread; also where other runs of this process may be
 * about to call HDF5, which is for one thread at a time. */
static void start(triad_slices *s)
{
  pthread_attr_t attributes;
  int good = !triad_fibers_inside() && pthread_attr_init(&attributes) == 0;
  if (good) {
    (void)pthread_attr_setaffinity_np(&attributes, sizeof s->cpus, &s->cpus);
    s->running = pthread_create(&s->thread, &attributes, work, s) == 0;
    (void)pthread_attr_destroy(&attributes);
  }
  if (!s->running) s->status = make_files(s);
}

/* ---- sums, on all ranks ---- */

static int take_sums(triad_slices *s)
{
  triad_flow *flow = s->flow;
  const triad_comm *comm = &flow->context->comm;
  double scale[flow->shape.n_fields + 1];
  if (flow->pressure) TRIAD_TRY(triad_pressure(flow, flow->pressure));
  TRIAD_TRY(triad_slice_scales(flow, scale));
  for (int i = 0; i < s->n; i++) {
    int count = 0;
    triad_slice_sums(flow, &s->plane[i], &s->sources[i], scale, s->phases, s->mine, s->units[i]);
    TRIAD_TRY(triad_narrow(2 * s->plane[i].size * s->sources[i].n, &count));
    TRIAD_TRY(TRIAD_MPI(MPI_Reduce(s->mine, s->sums[i], count, MPI_INT64_T, MPI_SUM, 0, comm->mpi)));
  }
  return TRIAD_OK;
}

/* With the skew of leaning modes: planes z = c are then not periodic along y. */
static int copy_notes(triad_slices *s, const triad_notes *notes)
{
  const double skew = triad_layout_skew(s->flow->layout);
  triad_notes_destroy(&s->notes);
  TRIAD_TRY(triad_notes_copy(&s->notes, notes));
  return skew != 0 ? triad_notes_set_real(s->notes, TRIAD_NOTE_SKEW, skew) : TRIAD_OK;
}

double triad_slices_taken(triad_slices *s)
{
  const double taken = s ? s->taken : 0;
  if (s) s->taken = 0;
  return taken;
}

int triad_slices_wait(triad_slices *s)
{
  if (!s) return TRIAD_OK;
  double begin = triad_now();
  join(s);
  int st = s->status;
  s->status = TRIAD_OK;
  st = triad_agree(&s->flow->context->comm, st);
  s->held += triad_now() - begin;
  return st;
}

int triad_slices_write(triad_slices *s, const char *run_dir, const triad_notes *notes)
{
  if (!s) return TRIAD_OK;
  TRIAD_TRY(triad_slices_wait(s));
  double begin = triad_now();
  if (s->times++ == 0) s->first = begin;
  int st = take_sums(s);
  if (st == TRIAD_OK && s->flow->context->comm.rank == 0) st = copy_notes(s, notes);
  st = triad_agree(&s->flow->context->comm, st);
  if (st == TRIAD_OK && s->flow->context->comm.rank == 0) {
    s->run_dir = run_dir;
    s->step = s->flow->at.step;
    s->t = s->flow->at.t;
    s->skew = s->flow->layout->skew;
    start(s);
  }
  s->held += triad_now() - begin;
  return st;
}
