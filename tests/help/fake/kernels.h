/* Kernels on the host: a .cu file compiled as C++ runs block by block, the threads of a block by turns. Each has a
 * stack of its own and goes on until a barrier or a shuffle, where the next one takes over: so what stands before a
 * barrier has been done by all when the first comes out of it, as on a GPU. Only kernels' arguments, indices, shared
 * memory, barriers, shuffles of whole warps and a few atomics are there. */
#ifndef TRIAD_TESTS_FAKE_KERNELS_H
#define TRIAD_TESTS_FAKE_KERNELS_H

#include <sched.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <cmath>
#include <functional>

typedef enum cudaError_t { cudaSuccess } cudaError_t;
typedef struct fake_stream *cudaStream_t;
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount, cudaDevAttrMaxSharedMemoryPerBlockOptin };
enum { FAKE_SHARED = 228 << 10 };
inline int fake_shared_most(void); /* of a block */
static inline const char *cudaGetErrorString(cudaError_t) { return "no error"; }
static inline cudaError_t cudaGetLastError(void) { return cudaSuccess; }
static inline cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t)
{
  memset(at, value, bytes);
  return cudaSuccess;
}
template <class K> static inline cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute, int) { return cudaSuccess; }

static inline cudaError_t cudaGetDevice(int *device)
{
  *device = 0;
  return cudaSuccess;
}
/* Few, so that a block goes through many lines. */
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int)
{
  *value = what == cudaDevAttrMultiProcessorCount ? 2 : fake_shared_most();
  return cudaSuccess;
}
template <class K> static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K, int, size_t)
{
  *blocks = 1;
  return cudaSuccess;
}

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ static

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
inline dim3 threadIdx, blockIdx, blockDim, gridDim;
struct alignas(16) int4 {
  int x, y, z, w;
};

using std::isfinite;
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }

/* ---- threads of a block ---- */

enum { FAKE_WARP = 32, FAKE_THREADS = 1024, FAKE_STACK = 64 << 10, FAKE_SHIFT = 5 << 6 };
enum { FAKE_NEW, FAKE_BEGUN, FAKE_DONE };

/* fake_leave: store where the caller is, and continue elsewhere until somebody continues here.
 * fake_create: a place from which a function begins on a stack of its own.
 * The compiler saves the registers, and nothing returns on another stack, which costs a processor tens of cycles.
 * setjmp is several times slower, but is what other processors and the address sanitizer have. */
#if defined __GNUC__ && defined __x86_64__ && !defined __AVX512F__ && !defined __SANITIZE_ADDRESS__
struct fake_place {
  void *stack, *frame, *instruction;
};
static inline __attribute__((always_inline)) void fake_leave(fake_place *here, const fake_place *to)
{
  __asm__ volatile("movq %%rsp, (%0)\n movq %%rbp, 8(%0)\n leaq 1f(%%rip), %%rax\n movq %%rax, 16(%0)\n"
                   "movq (%1), %%rsp\n movq 8(%1), %%rbp\n jmp *16(%1)\n1:"
                   : "+D"(here), "+S"(to)
                   :
                   : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                     "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                     "xmm14", "xmm15", "memory", "cc");
}
static inline void fake_create(fake_place *place, char *stack, void (*begin)(void))
{
  *place = {stack + FAKE_STACK - 8, nullptr, (void *)begin}; /* as after a call */
}
#else
struct fake_place {
  jmp_buf at;
};
static inline void fake_leave(fake_place *here, fake_place *to)
{
  if (!_setjmp(here->at)) _longjmp(to->at, 1);
}
inline struct {
  fake_place *place;
  void (*begin)(void);
  ucontext_t creator;
} fake_newborn;
inline void fake_born(void)
{
  void (*const begin)(void) = fake_newborn.begin;
  if (!_setjmp(fake_newborn.place->at)) setcontext(&fake_newborn.creator);
  begin();
}
static inline void fake_create(fake_place *place, char *stack, void (*begin)(void))
{
  ucontext_t first;
  getcontext(&first);
  first.uc_stack.ss_sp = stack;
  first.uc_stack.ss_size = FAKE_STACK;
  first.uc_link = nullptr;
  makecontext(&first, fake_born, 0);
  fake_newborn.place = place;
  fake_newborn.begin = begin;
  swapcontext(&fake_newborn.creator, &first);
}
#endif

/* One of all files: templates that wait at a barrier are linked once. */
inline struct fake_threads {
  fake_place at[FAKE_THREADS];   /* barriers at which threads wait */
  fake_place idle[FAKE_THREADS]; /* stacks without a thread */
  int unused[FAKE_THREADS];      /* their numbers */
  char state[FAKE_THREADS];
  double slot[2][FAKE_THREADS]; /* of shuffles, by turns */
  int parity[FAKE_THREADS];
  int barriers[FAKE_THREADS], grouped; /* of the block: how many a thread has come to; one was of some warps */
  dim3 index[FAKE_THREADS], indexed;   /* threadIdx of each thread, for this blockDim */
  char *stacks;
  int created, n_unused, threads, now;
  fake_place end; /* of a block */
  const std::function<void()> *job;
} fake;

static inline void fake_become(int t)
{
  fake.now = t;
  threadIdx = fake.index[t];
}

static inline int fake_next(void)
{
  for (int i = 0, t = fake.now; i < fake.threads; i++) {
    t = t + 1 < fake.threads ? t + 1 : 0;
    if (fake.state[t] != FAKE_DONE) return t;
  }
  return -1;
}

/* A stack runs new threads in their order; one that waits at a barrier keeps its stack. A kernel without barriers needs
 * one stack. */
inline void fake_run_threads(void)
{
  const int mine = fake.created - 1;
  for (;;) {
    fake.state[fake.now] = FAKE_BEGUN;
    (*fake.job)();
    fake.state[fake.now] = FAKE_DONE;
    const int next = fake_next();
    if (next >= 0) fake_become(next);
    if (next >= 0 && fake.state[next] == FAKE_NEW) continue;
    fake.unused[fake.n_unused++] = mine;
    fake_leave(&fake.idle[mine], next < 0 ? &fake.end : &fake.at[next]);
  }
}

/* Where a new thread begins. Stacks lie at addresses that do not compete for the same lines of the cache. */
inline fake_place *fake_begin(void)
{
  const size_t bytes = FAKE_STACK + FAKE_SHIFT;
  if (fake.n_unused) return &fake.idle[fake.unused[--fake.n_unused]];
  if (!fake.stacks && !(fake.stacks = (char *)aligned_alloc(64, bytes * FAKE_THREADS))) abort();
  fake_place *const place = &fake.idle[fake.created];
  fake_create(place, fake.stacks + (size_t)fake.created++ * bytes, fake_run_threads);
  return place;
}

/* The next thread's turn. */
static inline __attribute__((always_inline)) void fake_yield(void)
{
  const int me = fake.now, next = fake_next();
  if (next == me) return; /* alone */
  fake_become(next);
  fake_leave(&fake.at[me], fake.state[next] == FAKE_NEW ? fake_begin() : &fake.at[next]);
}

inline int fake_wave(void); /* waves.h */

/* Where a barrier of some warps is one of the block, all threads must have come to each. */
static inline void fake_check_barriers(void)
{
  for (int t = 1; fake_wave() && fake.grouped && t < fake.threads; t++)
    if (fake.barriers[t] != fake.barriers[0]) {
      (void)fprintf(stderr, "thread %d comes to %d barriers of a block, thread 0 to %d\n", t, fake.barriers[t],
                    fake.barriers[0]);
      abort();
    }
}

static inline void fake_block(const std::function<void()> &job)
{
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  if (threads > FAKE_THREADS) abort();
  if (fake.indexed.x != blockDim.x || fake.indexed.y != blockDim.y || fake.indexed.z != blockDim.z)
    for (unsigned t = 0; t < threads; t++)
      fake.index[t] = dim3(t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y);
  fake.indexed = blockDim;
  fake.threads = (int)threads;
  fake.job = &job;
  memset(fake.state, FAKE_NEW, threads);
  memset(fake.parity, 0, threads * sizeof *fake.parity);
  memset(fake.barriers, 0, threads * sizeof *fake.barriers);
  fake.grouped = 0;
  fake_become(0);
  fake_leave(&fake.end, fake_begin());
  fake_check_barriers();
}

static inline void __syncthreads(void)
{
  fake.barriers[fake.now]++;
  fake_yield();
}
static inline void __syncwarp(void) { fake_yield(); }
static inline void __threadfence(void) {}
static inline void __threadfence_system(void) {}

/* Threads of the warp: the last one of a block may be a part of one. */
static inline unsigned fake_active(void)
{
  const int left = fake.threads - fake.now / FAKE_WARP * FAKE_WARP;
  return left < FAKE_WARP ? (1u << left) - 1 : 0xffffffffu;
}

/* What each thread of the block has to show, for all others until their next but one. */
static inline const double *fake_show(double value)
{
  const int me = fake.now, turn = fake.parity[me];
  fake.parity[me] = !turn;
  fake.slot[turn][me] = value;
  fake_yield();
  return fake.slot[turn];
}

#include "waves.h"

inline int fake_shared_most(void) { return fake_wave() ? 64 << 10 : FAKE_SHARED; }

static inline unsigned __activemask(void) { return fake_wave() ? triad_hip_active() : fake_active(); }

static inline double __shfl_xor_sync(unsigned mask, double value, int other)
{
  const int me = fake.now;
  if ((mask != 0xffffffffu && mask != fake_active()) || other >= FAKE_WARP) abort();
  if (fake_wave()) return triad_hip_shfl_xor(value, other);
  return fake_show(value)[me ^ other];
}

/* Bits, not a number. */
static inline unsigned long long __shfl_xor_sync(unsigned mask, unsigned long long bits, int other)
{
  double as_number;
  memcpy(&as_number, &bits, sizeof bits);
  as_number = __shfl_xor_sync(mask, as_number, other);
  memcpy(&bits, &as_number, sizeof bits);
  return bits;
}

/* The first lanes have what counts: others of a warp would read beyond it. */
static inline double __shfl_down_sync(unsigned mask, double value, int other)
{
  const int me = fake.now;
  if (mask != 0xffffffffu) abort();
  if (fake_wave()) return triad_hip_shfl_down(value, other);
  return fake_show(value)[me % FAKE_WARP + other < FAKE_WARP ? me + other : me];
}

static inline double __shfl_up_sync(unsigned mask, double value, int other)
{
  const int me = fake.now;
  if (mask != 0xffffffffu) abort();
  if (fake_wave()) return triad_hip_shfl_up(value, other);
  return fake_show(value)[me % FAKE_WARP >= other ? me - other : me];
}

/* Of one thread of the warp, whole numbers of 32 bits. */
static inline int __shfl_sync(unsigned mask, int value, int from)
{
  const int me = fake.now;
  if (mask != 0xffffffffu) abort();
  if (fake_wave()) return triad_hip_shfl(value, from);
  return (int)fake_show(value)[me / FAKE_WARP * FAKE_WARP + from];
}

static inline double __shfl_sync(unsigned mask, double value, int from)
{
  const int me = fake.now;
  if (mask != 0xffffffffu) abort();
  if (fake_wave()) return triad_hip_shfl(value, from);
  return fake_show(value)[me / FAKE_WARP * FAKE_WARP + from];
}

/* Which threads of the warp have the same. */
static inline unsigned __match_any_sync(unsigned mask, int value)
{
  const int first = fake.now / FAKE_WARP * FAKE_WARP;
  unsigned same = 0;
  if (mask != 0xffffffffu) abort();
  if (fake_wave()) return triad_hip_match(value);
  const double *shown = fake_show(value);
  for (int i = 0; i < FAKE_WARP && first + i < fake.threads; i++)
    if ((int)shown[first + i] == value) same |= 1u << i;
  return same;
}
static inline int __ffs(int bits) { return __builtin_ffs(bits); }
static inline int __popc(unsigned bits) { return __builtin_popcount(bits); }

static inline unsigned __reduce_add_sync(unsigned mask, unsigned value)
{
  double sum = value;
  if (fake_wave()) return triad_hip_add(value);
  for (int other = FAKE_WARP / 2; other > 0; other /= 2) sum += __shfl_xor_sync(mask, sum, other);
  return (unsigned)sum;
}

template <class T> static inline T atomicAdd(T *at, T value)
{
  T before = *at;
  *at += value;
  return before;
}
template <class T> static inline T atomicMax(T *at, T value)
{
  T before = *at;
  if (value > before) *at = value;
  return before;
}
static inline long long __double_as_longlong(double value)
{
  long long bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double __longlong_as_double(long long bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Whoever waits for another process lets it have the processor. */
static inline void __nanosleep(unsigned) { (void)sched_yield(); }

template <class T> static inline T __ldcg(const T *at) { return *at; }

/* ---- launches ---- */

template <class... P> struct fake_launch {
  dim3 blocks, threads;
  void (*kernel)(P...);
  void operator()(P... p) const
  {
    gridDim = blocks;
    blockDim = threads;
    const std::function<void()> job = [&]() { kernel(p...); };
    for (blockIdx.z = 0; blockIdx.z < blocks.z; blockIdx.z++)
      for (blockIdx.y = 0; blockIdx.y < blocks.y; blockIdx.y++)
        for (blockIdx.x = 0; blockIdx.x < blocks.x; blockIdx.x++) fake_block(job);
  }
};
template <class... P> static inline fake_launch<P...> fake_launch_of(dim3 blocks, dim3 threads, void (*kernel)(P...))
{
  return {blocks, threads, kernel};
}
#define TRIAD_LAUNCH(blocks, threads, stream, ...) ((void)(stream), fake_launch_of(blocks, threads, __VA_ARGS__))

/* Shared memory whose size a launch tells. */
inline unsigned char *fake_shared(void)
{
  alignas(16) static unsigned char memory[FAKE_SHARED];
  return memory;
}
#define TRIAD_LAUNCH_SHARED(blocks, threads, bytes, stream, ...) \
  ((void)((int)(bytes) <= fake_shared_most() ? 0 : (abort(), 0)), TRIAD_LAUNCH(blocks, threads, stream, __VA_ARGS__))
#define TRIAD_SHARED(name) unsigned char *const name = fake_shared()
#define TRIAD_BARRIER(number, threads) ((void)(number), (void)(threads), (void)(fake.grouped = 1), __syncthreads())

#endif
