/* Compressible flow of an ideal gas on this rank's block, by finite differences (docs/methods/compressible.md):
 *   dU/dt + sum_i dF_i/dx_i = viscous terms,   U = (rho, rho u, rho v, rho w, e),   e = p/(gamma - 1) + rho |u|^2/2
 * A solver owns its fields, exchanges halos, fills boundaries and takes steps; who runs it asks for the step that is
 * stable, and reads and writes files.
 *
 *   triad_weno_setup_read(&setup, given);
 *   triad_weno_periodic(&setup, periodic);
 *   triad_partition_init(&blocks, setup.n, periodic, triad_weno_halo(&setup), rank, size, NULL);
 *   triad_weno_create(&w, context, &blocks, &setup, NULL, NULL);
 *   triad_weno_initial(w, given, text, sizeof text);        or triad_weno_put of fields from a file
 *   triad_weno_begin(w, step);                              checks the state, finds the rates
 *   while (...) triad_weno_advance(w, step, dt);            dt <= triad_weno_stable(w, cfl) */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STATE_WENO_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STATE_WENO_H

#include "base/clock.h"
#include "grid/state.h"
#include "parallel/context.h"
#include "parallel/device.h"
#include "solvers/compressible/case/setup.h"
#include "solvers/info.h"

typedef struct triad_weno triad_weno;
struct triad_gas_particles;

/* Fields at zero. The blocks have been dealt for this setup, context->comm's ranks and triad_weno_halo. Copies
 * *blocks and *setup. device: the GPU that steps are taken on, and transport: what carries halos between GPUs, as
 * parallel.transport of a case; NULL for the CPU, on all ranks. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. Collective. */
int triad_weno_create(triad_weno **out, triad_context *context, const triad_partition *blocks,
                      const triad_weno_setup *setup, triad_device *device, const char *transport);
void triad_weno_destroy(triad_weno **w);

/* The state U: rho, the momentum rho_u, rho_v, rho_w, and e, real [z][y][x] each with halos as in grid/partition.h.
 * What stands at own points is all there is to a state: checkpoints hold it bit for bit. After writing call
 * triad_weno_begin. */
triad_state *triad_weno_state(triad_weno *w);

/* From now on each stage carries these on (particles/particles.h), which outlive it; NULL: none. */
void triad_weno_carries(triad_weno *w, struct triad_gas_particles *particles);

/* Its host copies, u[f] the start of field f's memory: ask the state first where steps may be taken on a GPU. */
triad_real *const *triad_weno_fields(triad_weno *w);

/* Where steps are taken: u, v, w at all points of the blocks, halos and points beyond boundaries included, of the
 * state whose halos came last, a stage's or by the second of these, which brings the present state's. Collective. */
triad_real *const *triad_weno_velocity(const triad_weno *w);
int triad_weno_bring_velocity(triad_weno *w);

/* What the state's fields are, and the primitive ones, [TRIAD_WENO_FIELDS] each. */
extern const triad_field_info triad_weno_conserved_fields[], triad_weno_primitive_fields[];

/* Primitive field f (0 rho, 1 u, 2 v, 3 w, 4 p) of the own points from or to real [z][y][x] without halos. put takes
 * all five at once. Not collective. */
int triad_weno_put(triad_weno *w, const triad_real *const primitive[TRIAD_WENO_FIELDS]);
int triad_weno_get(triad_weno *w, int f, triad_real *out);

/* All five at some of the own points, at[i] their numbers [z][y][x]: out[f][i]. The same n points at every call,
 * which no field comes from a GPU for. TRIAD_ERR_MEMORY. Not collective. */
int triad_weno_at(triad_weno *w, int64_t n, const int64_t *at, triad_real *out);

/* Set the state to the case's initial.kind, and say in text what came of it (Mach number, Re_lambda, ..), "" for
 * nothing. Kinds: sod, lax, shu-osher, isentropic-vortex, entropy-wave, taylor-green, shock-vortex, blast,
 * turbulence, uniform. Keys: see initial.h. TRIAD_ERR_CASE. Collective. */
int triad_weno_initial(triad_weno *w, const triad_case *given, char *text, size_t size);

/* Look at the state that steps start from, which step `step` ended with: TRIAD_ERR_CASE where density or pressure is
 * not positive or not finite, with the cell, its position and its values in the message. Collective, the same on all
 * ranks. */
int triad_weno_begin(triad_weno *w, int64_t step);

/* The longest step for Courant number `cfl`, INFINITY never: max over points and axes of (|u_i| + c) dt/dx_i <= cfl,
 * but never beyond what all axes together allow; and as much of the viscous limit (docs/methods/compressible.md
 * eq. 40). Then that bound alone, whatever cfl; and the rate that dt is multiplied with for the Courant number that
 * users are shown. Of the state that begin or advance looked at last. Not collective, the same on all ranks. */
double triad_weno_stable(const triad_weno *w, double cfl);
double triad_weno_bound(const triad_weno *w);
double triad_weno_courant_rate(const triad_weno *w);

/* The time of the state: walls by formula (walls.h; NULL: none) have their values of it, and in a step of its
 * stages. walls outlive the solver's steps. TRIAD_ERR_CASE. Collective. */
struct triad_weno_walls;
int triad_weno_set_time(triad_weno *w, struct triad_weno_walls *walls, double t);

/* One step of length dt, which ends as step `step`; then looks at the new state as begin does, but for
 * TRIAD_ERR_BLOWUP. Collective. */
int triad_weno_advance(triad_weno *w, int64_t step, double dt);

/* dU/dt of the present state, real [5][z][y][x] with halos (own points count), for tests. Collective. */
int triad_weno_rhs(triad_weno *w, triad_real *const *rates);

/* Columns of the series after step, t, dt; the *n that triad_weno_budget fills, then those of drift (flow.c), then
 * those of flows with a force (force.h). */
enum { TRIAD_WENO_DRIFTS = 3, TRIAD_WENO_POWERS = 4 };
const triad_column_info *triad_weno_columns(int *n);

/* Their values for the present state (triad_weno_begin or advance came before). Halos are exchanged. Collective. */
int triad_weno_budget(triad_weno *w, double *columns);

/* What a step costs this rank, counted. */
typedef struct triad_weno_costs {
  int stages;
  double bytes, sent_bytes, flops;
} triad_weno_costs;
triad_weno_costs triad_weno_cost(const triad_weno *w);

/* Time spent since the last call, by phase: halo exchange as TRIAD_PHASE_EXCHANGE, arithmetic as
 * TRIAD_PHASE_POINTWISE. On a GPU, where both go on at once, they are told apart in steps with apart = 1 only, which
 * do one after the other. */
triad_phases triad_weno_phases(triad_weno *w);
void triad_weno_apart(triad_weno *w, int apart);

/* The word of what carries halos between GPUs, "none" where there is nothing to carry; "mpi" on CPUs. */
const char *triad_weno_transport(const triad_weno *w);

/* Bytes a rank with these blocks will take of the host, without taking it, with steps on the CPU or on a GPU. */
int64_t triad_weno_bytes(const triad_partition *blocks, const triad_weno_setup *setup, size_t real_size, int on_gpu);

/* Bytes of the tiles that this many threads work in on the CPU. */
int64_t triad_weno_tile_bytes(int threads);

#endif
