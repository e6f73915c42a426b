/* Compressible flow of an ideal gas on this rank's block, by finite differences (docs/methods/compressible.md):
 *   dU/dt + sum_i dF_i/dx_i = viscous terms,   U = (rho, rho u, rho v, rho w, e),   e = p/(gamma - 1) + rho |u|^2/2
 * A solver owns its fields, exchanges halos, fills boundaries and takes steps; who runs it asks for the step that is
 * stable, and reads and writes files.
 *
 *   triad_compressible_setup_read(&setup, given);
 *   triad_compressible_periodic(&setup, periodic);
 *   triad_partition_init(&blocks, setup.n, periodic, triad_compressible_halo(&setup), rank, size, NULL);
 *   triad_compressible_create(&w, context, &blocks, &setup, NULL, NULL);
 *   triad_compressible_initial(w, given, text, sizeof text);        or triad_compressible_put of fields from a file
 *   triad_compressible_begin(w, step);                              checks the state, finds the rates
 *   while (...) triad_compressible_advance(w, step, dt);            dt <= triad_compressible_stable(w, cfl) */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STATE_COMPRESSIBLE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STATE_COMPRESSIBLE_H

#include "base/clock.h"
#include "grid/state.h"
#include "parallel/context.h"
#include "parallel/device.h"
#include "solvers/compressible/case/setup.h"
#include "solvers/info.h"

typedef struct triad_compressible triad_compressible;
struct triad_gas_particles;

/* Fields at zero. The blocks have been dealt for this setup, context->comm's ranks and triad_compressible_halo. Copies
 * *blocks and *setup. device: the GPU that steps are taken on, and transport: what carries halos between GPUs, as
 * parallel.transport of a case; NULL for the CPU, on all ranks. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. Collective. */
int triad_compressible_create(triad_compressible **out, triad_context *context, const triad_partition *blocks,
                              const triad_compressible_setup *setup, triad_device *device, const char *transport);
void triad_compressible_destroy(triad_compressible **w);

/* The state U: rho, the momentum rho_u, rho_v, rho_w, and e, real [z][y][x] each with halos as in grid/partition.h.
 * What stands at own points is all there is to a state: checkpoints hold it bit for bit. After writing call
 * triad_compressible_begin. */
triad_state *triad_compressible_state(triad_compressible *w);

/* From now on each stage carries these on (particles/particles.h), which outlive it; NULL: none. */
void triad_compressible_carries(triad_compressible *w, struct triad_gas_particles *particles);

/* Its host copies, u[f] the start of field f's memory: ask the state first where steps may be taken on a GPU. */
triad_real *const *triad_compressible_fields(triad_compressible *w);

/* Where steps are taken: u, v, w at all points of the blocks, halos and points beyond boundaries included, of the
 * state whose halos came last, a stage's or by the second of these, which brings the present state's. Collective. */
triad_real *const *triad_compressible_velocity(const triad_compressible *w);
int triad_compressible_bring_velocity(triad_compressible *w);

/* What the state's fields are, and the primitive ones, [TRIAD_COMPRESSIBLE_FIELDS] each. */
extern const triad_field_info triad_compressible_conserved_fields[], triad_compressible_primitive_fields[];

/* Primitive field f (0 rho, 1 u, 2 v, 3 w, 4 p) of the own points from or to real [z][y][x] without halos. put takes
 * all five at once. Not collective. */
int triad_compressible_put(triad_compressible *w, const triad_real *const primitive[TRIAD_COMPRESSIBLE_FIELDS]);
int triad_compressible_get(triad_compressible *w, int f, triad_real *out);

/* All five at some of the own points, at[i] their numbers [z][y][x]: out[f][i]. The same n points at every call,
 * which no field comes from a GPU for. TRIAD_ERR_MEMORY. Not collective. */
int triad_compressible_at(triad_compressible *w, int64_t n, const int64_t *at, triad_real *out);

/* Set the state to the case's initial.kind, and say in text what came of it (Mach number, Re_lambda, ..), "" for
 * nothing. Kinds: sod, lax, shu-osher, isentropic-vortex, entropy-wave, taylor-green, shock-vortex, blast,
 * turbulence, uniform. Keys: see initial.h. TRIAD_ERR_CASE. Collective. */
int triad_compressible_initial(triad_compressible *w, const triad_case *given, char *text, size_t size);

/* Look at the state that steps start from, which step `step` ended with: TRIAD_ERR_CASE where density or pressure is
 * not positive or not finite, with the cell, its position and its values in the message. Collective, the same on all
 * ranks. */
int triad_compressible_begin(triad_compressible *w, int64_t step);

/* The longest step for Courant number `cfl`, INFINITY never: max over points and axes of (|u_i| + c) dt/dx_i <= cfl,
 * but never beyond what all axes together allow; and as much of the viscous limit (docs/methods/compressible.md
 * eq. 40). Then that bound alone, whatever cfl; and the rate that dt is multiplied with for the Courant number that
 * users are shown. Of the state that begin or advance looked at last. Not collective, the same on all ranks. */
double triad_compressible_stable(const triad_compressible *w, double cfl);
double triad_compressible_bound(const triad_compressible *w);
double triad_compressible_courant_rate(const triad_compressible *w);

/* The time of the state: walls by formula (walls.h; NULL: none) have their values of it, and in a step of its
 * stages. walls outlive the solver's steps. TRIAD_ERR_CASE. Collective. */
struct triad_compressible_walls;
int triad_compressible_set_time(triad_compressible *w, struct triad_compressible_walls *walls, double t);

/* One step of length dt, which ends as step `step`; then looks at the new state as begin does, but for
 * TRIAD_ERR_BLOWUP. Collective. */
int triad_compressible_advance(triad_compressible *w, int64_t step, double dt);

/* dU/dt of the present state, real [5][z][y][x] with halos (own points count), for tests. Collective. */
int triad_compressible_rhs(triad_compressible *w, triad_real *const *rates);

/* Columns of the series after step, t, dt; the *n that triad_compressible_budget fills, then those of drift (flow.c),
 * then those of flows with a force (force.h). */
enum { TRIAD_COMPRESSIBLE_DRIFTS = 3, TRIAD_COMPRESSIBLE_POWERS = 4 };
const triad_column_info *triad_compressible_columns(int *n);

/* Those of a setup: with a closure there are more. */
const triad_column_info *triad_compressible_columns_of(const triad_compressible_setup *setup, int *n);

/* Their values for the present state (triad_compressible_begin or advance came before). Halos are exchanged.
 * Collective. */
int triad_compressible_budget(triad_compressible *w, double *columns);

/* What a step costs this rank, counted. */
typedef struct triad_compressible_costs {
  int stages;
  double bytes, sent_bytes, flops;
} triad_compressible_costs;
triad_compressible_costs triad_compressible_cost(const triad_compressible *w);

/* Time spent since the last call, by phase: halo exchange as TRIAD_PHASE_EXCHANGE, arithmetic as
 * TRIAD_PHASE_POINTWISE. On a GPU, where both go on at once, they are told apart in steps with apart = 1 only, which
 * do one after the other. */
triad_phases triad_compressible_phases(triad_compressible *w);
void triad_compressible_apart(triad_compressible *w, int apart);

/* The word of what carries halos between GPUs, "none" where there is nothing to carry; "mpi" on CPUs. */
const char *triad_compressible_transport(const triad_compressible *w);

/* Bytes a rank with these blocks will take of the host, without taking it, with steps on the CPU or on a GPU. */
int64_t triad_compressible_bytes(const triad_partition *blocks, const triad_compressible_setup *setup, size_t real_size,
                                 int on_gpu);

/* Bytes of the tiles that this many threads work in on the CPU. */
int64_t triad_compressible_tile_bytes(int threads);

#endif
