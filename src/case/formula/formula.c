/* Compile formulas, and evaluate those that are numbers. */
#include "case/formula/formula_internal.h"

#include "base/status.h"
#include "base/text.h"
#include "case/case_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const triad_formula_of_points[] = {"x", "y", "z", NULL};

/* ---- the whole ---- */

/* TRIAD_OK, or TRIAD_ERR_CASE for a reason. */
static int compile_into(triad_formula *room, const char *text, size_t length, const triad_formula_scope *scope,
                        char why[TRIAD_FORMULA_WHY])
{
  triad_formula_parser p = {.out = room, .text = text, .at = text, .end = text + length, .scope = scope, .why = why};
  why[0] = '\0';
  room->n = 0;
  if (length > TRIAD_FORMULA_BYTES) {
    (void)snprintf(why, TRIAD_FORMULA_WHY, "longer than %d bytes", TRIAD_FORMULA_BYTES);
    return TRIAD_ERR_CASE;
  }
  int good = triad_formula_expression(&p);
  triad_formula_skip_blanks(&p);
  if (good && p.at < p.end) good = triad_formula_unexpected(&p);
  return good ? TRIAD_OK : TRIAD_ERR_CASE;
}

int triad_formula_compile(triad_formula **out, const char *text, size_t length, const triad_formula_scope *scope,
                          char why[TRIAD_FORMULA_WHY])
{
  *out = malloc(sizeof **out);
  if (!*out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a formula");
  int st = compile_into(*out, text, length, scope, why);
  if (st != TRIAD_OK) triad_formula_destroy(out);
  return st;
}

/* Takes no memory: every number of a case comes through here, and is a number or not. */
int triad_formula_number(const char *text, size_t length, const triad_formula_scope *numbers, double *value,
                         char why[TRIAD_FORMULA_WHY])
{
  static const triad_formula_scope none;
  triad_formula room;
  TRIAD_TRY(compile_into(&room, text, length, numbers ? numbers : &none, why));
  triad_formula_rows(&room, 1, NULL, value);
  if (isfinite(*value)) return TRIAD_OK;
  (void)snprintf(why, TRIAD_FORMULA_WHY, "its value is %s", isnan(*value) ? "not a number" : "infinite");
  return TRIAD_ERR_CASE;
}
