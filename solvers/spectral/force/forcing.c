#include "solvers/spectral/force/forcing.h"
#include "base/random.h"
#include "parallel/sum.h"
#include "solvers/spectral/start/modes.h"
#include "solvers/spectral/start/randomfield.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { FIXED, CONSTANT_POWER, RANDOM };

struct triad_forcing {
  enum kind kind;
  int first, components;    /* the fields it drives */
  double power, helicity, acceleration, spacing;
  uint64_t key;
  int64_t count;            /* forced modes held here */
  int64_t *place, *column, *kz_number;
  double *weight, *lambda;  /* [count] Hermitian weight, decay rate */
  double *f;                /* [count][3][re, im] */
};

void triad_forcing_destroy(triad_forcing **forcing, triad_context *context)
{
  if (!forcing || !*forcing) return;
  triad_forcing *p = *forcing;
  TRIAD_FREE(context->memory, &p->place);
  TRIAD_FREE(context->memory, &p->column);
  TRIAD_FREE(context->memory, &p->kz_number);
  TRIAD_FREE(context->memory, &p->weight);
  TRIAD_FREE(context->memory, &p->lambda);
  TRIAD_FREE(context->memory, &p->f);
  free(p);
  *forcing = NULL;
}

static int take_modes(triad_forcing *p, triad_memory *m, int64_t room)
{
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->place));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->column));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->kz_number));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->weight));
  TRIAD_TRY(TRIAD_ALLOC(m, "forcing", room, &p->lambda));
  return TRIAD_ALLOC(m, "forcing", 6 * room, &p->f);
}

static void push_mode(triad_forcing *p, const triad_flow *flow, int64_t c, int64_t j)
{
  const triad_layout *l = flow->layout;
  triad_decay decay = flow->equations->decay(flow->self, p->first);
  double k2 = l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c] + l->wz[j] * l->wz[j];
  p->place[p->count] = triad_layout_place(l, c, j);
  p->column[p->count] = c;
  p->kz_number[p->count] = j;
  p->weight[p->count] = l->weight[c];
  p->lambda[p->count] = triad_decay_rate(&decay, k2);
  p->count++;
}

static int create_fixed(triad_forcing *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  const triad_case *given = flow->given;
  triad_mode list[TRIAD_ANALYTIC_MODES];
  int count = 0;
  int64_t m = triad_case_integer(given, "forcing.wavenumber");
  p->acceleration = triad_case_real(given, "forcing.amplitude");
  if (triad_case_is(given, "forcing.kind", "abc")) {
    double abc[3];
    triad_case_reals(given, "forcing.abc", abc, 3);
    TRIAD_TRY(triad_abc_modes(&flow->grid, m, p->acceleration, abc, "forcing", list, &count));
  } else {
    TRIAD_TRY(triad_taylor_green_modes(&flow->grid, m, p->acceleration, 0, "forcing", list, &count));
  }
  TRIAD_TRY(take_modes(p, flow->context->memory, count));
  for (int i = 0; i < count; i++) {
    if (triad_modes_place(l, list[i].k) < 0) continue;
    int conjugate;
    int64_t c = triad_layout_find(l, list[i].k[0], list[i].k[1], &conjugate) - l->column_begin[l->rank];
    double *f = p->f + 6 * p->count;
    push_mode(p, flow, c, triad_layout_kz_number(l, list[i].k[2]));
    for (int k = 0; k < 3; k++) {
      f[2 * k] = list[i].re[k];
      f[2 * k + 1] = list[i].im[k];
    }
  }
  return TRIAD_OK;
}

static int in_band(const triad_layout *l, int64_t c, int64_t j, const double band[2])
{
  double w2 = l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c] + l->wz[j] * l->wz[j];
  double k = sqrt(w2) / triad_grid_k_min(&l->grid);
  return llabs(l->kz[j]) <= l->kz_extent[c] && k > 0 && k >= band[0] - 1e-9 && k <= band[1] + 1e-9;
}

static int create_band(triad_forcing *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  double band[2];
  int64_t room = 0;
  triad_case_reals(flow->given, "forcing.k_range", band, 2);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) room += in_band(l, c, j, band);
  TRIAD_TRY(take_modes(p, flow->context->memory, room));
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++)
      if (in_band(l, c, j, band)) push_mode(p, flow, c, j);
  return TRIAD_OK;
}

int triad_forcing_create(triad_forcing **out, triad_flow *flow)
{
  *out = NULL;
  const triad_case *given = flow->given;
  const triad_comm *comm = &flow->context->comm;
  if (triad_case_is(given, "forcing.kind", "none")) return TRIAD_OK;
  triad_forcing *p = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the forcing");
  if (p) {
    p->kind = triad_case_is(given, "forcing.kind", "random")           ? RANDOM
              : triad_case_is(given, "forcing.kind", "constant-power") ? CONSTANT_POWER
                                                                       : FIXED;
    const char *field = triad_case_word(given, "forcing.field");
    int magnetic = strcmp(field, "magnetic") == 0; /* the case's word */
    triad_field_group driven = triad_shape_group(&flow->shape, magnetic ? "magnetic field" : field);
    p->first = driven.first;
    p->components = driven.n;
    p->power = p->kind == FIXED ? 0 : triad_case_real(given, "forcing.power");
    p->helicity = triad_case_real(given, "forcing.helicity");
    p->key = triad_random_key((uint64_t)triad_case_integer(given, "forcing.seed"), TRIAD_STREAM_FORCING);
    p->spacing = INFINITY;
    for (int i = 0; i < 3; i++) p->spacing = fmin(p->spacing, triad_grid_spacing(&flow->grid, i));
    st = p->kind == FIXED ? create_fixed(p, flow) : create_band(p, flow);
  }
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) {
    int64_t all = 0;
    st = TRIAD_MPI(MPI_Allreduce(&p->count, &all, 1, MPI_INT64_T, MPI_SUM, comm->mpi));
    if (st == TRIAD_OK && all == 0)
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "forcing.k_range: no mode that the grid keeps lies in the band");
    st = triad_agree(comm, st);
  }
  if (st != TRIAD_OK) triad_forcing_destroy(&p, flow->context);
  *out = p;
  return st;
}

/* sum over forced modes of weight Re conj(u).u / 2, of weight Re conj(u).f, of weight |f|^2/2, on all ranks. */
static int measure(const triad_forcing *p, const triad_flow *flow, double *energy, double *work, double *square)
{
  triad_sum sums[3];
  double all[3];
  for (int i = 0; i < 3; i++) triad_sum_clear(&sums[i]);
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      const double *f = p->f + 6 * m + 2 * c;
      double re = (double)u->re, im = (double)u->im, w = p->weight[m];
      triad_sum_add(&sums[0], w * (re * re + im * im) / 2);
      triad_sum_add(&sums[1], w * (re * f[0] + im * f[1]));
      triad_sum_add(&sums[2], w * (f[0] * f[0] + f[1] * f[1]) / 2);
    }
  TRIAD_TRY(triad_sum_all(&flow->context->comm, sums, 3, all));
  *energy = all[0];
  *work = all[1];
  *square = all[2];
  return TRIAD_OK;
}

int triad_forcing_prepare(triad_forcing *p, const triad_flow *flow)
{
  if (!p || p->kind != CONSTANT_POWER) return TRIAD_OK;
  double energy, work, square;
  TRIAD_TRY(measure(p, flow, &energy, &work, &square));
  if (!(energy > 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "forcing: constant power multiplies what the field has in its band, which is zero: start "
                                      "from a field with energy there, or take kind = \"random\"");
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      p->f[6 * m + 2 * c] = p->power / (2 * energy) * (double)u->re;
      p->f[6 * m + 2 * c + 1] = p->power / (2 * energy) * (double)u->im;
    }
  return TRIAD_OK;
}

void triad_forcing_add(const triad_forcing *p, triad_cplx *const *target, double tau, double weight)
{
  if (!p || p->kind == RANDOM) return;
  for (int64_t m = 0; m < p->count; m++) {
    double factor = weight * exp(-p->lambda[m] * tau);
    for (int c = 0; c < p->components; c++) {
      triad_cplx *to = &target[p->first + c][p->place[m]];
      to->re += (triad_real)(factor * p->f[6 * m + 2 * c]);
      to->im += (triad_real)(factor * p->f[6 * m + 2 * c + 1]);
    }
  }
}

static void draw(triad_forcing *p, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  for (int64_t m = 0; m < p->count; m++) {
    int64_t c = p->column[m], j = p->kz_number[m];
    double re[3], im[3], sign = 1;
    int32_t kz = l->kz[j];
    if (l->self[c] && kz < 0) { /* the conjugate of the mode at -kz */
      kz = -kz;
      sign = -1;
    }
    const int32_t k[3] = {l->kx[c], l->ky[c], kz};
    const double w[3] = {l->wx[c], l->wy[c], sign * l->wz[j]};
    if (p->components == 3)
      triad_random_vector(p->key, k, w, (uint32_t)(2 * flow->at.step), p->helicity, re, im);
    else
      triad_random_normals(triad_random_bits(p->key, k[0], k[1], k[2], (uint32_t)(2 * flow->at.step)), &re[0], &im[0]);
    for (int i = 0; i < p->components; i++) {
      p->f[6 * m + 2 * i] = re[i];
      p->f[6 * m + 2 * i + 1] = sign * im[i];
    }
  }
}

/* f <- f - u <u.f>/<|u|^2> over the band, so that <u.f> = 0 and what f adds to the energy is of second order. */
static void take_out_field(triad_forcing *p, const triad_flow *flow, double energy, double work)
{
  double share = energy > 0 ? work / (2 * energy) : 0;
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      const triad_cplx *u = &flow->u[p->first + c][p->place[m]];
      p->f[6 * m + 2 * c] -= share * (double)u->re;
      p->f[6 * m + 2 * c + 1] -= share * (double)u->im;
    }
}

int triad_forcing_kick(triad_forcing *p, triad_flow *flow, double dt)
{
  if (!p || p->kind != RANDOM || p->power <= 0) return TRIAD_OK;
  double energy, work, square;
  draw(p, flow);
  TRIAD_TRY(measure(p, flow, &energy, &work, &square));
  take_out_field(p, flow, energy, work);
  TRIAD_TRY(measure(p, flow, &energy, &work, &square));
  double gain = square > 0 ? sqrt(p->power * dt / square) : 0;
  for (int64_t m = 0; m < p->count; m++)
    for (int c = 0; c < p->components; c++) {
      triad_cplx *to = &flow->u[p->first + c][p->place[m]];
      to->re += (triad_real)(gain * p->f[6 * m + 2 * c]);
      to->im += (triad_real)(gain * p->f[6 * m + 2 * c + 1]);
    }
  return TRIAD_OK;
}

int triad_forcing_injection(triad_forcing *p, const triad_flow *flow, double *power)
{
  double energy, square;
  *power = p ? p->power : 0;
  if (!p || p->kind != FIXED) return TRIAD_OK;
  return measure(p, flow, &energy, power, &square);
}

void triad_forcing_modes(const triad_forcing *p, int64_t *count, const int64_t **place, const int64_t **column,
                         const int64_t **kz_number)
{
  *count = p->count;
  *place = p->place;
  *column = p->column;
  *kz_number = p->kz_number;
}

void triad_forcing_fields(const triad_forcing *p, int *first, int *components)
{
  *first = p->first;
  *components = p->components;
}

int triad_forcing_follows(const triad_forcing *p) { return p && p->kind == CONSTANT_POWER; }

int triad_forcing_acts(const triad_forcing *p) { return p && p->kind != RANDOM; }

double triad_forcing_dt(const triad_forcing *p, double cfl)
{
  if (!p) return INFINITY;
  /* a dt^2 = cfl dx, or sqrt(2 P dt) dt = cfl dx */
  if (p->kind == FIXED) return sqrt(cfl * p->spacing / fabs(p->acceleration));
  return cbrt(cfl * cfl * p->spacing * p->spacing / (2 * p->power));
}
