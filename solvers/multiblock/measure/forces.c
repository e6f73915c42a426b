/* Forces on walls, of all of them and of each, and their coefficients. */
#include "solvers/multiblock/measure/forces.h"

#include "solvers/multiblock/plain/setup.h"
#include "solvers/multiblock/host/rows.h"

#include <math.h>

/* What a wall's face adds. */
static void add_push(triad_multiblock_forces *sum, const double push[3], const double drag[3], const double arm[3])
{
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    sum->force[a] += push[a];
    sum->friction[a] += drag[a];
    sum->moment[a] += arm[b] * push[c] - arm[c] * push[b];
  }
}

/* Friction on a boundary face: that which a GPU has found, or that of the gradients that sight sees. */
static void find_drag(const triad_multiblock_flow *f, const triad_multiblock_sight *sight, int64_t i, double drag[3])
{
  const triad_multiblock_face_of *face = &f->face[i];
  const triad_zone_part *p = f->part[face->part];
  const double sign = face->upper ? 1 : -1;
  for (int a = 0; a < 3; a++) drag[a] = f->face_drag[a] ? -sign * (double)f->face_drag[a][i] : 0;
  if (!f->viscosity || f->face_drag[0]) return;
  const triad_gas_flux d =
    triad_multiblock_diffused(sight, face->axis, f->zones->zone[p->zone].flat, p->stride, face->metric);
  drag[0] = -sign * (double)d.x;
  drag[1] = -sign * (double)d.y;
  drag[2] = -sign * (double)d.z;
}

/* of[0]: all walls; of[1 + i]: wall i. */
static void add_face(const triad_multiblock_flow *f, const triad_multiblock_sight *sight, int64_t i,
                     triad_multiblock_forces *of)
{
  const triad_multiblock_face_of *face = &f->face[i];
  const int wall = f->patches.patch[face->patch].wall;
  double sign = face->upper ? 1 : -1, mass = sign * (double)f->face_flux[0][i], push[3], drag[3], arm[3];
  of->out += mass;
  of->through += fabs(mass);
  if (!f->patches.patch[face->patch].is_wall) return;
  find_drag(f, sight, i, drag);
  for (int a = 0; a < 3; a++) {
    push[a] = sign * (double)f->face_flux[1 + a][i] + drag[a];
    arm[a] = face->centre[a] - f->setup.centre[a];
  }
  add_push(of, push, drag, arm);
  if (wall > 0) add_push(of + wall, push, drag, arm);
}

/* Lift, drag, moment; parts of the first two by friction. */
static void set_coefficients(const triad_multiblock_flow *f, triad_multiblock_forces *of)
{
  const triad_body_reference *r = &f->reference;
  triad_body_coefficients(r, of->force, &of->coefficient[0], &of->coefficient[1]);
  triad_body_coefficients(r, of->friction, &of->coefficient[3], &of->coefficient[4]);
  of->coefficient[2] = triad_body_moment(r, of->moment);
}

/* Lift is across the stream, in the plane that alpha turns in. */
void triad_multiblock_set_reference(triad_multiblock_flow *f)
{
  triad_body_reference *r = &f->reference;
  *r = f->setup.reference;
  r->up = triad_multiblock_up(f->given, f->grid);
  if (f->patches.reference < 0) return;
  const triad_multiblock_patch *stream = &f->patches.patch[f->patches.reference];
  if (!(r->density > 0)) r->density = stream->given[0];
  for (int a = 0; a < 3 && !(triad_body_speed(&f->setup.reference) > 0); a++) r->velocity[a] = stream->given[1 + a];
}

int triad_multiblock_find_forces(triad_multiblock_flow *f, triad_multiblock_forces *of)
{
  const triad_multiblock_sight sight = triad_multiblock_sight_of(f);
  for (int64_t i = 0; i < f->n_faces; i++) add_face(f, &sight, i, of);
  const int n = (1 + f->patches.n_walls) * (int)(sizeof *of / sizeof(double)); /* coefficients are 0 yet */
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, of, n, MPI_DOUBLE, MPI_SUM, f->context->comm.mpi)));
  for (int w = 0; triad_body_head(&f->reference) > 0 && w <= f->patches.n_walls; w++) set_coefficients(f, of + w);
  return TRIAD_OK;
}
