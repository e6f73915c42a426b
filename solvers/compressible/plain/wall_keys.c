/* Look for walls by formula in a case. */
#include "solvers/compressible/plain/wall_keys.h"

const char triad_compressible_temperature_key[] = "boundaries.wall_temperature_at";
const char triad_compressible_velocity_key[] = "boundaries.wall_velocity_at";

int triad_compressible_walls_wanted(const triad_case *given)
{
  const char *texts[18];
  int wanted = 0;
  for (int k = 0; k < 2; k++) {
    const int n = triad_case_texts(given, k ? triad_compressible_velocity_key : triad_compressible_temperature_key,
                                   texts, k ? 18 : 6);
    for (int i = 0; i < n; i++) wanted |= *texts[i] != '\0';
  }
  return wanted;
}
