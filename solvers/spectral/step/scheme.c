/* The schemes' coefficients in the form of stepper.h. */
#include "solvers/spectral/step/stepper.h"

#include <string.h>

#define SQRT_HALF 0.70710678118654752440

/* Gill's stages, with beta = 1 - sqrt(1/2) and gamma = 1 + sqrt(1/2). */
#define BETA (1 - SQRT_HALF)
#define GAMMA (1 + SQRT_HALF)

static const triad_scheme schemes[] = {
    {.name = "rk2",
     .source = "explicit midpoint rule",
     .order = 2,
     .n_stages = 2,
     .stage = {{.c = 0, .b = 0.5, .e = 1}, {.c = 0.5, .a = -0.5, .b = 1}}},
    {.name = "rk3",
     .source = "Williamson 1980, J. Comput. Phys. 35, 48, case 7",
     .order = 3,
     .n_stages = 3,
     .stage = {{.c = 0, .b = 1. / 3, .e = 1},
               {.c = 1. / 3, .a = -5. / 9 * 15 / 16, .b = 15. / 16, .d = -5. / 9, .e = 1},
               {.c = 3. / 4, .a = -153. / 128 * 8 / 15, .b = 8. / 15}}},
    {.name = "rk4",
     .source = "Gill 1951, Math. Proc. Camb. Phil. Soc. 47, 96",
     .order = 4,
     .n_stages = 4,
     .stage = {{.c = 0, .b = 0.5, .e = 1},
               {.c = 0.5, .a = -BETA, .b = BETA, .d = 1 - 3 * BETA, .e = 2 * BETA},
               {.c = 0.5, .a = -GAMMA, .b = GAMMA, .d = 1 - 3 * GAMMA, .e = 2 * GAMMA},
               {.c = 1, .a = -1. / 3, .b = 1. / 6}}},
    {.name = "split2",
     .source = "Strang 1968, SIAM J. Numer. Anal. 5, 506",
     .order = 2,
     .n_stages = 1,
     .split = 1},
};

const triad_scheme *triad_scheme_find(const char *name)
{
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    if (strcmp(schemes[i].name, name) == 0) return &schemes[i];
  return NULL;
}
