/* Compile the texts of a case: names, definitions, variables of invert, rates, invariants. */
#include "solvers/spectral/text/compile/text.h"

#include "base/status.h"
#include "solvers/spectral/text/compile/expand.h"

#include <math.h>
#include <stdlib.h>

static int read_all(triad_text_compiler *c, const triad_case *given)
{
  const char *list[TRIAD_TEXT_LETS];
  int n = triad_case_texts(given, "equations.fields", list, TRIAD_TEXT_FIELDS);
  const triad_text_source fields = {.key = "equations.fields", .index = -1};
  if (n == 0) return triad_text_wrong(c, &fields, -1, TRIAD_ERR_CASE, "at least one field is required");
  if (!triad_text_read_fields(c, list, n)) return 0;
  n = triad_case_texts(given, "equations.let", list, TRIAD_TEXT_LETS);
  if (!triad_text_read_lets(c, list, n) || !triad_text_solve_lets(c)) return 0;
  n = triad_case_texts(given, "equations.evolve", list, TRIAD_TEXT_FIELDS);
  if (!triad_text_solve_rates(c, list, n)) return 0;
  n = triad_case_texts(given, "equations.invariants", list, TRIAD_TEXT_INVARIANTS);
  return triad_text_read_invariants(c, list, n);
}

int triad_text_compile(triad_text **out, const triad_case *given, const triad_grid *grid, triad_text_error *error)
{
  double unit[3];
  *out = NULL;
  *error = (triad_text_error){.key = "equations.evolve", .index = -1};
  triad_text_compiler *c = calloc(1, sizeof *c);
  triad_text *t = calloc(1, sizeof *t);
  if (!c || !t) {
    free(c);
    free(t);
    return error->status = TRIAD_ERR_MEMORY;
  }
  c->text = t;
  c->error = error;
  c->numbers = triad_case_numbers(given, c->number_name, c->number);
  t->carries = triad_case_tables(given, "particles") > 0;
  t->end = triad_case_real(given, "time.end");
  if (!(t->end > 0) || !isfinite(t->end)) t->end = 1;
  for (int i = 0; i < 3; i++) {
    t->flat[i] = grid->n[i] == 1;
    unit[i] = 2 * M_PI / grid->length[i];
  }
  triad_text_operators_start(&t->operators, t->flat, unit);
  const int good = read_all(c, given);
  for (int i = 0; i < c->n_definitions; i++) free(c->definition[i].source.node);
  free(c);
  if (!good) triad_text_destroy(&t);
  *out = t;
  return error->status;
}

void triad_text_destroy(triad_text **text)
{
  if (!*text) return;
  triad_text_free_memory(*text);
  free(*text);
  *text = NULL;
}
