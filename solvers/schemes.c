/* The table of Runge-Kutta schemes, and the limits and memory that follow from a row. */
#include "solvers/schemes.h"

#include "base/status.h"

#include <string.h>

#define SQRT_HALF 0.70710678118654752440

/* Gill's stages, with beta = 1 - sqrt(1/2) and gamma = 1 + sqrt(1/2). */
#define BETA (1 - SQRT_HALF)
#define GAMMA (1 + SQRT_HALF)

/* Limits on the axes follow from P, which is 1 + z + .. + z^s/s! where stages and order are both s: 2 and 0, 2.5127 and
 * sqrt(3), 2.7853 and 2 sqrt(2) for s = 2, 3, 4. tests/unit/solvers/test_schemes.c computes P, limits, order and ssp
 * from the coefficients of each row. */
const triad_scheme triad_schemes[] = {
  {.word = {"rk3"},
   .source = "Williamson 1980, J. Comput. Phys. 35, 48, case 7",
   .form = TRIAD_SCHEME_REGISTER,
   .order = 3,
   .n_stages = 3,
   .real_axis = 2.512,
   .imaginary_axis = 1.732,
   .stage = {{.c = 0, .b = 1. / 3, .e = 1},
             {.c = 1. / 3, .a = -5. / 9 * 15 / 16, .b = 15. / 16, .d = -5. / 9, .e = 1},
             {.c = 3. / 4, .a = -153. / 128 * 8 / 15, .b = 8. / 15}}},
  {.word = {"rk2"},
   .source = "explicit midpoint rule",
   .form = TRIAD_SCHEME_REGISTER,
   .order = 2,
   .n_stages = 2,
   .real_axis = 2,
   .stage = {{.c = 0, .b = 0.5, .e = 1}, {.c = 0.5, .a = -0.5, .b = 1}}},
  {.word = {"rk4"},
   .source = "Gill 1951, Math. Proc. Camb. Phil. Soc. 47, 96",
   .form = TRIAD_SCHEME_REGISTER,
   .order = 4,
   .n_stages = 4,
   .real_axis = 2.785,
   .imaginary_axis = 2.828,
   .stage = {{.c = 0, .b = 0.5, .e = 1},
             {.c = 0.5, .a = -BETA, .b = BETA, .d = 1 - 3 * BETA, .e = 2 * BETA},
             {.c = 0.5, .a = -GAMMA, .b = GAMMA, .d = 1 - 3 * GAMMA, .e = 2 * GAMMA},
             {.c = 1, .a = -1. / 3, .b = 1. / 6}}},
  {.word = {"ssprk3", .about = "strong-stability-preserving scheme of order 3"},
   .source = "Shu and Osher 1988, J. Comput. Phys. 77, 439",
   .form = TRIAD_SCHEME_START,
   .order = 3,
   .n_stages = 3,
   .real_axis = 2.512,
   .imaginary_axis = 1.732,
   .ssp = 1,
   .upwind = 1.434,
   .stage = {{.c = 0, .start = 1, .rate = 1},
             {.c = 1, .start = 0.75, .last = 0.25, .rate = 0.25},
             {.c = 0.5, .start = 1. / 3, .last = 2. / 3, .rate = 2. / 3}}},
  {.word = {"rk4", .about = "classical fourth-order Runge-Kutta scheme"},
   .source = "Kutta 1901, Z. Math. Phys. 46, 435",
   .form = TRIAD_SCHEME_START,
   .order = 4,
   .n_stages = 4,
   .divisor = 6,
   .real_axis = 2.785,
   .imaginary_axis = 2.828,
   .upwind = 1.731,
   .stage = {{.c = 0, .start = 1, .rate = 0.5, .weight = 1},
             {.c = 0.5, .start = 1, .rate = 0.5, .weight = 2},
             {.c = 0.5, .start = 1, .rate = 1, .weight = 2},
             {.c = 1, .weight = 1}}},
  /* P = 1 + z + z^2/2 + z^3/4: of the three-stage schemes of order 2 the one that is stable farthest along the
     * imaginary axis (Kinnmark and Gray 1984, Math. Comput. Simul. 26, 181) */
  {.word = {"rk2-imaginary", .about = "second order in three stages, with large stability along the imaginary axis"},
   .source = "Khajeh-Saeed and Perot 2013, J. Comput. Phys. 235, 241",
   .form = TRIAD_SCHEME_START,
   .order = 2,
   .n_stages = 3,
   .real_axis = 2,
   .imaginary_axis = 2,
   .upwind = 1.345,
   .stage = {{.c = 0, .start = 1, .rate = 0.5},
             {.c = 0.5, .start = 1, .rate = 0.5},
             {.c = 0.5, .start = 1, .rate = 1}}},
  {.word = {"split2", "gpe", .about = "Strang splitting with exact substeps; in real time only"},
   .source = "Strang 1968, SIAM J. Numer. Anal. 5, 506",
   .form = TRIAD_SCHEME_SPLIT,
   .order = 2,
   .n_stages = 1},
  {.word = {0}},
};

const triad_scheme *triad_scheme_find(const char *name, unsigned forms)
{
  for (const triad_scheme *s = triad_schemes; s->word.name; s++)
    if (strcmp(s->word.name, name) == 0 && (s->form & forms)) return s;
  return NULL;
}

const triad_word *triad_scheme_word(unsigned forms, int i)
{
  for (const triad_scheme *s = triad_schemes; s->word.name; s++)
    if ((s->form & forms) && i-- == 0) return &s->word;
  return NULL;
}

double triad_scheme_reach(const triad_scheme *s)
{
  if (s->form == TRIAD_SCHEME_SPLIT) return 0;
  return s->imaginary_axis > 0 ? s->imaginary_axis : 1.065; /* the midpoint rule: |P|^2 = 1 + z^4/4 */
}

enum { NONE = -1, STATE, FIRST, SECOND };

int triad_scheme_vectors(const triad_scheme *s)
{
  if (s->form == TRIAD_SCHEME_REGISTER) return 2;
  if (s->form == TRIAD_SCHEME_SPLIT) return 1;
  return (s->n_stages > 2 ? 3 : 2) + (s->divisor > 0);
}

static triad_scheme_update register_stage(const triad_scheme *s, int i, double dt)
{
  const triad_stage *g = &s->stage[i];
  int first = i == 0, last = i == s->n_stages - 1;
  return (triad_scheme_update){.stage = i,
                               .in = STATE,
                               .out = STATE,
                               .x = STATE,
                               .y = first ? NONE : FIRST,
                               .sum = last ? NONE : FIRST,
                               .from = first || last ? NONE : FIRST,
                               .x_part = 1,
                               .y_part = g->a,
                               .rate = g->b,
                               .rate_dt = dt,
                               .from_part = g->d,
                               .weight = g->e,
                               .weight_dt = dt,
                               .c = g->c,
                               .dt = dt};
}

/* Stages alternate between two vectors, because one that is read at neighbouring points cannot be written; the last
 * one writes to the state, of which each point is read only for itself. */
static triad_scheme_update start_stage(const triad_scheme *s, int i, double dt)
{
  const triad_stage *g = &s->stage[i];
  int first = i == 0, last = i == s->n_stages - 1, in = first ? STATE : i % 2 ? FIRST : SECOND;
  triad_scheme_update p = {.stage = i,
                           .in = in,
                           .out = last    ? STATE
                                  : i % 2 ? SECOND
                                          : FIRST,
                           .x = STATE,
                           .y = NONE,
                           .sum = NONE,
                           .from = NONE,
                           .x_part = g->start,
                           .rate = g->rate,
                           .rate_dt = dt,
                           .from_part = 1,
                           .c = g->c,
                           .dt = dt};
  if (g->last > 0) p.y = in, p.y_part = g->last;
  if (!(s->divisor > 0)) return p;
  int sum = triad_scheme_vectors(s) - 1;
  if (last) {
    p.x = sum, p.x_part = 1, p.rate = g->weight, p.rate_dt = dt / s->divisor;
  } else {
    p.sum = sum, p.from = first ? STATE : sum, p.weight = g->weight, p.weight_dt = dt / s->divisor;
  }
  return p;
}

int triad_scheme_advance(const triad_scheme *s, double dt, triad_scheme_do *stage, void *self)
{
  for (int i = 0; i < s->n_stages; i++) {
    triad_scheme_update p = s->form == TRIAD_SCHEME_REGISTER ? register_stage(s, i, dt) : start_stage(s, i, dt);
    TRIAD_TRY(stage(self, &p));
  }
  return TRIAD_OK;
}
