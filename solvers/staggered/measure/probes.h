/* Velocity, pressure and temperature at the points of output.probes (places.h), between walls and around solids. */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_PROBES_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_PROBES_H

#include "solvers/solver.h"
#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_probes triad_staggered_probes;

/* *out stays NULL where the case names no place, which all others here take. TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_probes_create(triad_staggered_probes **out, const triad_staggered_mesh *mesh,
                                  const triad_case *given);
void triad_staggered_probes_destroy(triad_staggered_probes **probes);

/* Bytes that a rank has for them. Not collective. */
int64_t triad_staggered_probes_bytes(const triad_case *given);

void triad_staggered_probes_info(const triad_staggered_probes *probes, const triad_field_info *fields, int n,
                                 triad_places_info *info);

/* Are the numbers that values are made of still the same? A box that moves and solids that come and go change them:
 * *version does then. Collective. */
int triad_staggered_probes_settle(triad_staggered_probes *probes, int64_t *version);

/* This rank's numbers of u, v, w and p, and of the temperature if there is one: at[first[f]] .. at[first[f + 1] - 1]
 * are their entries of field f's memory; at NULL: only how many. Settled. Not collective. */
void triad_staggered_probes_entries(const triad_staggered_probes *probes, int64_t first[6], int64_t *at);

/* Of these fields, in this order: values[place][4 or 5]; of p and the temperature in a solid NAN. Halos are filled.
 * Each rank adds the numbers that it has, exactly: the same bits on any ranks. brought: these numbers in the order of
 * their entries, for which the fields are not looked at; or NULL. Settled. Collective. */
int triad_staggered_probes_values(triad_staggered_probes *probes, triad_real *const u[3], const triad_real *p,
                                  const triad_real *heat, const triad_real *brought, double *values);

#endif
