/* Create, advance and save the groups of particles in a compressible flow. */
#include "solvers/compressible/particles/internal.h"
#include "solvers/compressible/particles/motion.h"
#include "solvers/compressible/particles/files.h"
#include "solvers/particles/start.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_gas_particles_wanted(const triad_case *given) { return triad_case_tables(given, "particles") > 0; }

static void read_boundaries(triad_gas_group *g, const triad_case *c, const triad_compressible_setup *setup)
{
  static const char *const words[] = {"auto", "reflect", "absorb", "reenter"};
  char key[96];
  int asked = TRIAD_MEETS_AUTO;
  (void)snprintf(key, sizeof key, "particles[%d].boundary", g->about.number);
  for (int i = 0; i < 4; i++)
    if (triad_case_is(c, key, words[i])) asked = i;
  for (int a = 0; a < 3; a++)
    for (int upper = 0; upper < 2; upper++) {
      const triad_compressible_side_kind kind = setup->side[a][upper].kind;
      const int wall = kind == TRIAD_COMPRESSIBLE_REFLECTING || kind == TRIAD_COMPRESSIBLE_ADIABATIC ||
                       kind == TRIAD_COMPRESSIBLE_ISOTHERMAL;
      g->meets[a][upper] = asked != TRIAD_MEETS_AUTO ? (enum triad_gas_meeting)asked
                           : wall                    ? TRIAD_MEETS_REFLECT
                                                     : TRIAD_MEETS_ABSORB;
    }
}

static void read_group(triad_gas_group *g, const triad_case *c, const triad_compressible_setup *setup, int number)
{
  char key[96];
  triad_group_describe(&g->about, c, number);
  (void)snprintf(key, sizeof key, "particles[%d].interpolation", number);
  g->points = triad_case_is(c, key, "linear") ? 2 : triad_case_is(c, key, "lagrange6") ? 6 : 4;
  g->about.width = TRIAD_GAS_WIDTH;
  read_boundaries(g, c, setup);
}

void triad_gas_particles_check(const triad_case *c, const triad_compressible_setup *setup,
                               const triad_partition *blocks, int on_gpu, triad_needs *needs)
{
  double records = 0;
  int64_t there = 0, all = 0, largest = 0;
  int mass = 0;
  if (!triad_gas_particles_wanted(c)) return;
  for (int i = 1; i <= triad_case_tables(c, "particles"); i++) {
    triad_gas_group g;
    read_group(&g, c, setup, i);
    g.about.count = triad_start_planned(c, i);
    const int64_t here = g.about.count / blocks->size + 1;
    needs->particles_bytes += 8. * (g.about.kind == TRIAD_INERTIAL ? 9 : 6) * (double)g.about.count;
    mass |= g.about.mass > 0;
    needs->checkpoint_bytes += 8 * (TRIAD_GAS_WIDTH - 1) * g.about.count;
    all += g.about.count;
    if (g.about.count > largest) largest = g.about.count;
    records += (blocks->size > 1 ? 1.1 : 1) * (double)here *
               (TRIAD_GAS_WIDTH + (on_gpu ? 0 : TRIAD_GAS_VECTORS * TRIAD_GAS_MOVING)) * sizeof(double);
    if (on_gpu) there += triad_gas_particles_gpu->group_bytes(setup, blocks, here);
  }
  const int64_t fields = on_gpu || !mass
                           ? 0
                           : (TRIAD_COMPRESSIBLE_FIELDS + 3) * blocks->volume * (int64_t)sizeof(triad_real) +
                               triad_halo_buffer_bytes(blocks, TRIAD_GAS_REACH, 3, TRIAD_HALO_CORNERS);
  triad_needs_add(&needs->rank, "particles",
                  on_gpu ? "their records, for files; time steps use GPU memory"
                  : mass ? "their records, and the fluid acceleration"
                         : "their records",
                  (int64_t)records + fields);
  /* a row of a group with numbers and by number, or of all what the last checkpoint had beside that */
  triad_needs_add_files(&needs->rank, "rows of particles", "buffers while files are written",
                        (19 * largest + (TRIAD_GAS_WIDTH - 1) * all) * (int64_t)sizeof(double) / blocks->size);
  if (on_gpu)
    triad_needs_add(&needs->gpu, "particles", mass ? "their records, and the fluid acceleration" : "their records",
                    there + triad_gas_particles_gpu->field_bytes(blocks, mass));
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

static int has_mass(const triad_gas_particles *p)
{
  int mass = 0;
  for (int i = 0; i < p->n; i++) mass |= p->group[i].about.mass > 0;
  return mass;
}

static int take_rates(triad_gas_particles *p)
{
  triad_memory *m = p->context->memory;
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++)
    TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->blocks.volume, &p->rate[f]));
  for (int c = 0; c < 3; c++) TRIAD_TRY(TRIAD_ALLOC(m, "particles", p->blocks.volume, &p->acceleration[c]));
  return TRIAD_OK;
}

triad_real *const *triad_gas_particles_rates(triad_gas_particles *p) { return p && p->rate[0] ? p->rate : NULL; }

static triad_gas_points points_of(const triad_gas_particles *p)
{
  const triad_partition *b = &p->blocks;
  triad_gas_points q = {.origin = b->origin, .rank = b->rank};
  for (int a = 0; a < 3; a++) {
    q.n[a] = b->n[a];
    q.begin[a] = b->begin[a];
    q.local[a] = b->local[a];
    q.halo[a] = b->halo[a];
    q.stride[a] = b->stride[a];
    q.length[a] = p->setup->length[a];
    q.periodic[a] = p->setup->side[a][0].kind == TRIAD_COMPRESSIBLE_PERIODIC;
    q.dims[a] = b->dims[a];
    q.dealt[a] = p->begin[a];
    q.velocity[a] = triad_compressible_velocity(p->weno)[a];
    q.acceleration[a] = p->acceleration[a];
  }
  return q;
}

static int take(triad_gas_particles *p, int on_gpu)
{
  TRIAD_TRY(find_blocks(p));
  p->n = triad_case_tables(p->given, "particles");
  TRIAD_TRY(TRIAD_ALLOC(p->context->memory, "particles", p->n, &p->group));
  for (int i = 0; i < p->n; i++) read_group(&p->group[i], p->given, p->setup, i + 1);
  if (has_mass(p) && !on_gpu) TRIAD_TRY(take_rates(p));
  p->points = p->here = points_of(p);
  return TRIAD_OK;
}

int triad_gas_particles_create(triad_gas_particles **out, triad_context *context, const triad_case *given,
                               const triad_compressible_setup *setup, const triad_partition *blocks,
                               triad_compressible *weno, triad_device *device)
{
  *out = NULL;
  if (!triad_gas_particles_wanted(given)) return TRIAD_OK;
  triad_gas_particles *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the particles");
  if (p) {
    p->context = context;
    p->given = given;
    p->setup = setup;
    p->blocks = *blocks;
    p->weno = weno;
    p->loops = &triad_gas_particles_on_host;
    st = take(p, device != NULL);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK && device)
    st = triad_gas_particles_gpu->make(p, device, triad_case_word(given, "parallel.transport"), has_mass(p));
  else if (st == TRIAD_OK && has_mass(p))
    st = triad_halo_create_of(&p->halo, context, &p->blocks, TRIAD_GAS_REACH, 3, TRIAD_HALO_CORNERS);
  if (st != TRIAD_OK) triad_gas_particles_destroy(out);
  return st;
}

void triad_gas_particles_destroy(triad_gas_particles **particles)
{
  triad_gas_particles *p = *particles;
  if (!p) return;
  triad_memory *m = p->context->memory;
  if (p->group) triad_gas_particles_close(p);
  p->loops->free(p); /* on a GPU rates and accelerations too */
  for (int i = 0; p->group && i < p->n; i++) {
    TRIAD_FREE(m, &p->group[i].vector);
    TRIAD_FREE(m, &p->group[i].record);
    triad_group_destroy(&p->group[i].about, m);
  }
  TRIAD_FREE(m, &p->group);
  triad_halo_destroy(&p->halo);
  for (int c = 0; c < 3; c++) TRIAD_FREE(m, &p->acceleration[c]);
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) TRIAD_FREE(m, &p->rate[f]);
  for (int a = 0; a < 3; a++) free(p->begin[a]);
  free(p);
  *particles = NULL;
}

/* ---- the start ---- */

static int is_outside(const triad_compressible_setup *s, int axis, double x)
{
  return s->side[axis][0].kind != TRIAD_COMPRESSIBLE_PERIODIC && !(x >= 0 && x <= s->length[axis]);
}

/* The second of a pair, where it lies beyond a boundary: as far from the first on its other side, so that the
 * distance is kept. */
static int turn_second(const triad_gas_particles *p, const triad_group *about, int64_t number, double *row)
{
  double first[TRIAD_GAS_WIDTH] = {0};
  TRIAD_TRY(triad_start_places(about, p->given, p->setup->length, number - 1, number, first));
  for (int a = 0; a < 3; a++)
    if (is_outside(p->setup, a, row[TRIAD_GAS_X + a]))
      row[TRIAD_GAS_X + a] = 2 * first[TRIAD_GAS_X + a] - row[TRIAD_GAS_X + a];
  return TRIAD_OK;
}

/* As the case says; a gas with boundaries does not have all places. */
static int from_case(void *self, const triad_group *about, int64_t begin, int64_t end, double *rows)
{
  const triad_gas_particles *p = self;
  char key[96];
  (void)snprintf(key, sizeof key, "particles[%d].start", about->number);
  const int pairs = triad_case_is(p->given, key, "pairs");
  TRIAD_TRY(triad_start_places(about, p->given, p->setup->length, begin, end, rows));
  for (int64_t i = begin; i < end; i++) {
    double *row = rows + (i - begin) * TRIAD_GAS_WIDTH;
    if (pairs && i % 2) TRIAD_TRY(turn_second(p, about, i, row));
    for (int a = 0; a < 3; a++)
      if (is_outside(p->setup, a, row[TRIAD_GAS_X + a]))
        return TRIAD_FAIL(TRIAD_ERR_CASE, "particles %s: particle %" PRId64 " starts at %c = %g, outside the box",
                          about->name, i, "xyz"[a], row[TRIAD_GAS_X + a]);
  }
  return TRIAD_OK;
}

static int place(triad_gas_particles *p, triad_gas_group *g)
{
  if (g->about.count == 0)
    TRIAD_TRY(triad_agree(&p->context->comm, triad_start_count(p->given, g->about.number, &g->about.count)));
  return triad_gas_group_take(p, g, from_case, p);
}

/* Spheres move with the gas where they start. */
static int start(triad_gas_particles *p, triad_gas_group *g)
{
  double *u = malloc((size_t)(3 * g->n + 1) * sizeof *u);
  int st = u ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%" PRId64 " particles", g->n);
  if (st == TRIAD_OK) st = triad_gas_group_velocities(p, g, u);
  for (int64_t i = 0; st == TRIAD_OK && i < g->n; i++)
    for (int a = 0; a < 3; a++)
      g->record[i * TRIAD_GAS_WIDTH + TRIAD_GAS_U + a] = g->record[i * TRIAD_GAS_WIDTH + TRIAD_GAS_V + a] =
        u[3 * i + a];
  free(u);
  if (st == TRIAD_OK) st = p->loops->put(p, g);
  return triad_agree(&p->context->comm, st);
}

int triad_gas_particles_start(triad_gas_particles *p, triad_log *log)
{
  if (!p) return TRIAD_OK;
  TRIAD_TRY(triad_compressible_bring_velocity(p->weno));
  for (int k = 0; k < p->n; k++) {
    triad_gas_group *g = &p->group[k];
    if (g->placed) continue;
    TRIAD_TRY(place(p, g));
    g->placed = 1;
    triad_log_info(log, "particles %s: %" PRId64 " %s, polynomials of order %d", g->about.name, g->about.count,
                   g->about.kind == TRIAD_TRACER ? "tracers" : "inertial ones", g->points);
    TRIAD_TRY(start(p, g));
  }
  return TRIAD_OK;
}
