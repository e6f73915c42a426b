/* The table of subgrid models, and loops over points for them. */
#include "solvers/closure/models.h"

#include <string.h>

#define TRIAD_EDDY_LOOP(name) \
  static __attribute__((flatten)) void name##_rows(const triad_closure_constants *constants, int64_t n, \
                                                   const triad_real *const *g, triad_real *nu) \
  { \
    const triad_closure_constants c = *constants; \
    const triad_real *row[9]; \
    _Pragma("GCC unroll 9") for (int i = 0; i < 9; i++) row[i] = g[i]; \
    _Pragma("GCC ivdep") for (int64_t i = 0; i < n; i++) \
    { \
      triad_real v[9]; \
      for (int f = 0; f < 9; f++) v[f] = row[f][i]; \
      nu[i] = triad_eddy_##name(&c, v); \
    } \
  }

TRIAD_EDDY_LOOP(smagorinsky)
TRIAD_EDDY_LOOP(vreman)
TRIAD_EDDY_LOOP(wale)
TRIAD_EDDY_LOOP(sigma)

static const triad_closure_model models[] = {
  {"smagorinsky", smagorinsky_rows, "closure.smagorinsky_constant", 0, "Smagorinsky 1963"},
  {"dynamic-smagorinsky", smagorinsky_rows, NULL, 1, "Germano, Piomelli, Moin, Cabot 1991; Lilly 1992"},
  {"vreman", vreman_rows, "closure.vreman_constant", 0, "Vreman 2004"},
  {"wale", wale_rows, "closure.wale_constant", 0, "Nicoud, Ducros 1999"},
  {"sigma", sigma_rows, "closure.sigma_constant", 0, "Nicoud et al. 2011"},
  {"spectral", NULL, "closure.kolmogorov_constant", 0, "Chollet, Lesieur 1981"},
};

const triad_closure_model *triad_closure_model_of(const triad_case *given)
{
  if (!triad_case_applies(given, "closure.model")) return NULL;
  const char *word = triad_case_word(given, "closure.model");
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    if (strcmp(models[i].name, word) == 0) return &models[i];
  return NULL;
}

static double factor_of(const triad_closure_model *model, double constant, double width)
{
  return model->rows == vreman_rows ? constant : constant * constant * width * width;
}

triad_closure_constants triad_closure_constants_of(const triad_closure_model *model, double constant, double asked,
                                                   const double width[3], double *width_used)
{
  triad_closure_constants c = {0};
  double product = 1;
  int axes = 0;
  for (int i = 0; i < 3; i++) {
    const double w = asked > 0 && width[i] > 0 ? asked : width[i];
    c.width[i] = (triad_real)w;
    if (w > 0) {
      product *= w;
      axes++;
    }
  }
  *width_used = axes > 0 ? pow(product, 1.0 / axes) : 0;
  c.factor = (triad_real)factor_of(model, constant, *width_used);
  return c;
}
