#include "run/loop/driver.h"

#include "run/loop/list.h"

#define DECLARE(family) extern const triad_driver triad_driver_##family, triadf_driver_##family;
#define ENTRY(family) {&triad_driver_##family, &triadf_driver_##family},
TRIAD_DRIVERS(DECLARE)

int triad_driver_find(const triad_driver **out, const triad_case *given)
{
  static const triad_driver *const all[][2] = {TRIAD_DRIVERS(ENTRY)};
  const char *solver = triad_case_word(given, "equations.solver");
  int single = triad_case_is(given, "precision", "single");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    *out = all[i][single];
    if ((*out)->has(solver)) return TRIAD_OK;
  }
  *out = NULL;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s is not built in", solver);
}
