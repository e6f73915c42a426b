/* Transform two real rows as one complex line: vectors contain LANES neighbouring elements of it. The first stage,
 * of radix LANES, processes LANES groups at once and stores them transposed, so that all later stages have
 * neighbouring q. */
#define LANES_OF_ROWS /* of lane_radices.h */
#include "fft/lines/lane_rows.h"
#include "fft/lines/lane_plan.h"
#include "fft/lines/lane_radices.h"

#include <string.h>

#ifdef TRIAD_LANE_LINES

/* Real and imaginary parts apart, so that a backward transform is a forward one of (im, re). */
typedef struct rows_parts {
  triad_real *re, *im;
} rows_parts;

enum { TO_PARTS, TO_SWAPPED }; /* output of a stage: parts; complex numbers with re and im swapped */

#define ROWS_SHUFFLE __builtin_shufflevector

/* The h-th step of a transposition: elements whose number lacks bit h of a, and of b in the gaps; and the others. */
#if defined(__AVX512F__) || defined(TRIAD_SINGLE)
#define ROWS_LOW_1(a, b) ROWS_SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define ROWS_HIGH_1(a, b) ROWS_SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define ROWS_LOW_2(a, b) ROWS_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define ROWS_HIGH_2(a, b) ROWS_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define ROWS_LOW_4(a, b) ROWS_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define ROWS_HIGH_4(a, b) ROWS_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define ROWS_EVEN(a, b) ROWS_SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ROWS_ODD(a, b) ROWS_SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define ROWS_LOW(a, b) ROWS_SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ROWS_HIGH(a, b) ROWS_SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define ROWS_REVERSED(a) ROWS_SHUFFLE(a, a, 7, 6, 5, 4, 3, 2, 1, 0)
#else
#define ROWS_LOW_1(a, b) ROWS_SHUFFLE(a, b, 0, 4, 2, 6)
#define ROWS_HIGH_1(a, b) ROWS_SHUFFLE(a, b, 1, 5, 3, 7)
#define ROWS_LOW_2(a, b) ROWS_SHUFFLE(a, b, 0, 1, 4, 5)
#define ROWS_HIGH_2(a, b) ROWS_SHUFFLE(a, b, 2, 3, 6, 7)
#define ROWS_EVEN(a, b) ROWS_SHUFFLE(a, b, 0, 2, 4, 6)
#define ROWS_ODD(a, b) ROWS_SHUFFLE(a, b, 1, 3, 5, 7)
#define ROWS_LOW(a, b) ROWS_SHUFFLE(a, b, 0, 4, 1, 5)
#define ROWS_HIGH(a, b) ROWS_SHUFFLE(a, b, 2, 6, 3, 7)
#define ROWS_REVERSED(a) ROWS_SHUFFLE(a, a, 3, 2, 1, 0)
#endif

LANE_INLINE lane_vector vector_at(const triad_real *from) { return *(const lane_vector *)from; }
LANE_INLINE void vector_to(triad_real *to, lane_vector a) { *(lane_vector *)to = a; }

#define ROWS_TRANSPOSE_STEP(h) \
  LANE_UNROLL for (int i = 0; i < LANES; i++) if ((i & (h)) == 0) \
  { \
    const lane_vector low = ROWS_LOW_##h(v[i], v[i + (h)]), high = ROWS_HIGH_##h(v[i], v[i + (h)]); \
    v[i] = low; \
    v[i + (h)] = high; \
  }

LANE_INLINE void transpose(lane_vector *v){ROWS_TRANSPOSE_STEP(1) ROWS_TRANSPOSE_STEP(2)
#ifdef ROWS_LOW_4
                                             ROWS_TRANSPOSE_STEP(4)
#endif
}

/* in: parts, or complex numbers that begin at in.re. */
LANE_INLINE void first_stage(const triad_lane_stage *g, rows_parts in, rows_parts out, const int from_pairs)
{
  const int64_t m = g->m;
  for (int64_t p = 0; p < m; p += LANES) {
    const triad_real *w = g->factors + 2 * p * (LANES - 1);
    lane_row v[LANES];
    lane_vector re[LANES], im[LANES];
    LANE_UNROLL for (int j = 0; j < LANES; j++)
    {
      const int64_t at = p + j * m;
      if (from_pairs) {
        const lane_vector a = vector_at(in.re + 2 * at), b = vector_at(in.re + 2 * at + LANES);
        v[j] = (lane_row){ROWS_EVEN(a, b), ROWS_ODD(a, b)};
      } else v[j] = (lane_row){vector_at(in.re + at), vector_at(in.im + at)};
    }
    if (LANES == 8) lane_eight(v);
    else lane_four(v);
    re[0] = v[0].re;
    im[0] = v[0].im;
    LANE_UNROLL for (int k = 1; k < LANES; k++)
    {
      const lane_vector c = vector_at(w + (2 * k - 2) * LANES), s = vector_at(w + (2 * k - 1) * LANES);
      re[k] = v[k].re * c - v[k].im * s;
      im[k] = v[k].im * c + v[k].re * s;
    }
    transpose(re);
    transpose(im);
    LANE_UNROLL for (int i = 0; i < LANES; i++)
    {
      vector_to(out.re + (p + i) * LANES, re[i]);
      vector_to(out.im + (p + i) * LANES, im[i]);
    }
  }
}

static void first_of_parts(const triad_lane_stage *g, rows_parts in, rows_parts out) { first_stage(g, in, out, 0); }
static void first_of_pairs(const triad_lane_stage *g, rows_parts in, rows_parts out) { first_stage(g, in, out, 1); }

LANE_INLINE void put(rows_parts out, int64_t at, lane_row v, const int to)
{
  const lane_vector a = to == TO_SWAPPED ? v.im : v.re, b = to == TO_SWAPPED ? v.re : v.im;
  if (to == TO_PARTS) {
    vector_to(out.re + at, a);
    vector_to(out.im + at, b);
  } else {
    vector_to(out.re + 2 * at, ROWS_LOW(a, b));
    vector_to(out.re + 2 * at + LANES, ROWS_HIGH(a, b));
  }
}

typedef void rows_pass(const triad_lane_stage *g, rows_parts in, rows_parts out);

#define ROWS_PASS(name, R, dft, TO) \
  static void name(const triad_lane_stage *g, rows_parts in, rows_parts out) \
  { \
    const int64_t m = g->m, s = g->s; \
    for (int64_t p = 0; p < m; p++) { \
      const triad_real *w = g->factors + 2 * p * ((R)-1); \
      for (int64_t q = 0; q < s; q += LANES) { \
        lane_row v[R]; \
        LANE_UNROLL for (int j = 0; j < (R); j++) \
        { \
          const int64_t at = q + s * (p + j * m); \
          v[j] = (lane_row){vector_at(in.re + at), vector_at(in.im + at)}; \
        } \
        dft(v); \
        if (p > 0) LANE_UNROLL for (int k = 1; k < (R); k++) v[k] = lane_times(v[k], w[2 * k - 2], w[2 * k - 1]); \
        LANE_UNROLL for (int k = 0; k < (R); k++) put(out, q + s * ((R)*p + k), v[k], TO); \
      } \
    } \
  }

#define ROWS_PASSES(R, dft) \
  ROWS_PASS(parts_##R, R, dft, TO_PARTS) \
  ROWS_PASS(swapped_##R, R, dft, TO_SWAPPED)

ROWS_PASSES(2, lane_two)
ROWS_PASSES(3, lane_three)
ROWS_PASSES(4, lane_four)
ROWS_PASSES(5, lane_five)
ROWS_PASSES(6, lane_six)
ROWS_PASSES(7, lane_seven)
ROWS_PASSES(8, lane_eight)

#define ROWS_TABLE(R) [R] = {parts_##R, swapped_##R}

static rows_pass *const pass_of[TRIAD_LANE_RADICES][2] = {ROWS_TABLE(2), ROWS_TABLE(3), ROWS_TABLE(4), ROWS_TABLE(5),
                                                          ROWS_TABLE(6), ROWS_TABLE(7), ROWS_TABLE(8)};

/* After the first stage: from one to the other, the last to `out`. */
static void later_stages(const triad_lane_plan *plan, rows_parts one, rows_parts other, rows_parts out, int swapped)
{
  for (int i = 1; i < plan->n_stages; i++) {
    const int last = i == plan->n_stages - 1;
    const rows_parts was = one;
    pass_of[plan->stage[i].radix][last && swapped](&plan->stage[i], one, last ? out : other);
    one = other;
    other = was;
  }
}

static rows_parts room_for(int64_t n, triad_real *room, int number)
{
  return (rows_parts){room + 2 * n * number, room + 2 * n * number + n};
}

/* The spectra of two real rows -> that of the complex one, as join() of lines.c has it. */
static void join_parts(int64_t n, int64_t kept, const triad_cplx *a, const triad_cplx *b, rows_parts z)
{
  const int64_t nyquist = 2 * (kept - 1) == n, mirrored = nyquist ? kept - 1 : kept;
  int64_t k = 1;
  for (; k + LANES <= mirrored; k += LANES) {
    const lane_vector a0 = vector_at(&a[k].re), a1 = vector_at(&a[k].re + LANES), b0 = vector_at(&b[k].re),
                      b1 = vector_at(&b[k].re + LANES);
    const lane_vector ar = ROWS_EVEN(a0, a1), ai = ROWS_ODD(a0, a1), br = ROWS_EVEN(b0, b1), bi = ROWS_ODD(b0, b1);
    const lane_vector re = ar + bi, im = br - ai;
    vector_to(z.re + k, ar - bi);
    vector_to(z.im + k, ai + br);
    vector_to(z.re + n - k - LANES + 1, ROWS_REVERSED(re));
    vector_to(z.im + n - k - LANES + 1, ROWS_REVERSED(im));
  }
  for (; k < mirrored; k++) {
    z.re[k] = a[k].re - b[k].im;
    z.im[k] = a[k].im + b[k].re;
    z.re[n - k] = a[k].re + b[k].im;
    z.im[n - k] = b[k].re - a[k].im;
  }
  z.re[0] = a[0].re;
  z.im[0] = b[0].re;
  if (nyquist) {
    z.re[mirrored] = a[mirrored].re;
    z.im[mirrored] = b[mirrored].re;
  }
  if (n + 1 <= 2 * kept) return;
  memset(z.re + kept, 0, (size_t)(n + 1 - 2 * kept) * sizeof *z.re);
  memset(z.im + kept, 0, (size_t)(n + 1 - 2 * kept) * sizeof *z.im);
}

static void part_parts(int64_t n, int64_t kept, rows_parts z, triad_cplx *a, triad_cplx *b)
{
  const triad_real half = (triad_real)0.5;
  int64_t k = 1;
  for (; k + LANES <= kept; k += LANES) {
    const lane_vector qr = vector_at(z.re + n - k - LANES + 1), qi = vector_at(z.im + n - k - LANES + 1);
    const lane_vector pr = vector_at(z.re + k), pi = vector_at(z.im + k);
    const lane_vector rr = ROWS_REVERSED(qr), ri = ROWS_REVERSED(qi);
    const lane_vector ar = half * (pr + rr), ai = half * (pi - ri), br = half * (pi + ri), bi = half * (rr - pr);
    vector_to(&a[k].re, ROWS_LOW(ar, ai));
    vector_to(&a[k].re + LANES, ROWS_HIGH(ar, ai));
    vector_to(&b[k].re, ROWS_LOW(br, bi));
    vector_to(&b[k].re + LANES, ROWS_HIGH(br, bi));
  }
  for (; k < kept; k++) {
    const triad_real pr = z.re[k], pi = z.im[k], qr = z.re[n - k], qi = z.im[n - k];
    a[k] = (triad_cplx){half * (pr + qr), half * (pi - qi)};
    b[k] = (triad_cplx){half * (pi + qi), half * (qr - pr)};
  }
  a[0] = (triad_cplx){z.re[0], 0};
  b[0] = (triad_cplx){z.im[0], 0};
}

void triad_lane_rows_backward(const triad_lane_plan *plan, int64_t kept, const triad_cplx *a, const triad_cplx *b,
                              triad_real *room, triad_real *values)
{
  const rows_parts z = room_for(plan->n, room, 0), one = room_for(plan->n, room, 1);
  join_parts(plan->n, kept, a, b, z);
  first_of_parts(&plan->stage[0], (rows_parts){z.im, z.re}, one);
  later_stages(plan, one, z, (rows_parts){values, NULL}, 1);
}

void triad_lane_rows_forward(const triad_lane_plan *plan, int64_t kept, const triad_real *values, triad_real *room,
                             triad_cplx *a, triad_cplx *b)
{
  const rows_parts one = room_for(plan->n, room, 0), other = room_for(plan->n, room, 1), z = room_for(plan->n, room, 2);
  first_of_pairs(&plan->stage[0], (rows_parts){(triad_real *)(uintptr_t)values, NULL}, one);
  later_stages(plan, one, other, z, 0);
  part_parts(plan->n, kept, z, a, b);
}

int triad_lane_rows_find(triad_lane_plan *plan, int64_t n, int *lanes)
{
  *lanes = LANES;
  return n % (LANES * LANES) == 0 && triad_lane_plan_find(plan, n, LANES);
}

#else

int triad_lane_rows_find(triad_lane_plan *plan, int64_t n, int *lanes)
{
  *plan = (triad_lane_plan){.n = n};
  *lanes = 1;
  return 0;
}

void triad_lane_rows_backward(const triad_lane_plan *plan, int64_t kept, const triad_cplx *a, const triad_cplx *b,
                              triad_real *room, triad_real *values)
{
  (void)plan, (void)kept, (void)a, (void)b, (void)room, (void)values;
}

void triad_lane_rows_forward(const triad_lane_plan *plan, int64_t kept, const triad_real *values, triad_real *room,
                             triad_cplx *a, triad_cplx *b)
{
  (void)plan, (void)kept, (void)values, (void)room, (void)a, (void)b;
}

#endif
