/* Forces of a spectral flow: an acceleration of a few modes, or of the modes of a band of shells. It acts on the
 * velocity, or on the magnetic field or theta if forcing.field is set; u and f below are then that field and its rate.
 *
 *   taylor-green, abc    a constant field f (solvers/spectral/start/analytic.h)
 *   constant-power       f = u P/(2 E_band) on the band: injects P at every instant
 *   random               white in time: after each step u += a g, g a fresh random solenoidal field on the band less
 *                        its
 *                        part along u, and a^2 <|g|^2>/2 = P dt: injects P dt in every step (docs/methods/forcing.md
 *                        eq. 14)
 *   ornstein-uhlenbeck   f of the band is noise of a given mean square that forgets itself in correlation_time
 *   constant-energy      after each step the band is multiplied by a number that brings its energy back
 *   formula              formulas of x, y, z, t and the fields
 *   file                 f mode by mode over time, from a file
 *   linear               f = A u of all modes, integrated exactly with what makes them decay
 * With forcing.hold the power follows a quantity of the flow. Every function accepts NULL: no forcing. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORCING_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORCING_H

#include "case/part.h"
#include "solvers/spectral/flow.h"
#include "store/checkpoint/notes.h"

/* Word number i of forcing.kind, NULL behind the last; does a kind act on the band of forcing.k_range, can its power be
 * held, is it of a shape that only vectors have? Not collective. */
enum { TRIAD_FORCE_IS_BANDED, TRIAD_FORCE_IS_HELD, TRIAD_FORCE_IS_SHAPED };
const triad_word *triad_force_word(int i);
int triad_force_is(const triad_case *given, int what);

/* What a force of formulas takes, or'ed, 0 for others: modes made once; fields as modes; evaluation at points in
 * every stage, and transforms back; that of more formulas than kernels take. Not collective. */
enum {
  TRIAD_FORCE_OF_POINTS = 1,
  TRIAD_FORCE_OF_FIELDS = 2,
  TRIAD_FORCE_AT_POINTS = 4,
  TRIAD_FORCE_BEYOND_KERNELS = 8
};
enum { TRIAD_FORCE_KERNELS_TAKE = 32 };
int triad_force_work(const triad_case *given, int *work);

/* What the case asks for; *out stays NULL for "none". TRIAD_ERR_CASE for a band without modes. Collective. */
int triad_forcing_create(triad_forcing **out, triad_flow *flow);
void triad_forcing_destroy(triad_forcing **forcing, triad_context *context);

/* Before a stage: f for the state as it is. TRIAD_ERR_CASE where constant power finds nothing to act on. Collective. */
int triad_forcing_prepare(triad_forcing *forcing, const triad_flow *flow);

/* target += weight exp(-lambda tau) f, for the fields target[..] of the flow that it drives. Not collective. */
void triad_forcing_add(const triad_forcing *forcing, triad_cplx *const *target, double tau, double weight);

/* After a step of length dt that began at flow->at.step: the increment, or the numbers of the next step. Collective. */
int triad_forcing_kick(triad_forcing *forcing, triad_flow *flow, double dt);

/* The decay of a field that steps integrate exactly, with the growth of a linear force. Not collective. */
triad_decay triad_forcing_decay(const triad_flow *flow, int field);

/* Power put into the state [U^2/T], d/dt of the mean of half the square of the driven field: as it is, or, of kinds
 * that change from step to step, the mean over the last one; columns: of this state, without the injection.
 * Collective. */
int triad_forcing_injection(triad_forcing *forcing, const triad_flow *flow, const double *columns, double *power);

/* Formulas that are evaluated at the points of every stage, in its last pass, whose first inputs are the fields. The
 * number of results that the pass has for them, by the case and by the force (0: none). Their values at the points of a
 * patch; returns (|f|/dx)^(1/2) in the first stage, a rate that limits a step likewise. TRIAD_ERR_CASE where a value
 * was none (collective). */
int triad_force_results(const triad_case *given, const triad_shape *shape, int *n);
int triad_forcing_results(const triad_forcing *forcing);
double triad_forcing_points(triad_forcing *forcing, const triad_flow *flow, const triad_patch *at,
                            triad_real *const *in, triad_real *const *out);
int triad_forcing_good(triad_forcing *forcing, const triad_flow *flow);

/* On a GPU: what formulas of fields and at points put in, for triad_forcing_injection. */
void triad_forcing_set_power(triad_forcing *forcing, double power);

/* Does it add to rates where modes are advanced? What results and the fields u[] add to those of row j of a block. */
int triad_forcing_has_rates(const triad_forcing *forcing);
void triad_forcing_rates(const triad_forcing *forcing, const triad_flow *flow, const triad_batch *block, int64_t j,
                         const triad_cplx *const *u, const triad_cplx *const *results, triad_lane_row *rates);

/* The column work_done of the series, flow->work: the integral of the injection over all steps. Forces that are
 * random, constant-power, ornstein-uhlenbeck or constant-energy know their mean power in each step. The power of all
 * others is measured at both ends of each step, and their work is the trapezoidal sum (measure.h, triad_work_begin).
 * triad_forcing_count adds the step of length flow->at.dt that has just been taken, before triad_forcing_control
 * changes the power; power: at its end, if it is measured. A flow without forcing keeps its work, since a run may
 * continue without its force. Not collective. */
int triad_forcing_column(triad_shape *shape, const triad_case *given);
void triad_forcing_count(triad_flow *flow, double power);
void triad_forcing_work(const triad_flow *flow, double *columns);

/* Is the power measured at both ends of each step? Is the one at the start of the next step not known yet? It is set
 * before the first step, and forgotten when the state is changed from outside. Not collective. */
int triad_forcing_measures(const triad_forcing *forcing);
int triad_forcing_begins(const triad_forcing *forcing);
void triad_forcing_set_end(triad_forcing *forcing, double power);
void triad_forcing_forget_end(triad_forcing *forcing);

/* The rate A of a linear force f = A u; 0 for all others. Not collective. */
double triad_forcing_growth(const triad_forcing *forcing);

/* The forced modes that this rank holds: how many, where in a field's storage, and their columns and kz numbers. */
void triad_forcing_modes(const triad_forcing *forcing, int64_t *count, const int64_t **place, const int64_t **column,
                         const int64_t **kz_number);

/* The fields it drives: first .. first + components - 1. */
void triad_forcing_fields(const triad_forcing *forcing, int *first, int *components);

/* Does it look at the state before this stage? Does it act within stages? Does it look at the state after a step, and
 * change it then? */
int triad_forcing_follows(const triad_forcing *forcing);
int triad_forcing_acts(const triad_forcing *forcing);
int triad_forcing_finishes(const triad_forcing *forcing);
int triad_forcing_kicks(const triad_forcing *forcing);

/* The longest step in which the forcing alone does not move fluid at rest past cfl grid spacings, nor forgets
 * itself. */
double triad_forcing_dt(const triad_forcing *forcing, double cfl);

/* What a checkpoint must have of it, and back: notes NULL: a start. Not collective. */
int triad_forcing_keep(const triad_forcing *forcing, triad_notes *notes);
void triad_forcing_settle(triad_forcing *forcing, const triad_flow *flow, const triad_notes *notes, triad_log *log);

/* For a branch, after the same call without notes: continue the state of a random force from the notes of its
 * checkpoint and, if it keeps the time, also a controlled force. Not collective. */
void triad_forcing_branch(triad_forcing *forcing, const triad_flow *flow, const triad_notes *notes, int keeps_time,
                          triad_log *log);

/* Is the rounding of a divergence due to be taken away, after a step from t = before to after? A linear force lets
 * it grow with the field, e-fold by e-fold, and nothing else acts on it. */
int triad_forcing_cleans(const triad_forcing *forcing, double before, double after);

/* Forcing of a state on a GPU (gpu_modes.h): its few forced modes are copied to the host, where the functions above act
 * on them. */
typedef struct triad_gpu_forced triad_gpu_forced;

/* Bring the forced modes to flow->u on the host, for triad_forcing_injection. */
int triad_gpu_forced_show(triad_gpu_forced *forced, triad_cplx *const *u);

/* cuda/spectral/modes.cu: packed[c * n + m] = u[c][index[m]] for c < n_fields; and back, or added. */
int triad_gpu_modes_get(int n_fields, int64_t n, const int64_t *index, triad_cplx *const *u, triad_cplx *packed,
                        void *stream);
int triad_gpu_modes_put(int n_fields, int64_t n, const int64_t *index, const triad_cplx *packed, int add,
                        triad_cplx *const *u, void *stream);

#endif
