#include "solvers/weno/particles/own.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_gas_particles_wanted(const triad_case *given) { return triad_case_tables(given, "particles") > 0; }

/* The blocks of a flow, with this room's halo. */
static int widen(triad_partition *out, const triad_weno_setup *setup, const triad_partition *blocks)
{
  int periodic[3];
  triad_weno_periodic(setup, periodic);
  for (int a = 0; a < 3; a++)
    for (int r = 0; r < blocks->size && setup->n[a] > 1; r++) {
      int64_t begin[3], local[3];
      triad_partition_of(blocks, r, begin, local);
      if (local[a] < TRIAD_GAS_REACH)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "[[particles]] need %d points along each axis of a block, and there is one of %" PRId64
                          ": take fewer ranks, or more points", TRIAD_GAS_REACH, local[a]);
    }
  return triad_partition_init(out, setup->n, periodic, TRIAD_GAS_REACH, blocks->rank, blocks->size, blocks->dims);
}

static void read_boundaries(triad_gas_group *g, const triad_case *c, const triad_weno_setup *setup)
{
  static const char *const words[] = {"auto", "reflect", "absorb", "reenter"};
  char key[96];
  int asked = TRIAD_MEETS_AUTO;
  (void)snprintf(key, sizeof key, "particles[%d].boundary", g->about.number);
  for (int i = 0; i < 4; i++)
    if (triad_case_is(c, key, words[i])) asked = i;
  for (int a = 0; a < 3; a++)
    for (int upper = 0; upper < 2; upper++) {
      const triad_weno_side_kind kind = setup->side[a][upper].kind;
      const int wall = kind == TRIAD_WENO_REFLECTING || kind == TRIAD_WENO_ADIABATIC || kind == TRIAD_WENO_ISOTHERMAL;
      g->meets[a][upper] = asked != TRIAD_MEETS_AUTO ? (enum triad_gas_meeting)asked : wall ? TRIAD_MEETS_REFLECT : TRIAD_MEETS_ABSORB;
    }
}

static void read_group(triad_gas_group *g, const triad_case *c, const triad_weno_setup *setup, int number)
{
  char key[96];
  triad_group_describe(&g->about, c, number);
  (void)snprintf(key, sizeof key, "particles[%d].interpolation", number);
  g->points = triad_case_is(c, key, "linear") ? 2 : triad_case_is(c, key, "lagrange6") ? 6 : 4;
  g->about.width = TRIAD_GAS_WIDTH;
  read_boundaries(g, c, setup);
}

int triad_gas_particles_check(const triad_case *c, const triad_weno_setup *setup, const triad_partition *blocks, triad_needs *needs)
{
  triad_partition wide;
  double records = 0;
  int mass = 0;
  if (!triad_gas_particles_wanted(c)) return TRIAD_OK;
  TRIAD_TRY(widen(&wide, setup, blocks));
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    triad_gas_group g;
    read_group(&g, c, setup, i);
    needs->particles_bytes += 8. * (g.about.kind == TRIAD_INERTIAL ? 9 : 6) * (double)g.about.count;
    mass |= g.about.mass > 0;
    needs->checkpoint_bytes += 8 * (TRIAD_GAS_WIDTH - 1) * g.about.count;
    records += 1.1 * (double)g.about.count / blocks->size * (TRIAD_GAS_WIDTH + TRIAD_GAS_VECTORS * TRIAD_GAS_MOVING) * sizeof(double);
  }
  triad_needs_add(&needs->rank, "particles", "their records, and the velocity with halos of its own",
                  (int64_t)records + 3 * wide.volume * (int64_t)sizeof(triad_real) +
                      (mass ? TRIAD_WENO_FIELDS * blocks->volume + 3 * wide.volume : 0) * (int64_t)sizeof(triad_real) +
                      triad_halo_buffer_bytes(&wide, TRIAD_GAS_REACH, 3, TRIAD_HALO_CORNERS));
  return TRIAD_OK;
}

/* ---- making ---- */

static int find_blocks(triad_gas_particles *p)
{
  const triad_partition *b = &p->blocks;
  for (int a = 0; a < 3; a++) {
    p->begin[a] = calloc((size_t)b->dims[a] + 1, sizeof *p->begin[a]);
    if (!p->begin[a]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the blocks of %d ranks", b->size);
  }
  for (int r = 0; r < b->size; r++) {
    int64_t begin[3], local[3];
    triad_partition_of(b, r, begin, local);
    p->begin[0][r % b->dims[0]] = begin[0];
    p->begin[1][r / b->dims[0] % b->dims[1]] = begin[1];
    p->begin[2][r / b->dims[0] / b->dims[1]] = begin[2];
  }
  return TRIAD_OK;
}

static int take_rates(triad_gas_particles *p)
{
  triad_memory *m = p->context->memory;
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++) TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->state.volume, &p->rate[f]));
  for (int c = 0; c < 3; c++) TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->blocks.volume, &p->acceleration[c]));
  return TRIAD_OK;
}

triad_real *const *triad_gas_particles_rates(triad_gas_particles *p) { return p && p->rate[0] ? p->rate : NULL; }

static int take(triad_gas_particles *p, const triad_partition *blocks)
{
  triad_memory *m = p->context->memory;
  p->state = *blocks;
  TRIAD_TRY(widen(&p->blocks, p->setup, blocks));
  TRIAD_TRY(find_blocks(p));
  for (int c = 0; c < 3; c++) TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->blocks.volume, &p->velocity[c]));
  p->n = triad_case_tables(p->given, "particles");
  TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->n, &p->group));
  for (int i = 0; i < p->n; i++) read_group(&p->group[i], p->given, p->setup, i + 1);
  for (int i = 0; i < p->n; i++)
    if (p->group[i].about.mass > 0) return take_rates(p);
  return TRIAD_OK;
}

int triad_gas_particles_create(triad_gas_particles **out, const triad_context *context, const triad_case *given,
                               const triad_weno_setup *setup, const triad_partition *blocks)
{
  *out = NULL;
  if (!triad_gas_particles_wanted(given)) return TRIAD_OK;
  triad_gas_particles *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the particles");
  if (p) {
    p->context = context;
    p->given = given;
    p->setup = setup;
    st = take(p, blocks);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_halo_create_of(&p->halo, context, &p->blocks, TRIAD_GAS_REACH, 3, TRIAD_HALO_CORNERS);
  if (st != TRIAD_OK) triad_gas_particles_destroy(out);
  return st;
}

void triad_gas_particles_destroy(triad_gas_particles **particles)
{
  triad_gas_particles *p = *particles;
  if (!p) return;
  triad_memory *m = p->context->memory;
  if (p->group) triad_gas_particles_close(p);
  for (int i = 0; p->group && i < p->n; i++) {
    TRIAD_FREE(m, &p->group[i].vector);
    TRIAD_FREE(m, &p->group[i].record);
    triad_group_destroy(&p->group[i].about, m);
  }
  TRIAD_FREE(m, &p->group);
  triad_halo_destroy(&p->halo);
  for (int c = 0; c < 3; c++) TRIAD_FREE(m, &p->velocity[c]);
  for (int c = 0; c < 3; c++) TRIAD_FREE(m, &p->acceleration[c]);
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++) TRIAD_FREE(m, &p->rate[f]);
  for (int a = 0; a < 3; a++) free(p->begin[a]);
  free(p);
  *particles = NULL;
}

/* ---- the start ---- */

/* A place that a gas with boundaries does not have. */
static int check_places(const triad_gas_particles *p, const triad_gas_group *g, int64_t n, const double *rows)
{
  for (int64_t i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) {
      const double x = rows[i * TRIAD_GAS_WIDTH + TRIAD_GAS_X + a];
      if (p->setup->side[a][0].kind != TRIAD_WENO_PERIODIC && !(x >= 0 && x <= p->setup->length[a]))
        return TRIAD_FAIL(TRIAD_ERR_CASE, "particles %s: particle %" PRId64 " starts at %c = %g, outside of the box", g->about.name,
                          (int64_t)rows[i * TRIAD_GAS_WIDTH], "xyz"[a], x);
    }
  return TRIAD_OK;
}

static int place(triad_gas_particles *p, triad_gas_group *g)
{
  const triad_comm *comm = &p->context->comm;
  if (g->about.count == 0) TRIAD_TRY(triad_agree(comm, triad_start_count(p->given, g->about.number, &g->about.count)));
  const int64_t begin = triad_deal(g->about.count, comm->rank, comm->size), end = triad_deal(g->about.count, comm->rank + 1, comm->size);
  double *rows = calloc((size_t)((end - begin) * TRIAD_GAS_WIDTH + 1), sizeof *rows);
  int st = rows ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " particles", end - begin);
  if (st == TRIAD_OK) st = triad_start_places(&g->about, p->given, p->setup->length, begin, end, rows);
  for (int64_t i = begin; st == TRIAD_OK && i < end; i++) rows[(i - begin) * TRIAD_GAS_WIDTH] = (double)i;
  if (st == TRIAD_OK) st = check_places(p, g, end - begin, rows);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = triad_gas_group_take(p, g, end - begin, rows);
  free(rows);
  return st;
}

int triad_gas_particles_start(triad_gas_particles *p, triad_real *const *u, triad_log *log)
{
  if (!p) return TRIAD_OK;
  triad_gas_velocity_bring(p, u);
  for (int k = 0; k < p->n; k++) {
    triad_gas_group *g = &p->group[k];
    if (g->placed) continue;
    TRIAD_TRY(place(p, g));
    g->placed = 1;
    triad_log_info(log, "particles %s: %" PRId64 " %s, polynomials of order %d", g->about.name, g->about.count,
                   g->about.kind == TRIAD_TRACER ? "tracers" : "inertial ones", g->points);
    for (int64_t i = 0; i < g->n; i++) {
      double *r = g->record + i * TRIAD_GAS_WIDTH;
      if (!triad_gas_velocity_at(p, g->points, r + TRIAD_GAS_X, r + TRIAD_GAS_U)) g->lost = 1;
      memcpy(r + TRIAD_GAS_V, r + TRIAD_GAS_U, 3 * sizeof *r);
    }
  }
  return TRIAD_OK;
}
