/* Allocate the fields of a compressible flow on this rank's block, set its state, and count the cost of a step. */
#include "solvers/compressible/state/compressible.h"
#include "solvers/compressible/state/internal.h"
#include "solvers/compressible/host/host_loops.h"
#include "solvers/compressible/host/tile.h"

#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_CUDA
extern const triad_compressible_gpu_part triad_compressible_gpu_table;
const triad_compressible_gpu_part *const triad_gas_gpu = &triad_compressible_gpu_table;
#else
const triad_compressible_gpu_part *const triad_gas_gpu = NULL;
#endif
const triad_field_info triad_compressible_conserved_fields[TRIAD_COMPRESSIBLE_FIELDS] = {
  {"rho", "density", "M/L^3", TRIAD_SCALAR},
  {"rho_u", "momentum along x", "M/(L^2 T)", TRIAD_COMPONENT("momentum", 0, 0)},
  {"rho_v", "momentum along y", "M/(L^2 T)", TRIAD_COMPONENT("momentum", 1, 0)},
  {"rho_w", "momentum along z", "M/(L^2 T)", TRIAD_COMPONENT("momentum", 2, 0)},
  {"e", "total energy per volume", "M/(L T^2)", TRIAD_SCALAR},
};

const triad_field_info triad_compressible_primitive_fields[TRIAD_COMPRESSIBLE_FIELDS] = {
  {"rho", "density", "M/L^3", TRIAD_SCALAR},
  {"u", "velocity along x", "U", TRIAD_COMPONENT("velocity", 0, 0)},
  {"v", "velocity along y", "U", TRIAD_COMPONENT("velocity", 1, 0)},
  {"w", "velocity along z", "U", TRIAD_COMPONENT("velocity", 2, 0)},
  {"p", "pressure", "M/(L T^2)", TRIAD_SCALAR},
};

/* Fields of the block, one after another. */
static int n_fields(const triad_compressible_setup *s)
{
  int primitives = s->viscosity > 0 ? TRIAD_COMPRESSIBLE_PRIMITIVES : TRIAD_COMPRESSIBLE_PRIMITIVES - 1;
  return triad_scheme_vectors(s->scheme) * TRIAD_COMPRESSIBLE_FIELDS + primitives;
}

/* Fields start at different places within a page, lest their rows fall on the same lines of the cache. */
static int64_t spread(const triad_partition *b, size_t real_size)
{
  int64_t line = 64 / (int64_t)real_size;
  return (b->volume + line - 1) / line * line + 5 * line;
}

/* On a GPU the host has the state only, for files. */
static int allocate_fields(triad_compressible *w, int on_gpu)
{
  triad_real **list[TRIAD_SCHEME_VECTORS] = {w->u, w->stage[0], w->stage[1], w->stage[2]};
  int64_t step = spread(&w->blocks, sizeof(triad_real));
  int all = n_fields(&w->setup), states = triad_scheme_vectors(w->setup.scheme);
  if (on_gpu) all = TRIAD_COMPRESSIBLE_FIELDS * (states = 1);
  TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "compressible fields", all * step, &w->memory));
  triad_real *at = w->memory;
  for (int i = 0; i < states; i++)
    for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++, at += step) list[i][f] = at;
  TRIAD_TRY(triad_state_create(&w->state, w->context->memory, &w->space, triad_compressible_conserved_fields,
                               TRIAD_COMPRESSIBLE_FIELDS));
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) triad_state_attach(w->state, f, TRIAD_HOST, w->u[f]);
  if (on_gpu) return TRIAD_OK;
  for (int f = 0; f < TRIAD_COMPRESSIBLE_MU; f++, at += step) w->primitive[f] = at;
  /* without viscosity none is read: any memory serves the look at a state */
  w->primitive[TRIAD_COMPRESSIBLE_MU] = w->setup.viscosity > 0 ? at : w->primitive[TRIAD_WENO_T];
  return TRIAD_ALLOC(w->context->memory, "compressible tiles", w->context->threads, &w->scratch);
}

int triad_compressible_create(triad_compressible **out, triad_context *context, const triad_partition *blocks,
                              const triad_compressible_setup *setup, triad_device *device, const char *transport)
{
  *out = NULL;
  triad_compressible *w = calloc(1, sizeof *w);
  int st = w ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the compressible solver");
  if (w) {
    w->context = context;
    w->blocks = *blocks;
    w->setup = *setup;
    w->gas = triad_compressible_gas_of(setup);
    for (int i = 0; i < 3; i++) w->per_spacing[i] = (triad_real)((double)setup->n[i] / setup->length[i]);
    triad_space_box(&w->space, &w->blocks, setup->length);
    w->loops = &triad_compressible_host_loops;
    st = allocate_fields(w, device != NULL);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK && device) st = triad_gas_gpu->make(w, device, transport);
  else if (st == TRIAD_OK)
    st = triad_halo_create_of(&w->halo, context, blocks, triad_compressible_halo(setup), TRIAD_COMPRESSIBLE_FIELDS,
                              triad_compressible_reach(setup));
  if (st == TRIAD_OK && !device && setup->closure)
    st = triad_halo_create_of(&w->mu_halo, context, blocks, triad_compressible_halo(setup), 1,
                              triad_compressible_reach(setup));
  if (st != TRIAD_OK) triad_compressible_destroy(&w);
  *out = w;
  return st;
}

void triad_compressible_destroy(triad_compressible **w)
{
  if (!w || !*w) return;
  (*w)->loops->free(*w);
  triad_halo_destroy(&(*w)->halo);
  triad_halo_destroy(&(*w)->mu_halo);
  triad_state_destroy(&(*w)->state);
  TRIAD_FREE((*w)->context->memory, &(*w)->scratch);
  TRIAD_FREE((*w)->context->memory, &(*w)->memory);
  free(*w);
  *w = NULL;
}

triad_state *triad_compressible_state(triad_compressible *w) { return w->state; }

triad_real *const *triad_compressible_fields(triad_compressible *w) { return w->u; }

int64_t triad_compressible_bytes(const triad_partition *b, const triad_compressible_setup *s, size_t real_size,
                                 int on_gpu)
{
  if (on_gpu) return TRIAD_COMPRESSIBLE_FIELDS * spread(b, real_size) * (int64_t)real_size;
  return n_fields(s) * spread(b, real_size) * (int64_t)real_size +
         triad_halo_buffer_bytes(b, triad_compressible_halo(s), TRIAD_COMPRESSIBLE_FIELDS + (s->closure != NULL),
                                 triad_compressible_reach(s));
}

int64_t triad_compressible_tile_bytes(int threads) { return threads * (int64_t)sizeof(triad_compressible_scratch); }

const char *triad_compressible_transport(const triad_compressible *w) { return w->loops->transport(w); }

/* Place of the first point of own row y + local[1] z. */
static int64_t row_of(const triad_partition *b, int64_t row)
{
  return triad_partition_at(b, 0, row % b->local[1], row / b->local[1]);
}

int triad_compressible_put(triad_compressible *w, const triad_real *const q[TRIAD_COMPRESSIBLE_FIELDS])
{
  TRIAD_TRY(triad_state_overwrite_all(w->state, TRIAD_HOST));
  const triad_partition *b = &w->blocks;
  for (int64_t row = 0, i = 0; row < b->local[1] * b->local[2]; row++)
    for (int64_t at = row_of(b, row), end = at + b->local[0]; at < end; at++, i++) {
      triad_real rho = q[0][i], u = q[1][i], v = q[2][i], z = q[3][i], p = q[4][i];
      w->u[0][at] = rho;
      w->u[1][at] = rho * u;
      w->u[2][at] = rho * v;
      w->u[3][at] = rho * z;
      w->u[4][at] = p * w->gas.per_gm1 + TRIAD_R(0.5) * rho * (u * u + v * v + z * z);
    }
  return TRIAD_OK;
}

int triad_compressible_get(triad_compressible *w, int f, triad_real *out)
{
  TRIAD_TRY(triad_state_read_all(w->state, TRIAD_HOST));
  const triad_partition *b = &w->blocks;
  for (int64_t row = 0, i = 0; row < b->local[1] * b->local[2]; row++)
    for (int64_t at = row_of(b, row), end = at + b->local[0]; at < end; at++, i++) {
      triad_compressible_primitive q =
        triad_compressible_primitives(&w->gas, w->u[0][at], w->u[1][at], w->u[2][at], w->u[3][at], w->u[4][at]);
      const triad_real value[5] = {w->u[0][at], q.u, q.v, q.w, w->u[0][at] * q.T * w->gas.per_gamma};
      out[i] = value[f];
    }
  return TRIAD_OK;
}

int triad_compressible_at(triad_compressible *w, int64_t n, const int64_t *at, triad_real *out)
{
  TRIAD_TRY(w->loops->conserved_at(w, n, at, out));
  for (int64_t i = 0; i < n; i++) {
    triad_real u[TRIAD_COMPRESSIBLE_FIELDS];
    for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) u[f] = out[f * n + i];
    const triad_compressible_primitive q = triad_compressible_primitives(&w->gas, u[0], u[1], u[2], u[3], u[4]);
    const triad_real value[TRIAD_COMPRESSIBLE_FIELDS] = {u[0], q.u, q.v, q.w, u[0] * q.T * w->gas.per_gamma};
    for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) out[f * n + i] = value[f];
  }
  return TRIAD_OK;
}

/* What a step costs, counted. */
/* Additions and multiplications of a point in each *_points.h; a division, a root and a power count one. FACE: average,
 * waves and flux from edges; WAVES: the same with twelve projections. */
enum {
  FACE = 143,
  WAVES = 429,
  FLUX = 8,
  DIFFERENCE = 15,
  STRESS = 58,
  STRESS_DIFFERENCE = 24,
  CENTRAL = 350,
  FACE_STRESS = 397,
  PRIMITIVES = 14,
  UPDATE = 25
};

/* A reconstruction of one quantity: at both edges of a cell, and at one. */
static const struct {
  int both, one;
} edges[] = {[TRIAD_WENO_JS] = {79, 56},
             [TRIAD_WENO_M] = {133, 83},
             [TRIAD_WENO_Z] = {91, 68},
             [TRIAD_COMPRESSIBLE_LINEAR] = {22, 13},
             [TRIAD_WENO_TENO] = {101, 78}};

static double sweep(const triad_compressible_setup *s)
{
  if (s->form != TRIAD_COMPRESSIBLE_UPWIND) /* hybrid ones: of a flow without shocks */
    return CENTRAL + DIFFERENCE + (s->viscosity > 0 ? FACE_STRESS + STRESS_DIFFERENCE : 0);
  double work = FLUX + DIFFERENCE + (s->viscosity > 0 ? STRESS + STRESS_DIFFERENCE : 0);
  return work + (s->variables == TRIAD_COMPRESSIBLE_CHARACTERISTIC ? WAVES + 20 * edges[s->weights].one
                                                                   : FACE + 10 * edges[s->weights].both);
}

triad_compressible_costs triad_compressible_cost(const triad_compressible *w)
{
  const triad_compressible_setup *s = &w->setup;
  int stages = s->scheme->n_stages, axes = 0, primitives = s->viscosity > 0 ? 5 : 4;
  double points = (double)triad_partition_points(&w->blocks);
  for (int i = 0; i < 3; i++) axes += s->n[i] > 1;
  /* each field once a pass: primitives are made of the state, then rates of both, then the update of two states */
  int fields =
    TRIAD_COMPRESSIBLE_FIELDS + primitives + TRIAD_COMPRESSIBLE_FIELDS + primitives + 3 * TRIAD_COMPRESSIBLE_FIELDS;
  return (triad_compressible_costs){.stages = stages,
                                    .bytes = stages * points * fields * (double)sizeof(triad_real),
                                    .sent_bytes = stages * (double)w->loops->sent_bytes(w),
                                    .flops = stages * points * (axes * sweep(s) + PRIMITIVES + UPDATE)};
}

triad_phases triad_compressible_phases(triad_compressible *w)
{
  return triad_laps_take(&w->laps, TRIAD_COMPRESSIBLE_PHASE_RATES, &w->phases);
}

void triad_compressible_apart(triad_compressible *w, int apart) { w->loops->time_apart(w, apart); }
