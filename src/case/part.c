/* The registered families of solvers: their parts of the case, their solvers, and the part of each solver. */
#include "case/part.h"

#include <string.h>

static const triad_case_part *const none[] = {NULL};
static const triad_case_part *const *families = none;

void triad_case_set_parts(const triad_case_part *const *parts) { families = parts; }

const triad_case_part *triad_case_family_at(int i) { return families[i]; }

const triad_case_part *triad_case_part_at(int i)
{
  for (int f = 0; families[f]; f++) {
    const triad_case_part *const *sets = families[f]->sets;
    if (i-- == 0) return families[f];
    for (int k = 0; sets && sets[k]; k++)
      if (i-- == 0) return sets[k];
  }
  return NULL;
}

int triad_case_part_has(const triad_case_part *part, const char *solver)
{
  if (!solver) return 1;
  for (const triad_solver_row *s = part->solvers; s->word.name; s++)
    if (strcmp(s->word.name, solver) == 0) return 1;
  for (int k = 0; part->sets && part->sets[k]; k++)
    if (triad_case_part_has(part->sets[k], solver)) return 1;
  return 0;
}

int triad_solver_among(const char *solvers, const char *solver)
{
  if (!solvers || !solver) return 1;
  size_t length = strlen(solver);
  for (const char *at = solvers; *at;) {
    size_t word = strcspn(at, " ");
    if (word == length && memcmp(at, solver, length) == 0) return 1;
    at += word;
    at += strspn(at, " ");
  }
  return 0;
}

const triad_solver_row *triad_solver_row_at(int i)
{
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_solver_row *s = triad_case_part_at(p)->solvers; s->word.name; s++)
      if (i-- == 0) return s;
  return NULL;
}

const triad_word *triad_solver_word(int i)
{
  const triad_solver_row *s = triad_solver_row_at(i);
  return s ? &s->word : NULL;
}
