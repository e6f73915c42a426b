/* Evaluate accelerations that are formulas at the faces of the mesh, and report the first point without a finite
 * value. */
#include "solvers/staggered/case/force_formula.h"
#include "solvers/staggered/points/volume_points.h"
#include "solvers/staggered/plain/rows.h"

#include <math.h>
#include <stdlib.h>

enum { PIECE = 128, VARIABLES = 7 /* x, y, z, t, u, v, w */ };

struct triad_staggered_formulas {
  triad_formula *f[3]; /* NULL: 0 */
  int bad;             /* the first formula, from 1, whose value is none, and where; 0: all are good */
  double bad_value, bad_at[3];
};

typedef struct work {
  triad_staggered_formulas *of;
  const triad_staggered_mesh *m;
  triad_real *const *in, *const *out; /* out NULL: measure */
  double t, rate;
} work;

static const char *const keys[] = {"forcing.u", "forcing.v", "forcing.w"};

int triad_staggered_formulas_create(triad_staggered_formulas **out, triad_context *context, const triad_case *given)
{
  *out = NULL;
  if (!triad_case_is(given, "forcing.kind", "formula")) return TRIAD_OK;
  triad_staggered_formulas *p = *out = calloc(1, sizeof *p);
  int st = p ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the forcing");
  for (int a = 0; a < 3 && st == TRIAD_OK; a++) st = triad_case_formula(given, keys[a], 0, &p->f[a]);
  return triad_agree(&context->comm, st);
}

void triad_staggered_formulas_destroy(triad_staggered_formulas **formulas)
{
  for (int a = 0; *formulas && a < 3; a++) triad_formula_destroy(&(*formulas)->f[a]);
  free(*formulas);
  *formulas = NULL;
}

/* Component b at the faces of a: where they are the same its own, else the mean of the four around. */
static void component(const work *w, int a, int b, int64_t at, int n, double *out)
{
  const triad_real *u = w->in[b] + at;
  const int64_t back = w->m->sizes.step[a], up = w->m->sizes.step[b];
  if (a == b)
    for (int i = 0; i < n; i++) out[i] = (double)u[i];
  else
    for (int i = 0; i < n; i++)
      out[i] = 0.25 * (((double)u[i] + (double)u[i + up]) + ((double)u[i - back] + (double)u[i - back + up]));
}

/* Values of formula a at n faces of a row from cell x on, which is the first of them. */
static void values(const work *w, int a, const int64_t first[3], int n, double *value)
{
  const triad_staggered_mesh *m = w->m;
  const triad_formula *f = w->of->f[a];
  double room[VARIABLES][PIECE];
  const double *variable[VARIABLES];
  const int64_t at = triad_partition_at(&m->blocks, first[0], first[1], first[2]);
  for (int v = 0; v < VARIABLES; v++) {
    variable[v] = room[v];
    if (!triad_formula_uses(f, v)) continue;
    if (v > 3) component(w, a, v - 4, at, n, room[v]);
    for (int i = 0; i < n && v <= 3; i++)
      room[v][i] = v == 3 ? w->t : (v == a ? m->face : m->centre)[v][m->blocks.begin[v] + first[v] + (v == 0 ? i : 0)];
  }
  triad_formula_rows(f, n, variable, value);
}

/* The first value of this rank that is none, where the velocity is some. */
static int note_bad(const work *w, int a, const int64_t first[3], int i, double value)
{
  const triad_staggered_mesh *m = w->m;
  const int64_t at = triad_partition_at(&m->blocks, first[0] + i, first[1], first[2]);
  for (int b = 0; b < 3; b++)
    if (!isfinite((double)w->in[b][at])) return 0;
#pragma omp critical(triad_staggered_force_bad)
  if (!w->of->bad) {
    w->of->bad = a + 1;
    w->of->bad_value = value;
    for (int v = 0; v < 3; v++)
      w->of->bad_at[v] = (v == a ? m->face : m->centre)[v][m->blocks.begin[v] + first[v] + (v == 0 ? i : 0)];
  }
  return 1;
}

/* results: the power, then whether a value is none, then the largest of each component. */
static void piece(const work *w, int a, const int64_t first[3], int n, double *results)
{
  const triad_staggered_mesh *m = w->m;
  const int64_t at = triad_partition_at(&m->blocks, first[0], first[1], first[2]);
  double value[PIECE];
  values(w, a, first, n, value);
  for (int i = 0; i < n; i++) {
    const int64_t c[3] = {first[0] + i, first[1], first[2]};
    const double open = (double)triad_staggered_passes(a, &m->sizes, at + i);
    if (!(open > 0)) continue;
    if (!isfinite(value[i]) && note_bad(w, a, first, i, value[i])) results[1] = 1;
    if (w->out) {
      w->out[a][at + i] += (triad_real)(w->rate * value[i]);
      continue;
    }
    results[0] += open * triad_staggered_volume(&m->sizes, a, c) * (double)w->in[a][at + i] * value[i];
    results[2 + a] = fmax(results[2 + a], fabs(value[i]));
  }
}

static void row(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  const int64_t nx = w->m->blocks.local[0];
  for (int a = 0; a < 3; a++)
    for (int64_t x = 0; x < nx && w->of->f[a]; x += PIECE)
      piece(w, a, (int64_t[]){x, y, z}, nx - x < PIECE ? (int)(nx - x) : PIECE, results);
  if (w->out && triad_staggered_closes_rows(w->m)) triad_staggered_close_row(w->m, w->out, y, z);
}

static int run_threads(work *w, double results[5])
{
  const triad_staggered_formulas *p = w->of;
  int st = TRIAD_OK;
  w->of->bad = 0;
  TRIAD_TRY(triad_staggered_rows(w->m, row, w, 1, 4, results));
  if (!(results[1] > 0)) return TRIAD_OK;
  if (p->bad)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s is %s at x = %g, y = %g, z = %g, t = %g, but must be finite", keys[p->bad - 1],
                    isnan(p->bad_value) ? "not a number" : "infinite", p->bad_at[0], p->bad_at[1], p->bad_at[2], w->t);
  return triad_agree(&w->m->context->comm, st);
}

int triad_staggered_formulas_add(triad_staggered_formulas *p, const triad_staggered_mesh *m, double t, double rate,
                                 triad_real *const in[3], triad_real *const out[3])
{
  work w = {p, m, in, out, t, rate};
  double results[5];
  return run_threads(&w, results);
}

int triad_staggered_formulas_measure(triad_staggered_formulas *p, const triad_staggered_mesh *m, double t,
                                     triad_real *const u[3], double most[3], double *power)
{
  work w = {p, m, u, NULL, t, 0};
  double results[5];
  TRIAD_TRY(run_threads(&w, results));
  for (int a = 0; a < 3; a++) most[a] = results[2 + a];
  *power = results[0];
  return TRIAD_OK;
}
