/* The loops of a stage over one row of bricks on the CPU, LANES bricks at a time. */
#if defined(__AVX512F__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512") /* else registers of half that */
#endif
#include "solvers/unstructured/host/host_brick_rows.h"
#include "solvers/unstructured/host/host_bricks.h"

#define ALONG_FROM(BEGIN, N, ...) \
  _Pragma("omp simd") for (int l = 0; l < (N); l++) \
  { \
    const int64_t i = (BEGIN) + l; \
    __VA_ARGS__; \
  }

/* Apply WORK to numbers i of n, in full registers, then to the rest. Arrays local to one number must be declared in
 * functions that it calls: declared here they would become arrays of all lanes, and the loop would not
 * be vectorised. */
#define ALONG(N, ...) \
  for (int begin = 0; begin < (N); begin += LANES) { \
    if ((N)-begin >= LANES) ALONG_FROM(begin, LANES, __VA_ARGS__) else ALONG_FROM(begin, (N)-begin, __VA_ARGS__) \
  }

/* The same of what may be done twice: the last register begins where it ends with the row. */
#define ALONG_AGAIN(N, ...) \
  if ((N) < LANES) ALONG_FROM(0, N, __VA_ARGS__) else for (int next = 0; next < (N); next += LANES) \
    { \
      const int begin = next < (N)-LANES ? next : (N)-LANES; \
      ALONG_FROM(begin, LANES, __VA_ARGS__) \
    }

/* ---- fluxes ---- */

ALWAYS_INLINE void store(const triad_unstructured_numbers *to, int64_t i, const triad_unstructured_box_way *way,
                         const triad_real f[5])
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++)
    to->at[(k < 1 || k > 3 ? k : triad_unstructured_box_number(way->coordinate, k)) * to->pitch + i] =
      k == 1 ? way->sign * f[k] : f[k];
}

/* Part j of a row's: of differences to the cell below (0 mod 2) or above, at the face in the cell below it (j < 2)
 * or above. */
ALWAYS_INLINE triad_real part_of(const triad_unstructured_face_row *r, int j, int64_t i, int x)
{
  return x ? r->along[j & 1 ? TRIAD_UNSTRUCTURED_BOX_ABOVE : TRIAD_UNSTRUCTURED_BOX_BELOW][i + (j > 1)] : r->part[j];
}

ALWAYS_INLINE void flux(const triad_gas_constants *gas, const triad_unstructured_face_row *r,
                        const triad_unstructured_box_way *way, int64_t i, triad_gas_riemann riemann, int x)
{
  triad_real l[6], e[6], f[5], low[5], q[4][5], at[2][5];
  const triad_real area = x ? r->area : r->area * r->along[TRIAD_UNSTRUCTURED_BOX_LENGTH][i];
  const triad_real below[4] = {0, 0, part_of(r, 0, i, x), part_of(r, 1, i, x)},
                   above[4] = {0, 0, part_of(r, 2, i, x), part_of(r, 3, i, x)};
  triad_unstructured_box_load(&r->before[0], i, way, 6, l);
  triad_unstructured_box_load(&r->before[1], i, way, 6, e);
  triad_unstructured_box_low(gas, l, e, riemann, f);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) low[k] = area * f[k];
  store(&r->low, i, way, low);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int j = 0; j < 4; j++) triad_unstructured_box_load(&r->value[j], i, way, 5, q[j]);
  triad_unstructured_box_at_face(q[0], q[1], q[2], below, 1, at[0]);
  triad_unstructured_box_at_face(q[1], q[2], q[3], above, -1, at[1]);
  triad_gas_values_hllc(gas, at[0], at[1], NULL, f);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) f[k] = area * f[k] - low[k];
  store(&r->anti, i, way, f);
}

/* A function for each choice that the compiler knows. */
#define FLUXES(COORDINATE, RIEMANN, X) \
  static void fluxes_##COORDINATE##_##RIEMANN##_##X(const triad_gas_constants *from, \
                                                    const triad_unstructured_face_row *row) \
  { \
    const triad_unstructured_face_row r = *row; \
    const triad_gas_constants gas = *from; \
    const triad_unstructured_box_way way = {.coordinate = COORDINATE, .sign = row->sign}; \
    ALONG_AGAIN(r.n, flux(&gas, &r, &way, i, triad_gas_riemann_of(RIEMANN, r.riemann), X)) \
  }
#define FLUXES_OF(COORDINATE) \
  FLUXES(COORDINATE, TRIAD_GAS_RUSANOV, 0) \
  FLUXES(COORDINATE, TRIAD_GAS_RUSANOV, 1) FLUXES(COORDINATE, TRIAD_GAS_HLLC, 0) FLUXES(COORDINATE, TRIAD_GAS_HLLC, 1) \
    FLUXES(COORDINATE, TRIAD_GAS_AT_RUN_TIME, 0) FLUXES(COORDINATE, TRIAD_GAS_AT_RUN_TIME, 1)
FLUXES_OF(0)
FLUXES_OF(1)
FLUXES_OF(2)

void triad_unstructured_row_fluxes(const triad_gas_constants *gas, const triad_unstructured_face_row *row)
{
  typedef void (*function)(const triad_gas_constants *, const triad_unstructured_face_row *);
#define CHOOSE(KIND) \
  do { \
    static const function chosen[3][2] = {{fluxes_0_##KIND##_0, fluxes_0_##KIND##_1}, \
                                          {fluxes_1_##KIND##_0, fluxes_1_##KIND##_1}, \
                                          {fluxes_2_##KIND##_0, fluxes_2_##KIND##_1}}; \
    chosen[row->coordinate][row->x](gas, row); \
  } while (0)
  TRIAD_GAS_BY_KIND(row->riemann, CHOOSE);
#undef CHOOSE
}

/* ---- cells ---- */

ALWAYS_INLINE void value(const triad_unstructured_view *v, int64_t cell, const triad_unstructured_numbers *to,
                         int64_t i)
{
  triad_real u[5], q[6];
  triad_unstructured_load(&v->u, cell, 5, u);
  triad_gas_values_primitive(&v->gas, u, q);
  q[5] = TRIAD_SQRT(v->gas.gamma * q[4] * (1 / u[0]));
  triad_unstructured_store(to, i, 6, q);
}

void triad_unstructured_row_values(const triad_unstructured_view *from, int64_t first, int n,
                                   triad_unstructured_numbers to)
{
  const triad_unstructured_view v = *from;
  ALONG_AGAIN(n, value(&v, first + i, &to, i))
}

ALWAYS_INLINE triad_real wave(const triad_unstructured_numbers *value, int coordinate, int64_t i)
{
  return TRIAD_ABS(value->at[(1 + coordinate) * value->pitch + i]) + value->at[5 * value->pitch + i];
}

void triad_unstructured_row_rates(const triad_unstructured_cell_row *row, const triad_real *const per_length[3],
                                  const int axis[3], tally *t)
{
  const triad_unstructured_cell_row r = *row;
  ALONG(r.n, {
    triad_real sum = 0;
    TRIAD_UNSTRUCTURED_UNROLL
    for (int c = 0; c < 3; c++) {
      const triad_unstructured_numbers *near = r.near + 2 * axis[c];
      const triad_real own = wave(&r.v.value, c, i),
                       per = per_length[c][axis[c] == 0 ? i * TRIAD_UNSTRUCTURED_BOX_NUMBERS : 0];
      sum += (triad_max(wave(near, c, i), own) + triad_max(own, wave(near + 1, c, i))) * per;
    }
    t->most[l] = triad_max(t->most[l], sum);
  })
}

/* The sum of the fluxes out of a cell. */
ALWAYS_INLINE void add_sides(const triad_unstructured_numbers *side, int64_t i, triad_real sum[5])
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    sum[k] = side[1].at[k * side[1].pitch + i] - side[0].at[k * side[0].pitch + i];
    TRIAD_UNSTRUCTURED_UNROLL
    for (int s = 2; s < TRIAD_MESH_ZONE_SIDES; s += 2)
      sum[k] += side[s + 1].at[k * side[s + 1].pitch + i] - side[s].at[k * side[s].pitch + i];
  }
}

ALWAYS_INLINE void transported_of(const triad_unstructured_cell_row *r, int64_t i, int bounded)
{
  triad_real sum[5];
  add_sides(r->side, i, sum);
  triad_unstructured_transported_from(&r->v, i, r->dt * r->v.per_volume[i], bounded, r->before.at[i],
                                      r->before.at[4 * r->before.pitch + i], sum);
}

ALWAYS_INLINE void transported(const triad_unstructured_cell_row *row, int bounded)
{
  const triad_unstructured_cell_row r = *row;
  ALONG_AGAIN(r.n, transported_of(&r, i, bounded))
}

void triad_unstructured_row_transported(const triad_unstructured_cell_row *row)
{
  if (row->v.bounded) transported(row, 1);
  else transported(row, 0);
}

/* across: views that have a side's flux and what is across for a cell's own. */
ALWAYS_INLINE void limits_of(const triad_unstructured_cell_row *r, const triad_unstructured_view *across, int64_t i)
{
  const triad_real n = TRIAD_MESH_ZONE_SIDES;
  triad_real b[TRIAD_UNSTRUCTURED_BOUNDS], own[5], sum[4] = {0, 0, 0, 0};
  triad_unstructured_load(&r->v.bound, i, TRIAD_UNSTRUCTURED_BOUNDS, b);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES; s++) triad_unstructured_widen_by(&across[s], i, b, 1);
  triad_unstructured_before_limits(&r->v, i, n, r->dt, b, own, 1);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES; s++)
    (void)triad_unstructured_add_change(&across[s], i, s & 1 ? TRIAD_R(1) : TRIAD_R(-1), own, sum, 1);
  triad_unstructured_set_limits(&r->v, i, n, b, own, sum, 1);
}

void triad_unstructured_row_limits(const triad_unstructured_cell_row *row)
{
  const triad_unstructured_cell_row r = *row;
  triad_unstructured_view across[TRIAD_MESH_ZONE_SIDES];
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES; s++) {
    across[s] = r.v;
    across[s].bound = r.near[s];
    across[s].anti = r.side[s];
  }
  ALONG_AGAIN(r.n, limits_of(&r, across, i))
}

/* the pressure is bounded where the density is too */
enum { BOTH = TRIAD_UNSTRUCTURED_LIMIT_DENSITY | TRIAD_UNSTRUCTURED_LIMIT_PRESSURE };

/* Returns the part that is left. */
ALWAYS_INLINE triad_real cut_of(const triad_unstructured_cell_row *r, const triad_unstructured_view *other,
                                triad_unstructured_numbers anti, const triad_real *per_volume, int of, int64_t i)
{
  triad_real a[5];
  triad_unstructured_load(&anti, i, 5, a);
  const triad_real part = triad_min(triad_unstructured_part_of(&r->v, of, i, r->dt * r->v.per_volume[i], 1, a),
                                    triad_unstructured_part_of(other, of, i, r->dt * per_volume[i], -1, a));
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) a[k] *= part;
  triad_unstructured_store(&anti, i, 5, a);
  return part;
}

ALWAYS_INLINE void cut(const triad_unstructured_cell_row *row, int n, triad_unstructured_numbers anti,
                       triad_unstructured_numbers near, const triad_real *per_volume, int of, int last, tally *t)
{
  const triad_unstructured_cell_row r = *row;
  triad_unstructured_view other = r.v;
  other.limit = near;
  ALONG(n, {
    const triad_real part = cut_of(&r, &other, anti, per_volume, of, i);
    if (last) r.parts[i] = part;
  })
  if (!last) return;
  ALONG(n, { /* integers: with them in the loop above it takes narrower registers */
             t->limited[l] += r.parts[i] < TRIAD_R(0.999999);
             t->parts[l] += (int32_t)(r.parts[i] * (triad_real)(1 << 20));
  })
}

void triad_unstructured_row_cut(const triad_unstructured_cell_row *row, int n, triad_unstructured_numbers anti,
                                triad_unstructured_numbers near, const triad_real *per_volume, tally *t)
{
  if (row->v.limited != BOTH) cut(row, n, anti, near, per_volume, TRIAD_UNSTRUCTURED_LIMIT_DENSITY, 1, t);
  else if (row->last) cut(row, n, anti, near, per_volume, BOTH, 1, t);
  else cut(row, n, anti, near, per_volume, BOTH, 0, t);
}

ALWAYS_INLINE void corrected_of(const triad_unstructured_cell_row *r, int64_t i, int last)
{
  triad_real sum[5];
  add_sides(r->side, i, sum);
  triad_unstructured_corrected(&r->v, i, r->dt, last, sum, 1);
}

ALWAYS_INLINE void corrected(const triad_unstructured_cell_row *row, int last, tally *t)
{
  const triad_unstructured_cell_row r = *row;
  ALONG_AGAIN(r.n, corrected_of(&r, i, last))
  ALONG(r.n, t->bad[l] = triad_unstructured_holds_gas(&r.v, i) ? t->bad[l] : r.first + i)
}

void triad_unstructured_row_corrected(const triad_unstructured_cell_row *row, tally *t)
{
  if (row->last) corrected(row, 1, t);
  else corrected(row, 0, t);
}
