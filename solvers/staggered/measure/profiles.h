/* Means and stresses over planes between walls, as running sums over time (docs/methods/staggered.md eq. 54). */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_PROFILES_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_PROFILES_H

#include "case/case.h"
#include "parallel/sum.h"
#include "solvers/staggered/state/mesh.h"
#include "store/checkpoint/notes.h"

typedef struct triad_staggered_profiles triad_staggered_profiles;

/* How many sums a plane has: more with a temperature. Not collective. */
int triad_staggered_profile_sums(const triad_staggered_setup *setup);

/* What triad_staggered_profile, and with a temperature triad_staggered_profile_heat, add up to over the planes across
 * an axis, plane[sum][n], exact sums rounded once; room for the sums: work[threads][sum][n]. Collective. */
int triad_staggered_profile_planes(const triad_staggered_mesh *mesh, int axis, triad_real *const u[3],
                                   const triad_real *p, const triad_real *heat, triad_sum *work, double *plane);

/* The same of what is known of this rank's cells already, here[sum][own plane]; work[sum][n]. Collective. */
int triad_staggered_profile_collect(const triad_staggered_mesh *mesh, int axis, const double *here, triad_sum *work,
                                    double *plane);

/* *out NULL where the case asks for none, which all others here take and do nothing. TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_profiles_create(triad_staggered_profiles **out, const triad_staggered_mesh *mesh,
                                    const triad_case *given);
void triad_staggered_profiles_destroy(triad_staggered_profiles **profiles);

/* Bytes that a rank of so many threads has for them. Not collective. */
int64_t triad_staggered_profiles_bytes(const triad_staggered_setup *setup, const triad_case *given, int threads);

/* Will `add` read the state at this step? Not collective. */
int triad_staggered_profiles_due(const triad_staggered_profiles *profiles, int64_t step, double t);

/* The axis that the planes are across. Not collective. */
int triad_staggered_profiles_axis(const triad_staggered_profiles *profiles);

/* After a step of dt, at time t: where it is its turn, the state counts for as long as has passed since the last.
 * Halos are filled. planes: what triad_staggered_profile adds up to over this rank's cells, [sum][plane], if that is
 * known already; u, p and the temperature are not read then. Collective. */
int triad_staggered_profiles_add(triad_staggered_profiles *profiles, int64_t step, double t, double dt,
                                 triad_real *const u[3], const triad_real *p, const triad_real *heat,
                                 const double *planes);

/* Save to a checkpoint and restore, bit for bit; if the checkpoint has none of these axes the profiles start over. Not
 * collective. */
int triad_staggered_profiles_keep(const triad_staggered_profiles *profiles, triad_notes *notes);
void triad_staggered_profiles_take(triad_staggered_profiles *profiles, const triad_notes *notes);

/* RUN/profiles.csv as they are now. TRIAD_ERR_IO. Collective. */
int triad_staggered_profiles_write(const triad_staggered_profiles *profiles, const char *run_dir, int64_t step,
                                   double t);

#endif
