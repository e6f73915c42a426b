/* Forces of a spectral flow: an acceleration of a few modes, or of the modes of a band of shells. It acts on the
 * velocity, or on the magnetic field or theta if forcing.field is set; u and f below are then that field and its rate.
 *
 *   taylor-green, abc    a constant field f (solvers/spectral/plain/analytic.h)
 *   constant-power       f = u P/(2 E_band) on the band: injects P at every instant
 *   random               white in time: after each step u += a g, with g a new random solenoidal field on the band
 *                        minus its part along u, and a^2 <|g|^2>/2 = P dt: injects P dt in every step
 *                        (docs/methods/forcing.md
 *                        eq. 14)
 *   ornstein-uhlenbeck   f on the band is noise of a given mean square with a correlation time
 *   constant-energy      after each step the band is multiplied by the number that restores its energy
 *   formula              formulas of x, y, z, t and the fields
 *   file                 f mode by mode over time, from a file
 *   linear               f = A u of all modes, integrated exactly together with their decay
 * With forcing.hold the power is controlled by a quantity of the flow. Every function accepts NULL: no forcing. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORCING_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORCING_H

#include "case/part.h"
#include "solvers/spectral/flow.h"
#include "store/checkpoint/notes.h"

/* Create the force of a case; *out stays NULL for "none". TRIAD_ERR_CASE for a band without modes. Collective. */
int triad_forcing_create(triad_forcing **out, triad_flow *flow);
void triad_forcing_destroy(triad_forcing **forcing, triad_context *context);

/* Compute f for the current state, before a stage. TRIAD_ERR_CASE if constant power has a field of zero. Collective. */
int triad_forcing_prepare(triad_forcing *forcing, const triad_flow *flow);

/* target += weight exp(-lambda tau) f, for the driven fields target[..] of the flow. Not collective. */
void triad_forcing_add(const triad_forcing *forcing, triad_cplx *const *target, double tau, double weight);

/* After a step of length dt from flow->at.step: add the increment, or draw the numbers of the next step. Collective. */
int triad_forcing_kick(triad_forcing *forcing, triad_flow *flow, double dt);

/* The decay of a field that steps integrate exactly, with the growth of a linear force. Not collective. */
triad_decay triad_forcing_decay(const triad_flow *flow, int field);

/* Power injected into the state [U^2/T], d/dt of the mean of half the square of the driven field: the current value,
 * or, for kinds that change from step to step, the mean over the last step. columns: of this state, without the
 * injection. Collective. */
int triad_forcing_injection(triad_forcing *forcing, const triad_flow *flow, const double *columns, double *power);

/* Formulas that are evaluated at points in every stage, in its last pass, whose first inputs are the fields. results:
 * the number of results that the pass has for them, 0: none. points: their values at a row of points; returns
 * (|f|/dx)^(1/2) in the first stage, a rate that limits the step. good: TRIAD_ERR_CASE if a value was not finite
 * (collective). */
int triad_forcing_results(const triad_forcing *forcing);
double triad_forcing_points(triad_forcing *forcing, const triad_flow *flow, const triad_patch *at,
                            triad_real *const *in, triad_real *const *out);
int triad_forcing_good(triad_forcing *forcing, const triad_flow *flow);

/* On a GPU: the power of formulas of fields and at points, for triad_forcing_injection. */
void triad_forcing_set_power(triad_forcing *forcing, double power);

/* 1 if the force adds to the rates of modes; add its contribution for row j of a block, from results and fields u[]. */
int triad_forcing_has_rates(const triad_forcing *forcing);
void triad_forcing_rates(const triad_forcing *forcing, const triad_flow *flow, const triad_batch *block, int64_t j,
                         const triad_cplx *const *u, const triad_cplx *const *results, triad_lane_row *rates);

/* The column work_done of the series, flow->work: the integral of the injection over all steps. Forces that are
 * random, constant-power, ornstein-uhlenbeck or constant-energy know their mean power in each step. The power of all
 * others is measured at both ends of each step, and their work is the trapezoidal sum (triad_work_begin).
 * triad_forcing_count adds the step of length flow->at.dt that has just been taken, before triad_forcing_control
 * changes the power; power: at its end, if it is measured. A flow without forcing keeps its work, since a run may
 * continue without its force. Not collective. */
int triad_forcing_column(triad_shape *shape, const triad_case *given);
void triad_forcing_count(triad_flow *flow, double power);
void triad_forcing_work(const triad_flow *flow, double *columns);

/* measures: 1 if the power is measured at both ends of each step. begins: 1 if that at the start of the next step is
 * unknown. It is set before the first step, and forgotten if the state is changed from outside. Not collective. */
int triad_forcing_measures(const triad_forcing *forcing);
int triad_forcing_begins(const triad_forcing *forcing);
void triad_forcing_set_end(triad_forcing *forcing, double power);
void triad_forcing_forget_end(triad_forcing *forcing);

/* The rate A of a linear force f = A u; 0 for all others. Not collective. */
double triad_forcing_growth(const triad_forcing *forcing);

/* The forced modes of this rank: their number, their indices in a field, their columns and kz numbers. */
void triad_forcing_modes(const triad_forcing *forcing, int64_t *count, const int64_t **place, const int64_t **column,
                         const int64_t **kz_number);

/* The driven fields: first .. first + components - 1. */
void triad_forcing_fields(const triad_forcing *forcing, int *first, int *components);

/* Properties of a force, 1 or 0. follows: it reads the state before this stage. acts: it acts within stages. finishes:
 * it reads the state after a step. kicks: it changes the state after a step. */
int triad_forcing_follows(const triad_forcing *forcing);
int triad_forcing_acts(const triad_forcing *forcing);
int triad_forcing_finishes(const triad_forcing *forcing);
int triad_forcing_kicks(const triad_forcing *forcing);

/* The longest step in which the force alone moves fluid at rest by at most cfl grid spacings, and which its correlation
 * time allows. */
double triad_forcing_dt(const triad_forcing *forcing, double cfl);

/* keep: store the force's state in notes of a checkpoint. settle: read it; notes NULL: new start. Not collective. */
int triad_forcing_keep(const triad_forcing *forcing, triad_notes *notes);
void triad_forcing_settle(triad_forcing *forcing, const triad_flow *flow, const triad_notes *notes, triad_log *log);

/* For a branch, after the same call without notes: continue the state of a random force from the notes of its
 * checkpoint and, if it keeps the time, also a controlled force. Not collective. */
void triad_forcing_branch(triad_forcing *forcing, const triad_flow *flow, const triad_notes *notes, int keeps_time,
                          triad_log *log);

/* 1 if rounding errors of the divergence must be removed after a step from t = before to after: a linear force
 * amplifies them with the field, and nothing else reduces them. */
int triad_forcing_cleans(const triad_forcing *forcing, double before, double after);

/* Forcing of a state on a GPU (gpu_modes.h): its few forced modes are copied to the host, where the functions above act
 * on them. */
typedef struct triad_gpu_forced triad_gpu_forced;

#endif
