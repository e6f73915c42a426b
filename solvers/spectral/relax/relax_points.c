/* Bodies and sponges in a stage: their terms at the points of rows, the sums of forces and powers, the rates of modes.
 * Sums are exact over rows and in a fixed order within a row, so that they do not depend on ranks and threads. */
#include "solvers/spectral/relax/relax_points.h"
#include "solvers/spectral/relax/relax_mask.h"

#include "base/status.h"
#include "case/formula/formula_jet.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- before a stage ---- */

/* The path of a body at t, with its velocity and its acceleration. */
static void follow_path(triad_relaxation *r, const triad_grid *g, int i, double t)
{
  triad_relax_item *p = &r->item[i];
  for (int a = 0; a < 3; a++) {
    double jet[3] = {0, 0, 0};
    if (p->path[a]) triad_formula_jet(p->path[a], 0, &t, jet);
    p->displacement[a] = jet[0];
    p->velocity[a] = jet[1];
    p->acceleration[a] = jet[2];
    for (int k = 0; k < 3; k++)
      if (!isfinite(jet[k])) {
        char key[TRIAD_RELAX_KEY];
        (void)snprintf(key, sizeof key, "%s.path", p->table);
        triad_relax_note(r, g, i, key, jet[k], 0, 0, 0);
        p->displacement[a] = p->velocity[a] = p->acceleration[a] = 0;
      }
  }
}

int triad_relax_means(triad_relaxation *r, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  const int n = flow->shape.n_fields;
  for (int f = 0; f < n; f++) {
    r->mean[f] = 0;
    for (int64_t c = 0; c < l->n_columns; c++)
      if (l->kx[c] == 0 && l->ky[c] == 0) r->mean[f] = (double)flow->u[f][triad_layout_place(l, c, 0)].re;
  }
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, r->mean, n, MPI_DOUBLE, MPI_SUM, flow->context->comm.mpi));
}

int triad_relaxation_at(triad_relaxation *r, const triad_flow *flow, double t, int first)
{
  if (!r) return TRIAD_OK;
  r->t = t;
  r->adds = first && !(r->rests && r->longest > 0);
  if (first) r->work = r->reg = 0;
  for (int s = 0; s < flow->context->threads * r->n_sums; s++) triad_sum_clear(&r->sums[s]);
  for (int k = 0; k < flow->context->threads; k++) r->peak[k] = 0;
  for (int i = 0; i < r->n; i++) {
    triad_relax_item *p = &r->item[i];
    if (p->is_body) follow_path(r, &flow->grid, i, t);
    for (int f = 0; f < p->n_fields; f++) {
      triad_relax_value *v = &p->fields[f].target;
      const double at[4] = {0, 0, 0, t};
      const double *const variable[4] = {&at[0], &at[1], &at[2], &at[3]};
      if (v->f && !v->in_space) {
        triad_formula_rows(v->f, 1, variable, &v->now);
        if (!isfinite(v->now)) triad_relax_note(r, &flow->grid, i, v->key, v->now, 0, 0, 0);
      }
    }
  }
  return r->needs_means && !flow->device ? triad_relax_means(r, flow) : TRIAD_OK;
}

/* ---- at points ---- */

typedef struct row_at {
  int64_t y, z, first, step; /* point x is at index first + x step */
  double *mask, *target, *total, *spare;
  int thread;
} row_at;

enum { LANES = TRIAD_RELAX_LANES };

/* A row of a measurement: sums of rate (q - target) and of its product with q, in a fixed order. */
static void sum_row(const double *mask, double factor, const double *target, double number, int64_t count,
                    const triad_real *q, int64_t step, double sums[TRIAD_RELAX_SUMS])
{
  double force[LANES] = {0}, power[LANES] = {0};
  for (int64_t i = 0; i < count; i += LANES) {
    const int n = count - i < LANES ? (int)(count - i) : LANES;
    for (int k = 0; k < n; k++) {
      const double now = (double)q[(i + k) * step];
      const double v = triad_relax_term(factor, mask[i + k], now, target ? target[i + k] : number);
      force[k] += v;
      power[k] += now * v;
    }
  }
  sums[TRIAD_RELAX_FORCE] = sums[TRIAD_RELAX_POWER] = 0;
  for (int k = 0; k < LANES; k++) {
    sums[TRIAD_RELAX_FORCE] += force[k];
    sums[TRIAD_RELAX_POWER] += power[k];
  }
}

/* A stage: out -= rate (q - target) at a few points; power[k], of lane k, += its product with what makes the power. */
static inline __attribute__((always_inline)) void relax_points(const triad_relax_field *f, const double *mask,
                                                               const double *target, double number, int n,
                                                               const triad_real *q, triad_real *out, int64_t step,
                                                               double *power)
{
  for (int k = 0; k < n; k++) {
    const double now = (double)q[k * step];
    const double v = triad_relax_term(f->factor, mask[k], now, target ? target[k] : number);
    out[k * step] -= (triad_real)v;
    power[k] += v * (f->work * now + f->hold);
  }
}

static inline __attribute__((always_inline)) void relax_any_row(const triad_relax_field *f, const double *mask,
                                                                const double *target, double number, int64_t count,
                                                                const triad_real *restrict q, triad_real *restrict out,
                                                                int64_t step, int lanes, double *restrict power)
{
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    relax_points(f, mask + i, target ? target + i : NULL, number, lanes, q + i * step, out + i * step, step, power);
  relax_points(f, mask + i, target ? target + i : NULL, number, (int)(count - i), q + i * step, out + i * step, step,
               power);
}

/* The steps that there are, as numbers that the compiler knows. */
static void relax_row(const triad_relax_field *f, const double *mask, const double *target, double number,
                      int64_t count, const triad_real *q, triad_real *out, int64_t step, double power[LANES])
{
  if (step == 1) relax_any_row(f, mask, target, number, count, q, out, 1, LANES, power);
  else relax_any_row(f, mask, target, number, count, q, out, 2, LANES, power);
}

/* Two rows at once, as they are stored: point k of row i is at 2 k + i in all arrays, and so are its lanes. count:
 * points of both. The power of a row is that of relax_row, bit for bit, if lane 0 is the same x in both. */
static void relax_two_rows(const triad_relax_field *f, const double *mask, double number, int64_t count,
                           const triad_real *q, triad_real *out, double power[2 * LANES])
{
  relax_any_row(f, mask, NULL, number, count, q, out, 1, 2 * LANES, power);
}

/* The target of a field at the points of a row; NULL: it is *number. */
static const double *target_of(triad_relaxation *r, const triad_grid *g, int i, const triad_relax_field *f,
                               const row_at *at, const triad_relax_row *row, double *number)
{
  const triad_relax_value *v = &f->target;
  const double moves = f->axis >= 0 ? r->item[i].velocity[f->axis] : 0;
  *number = moves + v->now;
  if (f->mean) *number = r->mean[f->field];
  if (v->stored && !(moves < 0 || moves > 0)) return v->stored + row->at;
  if (!v->in_space) return NULL;
  triad_relax_value_row(v, g, r->t, at->y, at->z, row->begin, row->count, at->spare, at->target);
  for (int64_t k = 0; k < row->count; k++) {
    if (!isfinite(at->target[k])) triad_relax_note(r, g, i, v->key, at->target[k], row->begin + k, at->y, at->z);
    at->target[k] += moves;
  }
  return at->target;
}

static void item_row(triad_relaxation *r, const triad_flow *flow, int i, const row_at *at, triad_real *const *in,
                     triad_real *const *out)
{
  const triad_relax_item *p = &r->item[i];
  const triad_grid *g = &flow->grid;
  const triad_layout *l = flow->layout;
  triad_sum *sums = r->sums + at->thread * r->n_sums + p->first_sum,
            *total = r->sums + (at->thread + 1) * r->n_sums - 1;
  const double *mask = at->mask;
  triad_relax_row row;
  double number, volume = 0, power[LANES] = {0}, all = 0;
  if (p->mask) {
    row = p->rows[(at->z - l->first_plane) * l->n_y + at->y - l->first_y];
    mask = p->mask + row.at;
  } else {
    triad_relax_mask_row(p, g, r->t, at->y, at->z, at->mask, at->spare, &row);
    mask += row.begin;
  }
  if (row.count == 0) return;
  if (out && r->missed[at->thread])
    for (int f = 0; f < r->n_results; f++) memset(out[f], 0, (size_t)(at->step * g->n[0]) * sizeof *out[f]);
  r->missed[at->thread] = 0;
  for (int64_t k = 0; !p->mask && k < row.count; k++)
    if (!(mask[k] >= 0 && isfinite(mask[k])))
      triad_relax_note(r, g, i, p->is_body ? p->table : p->rate.key, mask[k], row.begin + k, at->y, at->z);
  for (int64_t k = 0; r->adds && k < row.count; k++) at->total[row.begin + k] += p->fastest * mask[k];
  for (int64_t k = 0; !out && k < row.count; k++) volume += mask[k];
  if (!out) triad_sum_add(&sums[TRIAD_RELAX_SUMS * p->n_fields], volume);
  for (int f = 0; f < p->n_fields; f++) {
    const triad_relax_field *field = &p->fields[f];
    const int64_t begin = at->first + row.begin * at->step;
    double both[TRIAD_RELAX_SUMS];
    const double *target = target_of(r, g, i, field, at, &row, &number);
    const triad_real *q = in[field->field] + begin;
    if (out) {
      relax_row(field, mask, target, number, row.count, q, out[field->result] + begin, at->step, power);
      continue;
    }
    sum_row(mask, field->factor, target, number, row.count, q, at->step, both);
    triad_sum_add(&sums[TRIAD_RELAX_SUMS * f + TRIAD_RELAX_FORCE], both[TRIAD_RELAX_FORCE]);
    triad_sum_add(&sums[TRIAD_RELAX_SUMS * f + TRIAD_RELAX_POWER], both[TRIAD_RELAX_POWER]);
  }
  for (int k = 0; k < LANES; k++) all += power[k];
  if (out) triad_sum_add(total, all);
}

/* Does an item have a stored mask, and targets that do not depend on position? */
static int is_plain(const triad_relaxation *r, const triad_relax_item *p)
{
  int plain = p->mask && !r->adds && !p->in_space;
  for (int f = 0; f < p->n_fields; f++) plain &= !p->fields[f].target.in_space && !p->fields[f].target.stored;
  return plain;
}

/* The rows of an item in a stage, two at once, which are stored as one (pass.h, any_order). */
static void item_two_rows(triad_relaxation *r, const triad_flow *flow, int i, const row_at *at, triad_real *const *in,
                          triad_real *const *out)
{
  const triad_relax_item *p = &r->item[i];
  const triad_layout *l = flow->layout;
  const triad_relax_row *row = &p->rows[(at->z - l->first_plane) * l->n_y + at->y - l->first_y];
  const int64_t none = flow->grid.n[0];
  int64_t begin = none, end = 0;
  for (int k = 0; k < 2; k++) {
    if (row[k].count == 0) continue;
    if (row[k].begin < begin) begin = row[k].begin;
    if (row[k].begin + row[k].count > end) end = row[k].begin + row[k].count;
  }
  if (begin == none) return;
  if (r->missed[at->thread])
    for (int f = 0; f < r->n_results; f++) memset(out[f], 0, (size_t)(2 * none) * sizeof *out[f]);
  r->missed[at->thread] = 0;
  double *mask = at->spare, power[2 * LANES] = {0}, number;
  for (int k = 0; k < 2; k++) {
    const double *from = p->mask + row[k].at - row[k].begin;
    const int64_t first = row[k].count > 0 ? row[k].begin : end, last = first + row[k].count;
    for (int64_t x = begin; x < first; x++) mask[2 * (x - begin) + k] = 0;
    for (int64_t x = first; x < last; x++) mask[2 * (x - begin) + k] = from[x];
    for (int64_t x = last; x < end; x++) mask[2 * (x - begin) + k] = 0;
  }
  for (int f = 0; f < p->n_fields; f++) {
    const triad_relax_field *field = &p->fields[f];
    (void)target_of(r, &flow->grid, i, field, at, row, &number);
    relax_two_rows(field, mask, number, 2 * (end - begin), in[field->field] + 2 * begin, out[field->result] + 2 * begin,
                   power);
  }
  for (int k = 0; k < 2; k++) {
    double all = 0;
    for (int lane = 0; lane < LANES; lane++) all += power[2 * lane + k];
    if (row[k].count > 0) triad_sum_add(r->sums + (at->thread + 1) * r->n_sums - 1, all);
  }
}

void triad_relaxation_points(triad_relaxation *r, const triad_flow *flow, const triad_patch *at, triad_real *const *in,
                             triad_real *const *out)
{
  const int64_t n = flow->grid.n[0], rows = at->n / n;
  const int thread = omp_get_thread_num();
  double *room = r->row + thread * TRIAD_RELAX_ROWS * n;
  row_at here = {at->y,
                 at->z,
                 0,
                 rows,
                 room + TRIAD_RELAX_MASK_ROW * n,
                 room + TRIAD_RELAX_TARGET_ROW * n,
                 room + TRIAD_RELAX_TOTAL_ROW * n,
                 room + TRIAD_RELAX_SPARE_ROWS * n,
                 thread};
  r->missed[thread] = 1;
  /* the order of items does not depend on how many rows there are at once */
  const int both = rows == 2 && out != NULL;
  for (int i = 0; both && i < r->n; i++)
    if (is_plain(r, &r->item[i])) item_two_rows(r, flow, i, &here, in, out);
  for (int64_t row = 0; row < rows; row++) {
    here.y = at->y + row;
    here.first = row;
    if (r->adds) memset(here.total, 0, (size_t)n * sizeof *here.total);
    for (int i = 0; !both && i < r->n; i++)
      if (is_plain(r, &r->item[i])) item_row(r, flow, i, &here, in, out);
    for (int i = 0; i < r->n; i++)
      if (!is_plain(r, &r->item[i])) item_row(r, flow, i, &here, in, out);
    for (int64_t x = 0; r->adds && x < n; x++)
      if (here.total[x] > r->peak[thread]) r->peak[thread] = here.total[x];
  }
}

int triad_relaxation_missed(const triad_relaxation *r) { return r->missed[omp_get_thread_num()]; }

/* ---- after points ---- */

int triad_relax_good(triad_relaxation *r, const triad_flow *flow)
{
  int st = TRIAD_OK;
  if (r->bad)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s is %g at x = %g, y = %g, z = %g, t = %g, but must be finite%s", r->bad_key,
                    r->bad_value, r->bad_at[0], r->bad_at[1], r->bad_at[2], r->t,
                    r->item[r->bad - 1].is_body ? "" : ", and a rate not negative");
  return triad_agree(&flow->context->comm, st);
}

int triad_relaxation_settle(triad_relaxation *r, const triad_flow *flow)
{
  if (!r) return TRIAD_OK;
  TRIAD_TRY(triad_relax_good(r, flow));
  TRIAD_TRY(triad_sum_threads(&flow->context->comm, r->sums, r->n_sums, flow->context->threads, r->now));
  for (int s = 0; s < r->n_sums; s++) r->now[s] /= (double)triad_grid_points(&flow->grid);
  if (!r->adds) return TRIAD_OK;
  double most = 0;
  for (int k = 0; k < flow->context->threads; k++) most = fmax(most, r->peak[k]);
  return TRIAD_MPI(MPI_Allreduce(&most, &r->longest, 1, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi));
}

void triad_relaxation_hold(const triad_relaxation *r, const triad_flow *flow, const triad_batch *block, int64_t j,
                           triad_cplx *const *results)
{
  const triad_layout *l = block->layout;
  if (l->kz[j] != 0) return;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const int64_t c = block->block * TRIAD_LANES + i;
    if (c >= l->n_columns || l->kx[c] != 0 || l->ky[c] != 0) continue;
    for (int n = r->n_left; n < r->n_results; n++)
      if (flow->shape.fields[r->field[n]].role == TRIAD_ROLE_COMPONENT)
        triad_batch_row(block, results[r->sum_of[n - r->n_left]], j)[i] = (triad_cplx){0, 0};
  }
}

/* What is left of the terms of a vector without divergence: less the part along k, the wavenumber of derivatives, and
 * less the mean. */
static void project(const triad_batch *block, int64_t j, const triad_cplx *const *f, triad_lane_row *rates)
{
  const triad_layout *l = block->layout;
  const double *wx = l->wx + block->block * TRIAD_LANES, *wy = l->wy + block->block * TRIAD_LANES, kz = l->wz[j];
  for (int i = 0; i < TRIAD_LANES; i++) {
    const double k[3] = {wx[i], wy[i], kz}, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const double keep = triad_layout_size2(l, block->block * TRIAD_LANES + i, j) > 0, per_k2 = k2 > 0 ? 1 / k2 : 0;
    double re = 0, im = 0;
    for (int a = 0; a < 3; a++) {
      re += k[a] * (double)f[a][i].re;
      im += k[a] * (double)f[a][i].im;
    }
    for (int a = 0; a < 3; a++) {
      rates[a][i].re += (triad_real)(keep * (double)f[a][i].re - k[a] * (re * per_k2));
      rates[a][i].im += (triad_real)(keep * (double)f[a][i].im - k[a] * (im * per_k2));
    }
  }
}

/* The same of a vector along z, whose other components are in sums of chains. */
static __attribute__((flatten)) void project_z(const triad_batch *block, int64_t j, const triad_cplx *f,
                                               triad_lane_row *rates)
{
  const triad_layout *l = block->layout;
  const double *wx = l->wx + block->block * TRIAD_LANES, *wy = l->wy + block->block * TRIAD_LANES;
  const double *sx = l->size_x + block->block * TRIAD_LANES, *sy = l->size_y + block->block * TRIAD_LANES;
  const triad_real kz = (triad_real)l->wz[j], sz = (triad_real)l->size_z[j];
  triad_cplx *x = rates[0], *y = rates[1], *z = rates[2];
#pragma GCC ivdep
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real kx = (triad_real)wx[i], ky = (triad_real)wy[i], h2 = kx * kx + ky * ky, k2 = h2 + kz * kz;
    const triad_real size2 = (triad_real)(sx[i] * sx[i] + sy[i] * sy[i]) + sz * sz;
    const triad_real per = 1 / (k2 > 0 ? k2 : 1), along = kz * per;
    const triad_real across = k2 > 0 ? h2 * per : (triad_real)(size2 > 0); /* all components of a mode may be n/2 */
    x[i].re -= kx * along * f[i].re;
    x[i].im -= kx * along * f[i].im;
    y[i].re -= ky * along * f[i].re;
    y[i].im -= ky * along * f[i].im;
    z[i].re += across * f[i].re;
    z[i].im += across * f[i].im;
  }
}

void triad_relaxation_rates(const triad_relaxation *r, const triad_flow *flow, const triad_batch *block, int64_t j,
                            const triad_cplx *const *results, triad_lane_row *rates)
{
  const triad_field_info *fields = flow->shape.fields;
  for (int n = 0; n < r->n_left; n++) {
    const triad_field_info *info = &fields[r->field[n]];
    if (info->role != TRIAD_ROLE_COMPONENT) {
      for (int i = 0; i < TRIAD_LANES; i++) {
        rates[r->field[n]][i].re += results[n][i].re;
        rates[r->field[n]][i].im += results[n][i].im;
      }
    } else if (info->number == 2) {
      project_z(block, j, results[n], rates + r->field[n] - 2);
    } else {
      project(block, j, results + n, rates + r->field[n]);
      n += 2;
    }
  }
}
