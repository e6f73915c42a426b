/* Sum the modes at probe points exactly: along kz for each z, then over columns for each x and y. */
#include "solvers/spectral/probes/probes.h"
#include "case/probe.h"
#include "parallel/lane_sums.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/plain/probe_inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of the file that holds them as text are a thousand fields' at most, of few places then. */
enum {
  MOST_NUMBERS = 5000,
  PARTS = 4 /* of two modes +-kz: real and imaginary part of their sum and difference */,
  ABREAST = 4 /* values of z that are summed at once */
};

typedef double lanes[TRIAD_LANES];

typedef struct lattice {
  int64_t first, z, n[3]; /* its first place, its first number along z */
  double *x, *y;          /* cos, then sin, of kx x [n x][2][kx], of ky y [n y][2][ky + Ky] */
} lattice;

struct triad_probes {
  triad_flow *flow;
  triad_probe_inputs inputs;
  triad_field_info *told; /* [inputs.n_told] where quantities are among them */
  triad_own_names names;
  double *all, *room; /* [n][inputs]; for quantities */
  int n_lattices;
  lattice lattices[TRIAD_PROBES];
  int64_t n, n_z, kx, ky, kz; /* places, values of z; the highest wavenumber of each axis */
  double *x;                  /* [n][3]                                                   */
  double *z;                  /* cos, sin of kz z [n z][kz]                               */
  int64_t n_xy;               /* all numbers of the lattices along x and y                */
  double *lean;               /* cos, sin of -skew kx y [n y of all lattices][2][kx]; NULL: modes never lean */
  triad_sum *sums;            /* [threads][n][inputs]                                     */
  triad_lane_sums *lane_sums; /* [threads] of as many                                     */
  char *lane_memory;          /* [threads] of theirs                                      */
  lanes *parts, *columns;     /* [threads][kz][PARTS]; [threads][n z + ABREAST][2]        */
  lanes *waves;               /* [threads][n_xy][2] cos, sin of a block's columns         */
  triad_gpu_probes *gpu;      /* where the flow has a device, once it has been asked      */
  double *gpu_sums;           /* [inputs][n]                                              */
};

int triad_probes_check(const triad_case *given, const triad_grid *grid, const triad_shape *shape)
{
  triad_probe list[TRIAD_PROBES];
  int n = triad_probe_list(given, list);
  int64_t places = triad_probe_places(list, n);
  if (n > 0 && grid->truncation == TRIAD_NONE)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "output.probes: with grid.truncation = \"none\" values between points are "
                                      "undefined: use another truncation, or remove the probes");
  triad_probe_inputs inputs;
  TRIAD_TRY(triad_probe_inputs_of(&inputs, given, shape));
  if (n > 0 && places * inputs.n > MOST_NUMBERS)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "output.probes: %lld points with %d fields exceed %d numbers per row: use fewer points",
                      (long long)places, inputs.n, MOST_NUMBERS);
  return TRIAD_OK;
}

int64_t triad_probes_memory(const triad_case *given, const triad_grid *grid, const triad_shape *shape, int threads)
{
  triad_probe list[TRIAD_PROBES];
  int n = triad_probe_list(given, list);
  int64_t z = 0, xy = 0, tables = 0, pairs = grid->kmax[2] + 1, real = (int64_t)sizeof(double);
  for (int i = 0; i < n; i++) {
    z += list[i].n[2];
    xy += list[i].n[0] + list[i].n[1];
    tables += 2 * (list[i].n[0] * (grid->kmax[0] + 1) + list[i].n[1] * (2 * grid->kmax[1] + 1));
    if (grid->lean > 0) tables += 2 * list[i].n[1] * (grid->kmax[0] + 1);
  }
  triad_probe_inputs inputs;
  if (triad_probe_inputs_of(&inputs, given, shape) != TRIAD_OK) triad_message_clear(); /* the check reports it */
  int64_t places = triad_probe_places(list, n), numbers = places * inputs.n;
  tables += triad_probe_inputs_room(&inputs, places) + (inputs.n_told > inputs.n_fields ? numbers : 0);
  int64_t own = numbers * (int64_t)sizeof(triad_sum) + triad_lane_sums_bytes(numbers);
  return (2 * z * pairs + tables) * real +
         threads * (own + (n ? PARTS * pairs + 2 * (z + ABREAST + xy) : 0) * (int64_t)sizeof(lanes));
}

/* ---- create, destroy ---- */

/* cos and sin of k at, k = first .. last, each `step` behind the other, `apart` from each other; the phase is taken
 * of the coordinate within the box. */
static void waves(int64_t first, int64_t last, double at, double length, int64_t step, int64_t apart, double *out)
{
  double part = fmod(at, length) / length;
  for (int64_t k = first; k <= last; k++, out += step) {
    double phase = 2 * TRIAD_PI * fmod((double)k * part, 1);
    out[0] = cos(phase);
    out[apart] = sin(phase);
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
    waves(0, p->kx, triad_probe_at(from, 0, i, length[0]), length[0], 1, p->kx + 1, g->x + 2 * i * (p->kx + 1));
  for (int64_t i = 0; i < g->n[1]; i++)
    waves(-p->ky, p->ky, triad_probe_at(from, 1, i, length[1]), length[1], 1, 2 * p->ky + 1,
          g->y + 2 * i * (2 * p->ky + 1));
  for (int64_t i = 0; i < g->n[2]; i++)
    waves(0, p->kz, triad_probe_at(from, 2, i, length[2]), length[2], 2, 1, p->z + 2 * (g->z + i) * (p->kz + 1));
  set_places(p, g, from, length);
  return TRIAD_OK;
}

/* Each thread's begins at a multiple of 64 bytes. */
static int64_t lane_room(int64_t numbers) { return (triad_lane_sums_bytes(numbers) + 63) / 64 * 64; }

/* Allocate fields and quantities in the form in which they are written, if there are quantities. */
static int take_quantities(triad_probes *p)
{
  triad_memory *memory = p->flow->context->memory;
  const triad_shape *shape = &p->flow->shape;
  TRIAD_TRY(triad_probe_inputs_of(&p->inputs, p->flow->given, shape));
  if (p->inputs.n_told == p->inputs.n_fields) return TRIAD_OK;
  triad_own_names_of(p->flow->given, &p->names);
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", p->inputs.n_told, &p->told));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", p->n * p->inputs.n, &p->all));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", triad_probe_inputs_room(&p->inputs, p->n), &p->room));
  for (int f = 0; f < p->inputs.n_told; f++) {
    const int own = f < shape->n_fields ? 0 : p->inputs.own[f - shape->n_fields];
    p->told[f] = f < shape->n_fields
                   ? shape->fields[f]
                   : (triad_field_info){p->names.name[own], p->names.formula[own], p->names.unit[own], TRIAD_SCALAR};
  }
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
  int64_t n_y = 0;
  for (int i = 0; i < p->n_lattices; i++) {
    lattice *g = &p->lattices[i];
    *g = (lattice){.first = p->n, .z = p->n_z, .n = {list[i].n[0], list[i].n[1], list[i].n[2]}};
    p->n += triad_probe_places(&list[i], 1);
    p->n_z += list[i].n[2];
    p->n_xy += list[i].n[0] + list[i].n[1];
    n_y += list[i].n[1];
  }
  if (grid->lean > 0) TRIAD_TRY(TRIAD_ALLOC(memory, "probes", 2 * n_y * (p->kx + 1), &p->lean));
  TRIAD_TRY(take_quantities(p));
  const int64_t numbers = p->n * p->inputs.n;
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", 3 * p->n, &p->x));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", 2 * p->n_z * (p->kz + 1), &p->z));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads * numbers, &p->sums));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads, &p->lane_sums));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads * lane_room(numbers), &p->lane_memory));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads * (p->kz + 1) * PARTS, &p->parts));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads * (p->n_z + ABREAST) * 2, &p->columns));
  TRIAD_TRY(TRIAD_ALLOC(memory, "probes", threads * p->n_xy * 2, &p->waves));
  for (int64_t t = 0; t < threads; t++)
    triad_lane_sums_create(&p->lane_sums[t], numbers, p->lane_memory + t * lane_room(numbers), p->sums + t * numbers);
  for (int i = 0; i < p->n_lattices; i++) TRIAD_TRY(take_lattice(p, &p->lattices[i], &list[i]));
  return TRIAD_OK;
}

int triad_probes_create(triad_probes **out, triad_flow *flow)
{
  triad_probe list[TRIAD_PROBES];
  int n = triad_probe_list(flow->given, list);
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
  if (p->gpu) triad_spectral_gpu->measure->probes_destroy(&p->gpu);
  TRIAD_FREE(memory, &p->gpu_sums);
  for (int i = 0; i < p->n_lattices; i++) {
    TRIAD_FREE(memory, &p->lattices[i].x);
    TRIAD_FREE(memory, &p->lattices[i].y);
  }
  TRIAD_FREE(memory, &p->room);
  TRIAD_FREE(memory, &p->all);
  TRIAD_FREE(memory, &p->told);
  TRIAD_FREE(memory, &p->waves);
  TRIAD_FREE(memory, &p->lean);
  TRIAD_FREE(memory, &p->columns);
  TRIAD_FREE(memory, &p->parts);
  TRIAD_FREE(memory, &p->lane_memory);
  TRIAD_FREE(memory, &p->lane_sums);
  TRIAD_FREE(memory, &p->sums);
  TRIAD_FREE(memory, &p->z);
  TRIAD_FREE(memory, &p->x);
  TRIAD_FREE(memory, probes);
}

void triad_probes_info(const triad_probes *p, triad_places_info *info)
{
  *info = (triad_places_info){0};
  if (p) *info = (triad_places_info){p->n, p->x, p->inputs.n_told, p->told ? p->told : p->flow->shape.fields};
}

/* ---- sums ---- */

/* Modes +-kz of a block's columns as their sums and differences; how many kz its columns reach. A sweep over modes
 * waits for memory: `next`, of the block or field that comes next, is asked for meanwhile. */
static int64_t fold(const triad_layout *l, const triad_cplx *u, const triad_cplx *next, int64_t block,
                    lanes *restrict parts)
{
  enum { LINE = 64 / sizeof(triad_cplx) };
  int64_t most = 0;
  for (int64_t i = 0; i < TRIAD_LANES; i++)
    if (l->kz_extent[block * TRIAD_LANES + i] > most) most = l->kz_extent[block * TRIAD_LANES + i];
  u += block * l->nkz * TRIAD_LANES;
  for (int64_t k = 0; k <= most; k++, parts += PARTS) {
    const int64_t mirror = k > 0 ? l->nkz - k : 0;
    const triad_cplx *restrict a = u + k * TRIAD_LANES, *restrict b = u + mirror * TRIAD_LANES;
    const double other = k > 0; /* there is one */
    for (int i = 0; i < TRIAD_LANES; i += LINE) {
      __builtin_prefetch(next + k * TRIAD_LANES + i);
      __builtin_prefetch(next + mirror * TRIAD_LANES + i);
    }
#pragma omp simd
    for (int i = 0; i < TRIAD_LANES; i++) {
      const double re = other * (double)b[i].re, im = other * (double)b[i].im;
      parts[0][i] = (double)a[i].re + re;
      parts[1][i] = (double)a[i].im + im;
      parts[2][i] = (double)a[i].re - re;
      parts[3][i] = (double)a[i].im - im;
    }
  }
  return most + 1;
}

/* Sums and differences of a field -> those of its derivative along an axis, i k of each mode; along z k has the
 * mode's sign. */
static void derive(const triad_layout *l, int64_t block, int along, int64_t n, lanes *parts)
{
  const double *across = along == 0 ? l->wx : l->wy;
  const int sum = along == 2 ? 2 : 0; /* of which the sum is made: differences along z, sums along x and y */
  for (int64_t k = 0; k < n; k++, parts += PARTS)
    for (int i = 0; i < TRIAD_LANES; i++) {
      const double w = along == 2 ? l->wz[k] : across[block * TRIAD_LANES + i];
      const double was[PARTS] = {parts[0][i], parts[1][i], parts[2][i], parts[3][i]};
      parts[0][i] = -w * was[sum + 1];
      parts[1][i] = w * was[sum];
      parts[2][i] = -w * was[3 - sum];
      parts[3][i] = w * was[2 - sum];
    }
}

/* ABREAST values of z at once, which share what is loaded; wave[z]: cos, sin of kz z. */
static inline __attribute__((always_inline)) void along_z(const lanes *parts, int64_t n,
                                                          const double *const wave[ABREAST], const int lane, lanes *out)
{
  triad_sum_lanes s[ABREAST][2] = {{{0}}};
  for (int64_t k = 0; k < n; k++, parts += PARTS) {
    triad_sum_lanes p[PARTS];
    for (int q = 0; q < PARTS; q++) p[q] = *(const triad_sum_lanes *)&parts[q][lane];
    for (int z = 0; z < ABREAST; z++) {
      const double c = wave[z][2 * k], d = wave[z][2 * k + 1];
      s[z][0] += p[0] * c - p[3] * d;
      s[z][1] += p[1] * c + p[2] * d;
    }
  }
  for (int z = 0; z < ABREAST; z++)
    for (int part = 0; part < 2; part++) *(triad_sum_lanes *)&out[2 * z + part][lane] = s[z][part];
}

/* The last ones may be the same z several times, for which there is room. */
static void all_along_z(const triad_probes *p, const lanes *parts, int64_t n, lanes *columns)
{
  const int64_t row = 2 * (p->kz + 1);
  for (int64_t z = 0; z < p->n_z; z += ABREAST) {
    const double *wave[ABREAST];
    for (int64_t i = 0; i < ABREAST; i++) wave[i] = p->z + (z + i < p->n_z ? z + i : p->n_z - 1) * row;
    for (int lane = 0; lane < TRIAD_LANES; lane += TRIAD_SUM_LANES) along_z(parts, n, wave, lane, columns + 2 * z);
  }
}

/* Do a block's columns have one kx, and ky that follow each other? Most do. */
static int in_a_row(const int32_t *kx, const int32_t *ky)
{
  int good = 1;
  for (int c = 1; c < TRIAD_LANES; c++) good &= (kx[c] == kx[0]) & (ky[c] == ky[0] + c);
  return good;
}

/* Modes of a layout with a skew have the wavenumber ky - skew kx along y (grid/layout.h). */
static void find_leaning(const triad_probes *p)
{
  const triad_grid *g = &p->flow->grid;
  const double skew = p->flow->layout->skew;
  double *to = p->lean;
  for (int i = 0; to && i < p->n_lattices; i++)
    for (int64_t j = 0; j < p->lattices[i].n[1]; j++, to += 2 * (p->kx + 1)) {
      const double y = p->x[3 * (p->lattices[i].first + j * p->lattices[i].n[0]) + 1];
      waves(0, p->kx, -skew * y, g->length[0], 1, p->kx + 1, to);
    }
}

/* Multiply the waves of a y by those of its skew. */
static void lean(const triad_probes *p, const double *skewed, const int32_t *kx, lanes wave[2])
{
  for (int c = 0; c < TRIAD_LANES; c++) {
    const double re = wave[0][c], im = wave[1][c], a = skewed[kx[c]], b = skewed[p->kx + 1 + kx[c]];
    wave[0][c] = re * a - im * b;
    wave[1][c] = re * b + im * a;
  }
}

/* cos and sin of ky y, times the weight, and of kx x, of a block's columns: for each lattice first along y, then
 * along x. */
static void find_waves(const triad_probes *p, int64_t block, lanes *restrict out)
{
  const triad_layout *l = p->flow->layout;
  const int32_t *kx = l->kx + block * TRIAD_LANES, *ky = l->ky + block * TRIAD_LANES;
  const double *restrict weight = l->weight + block * TRIAD_LANES;
  const int64_t n_x = p->kx + 1, n_y = 2 * p->ky + 1;
  const int straight = in_a_row(kx, ky), leans = p->lean && l->skew != 0;
  const double *skewed = p->lean;
  for (int i = 0; i < p->n_lattices; i++) {
    const lattice *g = &p->lattices[i];
    for (int64_t j = 0; j < 2 * g->n[1]; j++, out++) {
      const double *restrict wave = g->y + j * n_y + p->ky;
      if (straight)
        for (int c = 0; c < TRIAD_LANES; c++) out[0][c] = weight[c] * wave[ky[0] + c];
      else
        for (int c = 0; c < TRIAD_LANES; c++) out[0][c] = weight[c] * wave[ky[c]];
      if (leans && j % 2 == 1) lean(p, skewed + (j - 1) * n_x, kx, out - 1);
    }
    skewed += leans ? 2 * g->n[1] * n_x : 0;
    for (int64_t j = 0; j < 2 * g->n[0]; j++, out++)
      if (straight)
        for (int c = 0; c < TRIAD_LANES; c++) out[0][c] = g->x[j * n_x + kx[0]];
      else
        for (int c = 0; c < TRIAD_LANES; c++) out[0][c] = g->x[j * n_x + kx[c]];
  }
}

/* Eight of a block's columns, summed along kz, at the places of a lattice; y and x: its waves. */
static void add_lattice(const lattice *g, const lanes *columns, const lanes *y, const int lane, int fields, int f,
                        triad_lane_sums *sums)
{
  const lanes *x = y + 2 * g->n[1];
  int64_t place = g->first * fields + f;
  for (int64_t k = 0; k < g->n[2]; k++) {
    const lanes *column = columns + 2 * (g->z + k);
    const triad_sum_lanes re = *(const triad_sum_lanes *)&column[0][lane],
                          im = *(const triad_sum_lanes *)&column[1][lane];
    for (int64_t j = 0; j < g->n[1]; j++) {
      const triad_sum_lanes c = *(const triad_sum_lanes *)&y[2 * j][lane],
                            d = *(const triad_sum_lanes *)&y[2 * j + 1][lane];
      const triad_sum_lanes a = re * c - im * d, b = re * d + im * c;
      for (int64_t i = 0; i < g->n[0]; i++, place += fields) {
        triad_sum_lanes term =
          a * *(const triad_sum_lanes *)&x[2 * i][lane] - b * *(const triad_sum_lanes *)&x[2 * i + 1][lane];
        triad_lane_sums_add(sums, place, (const double *)&term);
      }
    }
  }
}

/* Blocks begin .. end - 1, by one thread. */
static void add_blocks(const triad_probes *p, int64_t begin, int64_t end, int thread)
{
  const triad_flow *flow = p->flow;
  const triad_probe_input *in = p->inputs.in;
  const int fields = p->inputs.n;
  triad_lane_sums *sums = &p->lane_sums[thread];
  lanes *parts = p->parts + thread * (p->kz + 1) * PARTS, *columns = p->columns + thread * (p->n_z + ABREAST) * 2;
  lanes *all_waves = p->waves + thread * p->n_xy * 2;
  triad_lane_sums_clear(sums);
  for (int64_t b = begin; b < end; b++) {
    find_waves(p, b, all_waves);
    for (int f = 0; f < fields; f++) {
      const int64_t then = f + 1 < fields ? b : b + 1 < end ? b + 1 : begin;
      const triad_cplx *next = flow->u[in[(f + 1) % fields].field] + then * flow->layout->nkz * TRIAD_LANES;
      int64_t n = fold(flow->layout, flow->u[in[f].field], next, b, parts);
      if (in[f].along >= 0) derive(flow->layout, b, in[f].along, n, parts);
      all_along_z(p, parts, n, columns);
      for (int lane = 0; lane < TRIAD_LANES; lane += TRIAD_SUM_LANES) {
        const lanes *wave = all_waves;
        triad_lane_sums_round(sums); /* a field's sums are its own: rounds are counted for the worst */
        for (int g = 0; g < p->n_lattices; wave += 2 * (p->lattices[g].n[0] + p->lattices[g].n[1]), g++)
          add_lattice(&p->lattices[g], columns, wave, lane, fields, f, sums);
      }
    }
  }
  triad_lane_sums_empty(sums);
}

/* ---- of a state on a GPU ---- */

/* The waves of all lattices behind each other, and which of them a place has. */
static void fill_places(const triad_probes *p, double *x, double *y, int32_t *row, int32_t *begin)
{
  const int64_t n_x = 2 * (p->kx + 1), n_y = 2 * (2 * p->ky + 1);
  int32_t before_x = 0, before_y = 0;
  for (int l = 0; l < p->n_lattices; l++) {
    const lattice *g = &p->lattices[l];
    const int64_t plane = g->n[0] * g->n[1];
    memcpy(x + before_x * n_x, g->x, (size_t)(g->n[0] * n_x) * sizeof *x);
    memcpy(y + before_y * n_y, g->y, (size_t)(g->n[1] * n_y) * sizeof *y);
    for (int64_t i = 0; i < plane * g->n[2]; i++) {
      row[2 * (g->first + i)] = before_x + (int32_t)(i % g->n[0]);
      row[2 * (g->first + i) + 1] = before_y + (int32_t)(i / g->n[0] % g->n[1]);
    }
    for (int64_t k = 0; k < g->n[2]; k++) begin[g->z + k] = (int32_t)(g->first + k * plane);
    before_x += (int32_t)g->n[0];
    before_y += (int32_t)g->n[1];
  }
  begin[p->n_z] = (int32_t)p->n;
}

static int begin_gpu(triad_probes *p)
{
  triad_memory *memory = p->flow->context->memory;
  triad_gpu_probe_places told = {.n = p->n, .n_z = p->n_z, .kx = p->kx, .ky = p->ky, .kz = p->kz, .z = p->z};
  for (int l = 0; l < p->n_lattices; l++) {
    told.n_x += p->lattices[l].n[0];
    told.n_y += p->lattices[l].n[1];
  }
  double *x = NULL, *y = NULL;
  int32_t *row = NULL, *begin = NULL;
  int st = TRIAD_ALLOC(memory, "probes", told.n_x * 2 * (p->kx + 1), &x);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", told.n_y * 2 * (2 * p->ky + 1), &y);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", 2 * p->n, &row);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", p->n_z + 1, &begin);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "probes", p->n * p->inputs.n, &p->gpu_sums);
  if (st == TRIAD_OK) {
    fill_places(p, x, y, row, begin);
    told.x = x;
    told.y = y;
    told.row = row;
    told.begin = begin;
    st = triad_spectral_gpu->measure->probes_create(&p->gpu, p->flow, &told, p->inputs.n);
  }
  TRIAD_FREE(memory, &begin);
  TRIAD_FREE(memory, &row);
  TRIAD_FREE(memory, &y);
  TRIAD_FREE(memory, &x);
  return st;
}

/* What a GPU has of each number becomes this thread's exact sum, so that ranks are added as everywhere. */
static int sum_on_gpu(triad_probes *p)
{
  int st = p->gpu ? TRIAD_OK : begin_gpu(p);
  if (st == TRIAD_OK) st = triad_spectral_gpu->measure->probes_sums(p->gpu, p->flow, &p->inputs, p->gpu_sums);
  for (int64_t i = 0; st == TRIAD_OK && i < p->n * p->inputs.n; i++) {
    triad_sum *sum = &p->sums[i];
    triad_sum_clear(sum);
    triad_sum_add(sum, p->gpu_sums[i % p->inputs.n * p->n + i / p->inputs.n]);
  }
  return triad_agree(&p->flow->context->comm, st);
}

static int sum_here(triad_probes *p)
{
  const int threads = p->flow->context->threads;
  const int64_t blocks = p->flow->layout->n_blocks;
  TRIAD_TRY(triad_state_read_all(p->flow->state, TRIAD_HOST));
  find_leaning(p);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int i = 0; i < threads; i++)
    add_blocks(p, triad_deal(blocks, i, threads), triad_deal(blocks, i + 1, threads), i);
  return TRIAD_OK;
}

/* Of the case's own quantities: those that are not finite at some of the points. */
static void warn_of_values(const triad_probes *p, const double *values)
{
  const triad_flow *flow = p->flow;
  for (int f = p->inputs.n_fields; f < p->inputs.n_told; f++) {
    triad_own_bad bad = {.all = p->n};
    int64_t first = -1;
    for (int64_t i = p->n - 1; i >= 0; i--) {
      if (isfinite(values[i * p->inputs.n_told + f])) continue;
      bad.count++;
      first = i;
    }
    if (bad.count == 0) continue;
    bad.is_nan = isnan(values[first * p->inputs.n_told + f]);
    memcpy(bad.at, p->x + 3 * first, sizeof bad.at);
    (void)snprintf(bad.where, sizeof bad.where, "probe point %" PRId64, first + 1);
    triad_own_quantity_warn(&flow->shape.own[p->inputs.own[f - p->inputs.n_fields]], TRIAD_QUANTITY_IN_PROBES,
                            flow->log, &bad, flow->at.step, flow->at.t);
  }
}

int triad_probes_values(triad_probes *p, double *values)
{
  const triad_context *context = p->flow->context;
  const int on_gpu = p->flow->device != NULL;
  TRIAD_TRY(on_gpu ? sum_on_gpu(p) : sum_here(p));
  TRIAD_TRY(triad_sum_threads(&context->comm, p->sums, p->n * p->inputs.n, on_gpu ? 1 : context->threads,
                              p->all ? p->all : values));
  if (!p->all) return TRIAD_OK;
  triad_probe_inputs_tell(&p->inputs, &p->flow->shape, p->flow->grid.length, p->n, p->x, p->all, p->room, values);
  warn_of_values(p, values);
  return TRIAD_OK;
}
