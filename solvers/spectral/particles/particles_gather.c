/* Gather fields at the particles of all groups in one pass; the velocity of a superfluid follows from psi and its
 * gradient. */
#include "solvers/spectral/particles/particles_gather.h"
#include "solvers/spectral/particles/particles_internal.h"
#include "fft/pass/pass.h"
#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/part.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

triad_gather_want triad_gather_fields(int n, const triad_cplx *const *from, int along)
{
  triad_gather_want want = {.n = n};
  for (int f = 0; f < n; f++) {
    want.field[f].n = 1;
    want.field[f].term[0] = (triad_gather_term){from[f], along, 1};
  }
  return want;
}

/* Groups of one way: splines of an order, or undivided (0). */
int triad_particles_has(const triad_particles *p, int divided)
{
  for (int i = 0; i < p->n; i++)
    if (p->group[i].divided ? p->group[i].order == divided : divided == 0) return 1;
  return 0;
}

int triad_particles_gather_from(triad_particles *p, const triad_gather_want *want, int first, int offset,
                                double *const *out)
{
  static const int ways[] = {0, 4, 6};
  for (int i = first; i < (int)(sizeof ways / sizeof *ways); i++)
    if (triad_particles_has(p, ways[i]))
      TRIAD_TRY(triad_gather_run(p->gather, p->flow->pass, want, ways[i], p->n, p->group, offset, out));
  return TRIAD_OK;
}

int triad_particles_gather(triad_particles *p, const triad_gather_want *want, int offset, double *const *out)
{
  return p->way->gather(p, want, offset, out);
}

int triad_particles_sort(triad_particles *p) { return p->way->sort(p); }

/* psi at the particles of a superfluid, then its derivatives axis by axis, of which each gives a component of j/rho. */
static int superfluid_velocity(triad_particles *p)
{
  const triad_cplx *const *psi = (const triad_cplx *const *)p->flow->u;
  for (int along = -1; along < 3; along++) {
    const triad_gather_want want = triad_gather_fields(2, psi, along);
    TRIAD_TRY(triad_particles_gather(p, &want, along < 0 ? TRIAD_PARTICLE_PSI : TRIAD_PARTICLE_DPSI, NULL));
    for (int i = 0; along >= 0 && i < p->n; i++)
#pragma omp parallel for schedule(static) num_threads(p->flow->context->threads)
      for (int64_t k = 0; k < p->group[i].n; k++) {
        double *r = triad_group_record(&p->group[i], k);
        const double *a = r + TRIAD_PARTICLE_PSI, *d = r + TRIAD_PARTICLE_DPSI;
        r[TRIAD_PARTICLE_U + along] =
          triad_superfluid_velocity(p->two_alpha, p->group[i].least, a[0], a[1], d[0], d[1]);
      }
  }
  return TRIAD_OK;
}

const triad_cplx *const *triad_particles_fluid(const triad_flow *flow)
{
  return (const triad_cplx *const *)flow->u; /* the first three fields of all sets that have one */
}

int triad_particles_velocity(triad_particles *p)
{
  if (p->two_alpha > 0) return superfluid_velocity(p);
  const triad_gather_want u = triad_gather_fields(3, triad_particles_fluid(p->flow), -1);
  return triad_particles_gather(p, &u, TRIAD_PARTICLE_U, NULL);
}
