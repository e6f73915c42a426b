/* Cases of a Gross-Pitaevskii flow and what is measured of it. For test_gpe*.c. */
#ifndef TRIAD_TESTS_UNIT_GPE_H
#define TRIAD_TESTS_UNIT_GPE_H

#include "flow.h"

#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/measure/budget.h"

enum { RE = TRIAD_GPE_RE, IM = TRIAD_GPE_IM };
enum { ENERGY = 0, ENSTROPHY = 1, MASS = 4, KINETIC, INTERACTION, INCOMPRESSIBLE, COMPRESSIBLE, QUANTUM, MOMENTUM };

static const double eps = (double)TRIAD_EPSILON, pi = TRIAD_PI;

#define CASE(grid, length, truncation, equations, initial, scheme) \
  "precision = \"" TRIAD_PRECISION_NAME "\"\n[equations]\nsolver = \"gpe\"\n" equations "\n[grid]\nn = " grid \
  "\nlength = " length "\ntruncation = \"" truncation "\"\n[initial]\n" initial \
  "\n[time]\nend = 1.0\nscheme = \"" scheme "\"\n[parallel]\nreproducible = true\n"

#define PHYSICS "sound_speed = 1.3\nhealing_length = 0.4\ndensity = 0.7"
#define RANDOM "kind = \"random\"\nspectrum = \"power-law\"\nslope = -1.0\nk_range = [1.0, 100.0]\nenergy = 0.2"

static const char *const cases[] = {
  CASE("[16, 16, 16]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", PHYSICS, RANDOM, "rk4"),
  CASE("[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere", PHYSICS, RANDOM, "rk4"),
  CASE("[13, 9, 12]", "[3.0, \"2pi\", \"pi\"]", "box", PHYSICS, RANDOM, "rk4"),
  CASE("[24, 20, 1]", "[\"2pi\", \"4pi\", 1.0]", "sphere", PHYSICS, RANDOM, "rk4"),
};
enum { CASES = sizeof cases / sizeof *cases };

static inline void measure(triad_flow *flow, double columns[TRIAD_MAX_COLUMNS])
{
  TRIAD_CHECK(triad_budget_measure(flow, columns));
}

#define WAVE \
  CASE("[12, 10, 15]", "[\"2pi\", 5.0, 9.0]", "sphere", PHYSICS, \
       "kind = \"plane-waves\"\nbackground = 0.0\nwaves = [-2, 1, 2, 0.6, -1.1]", "rk4")

#define LINES \
  CASE("[64, 64, 64]", "[\"2pi\", \"2pi\", \"2pi\"]", "sphere", "sound_speed = 2.0\nhealing_length = 0.0562", \
       "kind = \"taylor-green\"", "rk4")

#endif
