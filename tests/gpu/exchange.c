/* Times passes of the hd set on several GPUs, and their exchange alone, by transport and number of chunks in flight. On
 * random modes, without the program around it, so that a row takes a second or two. By hand:
 *
 *   mpicc -std=gnu17 -O2 -fopenmp -Isrc -I. -DTRIAD_CUDA -isystem /usr/local/cuda/include -o build/exchange \
 *     tests/gpu/exchange.c build/libtriad.a $(make -s print-config CUDA=1 | sed -n s/^LIBS//p)
 *   mpirun -n 4 build/exchange 1024 1024 1024 put:8 put:4 nccl:4 ipc:8
 *
 * pass: z, exchange, y, x with products, y, exchange, z; median of ROUNDS, the slowest rank's, alone and of four one
 * after the other. exchange: the same messages with no transform between. */
#include "fft/gpu/gpu_pass.h"
#include "parallel/context.h"
#include "parallel/cuda.h"
#include "solvers/spectral/equations/velocity_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, N_IN = 3, N_OUT = 5, PASSES = 4, BLOCK = 64 << 20, STREAMS = 64 };

extern triad_gpu_visit triad_gpu_visit_velocity;

typedef struct bench {
  triad_context *context;
  triad_device *device;
  triad_layout *layout;
  triad_cplx *in[N_IN];
  triad_gpu_pass *pass;
  triad_gpu_exchange *exchange;
  cudaStream_t streams[STREAMS];
  cudaEvent_t event;
} bench;

static void must(int status)
{
  if (status == TRIAD_OK) return;
  triad_message_print(-1);
  (void)MPI_Abort(MPI_COMM_WORLD, status);
}

static int compare(const void *a, const void *b)
{
  double d = *(const double *)a - *(const double *)b;
  return d < 0 ? -1 : d > 0;
}

/* Random numbers: zeros would draw less power, and run faster. */
static void fill(bench *b)
{
  double *block = malloc(BLOCK);
  size_t bytes = (size_t)b->layout->modes * sizeof(triad_cplx);
  for (size_t i = 0; i < BLOCK / sizeof *block; i++) block[i] = 1e-3 * ((double)rand() / RAND_MAX - 0.5);
  for (int f = 0; f < N_IN; f++) {
    must(triad_device_alloc(b->device, "inputs", b->layout->modes, sizeof(triad_cplx), (void **)&b->in[f]));
    for (size_t at = 0; at < bytes; at += BLOCK)
      must(
        triad_device_put(b->device, (char *)b->in[f] + at, block, (int64_t)(bytes - at < BLOCK ? bytes - at : BLOCK)));
  }
  free(block);
}

static void run_passes(bench *b, int n)
{
  triad_velocity_constants law = {.per_spacing = {1, 1, 1}};
  triad_gpu_job job = {.n_in = N_IN,
                       .n_out = N_OUT,
                       .in = (const triad_cplx *const *)b->in,
                       .visit = triad_gpu_visit_velocity,
                       .law = &law};
  for (int i = 0; i < n; i++) must(triad_gpu_pass_run(b->pass, &job));
}

static void run_exchange(bench *b, int n)
{
  void *main = triad_device_stream(b->device);
  triad_gpu_chunks c = triad_gpu_exchange_chunks(b->exchange);
  (void)n;
  triad_gpu_exchange_fields(b->exchange, N_IN, N_OUT);
  triad_gpu_exchange_begin(b->exchange, main);
  for (int64_t i = 0; i < c.count; i++) {
    triad_gpu_exchange_wait(b->exchange, i, b->streams[i % c.depth]);
    triad_gpu_exchange_send(b->exchange, i, b->streams[i % c.depth]);
  }
  for (int i = 0; i < c.depth; i++) {
    must(TRIAD_CU(cudaEventRecord(b->event, b->streams[i])));
    must(TRIAD_CU(cudaStreamWaitEvent(main, b->event, 0)));
  }
  triad_gpu_exchange_end(b->exchange, main);
}

static double median_of(bench *b, void (*what)(bench *, int), int n)
{
  double t[ROUNDS];
  for (int i = -2; i < ROUNDS; i++) {
    must(TRIAD_CU(cudaDeviceSynchronize()));
    (void)MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), all = 0;
    what(b, n);
    must(TRIAD_CU(cudaDeviceSynchronize()));
    double mine = (MPI_Wtime() - begin) / n;
    (void)MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (i >= 0) t[i] = all;
  }
  qsort(t, ROUNDS, sizeof *t, compare);
  return t[ROUNDS / 2];
}

static void time_one(bench *b, const char *word)
{
  char name[16] = "";
  int depth = 0;
  (void)sscanf(word, "%15[^:]:%d", name, &depth);
  triad_gpu_pass_options pass = {.nstreams = depth, .transport = name};
  triad_gpu_exchange_options exchange = {.nstreams = depth, .transport = name};
  must(triad_gpu_pass_create(&b->pass, b->context, b->device, b->layout, N_IN, N_OUT, 0, &pass));
  double one = median_of(b, run_passes, 1), some = median_of(b, run_passes, PASSES);
  triad_gpu_chunks c = triad_gpu_pass_chunks(b->pass);
  double sent = (double)triad_gpu_pass_sent(b->pass);
  triad_gpu_pass_destroy(&b->pass);
  must(triad_gpu_exchange_create(&b->exchange, b->context, b->device, b->layout, N_IN, N_OUT, &exchange));
  double alone = median_of(b, run_exchange, 1);
  triad_gpu_exchange_destroy(&b->exchange);
  if (b->context->comm.rank == 0)
    printf("%-8s %9d %7lld %7lld %10.3f %10.3f %10.3f %8.1f\n", name, c.depth, (long long)c.count, (long long)c.planes,
           1e3 * one, 1e3 * some, 1e3 * alone, 1e-9 * sent / alone);
}

int main(int argc, char **argv)
{
  bench b = {0};
  int64_t n[3];
  const double length[3] = {1, 1, 1};
  triad_grid grid;
  (void)MPI_Init(&argc, &argv);
  if (argc < 5 || triad_device_count() == 0)
    return fprintf(stderr, "usage: exchange NX NY NZ TRANSPORT:NSTREAMS...\n"), 64;
  must(triad_context_create(&b.context, MPI_COMM_WORLD, 1));
  must(triad_device_create(&b.device, b.context->comm.rank % triad_device_count()));
  for (int i = 0; i < 3; i++) n[i] = atoll(argv[1 + i]);
  must(triad_grid_init(&grid, n, length, TRIAD_SPHERE));
  must(triad_gpu_layout_create(&b.layout, &grid, b.context->comm.rank, b.context->comm.size, 1));
  for (int i = 0; i < STREAMS; i++) must(TRIAD_CU(cudaStreamCreateWithFlags(&b.streams[i], cudaStreamNonBlocking)));
  must(TRIAD_CU(cudaEventCreateWithFlags(&b.event, cudaEventDisableTiming)));
  fill(&b);
  if (b.context->comm.rank == 0)
    printf("%-8s %9s %7s %7s %10s %10s %10s %8s\n", "", "in flight", "chunks", "planes", "pass [ms]", "of four",
           "exchange", "GB/s");
  for (int i = 4; i < argc; i++) time_one(&b, argv[i]);
  for (int f = 0; f < N_IN; f++) triad_device_free(b.device, (void **)&b.in[f]);
  triad_layout_destroy(&b.layout);
  triad_device_destroy(&b.device);
  triad_context_destroy(&b.context);
  return MPI_Finalize();
}
