/* Compute the acceleration of the gas at points from the rates of a state, exchange its halos, and store it for
 * particles. */
#include "solvers/compressible/particles/acceleration.h"
#include "solvers/compressible/particles/internal.h"

int triad_gas_has_face(const triad_gas_particles *p, int axis, int upper)
{
  return p->blocks.n[axis] > 1 && p->setup->side[axis][upper].kind != TRIAD_COMPRESSIBLE_PERIODIC &&
         p->blocks.neighbour[axis][upper] == TRIAD_NO_NEIGHBOUR;
}

static void fill_face(triad_gas_particles *p, int axis, int upper)
{
  const triad_partition *b = &p->blocks;
  const int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2, kind = (int)p->setup->side[axis][upper].kind;
  const int64_t inwards = upper ? -b->stride[axis] : b->stride[axis];
  const int64_t last = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
  for (int c = 0; c < 3; c++)
    for (int64_t j = -b->halo[a2]; j < b->local[a2] + b->halo[a2]; j++)
      for (int64_t depth = 1; depth <= b->halo[axis]; depth++)
        for (int64_t i = -b->halo[a1]; i < b->local[a1] + b->halo[a1]; i++) {
          const int64_t at = last + i * b->stride[a1] + j * b->stride[a2];
          triad_real *v = p->acceleration[c];
          v[at - depth * inwards] = triad_gas_change_beyond(kind, c, axis, v[at + (depth - 1) * inwards], v[at]);
        }
}

void triad_gas_acceleration_bring(triad_gas_particles *p, triad_real *const *u)
{
  const triad_partition *b = &p->blocks;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++)
      for (int64_t x = 0; x < b->local[0]; x++) {
        const int64_t at = triad_partition_at(b, x, y, z);
        for (int c = 0; c < 3; c++)
          p->acceleration[c][at] =
            triad_gas_change(p->rate[1 + c][at], p->points.velocity[c][at], p->rate[0][at], u[0][at]);
      }
  triad_halo_exchange(p->halo, p->acceleration, 3);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (triad_gas_has_face(p, axis, upper)) fill_face(p, axis, upper);
}
