/* Runge-Kutta schemes of this solver: Jameson's of M stages, alpha_k = 1/(M - k + 1), and ssprk3 of the common
 * table. */
#include "solvers/multiblock/plain/schemes.h"

#include "solvers/multiblock/case/part.h"

#include <string.h>

static const triad_word words[] = {{"rk1", .about = "one stage (explicit Euler)"},
                                   {"rk2", .about = "Jameson's scheme of two stages"},
                                   {"rk3", .about = "Jameson's scheme of three stages"},
                                   {"rk4", .about = "Jameson's scheme of four stages"},
                                   {"rk5", .about = "Jameson's scheme of five stages"},
                                   {"ssprk3", .about = "strong-stability-preserving scheme of order 3"},
                                   {"implicit", .about = "implicit Euler by sweeps, for steady flows"}};
enum { WORDS_THERE = sizeof words / sizeof *words, MOST_STAGES = 5 };

const triad_word *triad_multiblock_scheme_word(int i) { return i < WORDS_THERE ? &words[i] : NULL; }

triad_scheme triad_multiblock_scheme_of(const char *name)
{
  int stages = 0;
  while (stages < MOST_STAGES && strcmp(words[stages].name, name) != 0) stages++;
  if (strcmp(name, "implicit") == 0)
    return (triad_scheme){.word = words[WORDS_THERE - 1], .form = TRIAD_SCHEME_START, .order = 1, .n_stages = 1};
  if (stages == MOST_STAGES) return *triad_scheme_find(name, TRIAD_SCHEME_START);
  triad_scheme s = {.word = words[stages], .form = TRIAD_SCHEME_START, .n_stages = stages + 1};
  for (int k = 0; k < s.n_stages; k++) s.stage[k] = (triad_stage){.start = 1, .rate = 1.0 / (s.n_stages - k)};
  return s;
}
