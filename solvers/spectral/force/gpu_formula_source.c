/* Write the CUDA source of a kernel that evaluates the formulas of a force. */
#include "solvers/spectral/force/gpu_formula_source.h"
#include "solvers/spectral/force/formula_points.h"
#include "solvers/spectral/force/gpu_formula_internal.h"
#include "case/formula/formula_text.h"

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

/* Parts of formula f, `n` of them, as functions `name`_<number> of all from `first` on. */
static int write_parts(FILE *to, triad_formula *const *part, int n, const char *name, int first)
{
  for (int k = 0; k < n; k++) {
    char text[32];
    (void)snprintf(text, sizeof text, "%s_%d", name, first + k);
    TRIAD_TRY(write_text(to, part[k], text));
  }
  return TRIAD_OK;
}

/* Which of n functions `name`_<number>. */
static void write_choice(FILE *to, const char *name, int n)
{
  (void)fprintf(to, "TRIAD_POINT double triad_formula_%s(int k, const double *v)\n{\n  switch (k) {\n", name);
  for (int k = 0; k < n; k++) (void)fprintf(to, "  case %d: return %s_%d(v);\n", k, name, k);
  (void)fprintf(to, "  default: return 0;\n  }\n}\n");
}

/* Formula f, whose variables behind the others stand for what tables have. */
static void write_case(FILE *to, const triad_force_rows *r, int f, int of_x, int of_row)
{
  (void)fprintf(to, "  case %d:\n", f);
  for (int k = 0; k < r->n; k++)
    (void)fprintf(to, "    v[%d] = p.of_x[%d * p.nx + x];\n", TRIAD_FORCE_OF_X + k, of_x + k);
  for (int k = 0; k < r->n_row; k++)
    (void)fprintf(to, "    v[%d] = p.of_row[%d * p.rows + row];\n", TRIAD_FORCE_OF_ROW + k, of_row + k);
  (void)fprintf(to, "    return whole_%d(v);\n", f);
}

static int write_source(FILE *to, const triad_forcing *p, unsigned reads)
{
  const triad_force_formulas *q = &p->formulas;
  unsigned pushes = 0;
  int of_x, of_row;
  (void)fprintf(to, "#include \"case/formula/formula_points.h\"\n");
  for (int f = 0; f < q->n; f++) {
    char name[32];
    pushes |= (unsigned)(q->field[f] < p->energetic) << f;
    (void)snprintf(name, sizeof name, "whole_%d", f);
    triad_force_points_parts(p, f, &of_x, &of_row);
    TRIAD_TRY(write_parts(to, q->rows[f].part, q->rows[f].n, "of_x", of_x));
    TRIAD_TRY(write_parts(to, q->rows[f].of_row, q->rows[f].n_row, "of_row", of_row));
    TRIAD_TRY(write_text(to, q->f[f], name));
  }
  triad_force_points_parts(p, q->n, &of_x, &of_row);
  write_choice(to, "of_x", of_x);
  write_choice(to, "of_row", of_row);
  (void)fprintf(to, "template <class Places> static __device__ __forceinline__ double triad_formula_value(int r, const "
                    "Places &p, int64_t x, int64_t row, "
                    "double *v)\n{\n  switch (r) {\n");
  for (int f = 0, x, row; f < q->n; f++) {
    triad_force_points_parts(p, f, &x, &row);
    write_case(to, &q->rows[f], f, x, row);
  }
  (void)fprintf(to,
                "  default: return 0;\n  }\n}\n#define TRIAD_FORMULA_ROOM %d\n#define TRIAD_FORMULA_RESULTS "
                "%d\n#define TRIAD_FORMULA_OF_X %d\n"
                "#define TRIAD_FORMULA_OF_ROW %d\n#define TRIAD_FORMULA_READS %uu\n#define TRIAD_FORMULA_PUSHES %uu\n",
                TRIAD_FORCE_VARIABLES, q->n, of_x, of_row, reads, pushes);
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
