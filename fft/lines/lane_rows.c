/* Transform two real rows as one complex line: vectors contain LANES neighbouring elements of it. The first stage,
 * of radix LANES, processes LANES groups at once and stores them transposed, so that all later stages have
 * neighbouring q. If only short spectra are kept, the first stage reads the two spectra itself, and the last one, if
 * its radix is 2, writes them; a line of LANES^2 points stays in registers. */
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
#define ROWS_MIRROR(a, b) ROWS_SHUFFLE(a, b, 8, 7, 6, 5, 4, 3, 2, 1)
#define LANE_ROWS_WIDE 1
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
#define LANE_ROWS_WIDE 0
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

LANE_INLINE void transpose(lane_vector *v)
{
  ROWS_TRANSPOSE_STEP(1)
  ROWS_TRANSPOSE_STEP(2)
#ifdef ROWS_LOW_4
    ROWS_TRANSPOSE_STEP(4)
#endif
}

/* Input of a first stage: parts; complex numbers that begin at in.re; or the spectra of the two rows. */
enum { FROM_PARTS, FROM_PAIRS, FROM_SPECTRA };

typedef struct rows_source {
  rows_parts in;
  int64_t n, kept;         /* of the spectra: points of a line, modes 0 .. kept - 1 */
  const triad_cplx *a, *b; /* spectra */
} rows_source;

#ifdef TRIAD_SINGLE
typedef int32_t lane_integer;
#else
typedef int64_t lane_integer;
#endif
typedef lane_integer lane_bits
  __attribute__((vector_size(LANES * sizeof(lane_integer)), aligned(sizeof(lane_integer)), may_alias));

/* All bits set in LANES lanes, none before and behind. */
static const lane_integer bits_of[3 * LANES] = {
#if LANE_ROWS_WIDE
  0,  0,  0,  0, 0, 0, 0, 0, -1, -1, -1, -1, -1,
  -1, -1, -1, 0, 0, 0, 0, 0, 0,  0,  0
#else
  0,  0, 0, 0, -1, -1, -1,
  -1, 0, 0, 0, 0
#endif
};

LANE_INLINE lane_vector lanes_from(lane_vector v, int64_t begin)
{
  return (lane_vector)((lane_bits)v & *(const lane_bits *)(bits_of + LANES - begin));
}

LANE_INLINE lane_vector lanes_until(lane_vector v, int64_t end)
{
  return (lane_vector)((lane_bits)v & *(const lane_bits *)(bits_of + 2 * LANES - end));
}

/* Do spectra leave whole vectors between the modes and their mirrors, so that spectrum_at() serves? */
static int spectra_are_short(int64_t n, int64_t kept) { return 2 * (kept + LANES) <= n; }

/* Elements at .. at + LANES - 1 of the complex line whose real and imaginary parts are the two rows, as join() of
 * lines.c has it. Reads modes up to kept + LANES - 2. */
LANE_INLINE lane_row spectrum_at(const rows_source *from, int64_t at)
{
  const int64_t n = from->n, kept = from->kept, mirrored = at + LANES > n - kept + 1;
  if (at >= kept && !mirrored) return (lane_row){{0}, {0}};
  const int64_t first = mirrored ? n - at - LANES + 1 : at;
  const triad_real *a = &from->a[first].re, *b = &from->b[first].re;
  const lane_vector a0 = vector_at(a), a1 = vector_at(a + LANES), b0 = vector_at(b), b1 = vector_at(b + LANES);
  lane_vector ar = ROWS_EVEN(a0, a1), ai = ROWS_ODD(a0, a1), br = ROWS_EVEN(b0, b1), bi = ROWS_ODD(b0, b1);
  if (at == 0) { /* the mean is real */
    ai = lanes_from(ai, 1);
    bi = lanes_from(bi, 1);
  }
  lane_vector re = ar - bi, im = ai + br;
  if (mirrored) {
    re = ar + bi;
    im = br - ai;
    re = ROWS_REVERSED(re);
    im = ROWS_REVERSED(im);
    if (at > n - kept) return (lane_row){re, im};
    return (lane_row){lanes_from(re, n - kept + 1 - at), lanes_from(im, n - kept + 1 - at)};
  }
  if (at + LANES <= kept) return (lane_row){re, im};
  return (lane_row){lanes_until(re, kept - at), lanes_until(im, kept - at)};
}

/* LANES groups of the first stage, the first of which is p, transposed. */
LANE_INLINE void first_groups(const triad_lane_stage *g, int64_t p, const rows_source *source, const int from,
                              lane_vector *re, lane_vector *im)
{
  const triad_real *w = g->factors + 2 * p * (LANES - 1);
  const rows_parts in = source->in;
  lane_row v[LANES];
  LANE_UNROLL for (int j = 0; j < LANES; j++)
  {
    const int64_t at = p + j * g->m;
    if (from == FROM_SPECTRA) {
      const lane_row z = spectrum_at(source, at);
      v[j] = (lane_row){z.im, z.re}; /* backward: parts swapped */
    } else if (from == FROM_PAIRS) {
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
}

LANE_INLINE void first_stage(const triad_lane_stage *g, const rows_source *source, rows_parts out, const int from)
{
  for (int64_t p = 0; p < g->m; p += LANES) {
    lane_vector re[LANES], im[LANES];
    first_groups(g, p, source, from, re, im);
    LANE_UNROLL for (int i = 0; i < LANES; i++)
    {
      vector_to(out.re + (p + i) * LANES, re[i]);
      vector_to(out.im + (p + i) * LANES, im[i]);
    }
  }
}

static void first_of_parts(const triad_lane_stage *g, const rows_source *from, rows_parts out)
{
  first_stage(g, from, out, FROM_PARTS);
}
static void first_of_pairs(const triad_lane_stage *g, const rows_source *from, rows_parts out)
{
  first_stage(g, from, out, FROM_PAIRS);
}
static void first_of_spectra(const triad_lane_stage *g, const rows_source *from, rows_parts out)
{
  first_stage(g, from, out, FROM_SPECTRA);
}

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

/* A line of LANES^2 points has two stages, all of it in registers: LANES vectors of results. */
static int fits_registers(const triad_lane_plan *plan)
{
  return LANES == 8 && plan->n == LANES * LANES && plan->n_stages == 2;
}

LANE_INLINE void whole_line(const triad_lane_plan *plan, const rows_source *source, const int from, lane_row *v)
{
  lane_vector re[LANES], im[LANES];
  first_groups(&plan->stage[0], 0, source, from, re, im);
  LANE_UNROLL for (int i = 0; i < LANES; i++) v[i] = (lane_row){re[i], im[i]};
  if (LANES == 8) lane_eight(v);
  else lane_four(v);
}

static void whole_line_backward(const triad_lane_plan *plan, const rows_source *source, triad_real *values)
{
  lane_row v[LANES];
  whole_line(plan, source, FROM_SPECTRA, v);
  LANE_UNROLL for (int i = 0; i < LANES; i++) put((rows_parts){values, NULL}, (int64_t)i * LANES, v[i], TO_SWAPPED);
}

/* Stages 1 .. stages - 1: from one to the other, the last to `out`. */
static void later_stages(const triad_lane_plan *plan, int stages, rows_parts one, rows_parts other, rows_parts out,
                         int swapped)
{
  for (int i = 1; i < stages; i++) {
    const int last = i == stages - 1;
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

/* The spectra of the two rows, modes k .. k + LANES - 1, of the complex line's elements k + i and n - k - i. */
LANE_INLINE void part_lanes(lane_row p, lane_row mirror, int64_t k, int64_t kept, triad_cplx *a, triad_cplx *b)
{
  const triad_real half = (triad_real)0.5;
  const lane_vector ar = half * (p.re + mirror.re), ai = half * (p.im - mirror.im), br = half * (p.im + mirror.im),
                    bi = half * (mirror.re - p.re);
  if (k + LANES <= kept) {
    vector_to(&a[k].re, ROWS_LOW(ar, ai));
    vector_to(&a[k].re + LANES, ROWS_HIGH(ar, ai));
    vector_to(&b[k].re, ROWS_LOW(br, bi));
    vector_to(&b[k].re + LANES, ROWS_HIGH(br, bi));
    return;
  }
  triad_cplx last[2][LANES];
  vector_to(&last[0][0].re, ROWS_LOW(ar, ai));
  vector_to(&last[0][0].re + LANES, ROWS_HIGH(ar, ai));
  vector_to(&last[1][0].re, ROWS_LOW(br, bi));
  vector_to(&last[1][0].re + LANES, ROWS_HIGH(br, bi));
  for (int64_t i = k; i < kept; i++) a[i] = last[0][i - k];
  for (int64_t i = k; i < kept; i++) b[i] = last[1][i - k];
}

#ifdef ROWS_MIRROR

static void whole_line_forward(const triad_lane_plan *plan, int64_t kept, const rows_source *source, triad_cplx *a,
                               triad_cplx *b)
{
  lane_row v[LANES];
  whole_line(plan, source, FROM_PAIRS, v);
  LANE_UNROLL for (int i = 0; i <= LANES / 2; i++)
  {
    const lane_row high = v[LANES - 1 - i], low = v[(LANES - i) % LANES];
    const lane_row mirror = {ROWS_MIRROR(high.re, low.re), ROWS_MIRROR(high.im, low.im)};
    if (i * LANES < kept) part_lanes(v[i], mirror, (int64_t)i * LANES, kept, a, b);
  }
}

#endif

/* A last stage of radix 2, whose results become the two spectra at once: elements of `in` and those half a line
 * further. */
static void part_halves(int64_t n, int64_t kept, rows_parts in, triad_cplx *a, triad_cplx *b)
{
  const int64_t half = n / 2;
  const triad_real re = in.re[0] + in.re[half], im = in.im[0] + in.im[half];
  for (int64_t k = 1; k < kept; k += LANES) {
    const int64_t from = half - k - LANES + 1; /* element n - k is number half - k, less the one half a line further */
    const lane_row p = {vector_at(in.re + k) + vector_at(in.re + half + k),
                        vector_at(in.im + k) + vector_at(in.im + half + k)};
    const lane_vector qr = vector_at(in.re + from) - vector_at(in.re + half + from),
                      qi = vector_at(in.im + from) - vector_at(in.im + half + from);
    part_lanes(p, (lane_row){ROWS_REVERSED(qr), ROWS_REVERSED(qi)}, k, kept, a, b);
  }
  a[0] = (triad_cplx){re, 0};
  b[0] = (triad_cplx){im, 0};
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
  const rows_source spectra = {.n = plan->n, .kept = kept, .a = a, .b = b}, parts = {.in = {z.im, z.re}};
  const int is_short = spectra_are_short(plan->n, kept);
  if (is_short && fits_registers(plan)) {
    whole_line_backward(plan, &spectra, values);
    return;
  }
  if (is_short) first_of_spectra(&plan->stage[0], &spectra, one);
  else {
    join_parts(plan->n, kept, a, b, z);
    first_of_parts(&plan->stage[0], &parts, one);
  }
  later_stages(plan, plan->n_stages, one, z, (rows_parts){values, NULL}, 1);
}

void triad_lane_rows_forward(const triad_lane_plan *plan, int64_t kept, const triad_real *values, triad_real *room,
                             triad_cplx *a, triad_cplx *b)
{
  const rows_parts one = room_for(plan->n, room, 0), other = room_for(plan->n, room, 1), z = room_for(plan->n, room, 2);
  const rows_source pairs = {.in = {(triad_real *)(uintptr_t)values, NULL}};
  const int is_short = spectra_are_short(plan->n, kept);
#ifdef ROWS_MIRROR
  if (is_short && fits_registers(plan)) {
    whole_line_forward(plan, kept, &pairs, a, b);
    return;
  }
#endif
  first_of_pairs(&plan->stage[0], &pairs, one);
  if (is_short && plan->n_stages > 2 && plan->stage[plan->n_stages - 1].radix == 2) {
    later_stages(plan, plan->n_stages - 1, one, other, z, 0);
    part_halves(plan->n, kept, z, a, b);
    return;
  }
  later_stages(plan, plan->n_stages, one, other, z, 0);
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
