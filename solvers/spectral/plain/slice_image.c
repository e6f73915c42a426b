/* Transform the modes of a plane to its points and compute the quantities of a slice. */
#include "solvers/spectral/plain/slice_image.h"
#include "solvers/spectral/plain/quantity.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <string.h>

triad_slice_plane triad_slice_plane_make(const triad_grid *grid, int axis, double at)
{
  triad_slice_plane p = {.axis = axis, .at = at};
  p.across[0] = axis == 2 ? 1 : 2;
  p.across[1] = axis == 0 ? 1 : 0;
  for (int i = 0; i < 2; i++) p.k[i] = grid->kmax[p.across[i]];
  p.size = (2 * p.k[0] + 1) * (2 * p.k[1] + 1);
  return p;
}

static int find_source(const triad_slice_sources *s, int field, int derivative)
{
  for (int i = 0; i < s->n; i++)
    if (s->field[i] == field && s->derivative[i] == derivative) return i;
  return -1;
}

int triad_slice_shows_pressure(const triad_slice *list, int n)
{
  for (int i = 0; i < n; i++)
    for (int q = 0; q < list[i].n; q++)
      if (list[i].quantity[q].kind == TRIAD_SPECTRAL_PRESSURE) return 1;
  return 0;
}

int triad_slice_sources_of(const triad_shape *shape, const triad_slice *slice, triad_slice_sources *sources)
{
  *sources = (triad_slice_sources){0};
  for (int i = 0; i < slice->n; i++) {
    const triad_slice_quantity *q = &slice->quantity[i];
    TRIAD_TRY(triad_quantity_check(shape, q, "output.slices"));
    for (int c = 0; c < triad_quantity_parts(shape, q); c++) {
      triad_quantity_term terms[TRIAD_QUANTITY_TERMS];
      int n = triad_quantity_terms(shape, q, c, terms);
      for (int t = 0; t < n; t++) {
        int derivative = terms[t].along == slice->axis;
        if (find_source(sources, terms[t].field, derivative) >= 0) continue;
        sources->field[sources->n] = terms[t].field;
        sources->derivative[sources->n++] = derivative;
      }
    }
  }
  return TRIAD_OK;
}

/* Returns 0 if there is no memory. */
static int plan_leaning(triad_slice_image *m)
{
  const int p = (int)m->n[0], q = (int)m->n[1];
  if (m->plane.axis != 2 || m->grid->lean == 0) return 1;
  m->along_p = fftw_plan_many_dft(1, &p, q, m->modes, NULL, q, 1, m->modes, NULL, q, 1, FFTW_BACKWARD, FFTW_ESTIMATE);
  m->along_q = fftw_plan_many_dft(1, &q, p, m->modes, NULL, 1, q, m->modes, NULL, 1, q, FFTW_BACKWARD, FFTW_ESTIMATE);
  return m->along_p && m->along_q;
}

int triad_slice_image_create(triad_slice_image **out, triad_memory *memory, const triad_grid *grid,
                             const triad_shape *shape, const triad_slice *slice)
{
  TRIAD_TRY(TRIAD_ALLOC(memory, "slices", 1, out));
  triad_slice_image *m = *out;
  m->grid = grid;
  m->shape = shape;
  m->plane = triad_slice_plane_make(grid, slice->axis, slice->at);
  for (int i = 0; i < 2; i++) m->n[i] = grid->n[m->plane.across[i]];
  int st = triad_slice_sources_of(shape, slice, &m->sources);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "slices", m->n[0] * m->n[1], &m->modes);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "slices", m->n[0] * m->n[1], &m->part);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "slices", m->n[0] * m->n[1], &m->other);
  for (int q = 0; q < slice->n; q++)
    if (slice->quantity[q].kind == TRIAD_QUANTITY_FORMULA &&
        triad_quantity_parts(shape, &slice->quantity[q]) > m->n_parts)
      m->n_parts = triad_quantity_parts(shape, &slice->quantity[q]);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "slices", m->n_parts * m->n[0] * m->n[1], &m->parts);
  if (st == TRIAD_OK) {
    m->plan = fftw_plan_dft_2d((int)m->n[0], (int)m->n[1], m->modes, m->modes, FFTW_BACKWARD, FFTW_ESTIMATE);
    if (!m->plan || !plan_leaning(m)) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the plan of a slice");
  }
  if (st != TRIAD_OK) triad_slice_image_destroy(out, memory);
  return st;
}

void triad_slice_image_destroy(triad_slice_image **image, triad_memory *memory)
{
  triad_slice_image *m = *image;
  if (!m) return;
  if (m->plan) fftw_destroy_plan(m->plan);
  if (m->along_p) fftw_destroy_plan(m->along_p);
  if (m->along_q) fftw_destroy_plan(m->along_q);
  TRIAD_FREE(memory, &m->parts);
  TRIAD_FREE(memory, &m->other);
  TRIAD_FREE(memory, &m->part);
  TRIAD_FREE(memory, &m->modes);
  TRIAD_FREE(memory, image);
}

/* The modes of a plane z = c that lean, at its points: f(x, y) = sum of F exp(i k_x (x - skew y) + i k_y y). */
static void transform_leaning(triad_slice_image *m)
{
  const double ratio = m->skew * m->grid->length[1] / m->grid->length[0];
  fftw_execute(m->along_p);
  for (int64_t y = 0; y < m->n[0]; y++)
    for (int64_t i = 0; i < m->n[1]; i++) {
      const double kx = (double)(2 * i > m->n[1] ? i - m->n[1] : i);
      const double angle = -2 * TRIAD_PI * fmod(kx * ratio * (double)y / (double)m->n[0], 1), c = cos(angle),
                   s = sin(angle);
      double *to = m->modes[y * m->n[1] + i];
      const double re = to[0], im = to[1];
      to[0] = re * c - im * s;
      to[1] = re * s + im * c;
    }
  fftw_execute(m->along_q);
}

/* modes += sign (i k along p or q, or 1) F */
static void add_term(triad_slice_image *m, const triad_quantity_term *t, const int64_t *sums, double unit)
{
  const triad_slice_plane *plane = &m->plane;
  int64_t width = 2 * plane->k[1] + 1;
  for (int64_t p = 0; p <= 2 * plane->k[0]; p++)
    for (int64_t q = 0; q < width; q++) {
      const int64_t k[2] = {p - plane->k[0], q - plane->k[1]}, *f = sums + 2 * (p * width + q);
      double re = (double)f[0] * unit * t->sign, im = (double)f[1] * unit * t->sign, slope = 0;
      for (int i = 0; i < 2; i++)
        if (t->along == plane->across[i]) slope = triad_grid_derivative_wavenumber(m->grid, t->along, k[i]);
      if (t->along == 1 && plane->axis == 2) slope -= m->skew * triad_grid_derivative_wavenumber(m->grid, 0, k[1]);
      int steep = t->along >= 0 && t->along != plane->axis;
      double *to = m->modes[(k[0] + m->n[0]) % m->n[0] * m->n[1] + (k[1] + m->n[1]) % m->n[1]];
      to[0] += steep ? -slope * im : re;
      to[1] += steep ? slope * re : im;
    }
}

/* part[p][q] of component i */
static void make_part(triad_slice_image *m, const triad_slice_quantity *quantity, int i, const int64_t *sums,
                      const double *units)
{
  triad_quantity_term terms[TRIAD_QUANTITY_TERMS];
  int n = triad_quantity_terms(m->shape, quantity, i, terms);
  int64_t points = m->n[0] * m->n[1];
  memset(m->modes, 0, (size_t)points * sizeof *m->modes);
  for (int t = 0; t < n; t++) {
    int s = find_source(&m->sources, terms[t].field, terms[t].along == m->plane.axis);
    add_term(m, &terms[t], sums + 2 * m->plane.size * s, units[s]);
  }
  if (m->along_p && m->skew != 0) transform_leaning(m);
  else fftw_execute(m->plan);
  for (int64_t x = 0; x < points; x++) m->part[x] = m->modes[x][0];
}

/* u.curl u */
static void of_helicity(triad_slice_image *m, const triad_slice_quantity *q, const int64_t *sums, const double *units,
                        double *values)
{
  const int64_t points = m->n[0] * m->n[1];
  memset(values, 0, (size_t)points * sizeof *values);
  for (int i = 0; i < 3; i++) {
    make_part(m, q, i, sums, units);
    memcpy(m->other, m->part, (size_t)points * sizeof *m->other);
    make_part(m, q, 3 + i, sums, units);
    for (int64_t x = 0; x < points; x++) values[x] += m->other[x] * m->part[x];
  }
}

static void of_phase(triad_slice_image *m, const triad_slice_quantity *q, const int64_t *sums, const double *units,
                     double *values)
{
  const int64_t points = m->n[0] * m->n[1];
  make_part(m, q, 0, sums, units);
  memcpy(values, m->part, (size_t)points * sizeof *values);
  make_part(m, q, 1, sums, units);
  for (int64_t x = 0; x < points; x++) values[x] = atan2(m->part[x], values[x]);
}

static void of_formula(triad_slice_image *m, const triad_slice_quantity *q, const int64_t *sums, const double *units,
                       double *values)
{
  enum { ROW = 128 };
  const triad_own_quantity *own = &m->shape->own[q->component];
  const int64_t points = m->n[0] * m->n[1];
  double at[3][ROW];
  const double *const places[3] = {at[0], at[1], at[2]}, *part[TRIAD_QUANTITY_VARIABLES];
  for (int i = 0; i < own->n; i++) {
    make_part(m, q, i, sums, units);
    memcpy(m->parts + i * points, m->part, (size_t)points * sizeof *m->part);
  }
  for (int64_t from = 0; from < points; from += ROW) {
    const int64_t n = points - from < ROW ? points - from : ROW;
    for (int64_t x = 0; x < n; x++) {
      at[m->plane.axis][x] = m->plane.at;
      at[m->plane.across[0]][x] = triad_grid_spacing(m->grid, m->plane.across[0]) * (double)((from + x) / m->n[1]);
      at[m->plane.across[1]][x] = triad_grid_spacing(m->grid, m->plane.across[1]) * (double)((from + x) % m->n[1]);
    }
    for (int i = 0; i < own->n; i++) part[i] = m->parts + i * points + from;
    triad_own_quantity_row(own, n, places, part, values + from);
  }
}

void triad_slice_image_values(triad_slice_image *m, const triad_slice_quantity *q, const int64_t *sums,
                              const double *units, double *values)
{
  const int64_t points = m->n[0] * m->n[1];
  switch (triad_quantity_way_of(q->kind)) {
  case TRIAD_QUANTITY_IS:
    make_part(m, q, 0, sums, units);
    memcpy(values, m->part, (size_t)points * sizeof *values);
    return;
  case TRIAD_QUANTITY_ANGLE: of_phase(m, q, sums, units, values); return;
  case TRIAD_QUANTITY_OF_FORMULA: of_formula(m, q, sums, units, values); return;
  case TRIAD_QUANTITY_PRODUCT: of_helicity(m, q, sums, units, values); return;
  case TRIAD_QUANTITY_SQUARES:
  case TRIAD_QUANTITY_ROOT: break;
  }
  memset(values, 0, (size_t)points * sizeof *values);
  for (int i = 0; i < triad_quantity_components(q->kind); i++) {
    const double weight = triad_quantity_weight(m->shape, q->kind, i);
    make_part(m, q, i, sums, units);
    for (int64_t x = 0; x < points; x++) values[x] += weight * m->part[x] * m->part[x];
  }
  if (triad_quantity_way_of(q->kind) == TRIAD_QUANTITY_ROOT)
    for (int64_t x = 0; x < points; x++) values[x] = sqrt(values[x]);
}
