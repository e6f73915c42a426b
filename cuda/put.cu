/* Messages by stores into other GPUs' memory (transpose/gpu_put.h). Two kernels: from compute capability 9 on a single
 * thread of a block moves pieces through shared memory by bulk copies, so that few blocks, which take the place of those
 * that transform, keep the links busy; elsewhere threads carry words of 16 bytes in registers. */
#include "fft/device_launch.h"
#include "transpose/gpu_put.h"

enum { THREADS = 512, EACH = 8, STAGES = 6, PIECE = 16 << 10 };

/* Block x of message y: pieces of THREADS * EACH words, dealt in turn; EACH loads are under way before the first store. */
static __global__ void __launch_bounds__(THREADS) put_words(triad_gpu_parcels parcels)
{
  const triad_gpu_parcel p = parcels.of[blockIdx.y];
  const int4 *from = (const int4 *)p.from;
  int4 *to = (int4 *)p.to;
  const int64_t words = p.count * (int64_t)sizeof(dcplx) / 16, step = (int64_t)gridDim.x * THREADS * EACH;
  for (int64_t piece = (int64_t)blockIdx.x * THREADS * EACH; piece < words; piece += step) {
    int64_t i = piece + threadIdx.x;
    int4 v[EACH];
#pragma unroll
    for (int m = 0; m < EACH; m++)
      if (i + m * THREADS < words) v[m] = __ldcs(from + i + m * THREADS);
#pragma unroll
    for (int m = 0; m < EACH; m++)
      if (i + m * THREADS < words) to[i + m * THREADS] = v[m];
  }
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
static __device__ __forceinline__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* Begin to read a piece; `arrived` completes a phase when it is there. */
static __device__ __forceinline__ void fetch(void *stage, const char *from, unsigned bytes, uint64_t *arrived)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(arrived)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(stage)),
               "l"(from), "r"(bytes), "r"(shared_address(arrived))
               : "memory");
}

static __device__ __forceinline__ void wait_for(uint64_t *arrived, unsigned phase)
{
  unsigned done = 0;
  while (!done)
    asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}\n"
                 : "=r"(done)
                 : "r"(shared_address(arrived)), "r"(phase)
                 : "memory");
}

static __device__ __forceinline__ void store(char *to, const void *stage, unsigned bytes)
{
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n cp.async.bulk.commit_group;" ::"l"(to),
               "r"(shared_address(stage)), "r"(bytes)
               : "memory");
}
#endif

/* Block x of message y: pieces x, x + gridDim.x, ... One is read AHEAD turns before it is written; a stage is free again
 * when the piece before it has been read out. */
template <int STAGES> static __global__ void __launch_bounds__(32) put_pieces(triad_gpu_parcels parcels)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char stages[];
  constexpr int AHEAD = STAGES - 3;
  __shared__ uint64_t arrived[STAGES];
  const triad_gpu_parcel p = parcels.of[blockIdx.y];
  const char *from = (const char *)p.from;
  char *to = (char *)p.to;
  const int64_t all = p.count * (int64_t)sizeof(dcplx), pieces = (all + PIECE - 1) / PIECE;
  const int64_t mine = pieces > blockIdx.x ? (pieces - blockIdx.x - 1) / gridDim.x + 1 : 0;
  if (threadIdx.x > 0) return;
  for (int s = 0; s < STAGES; s++)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&arrived[s])) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* bulk copies see the barriers */
  for (int64_t k = 0; k < mine + AHEAD; k++) {
    if (k < mine) {
      int64_t at = (blockIdx.x + k * gridDim.x) * PIECE;
      asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(STAGES - AHEAD - 1) : "memory");
      fetch(stages + k % STAGES * PIECE, from + at, (unsigned)(all - at < PIECE ? all - at : PIECE), &arrived[k % STAGES]);
    }
    if (k >= AHEAD) {
      int64_t j = k - AHEAD, at = (blockIdx.x + j * gridDim.x) * PIECE;
      wait_for(&arrived[j % STAGES], (unsigned)(j / STAGES % 2));
      store(to + at, stages + j % STAGES * PIECE, (unsigned)(all - at < PIECE ? all - at : PIECE));
    }
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

/* What was compiled, not only what runs it, must know bulk copies. */
static int has_pieces(void)
{
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, put_pieces<STAGES>) == cudaSuccess) return attributes.ptxVersion >= 90;
  (void)cudaGetLastError();
  return 0;
}

extern "C" int triad_gpu_put_parcels(const triad_gpu_parcels *parcels, int blocks, void *stream)
{
  constexpr size_t bytes = (size_t)STAGES * PIECE;
  if (parcels->n == 0) return TRIAD_OK;
  const unsigned n = (unsigned)parcels->n, each = blocks_for(blocks, parcels->n);
  if (has_pieces()) {
    TRIAD_TRY(allow_shared(put_pieces<STAGES>, bytes));
    put_pieces<STAGES><<<dim3(each, n), 32, bytes, (cudaStream_t)stream>>>(*parcels);
  } else {
    put_words<<<dim3(each, n), THREADS, 0, (cudaStream_t)stream>>>(*parcels);
  }
  return launched("puts");
}
