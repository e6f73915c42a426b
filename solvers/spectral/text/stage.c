/* A stage of equations as text is one pass: inputs (fields, or operators on them) go to points, products of up to three
 * of them are formed there, and combinations of products come back, whose operators make the rates. */
#include "solvers/spectral/text/set.h"

#include "fft/pass/transform.h"
#include "solvers/spectral/equations/loops.h"
#include "solvers/spectral/text/text_points.h"

#include <math.h>
#include <string.h>

void triad_text_source_of(void *self, int pass, const triad_batch *block, const triad_cplx *const *u,
                          triad_cplx *const *in)
{
  const triad_text_set *s = self;
  const triad_layout *l = block->layout;
  (void)pass;
  for (int i = 0; i < s->n_sources; i++) {
    const triad_text_link *x = &s->source[i];
    const int first = i == 0 || s->source[i - 1].to != x->to;
    if (first && x->way == TRIAD_TEXT_BY_NUMBER && fabs(x->c - 1) <= 0 &&
        (i + 1 == s->n_sources || s->source[i + 1].to != x->to)) {
      triad_batch_put(block, u[x->from], in[x->to]);
      continue;
    }
    for (int64_t j = 0; j < l->nkz; j++) {
      const int64_t at = (block->block * l->nkz + j) * TRIAD_LANES;
      triad_cplx *to = triad_batch_row(block, in[x->to], j);
      triad_text_link_row(first, x, block, j, at, u[x->from] + at, to);
    }
  }
}

/* out += c (or =, the first time) times a product at n points. */
static void add_product(const triad_text_set *s, const triad_patch *at, int product, double number, int first,
                        triad_real *const *in, triad_real *out)
{
  const triad_text_product *p = &s->schedule->product[product];
  const triad_real c = (triad_real)number;
  const int64_t n = at->n;
  const triad_real *a = p->n > 0 ? in[p->input[0]] : NULL, *b = p->n > 1 ? in[p->input[1]] : NULL;
  const triad_real *d = p->n > 2 ? in[p->input[2]] : NULL;
  if (first)
    for (int64_t i = 0; i < n; i++) out[i] = 0;
  if (p->profile >= 0) {
    const int64_t nx = s->grid.n[0], rows = n / nx, row = triad_layout_row(s->layout, at->y, at->z);
    for (int64_t r = 0; r < rows; r++)
      for (int64_t x = 0; x < nx; x++) {
        const int64_t i = x * rows + r;
        triad_real v = c * s->profile[p->profile][row + r * nx + x];
        if (a) v *= a[i];
        if (b) v *= b[i];
        if (d) v *= d[i];
        out[i] += v;
      }
    return;
  }
  if (p->n == 1) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] += c * a[i];
  } else if (p->n == 2) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] += c * a[i] * b[i];
  } else {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] += c * a[i] * b[i] * d[i];
  }
}

enum { JOINED = 4 };

/* The factors of products that are summed in one loop. */
typedef struct pairs {
  const triad_real *a[JOINED], *b[JOINED];
  triad_real c[JOINED];
} pairs;

static inline __attribute__((always_inline)) triad_real pair_sum(int count, const pairs *q, int64_t i)
{
  triad_real sum = q->c[0] * (q->a[0][i] * q->b[0][i]);
  if (count > 1) sum += q->c[1] * (q->a[1][i] * q->b[1][i]);
  if (count > 2) sum += q->c[2] * (q->a[2][i] * q->b[2][i]);
  if (count > 3) sum += q->c[3] * (q->a[3][i] * q->b[3][i]);
  return sum;
}

static inline __attribute__((always_inline)) void sum_pairs(int count, int more, const pairs *p, int64_t n,
                                                            triad_real *out)
{
  const pairs q = *p;
#pragma omp simd
  for (int64_t i = 0; i < n; i++) out[i] = more ? out[i] + pair_sum(count, &q, i) : pair_sum(count, &q, i);
}

static int is_pairs(const triad_text_schedule *q, const triad_text_output *o)
{
  for (int k = 0; k < o->n; k++)
    if (!triad_text_is_pair(&q->product[o->product[k]])) return 0;
  return o->n > 0;
}

/* Products of two fields, as most outputs are: up to four of them in one loop. */
static void pair_products(const triad_text_schedule *q, const triad_text_output *o, int64_t n, triad_real *const *in,
                          triad_real *out)
{
  for (int first = 0; first < o->n; first += JOINED) {
    const int count = o->n - first < JOINED ? o->n - first : JOINED;
    pairs p;
    for (int k = 0; k < JOINED; k++) {
      const int of = first + (k < count ? k : 0); /* a place that is left has the factor 0 */
      p.a[k] = in[q->product[o->product[of]].input[0]];
      p.b[k] = in[q->product[o->product[of]].input[1]];
      p.c[k] = k < count ? (triad_real)o->c[of] : 0;
    }
    if (first > 0) sum_pairs(JOINED, 1, &p, n, out);
    else if (count == 1) sum_pairs(1, 0, &p, n, out);
    else if (count == 2) sum_pairs(2, 0, &p, n, out);
    else if (count == 3) sum_pairs(3, 0, &p, n, out);
    else sum_pairs(JOINED, 0, &p, n, out);
  }
}

enum { PLAIN = 6 };

/* sum_i |u_i|/dx_i of single fields, the common case, as one loop. */
static int is_plain(const triad_text_schedule *q)
{
  for (int k = 0; k < q->n_speeds; k++)
    if (q->speed[k].n != 1 || q->speed[k].root || q->speed[k].profile[0] >= 0 ||
        (k > 0 && q->speed[k].axis == q->speed[k - 1].axis && q->speed[k].sum != q->speed[k - 1].sum))
      return 0;
  return q->n_speeds <= PLAIN;
}

typedef struct plain {
  const triad_real *v[PLAIN];
  triad_real w[PLAIN];
} plain;

static inline __attribute__((always_inline)) triad_real plain_at(int count, const plain *p, int64_t i)
{
  triad_real x = p->w[0] * (triad_real)fabs(p->v[0][i]) + p->w[1] * (triad_real)fabs(p->v[1][i]) +
                 p->w[2] * (triad_real)fabs(p->v[2][i]);
  if (count > 3)
    x += p->w[3] * (triad_real)fabs(p->v[3][i]) + p->w[4] * (triad_real)fabs(p->v[4][i]) +
         p->w[5] * (triad_real)fabs(p->v[5][i]);
  return x;
}

static inline triad_real larger(triad_real a, triad_real b) { return a > b ? a : b; }

static inline __attribute__((always_inline)) double plain_sum(int count, const triad_text_schedule *q, int64_t n,
                                                              triad_real *const *in)
{
  plain p;
  triad_real fastest = 0, finite = 0;
  for (int k = 0; k < PLAIN; k++) {
    p.v[k] = in[k < q->n_speeds ? q->speed[k].input[0] : 0];
    p.w[k] = k < q->n_speeds ? (triad_real)q->speed[k].weight : 0;
  }
#pragma omp simd reduction(max : fastest) reduction(+ : finite)
  for (int64_t i = 0; i < n; i++) {
    fastest = larger(plain_at(count, &p, i), fastest);
    finite += plain_at(count, &p, i) * 0;
  }
  return (double)(fastest + finite);
}

static double plain_rate(const triad_text_schedule *q, int64_t n, triad_real *const *in)
{
  return q->n_speeds <= 3 ? plain_sum(3, q, n, in) : plain_sum(PLAIN, q, n, in);
}

/* Points of a row at a time: what fits in the first-level cache. */
enum { PIECE = 256 };

/* Points of a row, or of two rows (fft/pass/pass.h). */
typedef struct place {
  const triad_text_set *set;
  int64_t row, rows; /* where the first row is in profiles; rows of the patch */
} place;

/* product *= a profile at n points from number `first` of the patch on. */
static void times_profile(const place *at, int profile, int64_t first, int n, triad_real *product)
{
  const triad_real *g = at->set->profile[profile] + at->row;
  const int64_t nx = at->set->grid.n[0];
  for (int i = 0; i < n; i++) product[i] *= g[(first + i) % at->rows * nx + (first + i) / at->rows];
}

/* sum += weight |in_0 in_1 ..|, or its root, at n points. */
static void add_speed(const triad_text_speed *v, const place *at, int n, triad_real *const *in, int64_t first,
                      triad_real *sum)
{
  const triad_real w = (triad_real)v->weight;
  triad_real product[PIECE];
  if (v->n == 1 && !v->root && v->profile[0] < 0) {
    const triad_real *a = in[v->input[0]] + first;
#pragma omp simd
    for (int i = 0; i < n; i++) sum[i] += w * (triad_real)fabs(a[i]);
    return;
  }
  for (int i = 0; i < n; i++) product[i] = 1;
  for (int f = 0; f < v->n; f++)
    for (int i = 0; i < n; i++) product[i] *= in[v->input[f]][first + i];
  for (int g = 0; g < 2; g++)
    if (v->profile[g] >= 0) times_profile(at, v->profile[g], first, n, product);
  if (v->root)
    for (int i = 0; i < n; i++) sum[i] += w * (triad_real)sqrt(fabs(product[i]));
  else
    for (int i = 0; i < n; i++) sum[i] += w * (triad_real)fabs(product[i]);
}

/* The largest rate at some points that limits the step: along each axis the largest of its sums. */
static triad_real piece_rate(const place *at, int n, triad_real *const *in, int64_t first)
{
  const triad_text_schedule *q = at->set->schedule;
  triad_real all[PIECE] = {0}, most[PIECE] = {0}, sum[PIECE] = {0}, fastest = 0, finite = 0;
  for (int k = 0; k < q->n_speeds; k++) {
    const triad_text_speed *v = &q->speed[k];
    add_speed(v, at, n, in, first, sum);
    const int last = k + 1 == q->n_speeds, next_axis = last || q->speed[k + 1].axis != v->axis;
    if (!next_axis && q->speed[k + 1].sum == v->sum) continue;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      most[i] = sum[i] > most[i] ? sum[i] : most[i];
      sum[i] = 0;
    }
    if (!next_axis) continue;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      all[i] += most[i];
      most[i] = 0;
    }
  }
#pragma omp simd reduction(max : fastest)
  for (int i = 0; i < n; i++) fastest = all[i] > fastest ? all[i] : fastest;
  for (int f = 0; f < q->n_inputs; f++) { /* not a number, if one of all inputs is not finite */
    const triad_real *a = in[f] + first;
#pragma omp simd reduction(+ : finite)
    for (int i = 0; i < n; i++) finite += a[i] * 0;
  }
  return fastest + finite;
}

static double fastest_rate(const triad_text_set *s, const triad_patch *at, triad_real *const *in)
{
  const int64_t n = at->n;
  const place place_of = {s, triad_layout_row(s->layout, at->y, at->z), n / s->grid.n[0]};
  double fastest = 0;
  for (int64_t first = 0; first < n; first += PIECE) {
    const double here = (double)piece_rate(&place_of, (int)(n - first < PIECE ? n - first : PIECE), in, first);
    if (!(here <= fastest)) fastest = here;
    if (isnan(fastest)) return fastest;
  }
  return fastest;
}

void triad_text_points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                       double *peaks)
{
  const triad_text_set *s = self;
  const triad_text_schedule *q = s->schedule;
  (void)pass;
  for (int o = 0; o < q->n_outputs; o++) {
    const triad_text_output *of = &q->output[o];
    if (is_pairs(q, of)) {
      pair_products(q, of, at->n, in, out[o]);
      continue;
    }
    for (int k = 0; k < of->n; k++) add_product(s, at, of->product[k], of->c[k], k == 0, in, out[o]);
  }
  triad_peak_raise(peaks, is_plain(q) ? plain_rate(q, at->n, in) : fastest_rate(s, at, in));
}

/* Gradients add nothing to solenoidal vectors, and their mean is fixed. */
static void project(const triad_batch *b, int64_t j, triad_lane_row *n)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  const triad_real kz = (triad_real)l->wz[j];
#pragma omp simd
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], kz};
    const triad_cplx s[3] = {n[0][i], n[1][i], n[2][i]};
    triad_cplx r[3];
    triad_text_project_rates(k, s, r);
    for (int c = 0; c < 3; c++) n[c][i] = r[c];
  }
}

static void project_all(const triad_text_set *s, const triad_batch *b, int64_t j, triad_lane_row *n)
{
  for (int f = 0; f < s->text->n_fields; f++)
    if (s->projected[f]) project(b, j, n + f);
}

void triad_text_rates(const void *self, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_row *n)
{
  const triad_text_set *s = self;
  const triad_text *text = s->text;
  const triad_layout *l = b->layout;
  const int64_t at = (b->block * l->nkz + j) * TRIAD_LANES;
  for (int f = 0; f < text->n_fields; f++)
    if (!s->has_rate[f]) memset(n[f], 0, sizeof n[f]);
  for (int i = 0; i < s->n_rates; i++) {
    const triad_text_link *x = &s->rate[i];
    triad_text_link_row(x->first, x, b, j, at, x->from < s->n_results ? t[x->from] : u[x->from - s->n_results],
                        n[x->to]);
  }
  if (l->kz[j] == 0)
    for (int i = 0; i < TRIAD_LANES; i++) {
      const int64_t c = b->block * TRIAD_LANES + i;
      if (l->kx[c] != 0 || l->ky[c] != 0 || l->kz_extent[c] < 0) continue;
      for (int f = 0; f < text->n_fields; f++) n[f][i].re += (triad_real)s->constant[f];
    }
  project_all(s, b, j, n);
}

void triad_text_product_rates(const triad_text_set *s, const triad_batch *b, int64_t j, const triad_cplx *const *t,
                              triad_lane_row *n)
{
  const int64_t at = (b->block * b->layout->nkz + j) * TRIAD_LANES;
  memset(n, 0, (size_t)s->text->n_fields * sizeof *n);
  for (int i = 0; i < s->n_rates; i++)
    if (s->rate[i].from < s->n_results)
      triad_text_link_row(0, &s->rate[i], b, j, at, t[s->rate[i].from], n[s->rate[i].to]);
  project_all(s, b, j, n);
}
