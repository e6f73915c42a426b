/* Whose is a key, a word: names of solvers for messages and pages. */
#include "case/schema.h"

#include <string.h>

/* Append the solvers of a part that are among `solvers`, each once. */
static void append(char buffer[TRIAD_SOLVER_NAMES], const triad_case_part *part, const char *solvers)
{
  for (int i = 0; part->sets && part->sets[i]; i++) append(buffer, part->sets[i], solvers);
  for (const triad_solver_row *s = part->solvers; s->word.name; s++) {
    const char *name = s->word.name;
    size_t used = strlen(buffer);
    if (!triad_solver_among(solvers, name) || (used > 0 && triad_solver_among(buffer, name))) continue;
    if (used + strlen(name) + 2 > TRIAD_SOLVER_NAMES) return;
    (void)strcat(strcat(buffer, used ? " " : ""), name);
  }
}

const char *triad_schema_row_solvers(const triad_schema_row *row, char buffer[TRIAD_SOLVER_NAMES])
{
  buffer[0] = '\0';
  if (row->part) append(buffer, row->part, row->key->solvers);
  return buffer;
}

const char *triad_schema_key_solvers(const char *name, char buffer[TRIAD_SOLVER_NAMES])
{
  buffer[0] = '\0';
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_key *key = triad_case_part_at(p)->keys; key->name; key++)
      if (strcmp(key->name, name) == 0) append(buffer, triad_case_part_at(p), key->solvers);
  return buffer;
}

/* A word without solvers of its own has those of its key. */
const char *triad_schema_word_solvers(const char *name, const char *word, char buffer[TRIAD_SOLVER_NAMES])
{
  buffer[0] = '\0';
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_key *key = triad_case_part_at(p)->keys; key->name; key++) {
      const triad_word *w = strcmp(key->name, name) == 0 ? triad_key_word(key, 0) : NULL;
      for (int i = 0; w; w = triad_key_word(key, ++i))
        if (strcmp(w->name, word) == 0) append(buffer, triad_case_part_at(p), w->solvers ? w->solvers : key->solvers);
    }
  return buffer;
}

const char *triad_schema_quantity_solvers(const char *name, char buffer[TRIAD_SOLVER_NAMES])
{
  buffer[0] = '\0';
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_quantity *q = triad_case_part_at(p)->quantities; q->name; q++)
      if (strcmp(q->name, name) == 0) append(buffer, triad_case_part_at(p), q->solvers);
  return buffer;
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

const triad_case_part *triad_case_part_at(int i)
{
  for (int p = 0; triad_case_parts[p]; p++) {
    const triad_case_part *const *sets = triad_case_parts[p]->sets;
    if (i-- == 0) return triad_case_parts[p];
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
