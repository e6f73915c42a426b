/* A formula of any bytes, of points, time and fields: refused with its place, or a program. One row of many points
 * is as many rows of one; pieces taken out change no bit; sums of terms name fields that there are. */
#include "fuzz.h"

#include "case/formula/formula.h"
#include "case/formula/formula_text.h"
#include "case/formula/formula_split.h"

#include <math.h>

enum { N = 150 /* more than a piece of a row */, VARIABLES = 6, ROWS = VARIABLES + TRIAD_FORMULA_PARTS };
static const char *const variable[] = {"x", "y", "z", "t", "u", "dx(u)", NULL};
static const char *const name[] = {"Re", "nu"};
static const double number[] = {400, 2.5e-3};
static const triad_formula_scope scope = {variable, 2, name, number, NULL};
static const triad_formula_scope numbers = {NULL, 2, name, number, NULL};
static double values[ROWS][N];
static const double *rows[ROWS];

static void fill(void)
{
  static const double special[] = {0, -0.0, 1, -1, 0.1, 2, 1e300, -1e300, INFINITY, NAN, 5e-324};
  enum { SPECIAL = sizeof special / sizeof *special };
  for (int v = 0; v < ROWS; v++) rows[v] = values[v];
  for (int v = 0; v < VARIABLES; v++)
    for (int i = 0; i < N; i++)
      values[v][i] = i < SPECIAL * SPECIAL ? special[(v % 2 ? i / SPECIAL : i) % SPECIAL] : 0.37 * i - 45 * v;
}

static int same(const double *a, const double *b)
{
  for (int i = 0; i < N; i++)
    if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) return 0;
  return 1;
}

static void check_values(const triad_formula *f, double *out)
{
  double alone[N];
  triad_formula_rows(f, N, rows, out);
  for (int i = 0; i < N; i++) {
    const double *at[ROWS];
    for (int v = 0; v < ROWS; v++) at[v] = &values[v][i];
    triad_formula_rows(f, 1, at, &alone[i]);
  }
  MUST(same(out, alone));
}

static void check_terms(const triad_formula *f)
{
  triad_formula_term terms[TRIAD_FORMULA_TERMS];
  double out[N];
  int n;
  MUST(triad_formula_split(f, terms, &n) == TRIAD_OK && n >= 0 && n <= TRIAD_FORMULA_TERMS);
  for (int i = 0; i < n; i++) {
    MUST(terms[i].field < VARIABLES && (terms[i].field < 0 || (terms[i].field > 3 && !terms[i].space)));
    for (int v = 0; v < VARIABLES; v++) {
      MUST(!terms[i].space || v < 3 || !triad_formula_uses(terms[i].space, v));
      MUST(!terms[i].time || v == 3 || !triad_formula_uses(terms[i].time, v));
    }
    if (terms[i].space) triad_formula_rows(terms[i].space, N, rows, out);
    if (terms[i].time) triad_formula_rows(terms[i].time, N, rows, out);
  }
  triad_formula_terms_free(terms, n);
}

/* Changes f. */
static void check_pieces(triad_formula *f, unsigned of, const double *before)
{
  triad_formula *part[TRIAD_FORMULA_PARTS];
  double after[N];
  int n;
  MUST(triad_formula_hoist(f, of, VARIABLES, part, &n) == TRIAD_OK && n >= 0 && n <= TRIAD_FORMULA_PARTS);
  for (int i = 0; i < n; i++) {
    for (int v = 0; v < VARIABLES; v++) MUST(!triad_formula_uses(part[i], v) || (of >> v & 1));
    triad_formula_rows(part[i], N, rows, values[VARIABLES + i]);
    triad_formula_destroy(&part[i]);
  }
  triad_formula_rows(f, N, rows, after);
  MUST(same(before, after));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char why[TRIAD_FORMULA_WHY], *text = copy_of(data, size), *source = NULL;
  triad_formula *f = NULL;
  double out[N], value;
  fill();
  const int st = triad_formula_compile(&f, text, size, &scope, why);
  MUST(st == TRIAD_OK ? f != NULL : st == TRIAD_ERR_CASE && !f && why[0]);
  for (const char *c = why; *c && !f; c++) MUST((unsigned char)*c >= 32);
  if (f) {
    check_values(f, out);
    check_terms(f);
    MUST(triad_formula_text(f, "fuzz", &source) == TRIAD_OK && source[0]);
    check_pieces(f, 1u << (size % VARIABLES) | 1u << 3, out);
  }
  if (triad_formula_number(text, size, &numbers, &value, why) == TRIAD_OK) MUST(isfinite(value));
  triad_formula_destroy(&f);
  triad_message_clear();
  free(source);
  free(text);
  return 0;
}
