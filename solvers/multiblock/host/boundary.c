/* Fill the halos beyond boundary faces on the CPU, and compute the fluxes through these faces. */
#include "solvers/multiblock/host/boundary.h"
#include "solvers/multiblock/points/boundary_points.h"

#include "solvers/multiblock/state/faces.h"

/* The halo beyond a face, and the flux out through it. */
static void set_face(triad_multiblock_flow *f, int64_t i, const triad_multiblock_side *side)
{
  const triad_real gamma = (triad_real)f->setup.gas.gamma;
  const triad_multiblock_face_of *face = &f->face[i];
  const triad_zone_part *part = f->part[face->part];
  const triad_real area[3] = {(triad_real)face->area[0], (triad_real)face->area[1], (triad_real)face->area[2]};
  const triad_gas_state near = triad_multiblock_at(f->q, face->cell), inner = triad_multiblock_at(f->q, face->inner),
                        next = f->order > 0 ? inner : near;
  triad_real s[3], n[3];
  triad_multiblock_outwards(area, face->upper, s, n);
  const triad_gas_state at = triad_multiblock_state_at(side, near, next, n, gamma),
                        q = triad_multiblock_halo_of(side, near, inner, at, n);
  const triad_gas_flux flux = triad_multiblock_boundary_flux(side, f->setup.riemann, near, next, at, s, gamma);
  const int64_t out = face->upper ? part->stride[face->axis] : -part->stride[face->axis];
  const triad_real sign = face->upper ? TRIAD_R(1) : TRIAD_R(-1);
  triad_multiblock_put(f->q, face->halo, q);
  triad_multiblock_put(f->q, face->halo + out, q); /* of which only signs count */
  f->face_flux[0][i] = sign * flux.mass;
  f->face_flux[1][i] = sign * flux.x;
  f->face_flux[2][i] = sign * flux.y;
  f->face_flux[3][i] = sign * flux.z;
  f->face_flux[4][i] = sign * flux.energy;
}

/* Faces across i are one row apart, so each needs cache lines of its own, which this prefetches. */
static void fetch_face(const triad_multiblock_flow *f, const triad_multiblock_face_of *face)
{
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) __builtin_prefetch(f->q[m] + face->cell, 1, 3);
}

void triad_multiblock_boundary_set(triad_multiblock_flow *f)
{
  enum { AHEAD = 8 };
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t i = 0; i < f->n_faces; i++) {
    const triad_multiblock_side *of_patch = &f->side[f->face[i].patch];
    if (i + AHEAD < f->n_faces) fetch_face(f, &f->face[i + AHEAD]);
    if (of_patch->kind != TRIAD_MULTIBLOCK_EXACT) {
      set_face(f, i, of_patch);
      continue;
    }
    triad_multiblock_side exact = *of_patch;
    exact.given = triad_multiblock_state_of_doubles(f->face_exact[i][0]);
    exact.beyond = triad_multiblock_state_of_doubles(f->face_exact[i][1]);
    set_face(f, i, &exact);
  }
}
