/* Choose radices, threads and lines of a block for a GPU kernel of any length, by a cost that was fitted to measured
 * kernels. */
#include "fft/lines/radices.h"
#include "base/minmax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  REGISTERS = 65536,                   /* of a multiprocessor */
  WORDS = (int)sizeof(triad_real) / 4, /* registers of a real */
  FULL = 8192,                         /* elements on their way that hide the way to memory */
  MOST_EACH = 35                       /* elements of a thread: 35 points are 5 times 7 */
};

static const int radices[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
enum { N_RADICES = sizeof radices / sizeof *radices };

int triad_radices_serve(int n, int along_x)
{
  int rest = n;
  for (int p = 2; p <= 13; p++)
    while (rest % p == 0) rest /= p;
  triad_radices r;
  return n >= TRIAD_RADICES_LEAST && n <= TRIAD_RADICES_MAX && rest == 1 && triad_radices_strided(n, &r) &&
         (!along_x || ((n % 2 == 0 || n < 1024) && triad_radices_fused(n, 3, &r)));
}

/* Inputs of the cost of a factorization; `room`: threads per multiprocessor, `words`: registers per thread. */
typedef struct judge {
  int n, lanes_most, fused, held;
} judge;

static int whole(int n, int each) { return (n + each - 1) / each * each; }

/* Weights of the cost, for lines along y and z and for the fused x pass. They were fitted to kernels of hd on an H100
 * in double precision at 384^3 to 1024^3: 28 factorizations along y and z (to 3 %) and 40 along x. For each length the
 * fastest factorization has the lowest cost, or one within a few percent of it. Along y and z access to memory
 * dominates, and a block that is alone on its multiprocessor leaves memory idle while it transforms. Along x the
 * passes through shared memory dominate. A small last radix is good, since twiddle factors of the first pass are 1 and
 * those of a radix R are computed from log2 R by products. Spills count, and so does waiting for other lines of a
 * block. Occupancy matters little. */
typedef struct weights {
  double memory; /* cost of a line's memory access, relative to a pass through shared memory */
  /* relative to a pass through shared memory; twiddles: product with a twiddle factor relative to other arithmetic */
  double arithmetic, twiddles;
  double idle;             /* threads that have no transform in a pass             */
  double spill;            /* registers that are left, by the estimate below       */
  double each_spilt, full; /* the cost of one more; the power of elements in flight */
} weights;
#ifdef TRIAD_SINGLE /* fewer were timed */
static const weights of_strided = {1, 0.12, 1.5, 0.2, 150, 0.005, 0.1};
static const double twisted = 1.13; /* rows one by one are twisted before and after */
#else
static const weights of_strided = {6, 0.12, 1.5, 0.2, 120, 0.005, 0.05};
static const double twisted = 1.05;
#endif
static const weights of_fused = {1, 0.08, 0.5, 0.2, 240, 0.008, 0.25};
static const double alone = 1.1;   /* a block has its multiprocessor         */
static const double waiting = 1.1; /* lines of a block wait for each other   */

static const weights *weights_of(const judge *j) { return j->fused ? &of_fused : &of_strided; }

/* Arithmetic of a radix's pass per point, relative to a pass through shared memory. */
static double work_of(const judge *j, int radix, int is_first)
{
  static const double work[] = {0, 0, 1, 2, 2, 3, 2.7, 4.5, 3, 3.6, 3.6, 7, 3.6, 8, 5, 4.6, 4};
  int read = 0; /* powers of two below the radix, at most three in the fused pass */
  while (1 << read < radix) read++;
  if (j->fused && read > 3) read = 3;
  const double products = is_first ? 0 : 4.0 * (radix - 1 - read) / radix;
  return 1 + weights_of(j)->arithmetic * (work[radix] + weights_of(j)->twiddles * products);
}

/* Elements that a thread holds at once: in a fused pass, which has two buffers, those of one transform in the
 * middle. */
static int live(const triad_radices *r, int fused)
{
  int most = r->each, threads = r->n / r->each;
  for (int i = 0; i < 3; i++) {
    const int rounds = fused ? 1 : (r->n / r->middle[i] + threads - 1) / threads;
    if (r->middle[i] > 1 && rounds * r->middle[i] > most) most = rounds * r->middle[i];
  }
  return most;
}

/* Warps of a quarter of a multiprocessor that a fused pass asks for, as device_fused.h counts them. */
static int warps_of(const judge *j, const triad_radices *r)
{
  const int words = 2 * WORDS * r->each * (j->held + 3) + 40;
  return words > 170 ? 2 : words > 128 ? 3 : words > 102 ? 4 : 5;
}

/* Registers of a thread. */
static int words_of(const judge *j, const triad_radices *r)
{
  const int most = live(r, j->fused);
  /* two lines are in a middle pass at once */
  if (j->fused) return 2 * WORDS * (r->each * (j->held + 3) + 2 * (most > r->each ? most - r->each : 0)) + 40;
  /* registers for its own elements and overhead; or for live values in the middle, if those are fewer */
  const int own = 2 * r->each * WORDS + 32, middle = 2 * most * WORDS + 20;
  return own > middle ? own : middle;
}

/* Lines that have no warps of their own wait for the others of their block. */
static double waiting_of(const judge *j, int line, int lanes)
{
  return j->fused && lanes > 1 && line % 32 != 0 && 32 % line != 0 ? waiting : 1;
}

/* Idle threads of a block's last warp cost a fraction of what active ones cost. */
static double broken(int block) { return 0.7 + 0.3 * whole(block, 32) / block; }

/* Lines of a block, and the elements that a multiprocessor holds then. */
static int choose_lanes(const judge *j, triad_radices *r)
{
  const int line = r->n / r->each, bytes = 2 * (int)sizeof(triad_real) * r->n;
  int held = 0, from = j->fused ? 1 : j->lanes_most, to = j->lanes_most;
  double best = 0;
  for (int lanes = from; lanes <= to; lanes = j->fused ? lanes + 1 : 2 * lanes) {
    const int threads = whole(line * lanes, 32);
    /* a fused pass has two buffers, at least, with gaps in them */
    const int shared = j->fused ? lanes * bytes * 9 / 4 : lanes * bytes;
    if (threads > 1024 || shared > TRIAD_RADICES_SHARED || line * lanes < 32 * (lanes < to)) continue;
    const int blocks = triad_min_int(r->threads / threads, TRIAD_RADICES_SHARED / (shared + 1024));
    const int elements = (blocks > 0 ? blocks : 1) * lanes * r->n;
    const double good = pow(elements, weights_of(j)->full) / (waiting_of(j, line, lanes) * broken(line * lanes));
    if ((blocks < 1 && j->fused) || good <= best) continue;
    best = good;
    held = elements;
    r->lanes = lanes;
  }
  return held;
}

/* Registers of a thread that are left for lines. Where a fused pass asks for more than eight warps a multiprocessor,
 * compilers spill 16 before the estimate does. */
static double left_of(const judge *j, const triad_radices *r)
{
  static const double of_warps[] = {[3] = 168 - 16, [4] = 128 - 16, [5] = 102 - 16};
  if (!j->fused) return of_strided.spill;
  return warps_of(j, r) == 2 ? of_fused.spill : of_warps[warps_of(j, r)];
}

static double cost_of(const judge *j, triad_radices *r)
{
  const weights *w = weights_of(j);
  const int threads = r->n / r->each, words = words_of(j, r),
            all[5] = {r->first, r->middle[0], r->middle[1], r->middle[2], r->last};
  double cost = w->memory;
  if (j->fused) r->threads = 4 * warps_of(j, r) * 32;
  else r->threads = triad_min_int(REGISTERS / words / 32 * 32, 2048);
  const int elements = choose_lanes(j, r);
  if (elements == 0) return HUGE_VAL;
  for (int i = 0; i < 5; i++) {
    const int rounds = (r->n / all[i] + threads - 1) / threads;
    if (all[i] > 1) cost += work_of(j, all[i], i == 0) * (1 - w->idle + w->idle * rounds * threads * all[i] / r->n);
  }
  cost *= broken(threads * r->lanes) * waiting_of(j, threads, r->lanes);
  if (!j->fused && elements == r->lanes * r->n) cost *= alone;
  const double spilt = words - left_of(j, r);
  if (spilt > 0) cost *= 1 + w->each_spilt * spilt;
  const double full = j->fused ? (double)REGISTERS / (2 * WORDS * (j->held + 3)) / 1.2 : FULL;
  return elements < full ? cost * pow(full / elements, w->full) : cost;
}

static void consider(const judge *j, triad_radices *r, triad_radices *best, double *least)
{
  const double cost = cost_of(j, r);
  if (cost < *least - 1e-9) {
    *least = cost;
    *best = *r;
  }
}

/* All middle radices of `rest`, which are smaller first. */
static void middles(const judge *j, triad_radices *r, int at, int rest, triad_radices *best, double *least)
{
  if (rest == 1) {
    consider(j, r, best, least);
    return;
  }
  for (int i = 0; i < N_RADICES && at < 3; i++) {
    if (rest % radices[i] != 0) continue;
    r->middle[at] = radices[i];
    middles(j, r, at + 1, rest / radices[i], best, least);
    r->middle[at] = 1;
  }
}

static double search(const judge *j, triad_radices *best)
{
  double least = HUGE_VAL;
  for (int each = 2; each <= MOST_EACH && each <= j->n; each++) {
    if (j->n % each != 0) continue;
    for (int a = 0; a < N_RADICES; a++)
      for (int b = 0; b < N_RADICES; b++) {
        triad_radices r = {j->n, each, radices[a], {1, 1, 1}, radices[b], 0, 0, best->one_by_one};
        if (each % r.first == 0 && each % r.last == 0 && j->n % (r.first * r.last) == 0)
          middles(j, &r, 0, j->n / (r.first * r.last), best, &least);
      }
  }
  return least;
}

/* The environment variable TRIAD_GPU_RADICES overrides the choice, for measurements: "480s=8,8,15,1,1,4,8" sets each,
 * first, middle, last, lanes of strided lines of 480 points, optionally followed by threads of a multiprocessor;
 * "240f1=..." is for rows of 480 one by one in a fused pass, "480f0=..." in pairs; entries are separated by ";".
 * Returns the count of numbers read, 0 if they do not form a factorization. */
static int read_override(int n, const char *kind, triad_radices *r)
{
  const char *at = getenv("TRIAD_GPU_RADICES");
  char name[32];
  const int length = snprintf(name, sizeof name, "%d%s=", n, kind);
  while (at && *at) {
    if (strncmp(at, name, (size_t)length) == 0) {
      r->n = n;
      const int numbers = sscanf(at + length, "%d,%d,%d,%d,%d,%d,%d,%d", &r->each, &r->first, &r->middle[0],
                                 &r->middle[1], &r->middle[2], &r->last, &r->lanes, &r->threads);
      return numbers >= 7 && r->each > 0 && n == r->first * r->middle[0] * r->middle[1] * r->middle[2] * r->last
               ? numbers
               : 0;
    }
    at = strchr(at, ';');
    if (at) at++;
  }
  return 0;
}

/* The most lanes that shared memory and 1024 threads leave, of 128 bytes where lines are long, of 16 where they are
 * short. */
static int lanes_of(int n)
{
  const int twice = n >= 512 && sizeof(triad_real) == 4 ? 2 : 1;
  int lanes = n <= 64 ? 16 : (n > 1024 ? 4 : 8) * twice;
  while (lanes * n * 2 * (int)sizeof(triad_real) > TRIAD_RADICES_SHARED || n * lanes > 1024 * MOST_EACH) lanes /= 2;
  return lanes;
}

int triad_radices_strided(int n, triad_radices *r)
{
  *r = (triad_radices){.threads = 512};
  const int numbers = read_override(n, "s", r), threads = r->threads;
  if (numbers > 0) {
    judge j = {.n = n, .lanes_most = r->lanes};
    (void)cost_of(&j, r);
    if (numbers > 7) r->threads = threads;
    return 1;
  }
  for (int lanes = lanes_of(n); lanes >= 1; lanes /= 2) {
    const judge j = {.n = n, .lanes_most = lanes};
    if (search(&j, r) < HUGE_VAL) return 1;
  }
  return 0;
}

int triad_radices_fused(int n, int held, triad_radices *r)
{
  *r = (triad_radices){.threads = 256};
  if (read_override(n, "f0", r)) return 1;
  if (n % 2 == 0 && read_override(n / 2, "f1", r)) {
    r->one_by_one = 1;
    return 1;
  }
  const judge pairs = {.n = n, .lanes_most = 64, .fused = 1, .held = held};
  const judge rows = {.n = n / 2, .lanes_most = 64, .fused = 1, .held = held};
  triad_radices single = {.one_by_one = 1};
  double two = n > 1024 ? HUGE_VAL : search(&pairs, r), one = n % 2 == 0 && n >= 32 ? search(&rows, &single) : HUGE_VAL;
  if (twisted * one < two) *r = single;
  return one < HUGE_VAL || two < HUGE_VAL;
}

static int write_list(const triad_radices *r, const char *which, char *text, size_t size)
{
  return snprintf(text, size, "TRIAD_LENGTH(%s, %d, %d, %d, %d, %d, %d, %d)", which, r->n, r->each, r->first,
                  r->middle[0], r->middle[1], r->middle[2], r->last);
}

int triad_radices_tell_strided(const triad_radices *r, char *text, size_t size)
{
  const int at = write_list(r, "factored", text, size);
  if (at < 0 || (size_t)at >= size) return at;
  int pairs = r->n <= 64 ? 16 : r->n <= 256 ? 8 : r->n <= 512 ? 4 : 2;
  while (pairs > 1 && pairs * (r->n / r->each) > 1024) pairs /= 2;
  return at + snprintf(text + at, size - (size_t)at,
                       " TRIAD_LENGTH_LANES(lanes_of, %d, %d) TRIAD_LENGTH_LANES(room_of, %d, %d) "
                       "TRIAD_LENGTH_LANES(row_pairs_of, %d, %d)",
                       r->n, r->lanes, r->n, r->threads, r->n, pairs);
}

int triad_radices_tell_fused(const triad_radices *r, char *text, size_t size)
{
  const int at = write_list(r, "factored", text, size);
  if (at < 0 || (size_t)at >= size) return at;
  return at + snprintf(text + at, size - (size_t)at, " TRIAD_LENGTH_LANES(fused_lanes_of, %d, %d)", r->n, r->lanes);
}
