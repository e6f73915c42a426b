#include "solvers/spectral/measure/probes.h"
#include "case/probe.h"
#include "parallel/sum.h"

#include <math.h>
#include <string.h>

/* Columns of the file that holds them as text are a thousand fields' at most, of few places then. */
enum { MOST_NUMBERS = 5000, PARTS = 4 /* of two modes +-kz: real and imaginary part of their sum and difference */ };

typedef struct lattice {
  int64_t first, z, n[3]; /* its first place, its first number along z */
  double *x, *y;          /* cos, sin of kx x [n x][kx], of ky y [n y][ky + Ky] */
} lattice;

struct triad_probes {
  triad_flow *flow;
  int n_lattices;
  lattice lattices[TRIAD_PROBES];
  int64_t n, n_z, kx, ky, kz; /* places, values of z; the highest wavenumber of each axis */
  double *x;                  /* [n][3]                                                   */
  double *z;                  /* cos, sin of kz z [n z][kz]                               */
  triad_sum *sums;            /* [threads][n][fields]                                     */
  double *parts, *columns;    /* [threads][kz][PARTS][TRIAD_LANES]; [threads][n z][2][TRIAD_LANES] */
};

static int read_list(const triad_case *given, triad_probe list[TRIAD_PROBES])
{
  const char *texts[TRIAD_PROBES];
  char why[256];
  int n = triad_case_texts(given, "output.probes", texts, TRIAD_PROBES);
  for (int i = 0; i < n; i++) (void)triad_probe_read(texts[i], &list[i], why, sizeof why); /* checked with the case */
  return n;
}

int triad_probes_check(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  triad_probe list[TRIAD_PROBES];
  int n = read_list(given, list);
  int64_t places = triad_probe_places(list, n);
  if (n > 0 && grid->truncation == TRIAD_NONE)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "output.probes: with grid.truncation = \"none\" modes have no values between points");
  if (places * shape->n_fields > MOST_NUMBERS)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "output.probes: %lld places of %d fields are more than %d numbers a row",
                      (long long)places, shape->n_fields, MOST_NUMBERS);
  return TRIAD_OK;
}

int64_t triad_probes_memory(const triad_case *given, const triad_grid *grid, const triad_shape *shape, int threads)
{
  triad_probe list[TRIAD_PROBES];
  int n = read_list(given, list);
  int64_t z = 0, tables = 0, pairs = grid->kmax[2] + 1, real = (int64_t)sizeof(double);
  for (int i = 0; i < n; i++) {
    z += list[i].n[2];
    tables += 2 * (list[i].n[0] * (grid->kmax[0] + 1) + list[i].n[1] * (2 * grid->kmax[1] + 1));
  }
  int64_t own = triad_probe_places(list, n) * shape->n_fields * (int64_t)sizeof(triad_sum);
  return (2 * z * pairs + tables) * real + threads * (own + (n ? PARTS * pairs + 2 * z : 0) * TRIAD_LANES * real);
}

/* ---- create, destroy ---- */

/* cos and sin of k at, k = first .. last; the phase is taken of the coordinate within the box. */
static void waves(int64_t first, int64_t last, double at, double length, double *out)
{
  double part = fmod(at, length) / length;
  for (int64_t k = first; k <= last; k++, out += 2) {
    double phase = 2 * TRIAD_PI * fmod((double)k * part, 1);
    out[0] = cos(phase);
    out[1] = sin(phase);
  }
}

static void set_places(triad_probes *p, const lattice *g, const triad_probe *from, const double length[3])
{
  double *x = p->x + 3 * g->first;
  for (int64_t k = 0; k < g->n[2]; k++)
    for (int64_t j = 0; j < g->n[1]; j++)
      for (int64_t i = 0; i < g->n[0]; i++) {
        *x++ = triad_probe_at(from, 0, i, length[0]);
        *x++ = triad_probe_at(from, 1, j, length[1]);
        *x++ = triad_probe_at(from, 2, k, length[2]);
      }
}

static int take_lattice(triad_probes *p, lattice *g, const triad_probe *from)
{
  triad_memory *memory = p->flow->context->memory;
  const double *length = p->flow->grid.length;
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", 2 * g->n[0] * (p->kx + 1), &g->x));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", 2 * g->n[1] * (2 * p->ky + 1), &g->y));
  for (int64_t i = 0; i < g->n[0]; i++)
    waves(0, p->kx, triad_probe_at(from, 0, i, length[0]), length[0], g->x + 2 * i * (p->kx + 1));
  for (int64_t i = 0; i < g->n[1]; i++)
    waves(-p->ky, p->ky, triad_probe_at(from, 1, i, length[1]), length[1], g->y + 2 * i * (2 * p->ky + 1));
  for (int64_t i = 0; i < g->n[2]; i++)
    waves(0, p->kz, triad_probe_at(from, 2, i, length[2]), length[2], p->z + 2 * (g->z + i) * (p->kz + 1));
  set_places(p, g, from, length);
  return TRIAD_OK;
}

static int create_own(triad_probes *p, const triad_probe *list)
{
  triad_memory *memory = p->flow->context->memory;
  const triad_grid *grid = &p->flow->grid;
  int64_t threads = p->flow->context->threads;
  p->kx = grid->kmax[0];
  p->ky = grid->kmax[1];
  p->kz = grid->kmax[2];
  for (int i = 0; i < p->n_lattices; i++) {
    lattice *g = &p->lattices[i];
    *g = (lattice){.first = p->n, .z = p->n_z, .n = {list[i].n[0], list[i].n[1], list[i].n[2]}};
    p->n += triad_probe_places(&list[i], 1);
    p->n_z += list[i].n[2];
  }
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", 3 * p->n, &p->x));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", 2 * p->n_z * (p->kz + 1), &p->z));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads * p->n * p->flow->shape.n_fields, &p->sums));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads * (p->kz + 1) * PARTS * TRIAD_LANES, &p->parts));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads * p->n_z * 2 * TRIAD_LANES, &p->columns));
  for (int i = 0; i < p->n_lattices; i++) TRIAD_TRY(take_lattice(p, &p->lattices[i], &list[i]));
  return TRIAD_OK;
}

int triad_probes_create(triad_probes **out, triad_flow *flow)
{
  triad_probe list[TRIAD_PROBES];
  int n = read_list(flow->given, list);
  *out = NULL;
  if (n == 0) return TRIAD_OK;
  int st = TRIAD_ALLOC(flow->context->memory, "probes", 1, out);
  if (st == TRIAD_OK) {
    (*out)->flow = flow;
    (*out)->n_lattices = n;
    st = create_own(*out, list);
  }
  st = triad_agree(&flow->context->comm, st);
  if (st != TRIAD_OK) triad_probes_destroy(out);
  return st;
}

void triad_probes_destroy(triad_probes **probes)
{
  triad_probes *p = *probes;
  if (!p) return;
  triad_memory *memory = p->flow->context->memory;
  for (int i = 0; i < p->n_lattices; i++) {
    TRIAD_FREE(memory, &p->lattices[i].x);
    TRIAD_FREE(memory, &p->lattices[i].y);
  }
  TRIAD_FREE(memory, &p->columns);
  TRIAD_FREE(memory, &p->parts);
  TRIAD_FREE(memory, &p->sums);
  TRIAD_FREE(memory, &p->z);
  TRIAD_FREE(memory, &p->x);
  TRIAD_FREE(memory, probes);
}

void triad_probes_info(const triad_probes *p, triad_places_info *info)
{
  *info = (triad_places_info){0};
  if (p) *info = (triad_places_info){p->n, p->x, p->flow->shape.n_fields, p->flow->shape.fields};
}

/* ---- sums ---- */

/* Modes +-kz of a block's columns as their sums and differences; how many kz its columns reach. */
static int64_t fold(const triad_layout *l, const triad_cplx *u, int64_t block, double *parts)
{
  int64_t most = 0;
  for (int64_t i = 0; i < TRIAD_LANES; i++)
    if (l->kz_extent[block * TRIAD_LANES + i] > most) most = l->kz_extent[block * TRIAD_LANES + i];
  u += block * l->nkz * TRIAD_LANES;
  for (int64_t k = 0; k <= most; k++, parts += PARTS * TRIAD_LANES) {
    const triad_cplx *a = u + k * TRIAD_LANES, *b = u + (l->nkz - k) * TRIAD_LANES;
    for (int64_t i = 0; i < TRIAD_LANES; i++) {
      double re = k > 0 ? (double)b[i].re : 0, im = k > 0 ? (double)b[i].im : 0;
      parts[i] = (double)a[i].re + re;
      parts[TRIAD_LANES + i] = (double)a[i].im + im;
      parts[2 * TRIAD_LANES + i] = (double)a[i].re - re;
      parts[3 * TRIAD_LANES + i] = (double)a[i].im - im;
    }
  }
  return most + 1;
}

/* Two values of z at once, which share what is loaded: out[2][2][TRIAD_LANES]. */
static void along_z(const double *parts, int64_t n, const double *first, const double *second, double *out)
{
  double s[4][TRIAD_LANES] = {{0}};
  for (int64_t k = 0; k < n; k++, parts += PARTS * TRIAD_LANES) {
    const double c = first[2 * k], d = first[2 * k + 1], e = second[2 * k], f = second[2 * k + 1];
    const double *b = parts + 2 * TRIAD_LANES;
#pragma omp simd
    for (int64_t i = 0; i < TRIAD_LANES; i++) {
      s[0][i] += parts[i] * c - b[TRIAD_LANES + i] * d;
      s[1][i] += parts[TRIAD_LANES + i] * c + b[i] * d;
      s[2][i] += parts[i] * e - b[TRIAD_LANES + i] * f;
      s[3][i] += parts[TRIAD_LANES + i] * e + b[i] * f;
    }
  }
  memcpy(out, s, sizeof s);
}

static void all_along_z(const triad_probes *p, const double *parts, int64_t n, double *columns)
{
  const int64_t row = 2 * (p->kz + 1);
  double two[4 * TRIAD_LANES];
  for (int64_t z = 0; z < p->n_z; z += 2) {
    int last = z + 1 == p->n_z;
    along_z(parts, n, p->z + z * row, p->z + (last ? z : z + 1) * row, two);
    memcpy(columns + 2 * z * TRIAD_LANES, two, (last ? sizeof two / 2 : sizeof two));
  }
}

/* A block's columns, summed along kz, at the places of a lattice. */
static void add_lattice(const triad_probes *p, const lattice *g, int64_t block, const double *columns, int f, triad_sum *sums)
{
  const triad_layout *l = p->flow->layout;
  const int32_t *kx = l->kx + block * TRIAD_LANES, *ky = l->ky + block * TRIAD_LANES;
  const double *weight = l->weight + block * TRIAD_LANES;
  const int fields = p->flow->shape.n_fields;
  triad_sum *to = sums + g->first * fields + f;
  for (int64_t k = 0; k < g->n[2]; k++)
    for (int64_t j = 0; j < g->n[1]; j++) {
      const double *re = columns + 2 * (g->z + k) * TRIAD_LANES, *im = re + TRIAD_LANES;
      const double *wave = g->y + 2 * (j * (2 * p->ky + 1) + p->ky);
      double a[TRIAD_LANES], b[TRIAD_LANES];
      for (int64_t i = 0; i < TRIAD_LANES; i++) {
        const double *y = wave + 2 * ky[i];
        a[i] = weight[i] * (re[i] * y[0] - im[i] * y[1]);
        b[i] = weight[i] * (re[i] * y[1] + im[i] * y[0]);
      }
      for (int64_t x = 0; x < g->n[0]; x++, to += fields)
        for (int64_t i = 0; i < TRIAD_LANES; i++) {
          const double *wave_x = g->x + 2 * (x * (p->kx + 1) + kx[i]);
          if (weight[i] > 0) triad_sum_add(to, a[i] * wave_x[0] - b[i] * wave_x[1]);
        }
    }
}

/* Blocks begin .. end - 1, by one thread. */
static void add_blocks(const triad_probes *p, int64_t begin, int64_t end, int thread)
{
  const triad_flow *flow = p->flow;
  const int fields = flow->shape.n_fields;
  triad_sum *sums = p->sums + thread * p->n * fields;
  double *parts = p->parts + thread * (p->kz + 1) * PARTS * TRIAD_LANES;
  double *columns = p->columns + thread * p->n_z * 2 * TRIAD_LANES;
  for (int64_t i = 0; i < p->n * fields; i++) triad_sum_clear(&sums[i]);
  for (int64_t b = begin; b < end; b++)
    for (int f = 0; f < fields; f++) {
      int64_t n = fold(flow->layout, flow->u[f], b, parts);
      all_along_z(p, parts, n, columns);
      for (int g = 0; g < p->n_lattices; g++) add_lattice(p, &p->lattices[g], b, columns, f, sums);
    }
}

int triad_probes_values(triad_probes *p, double *values)
{
  const triad_context *context = p->flow->context;
  const int threads = context->threads;
  const int64_t blocks = p->flow->layout->n_blocks;
  TRIAD_TRY(triad_state_read_all(p->flow->state, TRIAD_HOST));
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int i = 0; i < threads; i++) add_blocks(p, triad_deal(blocks, i, threads), triad_deal(blocks, i + 1, threads), i);
  return triad_sum_threads(&context->comm, p->sums, p->n * p->flow->shape.n_fields, threads, values);
}
