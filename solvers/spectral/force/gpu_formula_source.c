#include "solvers/spectral/force/gpu_formula_own.h"

#include <stdio.h>
#include <stdlib.h>

static int write_text(FILE *to, const triad_formula *f, const char *name)
{
  char *text = NULL;
  int st = triad_formula_text(f, name, &text);
  if (st == TRIAD_OK) (void)fprintf(to, "%s", text);
  free(text);
  return st;
}

/* Formula f and what rows would have of it once, which variables behind the others stand for. */
static int write_formula(FILE *to, const triad_force_formulas *q, int f)
{
  char name[32];
  for (int k = 0; k < q->rows[f].n; k++) {
    (void)snprintf(name, sizeof name, "part_%d_%d", f, k);
    TRIAD_TRY(write_text(to, q->rows[f].part[k], name));
  }
  (void)snprintf(name, sizeof name, "whole_%d", f);
  TRIAD_TRY(write_text(to, q->f[f], name));
  (void)fprintf(to, "TRIAD_POINT double formula_%d(double *v)\n{\n", f);
  for (int k = 0; k < q->rows[f].n; k++) (void)fprintf(to, "  v[%d] = part_%d_%d(v);\n", TRIAD_FORMULA_VARIABLES + k, f, k);
  (void)fprintf(to, "  return whole_%d(v);\n}\n", f);
  return TRIAD_OK;
}

static int write_source(FILE *to, const triad_forcing *p, unsigned reads)
{
  const triad_force_formulas *q = &p->formulas;
  unsigned pushes = 0;
  for (int f = 0; f < q->n; f++) pushes |= (unsigned)(q->field[f] < p->energetic) << f;
  (void)fprintf(to, "%s#include \"fft/device_compiled.h\"\n#include \"case/formula_points.h\"\n",
                sizeof(triad_real) == 4 ? "#define TRIAD_SINGLE\n" : "");
  for (int f = 0; f < q->n; f++) TRIAD_TRY(write_formula(to, q, f));
  (void)fprintf(to, "#define TRIAD_FORMULA_ROOM %d\n#define TRIAD_FORMULA_RESULTS %d\n#define TRIAD_FORMULA_READS %uu\n"
                    "#define TRIAD_FORMULA_PUSHES %uu\n#define TRIAD_FORMULAS(v, out) do {",
                TRIAD_FORMULA_VARIABLES + TRIAD_FORMULA_PARTS, q->n, reads, pushes);
  for (int f = 0; f < q->n; f++) (void)fprintf(to, " out[%d] = formula_%d(v);", f, f);
  (void)fprintf(to, " } while (0)\nextern \"C\" __constant__ int triad_launch[] = {256, 1, 0, 256};\n"
                    "#include \"solvers/spectral/force/formula_kernel.h\"\n");
  return TRIAD_OK;
}

int triad_gpu_formula_source(const triad_forcing *p, unsigned reads, char **text)
{
  size_t size = 0;
  *text = NULL;
  FILE *to = open_memstream(text, &size);
  if (!to) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of a force's formulas");
  int st = write_source(to, p, reads);
  const int bad = ferror(to);
  if ((fclose(to) != 0 || bad) && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the source of a force's formulas");
  return st;
}
