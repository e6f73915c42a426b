/* The known errors of the compressible solver on the finest grids they are known for, which take a while.
 * ranks: 2   timeout: 600 */
#include "compressible_waves.h"

/* Known figures have three digits; the solver is to be within a hundredth of them. */
static const double near_enough = 0.01;

TRIAD_TEST(density_wave_in_space_has_the_known_error_at_64_points)
{
  TRIAD_NEAR(test_product_error(64), 1.70e-7, near_enough, "js, 64^3");
}

TRIAD_TEST(isentropic_vortex_has_the_known_error_at_128_points)
{
  TRIAD_NEAR(test_vortex_error(128, TRIAD_WENO_JS), 1.21e-7, near_enough, "js, 128^2");
}

TRIAD_MAIN
