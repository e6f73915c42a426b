#include "solvers/spectral/measure/slice_image.h"
#include "solvers/spectral/part.h"

#include <math.h>
#include <string.h>

/* One term of a component: (the derivative along an axis of) a field, times a number. */
typedef struct term {
  int field, along; /* along: 0, 1, 2; -1: the field itself */
  double sign;
} term;

enum { TERMS = 2, STRAINS = 6 };

static int is_of_strain(int kind)
{
  return kind == TRIAD_SPECTRAL_STRAIN || kind == TRIAD_SPECTRAL_DISSIPATION || kind == TRIAD_SPECTRAL_Q;
}

/* Numbers at a point that a quantity is made of: Q of the six of S, then the three of the curl; helicity of the curl, then u. */
static int components(int kind)
{
  switch (kind) {
  case TRIAD_QUANTITY_NORM:
  case TRIAD_QUANTITY_CURL_NORM: return 3;
  case TRIAD_SPECTRAL_DENSITY:
  case TRIAD_SPECTRAL_PHASE: return 2;
  case TRIAD_SPECTRAL_STRAIN:
  case TRIAD_SPECTRAL_DISSIPATION: return STRAINS;
  case TRIAD_SPECTRAL_Q: return STRAINS + 3;
  case TRIAD_SPECTRAL_HELICITY: return 6;
  default: return 1;
  }
}

static int field_of(const triad_shape *shape, const char *name)
{
  return triad_field_find(shape->fields, shape->n_fields, name);
}

/* Fields of a quantity that is made of a vector or of a complex field, q->field and what follows; 1: of one field
 * alone. */
static int parts_of(int kind)
{
  return kind == TRIAD_QUANTITY_CURL || is_of_strain(kind) || kind == TRIAD_SPECTRAL_HELICITY ? 3 : components(kind);
}

/* S_ij of a vector whose first field is `first`; i = 0, 1, 2: the diagonal, then xy, yz, zx. */
static int strain_terms(int first, int i, term out[TERMS])
{
  int a = i % 3, b = i < 3 ? a : (a + 1) % 3;
  out[0] = (term){first + a, b, i < 3 ? 1 : 0.5};
  out[1] = (term){first + b, a, 0.5};
  return i < 3 ? 1 : 2;
}

/* The terms of component i of a quantity; (curl f)_c = d_a f_b - d_b f_a with c, a, b in cyclic order. */
static int terms_of(const triad_shape *shape, const triad_slice_quantity *q, int i, term out[TERMS])
{
  int first = field_of(shape, q->field), curl = q->kind == TRIAD_QUANTITY_CURL || q->kind == TRIAD_QUANTITY_CURL_NORM;
  if (is_of_strain(q->kind)) {
    if (i < STRAINS) return strain_terms(first, i, out);
    curl = 1;
    i -= STRAINS;
  }
  if (q->kind == TRIAD_SPECTRAL_HELICITY) {
    curl = i < 3;
    i %= 3;
  }
  if (!curl) {
    out[0] = (term){first + i, -1, 1};
    return 1;
  }
  int c = q->kind == TRIAD_QUANTITY_CURL ? q->component : i, a = (c + 1) % 3, b = (c + 2) % 3;
  out[0] = (term){first + b, a, 1};
  out[1] = (term){first + a, b, -1};
  return 2;
}

static int find_source(const triad_slice_sources *s, int field, int derivative)
{
  for (int i = 0; i < s->n; i++)
    if (s->field[i] == field && s->derivative[i] == derivative) return i;
  return -1;
}

int triad_slice_sources_of(const triad_shape *shape, const triad_slice *slice, triad_slice_sources *sources)
{
  *sources = (triad_slice_sources){0};
  for (int i = 0; i < slice->n; i++) {
    const triad_slice_quantity *q = &slice->quantity[i];
    if (field_of(shape, q->field) < 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "output.slices: this case has no field %s to show", q->field);
    int parts = parts_of(q->kind);
    if (parts > 1 && triad_field_group_at(shape->fields, shape->n_fields, field_of(shape, q->field)).n != parts)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "output.slices: %s wants the %d parts that begin with field %s", q->name,
                        parts, q->field);
    for (int c = 0; c < components(q->kind); c++) {
      term terms[TERMS];
      int n = terms_of(shape, q, c, terms);
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
  if (st == TRIAD_OK) {
    m->plan = fftw_plan_dft_2d((int)m->n[0], (int)m->n[1], m->modes, m->modes, FFTW_BACKWARD, FFTW_ESTIMATE);
    if (!m->plan) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the plan of a slice");
  }
  if (st != TRIAD_OK) triad_slice_image_destroy(out, memory);
  return st;
}

void triad_slice_image_destroy(triad_slice_image **image, triad_memory *memory)
{
  triad_slice_image *m = *image;
  if (!m) return;
  if (m->plan) fftw_destroy_plan(m->plan);
  TRIAD_FREE(memory, &m->other);
  TRIAD_FREE(memory, &m->part);
  TRIAD_FREE(memory, &m->modes);
  TRIAD_FREE(memory, image);
}

/* modes += sign (i k along p or q, or 1) F */
static void add_term(triad_slice_image *m, const term *t, const int64_t *sums, double unit)
{
  const triad_slice_plane *plane = &m->plane;
  int64_t width = 2 * plane->k[1] + 1;
  for (int64_t p = 0; p <= 2 * plane->k[0]; p++)
    for (int64_t q = 0; q < width; q++) {
      const int64_t k[2] = {p - plane->k[0], q - plane->k[1]}, *f = sums + 2 * (p * width + q);
      double re = (double)f[0] * unit * t->sign, im = (double)f[1] * unit * t->sign, slope = 0;
      for (int i = 0; i < 2; i++)
        if (t->along == plane->across[i]) slope = triad_grid_wavenumber(m->grid, t->along, k[i]);
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
  term terms[TERMS];
  int n = terms_of(m->shape, quantity, i, terms);
  int64_t points = m->n[0] * m->n[1];
  memset(m->modes, 0, (size_t)points * sizeof *m->modes);
  for (int t = 0; t < n; t++) {
    int s = find_source(&m->sources, terms[t].field, terms[t].along == m->plane.axis);
    add_term(m, &terms[t], sums + 2 * m->plane.size * s, units[s]);
  }
  fftw_execute(m->plan);
  for (int64_t x = 0; x < points; x++) m->part[x] = m->modes[x][0];
}

/* Weighted squares of S and of the curl: off the diagonal S counts twice. */
static void of_strain(triad_slice_image *m, const triad_slice_quantity *q, const int64_t *sums, const double *units,
                      double *values)
{
  const int64_t points = m->n[0] * m->n[1];
  const double scale = q->kind == TRIAD_SPECTRAL_Q ? -0.5 : q->kind == TRIAD_SPECTRAL_DISSIPATION ? 2 * m->shape->viscosity : 2;
  memset(values, 0, (size_t)points * sizeof *values);
  for (int i = 0; i < components(q->kind); i++) {
    const double weight = i >= STRAINS ? 0.25 : scale * (i < 3 ? 1 : 2);
    make_part(m, q, i, sums, units);
    for (int64_t x = 0; x < points; x++) values[x] += weight * m->part[x] * m->part[x];
  }
  if (q->kind == TRIAD_SPECTRAL_STRAIN)
    for (int64_t x = 0; x < points; x++) values[x] = sqrt(values[x]);
}

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

void triad_slice_image_values(triad_slice_image *m, const triad_slice_quantity *q, const int64_t *sums,
                              const double *units, double *values)
{
  int64_t points = m->n[0] * m->n[1];
  if (is_of_strain(q->kind)) {
    of_strain(m, q, sums, units, values);
    return;
  }
  if (q->kind == TRIAD_SPECTRAL_HELICITY) {
    of_helicity(m, q, sums, units, values);
    return;
  }
  make_part(m, q, 0, sums, units);
  memcpy(values, m->part, (size_t)points * sizeof *values);
  if (q->kind == TRIAD_QUANTITY_FIELD || q->kind == TRIAD_QUANTITY_CURL) return;
  if (q->kind != TRIAD_SPECTRAL_PHASE)
    for (int64_t x = 0; x < points; x++) values[x] *= values[x];
  for (int i = 1; i < components(q->kind); i++) {
    make_part(m, q, i, sums, units);
    for (int64_t x = 0; x < points; x++)
      values[x] = q->kind == TRIAD_SPECTRAL_PHASE ? atan2(m->part[x], values[x]) : values[x] + m->part[x] * m->part[x];
  }
  if (q->kind == TRIAD_QUANTITY_NORM || q->kind == TRIAD_QUANTITY_CURL_NORM)
    for (int64_t x = 0; x < points; x++) values[x] = sqrt(values[x]);
}
