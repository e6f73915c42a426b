/* Count the memory of forces by formula and from a file before a flow exists, from lists of their modes. */
#include "solvers/spectral/force/plain/needs.h"
#include "solvers/spectral/force/force_internal.h"
#include "case/formula/formula_split.h"
#include "base/precision.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WHOLE_PARTS = 4 }; /* as many as an update on a GPU takes of a field: TRIAD_GPU_FORCE_WHOLE */

int triad_force_fills(double modes, double all, int parts) { return parts <= WHOLE_PARTS && 8 * modes >= all; }

/* Search for the modes of a formula on a few points, displaced from the zeros of many waves. An axis on which more
 * than half of the waves occur counts as full; less than ROUNDING of the largest counts as none. */
enum { COARSE = 17, MOST_WAVES = COARSE / 2 };
static const double OFFSET = 0.37, ROUNDING = 1e-12;

typedef struct coarse {
  int64_t n[3]; /* points: COARSE along axes that the formula has, else 1 */
  double complex value[COARSE * COARSE * COARSE];
} coarse;

static void sample(coarse *c, const triad_formula *f, const triad_grid *g)
{
  for (int a = 0; a < 3; a++) c->n[a] = g->n[a] > 1 && triad_formula_uses(f, a) ? COARSE : 1;
  int64_t at = 0;
  for (int64_t k = 0; k < c->n[2]; k++)
    for (int64_t j = 0; j < c->n[1]; j++)
      for (int64_t i = 0; i < c->n[0]; i++) {
        const double x[4] = {g->length[0] * ((double)i + OFFSET) / COARSE, g->length[1] * ((double)j + OFFSET) / COARSE,
                             g->length[2] * ((double)k + OFFSET) / COARSE, 0};
        const double *const variable[TRIAD_FORCE_COORDINATES] = {&x[0], &x[1], &x[2], &x[3]};
        double value = 0;
        triad_formula_rows(f, 1, variable, &value);
        c->value[at++] = isfinite(value) ? value : 0; /* creating the force reports it */
      }
}

/* Along an axis, by the sum itself. */
static void transform(coarse *c, int axis)
{
  const int64_t stride = axis == 0 ? 1 : axis == 1 ? c->n[0] : c->n[0] * c->n[1], all = c->n[0] * c->n[1] * c->n[2];
  double complex line[COARSE], turn[COARSE];
  for (int m = 0; m < COARSE; m++) turn[m] = cexp(-2 * TRIAD_PI * I * m / COARSE) / COARSE;
  for (int64_t first = 0; first < all; first++) {
    if (first / stride % c->n[axis] != 0) continue;
    for (int m = 0; m < COARSE; m++) {
      line[m] = 0;
      for (int i = 0; i < COARSE; i++) line[m] += c->value[first + i * stride] * turn[m * i % COARSE];
    }
    for (int m = 0; m < COARSE; m++) c->value[first + m * stride] = line[m];
  }
}

/* Modes of a rank: a few may all be on one, and where they fill x or y every rank has its share. */
static double modes_of(coarse *c, const triad_formula *f, const triad_layout *l)
{
  const triad_grid *g = &l->grid;
  char there[3][COARSE] = {{0}};
  double most = 0, n = 0;
  int shared = 0, full = 0;
  sample(c, f, g);
  for (int a = 0; a < 3; a++)
    if (c->n[a] > 1) transform(c, a);
  const int64_t all = c->n[0] * c->n[1] * c->n[2];
  for (int64_t i = 0; i < all; i++) most = fmax(most, cabs(c->value[i]));
  for (int64_t i = 0; i < all; i++) {
    if (cabs(c->value[i]) <= ROUNDING * most) continue;
    there[0][i % c->n[0]] = there[1][i / c->n[0] % c->n[1]] = there[2][i / c->n[0] / c->n[1]] = 1;
    n++;
  }
  for (int a = 0; a < 3; a++) {
    double waves = 0, kept = (double)(2 * g->kmax[a] + 1);
    for (int m = 0; m < c->n[a]; m++) waves += there[a][m];
    if (waves > MOST_WAVES) {
      n *= kept / waves;
      waves = kept;
      shared |= a < 2;
      full++;
    }
    if (a == 0) n *= (waves + 1) / (2 * waves); /* of kx < 0 none are held */
  }
  if (full == 3 && g->truncation == TRIAD_SPHERE) n *= TRIAD_PI / 6;
  return shared ? n / l->size : n;
}

/* *modes: of a rank, of all terms; *parts: times that are different, of which each has values of all of them;
 * *terms_of: how many terms. */
static int count(const triad_case *given, const triad_layout *l, const triad_shape *shape, coarse *c, double *modes,
                 int *parts, int *terms_of)
{
  triad_formula **times = calloc((size_t)shape->n_fields * TRIAD_FORMULA_TERMS, sizeof *times);
  int st = times ? TRIAD_OK : TRIAD_ERR_MEMORY;
  *modes = 0;
  *parts = *terms_of = 0;
  for (int i = 0; i < shape->n_fields && st == TRIAD_OK; i++) {
    triad_formula_term terms[TRIAD_FORMULA_TERMS];
    triad_formula *f = NULL;
    char key[TRIAD_FORCE_KEY];
    int n = 0;
    const int number = triad_force_key(shape->fields[i].name, key);
    st = triad_case_formula(given, key, number, &f);
    if (st == TRIAD_OK && f) st = triad_formula_split(f, terms, &n);
    for (int k = 0; k < n; k++) {
      if (terms[k].field >= 0) continue;
      ++*terms_of;
      *modes += terms[k].space ? modes_of(c, terms[k].space, l) : 1;
      int known = 0;
      for (int p = 0; p < *parts; p++) known |= triad_formula_is_same(times[p], terms[k].time);
      if (known) continue;
      times[(*parts)++] = terms[k].time;
      terms[k].time = NULL;
    }
    triad_formula_terms_free(terms, n);
    triad_formula_destroy(&f);
  }
  for (int p = 0; p < *parts; p++) triad_formula_destroy(&times[p]);
  free(times);
  return st;
}

/* As triad_force_take has them, values of each part, and a mark for each mode while they are made. */
static int64_t of_formulas(const triad_case *given, const triad_layout *l, const triad_shape *shape)
{
  double modes;
  int parts, terms;
  coarse *c = malloc(sizeof *c);
  int st = c ? count(given, l, shape, c, &modes, &parts, &terms) : TRIAD_ERR_MEMORY;
  free(c);
  if (st != TRIAD_OK) triad_message_clear(); /* creating the force reports the error */
  if (st != TRIAD_OK || parts == 0) return 0;
  const int64_t most = l->n_columns * l->nkz, held = modes < (double)most ? (int64_t)ceil(modes) : most;
  const int64_t mode = 3 * (int64_t)sizeof(int64_t) + (int64_t)sizeof(double) * (1 + (3 + 2 * parts) * shape->n_fields);
  return held * mode + l->modes;
}

int triad_force_whole_fields(const triad_case *given, const triad_layout *l, const triad_shape *shape)
{
  double modes = 0;
  int parts = 0, terms = 0;
  if (!triad_case_is(given, "forcing.kind", "formula")) return 0;
  coarse *c = malloc(sizeof *c);
  const int st = c ? count(given, l, shape, c, &modes, &parts, &terms) : TRIAD_ERR_MEMORY;
  free(c);
  if (st != TRIAD_OK) triad_message_clear(); /* creating the force reports the error */
  return st == TRIAD_OK && triad_force_fills(modes, (double)(l->n_columns * l->nkz), parts) ? terms : 0;
}

/* Every rank has all numbers of the file; its other data per mode are no larger than that if there are at least four
 * times. */
static int64_t of_file(const triad_case *given)
{
  struct stat about;
  char *path = triad_case_path(given, "forcing.file");
  const int there = path && stat(path, &about) == 0;
  free(path);
  return there ? 2 * (int64_t)about.st_size : 0;
}

int64_t triad_force_memory(const triad_case *given, const triad_layout *l, const triad_shape *shape)
{
  if (triad_case_is(given, "forcing.kind", "formula")) return of_formulas(given, l, shape);
  return triad_case_is(given, "forcing.kind", "file") ? of_file(given) : 0;
}
