/* Write a set of equations as a text in C: the parts in their order. No names of users are in it. */
#include "solvers/spectral/text/code/code.h"

#include "base/status.h"
#include "solvers/spectral/text/code/code_budget.h"
#include "solvers/spectral/text/code/code_modes.h"
#include "solvers/spectral/text/code/code_points.h"

#include <stdio.h>

static void write_all(FILE *to, const triad_text_set *s)
{
  (void)fprintf(to, "#include \"solvers/spectral/text/text_points.h\"\n"
                    "#include \"solvers/spectral/equations/exponential_points.h\"\n"
                    "#include \"solvers/spectral/equations/stage_points.h\"\n");
  (void)fprintf(to, "enum { TRIAD_TEXT_NODES = %d };\n", s->text->operators.n);
  triad_text_code_points(to, s);
  triad_text_code_modes(to, s);
  triad_text_code_budget(to, s);
}

int triad_text_code(const triad_text_set *s, char **text)
{
  size_t size = 0;
  *text = NULL;
  FILE *to = open_memstream(text, &size);
  if (!to) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of the equations");
  write_all(to, s);
  const int bad = ferror(to);
  return fclose(to) == 0 && !bad ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of the equations");
}
