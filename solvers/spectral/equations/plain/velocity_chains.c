/* Chains among the products of a velocity, and the sums that forces at points are subtracted from. */
#include "solvers/spectral/equations/plain/velocity_chains.h"

triad_chains triad_velocity_chains(int behind)
{
  return (triad_chains){{[TRIAD_CHAINS_OF_STRESS] = {3, 2 + behind, 1}, [TRIAD_CHAINS_OF_SCALARS] = {2, 1, 0}}};
}

int triad_velocity_sum_of(const triad_shape *shape, int field)
{
  const triad_chain_unit *stress = &shape->pass[0].chains.unit[TRIAD_CHAINS_OF_STRESS],
                         *scalar = &shape->pass[0].chains.unit[TRIAD_CHAINS_OF_SCALARS];
  const int left = stress->length - 1 + stress->alone, first = shape->n_fields - scalar->count;
  if (field < 2) return field;
  return field >= first ? left + scalar->length * (field - first) : -1;
}
